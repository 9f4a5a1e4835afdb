/*
 * Programs whose calls of a BLAS are recorded: they do as without, and the record has what they called. The programs are
 * tests/inject/math/victim.c and victim_plugins.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "observe/calls/call_record.h"
#include "observe/calls/calls.h"

static char path[] = "/tmp/breakeven-calls-XXXXXX";

/* The exit code of `victim WAY`, or 1000 and the number of the signal. */
static int run(const char *way, const char *library, const char *record) {
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        if (library) {
            setenv("LD_PRELOAD", library, 1);
            setenv(BE_CALL_RECORD_FILE, record, 1);
        }
        const char *program = strcmp(way, "plugins") == 0 ? VICTIM_PLUGINS : VICTIM;
        execl(program, program, way, (char *)NULL);
        _exit(98);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Under the recorder as without it; what was recorded. */
static struct be_calls record(const char *way) {
    struct be_error error = {0};
    struct be_calls calls;
    unlink(path);
    assert_int_equal(be_calls_make(path, &error), BE_OK);
    assert_int_equal(run(way, RECORDER, path), run(way, NULL, NULL));
    assert_int_equal(be_calls_read(path, &calls, &error), BE_OK);
    assert_true(calls.lost == 0);
    return calls;
}

static const struct be_call_row *find(const struct be_calls *calls, const char *function, char type,
                                      double m, double n, double k) {
    for (size_t i = 0; i < calls->rows; i++) {
        const struct be_call_row *row = &calls->row[i];
        if (strcmp(row->function, function) == 0 && row->type == type && row->m == m &&
            row->n == n && row->k == k) {
            return row;
        }
    }
    fail_msg("no %c%s of %g %g %g", type, function, m, n, k);
    return NULL;
}

static void test_arguments_arrive(void **state) {
    (void)state;
    struct be_calls calls = record("all_arguments");
    const struct be_call_row *row = find(&calls, "gemm", 'd', 30, 20, 10);
    assert_true(row->calls == 1 && row->flops == 12000);
    assert_true(row->seconds > 0 && row->seconds < 60);
    assert_true(find(&calls, "gemm", 'd', 2, 2, 2)->calls == 1);
    assert_true(find(&calls, "gemm", 's', 2, 2, 2)->calls == 1);
    assert_true(calls.rows == 3 && calls.processes == 1);
    be_calls_free(&calls);
}

/* 200 x 100 numbers come four times as they are, 100 x 150 each time with other values, and the result is read by the
 * last call. */
static void test_operands_come_back(void **state) {
    (void)state;
    struct be_calls calls = record("operands");
    const struct be_call_row *row = find(&calls, "gemm", 'd', 200, 150, 100);
    assert_true(row->calls == 4 && row->batch == 1);
    assert_true(row->fresh == 8 * (200 * 100 + 100 * 150));
    assert_true(row->same == 8 * 3 * 200 * 100 && row->changed == 8 * 3 * 100 * 150);
    assert_true(row->made == 0 && row->written == 8 * 4 * 200 * 150);
    row = find(&calls, "gemm", 'd', 200, 200, 150);
    assert_true(row->made == 8 * 200 * 150 && row->same == row->made && row->fresh == row->made);
    be_calls_free(&calls);
}

static void test_the_outermost_counts(void **state) {
    (void)state;
    struct be_calls calls = record("nested");
    const struct be_call_row *row = find(&calls, "trsm", 'd', 30, 20, 30);
    assert_true(calls.rows == 1 && row->calls == 1 && row->flops == 30 * 30 * 20);
    be_calls_free(&calls);
}

static void test_a_call_that_was_left(void **state) {
    (void)state;
    struct be_calls calls = record("jumped");
    assert_true(find(&calls, "gemm", 'd', 30, 20, 10)->calls == 3);
    be_calls_free(&calls);
}

static void test_a_batch(void **state) {
    (void)state;
    struct be_calls calls = record("batch");
    const struct be_call_row *row = find(&calls, "gemm", 'd', 2, 2, 2);
    assert_true(row->calls == 10 && row->batch == 10);
    be_calls_free(&calls);
}

/* 300 shapes find 200 places; the others are added up by powers of two. */
static void test_many_shapes(void **state) {
    (void)state;
    struct be_calls calls = record("many_shapes");
    double all = 0, flops = 0;
    bool rounded = false;
    for (size_t i = 0; i < calls.rows; i++) {
        all += calls.row[i].calls;
        flops += calls.row[i].flops;
        rounded |= calls.row[i].rounded;
    }
    assert_true(all == 300 && rounded && calls.rows <= 255);
    assert_true(fabs(flops / (2.0 * 300 * 301 / 2) - 1) < 1e-9);
    be_calls_free(&calls);
}

static void test_flags_stay(void **state) {
    (void)state;
    struct be_calls calls = record("flags");
    assert_true(find(&calls, "gemm", 'd', 0, 0, 0)->calls == 1);
    be_calls_free(&calls);
}

/* Five transforms of 1024 points, and one call with three of 8 x 16 real numbers; a plan of unknown shape is not counted. */
static void test_transforms(void **state) {
    (void)state;
    struct be_calls calls = record("transforms");
    const struct be_call_row *row = find(&calls, "fft", 'z', 0, 1024, 1);
    assert_true(row->calls == 5 && row->kind == BE_CALLS_FFT);
    assert_true(fabs(row->flops - 5 * 5.0 * 1024 * 10) < 1e-6);
    row = find(&calls, "rfft", 'd', 0, 128, 3);
    assert_true(row->calls == 1 && fabs(row->flops - 2.5 * 128 * 7 * 3) < 1e-6);
    assert_true(row->fresh + row->changed + row->same == 8 * 128 * 3);
    assert_true(row->written == 8 * 8 * 9 * 2 * 3);
    assert_true(calls.rows == 2);
    be_calls_free(&calls);
}

static void test_threads(void **state) {
    (void)state;
    struct be_calls calls = record("threads");
    const struct be_call_row *row = find(&calls, "gemm", 'd', 4, 4, 4);
    assert_true(row->calls == 600000);
    assert_true(row->seconds > 0);
    be_calls_free(&calls);
}

static void test_processes(void **state) {
    (void)state;
    struct be_calls calls = record("forks");
    assert_true(find(&calls, "gemm", 'd', 30, 20, 10)->calls == 602);
    assert_true(calls.processes == 601);
    be_calls_free(&calls);
    calls = record("executes");
    assert_true(find(&calls, "gemm", 'd', 30, 20, 10)->calls == 1);
    assert_true(find(&calls, "gemm", 'd', 2, 2, 2)->calls == 10);
    be_calls_free(&calls);
}

static void test_a_killed_program(void **state) {
    (void)state;
    assert_int_equal(run("killed", NULL, NULL), 1000 + SIGKILL);
    struct be_calls calls = record("killed");
    assert_true(find(&calls, "gemm", 'd', 30, 20, 10)->calls == 1);
    be_calls_free(&calls);
}

static void test_libraries_of_the_same_names(void **state) {
    (void)state;
    struct be_calls calls = record("plugins");
    assert_true(find(&calls, "gemm", 'd', 2, 2, 2)->calls == 25);
    be_calls_free(&calls);
}

/* No record, or one that is not whole: the program does as without. */
static void test_no_record(void **state) {
    (void)state;
    unlink(path);
    assert_int_equal(run("all_arguments", RECORDER, path), 0);
    assert_int_equal(access(path, F_OK), -1);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("no record", file);
    fclose(file);
    assert_int_equal(run("all_arguments", RECORDER, path), 0);
    assert_int_equal(run("all_arguments", RECORDER, "relative"), 0);
    struct be_calls calls;
    struct be_error error = {0};
    assert_int_equal(be_calls_read(path, &calls, &error), BE_WRONG);
    assert_non_null(strstr(error.text, "no record of calls"));
}

/* Whatever the file holds, rows are of functions that there are. */
static void test_a_damaged_record(void **state) {
    (void)state;
    struct be_error error = {0};
    struct be_calls calls;
    static struct be_call_slot slot;
    unlink(path);
    assert_int_equal(be_calls_make(path, &error), BE_OK);
    memset(&slot, 0xff, sizeof slot);
    slot.entry[7] = (struct be_call_entry){
        .function = BE_CALL_gemm + 1, .type = 'z', .m = 2, .n = 3, .k = 4, .calls = 5};
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    fseek(file, (long)offsetof(struct be_call_record, slot) + 9 * (long)sizeof slot, SEEK_SET);
    assert_int_equal(fwrite(&slot, sizeof slot, 1, file), 1);
    fclose(file);
    assert_int_equal(be_calls_read(path, &calls, &error), BE_OK);
    assert_int_equal(calls.rows, 1);
    assert_true(calls.row[0].calls == 5 && calls.row[0].flops == 5 * 4 * 48);
    assert_true(isnan(calls.row[0].seconds)); /* none has ended */
    be_calls_free(&calls);
}

static int make_path(void **state) {
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_path(void **state) {
    (void)state;
    unlink(path);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments_arrive),
        cmocka_unit_test(test_operands_come_back),
        cmocka_unit_test(test_the_outermost_counts),
        cmocka_unit_test(test_a_call_that_was_left),
        cmocka_unit_test(test_a_batch),
        cmocka_unit_test(test_many_shapes),
        cmocka_unit_test(test_flags_stay),
        cmocka_unit_test(test_transforms),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_processes),
        cmocka_unit_test(test_a_killed_program),
        cmocka_unit_test(test_libraries_of_the_same_names),
        cmocka_unit_test(test_no_record),
        cmocka_unit_test(test_a_damaged_record),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
