/*
 * One case on the CPU and on the pretend device: what is right passes in every placement, and what
 * is wrong or too fast is caught. No times are asserted.
 */
#include "pretend_ceilings.h"

#include "bench.h"

#include "base/team.h"
#include "bench/case.h"

/* ---- workloads that are not as they should be ----------------------------------------------- */

static void host_forgets(const struct be_work *work) {
    struct be_work less = *work;
    less.items--;
    be_workload_power.variant[0].host(&less);
}

static void host_is_off(const struct be_work *work) {
    size_t first;
    size_t count;
    be_workload_power.variant[0].host(work);
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    if (count > 0) {
        ((float *)work->array[2])[first + count / 2] += 0.5f;
    }
}

static void host_does_nothing(const struct be_work *work) {
    (void)work;
}

/* On a machine that has become slow by the time that samples are taken again. */
static const struct be_result *slowing;

static void host_slows(const struct be_work *work) {
    const bool again = slowing->phase[BE_TOTAL].n > 0;
    const double start = be_now(&host_clock);
    be_workload_power.variant[0].host(work);
    while (again && be_now(&host_clock) - start < 1.5 * slowing->limit_s) {
    }
}

/* Right until it was checked, as what takes for done what is there. */
static const struct be_result *checked;

static void host_once(const struct be_work *work) {
    if (isnan(checked->residual)) {
        be_workload_power.variant[0].host(work);
    }
}

static enum be_status enqueue_once(const struct be_launch *launch, struct be_error *e) {
    return isnan(checked->residual) ? be_elementwise_enqueue(launch, e) : BE_OK;
}

static enum be_status enqueue_does_nothing(const struct be_launch *launch, struct be_error *e) {
    (void)launch, (void)e;
    return BE_OK;
}

static enum be_status enqueue_fails(const struct be_launch *launch, struct be_error *e) {
    (void)launch;
    return be_fail(e, BE_DRIVER, "the driver is in a bad mood");
}

static enum be_status enqueue_forgets(const struct be_launch *launch, struct be_error *e) {
    struct be_launch less = *launch;
    less.items--;
    return be_elementwise_enqueue(&less, e);
}

/* Always works on the first instance. */
static enum be_status enqueue_stays(const struct be_launch *launch, struct be_error *e) {
    struct be_launch first = *launch;
    first.first = 0;
    return be_elementwise_enqueue(&first, e);
}

static void shape_overstated(const struct be_problem *problem, struct be_shape *shape) {
    be_workload_power.shape(problem, shape);
    shape->bytes *= 1e40;
}

/* z *= y, where z begins as x. */
static void host_multiplies_here(const struct be_work *work) {
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        ((float *)work->array[2])[i] *= ((const float *)work->array[1])[i];
    }
}

static enum be_status enqueue_here(const struct be_launch *launch, struct be_error *e) {
    struct be_launch here = *launch;
    const struct be_buffer buffer[] = {launch->buffer[2], launch->buffer[1], launch->buffer[2]};
    here.buffer = buffer;
    return be_elementwise_enqueue(&here, e);
}

/* What the pretended memory takes 10 ms for. */
static void shape_large(const struct be_problem *problem, struct be_shape *shape) {
    be_workload_power.shape(problem, shape);
    shape->bytes = 1e28;
}

static void shape_tolerant(const struct be_problem *problem, struct be_shape *shape) {
    be_workload_power.shape(problem, shape);
    shape->tolerance = 1e30;
}

/* ---- cases ---------------------------------------------------------------------------------- */

/* A workload at one size on one place, made ready as bench/measure.c does. */
struct bench {
    struct be_place *place;
    struct be_data data;
    struct be_buffer buffer[BE_ARRAYS];
    struct be_scratch scratch;
    struct be_case c;
};

static void open_bench(struct bench *b, struct be_place *place, const struct be_workload *w,
                       uint64_t size, size_t instances) {
    const struct be_problem problem = problem_of(w, size);
    *b = (struct bench){.place = place};
    CHECK(be_data_open(&problem, instances, team, 1, &b->data, &error));
    CHECK(be_place_prepare(place, &problem, 0, &error));
    CHECK(be_scratch_open(place, &problem, 0, &b->scratch, &error));
    for (int i = 0; place->device && i < w->inputs + w->outputs; i++) {
        size_t bytes = b->data.shape.item_bytes[i] * b->data.stride * instances;
        CHECK(place->device->ops->alloc(place->device, bytes, &b->buffer[i], &error));
        memset((void *)b->buffer[i].handle, 0xff, bytes); /* host memory: a pretend device */
    }
}

static void start_case(struct bench *b, enum be_placement placement, enum be_cache cache) {
    be_case_free(&b->c);
    be_case_init(&b->c, b->place, &b->data, b->buffer, &b->scratch, 0, placement, cache);
}

static void upload(struct bench *b) {
    start_case(b, BE_RESIDENT, BE_HOT);
    CHECK(be_case_upload(&b->c, &error));
}

static void close_bench(struct bench *b) {
    be_case_free(&b->c);
    for (int i = 0; b->place->device && i < BE_ARRAYS; i++) {
        b->place->device->ops->release(b->place->device, &b->buffer[i]);
    }
    be_scratch_close(b->place, &b->scratch);
    be_data_close(&b->data);
    forget_code(b->place);
}

static enum be_placement placement_at(const struct be_place *place, int i) {
    return place->device ? (enum be_placement)(BE_COPY + i) : BE_HOST;
}

static void check_right(struct be_place *place, const struct be_workload *w, uint64_t size) {
    struct bench b;
    open_bench(&b, place, w, size, 3);
    if (place->device) {
        upload(&b);
    }
    for (int i = 0; i < (place->device ? 3 : 1); i++) {
        for (int cache = BE_HOT; cache < BE_CACHES; cache++) {
            start_case(&b, placement_at(place, i), (enum be_cache)cache);
            be_case_check(&b.c, &host_clock);
            const struct be_result *r = &b.c.result;
            if (r->status != BE_RESULT_OK) {
                fail_msg("%s of %d on %s, placement %d, cache %d: %s", w->name, (int)size,
                         place->info.id, (int)r->placement, cache, r->note);
            }
            assert_true(r->residual >= 0 && r->residual <= r->tolerance);
            assert_string_equal(r->note, "");
            assert_int_equal(r->phase[BE_FIRST].n, 1);
            assert_int_equal(r->phase[BE_FIRST].stop, BE_STOP_ONCE);
            assert_int_equal(r->phase[BE_TOTAL].n, 0);
            assert_int_equal(r->size, size);
            assert_int_equal(r->threads, place->threads);
            assert_true(r->limit_s > 0);
        }
    }
    close_bench(&b);
}

static void test_right_everywhere(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 7, 1000, 54773};
    /* Others: contract/test_workloads.c. */
    static const struct be_workload *const workloads[] = {&be_workload_power,
                                                          &be_workload_multiply};
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        for (size_t w = 0; w < BE_COUNT(workloads); w++) {
            check_right(&cpu, workloads[w], sizes[i]);
            check_right(&null, workloads[w], sizes[i]);
        }
    }
}

/* copy brings its inputs, preload and resident do not. */
static void test_inputs_come_with_copy(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, &null, &be_workload_power, 1000, 1);
    for (int placement = BE_PRELOAD; placement < BE_PLACEMENTS; placement++) {
        start_case(&b, (enum be_placement)placement, BE_HOT);
        be_case_check(&b.c, &host_clock);
        assert_int_equal(b.c.result.status, BE_RESULT_WRONG);
    }
    start_case(&b, BE_COPY, BE_HOT);
    be_case_check(&b.c, &host_clock);
    assert_int_equal(b.c.result.status, BE_RESULT_OK);
    close_bench(&b);
}

static const struct be_stop_rule brief = {
    .precision = 0.5, .least = 5, .budget_s = 2e-3, .patience = 20};

static void run_case(struct bench *b) {
    be_case_check(&b->c, &host_clock);
    if (b->c.result.status == BE_RESULT_OK) {
        CHECK(be_case_calibrate(&b->c, &host_clock, &error));
        assert_true(b->c.batch >= 1);
    }
    for (int i = 0; i == 0 || (i < 6 && be_cases_doubted(&b->c, 1)); i++) {
        while (b->c.stop == BE_STOP_NONE) {
            be_case_sample(&b->c, &host_clock, &brief);
        }
    }
    be_case_finish(&b->c, &host_clock, &brief, false);
}

static void check_wrong(struct be_place *place, const struct be_workload *w, enum be_cache cache,
                        bool is_nan) {
    struct bench b;
    open_bench(&b, place, w, 1000, 3);
    if (place->device) {
        upload(&b);
    }
    for (int i = 0; i < (place->device ? 3 : 1); i++) {
        start_case(&b, placement_at(place, i), cache);
        run_case(&b);
        const struct be_result *r = &b.c.result;
        assert_int_equal(r->status, BE_RESULT_WRONG);
        assert_non_null(strstr(r->note, "differs from the reference"));
        assert_true(!isnan(r->residual) != is_nan);
        assert_int_equal(r->phase[BE_TOTAL].n, 0); /* a wrong result has no time */
        assert_true(isnan(r->phase[BE_TOTAL].median_s));
        assert_int_equal(r->phase[BE_WORK].n, 0);
    }
    close_bench(&b);
}

static void test_wrong_is_caught(void **state) {
    (void)state;
    struct odd odd;
    set_odd(&odd, &be_workload_power);
    odd.variant.host = host_forgets;
    check_wrong(&cpu, &odd.workload, BE_HOT, true);
    check_wrong(&cpu, &odd.workload, BE_COLD, true);
    odd.variant.host = host_is_off;
    check_wrong(&cpu, &odd.workload, BE_HOT, false);
    set_odd(&odd, &be_workload_power);
    odd.variant.enqueue = enqueue_forgets;
    check_wrong(&null, &odd.workload, BE_HOT, true);
    check_wrong(&null, &odd.workload, BE_COLD, true);
    odd.variant.enqueue = enqueue_stays; /* hot it is right */
    check_wrong(&null, &odd.workload, BE_COLD, true);
    odd.workload.shape = shape_tolerant; /* NaN passes no tolerance */
    check_wrong(&null, &odd.workload, BE_COLD, true);
}

/* Right when it was checked, and in the calls that were timed no more: it has no time. */
static void test_wrong_when_timed(void **state) {
    (void)state;
    struct odd odd;
    struct bench b;
    set_odd(&odd, &be_workload_power);
    odd.variant.host = host_once;
    odd.variant.enqueue = enqueue_once;
    for (int device = 0; device <= 1; device++) {
        struct be_place *place = device ? &null : &cpu;
        open_bench(&b, place, &odd.workload, 1000, 1);
        checked = &b.c.result;
        if (device) {
            upload(&b);
        }
        for (int i = 0; i < (device ? 3 : 1); i++) {
            start_case(&b, placement_at(place, i), BE_HOT);
            run_case(&b);
            const struct be_result *r = &b.c.result;
            assert_int_equal(r->status, BE_RESULT_WRONG);
            assert_non_null(strstr(r->note, "after it was timed, not before"));
            for (int phase = 0; phase < BE_PHASES; phase++) {
                assert_int_equal(r->phase[phase].n, 0);
            }
        }
        close_bench(&b);
    }
}

/* What an earlier case left there, on either side, is not taken for a result. */
static void test_stale_results(void **state) {
    (void)state;
    struct be_place *places[] = {&cpu, &null};
    for (size_t i = 0; i < BE_COUNT(places); i++) {
        struct odd odd;
        struct bench b;
        set_odd(&odd, &be_workload_power);
        open_bench(&b, places[i], &odd.workload, 1000, 1);
        if (places[i]->device) {
            upload(&b);
        }
        for (int k = 0; k < (places[i]->device ? 3 : 1); k++) {
            odd.variant.host = be_workload_power.variant[0].host;
            odd.variant.enqueue = be_workload_power.variant[0].enqueue;
            start_case(&b, placement_at(places[i], k), BE_HOT);
            be_case_check(&b.c, &host_clock);
            assert_int_equal(b.c.result.status, BE_RESULT_OK);
            odd.variant.host = host_does_nothing;
            odd.variant.enqueue = enqueue_does_nothing;
            start_case(&b, placement_at(places[i], k), BE_HOT);
            be_case_check(&b.c, &host_clock);
            assert_int_equal(b.c.result.status, BE_RESULT_WRONG);
        }
        close_bench(&b);
    }
}

/* An update in place finds its inputs where its outputs will be, in every placement, and only there; one
 * that does nothing leaves them, which is not the result; and the inputs stay for who comes after. */
static void test_in_place(void **state) {
    (void)state;
    struct be_place *places[] = {&cpu, &null};
    for (size_t i = 0; i < BE_COUNT(places); i++) {
        struct odd odd;
        struct bench b;
        set_odd(&odd, &be_workload_multiply);
        open_bench(&b, places[i], &odd.workload, 1000, 3);
        if (places[i]->device) {
            upload(&b);
        }
        for (int k = 0; k < (places[i]->device ? 6 : 2); k++) {
            const enum be_placement placement = placement_at(places[i], k / 2);
            const enum be_cache cache = k % 2 ? BE_COLD : BE_HOT;
            odd.variant.in_place = true;
            odd.variant.host = host_multiplies_here;
            odd.variant.enqueue = enqueue_here;
            start_case(&b, placement, cache);
            run_case(&b);
            assert_string_equal(b.c.result.note, "");
            assert_int_equal(b.c.result.status, BE_RESULT_OK);
            odd.variant.host = host_does_nothing;
            odd.variant.enqueue = enqueue_does_nothing;
            start_case(&b, placement, cache);
            be_case_check(&b.c, &host_clock);
            assert_int_equal(b.c.result.status, BE_RESULT_WRONG);
            assert_true(b.c.result.residual > 0.1); /* it is the inputs, and no NaN */
            odd.variant = be_workload_multiply.variant[0];
            start_case(&b, placement, cache);
            be_case_check(&b.c, &host_clock);
            assert_int_equal(b.c.result.status, BE_RESULT_OK);
        }
        close_bench(&b);
    }
}

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

/* What a case must at least do, from hand-made ceilings. */
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
    CHECK(be_ceilings_cpu(team, 1e6, (struct be_cancel){0}, &place.ceilings, &error));
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

/* A neighbour came while it was sampled: what the limits, measured again, do not clear, samples taken
 * beside them do. */
static void test_slower_by_now(void **state) {
    (void)state;
    struct odd odd;
    struct bench b;
    struct be_place place = cpu;
    CHECK(be_ceilings_cpu(team, 1e6, (struct be_cancel){0}, &place.ceilings, &error));
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
        cmocka_unit_test(test_right_everywhere),
        cmocka_unit_test(test_inputs_come_with_copy),
        cmocka_unit_test(test_wrong_is_caught),
        cmocka_unit_test(test_wrong_when_timed),
        cmocka_unit_test(test_stale_results),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_too_fast),
        cmocka_unit_test(test_slower_by_now),
        cmocka_unit_test(test_all_are_sampled_again),
        cmocka_unit_test(test_as_published),
        cmocka_unit_test(test_as_published_that_fails),
    };
    return cmocka_run_group_tests_name("case", tests, open_places, close_places);
}
