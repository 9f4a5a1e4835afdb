/* The time that is left, by planned seconds: a large size counts for what it takes, and plans that were off are scaled. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/time_left.h"

static void assert_s(double is, double wanted) {
    assert_true(fabs(is - wanted) < 1e-9);
}

/* 4 cases of 0.25 s, then 4 that take 60 s more: counted by cases, one second would be left. */
static void a_large_size_counts_for_what_it_takes(void **state) {
    (void)state;
    struct be_time_left planned = {0};
    const double small_s = be_time_left_size(4, 0.25, NAN);
    const double large_s = be_time_left_size(4, 0.25, 60);
    be_time_left_begin(&planned, 100, small_s, large_s);
    assert_s(be_time_left_s(&planned, 100), 62);
    be_time_left_end(&planned, 101);
    be_time_left_begin(&planned, 101, large_s, 0);
    assert_s(be_time_left_s(&planned, 101), 61);
    assert_s(be_time_left_s(&planned, 121), 41);
}

static void plans_that_were_off_are_scaled(void **state) {
    (void)state;
    struct be_time_left planned = {0};
    be_time_left_begin(&planned, 10, 2, 10);
    be_time_left_end(&planned, 16); /* three times as long */
    be_time_left_begin(&planned, 16, 4, 6);
    assert_s(be_time_left_s(&planned, 16), 30);
    assert_s(be_time_left_s(&planned, 100), 18); /* longer than its plan: never less than nothing */
}

static void nothing_planned_is_not_known(void **state) {
    (void)state;
    struct be_time_left planned = {0};
    assert_true(isnan(be_time_left_s(&planned, 5)));
    be_time_left_begin(&planned, 5, 1, 0);
    be_time_left_end(&planned, 6); /* sizes that narrow a break-even are not planned */
    assert_true(isnan(be_time_left_s(&planned, 7)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_size_counts_for_what_it_takes),
        cmocka_unit_test(plans_that_were_off_are_scaled),
        cmocka_unit_test(nothing_planned_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
