/* Time over the number of cores or GPUs: fits of runs whose terms are known. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "breakeven.h"
#include "decide/scaling.h"

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-6 * fmax(1, fabs(expected)))) {
        fail_msg("%.17g instead of %.17g", value, expected);
    }
}

static void amdahl(void **state) {
    (void)state;
    const struct be_scaling_run run[] = {{1, 110}, {2, 60}};
    struct be_scaling s;
    assert_true(be_scaling_fit(run, 2, &s));
    assert_near(s.fixed_s, 10);
    assert_near(s.shared_s, 100);
    assert_near(s.talk_s, 0);
    assert_near(be_scaling_at(&s, 4), 35);
    assert_near(s.most, 2);
}

static void communication(void **state) {
    (void)state;
    struct be_scaling_run run[5];
    struct be_scaling s;
    for (int i = 0; i < 5; i++) {
        const double p = 1 << i;
        run[i] = (struct be_scaling_run){p, 5 + 200 / p + 3 * i};
    }
    assert_true(be_scaling_fit(run, 5, &s));
    assert_near(s.fixed_s, 5);
    assert_near(s.shared_s, 200);
    assert_near(s.talk_s, 3);
    assert_int_equal(s.numbers, 5);
    assert_true(be_scaling_at(&s, 1024) > be_scaling_at(&s, 64)); /* more is slower by then */
}

static void no_term_is_negative(void **state) {
    (void)state;
    const struct be_scaling_run faster[] = {
        {1, 100}, {2, 45}, {4, 20}}; /* more cache: better than p */
    const struct be_scaling_run slower[] = {{1, 100}, {2, 110}};
    struct be_scaling s;
    assert_true(be_scaling_fit(faster, 3, &s));
    assert_true(s.fixed_s >= 0 && s.shared_s > 80 && s.talk_s >= 0);
    assert_true(be_scaling_fit(slower, 2, &s));
    assert_near(be_scaling_at(&s, 1), 100);
    assert_near(be_scaling_at(&s, 2), 110);
    assert_near(s.talk_s, 10);
}

static void one_number_tells_nothing(void **state) {
    (void)state;
    const struct be_scaling_run run[] = {{4, 100}, {4, 90}};
    struct be_scaling s;
    assert_false(be_scaling_fit(run, 2, &s));
    assert_int_equal(s.numbers, 1);
}

static void repeated_runs_are_averaged(void **state) {
    (void)state;
    const struct be_scaling_run run[] = {{1, 99}, {1, 101}, {2, 51}, {2, 49}};
    struct be_scaling s;
    assert_true(be_scaling_fit(run, 4, &s));
    assert_true(fabs(be_scaling_at(&s, 1) / 100 - 1) < 0.02 && s.fixed_s < 2);
    assert_int_equal(s.numbers, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amdahl),
        cmocka_unit_test(communication),
        cmocka_unit_test(no_term_is_negative),
        cmocka_unit_test(one_number_tells_nothing),
        cmocka_unit_test(repeated_runs_are_averaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
