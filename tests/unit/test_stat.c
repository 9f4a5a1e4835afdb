/*
 * Samples, ranks and comparison, against answers known beforehand.
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
    assert_true(samples.capacity >= 1000);
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
    struct be_samples samples = {.count = 2000000000, .capacity = 2000000000};
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
    assert_near(summary.min_s, 1);
    assert_true(isnan(summary.lo_s) && isnan(summary.hi_s) && isnan(summary.mad_s));
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

/* Each sample resembles the one before by `alike`: as on a machine whose neighbours come and go. The number of 1000
 * intervals that hold the median, which is 1. */
static int covered_of_1000(double alike, int n) {
    uint64_t seed = 1;
    int covered = 0;
    for (int draw = 0; draw < 1000; draw++) {
        struct be_samples samples = {0};
        double noise = normal(&seed);
        for (int i = 0; i < n; i++) {
            add(&samples, exp(0.05 * noise));
            noise = alike * noise + sqrt(1 - alike * alike) * normal(&seed);
        }
        struct be_summary summary = be_summarize(&samples, BE_STOP_NONE);
        covered += summary.lo_s <= 1 && 1 <= summary.hi_s;
        be_samples_free(&samples);
    }
    return covered;
}

static void interval_of_samples_that_follow_each_other(void **state) {
    (void)state;
    assert_in_range(covered_of_1000(0, 60), 940, 990);
    assert_in_range(covered_of_1000(0.3, 60), 940, 990);
    assert_in_range(covered_of_1000(0.6, 60), 920, 990);
    assert_in_range(covered_of_1000(0.6, 250), 930, 990);
    assert_in_range(covered_of_1000(0.9, 250), 880, 990);
}

static void dependence_of_known_orders(void **state) {
    (void)state;
    static const double there_and_back[] = {1, 3, 1, 3, 1, 3, 1, 3};
    static const double halves[] = {1, 1, 1, 1, 3, 3, 3, 3};
    static const double equal[] = {2, 2, 2, 2, 2, 2, 2, 2};
    assert_near(be_dependence(there_and_back, 8, 2), 1);
    /* sides agree by 8, 5, 2, -1 of 8: (8 + 5 + 2 - 1) / 8 * 2 - 1 */
    assert_near(be_dependence(halves, 8, 2), 2.5);
    assert_near(be_dependence(equal, 8, 2), 1);
    assert_near(be_dependence(halves, 1, 1), 1);
}

/* A case beside itself, each with noise of its own that lasts: no difference beyond doubt in 9 of 10. */
static void lasting_noise_is_no_difference(void **state) {
    (void)state;
    uint64_t seed = 1;
    int different = 0;
    for (int round = 0; round < 400; round++) {
        struct be_samples side[2] = {{0}};
        for (int k = 0; k < 2; k++) {
            double noise = normal(&seed);
            for (int i = 0; i < 100; i++) {
                add(&side[k], exp(0.05 * noise));
                noise = 0.9 * noise + sqrt(1 - 0.81) * normal(&seed);
            }
        }
        const enum be_verdict verdict = be_compare_samples(&side[0], &side[1], BE_MARGIN).verdict;
        different += verdict == BE_FASTER || verdict == BE_SLOWER;
        be_samples_free(&side[0]);
        be_samples_free(&side[1]);
    }
    assert_in_range(different, 0, 40);
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

/* Beyond doubt, and yet no difference: less than the margin decides nothing. */
static void less_than_the_margin_is_no_difference(void **state) {
    (void)state;
    struct be_samples a = {0}, b = {0};
    for (int i = 0; i < 20; i++) {
        add(&a, i % 2 ? 0.99 : 0.97);
        add(&b, 1);
    }
    const struct be_ratio less = be_compare_samples(&a, &b, BE_MARGIN);
    assert_true(less.hi < 1);
    assert_int_equal(less.verdict, BE_TOO_CLOSE);
    const struct be_ratio more = be_compare_samples(&b, &a, BE_MARGIN);
    assert_true(more.lo > 1);
    assert_int_equal(more.verdict, BE_TOO_CLOSE);
    be_samples_free(&a);
    be_samples_free(&b);
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
    a.count = b.count = 2;
    a.value[0] = a.value[1] = 1.3;
    assert_int_equal(be_compare_samples(&a, &b, BE_MARGIN).verdict, BE_TOO_CLOSE);
    a.value[0] = a.value[1] = 2;
    assert_int_equal(be_compare_samples(&a, &b, BE_MARGIN).verdict, BE_SLOWER);
    assert_int_equal(be_compare_samples(&b, &a, BE_MARGIN).verdict, BE_FASTER);
    b.count = 1; /* nobody knows how far another would lie from it */
    a.value[0] = 1000;
    struct be_ratio one = be_compare_samples(&a, &b, BE_MARGIN);
    assert_int_equal(one.verdict, BE_TOO_CLOSE);
    assert_near(one.median, 1000);
    assert_true(isnan(one.lo) && isnan(one.hi));
    be_samples_free(&a);
    be_samples_free(&b);
}

static void shorter_beyond_doubt_only(void **state) {
    (void)state;
    static const struct {
        int n, others;
        double hi_s, lo_s;
        bool shorter;
    } cases[] = {
        {6, 6, 0.99, 1, true}, {6, 6, 1, 1, false},   {5, 6, 0.7, 1, false}, {5, 6, 0.6, 1, true},
        {6, 5, 0.7, 1, false}, {6, 5, 0.6, 1, true},  {5, 5, 0.6, 1, false}, {5, 5, 0.4, 1, true},
        {1, 6, 0.1, 1, false}, {6, 1, 0.1, 1, false}, {6, 6, NAN, 1, false},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct be_summary a = {.n = cases[i].n, .hi_s = cases[i].hi_s};
        const struct be_summary b = {.n = cases[i].others, .lo_s = cases[i].lo_s};
        assert_int_equal(be_is_shorter(&a, &b), cases[i].shorter);
    }
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
        cmocka_unit_test(interval_of_samples_that_follow_each_other),
        cmocka_unit_test(dependence_of_known_orders),
        cmocka_unit_test(lasting_noise_is_no_difference),
        cmocka_unit_test(the_same_is_the_same),
        cmocka_unit_test(five_percent_are_seen_through_drift),
        cmocka_unit_test(noise_wider_than_the_margin_is_too_close),
        cmocka_unit_test(less_than_the_margin_is_no_difference),
        cmocka_unit_test(half_within_the_margin_is_too_close),
        cmocka_unit_test(pairs_end_with_the_shorter),
        cmocka_unit_test(few_pairs_show_gross_differences_only),
        cmocka_unit_test(shorter_beyond_doubt_only),
        cmocka_unit_test(broken_times_are_never_the_same),
    };
    return cmocka_run_group_tests_name("stat", tests, NULL, NULL);
}
