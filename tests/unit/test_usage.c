/* How much memory a run took, of several processes that share some. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
#include "observe/usage.h"

struct look {
    double sum, divided, processes; /* divided 0: not at this look */
};

static double used(const struct look *look, int count, double process, const char **how) {
    struct be_trace trace;
    struct be_error error = {0};
    assert_int_equal(be_trace_open(&trace, &error), BE_OK);
    int source = be_trace_source(&trace, "made up");
    for (int i = 0; i < count; i++) {
        assert_true(be_trace_tick(&trace, i + 1));
        be_trace_add(&trace, BE_MEMORY, 0, source, look[i].sum);
        be_trace_add(&trace, BE_PROCESSES, 0, source, look[i].processes);
        if (look[i].divided > 0) {
            be_trace_add(&trace, BE_MEMORY_PSS, 0, source, look[i].divided);
        }
    }
    trace.total.peak_process_bytes = process;
    double bytes = be_trace_memory_used(&trace, how);
    be_trace_close(&trace);
    return bytes;
}

#define USED(process, ...)                                                                         \
    used((const struct look[]){__VA_ARGS__},                                                       \
         (int)(sizeof((const struct look[]){__VA_ARGS__}) / sizeof(struct look)), process, &how)

static void of_several(void **state) {
    const char *how;
    (void)state;
    /* At the look where it was divided, and at those like it. */
    assert_true(USED(10, {40, 16, 4}, {40, 0, 4}, {40, 0, 4}) == 16);
    assert_string_equal(how, "");
    assert_true(USED(10, {40, 0, 4}, {40, 0, 4}, {40, 16, 4}) == 16);
    /* It grows after that look: by what it has grown. */
    assert_true(USED(160, {40, 16, 4}, {640, 0, 4}, {0, 0, 0}) == 616);
    /* It forks between two looks, and shares all that it has. */
    assert_true(USED(10, {10, 10, 2}, {80, 0, 8}, {80, 12, 8}) == 12);
    /* It has most in between, and is like neither. */
    assert_true(USED(20, {20, 18, 2}, {90, 0, 8}, {60, 20, 8}) == 50);
}

static void of_one_or_never_divided(void **state) {
    const char *how;
    (void)state;
    assert_true(USED(70, {40, 0, 4}, {64, 0, 4}) == 70);
    assert_true(USED(10, {40, 0, 4}, {64, 0, 4}) == 64);
    assert_string_equal(how, "shared pages counted for each process");
    /* Several at first, one when it had most: nothing of that was shared. */
    assert_true(USED(70, {NAN, 0, 5}, {8, 0, 5}, {64, 0, 1}) == 70);
    assert_string_equal(how, "");
    assert_true(USED(70, {40, 0, 1}, {64, 0, 1}) == 70);
    assert_string_equal(how, "");
    assert_true(isnan(USED(NAN, {NAN, 0, 1})));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_several),
        cmocka_unit_test(of_one_or_never_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
