/* The SLUID of a job, as sacct says it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "accounting/account.h"
#include "base/error.h"

static char folder[] = "/tmp/test_sluid.XXXXXX";
static char program[64];

/* A sacct before any other in PATH: job 12 was requeued, job 13 is not known, and an older Slurm has no such
 * column for job 14. */
static int make_sacct(void **state) {
    (void)state;
    char path[4096];
    if (!mkdtemp(folder)) {
        return -1;
    }
    snprintf(program, sizeof program, "%s/sacct", folder);
    FILE *out = fopen(program, "we");
    if (!out) {
        return -1;
    }
    fputs("#!/bin/sh\n"
          "case $* in\n"
          "'-X -n -P -j 12 -o SLUID') echo sEKNKTV3WPV500; echo s8FXKTA79XAR00 ;;\n"
          "'-X -n -P -j 13 -o SLUID') ;;\n"
          "*) echo 'sacct: fatal: Invalid field requested: \"SLUID\"' >&2; exit 1 ;;\n"
          "esac\n",
          out);
    snprintf(path, sizeof path, "%s:%s", folder, getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin");
    return fclose(out) || chmod(program, 0700) || setenv("PATH", path, 1);
}

static int remove_sacct(void **state) {
    (void)state;
    return unlink(program) || rmdir(folder);
}

static void test_sluid(void **state) {
    (void)state;
    struct be_error error = {0};
    char sluid[BE_NAME];
    assert_int_equal(be_account_sluid("12", sluid, sizeof sluid, &error), BE_OK);
    assert_string_equal(sluid, "s8FXKTA79XAR00");
    assert_int_equal(be_account_sluid("13", sluid, sizeof sluid, &error), BE_ABSENT);
    assert_string_equal(sluid, "");
    assert_int_not_equal(be_account_sluid("14", sluid, sizeof sluid, &error), BE_OK);
    assert_string_equal(sluid, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sluid)};
    return cmocka_run_group_tests(tests, make_sacct, remove_sacct);
}
