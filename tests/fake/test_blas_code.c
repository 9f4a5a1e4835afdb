/* Which code an OpenBLAS is told to take: one that is faster here than what it takes by itself, and nothing where
 * it is right, no faster otherwise, or the user has chosen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/cpu_level.h"
#include "dyn/host/blas.h"

static const char *best(void) {
    return be_cpu_level() >= 4 ? "SkylakeX" : "Haswell";
}

struct expected {
    const char *own, *slow,
        *set; /* what it takes by itself; with what it is slow; the user's choice */
    const char *asked, *taken; /* "": nothing */
};

/* A library that was loaded stays in a process, so each case has one of its own. */
static bool holds(const struct expected *e) {
    char note[BE_NOTE] = "", name[BE_NOTE], taken[BE_NAME + 32];
    struct be_host_blas blas = {0};
    struct be_error error = {0};
    setenv("BREAKEVEN_BLAS", FAKE_BLAS, 1);
    setenv("FAKE_OPENBLAS_OWN", e->own, 1);
    setenv("FAKE_OPENBLAS_SLOW", e->slow, 1);
    if (e->set) {
        setenv("OPENBLAS_CORETYPE", e->set, 1);
    } else {
        unsetenv("OPENBLAS_CORETYPE"); /* whoever runs the tests may have one */
    }
    if (be_host_blas_open(&blas, &error) != BE_OK) {
        fprintf(stderr, "%s\n", error.text);
        return false;
    }
    const char *left = getenv("OPENBLAS_CORETYPE");
    bool noted = be_host_blas_note(&blas, note, sizeof note);
    be_host_blas_name(&blas, name, sizeof name);
    snprintf(taken, sizeof taken, "OpenBLAS 1.2.3 (%s)", e->taken);
    fprintf(stderr, "asked \"%s\", name \"%s\", note \"%s\"\n", blas.code.asked, name, note);
    return strcmp(blas.code.asked, e->asked) == 0 && strcmp(name, taken) == 0 &&
           noted == (*e->asked != '\0') && (!noted || strstr(note, e->own)) &&
           (!noted || strstr(note, e->asked)) && (e->set ? left && !strcmp(left, e->set) : !left);
}

static void expect(const struct expected *e) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(holds(e) ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void slow_by_itself(void **state) {
    (void)state;
    if (be_cpu_level() < 3) {
        skip(); /* then there is nothing better to ask for */
    }
    expect(&(struct expected){"Prescott", "Prescott", NULL, best(), best()});
    expect(&(struct expected){"NewName", "NewName", NULL, best(), best()});
}

static void no_faster_otherwise(void **state) {
    (void)state;
    expect(&(struct expected){"NewName", best(), NULL, "", "NewName"});
}

static void right_by_itself(void **state) {
    (void)state;
    expect(&(struct expected){"SkylakeX", "SkylakeX", NULL, "", "SkylakeX"});
}

static void chosen_by_the_user(void **state) {
    (void)state;
    expect(&(struct expected){"Prescott", "Nehalem", "Nehalem", "", "Nehalem"});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_by_itself),
        cmocka_unit_test(no_faster_otherwise),
        cmocka_unit_test(right_by_itself),
        cmocka_unit_test(chosen_by_the_user),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
