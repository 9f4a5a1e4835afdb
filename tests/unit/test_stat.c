/*
 * Samples, ranks, stop rule and comparison, against answers known beforehand.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "base/error.h"
#include "stat/stat.h"

static const double TAU = 6.283185307179586;

/* splitmix64: the same numbers on every machine */
static double uniform(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return ((double)(z >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state) {
    double radius = sqrt(-2 * log(uniform(state)));
    return radius * cos(TAU * uniform(state));
}

static void add(struct be_samples *samples, double value) {
    assert_int_equal(be_samples_add(samples, value, NULL), BE_OK);
}

static void add_all(struct be_samples *samples, const double *values, int n) {
    for (int i = 0; i < n; i++) {
        add(samples, values[i]);
    }
}

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected))) {
        fail_msg("%.17g instead of %.17g", value, expected);
    }
}

/* ---- samples -------------------------------------------------------------------------------- */

static void samples_keep_their_order(void **state) {
    (void)state;
    struct be_samples samples = {0};
    for (int i = 0; i < 1000; i++) {
        add(&samples, 1000.0 - i);
    }
    assert_int_equal(samples.count, 1000);
    assert_true(samples.room >= 1000);
    for (int i = 0; i < 1000; i++) {
        assert_near(samples.value[i], 1000.0 - i);
    }
    be_samples_free(&samples);
    assert_null(samples.value);
    assert_int_equal(samples.count, 0);
    be_samples_free(&samples);
}

static void a_full_list_is_an_error(void **state) {
    (void)state;
    struct be_error error = {0};
    struct be_samples samples = {.count = 2000000000, .room = 2000000000};
    assert_int_equal(be_samples_add(&samples, 1.0, &error), BE_NOMEM);
    assert_int_equal(error.status, BE_NOMEM);
    assert_int_equal(samples.count, 2000000000);
}

static void median_of_odd_even_and_none(void **state) {
    (void)state;
    double values[] = {5, 1, 4, 2};
    assert_near(be_median(values, 4), 3);
    assert_near(be_median(values, 3), 4);
    assert_near(be_median(values, 1), 5);
    assert_true(isnan(be_median(values, 0)));
    assert_near(values[0], 5);
    assert_near(values[1], 1);
    double poisoned[] = {1, 2, 3, 4, NAN};
    assert_true(isnan(be_median(poisoned, 5)));
}

/* Lower rank, 1-based, of the 95 % interval of the median: critical value + 1 of the two-sided
 * sign test at 0.05, as tabulated (Conover, Practical Nonparametric Statistics, table A3). */
static void ranks_as_tabulated(void **state) {
    (void)state;
    static const int table[] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5,
                                5, 6, 6, 6, 7, 7, 8, 8, 8, 9, 9, 10};
    for (int n = 6; n <= 30; n++) {
        int lower, upper;
        be_median_ranks(n, &lower, &upper);
        assert_int_equal(lower + 1, table[n - 6]);
        assert_int_equal(upper, n - 1 - lower);
    }
}

/* The same by exact integers (up to 20001) and log-gamma sums beyond, computed in Python. */
static void ranks_of_many(void **state) {
    (void)state;
    static const int known[][2] = {
        {50, 18},      {64, 24},        {99, 40},         {100, 40},        {101, 41},
        {500, 228},    {1000, 469},     {1001, 470},      {5000, 2431},     {10000, 4902},
        {20001, 9862}, {100000, 49690}, {999999, 499020}, {1000000, 499020}};
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        int lower, upper;
        be_median_ranks(known[i][0], &lower, &upper);
        assert_int_equal(lower + 1, known[i][1]);
        assert_int_equal(upper + 1, known[i][0] + 1 - known[i][1]);
    }
}

static void ranks_of_few_are_the_range(void **state) {
    (void)state;
    for (int n = 1; n < 6; n++) {
        int lower = -1, upper = -1;
        be_median_ranks(n, &lower, &upper);
        assert_int_equal(lower, 0);
        assert_int_equal(upper, n - 1);
    }
}

static void summary_of_known_samples(void **state) {
    (void)state;
    /* median 5.5; distances 4.5 3.5 2.5 1.5 .5 .5 1.5 2.5 3.5 94.5: MAD 2.5; ranks 2 and 9 */
    static const double values[] = {3, 1, 100, 2, 9, 4, 8, 5, 7, 6};
    struct be_samples samples = {0};
    add_all(&samples, values, 10);
    struct be_summary summary = be_summarize(&samples, BE_STOP_BUDGET);
    assert_int_equal(summary.n, 10);
    assert_int_equal(summary.stop, BE_STOP_BUDGET);
    assert_near(summary.median_s, 5.5);
    assert_near(summary.mad_s, 2.5);
    assert_near(summary.lo_s, 2);
    assert_near(summary.hi_s, 9);
    assert_near(summary.min_s, 1);
    assert_near(summary.max_s, 100);
    assert_int_equal(summary.outliers, 1);
    assert_near(samples.value[2], 100);
    be_samples_free(&samples);
}

static void outliers_lie_beyond_14_8_mad(void **state) {
    (void)state;
    /* median 10, MAD 1: the border is at 24.8 and -4.8 */
    static const double values[] = {9, 11, 9, 11, 10, 9, 11, 24.7, 24.9, -4.7, -4.9};
    struct be_samples samples = {0};
    add_all(&samples, values, 11);
    struct be_summary summary = be_summarize(&samples, BE_STOP_NONE);
    assert_near(summary.median_s, 10);
    assert_near(summary.mad_s, 1);
    assert_int_equal(summary.outliers, 2);
    be_samples_free(&samples);
}

static void outliers_of_equal_samples(void **state) {
    (void)state;
    static const double values[] = {100, 100, 100, 100, 100, 100, 100, 100.9, 101.1, 98.9, 99.1};
    struct be_samples samples = {0};
    add_all(&samples, values, 11);
    struct be_summary summary = be_summarize(&samples, BE_STOP_NONE);
    assert_near(summary.mad_s, 0);
    assert_int_equal(summary.outliers, 2);
    be_samples_free(&samples);
}

static void summary_of_none_and_of_nan(void **state) {
    (void)state;
    struct be_samples samples = {0};
    struct be_summary summary = be_summarize(&samples, BE_STOP_NONE);
    assert_int_equal(summary.n, 0);
    assert_true(isnan(summary.median_s) && isnan(summary.lo_s) && isnan(summary.hi_s));
    assert_true(isnan(summary.mad_s) && isnan(summary.min_s) && isnan(summary.max_s));
    add(&samples, 1);
    summary = be_summarize(&samples, BE_STOP_ONCE);
    assert_near(summary.median_s, 1);
    assert_near(summary.lo_s, 1);
    assert_near(summary.hi_s, 1);
    add(&samples, NAN);
    add(&samples, 2);
    summary = be_summarize(&samples, BE_STOP_NONE);
    assert_int_equal(summary.n, 3);
    assert_true(isnan(summary.median_s) && isnan(summary.hi_s) && isnan(summary.max_s));
    be_samples_free(&samples);
}

/* Noise with a long tail, as timings have it: median 1 + ln 2 / 10. */
static void interval_covers_the_median(void **state) {
    (void)state;
    uint64_t seed = 1;
    int covered = 0;
    for (int draw = 0; draw < 2000; draw++) {
        struct be_samples samples = {0};
        for (int i = 0; i < 25; i++) {
            add(&samples, 1 - 0.1 * log(uniform(&seed)));
        }
        struct be_summary summary = be_summarize(&samples, BE_STOP_NONE);
        double truth = 1 + 0.1 * log(2);
        covered += summary.lo_s <= truth && truth <= summary.hi_s;
        be_samples_free(&samples);
    }
    assert_in_range(covered, 1880, 1980);
}

/* ---- stop rule ------------------------------------------------------------------------------ */

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
    .precision = 0.02, .least = 10, .budget_s = 0.5, .patience = 4};

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
    struct be_stop_rule rule = {.precision = 0.02, .least = 1, .budget_s = 1, .patience = 4};
    struct be_samples samples = {0};
    for (int i = 1; i < 6; i++) {
        add(&samples, 1);
        assert_int_equal(be_stop_check(&samples, 1e-3, &rule), BE_STOP_NONE);
    }
    add(&samples, 1);
    assert_int_equal(be_stop_check(&samples, 1e-3, &rule), BE_STOP_PRECISE);
    be_samples_free(&samples);
}

static void stops_when_noise_is_stable(void **state) {
    (void)state;
    int stable = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct be_summary summary = sample(SMOOTH, 0.15, &usual, seed * 1000);
        stable += summary.stop == BE_STOP_STABLE;
        if (summary.stop == BE_STOP_STABLE) {
            assert_true(summary.n >= 64 && summary.n < 500);
            assert_true(width(&summary) <= 0.05);
        }
    }
    assert_true(stable >= 40);
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

/* Of 60 samples nobody can tell whether their noise is stable. */
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

static void budget_waits_for_the_least_then_loses_patience(void **state) {
    (void)state;
    struct be_samples samples = {0};
    assert_int_equal(be_stop_check(&samples, 100, &usual), BE_STOP_NONE);
    add(&samples, 1);
    assert_int_equal(be_stop_check(&samples, 0.6, &usual), BE_STOP_NONE);
    assert_int_equal(be_stop_check(&samples, 1.9, &usual), BE_STOP_NONE);
    assert_int_equal(be_stop_check(&samples, 2.0, &usual), BE_STOP_BUDGET);
    for (int i = 2; i < 10; i++) {
        add(&samples, i);
        assert_int_equal(be_stop_check(&samples, 0.6, &usual), BE_STOP_NONE);
    }
    add(&samples, 10);
    assert_int_equal(be_stop_check(&samples, 0.49, &usual), BE_STOP_NONE);
    assert_int_equal(be_stop_check(&samples, 0.5, &usual), BE_STOP_BUDGET);
    struct be_stop_rule impatient = usual;
    impatient.patience = 0;
    samples.count = 1;
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
    struct be_stop_rule rule = {
        .precision = 1e-9, .least = 10, .budget_s = INFINITY, .patience = 4};
    struct be_samples samples = {0};
    uint64_t seed = 1;
    for (int i = 0; i < 100000; i++) {
        add(&samples, 1 + normal(&seed) / 10);
        assert_int_equal(be_stop_check(&samples, 1e-3 * i, &rule), BE_STOP_NONE);
    }
    be_samples_free(&samples);
}

/* ---- comparison ----------------------------------------------------------------------------- */

/* n rounds; both share a drift from 1 to 2; b / a is `factor`. */
static struct be_ratio compare_drifting(int n, double factor, double noise, uint64_t seed) {
    struct be_samples a = {0}, b = {0};
    for (int i = 0; i < n; i++) {
        double drift = 1 + (double)i / n;
        add(&a, drift * (1 + noise * normal(&seed)));
        add(&b, drift * factor * (1 + noise * normal(&seed)));
    }
    struct be_ratio ratio = be_compare_samples(&b, &a, BE_MARGIN);
    be_samples_free(&a);
    be_samples_free(&b);
    return ratio;
}

static void the_same_is_the_same(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct be_ratio ratio = compare_drifting(100, 1.0, 0.01, seed * 1000);
        assert_int_equal(ratio.verdict, BE_SAME);
        assert_int_equal(ratio.pairs, 100);
        assert_true(ratio.lo <= ratio.median && ratio.median <= ratio.hi);
    }
}

static void five_percent_are_seen_through_drift(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct be_ratio slower = compare_drifting(100, 1.05, 0.01, seed * 1000);
        assert_int_equal(slower.verdict, BE_SLOWER);
        assert_true(fabs(slower.median - 1.05) < 0.01);
        struct be_ratio faster = compare_drifting(100, 0.95, 0.01, seed * 1000);
        assert_int_equal(faster.verdict, BE_FASTER);
    }
}

static void noise_wider_than_the_margin_is_too_close(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct be_ratio ratio = compare_drifting(20, 1.0, 0.3, seed * 1000);
        assert_int_not_equal(ratio.verdict, BE_SAME);
    }
    /* on the border: 2 % slower is neither the same nor slower */
    int close = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        close += compare_drifting(50, 1.02, 0.01, seed * 1000).verdict == BE_TOO_CLOSE;
    }
    assert_true(close >= 40);
}

/* The whole interval has to lie within the margin, not one end of it. */
static void half_within_the_margin_is_too_close(void **state) {
    (void)state;
    struct be_samples a = {0}, b = {0};
    for (int i = 0; i < 12; i++) {
        add(&a, 0.90 + 0.01 * i);
        add(&b, 1);
    }
    assert_int_equal(be_compare_samples(&a, &b, BE_MARGIN).verdict, BE_TOO_CLOSE);
    for (int i = 0; i < 12; i++) {
        a.value[i] = 0.99 + 0.01 * i;
    }
    assert_int_equal(be_compare_samples(&a, &b, BE_MARGIN).verdict, BE_TOO_CLOSE);
    be_samples_free(&a);
    be_samples_free(&b);
}

static void pairs_end_with_the_shorter(void **state) {
    (void)state;
    struct be_samples a = {0}, b = {0};
    for (int i = 0; i < 30; i++) {
        add(&a, i < 20 ? 2 : 1000);
        if (i < 20) {
            add(&b, 1);
        }
    }
    struct be_ratio ratio = be_compare_samples(&a, &b, BE_MARGIN);
    assert_int_equal(ratio.pairs, 20);
    assert_near(ratio.hi, 2);
    assert_int_equal(ratio.verdict, BE_SLOWER);
    ratio = be_compare_samples(&b, &a, BE_MARGIN);
    assert_int_equal(ratio.pairs, 20);
    assert_near(ratio.median, 0.5);
    assert_int_equal(ratio.verdict, BE_FASTER);
    be_samples_free(&a);
    be_samples_free(&b);
}

static void few_pairs_show_gross_differences_only(void **state) {
    (void)state;
    struct be_samples a = {0}, b = {0};
    assert_int_equal(be_compare_samples(&a, &b, BE_MARGIN).verdict, BE_TOO_CLOSE);
    for (int n = 1; n < 6; n++) {
        add(&a, 1);
        add(&b, 1);
        assert_int_equal(be_compare_samples(&a, &b, BE_MARGIN).verdict, BE_TOO_CLOSE);
    }
    add(&a, 1);
    add(&b, 1);
    assert_int_equal(be_compare_samples(&a, &b, BE_MARGIN).verdict, BE_SAME);
    a.count = b.count = 1;
    a.value[0] = 1.3;
    assert_int_equal(be_compare_samples(&a, &b, BE_MARGIN).verdict, BE_TOO_CLOSE);
    a.value[0] = 2;
    assert_int_equal(be_compare_samples(&a, &b, BE_MARGIN).verdict, BE_SLOWER);
    assert_int_equal(be_compare_samples(&b, &a, BE_MARGIN).verdict, BE_FASTER);
    be_samples_free(&a);
    be_samples_free(&b);
}

static void broken_times_are_never_the_same(void **state) {
    (void)state;
    static const double broken[] = {NAN, 0, -1, INFINITY};
    for (size_t i = 0; i < BE_COUNT(broken); i++) {
        struct be_samples a = {0}, b = {0};
        for (int j = 0; j < 40; j++) {
            add(&a, 1);
            add(&b, 1);
        }
        assert_int_equal(be_compare_samples(&a, &b, BE_MARGIN).verdict, BE_SAME);
        assert_int_equal(be_compare_samples(&a, &b, NAN).verdict, BE_TOO_CLOSE);
        a.value[7] = broken[i];
        struct be_ratio ratio = be_compare_samples(&a, &b, BE_MARGIN);
        assert_int_equal(ratio.verdict, BE_TOO_CLOSE);
        assert_true(isnan(ratio.median));
        assert_int_equal(be_compare_samples(&b, &a, BE_MARGIN).verdict, BE_TOO_CLOSE);
        be_samples_free(&a);
        be_samples_free(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_keep_their_order),
        cmocka_unit_test(a_full_list_is_an_error),
        cmocka_unit_test(median_of_odd_even_and_none),
        cmocka_unit_test(ranks_as_tabulated),
        cmocka_unit_test(ranks_of_many),
        cmocka_unit_test(ranks_of_few_are_the_range),
        cmocka_unit_test(summary_of_known_samples),
        cmocka_unit_test(outliers_lie_beyond_14_8_mad),
        cmocka_unit_test(outliers_of_equal_samples),
        cmocka_unit_test(summary_of_none_and_of_nan),
        cmocka_unit_test(interval_covers_the_median),
        cmocka_unit_test(stops_when_precise),
        cmocka_unit_test(few_samples_are_never_precise),
        cmocka_unit_test(stops_when_noise_is_stable),
        cmocka_unit_test(stable_does_not_forestall_precise),
        cmocka_unit_test(drift_is_not_stable),
        cmocka_unit_test(few_samples_are_never_stable),
        cmocka_unit_test(two_modes_do_not_stop_early),
        cmocka_unit_test(stops_at_the_budget),
        cmocka_unit_test(budget_waits_for_the_least_then_loses_patience),
        cmocka_unit_test(nan_is_never_precise),
        cmocka_unit_test(asking_often_goes_on),
        cmocka_unit_test(the_same_is_the_same),
        cmocka_unit_test(five_percent_are_seen_through_drift),
        cmocka_unit_test(noise_wider_than_the_margin_is_too_close),
        cmocka_unit_test(half_within_the_margin_is_too_close),
        cmocka_unit_test(pairs_end_with_the_shorter),
        cmocka_unit_test(few_pairs_show_gross_differences_only),
        cmocka_unit_test(broken_times_are_never_the_same),
    };
    return cmocka_run_group_tests_name("stat", tests, NULL, NULL);
}
