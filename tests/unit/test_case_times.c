/*
 * The times of a case on the CPU and on the pretend device: their phases and limits, and what becomes of
 * those that the hardware cannot have taken. No times are asserted.
 */
#include "pretend_ceilings.h"

#include "case_bench.h"

#include "builtin/builtin.h"
#include "host/team.h"

/* ---- workloads that are not as they should be ----------------------------------------------- */

/* The result of the case that host_slows is called for. */
static const struct be_result *slowing;

static void take(double seconds) {
    const double start = be_now(&host_clock);
    while (be_now(&host_clock) - start < seconds) {
    }
}

/* On a machine that has become slow by the time that samples are taken again. Even before, a call is as long as
 * a sample at least: one of many short calls would then take as many times as long. */
static void host_slows(const struct be_work *work) {
    const bool again = slowing->phase[BE_TOTAL].n > 0;
    be_workload_power.variant[0].host(work);
    take(again ? 1.5 * slowing->limit_s : BE_SAMPLE_MIN_S);
}

static enum be_status enqueue_fails(const struct be_launch *launch, struct be_error *e) {
    (void)launch;
    return be_fail(e, BE_DRIVER, "the driver is in a bad mood");
}

static void shape_overstated(const struct be_problem *problem, struct be_shape *shape) {
    be_workload_power.shape(problem, shape);
    shape->bytes *= 1e40;
}

/* A shape that takes the pretended memory 10 ms. */
static void shape_large(const struct be_problem *problem, struct be_shape *shape) {
    be_workload_power.shape(problem, shape);
    shape->bytes = 1e28;
}

/* ---- cases ---------------------------------------------------------------------------------- */

static void test_phases(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, &null, &be_workload_multiply, 1000, 2);
    upload(&b);
    for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
        for (int cache = BE_HOT; cache <= BE_COLD; cache++) {
            start_case(&b, (enum be_placement)placement, (enum be_cache)cache);
            run_case(&b);
            const struct be_result *r = &b.c.result;
            assert_int_equal(r->status, BE_RESULT_OK);
            assert_int_equal(r->phase[BE_TOTAL].n, b.c.total.count);
            assert_true(r->phase[BE_TOTAL].n > 0);
            assert_int_not_equal(r->phase[BE_TOTAL].stop, BE_STOP_NONE);
            assert_true(r->phase[BE_WORK].n > 0);
            assert_int_equal(r->phase[BE_IN].n > 0, placement == BE_COPY);
            assert_int_equal(r->phase[BE_OUT].n > 0, placement != BE_RESIDENT);
        }
    }
    close_bench(&b);
    open_bench(&b, &cpu, &be_workload_multiply, 1000, 2);
    start_case(&b, BE_HOST, BE_COLD);
    run_case(&b);
    assert_int_equal(b.c.result.status, BE_RESULT_OK);
    assert_int_equal(b.c.result.phase[BE_WORK].n, b.c.result.phase[BE_TOTAL].n);
    assert_int_equal(b.c.result.phase[BE_IN].n, 0);
    close_bench(&b);
}

static int asked_for[3]; /* how often the CPU code was to do all, the first pass, the second */

static void host_in_passes(const struct be_work *work) {
    if (work->member == 0) {
        asked_for[work->pass]++;
    }
    be_workload_multiply.variant[0].host(work);
}

static enum be_status enqueue_in_passes(const struct be_launch *launch, struct be_error *e) {
    asked_for[launch->pass]++;
    return be_elementwise_enqueue(launch, e);
}

/* Once for the CPU and once for a device, where the data are in the cache; then calls are whole again. */
static void test_passes(void **state) {
    static const char *const passes[] = {"one", "two", NULL};
    struct odd odd;
    struct bench b;
    (void)state;
    set_odd(&odd, &be_workload_multiply);
    odd.variant.passes = passes;
    odd.variant.host = host_in_passes;
    odd.variant.enqueue = enqueue_in_passes;
    for (int placement = BE_HOST; placement < BE_PLACEMENTS; placement++) {
        for (int cache = BE_HOT; cache <= BE_COLD; cache++) {
            open_bench(&b, placement == BE_HOST ? &cpu : &null, &odd.workload, 1000, 2);
            if (placement != BE_HOST) {
                upload(&b);
            }
            memset(asked_for, 0, sizeof asked_for);
            start_case(&b, (enum be_placement)placement, (enum be_cache)cache);
            run_case(&b);
            const struct be_result *r = &b.c.result;
            const bool timed =
                cache == BE_HOT && (placement == BE_HOST || placement == BE_RESIDENT);
            assert_int_equal(r->status, BE_RESULT_OK);
            assert_int_equal(r->passes, timed ? 2 : 0);
            assert_true(asked_for[0] > 0);
            for (int i = 0; i < r->passes; i++) {
                assert_string_equal(r->pass[i].name, passes[i]);
                assert_true(r->pass[i].time.n > 0 && asked_for[i + 1] > 0);
            }
            assert_int_equal(b.c.pass, 0);
            close_bench(&b);
        }
    }
}

/* The least that a case must do, from hand-made ceilings. */
static void test_limits(void **state) {
    (void)state;
    struct be_place place = null;
    place.ceilings = (struct be_ceilings){
        .memory = {{.bytes = 1e4, .rate = 100e9}, {.bytes = 3e4, .rate = 10e9}},
        .points = 2,
        .cache_bytes = 2e4,
        .operations = {1e15, 1e15, 1e15, 1e15},
        .bus_in = 1e9,
        .bus_out = 2e9};
    static const struct {
        enum be_placement placement;
        enum be_cache cache;
        double limit_s;
        enum be_limit by;
    } sample[] = {
        {BE_RESIDENT, BE_HOT, 12e3 / 100e9, BE_BY_CACHE},
        {BE_RESIDENT, BE_COLD, 12e3 / 10e9, BE_BY_MEMORY}, /* three instances of 12 kB */
        {BE_PRELOAD, BE_HOT, 4e3 / 2e9, BE_BY_BUS},
        {BE_COPY, BE_HOT, 8e3 / 1e9, BE_BY_BUS},
    };
    struct bench b;
    open_bench(&b, &place, &be_workload_power, 1000, 3);
    upload(&b);
    for (size_t i = 0; i < BE_COUNT(sample); i++) {
        start_case(&b, sample[i].placement, sample[i].cache);
        be_case_check(&b.c, &host_clock);
        assert_true(fabs(b.c.result.limit_s / sample[i].limit_s - 1) < 1e-9);
        assert_int_equal(b.c.result.limit_by, sample[i].by);
    }
    place.ceilings.operations[BE_PLAIN32] = 1e9;
    start_case(&b, BE_COPY, BE_HOT);
    be_case_check(&b.c, &host_clock);
    assert_int_equal(b.c.result.limit_by, BE_BY_OPERATIONS);
    assert_true(fabs(b.c.result.limit_s / 20e-6 - 1) < 1e-9);
    close_bench(&b);
}

/* A ceiling that is too low is doubted first: measured again, it clears an honest result. And
 * what is faster than any ceiling is not a result. */
static void test_too_fast(void **state) {
    (void)state;
    struct bench b;
    struct be_place place = cpu;
    CHECK(be_ceilings_cpu(team, 1e6, INFINITY, (struct be_cancel){0}, &place.ceilings, &error));
    for (int i = 0; i < place.ceilings.points; i++) {
        place.ceilings.memory[i].rate = 1;
    }
    for (int i = 0; i < BE_ARITHMETICS; i++) {
        place.ceilings.operations[i] = 1;
    }
    open_bench(&b, &place, &be_workload_power, 1000, 1);
    start_case(&b, BE_HOST, BE_HOT);
    run_case(&b);
    if (b.c.result.status != BE_RESULT_OK) {
        fail_msg("%s", b.c.result.note);
    }
    assert_true(place.ceilings.operations[BE_PLAIN32] > 1e6 && place.ceilings.memory[0].rate > 1e6);
    close_bench(&b);

    struct be_workload overstated = be_workload_power;
    overstated.shape = shape_overstated;
    open_bench(&b, &place, &overstated, 1000, 1);
    start_case(&b, BE_HOST, BE_HOT);
    run_case(&b);
    assert_int_equal(b.c.result.status, BE_RESULT_IMPOSSIBLE);
    assert_non_null(strstr(b.c.result.note, "faster than the hardware allows"));
    assert_null(strstr(b.c.result.note, "clock stopped")); /* nothing runs on behind it here */
    close_bench(&b);
}

/* A limit is measured too: a twentieth below it is not called impossible, what is below that is. */
static void test_just_too_fast(void **state) {
    (void)state;
    struct bench b;
    struct be_place place = null;
    place.silicon = &cpu; /* measured again, at once, its limits stay */
    struct be_workload large = be_workload_power;
    large.shape = shape_large;
    open_bench(&b, &place, &large, 1000, 1);
    upload(&b);
    for (int below = 0; below <= 1; below++) {
        start_case(&b, BE_RESIDENT, BE_HOT);
        be_case_check(&b.c, &host_clock);
        const double limit_s = b.c.result.limit_s;
        assert_true(limit_s > 0);
        CHECK(be_samples_add(&b.c.total, (below ? 0.949 : 0.951) * limit_s, &error));
        assert_int_equal(be_case_is_doubted(&b.c), below);
        assert_true(b.c.result.limit_s == limit_s);
    }
    close_bench(&b);
}

/* A neighbour came while it was sampled: what the limits, measured again, do not clear, samples taken
 * beside them do. */
static void test_slower_by_now(void **state) {
    (void)state;
    struct odd odd;
    struct bench b;
    struct be_place place = cpu;
    CHECK(be_ceilings_cpu(team, 1e6, INFINITY, (struct be_cancel){0}, &place.ceilings, &error));
    set_odd(&odd, &be_workload_power);
    odd.workload.shape = shape_large;
    odd.variant.host = host_slows;
    open_bench(&b, &place, &odd.workload, 1000, 1);
    start_case(&b, BE_HOST, BE_HOT);
    slowing = &b.c.result;
    run_case(&b);
    if (b.c.result.status != BE_RESULT_OK) {
        fail_msg("%s", b.c.result.note);
    }
    assert_true(b.c.result.phase[BE_TOTAL].median_s > b.c.result.limit_s);
    assert_int_equal(b.c.result.phase[BE_TOTAL].n, b.c.total.count);
    close_bench(&b);
}

/* Samples of other rounds are no pairs: where one case is taken again, those beside it are too. */
static void test_all_are_sampled_again(void **state) {
    (void)state;
    struct bench b[2];
    struct be_case c[3];
    struct be_place slow = cpu;
    struct be_place place = cpu;
    slow.ceilings.memory[0].rate = 1e30;
    slow.ceilings.operations[BE_PLAIN32] = 1e30;
    struct be_workload overstated = be_workload_power;
    overstated.shape = shape_overstated;
    open_bench(&b[0], &slow, &be_workload_power, 1000, 1);
    open_bench(&b[1], &place, &overstated, 1000, 1);
    for (int doubted = 0; doubted <= 1; doubted++) {
        for (int i = 0; i < 2; i++) {
            start_case(&b[i], BE_HOST, BE_HOT);
            be_case_check(&b[i].c, &host_clock);
            assert_int_equal(b[i].c.result.status, BE_RESULT_OK);
            c[i] = b[i].c;
            assert_int_equal(be_samples_add(&c[i].total, i == 1 && doubted ? 1e-9 : 1e200, &error),
                             BE_OK);
            c[i].stop = BE_STOP_BUDGET;
        }
        c[2] = c[0];
        c[2].result.status = BE_RESULT_SKIPPED;
        c[2].stop = BE_STOP_ONCE;
        assert_int_equal(be_cases_doubted(c, 3), doubted);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(c[i].total.count, !doubted);
            assert_int_equal(c[i].stop, doubted ? BE_STOP_NONE : BE_STOP_BUDGET);
            be_samples_free(&c[i].total);
        }
        assert_int_equal(c[2].stop, BE_STOP_ONCE);
    }
    close_bench(&b[0]);
    close_bench(&b[1]);
}

/* A device whose own clock, and how long a call takes, are others once samples are taken again. */
static double clock_hz[2]; /* before that, and then */

static bool is_again(void) {
    return slowing->phase[BE_TOTAL].n > 0;
}

static double look(void *context) {
    double *now_s = context;
    *now_s += is_again() ? 0.2 : 0.002; /* the limit is 10 ms */
    return *now_s;
}

static void state_of_clock(struct be_device *device, struct be_device_state *state) {
    (void)device;
    *state = (struct be_device_state){
        .clock_hz = clock_hz[is_again()], .clock_max_hz = 2e9, .temperature_c = NAN};
}

/* The clock beside samples that count no more does not count either. */
static void test_clock_beside_samples_again(void **state) {
    (void)state;
    static const double slow_hz = 1.49e9,
                        full_hz = 1.51e9; /* slow is what is below 0.75 of 2 GHz */
    const struct be_device_ops *real = null.device->ops;
    struct be_device_ops ops = *real;
    struct be_extra_ops extras = *real->extras;
    extras.state = state_of_clock;
    ops.extras = &extras;
    struct be_place place = null;
    place.silicon = &cpu; /* whose limits do not rise */
    struct be_workload large = be_workload_power;
    large.shape = shape_large;
    for (int slow_again = 0; slow_again <= 1; slow_again++) {
        double now_s = 1;
        const struct be_clock clock = {.now = look, .context = &now_s, .step_s = 1e-9};
        struct bench b;
        clock_hz[0] = slow_again ? full_hz : slow_hz;
        clock_hz[1] = slow_again ? slow_hz : full_hz;
        open_bench(&b, &place, &large, 1000, 1);
        upload(&b);
        slowing = &b.c.result;
        start_case(&b, BE_RESIDENT, BE_HOT);
        null.device->ops = &ops;
        run_case_by(&b, &clock);
        null.device->ops = real;
        assert_string_equal(b.c.result.note, "");
        assert_int_equal(b.c.result.phase[BE_TOTAL].n, b.c.total.count);
        assert_int_equal(b.c.result.slow_clock, slow_again ? b.c.total.count : 0);
        assert_true(b.c.result.clock_hz == clock_hz[1]);
        close_bench(&b);
    }
}

/* A call takes what is said here, and time goes only with calls. */
static struct {
    double now_s, first_s, later_s;
    int calls;
} told;

static double tell(void *context) {
    (void)context;
    return told.now_s;
}

static void host_slow_at_first(const struct be_work *work) {
    be_workload_power.variant[0].host(work);
    if (work->member == 0) {
        told.now_s += told.calls++ ? told.later_s : told.first_s;
    }
}

/* One slow first call makes no long case of a short one. A call that takes a second is not made
 * twice. */
static void test_slow_at_first(void **state) {
    (void)state;
    static const struct {
        double first_s, later_s;
        long batch;
        int calibrate, sample, check_again; /* calls */
    } known[] = {
        {10e-6, 10e-6, 100, 1 + 1 + 1 + 100, 1 + 100, 1},
        {0.06, 10e-6, 100, 1 + 1 + 1 + 1 + 100, 1 + 100, 1},
        {0.9, 2e-3, 1, 1 + 2 + 2, 1 + 1, 1},
        {0.06, 0.07, 1, 1, 1, 0},
        {1, 10e-6, 1, 0, 1, 0},
    };
    const struct be_clock clock = {.now = tell, .step_s = 1e-9};
    struct odd odd;
    struct bench b;
    set_odd(&odd, &be_workload_power);
    odd.variant.host = host_slow_at_first;
    open_bench(&b, &cpu, &odd.workload, 1000, 1);
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        told.first_s = known[i].first_s;
        told.later_s = known[i].later_s;
        told.calls = 0;
        start_case(&b, BE_HOST, BE_HOT);
        be_case_check(&b.c, &clock);
        assert_int_equal(told.calls, 1);
        CHECK(be_case_calibrate(&b.c, &clock, &error));
        assert_true(fabs(b.c.result.phase[BE_FIRST].median_s - told.first_s) < 1e-9);
        assert_in_range(b.c.batch, known[i].batch, known[i].batch + 1);
        assert_in_range(told.calls - 1, known[i].calibrate, known[i].calibrate + 1);
        told.calls = 1;
        be_case_sample(&b.c, &clock, &brief);
        assert_in_range(told.calls - 1, known[i].sample, known[i].sample + 1);
        told.calls = 1;
        be_case_check_again(&b.c, &clock);
        assert_int_equal(told.calls - 1, known[i].check_again);
        assert_int_equal(b.c.result.status, BE_RESULT_OK);
    }
    close_bench(&b);
}

static void test_as_published(void **state) {
    (void)state;
    struct bench b;
    struct be_result r;
    struct be_place place = null;
    open_bench(&b, &place, &be_workload_power, 1000, 1);
    upload(&b);
    for (int slow = 0; slow <= 1; slow++) {
        place.ceilings.memory[0].rate = slow ? 1 : 1e30;
        start_case(&b, BE_RESIDENT, BE_HOT);
        be_case_check(&b.c, &host_clock);
        be_case_as_published(&b.c, &host_clock, &r);
        assert_string_equal(r.variant, "as-published");
        assert_int_equal(r.status, slow ? BE_RESULT_IMPOSSIBLE : BE_RESULT_SKIPPED);
        assert_non_null(strstr(r.note, "never counted"));
        assert_true(isnan(r.residual));
        assert_true(r.phase[BE_TOTAL].n > 0);
        assert_string_equal(b.c.result.variant, "plain"); /* the case itself is as it was */
    }
    close_bench(&b);
}

/* No time, and no rate that was worked out of none. */
static void test_as_published_that_fails(void **state) {
    (void)state;
    struct odd odd;
    struct bench b;
    struct be_result r;
    set_odd(&odd, &be_workload_power);
    open_bench(&b, &null, &odd.workload, 1000, 1);
    upload(&b);
    start_case(&b, BE_RESIDENT, BE_HOT);
    be_case_check(&b.c, &host_clock);
    odd.variant.enqueue = enqueue_fails;
    be_case_as_published(&b.c, &host_clock, &r);
    assert_int_equal(r.status, BE_RESULT_FAILED);
    assert_string_equal(r.note, "the driver is in a bad mood");
    assert_int_equal(r.phase[BE_TOTAL].n, 0);
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_too_fast),
        cmocka_unit_test(test_just_too_fast),
        cmocka_unit_test(test_slower_by_now),
        cmocka_unit_test(test_all_are_sampled_again),
        cmocka_unit_test(test_clock_beside_samples_again),
        cmocka_unit_test(test_slow_at_first),
        cmocka_unit_test(test_as_published),
        cmocka_unit_test(test_as_published_that_fails),
    };
    return cmocka_run_group_tests_name("case_times", tests, open_places, close_places);
}
