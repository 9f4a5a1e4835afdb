/* The chart of a comparison: which times it draws, where it marks that a device is ahead, and odd numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "report/comparison/chart.h"

enum { CASES = 64 };

static struct be_result results[CASES];
static struct be_breakeven evens[BE_PLACEMENTS];

static void assert_near(double is, double wanted) {
    assert_true(is > wanted * (1 - 1e-9) && is < wanted * (1 + 1e-9));
}

static struct be_comparison nothing(void) {
    struct be_comparison all = {.result = results, .breakeven = evens};
    all.machine.devices = 2;
    strcpy(all.machine.cpu, "A <CPU> & more");
    strcpy(all.machine.device[0].id, "cpu");
    strcpy(all.machine.device[1].id, "cuda:0");
    strcpy(all.machine.device[1].name, "Some GPU");
    all.machine.device[1].kind = BE_KIND_GPU;
    return all;
}

static struct be_result *add(struct be_comparison *all, const char *device, int threads,
                             uint64_t size, double s) {
    struct be_result *r = &results[all->results++];
    *r = (struct be_result){.size = size,
                            .threads = threads,
                            .placement = threads ? BE_HOST : BE_RESIDENT,
                            .limit_s = s / 2};
    strcpy(r->workload, "power");
    strcpy(r->dtype, "float32");
    strcpy(r->variant, "plain");
    strcpy(r->device, device);
    strcpy(r->size_name, "points");
    r->phase[BE_TOTAL] =
        (struct be_summary){.n = 9, .median_s = s, .lo_s = 0.9 * s, .hi_s = 1.2 * s};
    return r;
}

static struct be_breakeven *add_even(struct be_comparison *all, enum be_breakeven_status status) {
    struct be_breakeven *even = &evens[all->breakevens++];
    *even = (struct be_breakeven){.placement = BE_RESIDENT,
                                  .status = status,
                                  .smallest = 1e3,
                                  .largest = 1e5,
                                  .from = 1e4,
                                  .lo = 3e3,
                                  .hi = 3e4,
                                  .until = 3e4,
                                  .until_lo = 2e4,
                                  .until_hi = 5e4};
    strcpy(even->workload, "power");
    strcpy(even->dtype, "float32");
    strcpy(even->device, "cuda:0");
    return even;
}

/* CPU: 1e-5 s at 1e3, ten times as much at each ten times the size; GPU: 1e-4 s at all. */
static struct be_comparison crossing(void) {
    struct be_comparison all = nothing();
    for (uint64_t size = 1000, i = 1; size <= 100000; size *= 10, i *= 10) {
        add(&all, "cpu", 1, size, 3e-5 * (double)i);
        add(&all, "cpu", 8, size, 1e-5 * (double)i);
        add(&all, "cuda:0", 0, size, 1e-4);
    }
    add_even(&all, BE_EVEN_FROM);
    return all;
}

static void the_best_code_of_each_side_is_drawn(void **state) {
    struct be_comparison all = crossing();
    struct be_chart chart;
    (void)state;
    add(&all, "cuda:0", 0, 1000, 5e-5)->status = BE_RESULT_WRONG;
    strcpy(add(&all, "cuda:0", 0, 1000, 1e-9)->variant, BE_AS_PUBLISHED);
    add(&all, "cuda:0", 0, 1000, 9e-5)->limit_s = 1e-7;
    add(&all, "cuda:0", 0, 1000, 1e-6)->cache = BE_COLD; /* another state of the caches */
    strcpy(add(&all, "cuda:0", 0, 1000, 1e-6)->workload, "other");
    be_chart_of(&all, &chart);
    assert_false(chart.failed);
    assert_int_equal(chart.rows, 2);
    assert_int_equal(chart.row[0].panels, 1);
    const struct be_chart_panel *panel = &chart.row[0].panel[0];
    assert_int_equal(panel->curves, 2);
    const struct be_chart_curve *cpu = &panel->curve[0], *gpu = &panel->curve[1];
    assert_true(cpu->placement == BE_HOST && gpu->placement == BE_RESIDENT);
    assert_int_equal(cpu->points, 3);
    assert_int_equal(gpu->points, 3);
    assert_near(cpu->point[2].s, 1e-3);
    assert_near(cpu->point[2].lo_s, 0.9e-3);
    assert_near(cpu->point[2].hi_s, 1.2e-3);
    assert_near(gpu->point[0].s, 9e-5);
    assert_near(gpu->point[0].limit_s, 1e-7); /* the hardware's, not the code's */
    assert_ptr_equal(gpu->even, &evens[0]);
    be_chart_free(&chart);
}

/* Fewer threads than there are at a size are no baseline where all of them went wrong. */
static void a_cpu_that_went_wrong_on_all_cores_has_no_point(void **state) {
    struct be_comparison all = crossing();
    struct be_chart chart;
    (void)state;
    results[4].status = BE_RESULT_FAILED; /* 8 threads at 1e4 */
    be_chart_of(&all, &chart);
    const struct be_chart_curve *cpu = &chart.row[0].panel[0].curve[0];
    assert_int_equal(cpu->points, 2);
    assert_near(cpu->point[1].size, 1e5);
    be_chart_free(&chart);
}

static void times_between_sizes_lie_on_the_line(void **state) {
    struct be_chart_point point[] = {{1e2, 1e-6, 1e-6, 1e-6, 1e-7}, {1e4, 1e-4, 1e-4, 1e-4, NAN}};
    const struct be_chart_curve curve = {.point = point, .points = 2};
    const struct be_axis axis = {2, 4, BE_AXIS_LOG};
    (void)state;
    assert_near(be_chart_time_at(&curve, 1e3), 1e-5);
    assert_near(be_chart_time_at(&curve, 1e4), 1e-4);
    assert_true(isnan(be_chart_time_at(&curve, 99)) && isnan(be_chart_time_at(&curve, 2e4)));
    assert_near(be_chart_limit_at(&curve, 1e2), 1e-7);
    assert_true(isnan(be_chart_limit_at(&curve, 1e3)));
    assert_near(be_axis_share(&axis, 1e3), 0.5);
    assert_true(isnan(be_axis_share(&axis, 0)) && isnan(be_axis_share(&axis, NAN)));
}

static void an_axis_has_marks_of_round_numbers(void **state) {
    static const struct {
        struct be_axis axis;
        int most;
        double first, second, last;
        int count;
    } known[] = {{{2.9, 5.1, BE_AXIS_LOG}, 6, 1e3, 1e4, 1e5, 3},
                 {{2.9, 3.8, BE_AXIS_LOG}, 6, 1e3, 2e3, 5e3, 3},
                 {{-9.5, 0.5, BE_AXIS_LOG}, 4, 1e-9, 1e-6, 1, 4},
                 {{0, 8.4, BE_AXIS_TIME}, 9, 0, 1, 8, 9},
                 {{0, 5400, BE_AXIS_TIME}, 8, 0, 1200, 4800, 5},
                 {{0, 16, BE_AXIS_LINEAR}, 4, 0, 5, 15, 4},
                 {{0, 5, BE_AXIS_LOG_TIME}, 5, 1, 10, 86400, 7}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        double value, last = NAN;
        int count = 0;
        while (isfinite(value = be_axis_mark(&known[i].axis, known[i].most, count))) {
            last = value;
            count++;
        }
        assert_int_equal(count, known[i].count);
        assert_near(1 + be_axis_mark(&known[i].axis, known[i].most, 0), 1 + known[i].first);
        assert_near(be_axis_mark(&known[i].axis, known[i].most, 1) / known[i].second, 1);
        assert_near(last / known[i].last, 1);
    }
}

/* In the strip of `placement`: the number of this sign. */
static int signs(const char *text, const char *placement, char sign) {
    char head[32];
    int count = 0;
    snprintf(head, sizeof head, "%10s|", placement);
    const char *at = strstr(text, head);
    assert_non_null(at);
    for (at += strlen(head); *at && *at != '\n'; at++) {
        count += *at == sign;
    }
    return count;
}

static void where_a_device_is_ahead_stands_below(void **state) {
    static const struct {
        enum be_breakeven_status status;
        double sure, doubt; /* decades of two, in a strip of about 65 columns */
    } known[] = {{BE_EVEN_ALWAYS, 2, 0},
                 {BE_EVEN_NEVER, 0, 0},
                 {BE_EVEN_CLOSE, 0, 0},
                 {BE_EVEN_FROM, 0.523, 1.0},
                 {BE_EVEN_BETWEEN, 0.301, 0.398}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        struct be_comparison all = crossing();
        struct be_text text = {0};
        evens[0].status = known[i].status;
        be_chart_text(&all, false, &text);
        assert_true(fabs(signs(text.data, "resident", '=') - known[i].sure * 32) <= 2);
        assert_true(fabs(signs(text.data, "resident", '?') - known[i].doubt * 32) <= 2);
        const bool crosses = known[i].doubt > 0;
        assert_true((strstr(strstr(text.data, "Some GPU"), "X") != NULL) == crosses);
        be_text_free(&text);
    }
}

static void a_drawing_says_what_it_shows(void **state) {
    struct be_comparison all = crossing();
    struct be_text svg = {0};
    (void)state;
    be_chart_svg(&all, &svg);
    assert_non_null(strstr(svg.data, "<title>Time of a call"));
    assert_non_null(strstr(svg.data, "power, cuda:0: resident ~1e4 (3e3-3e4)"));
    assert_non_null(strstr(svg.data, "A &lt;CPU&gt; &amp; more"));
    assert_non_null(strstr(svg.data, "prefers-color-scheme:dark"));
    assert_null(strstr(svg.data, "<script"));
    assert_non_null(strstr(svg.data, "<circle class=\"k3 r\"")); /* where it gets ahead */
    be_text_free(&svg);
    evens[0].status = BE_EVEN_NEVER;
    be_chart_svg(&all, &svg);
    assert_null(strstr(svg.data, "<circle"));
    be_text_free(&svg);
}

/* ---- odd numbers ---------------------------------------------------------------------------- */

static unsigned next(unsigned *seed, unsigned below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static double real(unsigned *seed) {
    static const double values[] = {NAN,   0,   1e-12,  9.9996e-4, 0.257,
                                    1e300, 1e9, 5e-324, -1,        INFINITY};
    return values[next(seed, BE_COUNT(values))];
}

static void randomize(unsigned *seed, struct be_comparison *all) {
    for (int i = 0; i < CASES; i++) {
        struct be_result *r = add(all, next(seed, 2) ? "cpu" : "cuda:0", (int)next(seed, 3),
                                  next(seed, 3) ? UINT64_MAX >> next(seed, 64) : 0, real(seed));
        r->phase[BE_TOTAL].lo_s = real(seed);
        r->phase[BE_TOTAL].hi_s = real(seed);
        r->limit_s = real(seed);
        r->cache = (enum be_cache)next(seed, BE_CACHES);
    }
    for (int i = 0; i < BE_PLACEMENTS; i++) {
        struct be_breakeven *even =
            add_even(all, (enum be_breakeven_status)next(seed, BE_EVEN_STATUSES));
        double *values[] = {&even->from,     &even->lo,       &even->hi,      &even->until,
                            &even->until_lo, &even->until_hi, &even->largest, &even->smallest};
        for (size_t k = 0; k < BE_COUNT(values); k++) {
            *values[k] = real(seed);
        }
        even->cache = (enum be_cache)next(seed, BE_CACHES);
    }
}

static void odd_numbers_are_drawn_nowhere(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 500; seed++) {
        struct be_comparison all = nothing();
        struct be_text text = {0}, svg = {0};
        unsigned next_seed = seed;
        randomize(&next_seed, &all);
        be_chart_text(&all, false, &text);
        be_chart_svg(&all, &svg);
        assert_false(text.failed || svg.failed);
        for (const char *at = text.data; *at; at += strcspn(at, "\n") + 1) {
            assert_in_range(strcspn(at, "\n"), 0, 80);
        }
        for (const char *at = svg.data; (at = strchr(at, '"')) != NULL; at++) {
            assert_true(strncmp(at + 1, "nan", 3) != 0 && strncmp(at + 1, "inf", 3) != 0 &&
                        strncmp(at + 1, "-nan", 4) != 0);
        }
        assert_null(strstr(svg.data, " nan"));
        assert_null(strstr(svg.data, " inf"));
        assert_null(strstr(svg.data, "Vnan"));
        be_text_free(&text);
        be_text_free(&svg);
    }
}

static void nothing_measured_is_said(void **state) {
    struct be_comparison all = nothing();
    struct be_text text = {0};
    (void)state;
    be_chart_text(&all, true, &text);
    assert_non_null(strstr(text.data, "Nothing has a time."));
    be_text_free(&text);
    be_chart_svg(&all, &text);
    assert_non_null(strstr(text.data, "Nothing has a time."));
    be_text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_code_of_each_side_is_drawn),
        cmocka_unit_test(a_cpu_that_went_wrong_on_all_cores_has_no_point),
        cmocka_unit_test(times_between_sizes_lie_on_the_line),
        cmocka_unit_test(an_axis_has_marks_of_round_numbers),
        cmocka_unit_test(where_a_device_is_ahead_stands_below),
        cmocka_unit_test(a_drawing_says_what_it_shows),
        cmocka_unit_test(odd_numbers_are_drawn_nowhere),
        cmocka_unit_test(nothing_measured_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
