/* The facts that a break-even has beside its sizes, from records that are made up. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "builtin/builtin.h"
#include "base/error.h"
#include "bench/crossing.h"
#include "bench/series.h"
#include "bench/session.h"
#include "workload/elementwise.h"

/* So many samples; with `noise` they lie that far about. */
static void put_samples(struct be_session *made, const char *device, uint64_t size, double seconds,
                        double noise, int samples) {
    struct be_result result = {.size = size, .placement = BE_HOST, .cache = BE_HOT};
    struct be_samples total = {0};
    be_copy_text(result.workload, sizeof result.workload, be_workload_power.name);
    be_copy_text(result.device, sizeof result.device, device);
    result.placement = strcmp(device, "cpu") == 0 ? BE_HOST : BE_RESIDENT;
    for (int i = 0; i < samples; i++) {
        assert_int_equal(be_samples_add(&total, seconds * (1 + (i % 2 ? noise : -noise)), NULL),
                         BE_OK);
    }
    result.phase[BE_TOTAL] = be_summarize(&total, BE_STOP_PRECISE);
    result.phase[BE_WORK].median_s = NAN;
    assert_int_equal(be_session_keep(made, &result, &total, NULL), BE_OK);
}

static void put_record(struct be_session *made, const char *device, uint64_t size, double seconds,
                       double noise) {
    put_samples(made, device, size, seconds, noise, 20);
}

/* The answer for the device, with what was made up for it given back. */
static struct be_breakeven answer(struct be_session *made, enum be_placement placement) {
    const struct be_problem problem = be_problem_preset(&be_workload_power);
    const struct be_series series = {
        .problem = &problem, .device = "null:0", .placement = placement, .cache = BE_HOT};
    struct be_breakeven even;
    be_series_breakeven(&made->record, &series, &even);
    for (size_t i = 0; i < made->record.items; i++) {
        be_samples_free(&made->record.item[i].total);
    }
    free(made->record.item);
    return even;
}

static void assert_same(double is, double wanted) {
    if (!(is == wanted || (isnan(is) && isnan(wanted)))) {
        fail_msg("%g, not %g", is, wanted);
    }
}

/* That the largest size is in doubt hides nothing of what is known below it. */
static void test_close_says_what_is_known(void **state) {
    (void)state;
    static const struct {
        double first, second; /* the device's time at the two sizes, in those of the CPU */
        const char *why;
    } known[] = {{0.5, 1, "ahead at 1e3, the largest size with a clear answer"},
                 {2, 1, "behind at 1e3, the largest size with a clear answer"},
                 {1, 1, ""}};
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        static struct be_session made;
        const double noise = known[i].first < 1 || known[i].first > 1 ? 0 : 0.5;
        made = (struct be_session){.record.round = 1};
        put_record(&made, "cpu", 1000, 1e-3, 0);
        put_record(&made, "null:0", 1000, 1e-3 * known[i].first, noise);
        made.record.round = 2;
        put_record(&made, "cpu", 4000, 4e-3, 0);
        put_record(&made, "null:0", 4000, 4e-3 * known[i].second, 0.5);
        const struct be_breakeven even = answer(&made, BE_RESIDENT);
        assert_int_equal(even.status, BE_EVEN_CLOSE);
        assert_string_equal(even.why, known[i].why);
    }
}

/* Sizes whose results were wrong have no part in an answer, and it says so. */
static void test_holes_are_named(void **state) {
    (void)state;
    static const struct {
        double ratio;
        const char *wrong_on;
        bool other; /* another variant is right there */
        enum be_breakeven_status status;
        const char *why;
    } known[] = {
        {0.5, "null:0", false, BE_EVEN_ALWAYS, "no right result at 3e3, 1e5"},
        {0.5, "cpu", false, BE_EVEN_ALWAYS, "no right result at 3e3, 1e5"},
        {0.5, "null:0", true, BE_EVEN_ALWAYS, ""},
        {2, "null:0", false, BE_EVEN_NEVER,
         "20.0 ms there, 4 cores need 10.0 ms; no right result at 3e3, 1e5"},
    };
    static const uint64_t sizes[] = {1000, 3000, 10000, 100000};
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        static struct be_session made;
        made = (struct be_session){0};
        for (size_t k = 0; k < BE_COUNT(sizes); k++) {
            const bool device = strcmp(known[i].wrong_on, "cpu") != 0;
            made.record.round++;
            put_record(&made, "cpu", sizes[k], 1e-6 * (double)sizes[k], 0);
            made.record.item[made.record.items - 1].result.threads = 4;
            put_record(&made, "null:0", sizes[k], known[i].ratio * 1e-6 * (double)sizes[k], 0);
            if (k % 2) {
                made.record.item[made.record.items - (device ? 1 : 2)].result.status =
                    k == 1 ? BE_RESULT_WRONG : BE_RESULT_IMPOSSIBLE;
            }
            if (known[i].other) {
                put_record(&made, "null:0", sizes[k], known[i].ratio * 1e-6 * (double)sizes[k], 0);
            }
        }
        const struct be_breakeven even = answer(&made, BE_RESIDENT);
        assert_int_equal(even.status, known[i].status);
        assert_string_equal(even.why, known[i].why);
    }
}

/* Where all cores went wrong, or were left out, one core is no CPU to be ahead of; another way on all cores is. */
static void test_a_part_of_the_cpu_is_no_baseline(void **state) {
    (void)state;
    static const struct {
        enum be_result_status all_cores;
        bool other; /* another variant is right on all cores */
        enum be_breakeven_status status;
        int threads;
        const char *why;
    } known[] = {
        {BE_RESULT_OK, false, BE_EVEN_NEVER, 4, "5.00 ms there, 4 cores need 2.50 ms"},
        {BE_RESULT_IMPOSSIBLE, false, BE_EVEN_NEVER, 4,
         "500 us there, 4 cores need 250 us; no right result at 1e4"},
        {BE_RESULT_WRONG, false, BE_EVEN_NEVER, 4,
         "500 us there, 4 cores need 250 us; no right result at 1e4"},
        {BE_RESULT_FAILED, false, BE_EVEN_NEVER, 4,
         "500 us there, 4 cores need 250 us; no right result at 1e4"},
        {BE_RESULT_FAILED, true, BE_EVEN_NEVER, 4, "5.00 ms there, 4 cores need 2.50 ms"},
        {BE_RESULT_SKIPPED, false, BE_EVEN_NEVER, 4, "500 us there, 4 cores need 250 us"},
        {BE_RESULT_SKIPPED, true, BE_EVEN_NEVER, 4, "5.00 ms there, 4 cores need 2.50 ms"},
        {BE_RESULT_ABSENT, true, BE_EVEN_NEVER, 4, "5.00 ms there, 4 cores need 2.50 ms"},
    };
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        static struct be_session made;
        made = (struct be_session){0};
        for (uint64_t size = 1000; size <= 10000; size *= 10) {
            const double one_s = 1e-6 * (double)size;
            made.record.round++;
            put_record(&made, "cpu", size, one_s / 4, 0);
            made.record.item[made.record.items - 1].result.threads = 4;
            made.record.item[made.record.items - 1].result.status =
                size > 1000 ? known[i].all_cores : BE_RESULT_OK;
            if (known[i].other) {
                put_record(&made, "cpu", size, one_s / 4, 0);
                made.record.item[made.record.items - 1].result.threads = 4;
            }
            put_record(&made, "cpu", size, one_s, 0);
            made.record.item[made.record.items - 1].result.threads = 1;
            put_record(&made, "null:0", size, one_s / 2, 0);
        }
        const struct be_breakeven even = answer(&made, BE_RESIDENT);
        assert_string_equal(even.why, known[i].why);
        assert_int_equal(even.status, known[i].status);
        assert_int_equal(even.threads, known[i].threads);
    }
}

/* The device had more samples, later and on a quieter machine: its median says nothing of the pairs. */
static void test_never_is_explained_by_pairs(void **state) {
    (void)state;
    static struct be_session made;
    made = (struct be_session){.record.round = 1};
    put_record(&made, "cpu", 1000, 1e-3, 0);
    put_record(&made, "null:0", 1000, 2e-3, 0);
    struct be_record *there = &made.record.item[1];
    for (int i = 0; i < 40; i++) {
        assert_int_equal(be_samples_add(&there->total, 0.5e-3, NULL), BE_OK);
    }
    there->result.phase[BE_TOTAL] = be_summarize(&there->total, BE_STOP_PRECISE);
    made.record.item[0].result.threads = 4;
    const struct be_breakeven even = answer(&made, BE_RESIDENT);
    assert_int_equal(even.status, BE_EVEN_NEVER);
    assert_string_equal(even.why, "in rounds side by side it takes 2.00 times as long as 4 cores");
}

/* The part that keeps it behind is said only where it does: the bus, the computing, or what is around them. */
static void test_never_says_what_decides(void **state) {
    (void)state;
    static const struct {
        enum be_placement placement;
        double work_s, bus_s;
        const char *why;
    } known[] = {
        {BE_COPY, 0.1e-3, 1.5e-3, "the bus alone takes 1.50 ms, where 4 cores need 1.00 ms"},
        {BE_COPY, 0.1e-3, 0.5e-3,
         "copies, launch and wait are 95 % of the 2.00 ms there, 4 cores need 1.00 ms"},
        {BE_PRELOAD, 0.1e-3, 0.5e-3,
         "the copy back, launch and wait are 95 % of the 2.00 ms there, 4 cores need 1.00 ms"},
        {BE_RESIDENT, 0.1e-3, 0.5e-3,
         "launch and wait are 95 % of the 2.00 ms there, 4 cores need 1.00 ms"},
        {BE_RESIDENT, 1.5e-3, 0.5e-3, "computing alone takes 1.50 ms there, 4 cores need 1.00 ms"},
        {BE_RESIDENT, 0.99e-3, 0.5e-3,
         "launch and wait are 50 % of the 2.00 ms there, 4 cores need 1.00 ms"},
        {BE_RESIDENT, 1e-3, 0.5e-3, "2.00 ms there, 4 cores need 1.00 ms"},
    };
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        static struct be_session made;
        made = (struct be_session){.record.round = 1};
        put_record(&made, "cpu", 1000, 1e-3, 0);
        made.record.item[0].result.threads = 4;
        put_record(&made, "null:0", 1000, 2e-3, 0);
        struct be_result *there = &made.record.item[1].result;
        there->placement = known[i].placement;
        there->phase[BE_WORK].median_s = known[i].work_s;
        there->limit_by = BE_BY_BUS;
        there->limit_s = known[i].bus_s;
        const struct be_breakeven even = answer(&made, known[i].placement);
        assert_int_equal(even.status, BE_EVEN_NEVER);
        assert_string_equal(even.why, known[i].why);
    }
}

/* Four are named; that there are more is said once. A published figure is no result, so it makes no hole. */
static void test_many_holes(void **state) {
    (void)state;
    static const struct {
        uint64_t holes;
        const char *variant, *why;
    } known[] = {
        {4, "", "no right result at 2e3, 3e3, 4e3, 5e3"},
        {5, "", "no right result at 2e3, 3e3, 4e3, 5e3 and more"},
        {7, "", "no right result at 2e3, 3e3, 4e3, 5e3 and more"},
        {2, BE_AS_PUBLISHED, ""},
    };
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        static struct be_session made;
        made = (struct be_session){.record.round = 1};
        put_record(&made, "cpu", 1000, 1e-3, 0);
        put_record(&made, "null:0", 1000, 0.5e-3, 0);
        for (uint64_t hole = 0; hole < known[i].holes; hole++) {
            put_record(&made, "null:0", 2000 + 1000 * hole, 1e-3, 0);
            struct be_result *wrong = &made.record.item[made.record.items - 1].result;
            wrong->status = BE_RESULT_IMPOSSIBLE;
            be_copy_text(wrong->variant, sizeof wrong->variant, known[i].variant);
        }
        const struct be_breakeven even = answer(&made, BE_RESIDENT);
        assert_int_equal(even.status, BE_EVEN_ALWAYS);
        assert_string_equal(even.why, known[i].why);
    }
}

/* A copy is there and back. */
static void test_a_copy_is_repaid_both_ways(void **state) {
    (void)state;
    static struct be_session made;
    made = (struct be_session){.record.round = 1};
    put_record(&made, "cpu", 1000, 1e-3, 0);
    put_record(&made, "null:0", 1000, 0.5e-3, 0);
    put_record(&made, "null:0", 1000, 20e-3, 0);
    struct be_result *copy = &made.record.item[2].result;
    copy->placement = BE_COPY;
    copy->phase[BE_IN] = (struct be_summary){.median_s = 6e-3, .lo_s = 5e-3, .hi_s = 7e-3};
    copy->phase[BE_OUT] = (struct be_summary){.median_s = 4e-3, .lo_s = 3.5e-3, .hi_s = 5e-3};
    const struct be_breakeven even = answer(&made, BE_RESIDENT);
    assert_true(even.calls_to_repay_copy == 20); /* 10 ms, half a millisecond a call */
    assert_true(even.calls_to_repay_copy_lo == 17 && even.calls_to_repay_copy_hi == 24);
}

/* The pairs of calls decide whether they repay anything, not two medians. */
static void test_repaid_as_the_pairs_say(void **state) {
    (void)state;
    static const struct {
        double device, noise;
        enum be_repaid repaid;
    } known[] = {{0.5, 0.01, BE_REPAID_CALLS},
                 {0.9, 0.5, BE_REPAID_CLOSE}, /* by the medians: after 10 x as many calls */
                 {2, 0, BE_REPAID_NEVER}};
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        static struct be_session made;
        made = (struct be_session){.record.round = 1};
        put_record(&made, "cpu", 1000, 1e-3, 0);
        put_record(&made, "null:0", 1000, 1e-3 * known[i].device, known[i].noise);
        made.record.item[1].result.phase[BE_FIRST].median_s = 0.1;
        const struct be_breakeven even = answer(&made, BE_RESIDENT);
        assert_int_equal(even.repaid, known[i].repaid);
        if (known[i].repaid == BE_REPAID_CALLS) {
            assert_true(even.calls_to_repay_first > 190 && even.calls_to_repay_first < 210);
            assert_true(even.calls_to_repay_first_lo < even.calls_to_repay_first);
            assert_true(even.calls_to_repay_first_hi > even.calls_to_repay_first);
        } else {
            assert_true(isnan(even.calls_to_repay_first));
            assert_true(isnan(even.calls_to_repay_first_lo));
            assert_true(isnan(even.calls_to_repay_first_hi));
        }
    }
}

/* The first call is a call too: what it takes beyond one is what others repay. */
static void test_the_first_call_is_a_call(void **state) {
    (void)state;
    static const struct {
        double first_s, calls, lo, hi;
    } known[] = {{2.3, 2, 2, 2}, {2.2, 1, 1, 2}, {1.9, 0, 0, 0}, {NAN, NAN, NAN, NAN}};
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        static struct be_session made;
        made = (struct be_session){.record.round = 1};
        put_record(&made, "cpu", 1000, 2.2, 0);
        put_record(&made, "null:0", 1000, 2, 0);
        struct be_summary *call = &made.record.item[1].result.phase[BE_TOTAL];
        call->lo_s = 1.95; /* as if it had not come out alike */
        call->hi_s = 2.05;
        made.record.item[1].result.phase[BE_FIRST].median_s = known[i].first_s;
        const struct be_breakeven even = answer(&made, BE_RESIDENT);
        assert_int_equal(even.repaid, BE_REPAID_CALLS);
        assert_same(even.calls_to_repay_first, known[i].calls);
        assert_same(even.calls_to_repay_first_lo, known[i].lo);
        assert_same(even.calls_to_repay_first_hi, known[i].hi);
    }
}

/* One sample, however far from the CPU's: too close to call, and no calls repay anything. */
static void test_one_sample_decides_nothing(void **state) {
    (void)state;
    for (int samples = 1; samples <= 2; samples++) {
        static struct be_session made;
        made = (struct be_session){.record.round = 1};
        put_samples(&made, "cpu", 1000, 20, 0, samples);
        put_record(&made, "null:0", 1000, 0.1, 0);
        const struct be_breakeven even = answer(&made, BE_RESIDENT);
        assert_int_equal(even.status, samples == 1 ? BE_EVEN_CLOSE : BE_EVEN_ALWAYS);
        assert_int_equal(even.repaid, samples == 1 ? BE_REPAID_CLOSE : BE_REPAID_CALLS);
    }
}

/* Another status, or sizes beyond the best's interval; an end that is not known is the size itself. */
static void test_another_answer(void **state) {
    (void)state;
    static const struct be_breakeven never = {
        .status = BE_EVEN_NEVER, .from = NAN, .lo = NAN, .hi = NAN, .until = NAN};
    static const struct {
        enum be_breakeven_status status;
        double from, until;
        bool differs;
    } known[] = {
        {BE_EVEN_BETWEEN, 100, 900, false}, {BE_EVEN_BETWEEN, 90, 900, false},
        {BE_EVEN_BETWEEN, 110, 999, false}, {BE_EVEN_BETWEEN, 89, 900, true},
        {BE_EVEN_BETWEEN, 111, 900, true},  {BE_EVEN_BETWEEN, 100, 799, true},
        {BE_EVEN_BETWEEN, 100, 1001, true}, {BE_EVEN_FROM, 100, NAN, true},
        {BE_EVEN_NEVER, NAN, NAN, true},
    };
    struct be_breakeven best = {.status = BE_EVEN_BETWEEN,
                                .from = 100,
                                .lo = 90,
                                .hi = 110,
                                .until = 900,
                                .until_lo = 800,
                                .until_hi = 1000};
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        struct be_breakeven even = best;
        even.status = known[i].status;
        even.from = known[i].from;
        even.until = known[i].until;
        assert_int_equal(be_series_differs(&even, &best), known[i].differs);
    }
    assert_false(be_series_differs(&never, &never));
    best.lo = best.hi = NAN;
    struct be_breakeven even = best;
    assert_false(be_series_differs(&even, &best));
    even.from = 101;
    assert_true(be_series_differs(&even, &best));
}

/* Code that anybody can have, on both sides: neither ours nor what is as written counts. */
static void test_callable_code_alone(void **state) {
    (void)state;
    static const struct {
        const char *device;
        double seconds;
        enum be_code code;
        bool as_written;
    } made_of[] = {
        {"cpu", 1e-3, BE_CODE_EXPERT, false},     {"cpu", 4e-3, BE_CODE_PLAIN, false},
        {"cpu", 2e-3, BE_CODE_PLAIN, true},       {"null:0", 0.1e-3, BE_CODE_EXPERT, false},
        {"null:0", 3e-3, BE_CODE_LIBRARY, false},
    };
    static struct be_session made;
    made = (struct be_session){.record.round = 1};
    for (size_t i = 0; i < BE_COUNT(made_of); i++) {
        put_record(&made, made_of[i].device, 1000, made_of[i].seconds, 0);
        made.record.item[i].result.code = made_of[i].code;
        made.record.item[i].result.as_written = made_of[i].as_written;
    }
    const struct be_problem problem = be_problem_preset(&be_workload_power);
    const struct be_series series = {.problem = &problem,
                                     .device = "null:0",
                                     .placement = BE_RESIDENT,
                                     .cache = BE_HOT,
                                     .among = BE_AMONG_CALLABLE};
    struct be_point point[2];
    assert_int_equal(be_series_points(&made.record, &series, point, 2), 1);
    assert_true(fabs(point[0].ratio.median - 0.75) < 1e-6);
    /* The CPU has only ours: there is nothing to be ahead of. */
    made.record.item[1].result.code = BE_CODE_EXPERT;
    assert_int_equal(be_series_points(&made.record, &series, point, 2), 0);
    assert_int_equal(answer(&made, BE_RESIDENT).status, BE_EVEN_ALWAYS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_close_says_what_is_known),
        cmocka_unit_test(test_holes_are_named),
        cmocka_unit_test(test_a_part_of_the_cpu_is_no_baseline),
        cmocka_unit_test(test_never_is_explained_by_pairs),
        cmocka_unit_test(test_never_says_what_decides),
        cmocka_unit_test(test_many_holes),
        cmocka_unit_test(test_a_copy_is_repaid_both_ways),
        cmocka_unit_test(test_repaid_as_the_pairs_say),
        cmocka_unit_test(test_the_first_call_is_a_call),
        cmocka_unit_test(test_one_sample_decides_nothing),
        cmocka_unit_test(test_another_answer),
        cmocka_unit_test(test_callable_code_alone),
    };
    return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
