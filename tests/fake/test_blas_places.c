/* Which BLAS libraries are found, by which words, and which of them is taken. VIRTUAL_ENV is a folder with an oneMKL as pip
 * installs it, and with NumPy's OpenBLAS, whose functions have names of their own. */
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

#include "base/error.h"
#include "dyn/host/blas.h"

static struct be_host_blas found[BE_BLAS_MAX];
static int count;
static struct be_error error;

/* A library that was loaded stays in a process, so each case has one of its own. */
static void apart(bool (*holds)(void)) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("VIRTUAL_ENV", FAKE_FOLDER "/venv", 1);
        setenv("FAKE_OPENBLAS_OWN", "SkylakeX", 1);
        unsetenv("BREAKEVEN_BLAS");
        unsetenv("MKLROOT");
        _exit(holds() ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static bool has(const char *name) {
    for (int i = 0; i < count; i++) {
        char own[BE_NAME];
        be_host_blas_name(&found[i], own, sizeof own);
        if (strcmp(own, name) == 0) {
            return be_host_blas_set_threads(&found[i], 1);
        }
    }
    return false;
}

static const char mkl[] = "oneMKL 2026.2", numpy[] = "OpenBLAS 1.2.3 (SkylakeX)";

static bool all_are_found(void) {
    return be_host_blas_find(NULL, found, &count, &error) == BE_OK && has(mkl) && has(numpy);
}

/* A folder of any library, whose name has the version of Python in it. */
static bool folders_have_patterns(void) {
    static const char *const files[] = {"libscipy_openblas64_-1a2b.so", NULL};
    static const char *const folders[] = {"$NOSUCH/lib", "$VIRTUAL_ENV/lib/python2*",
                                          "$VIRTUAL_ENV/lib/python3*/site-packages/numpy.libs",
                                          NULL};
    static const char *const others[] = {"$VIRTUAL_ENV/lib/python2*/site-packages/numpy.libs",
                                         NULL};
    const struct be_library here = {"a wheel's", files, folders, NULL, 0};
    const struct be_library absent = {"a wheel's", files, others, NULL, 0};
    void *handle = NULL;
    const bool found_it = be_dyn_look(&here, NULL, &handle, &error) == BE_OK && handle;
    be_dyn_close(handle);
    return found_it && be_dyn_look(&absent, NULL, &handle, &error) == BE_ABSENT && !handle;
}

static bool a_word_is_enough(void) {
    return be_host_blas_find("mkl", found, &count, &error) == BE_OK && count == 1 && has(mkl) &&
           be_host_blas_find("numpy", found, &count, &error) == BE_OK && count == 1 && has(numpy);
}

static bool variable_says_the_same(void) {
    setenv("BREAKEVEN_BLAS", "numpy", 1);
    return be_host_blas_find(NULL, found, &count, &error) == BE_OK && count == 1 && has(numpy) &&
           be_host_blas_find("mkl", found, &count, &error) == BE_OK && count == 1 && has(mkl);
}

static bool a_file_is_enough(void) {
    return be_host_blas_find(FAKE_FOLDER "/libfake-openblas.so", found, &count, &error) == BE_OK &&
           count == 1 && has(numpy);
}

static bool errors_say_the_words(void) {
    setenv("VIRTUAL_ENV", "/nonexistent", 1);
    setenv("CONDA_PREFIX", "/nonexistent", 1);
    setenv("HOME", "/nonexistent", 1);
    return be_host_blas_find("numpy", found, &count, &error) == BE_ABSENT && count == 0 &&
           strstr(error.text, "Python") && strstr(error.text, "openblas, numpy, mkl") &&
           be_host_blas_find("no-such-library", found, &count, &error) == BE_ABSENT &&
           strstr(error.text, "(no-such-library)");
}

static bool the_fastest_is_opened(void) {
    char name[BE_NAME];
    struct be_host_blas blas;
    setenv("FAKE_MKL_SLOW", "1", 1);
    if (be_host_blas_open(&blas, &error) != BE_OK) {
        return false;
    }
    be_host_blas_name(&blas, name, sizeof name);
    return strcmp(name, mkl) != 0;
}

static bool the_fastest_is_opened_again(void) {
    char name[BE_NAME];
    struct be_host_blas blas;
    setenv("FAKE_OPENBLAS_SLOW", "SkylakeX", 1);
    if (be_host_blas_open(&blas, &error) != BE_OK) {
        return false;
    }
    be_host_blas_name(&blas, name, sizeof name);
    return strcmp(name, mkl) == 0;
}

static void test_places(void **state) {
    (void)state;
    apart(all_are_found);
    apart(a_word_is_enough);
    apart(variable_says_the_same);
    apart(a_file_is_enough);
    apart(folders_have_patterns);
    apart(errors_say_the_words);
}

static void test_fastest(void **state) {
    (void)state;
    apart(the_fastest_is_opened);
    apart(the_fastest_is_opened_again);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_fastest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
