/*
 * How many calls pay for what is done once.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "assert_near.h"
#include "base/error.h"
#include "bench/crossing.h"

static void calls_until_repaid(void **state) {
    (void)state;
    assert_near(be_calls_to_repay(1.0, 0.2, 0.3), 10);
    assert_near(be_calls_to_repay(1.0, 0.2, 0.29), 12);
    assert_near(be_calls_to_repay(0.05, 0.2, 0.3), 1);
    assert_true(be_calls_to_repay(0, 0.2, 0.3) < 1e-300);
    assert_true(isnan(be_calls_to_repay(1, 0.3, 0.3)));
    assert_true(isnan(be_calls_to_repay(1, 0.4, 0.3)));
    assert_true(isnan(be_calls_to_repay(0, 0.4, 0.3)));
    assert_true(isnan(be_calls_to_repay(NAN, 0.2, 0.3)));
    assert_true(isnan(be_calls_to_repay(1, NAN, 0.3)));
    assert_true(isnan(be_calls_to_repay(1, 0.2, NAN)));
    assert_true(isnan(be_calls_to_repay(INFINITY, 0.2, 0.3)));
    assert_true(isnan(be_calls_to_repay(1, 0.2, INFINITY)));
}

static struct be_span span(double once, struct be_ratio ratio) {
    static const struct be_span other = {0.1, 0.09, 0.11};
    const struct be_span spent = {once, once * 0.9, once * 1.1};
    return be_calls_span(&spent, &ratio, &other);
}

/* From the ends of the intervals; what is not faster beyond doubt repays nothing. */
static void calls_have_an_interval(void **state) {
    (void)state;
    struct be_span calls = span(1, (struct be_ratio){20, 0.5, 0.45, 0.55, BE_FASTER});
    assert_near(calls.median, 20);
    assert_near(calls.lo, 15); /* 0.9 / (0.55 x 0.11), rounded up */
    assert_near(calls.hi, 28); /* 1.1 / (0.45 x 0.09) */
    static const enum be_verdict not_faster[] = {BE_SAME, BE_SLOWER, BE_TOO_CLOSE};
    for (size_t i = 0; i < BE_COUNT(not_faster); i++) {
        calls = span(1, (struct be_ratio){20, 0.9, 0.8, 1.2, not_faster[i]});
        assert_true(isnan(calls.median) && isnan(calls.lo) && isnan(calls.hi));
    }
    /* No interval of what is done once: none of the calls, which are known. */
    const struct be_span once = {1, NAN, NAN}, other = {0.1, 0.1, 0.1};
    const struct be_ratio ratio = {20, 0.5, 0.5, 0.5, BE_FASTER};
    calls = be_calls_span(&once, &ratio, &other);
    assert_near(calls.median, 20);
    assert_true(isnan(calls.lo) && isnan(calls.hi));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_until_repaid),
        cmocka_unit_test(calls_have_an_interval),
    };
    return cmocka_run_group_tests_name("breakeven", tests, NULL, NULL);
}
