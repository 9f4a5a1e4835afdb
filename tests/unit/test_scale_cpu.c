/* Times of a CPU from those of another one: each part of a call grows as the rate that it waits for is lower. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "assert_near.h"
#include "base/error.h"
#include "elsewhere/elsewhere.h"
#include "machine/profile.h"

enum { CORES = 4, FEWER = 2 };

static void add(struct be_profile *profile, const char *what, const char *dtype, int threads,
                double bytes, double value) {
    struct be_figure f = {.threads = threads,
                          .bytes = bytes,
                          .value = value,
                          .median = value,
                          .lo = NAN,
                          .hi = NAN,
                          .n = 1,
                          .achievable = NAN};
    struct be_error error;
    be_copy_text(f.device, sizeof f.device, "cpu");
    be_copy_text(f.what, sizeof f.what, what);
    be_copy_text(f.dtype, sizeof f.dtype, dtype);
    assert_int_equal(be_profile_add_figure(profile, &f, &error), BE_OK);
}

/* Rates of a core, times its threads; a team takes `join_s` to start. */
static void make_profile(struct be_profile *p, int cores, double flops, double bytes, double clock,
                         double join_s) {
    *p = (struct be_profile){.machine = {.cache_bytes = 1e6}};
    for (int threads = 1; threads <= cores; threads += cores - 1) {
        add(p, "fma", "float32", threads, NAN, flops * threads);
        add(p, "fma", "float64", threads, NAN, flops * threads / 2);
        add(p, "clock", "", threads, NAN, clock);
        add(p, "working_set", "", threads, 1e5, bytes * threads);
        add(p, "working_set", "", threads, 1e9, bytes * threads);
    }
    add(p, "fork_join", "", cores, NAN, join_s);
}

static struct be_result call(int threads, double bytes, double operations, double median_s) {
    struct be_result r = {.size = 1000,
                          .placement = BE_HOST,
                          .cache = BE_HOT,
                          .threads = threads,
                          .bytes = bytes,
                          .operations = operations};
    be_copy_text(r.workload, sizeof r.workload, "add");
    be_copy_text(r.dtype, sizeof r.dtype, "float32");
    r.phase[BE_TOTAL] = (struct be_summary){
        .n = 20, .median_s = median_s, .lo_s = 0.9 * median_s, .hi_s = 1.1 * median_s};
    return r;
}

/* The other CPU has half the operations a core, a quarter of the bandwidth, two thirds of the clock, half the cores. */
static struct be_results scale(struct be_result *rows, size_t count) {
    const struct be_results base = {.result = rows,
                                    .results = count,
                                    .machine = {.cores_allowed = CORES},
                                    .origin = BE_ORIGIN_ELSEWHERE};
    struct be_results predicted = {0};
    struct be_profile from, to;
    struct be_error error = {0};
    make_profile(&from, CORES, 2e10, 4e10, 3e9, 1e-6);
    make_profile(&to, FEWER, 1e10, 1e10, 2e9, 5e-6);
    assert_int_equal(be_results_scale_cpu(&base, &from, &to, &predicted, &error), BE_OK);
    assert_int_equal(predicted.origin, BE_ORIGIN_PREDICTED);
    be_profile_free(&from);
    be_profile_free(&to);
    return predicted;
}

static void each_part_grows_as_its_rate_is_lower(void **state) {
    (void)state;
    struct be_result rows[] = {
        call(1, 4e7, 0, 1e-3),           /* all of it memory */
        call(1, 0, 2e7, 1e-3),           /* all of it operations */
        call(1, 0, 0, 1e-3),             /* neither */
        call(1, 2e7, 4e6, 1e-3),         /* half, a fifth, the rest neither */
        call(CORES, 1.6e8, 0, 1.001e-3), /* by all cores, with their start */
    };
    struct be_results p = scale(rows, sizeof rows / sizeof rows[0]);
    assert_int_equal(p.results, 5);
    const double expected[] = {4e-3, 2e-3, 1.5e-3, 0.5e-3 * 4 + 0.2e-3 * 2 + 0.3e-3 * 1.5,
                               1e-3 * 8 + 5e-6};
    for (size_t i = 0; i < p.results; i++) {
        const struct be_summary *total = &p.result[i].phase[BE_TOTAL];
        assert_near(total->median_s, expected[i]);
        assert_true(total->lo_s < total->median_s / 3 && total->hi_s > 3 * total->median_s);
        assert_int_equal(p.result[i].threads, i < 4 ? 1 : FEWER);
    }
    be_results_free(&p);
}

/* Times of a GPU, of cold data, and of some of the cores say nothing of it. */
static void others_are_left_out(void **state) {
    (void)state;
    struct be_result rows[] = {call(1, 4e7, 0, 1e-3), call(0, 4e7, 0, 1e-3), call(1, 4e7, 0, 1e-3),
                               call(2, 4e7, 0, 1e-3)};
    rows[1].placement = BE_RESIDENT;
    rows[2].cache = BE_COLD;
    struct be_results p = scale(rows, sizeof rows / sizeof rows[0]);
    assert_int_equal(p.results, 1);
    be_results_free(&p);
}

static void a_rate_that_is_missing_is_said(void **state) {
    (void)state;
    struct be_result row = call(1, 4e7, 0, 1e-3);
    const struct be_results base = {
        .result = &row, .results = 1, .machine = {.cores_allowed = CORES}};
    struct be_profile from, none = {.machine = {.cache_bytes = 1e6}};
    struct be_results predicted = {0};
    struct be_error error = {0};
    make_profile(&from, CORES, 2e10, 4e10, 3e9, 1e-6);
    assert_int_equal(be_results_scale_cpu(&base, &from, &none, &predicted, &error), BE_ABSENT);
    assert_null(predicted.result);
    be_profile_free(&from);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_grows_as_its_rate_is_lower),
        cmocka_unit_test(others_are_left_out),
        cmocka_unit_test(a_rate_that_is_missing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
