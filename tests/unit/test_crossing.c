/*
 * The crossing: synthetic series of every status, a crossing known analytically, refinement.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "assert_near.h"
#include "noise.h"
#include "base/error.h"
#include "bench/crossing.h"

enum { MANY = 512 };

/* A point whose interval is median / (1 + spread) .. median * (1 + spread). */
static struct be_point at(uint64_t size, double median, double spread) {
    struct be_ratio ratio = {
        .pairs = 20, .median = median, .lo = median / (1 + spread), .hi = median * (1 + spread)};
    ratio.verdict = BE_TOO_CLOSE;
    if (ratio.hi < 1 - BE_MARGIN) {
        ratio.verdict = BE_FASTER;
    } else if (ratio.lo > 1 + BE_MARGIN) {
        ratio.verdict = BE_SLOWER;
    } else if (ratio.lo >= 1 - BE_MARGIN && ratio.hi <= 1 + BE_MARGIN) {
        ratio.verdict = BE_SAME;
    }
    return (struct be_point){size, ratio};
}

/* "BAUS": behind, ahead, undecided around 1, the same a little ahead; at 10, 100, 1000, ... */
static int series(const char *letters, struct be_point *points) {
    int count = (int)strlen(letters);
    uint64_t size = 1;
    for (int i = 0; i < count; i++) {
        size *= 10;
        switch (letters[i]) {
        case 'A':
            points[i] = at(size, 0.5, 0.05);
            break;
        case 'B':
            points[i] = at(size, 2.0, 0.05);
            break;
        case 'S':
            points[i] = at(size, 0.99, 0.005);
            break;
        default:
            points[i] = at(size, 0.97, 0.10);
            break;
        }
    }
    return count;
}

static struct be_crossing find(const char *letters) {
    struct be_point points[MANY];
    int count = series(letters, points);
    return be_crossing_find(points, count);
}

static void assert_within(double value, double low, double high) {
    if (!(low <= value && value <= high)) {
        fail_msg("%.17g is not in %.17g .. %.17g", value, low, high);
    }
}

static void assert_none(const struct be_crossing *crossing) {
    assert_true(isnan(crossing->from) && isnan(crossing->lo));
    assert_true(isnan(crossing->hi) && isnan(crossing->until));
}

/* ---- status --------------------------------------------------------------------------------- */

static void statuses(void **state) {
    (void)state;
    static const struct {
        const char *letters;
        enum be_breakeven_status status;
    } known[] = {
        {"A", BE_EVEN_ALWAYS},     {"B", BE_EVEN_NEVER},      {"U", BE_EVEN_CLOSE},
        {"S", BE_EVEN_CLOSE},      {"AAAA", BE_EVEN_ALWAYS},  {"BBBB", BE_EVEN_NEVER},
        {"BA", BE_EVEN_FROM},      {"AB", BE_EVEN_BETWEEN},   {"BU", BE_EVEN_CLOSE},
        {"AU", BE_EVEN_CLOSE},     {"UA", BE_EVEN_FROM},      {"UB", BE_EVEN_NEVER},
        {"BUB", BE_EVEN_NEVER},    {"BAB", BE_EVEN_BETWEEN},  {"BABA", BE_EVEN_FROM},
        {"AUA", BE_EVEN_FROM},     {"BAUB", BE_EVEN_BETWEEN}, {"BAUU", BE_EVEN_CLOSE},
        {"BABU", BE_EVEN_CLOSE},   {"SA", BE_EVEN_FROM},      {"BAS", BE_EVEN_CLOSE},
        {"ABUB", BE_EVEN_BETWEEN}, {"UUU", BE_EVEN_CLOSE},    {"BBUAAA", BE_EVEN_FROM},
    };
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        struct be_crossing crossing = find(known[i].letters);
        if (crossing.status != known[i].status) {
            fail_msg("%s: %d", known[i].letters, (int)crossing.status);
        }
        bool has = crossing.status == BE_EVEN_FROM || crossing.status == BE_EVEN_BETWEEN;
        if (has) {
            assert_within(crossing.from, crossing.lo, crossing.hi);
            assert_int_equal(isnan(crossing.until), crossing.status == BE_EVEN_FROM);
        } else {
            assert_none(&crossing);
        }
    }
}

static void unfilled_and_nan_are_not_ahead(void **state) {
    (void)state;
    struct be_point points[3] = {at(10, 2, 0.01), at(100, 0.5, 0.01), {.size = 1000}};
    assert_int_equal(be_crossing_find(points, 3).status, BE_EVEN_CLOSE);
    assert_int_equal(be_crossing_find(points, 0).status, BE_EVEN_CLOSE);
    points[2].ratio = (struct be_ratio){5, NAN, NAN, NAN, BE_TOO_CLOSE};
    assert_int_equal(be_crossing_find(points, 3).status, BE_EVEN_CLOSE);
    points[2].ratio.verdict = BE_FASTER;
    assert_int_equal(be_crossing_find(points, 3).status, BE_EVEN_CLOSE);
    points[2].ratio.verdict = BE_SLOWER;
    assert_int_equal(be_crossing_find(points, 3).status, BE_EVEN_CLOSE);
    /* not measured in the middle: the doubt reaches up to the next point */
    points[1].ratio = points[2].ratio;
    points[2] = at(1000, 0.5, 0.01);
    struct be_crossing crossing = be_crossing_find(points, 3);
    assert_int_equal(crossing.status, BE_EVEN_FROM);
    assert_within(crossing.lo, 10, 100);
    assert_within(crossing.hi, 900, 1000);
    assert_within(crossing.from, crossing.lo, crossing.hi);
}

/* ---- where ---------------------------------------------------------------------------------- */

static void interpolates_in_the_logs(void **state) {
    (void)state;
    struct be_point points[] = {at(100, 2, 0.25), at(10000, 0.5, 0.25)};
    struct be_crossing crossing = be_crossing_find(points, 2);
    assert_near(crossing.from, 1000);
    /* in between nothing was measured */
    assert_near(crossing.lo, 100);
    assert_near(crossing.hi, 10000);
    points[0] = at(100, 0.5, 0.25);
    points[1] = at(10000, 2, 0.25);
    crossing = be_crossing_find(points, 2);
    assert_near(crossing.until, 1000);
    assert_near(crossing.until_lo, 100);
    assert_near(crossing.until_hi, 10000);
    assert_near(crossing.from, 100);
    assert_near(crossing.lo, 100);
    assert_near(crossing.hi, 100);
}

/* Not what be_compare_samples gives, but lo <= from <= hi is promised whatever comes in. */
static void median_outside_its_interval(void **state) {
    (void)state;
    struct be_point points[] = {at(100, 2, 0.25), at(10000, 0.5, 0.25)};
    points[0].ratio.median = 50;
    struct be_crossing crossing = be_crossing_find(points, 2);
    assert_within(crossing.from, crossing.lo, crossing.hi);
    points[0].ratio.median = 0.9;
    crossing = be_crossing_find(points, 2);
    assert_within(crossing.from, crossing.lo, crossing.hi);
    /* The medians cross before the middle, where the lower end of the interval is above 1 still. */
    struct be_point three[] = {at(100, 2, 0.05), at(1000, 1.1, 0.09), at(10000, 0.5, 0.05)};
    three[1].ratio.median = 0.9;
    crossing = be_crossing_find(three, 3);
    assert_near(crossing.lo, 1000);
    assert_near(crossing.from, 1000);
}

static void undecided_at_the_crossing(void **state) {
    (void)state;
    /* medians 2, 1.1, 0.5: the crossing of the medians is beyond the undecided point */
    struct be_point points[] = {at(100, 2, 0.05), at(1000, 1.1, 0.2), at(10000, 0.5, 0.05)};
    struct be_crossing crossing = be_crossing_find(points, 3);
    assert_int_equal(crossing.status, BE_EVEN_FROM);
    assert_near(crossing.from, 1000 * pow(10, log(1.1) / log(2.2)));
    assert_within(crossing.lo, 100, 1000);
    assert_within(crossing.hi, crossing.from, 10000);
    /* medians 2, 0.9, 0.5: before it; the upper end still is beyond */
    points[1] = at(1000, 0.9, 0.2);
    crossing = be_crossing_find(points, 3);
    assert_near(crossing.from, 100 * pow(10, log(2) / log(2 / 0.9)));
    assert_within(crossing.hi, 1000, 10000);
}

/* Ahead of it or not, the device does not stay ahead across a point that is in doubt. */
static void undecided_amid_ahead_shifts_from(void **state) {
    (void)state;
    struct be_crossing crossing = find("BAAUAA");
    assert_int_equal(crossing.status, BE_EVEN_FROM);
    assert_true(crossing.from > 1e4 && crossing.from <= 1e5);
    assert_near(crossing.from, crossing.hi);
    assert_within(crossing.lo, 10, 100);
    crossing = find("BAASAA");
    assert_true(crossing.from >= 1e4 && crossing.from <= 1e5);
    crossing = find("AAUA");
    assert_true(crossing.from > 1e3 && crossing.from <= 1e4);
    assert_near(crossing.lo, 10);
    crossing = find("UAA");
    assert_within(crossing.from, 10, 100);
    assert_near(crossing.lo, 10);
    crossing = find("BAABAA");
    assert_within(crossing.lo, 1e4, 1e5);
    assert_within(crossing.from, 1e4, 1e5);
}

/* 1 % ahead over three sizes is "the same" and not yet ahead. */
static void the_same_is_not_ahead(void **state) {
    (void)state;
    struct be_crossing crossing = find("BSSSA");
    assert_int_equal(crossing.status, BE_EVEN_FROM);
    assert_within(crossing.from, 1e4, 1e5);
    assert_within(crossing.lo, 10, 100);
}

static void between_is_the_last_stretch(void **state) {
    (void)state;
    struct be_crossing crossing = find("BABBAAUBB");
    assert_int_equal(crossing.status, BE_EVEN_BETWEEN);
    assert_within(crossing.from, 1e4, 1e5);
    /* the undecided point has a median below 1 */
    assert_within(crossing.until, 1e7, 1e8);
    crossing = find("BASSB");
    assert_near(crossing.until, 1000);
}

/* Whatever the series: the interval keeps its order, its neighbours, and what was measured. */
static void random_series_keep_the_rules(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        struct be_point points[12];
        int count = 1 + (int)(12 * uniform(&seed)), last = -1, behind = -1;
        uint64_t size = 1;
        for (int i = 0; i < count; i++) {
            size += 1 + (uint64_t)((double)size * 3 * uniform(&seed));
            points[i] = at(size, exp(normal(&seed) / 3), 0.3 * uniform(&seed));
            behind = points[i].ratio.verdict == BE_SLOWER ? i : behind;
            last = points[i].ratio.verdict == BE_FASTER ? last : i;
        }
        struct be_crossing crossing = be_crossing_find(points, count);
        if (crossing.status == BE_EVEN_FROM) {
            assert_within(last, 0, count - 2);
            assert_true(crossing.lo >= (double)points[behind < 0 ? 0 : behind].size);
            assert_true(crossing.hi >= (double)points[last].size);
            assert_true(crossing.hi <= (double)points[last + 1].size);
        }
        if (crossing.status == BE_EVEN_BETWEEN) {
            assert_within(crossing.until, crossing.from, (double)points[count - 1].size);
        }
        if (crossing.status == BE_EVEN_FROM || crossing.status == BE_EVEN_BETWEEN) {
            assert_within(crossing.from, crossing.lo, crossing.hi);
        }
    }
}

/* ---- refining ------------------------------------------------------------------------------- */

static int insert(struct be_point *points, int count, struct be_point point) {
    assert_true(count < MANY);
    int i = count;
    while (i > 0 && points[i - 1].size > point.size) {
        points[i] = points[i - 1];
        i--;
    }
    assert_true(i == 0 || points[i - 1].size < point.size);
    points[i] = point;
    return count + 1;
}

/* CPU: 1e-9 n. GPU: 2e-5 + 1e-10 n. They meet at 2e-5 / 9e-10. */
static const double MEET = 2e-5 / 9e-10;

static struct be_point measure(uint64_t size, double noise, uint64_t *seed) {
    struct be_samples cpu = {0}, gpu = {0};
    double n = (double)size;
    for (int i = 0; i < 30; i++) {
        be_samples_add(&cpu, 1e-9 * n * (1 + noise * normal(seed)), NULL);
        be_samples_add(&gpu, (2e-5 + 1e-10 * n) * (1 + noise * normal(seed)), NULL);
    }
    struct be_point point = {size, be_compare_samples(&gpu, &cpu, BE_MARGIN)};
    be_samples_free(&cpu);
    be_samples_free(&gpu);
    return point;
}

/* The device takes `ratio` of the CPU's time. */
static struct be_point noisy(uint64_t size, double ratio, double noise, uint64_t *seed) {
    struct be_samples cpu = {0}, gpu = {0};
    for (int i = 0; i < 30; i++) {
        be_samples_add(&cpu, exp(noise * normal(seed)), NULL);
        be_samples_add(&gpu, ratio * exp(noise * normal(seed)), NULL);
    }
    struct be_point point = {size, be_compare_samples(&gpu, &cpu, BE_MARGIN)};
    be_samples_free(&cpu);
    be_samples_free(&gpu);
    return point;
}

/* Sweeps 1, 3, 10 from 1e3 to 1e7, then refines; returns the number of sizes added. */
static int sweep(double noise, uint64_t *seed, struct be_point *points, int *count) {
    *count = 0;
    for (uint64_t size = 1000; size <= 10000000; size *= 10) {
        *count = insert(points, *count, measure(size, noise, seed));
        *count = insert(points, *count, measure(size * 3, noise, seed));
    }
    int steps = 0;
    for (uint64_t size; (size = be_crossing_next(points, *count, 1.1)) != 0; steps++) {
        *count = insert(points, *count, measure(size, noise, seed));
    }
    return steps;
}

static void known_crossing_is_found(void **state) {
    (void)state;
    static const double noises[] = {0.001, 0.01, 0.05, 0.2};
    for (size_t i = 0; i < BE_COUNT(noises); i++) {
        uint64_t seed = 1;
        int covered = 0;
        for (int run = 0; run < 200; run++) {
            struct be_point points[MANY];
            int count;
            int steps = sweep(noises[i], &seed, points, &count);
            assert_true(steps <= 12);
            struct be_crossing crossing = be_crossing_find(points, count);
            assert_int_equal(crossing.status, BE_EVEN_FROM);
            covered += crossing.lo <= MEET && MEET <= crossing.hi;
            assert_within(crossing.from, MEET / (1.05 + 3 * noises[i]),
                          MEET * (1.05 + 3 * noises[i]));
        }
        if (covered < 180) {
            fail_msg("noise %g: %d of 200 intervals hold the crossing", noises[i], covered);
        }
    }
}

/* Launch and transfer take 4.1e4, then 0.9 of the CPU's time: no straight line in logarithms. A cliff: the
 * CPU's cache ends. Whether refined or not, and whatever the noise, the interval holds the crossing. */
static double bent(double n) {
    return 0.9 + 4.1e4 / n;
}

static double cliff(double n) {
    return n < 2.2e5 ? 1.5 : 0.5;
}

static void interval_holds_what_lies_between_sizes(void **state) {
    (void)state;
    static const struct {
        double (*ratio)(double);
        double meet;
    } curves[] = {{bent, 4.1e5}, {cliff, 2.2e5}};
    static const uint64_t look[] = {10000, 1000000, 30000000};
    uint64_t seed = 1;
    int found = 0, held = 0;
    for (int run = 0; run < 400; run++) {
        const double noise = run % 2 ? 0.05 : 0.005;
        const size_t c = (size_t)run / 2 % BE_COUNT(curves);
        struct be_point points[MANY];
        int count = 0;
        for (size_t i = 0; i < BE_COUNT(look); i++) {
            points[count++] = noisy(look[i], curves[c].ratio((double)look[i]), noise, &seed);
        }
        for (uint64_t size = 1; size; size = be_crossing_next(points, count, 1.1)) {
            count = size > 1 ? insert(points, count,
                                      noisy(size, curves[c].ratio((double)size), noise, &seed))
                             : count;
            struct be_crossing crossing = be_crossing_find(points, count);
            assert_true(crossing.status == BE_EVEN_FROM || crossing.status == BE_EVEN_CLOSE);
            if (crossing.status == BE_EVEN_FROM) {
                found++;
                held += crossing.lo <= curves[c].meet && curves[c].meet <= crossing.hi;
            }
        }
    }
    if (found < 2000 || held < 0.98 * found) {
        fail_msg("%d of %d intervals hold the crossing", held, found);
    }
}

static void two_points_far_apart_are_refined(void **state) {
    (void)state;
    uint64_t seed = 1;
    struct be_point points[MANY] = {measure(100, 0.001, &seed), measure(1000000000, 0.001, &seed)};
    int count = 2, steps = 0;
    for (uint64_t size; (size = be_crossing_next(points, count, 1.1)) != 0; steps++) {
        count = insert(points, count, measure(size, 0.001, &seed));
    }
    assert_true(steps <= 12);
    struct be_crossing crossing = be_crossing_find(points, count);
    assert_within(crossing.from, MEET / 1.02, MEET * 1.02);
    assert_true(crossing.hi / crossing.lo < 1.1 * 1.1); /* a size in doubt between two clear ones */
}

static void both_ends_of_a_stretch_are_refined(void **state) {
    (void)state;
    struct be_point points[MANY];
    int count = series("BAAB", points), steps = 0;
    for (uint64_t size; (size = be_crossing_next(points, count, 1.1)) != 0; steps++) {
        bool ahead = size >= 50 && size <= 5000;
        count = insert(points, count, at(size, ahead ? 0.5 : 2, 0.05));
    }
    assert_true(steps <= 12);
    struct be_crossing crossing = be_crossing_find(points, count);
    assert_within(crossing.from, 50 / 1.1, 50);
    assert_within(crossing.until, 5000, 5000 * 1.1);
}

static void nothing_to_refine(void **state) {
    (void)state;
    static const char *const letters[] = {"A", "B", "U", "AAA", "BBB", "BAU", "BUB", "UU"};
    struct be_point points[MANY];
    for (size_t i = 0; i < BE_COUNT(letters); i++) {
        int count = series(letters[i], points);
        assert_int_equal(be_crossing_next(points, count, 1.1), 0);
    }
    assert_int_equal(be_crossing_next(points, 0, 1.1), 0);
    struct be_point narrow[] = {at(1000, 2, 0.01), at(1090, 0.5, 0.01)};
    assert_int_equal(be_crossing_next(narrow, 2, 1.1), 0);
    struct be_point adjacent[] = {at(1, 2, 0.01), at(2, 0.5, 0.01)};
    assert_int_equal(be_crossing_next(adjacent, 2, 1.1), 0);
    struct be_point wide[] = {at(1000, 2, 0.01), at(4000, 0.5, 0.01)};
    assert_int_equal(be_crossing_next(wide, 2, 1.1), 2000);
    struct be_point close[] = {at(10000, 2, 0.01), at(11500, 0.5, 0.01)};
    assert_int_equal(be_crossing_next(close, 2, 1.1), 10724);
    struct be_point below[] = {at(1000, 2, 0.01), at(4000, 1, 0.1), at(4100, 0.5, 0.01)};
    assert_int_equal(be_crossing_next(below, 3, 1.1), 2000);
    struct be_point finest[] = {at(1000000, 2, 0.01), at(1005000, 0.5, 0.01)};
    assert_int_equal(be_crossing_next(finest, 2, 1.0), 0);
    assert_int_equal(be_crossing_next(finest, 2, NAN), 0);
}

/* Verdicts at random, new at each size: no size twice (insert checks), and an end. */
static void refining_ends_whatever_is_measured(void **state) {
    (void)state;
    uint64_t seed = 1;
    static const double ratios[] = {1.1, 1.5, 1.0, NAN};
    for (int round = 0; round < 2000; round++) {
        struct be_point points[MANY];
        int count = series("BA", points);
        points[1].size = (uint64_t)1 << (4 + round % 8);
        for (uint64_t size; (size = be_crossing_next(points, count, ratios[round % 4])) != 0;) {
            count = insert(points, count, at(size, exp(normal(&seed)), 0.5 * uniform(&seed)));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses),
        cmocka_unit_test(unfilled_and_nan_are_not_ahead),
        cmocka_unit_test(interpolates_in_the_logs),
        cmocka_unit_test(median_outside_its_interval),
        cmocka_unit_test(undecided_at_the_crossing),
        cmocka_unit_test(undecided_amid_ahead_shifts_from),
        cmocka_unit_test(the_same_is_not_ahead),
        cmocka_unit_test(between_is_the_last_stretch),
        cmocka_unit_test(random_series_keep_the_rules),
        cmocka_unit_test(known_crossing_is_found),
        cmocka_unit_test(interval_holds_what_lies_between_sizes),
        cmocka_unit_test(two_points_far_apart_are_refined),
        cmocka_unit_test(both_ends_of_a_stretch_are_refined),
        cmocka_unit_test(nothing_to_refine),
        cmocka_unit_test(refining_ends_whatever_is_measured),
    };
    return cmocka_run_group_tests_name("breakeven", tests, NULL, NULL);
}
