/*
 * The stop rule, on noise of several kinds.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "noise.h"
#include "base/error.h"
#include "stat/stat.h"

enum noise { SMOOTH, TWO_MODES, DRIFTING };

static double draw_one(enum noise noise, double size, int i, uint64_t *seed) {
    switch (noise) {
    case SMOOTH:
        break;
    case TWO_MODES:
        return 1 + (uniform(seed) < 0.5 ? -size : size) + 0.002 * normal(seed);
    case DRIFTING:
        return 1 + size * i / 1000.0 + 0.06 * normal(seed);
    }
    return 1 + size * normal(seed);
}

/* Samples of 1 ms until the rule says stop. */
static struct be_summary sample(enum noise noise, double size, const struct be_stop_rule *rule,
                                uint64_t seed) {
    struct be_samples samples = {0};
    enum be_stop stop = BE_STOP_NONE;
    for (int i = 1; stop == BE_STOP_NONE; i++) {
        assert_true(i <= 1000000);
        add(&samples, draw_one(noise, size, i, &seed));
        stop = be_stop_check(&samples, 1e-3 * i, rule);
    }
    struct be_summary summary = be_summarize(&samples, stop);
    be_samples_free(&samples);
    return summary;
}

static const struct be_stop_rule usual = {
    .precision = 0.02, .min = 10, .budget_s = 0.5, .patience = 4};

static double width(const struct be_summary *summary) {
    return (summary->hi_s - summary->lo_s) / summary->median_s;
}

static void stops_when_precise(void **state) {
    (void)state;
    struct be_summary quiet = sample(SMOOTH, 0.001, &usual, 1);
    assert_int_equal(quiet.stop, BE_STOP_PRECISE);
    assert_int_equal(quiet.n, 10);
    struct be_summary noisy = sample(SMOOTH, 0.05, &usual, 2);
    assert_int_equal(noisy.stop, BE_STOP_PRECISE);
    assert_in_range(noisy.n, 60, 400);
    assert_true(width(&noisy) <= 0.02);
}

static void few_samples_are_never_precise(void **state) {
    (void)state;
    struct be_stop_rule rule = {.precision = 0.02, .min = 1, .budget_s = 1, .patience = 4};
    struct be_samples samples = {0};
    for (int i = 1; i < 6; i++) {
        add(&samples, 1);
        assert_int_equal(be_stop_check(&samples, 1e-3, &rule), BE_STOP_NONE);
    }
    add(&samples, 1);
    assert_int_equal(be_stop_check(&samples, 1e-3, &rule), BE_STOP_PRECISE);
    be_samples_free(&samples);
}

/* Twice as narrow takes four times as long: the second budget would be enough if it took twice. */
static void stops_when_noise_is_stable(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct be_stop_rule rule = usual;
        rule.budget_s = i ? 0.9 : usual.budget_s;
        int stable = 0;
        for (uint64_t seed = 0; seed < 50; seed++) {
            struct be_summary summary = sample(SMOOTH, 0.15, &rule, seed * 1000);
            stable += summary.stop == BE_STOP_STABLE && summary.n < 500;
            if (summary.stop == BE_STOP_STABLE) {
                assert_true(summary.n >= 64);
                assert_true(width(&summary) <= 0.05);
            }
        }
        assert_true(stable >= 40);
    }
}

/* With time enough for precision, stable noise is no reason to do with less. */
static void stable_does_not_forestall_precise(void **state) {
    (void)state;
    struct be_stop_rule rule = usual;
    rule.budget_s = 60;
    struct be_summary summary = sample(SMOOTH, 0.15, &rule, 3);
    assert_int_equal(summary.stop, BE_STOP_PRECISE);
    assert_true(width(&summary) <= 0.02);
}

/* Samples that drift spread the wider the longer one looks back. A run or two may look stable:
 * the drift then is still small beside the noise. */
static void drift_is_not_stable(void **state) {
    (void)state;
    int stable = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        stable += sample(DRIFTING, 1, &usual, seed * 1000).stop == BE_STOP_STABLE;
    }
    assert_in_range(stable, 0, 5);
}

/* Nobody can tell from 60 samples whether their noise is stable. */
static void few_samples_are_never_stable(void **state) {
    (void)state;
    struct be_stop_rule rule = usual;
    rule.budget_s = 0.06;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct be_summary summary = sample(SMOOTH, 0.05, &rule, seed * 1000);
        assert_int_not_equal(summary.stop, BE_STOP_STABLE);
    }
}

/* Two modes, half each: the median may be anywhere between, the noise is steady from the start. A
 * short run must not stop by luck with an interval inside one mode, nor call that stable. */
static void two_modes_do_not_stop_early(void **state) {
    (void)state;
    int lucky = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct be_summary summary = sample(TWO_MODES, 0.10, &usual, seed * 1000);
        assert_int_not_equal(summary.stop, BE_STOP_STABLE);
        lucky += summary.stop == BE_STOP_PRECISE;
    }
    assert_true(lucky <= 10);
    struct be_stop_rule longer = usual;
    longer.budget_s = 10;
    struct be_summary summary = sample(TWO_MODES, 0.10, &longer, 7);
    assert_int_equal(summary.stop, BE_STOP_STABLE);
    assert_true(summary.n >= 1000 && summary.n < 5000);
}

static void stops_at_the_budget(void **state) {
    (void)state;
    struct be_summary summary = sample(SMOOTH, 0.6, &usual, 4);
    assert_int_equal(summary.stop, BE_STOP_BUDGET);
    assert_int_equal(summary.n, 500);
}

static void budget_waits_for_the_min_then_loses_patience(void **state) {
    (void)state;
    struct be_samples samples = {0};
    assert_int_equal(be_stop_check(&samples, 100, &usual), BE_STOP_NONE);
    add(&samples, 1);
    assert_int_equal(be_stop_check(&samples, 0.6, &usual), BE_STOP_NONE);
    assert_int_equal(be_stop_check(&samples, 2.0, &usual), BE_STOP_NONE); /* one has no spread */
    add(&samples, 2);
    assert_int_equal(be_stop_check(&samples, 1.9, &usual), BE_STOP_NONE);
    assert_int_equal(be_stop_check(&samples, 2.0, &usual), BE_STOP_BUDGET);
    for (int i = 3; i < 10; i++) {
        add(&samples, i);
        assert_int_equal(be_stop_check(&samples, 0.6, &usual), BE_STOP_NONE);
    }
    add(&samples, 10);
    assert_int_equal(be_stop_check(&samples, 0.49, &usual), BE_STOP_NONE);
    assert_int_equal(be_stop_check(&samples, 0.5, &usual), BE_STOP_BUDGET);
    struct be_stop_rule impatient = usual;
    impatient.patience = 0;
    samples.count = 2;
    assert_int_equal(be_stop_check(&samples, 0.4, &impatient), BE_STOP_NONE);
    assert_int_equal(be_stop_check(&samples, 0.5, &impatient), BE_STOP_BUDGET);
    be_samples_free(&samples);
}

static void nan_is_never_precise(void **state) {
    (void)state;
    struct be_samples samples = {0};
    for (int i = 0; i < 20; i++) {
        add(&samples, i == 3 ? NAN : 1);
        assert_int_equal(be_stop_check(&samples, 0.1, &usual), BE_STOP_NONE);
    }
    assert_int_equal(be_stop_check(&samples, 0.5, &usual), BE_STOP_BUDGET);
    be_samples_free(&samples);
}

/* A hundred thousand samples, asked after each: with a sort at each count this would not end in
 * the time that a test has. */
static void asking_often_goes_on(void **state) {
    (void)state;
    struct be_stop_rule rule = {.precision = 1e-9, .min = 10, .budget_s = INFINITY, .patience = 4};
    struct be_samples samples = {0};
    uint64_t seed = 1;
    for (int i = 0; i < 100000; i++) {
        add(&samples, 1 + normal(&seed) / 10);
        assert_int_equal(be_stop_check(&samples, 1e-3 * i, &rule), BE_STOP_NONE);
    }
    be_samples_free(&samples);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_when_precise),
        cmocka_unit_test(few_samples_are_never_precise),
        cmocka_unit_test(stops_when_noise_is_stable),
        cmocka_unit_test(stable_does_not_forestall_precise),
        cmocka_unit_test(drift_is_not_stable),
        cmocka_unit_test(few_samples_are_never_stable),
        cmocka_unit_test(two_modes_do_not_stop_early),
        cmocka_unit_test(stops_at_the_budget),
        cmocka_unit_test(budget_waits_for_the_min_then_loses_patience),
        cmocka_unit_test(nan_is_never_precise),
        cmocka_unit_test(asking_often_goes_on),
    };
    return cmocka_run_group_tests_name("stop", tests, NULL, NULL);
}
