/*
 * Sizes measured in rounds, and whole comparisons, on the CPU and on the pretend device: what fails
 * half-way has that as its status, and the rest is measured. No times are asserted.
 */
#include "pretend_ceilings.h"
#include "pretend_caches.h"

#include "bench.h"

#include "builtin/builtin.h"
#include "host/team.h"
#include "bench/series.h"
#include "bench/session.h"

/* Fails at call number `fail_at`, counted from 1, or from when it is armed; always: -1. */
static long enqueued, fail_at;

static enum be_status enqueue_fails(const struct be_launch *launch, struct be_error *e) {
    enqueued++;
    if (fail_at < 0 || enqueued == fail_at) {
        return be_fail(e, BE_DRIVER, "launch: pretend trouble");
    }
    return be_elementwise_enqueue(launch, e);
}

static enum be_status enqueue_forgets(const struct be_launch *launch, struct be_error *e) {
    struct be_launch less = *launch;
    less.items--;
    return be_elementwise_enqueue(&less, e);
}

/* ---- sizes, measured in rounds -------------------------------------------------------------- */

static int progress_calls, arm_at, cancel_at;

static void on_progress(void *context, const struct be_progress *progress) {
    (void)context;
    assert_string_not_equal(progress->what, "");
    assert_true(progress->done >= 0 && progress->left >= 0);
    progress_calls++;
    if (progress_calls == arm_at) {
        fail_at = enqueued + 1;
    }
}

static bool on_cancelled(void *context) {
    (void)context;
    return cancel_at > 0 && progress_calls >= cancel_at;
}

static const struct be_compare_options small = {
    .workload = {"power"},
    .workloads = 1,
    .variant = {"plain"},
    .variants = 1,
    .device = {"null"},
    .devices = 1,
    .threads = {1},
    .thread_counts = 1,
    .budget_s = 2e-3,
    .precision = 0.5,
    .cache = {[BE_HOT] = true},
    .progress = on_progress,
    .cancelled = on_cancelled,
};

static struct be_session session; /* one CPU place, the pretend device */
static struct be_compare_options session_options;

/* Opens at first use: measuring the ceilings takes its time. */
static void open_session(void) {
    session_options = small;
    progress_calls = arm_at = cancel_at = 0;
    enqueued = fail_at = 0;
    if (!session.run.team) {
        const struct be_plan plan = {.problem = be_problem_preset(&be_workload_power)};
        CHECK(be_session_open(&session_options, &plan, 1, &session, &error));
        assert_int_equal(session.run.places, 2);
    }
    for (size_t i = 0; i < session.record.items; i++) {
        be_samples_free(&session.record.item[i].total);
    }
    session.record.items = 0;
}

static int close_session(void **state) {
    (void)state;
    if (session.run.team) {
        be_session_close(&session);
    }
    return 0;
}

static const struct be_filter everything = {.place = -1};

/* Records by placement, one each: host, copy, preload, resident. */
static const struct be_result *record_of(enum be_placement placement) {
    const struct be_result *found = NULL;
    for (size_t i = 0; i < session.record.items; i++) {
        if (session.record.item[i].result.placement == placement) {
            assert_null(found);
            found = &session.record.item[i].result;
        }
    }
    assert_non_null(found);
    return found;
}

static int count_status(enum be_result_status status) {
    int count = 0;
    for (size_t i = 0; i < session.record.items; i++) {
        count += session.record.item[i].result.status == status;
    }
    return count;
}

static void measure(const struct be_workload *w, uint64_t size) {
    const struct be_problem problem = problem_of(w, size);
    CHECK(be_session_measure(&session, &problem, &everything, &error));
    for (int i = 0; i < session.run.places; i++) {
        forget_code(&session.run.place[i]);
    }
    assert_int_equal(session.record.items, 4);
}

static void test_measure_right(void **state) {
    (void)state;
    open_session();
    measure(&be_workload_power, 1000);
    assert_int_equal(count_status(BE_RESULT_OK), 4);
    for (int placement = 0; placement < BE_PLACEMENTS; placement++) {
        const struct be_result *r = record_of((enum be_placement)placement);
        assert_true(r->phase[BE_TOTAL].n > 0);
        assert_true(r->limit_s > 0);
        assert_string_equal(r->device, placement == BE_HOST ? "cpu" : "null:0");
    }
}

static void test_measure_wrong(void **state) {
    (void)state;
    struct odd odd;
    set_odd(&odd, &be_workload_power);
    odd.variant.enqueue = enqueue_forgets;
    const struct be_problem problem = be_problem_preset(&odd.workload);
    open_session();
    measure(&odd.workload, 1000);
    assert_int_equal(record_of(BE_HOST)->status, BE_RESULT_OK);
    assert_int_equal(count_status(BE_RESULT_WRONG), 3);
    for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
        assert_int_equal(record_of((enum be_placement)placement)->phase[BE_TOTAL].n, 0);
        const struct be_series series = {.problem = &problem,
                                         .device = "null:0",
                                         .placement = (enum be_placement)placement,
                                         .cache = BE_HOT};
        struct be_breakeven even; /* it is no point of any series */
        be_series_breakeven(&session.record, &series, &even);
        assert_int_equal(even.status, BE_EVEN_CLOSE);
        assert_true(isnan(even.largest));
    }
}

/* One call fails: the case it belongs to has that status, the others are measured. */
static void test_measure_failing_call(void **state) {
    (void)state;
    static const struct {
        long fail_at;
        int arm_at; /* progress calls: 4 for checks, then one a sample */
        enum be_placement placement;
    } sample[] = {
        {1, 0, BE_COPY},     /* its check */
        {2, 0, BE_COPY},     /* calibrating it */
        {0, 3, BE_PRELOAD},  /* the check of the third case */
        {0, 6, BE_COPY},     /* its first sample, after that of the CPU */
        {0, 8, BE_RESIDENT}, /* the last of the first round */
    };
    struct odd odd;
    set_odd(&odd, &be_workload_power);
    odd.variant.enqueue = enqueue_fails;
    for (size_t i = 0; i < BE_COUNT(sample); i++) {
        open_session();
        fail_at = sample[i].fail_at;
        arm_at = sample[i].arm_at;
        measure(&odd.workload, 1000);
        const struct be_result *r = record_of(sample[i].placement);
        if (r->status != BE_RESULT_FAILED || count_status(BE_RESULT_OK) != 3) {
            fail_msg("sample %d: status %d, %d ok", (int)i, (int)r->status,
                     count_status(BE_RESULT_OK));
        }
        assert_non_null(strstr(r->note, "pretend trouble"));
    }
    open_session();
    fail_at = -1;
    measure(&odd.workload, 1000);
    assert_int_equal(count_status(BE_RESULT_FAILED), 3);
    assert_int_equal(record_of(BE_HOST)->status, BE_RESULT_OK);
}

/* Ended before the first sample: every case is there, none has a time. */
static void test_measure_cancelled(void **state) {
    (void)state;
    open_session();
    cancel_at = 1;
    measure(&be_workload_power, 1000);
    assert_int_equal(count_status(BE_RESULT_SKIPPED), 4);
    assert_int_equal(record_of(BE_COPY)->phase[BE_TOTAL].n, 0);
    assert_string_not_equal(record_of(BE_COPY)->note, "");
}

static void test_measure_shuffled(void **state) {
    (void)state;
    open_session();
    session_options.shuffle = true;
    measure(&be_workload_power, 1000);
    assert_int_equal(count_status(BE_RESULT_OK), 4);
    for (int i = 0; i < 4; i++) { /* the order of the rows does not change */
        assert_int_equal(session.record.item[i].result.placement, BE_HOST + i);
    }
}

/* More than the device has: its cases are skipped and say so, the CPU's are measured. */
static void test_measure_too_large_for_device(void **state) {
    (void)state;
    open_session();
    double memory_bytes = session.run.place[1].device->info.memory_bytes;
    session.run.place[1].device->info.memory_bytes = 1e6;
    measure(&be_workload_multiply, 100000);
    session.run.place[1].device->info.memory_bytes = memory_bytes;
    assert_int_equal(count_status(BE_RESULT_SKIPPED), 3);
    assert_int_equal(record_of(BE_HOST)->status, BE_RESULT_OK);
    const char *note = record_of(BE_COPY)->note;
    assert_true(strstr(note, "needs") && strstr(note, "has") && strstr(note, "largest size"));
}

/* ---- whole comparisons ---------------------------------------------------------------------- */

static void check_row(const struct be_comparison *all, const char *workload, uint64_t size,
                      enum be_placement placement, enum be_cache cache, int threads) {
    int rows = 0;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        if (strcmp(r->workload, workload) == 0 && r->size == size && r->placement == placement &&
            r->cache == cache && r->threads == threads) {
            assert_string_equal(r->note, "");
            assert_int_equal(r->status, BE_RESULT_OK);
            rows++;
        }
    }
    assert_int_equal(rows, 1);
}

static void check_even(const struct be_comparison *all, const char *workload,
                       enum be_placement placement, enum be_cache cache, double largest) {
    int rows = 0;
    for (size_t i = 0; i < all->breakevens; i++) {
        const struct be_breakeven *e = &all->breakeven[i];
        if (strcmp(e->workload, workload) == 0 && e->placement == placement && e->cache == cache) {
            assert_string_equal(e->device, "null:0");
            assert_string_equal(e->against, "cpu");
            assert_true(e->smallest == 7 && e->largest == largest);
            assert_true(e->threads == 1 || e->threads == 2);
            rows++;
        }
    }
    assert_int_equal(rows, 1);
}

static void test_compare(void **state) {
    (void)state;
    static const uint64_t sizes[] = {7, 300};
    static const char *const names[] = {"multiply", "power"};
    struct be_compare_options options = small;
    struct be_comparison all;
    options.workload[0] = names[0]; /* in the order asked for */
    options.workload[1] = names[1];
    options.workloads = 2;
    options.size[0] = sizes[1];
    options.size[1] = sizes[0];
    options.sizes = 2;
    options.threads[1] = 2;
    options.thread_counts = 2;
    options.no_refine = true;
    options.shuffle = true;
    options.seed = 5;
    progress_calls = cancel_at = 0;
    CHECK(be_compare(&options, &all, &error));
    assert_true(progress_calls > 0);
    assert_false(all.partial);
    assert_int_equal(all.environment.seed, 5);
    assert_non_null(strstr(all.environment.order, "shuffled"));
    assert_string_not_equal(all.environment.simd, "");
    for (size_t i = 0; i < all.remarks; i++) { /* of the machine it may say something */
        assert_null(strstr(all.remark[i], "fit"));
    }
    /* 2 workloads x 2 sizes x (2 thread counts + 3 placements) */
    assert_int_equal(all.results, 20);
    assert_int_equal(all.breakevens, 6);
    enum be_cache cache = isnan(all.machine.cache_bytes) ? BE_BEYOND : BE_HOT;
    for (size_t w = 0; w < 2; w++) {
        for (size_t i = 0; i < 2; i++) {
            check_row(&all, names[w], sizes[i], BE_HOST, cache, 1);
            check_row(&all, names[w], sizes[i], BE_HOST, cache, 2);
            for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
                check_row(&all, names[w], sizes[i], (enum be_placement)placement, cache, 0);
            }
        }
        for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
            check_even(&all, names[w], (enum be_placement)placement, BE_HOT, 300);
        }
    }
    for (size_t i = 0; i < all.results; i++) { /* as they are read: workload, then size */
        assert_string_equal(all.result[i].workload, names[i / 10]);
        assert_int_equal(all.result[i].size, sizes[i / 5 % 2]);
    }
    be_comparison_free(&all);
    assert_null(all.result);
    be_comparison_free(&all);
}

/* More threads than cores are measured, and it is said what that means. */
static void test_more_threads_than_cores(void **state) {
    (void)state;
    static struct be_comparison all;
    struct be_compare_options options = small;
    options.size[0] = 7;
    options.sizes = 1;
    options.no_refine = true;
    progress_calls = cancel_at = 0;
    for (int more = 0; more < 2; more++) {
        int said = 0;
        options.threads[0] = more ? all.machine.cores_allowed + 1 : 1;
        be_comparison_free(&all);
        CHECK(be_compare(&options, &all, &error));
        for (size_t i = 0; i < all.remarks; i++) {
            said += strstr(all.remark[i], "threads take turns on the") != NULL;
        }
        assert_int_equal(said, more);
    }
    be_comparison_free(&all);
}

/* Hot and cold of one size; one placement of three. */
static void test_compare_hot_and_cold(void **state) {
    (void)state;
    struct be_compare_options options = small;
    struct be_comparison all;
    options.workload[0] = "multiply";
    options.workloads = 1;
    options.size[0] = 7;
    options.sizes = 1;
    options.cache[BE_HOT] = false;
    options.placement[BE_RESIDENT] = true;
    progress_calls = cancel_at = 0;
    CHECK(be_compare(&options, &all, &error));
    double cache_bytes = all.machine.cache_bytes;
    if (isnan(cache_bytes) || cache_bytes > 256e6) {
        be_comparison_free(&all);
        print_message("skip: the caches here are larger than the pretend device, or not known\n");
        skip();
    }
    /* 2 states of the caches x (1 thread count + 1 placement) */
    assert_int_equal(all.results, 4);
    assert_int_equal(all.breakevens, 2);
    for (int cache = BE_HOT; cache <= BE_COLD; cache++) {
        check_row(&all, "multiply", 7, BE_HOST, (enum be_cache)cache, 1);
        check_row(&all, "multiply", 7, BE_RESIDENT, (enum be_cache)cache, 0);
        check_even(&all, "multiply", BE_RESIDENT, (enum be_cache)cache, 7);
    }
    be_comparison_free(&all);
}

static void test_compare_cancelled(void **state) {
    (void)state;
    struct be_compare_options options = small;
    struct be_comparison all;
    options.size_from = 1000;
    options.size_to = 3000;
    options.budget_s = 60; /* on a busy machine a smaller one may be used up before */
    progress_calls = 0;
    cancel_at = 12; /* 4 checks, 8 of the first samples */
    CHECK(be_compare(&options, &all, &error));
    cancel_at = 0;
    assert_true(all.partial);
    assert_int_equal(all.results, 4); /* of the first size, all */
    int samples = 0; /* on a busy machine some cases get more of them than others */
    for (size_t i = 0; i < all.results; i++) {
        const struct be_result *r = &all.result[i];
        assert_int_equal(r->size, 1000);
        assert_int_equal(r->status, BE_RESULT_OK);
        assert_true(r->phase[BE_TOTAL].n >= 1);
        samples += r->phase[BE_TOTAL].n;
        assert_int_equal(r->phase[BE_TOTAL].stop, BE_STOP_CANCELLED);
    }
    assert_in_range(samples, 4, 8);
    be_comparison_free(&all);
}

/* Said before anything is opened or measured. */
static void test_compare_usage(void **state) {
    (void)state;
    struct be_comparison all;
    struct be_self_test test;
    struct be_compare_options options = small;
    progress_calls = cancel_at = 0;
    options.workload[0] = "nonsense";
    options.workloads = 1;
    expect_failure(be_compare(&options, &all, &error), BE_USAGE, "there are: add, axpy, cg, chain");
    expect_failure(be_compare_self_test(&options, 1, &test, &error), BE_USAGE,
                   "there are: add, axpy, cg, chain");
    options = small;
    options.sizes = 1;
    options.size[0] = 0;
    expect_failure(be_compare(&options, &all, &error), BE_USAGE, "at least 1");
    options.size[0] = (uint64_t)1 << 50;
    expect_failure(be_compare(&options, &all, &error), BE_USAGE, "at most 281474976710656");
    options.size[0] = (uint64_t)1 << 48;
    expect_failure(be_compare(&options, &all, &error), BE_NOMEM, "needs 5.63 PB of host memory");
    assert_non_null(strstr(error.text, "the largest size that fits is "));
    expect_failure(be_compare_self_test(&options, 1, &test, &error), BE_NOMEM, "largest size");
    options = small;
    options.size_from = 9;
    options.size_to = 8;
    expect_failure(be_compare(&options, &all, &error), BE_USAGE, "9..8");
    options = small;
    options.device[0] = "nonsense:0";
    expect_failure(be_compare(&options, &all, &error), BE_USAGE, "null:0");
    options.device[0] = "null:7";
    expect_failure(be_compare(&options, &all, &error), BE_ABSENT, "null:0");
    assert_int_equal(be_compare(&options, &all, NULL), BE_ABSENT); /* nobody listens */
    assert_int_equal(progress_calls, 0);
    assert_int_equal(all.results, 0);
    be_comparison_free(&all);
}

static void test_self_test(void **state) {
    (void)state;
    struct be_compare_options options = small;
    struct be_self_test test;
    options.sizes = 1;
    options.size[0] = 1000;
    progress_calls = cancel_at = 0;
    CHECK(be_compare_self_test(&options, 2, &test, &error));
    assert_int_equal(test.pairs, 2);
    assert_int_equal(test.devices, 2);
    assert_string_equal(test.device[0].id, "cpu x 1");
    assert_string_equal(test.device[1].id, "null:0");
    for (int i = 0; i < test.devices; i++) {
        assert_int_equal(test.same[i] + test.differ[i] + test.close[i], 2);
    }
}

/* The first way to compute it has no code for devices, another has, which the pretend one cannot run. */
static void test_self_test_of_a_variant(void **state) {
    (void)state;
    struct be_compare_options options = small;
    struct be_self_test test;
    options.workload[0] = "recurrence";
    options.variants = 0;
    options.sizes = 1;
    options.size[0] = 1000;
    progress_calls = cancel_at = 0;
    expect_failure(be_compare_self_test(&options, 1, &test, &error), BE_BUILD, "k_serial");
    options.device[0] = "cpu";
    options.devices = options.variants = 1;
    options.variant[0] = "scan";
    CHECK(be_compare_self_test(&options, 1, &test, &error));
    assert_int_equal(test.devices, 1);
    options.variant[0] = "as-written";
    expect_failure(be_compare_self_test(&options, 1, &test, &error), BE_USAGE, "no variant");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measure_right),
        cmocka_unit_test(test_measure_wrong),
        cmocka_unit_test(test_measure_failing_call),
        cmocka_unit_test(test_measure_cancelled),
        cmocka_unit_test(test_measure_shuffled),
        cmocka_unit_test_teardown(test_measure_too_large_for_device, close_session),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_more_threads_than_cores),
        cmocka_unit_test(test_compare_hot_and_cold),
        cmocka_unit_test(test_compare_cancelled),
        cmocka_unit_test(test_compare_usage),
        cmocka_unit_test(test_self_test),
        cmocka_unit_test(test_self_test_of_a_variant),
    };
    return cmocka_run_group_tests_name("compare", tests, open_places, close_places);
}
