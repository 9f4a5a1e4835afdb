/*
 * Data, cases and whole comparisons, on the CPU and on the pretend device: what is right passes in
 * every placement, and what is wrong, too fast or fails half-way is caught. No times are asserted.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/team.h"
#include "bench/session.h"
#include "workload/elementwise.h"

static struct be_cores cores;
static struct be_clock host_clock;
static struct be_team *team;
static struct be_place cpu, null; /* opened by hand: ceilings so high that every limit is ~0 */
static struct be_error error;

#define CHECK(call) check(call, #call, __LINE__)
static void check(enum be_status status, const char *call, int line) {
    if (status != BE_OK) {
        fail_msg("line %d: %s: %s: %s", line, call, be_status_name(status), error.text);
    }
}

static void expect_failure(enum be_status status, enum be_status expected, const char *word) {
    if (status != expected || !strstr(error.text, word)) {
        fail_msg("\"%s\" with \"%s\" was expected, not \"%s\" with \"%s\"",
                 be_status_name(expected), word, be_status_name(status), error.text);
    }
}

static const struct be_ceilings sky = {
    .memory = {{1e3, 1e30}},
    .points = 1,
    .cache_bytes = 1e6,
    .operations = 1e30,
    .bus_in = 1e30,
    .bus_out = 1e30,
    .launch_s = 0,
};

static int open_places(void **state) {
    (void)state;
    struct be_machine machine;
    setenv("BREAKEVEN_NULL", "1", 1);
    host_clock = be_clock_host();
    CHECK(be_machine_describe(&machine, &error));
    CHECK(be_cores_find(&cores, &error));
    CHECK(be_team_open(&cores, 3, &team, &error));
    cpu = (struct be_place){.info = machine.device[0], .threads = 3, .team = team, .ceilings = sky};
    null = (struct be_place){
        .info = machine.device[machine.devices - 1], .team = team, .ceilings = sky};
    assert_string_equal(cpu.info.id, "cpu");
    assert_string_equal(null.info.id, "null:0");
    const struct be_device_ops *ops = be_device_backend("null");
    CHECK(ops->open(&null.info, team, &null.device, &error));
    CHECK(be_stage_open(null.device, team, &null.stage, &error));
    return 0;
}

static int close_places(void **state) {
    (void)state;
    be_place_close(&null);
    be_team_close(team);
    return 0;
}

/* ---- workloads that are not as they should be ----------------------------------------------- */

/* multiply, its reference rounded to what z can hold: z can be exactly right. */
static void reference_of_floats(void *const *array, double *z, size_t first, size_t items) {
    be_workload_multiply.reference(array, z, first, items);
    for (size_t i = first; i < first + items; i++) {
        z[i] = (double)(float)z[i];
    }
}

static void host_forgets(void *const *array, size_t first, size_t items, bool past_cache) {
    be_workload_power.host(array, first, items - 1, past_cache);
}

static void host_is_off(void *const *array, size_t first, size_t items, bool past_cache) {
    be_workload_power.host(array, first, items, past_cache);
    ((float *)array[2])[first + items / 2] += 0.5f;
}

static void host_does_nothing(void *const *array, size_t first, size_t items, bool past_cache) {
    (void)array, (void)first, (void)items, (void)past_cache;
}

static enum be_status enqueue_does_nothing(struct be_device *device, enum be_queue queue,
                                           const struct be_prepared *prepared,
                                           const struct be_buffer *buffer, size_t first,
                                           size_t items, struct be_error *e) {
    (void)device, (void)queue, (void)prepared, (void)buffer, (void)first, (void)items, (void)e;
    return BE_OK;
}

static enum be_status enqueue_forgets(struct be_device *device, enum be_queue queue,
                                      const struct be_prepared *prepared,
                                      const struct be_buffer *buffer, size_t first, size_t items,
                                      struct be_error *e) {
    return be_elementwise_enqueue(device, queue, prepared, buffer, first, items - 1, e);
}

/* Always works on the first instance. */
static enum be_status enqueue_stays(struct be_device *device, enum be_queue queue,
                                    const struct be_prepared *prepared,
                                    const struct be_buffer *buffer, size_t first, size_t items,
                                    struct be_error *e) {
    (void)first;
    return be_elementwise_enqueue(device, queue, prepared, buffer, 0, items, e);
}

/* Fails at call number `fail_at`, counted from 1, or from when it is armed; always: -1. */
static long enqueued, fail_at;

static enum be_status enqueue_fails(struct be_device *device, enum be_queue queue,
                                    const struct be_prepared *prepared,
                                    const struct be_buffer *buffer, size_t first, size_t items,
                                    struct be_error *e) {
    enqueued++;
    if (fail_at < 0 || enqueued == fail_at) {
        return be_fail(e, BE_DRIVER, "launch: pretend trouble");
    }
    return be_elementwise_enqueue(device, queue, prepared, buffer, first, items, e);
}

static double bytes_overstated(uint64_t size) {
    return 1e6 * be_elementwise_bytes(size);
}

/* ---- data ----------------------------------------------------------------------------------- */

static void write_reference(struct be_data *data, size_t instance, double factor) {
    float *z = data->array[2];
    const double *reference = data->reference.memory;
    for (size_t i = 0; i < data->items; i++) {
        size_t at = instance * data->stride + i;
        z[at] = (float)(factor * reference[at]);
    }
}

static void test_data_residual(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 7, 64, 1000, 54773};
    struct be_workload exact = be_workload_multiply;
    exact.reference = reference_of_floats;
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        struct be_data data = {0};
        CHECK(be_data_open(&exact, sizes[i], 3, team, 1, &data, &error));
        float *z = data.array[2];
        assert_true(isnan(be_data_residual(&data, 1))); /* nothing was computed yet */
        for (size_t instance = 0; instance < 3; instance++) {
            write_reference(&data, instance, 1);
        }
        assert_true(be_data_residual(&data, 0) == 0 && be_data_residual(&data, 1) == 0 &&
                    be_data_residual(&data, 2) == 0);
        write_reference(&data, 1, 1.5);
        assert_true(fabs(be_data_residual(&data, 1) - 0.5) < 1e-6);
        assert_true(be_data_residual(&data, 0) == 0 && be_data_residual(&data, 2) == 0);
        write_reference(&data, 1, 1);
        for (size_t at = 0; at<data.items; at += data.items> 1 ? data.items - 1 : 1) {
            z[data.stride + at] = NAN; /* the first and the last */
            assert_true(isnan(be_data_residual(&data, 1)));
            write_reference(&data, 1, 1);
        }
        z[data.stride] = INFINITY;
        assert_false(be_data_residual(&data, 1) <= 1e30);
        be_data_close(&data);
    }
}

static void test_data_poison(void **state) {
    (void)state;
    struct be_data data = {0};
    CHECK(be_data_open(&be_workload_multiply, 1000, 2, team, 1, &data, &error));
    write_reference(&data, 0, 1);
    write_reference(&data, 1, 1);
    float x = ((float *)data.array[0])[data.stride];
    be_data_poison(&data, 1);
    const float *z = data.array[2];
    for (size_t i = 0; i < data.items; i++) {
        assert_true(isnan(z[data.stride + i]));
        assert_true(!isnan(z[i]));
    }
    assert_true(isnan(be_data_residual(&data, 1)));
    assert_true(be_data_residual(&data, 0) < 1e-6);
    assert_true(((float *)data.array[0])[data.stride] == x);
    be_data_close(&data);
    be_data_close(&data);
}

static void test_data_layout(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 7, 63, 64, 65, 1000, 54773};
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        struct be_data data = {0};
        const struct be_workload *w = &be_workload_power;
        CHECK(be_data_open(w, sizes[i], 4, team, 1, &data, &error));
        assert_int_equal(data.items, sizes[i]);
        assert_true(data.stride >= data.items && data.stride < data.items + w->host_grain);
        assert_int_equal(data.stride % w->host_grain, 0);
        for (int a = 0; a < 3; a++) {
            assert_int_equal((uintptr_t)data.array[a] % 64, 0);
            assert_int_equal(data.stride * w->array[a].item_bytes % 64, 0);
            assert_true(data.pages[a].bytes >= 4 * data.stride * sizeof(float));
        }
        assert_true(be_data_device_bytes(w, sizes[i], 4) == 12.0 * (double)data.stride * 4);
        assert_true(be_data_bytes(w, sizes[i], 4) == 20.0 * (double)data.stride * 4);
        be_data_close(&data);
    }
}

static void test_data_instances(void **state) {
    (void)state;
    const struct be_workload *w = &be_workload_power;
    for (uint64_t size = 1; size < 100000000; size *= 7) {
        double cache_bytes = 32e6;
        double one = be_data_device_bytes(w, size, 1);
        size_t instances = be_data_instances(w, size, cache_bytes);
        assert_true(instances >= 1);
        assert_true((double)instances * one >= 4 * cache_bytes); /* several caches */
        assert_true(instances == 1 || (double)instances * one <= 16 * cache_bytes + one);
    }
    assert_int_equal(be_data_instances(w, 1000, NAN), 1);
}

static void test_data_inputs(void **state) {
    (void)state;
    struct be_team *alone = NULL;
    struct be_data one = {0};
    struct be_data other = {0};
    CHECK(be_team_open(&cores, 1, &alone, &error));
    CHECK(be_data_open(&be_workload_power, 5000, 2, alone, 7, &one, &error));
    CHECK(be_data_open(&be_workload_power, 5000, 2, team, 7, &other, &error));
    size_t bytes = 2 * one.stride * sizeof(float);
    assert_memory_equal(one.array[0], other.array[0], bytes);
    assert_memory_equal(one.array[1], other.array[1], bytes);
    assert_memory_equal(one.reference.memory, other.reference.memory, 2 * bytes);
    assert_memory_not_equal(one.array[0], one.array[1], bytes);
    be_data_close(&other);
    CHECK(be_data_open(&be_workload_power, 5000, 2, team, 8, &other, &error));
    assert_memory_not_equal(one.array[0], other.array[0], bytes);
    be_data_close(&other);
    be_data_close(&one);
    be_team_close(alone);
}

static void test_data_absurd(void **state) {
    (void)state;
    struct be_data data = {0};
    expect_failure(be_data_open(&be_workload_power, (uint64_t)1 << 50, 1, team, 1, &data, &error),
                   BE_NOMEM, "power of size 1125899906842624");
    be_data_close(&data);
}

/* ---- cases ---------------------------------------------------------------------------------- */

/* A workload at one size on one place, made ready as bench/measure.c does. */
struct bench {
    struct be_place *place;
    struct be_data data;
    struct be_buffer buffer[BE_ARRAYS];
    struct be_case c;
};

static void open_bench(struct bench *b, struct be_place *place, const struct be_workload *w,
                       uint64_t size, size_t instances) {
    *b = (struct bench){.place = place};
    CHECK(be_data_open(w, size, instances, team, 1, &b->data, &error));
    CHECK(be_place_prepare(place, w, &error));
    for (int i = 0; place->device && i < w->inputs + w->outputs; i++) {
        size_t bytes = w->array[i].item_bytes * b->data.stride * instances;
        CHECK(place->device->ops->alloc(place->device, bytes, &b->buffer[i], &error));
        memset((void *)b->buffer[i].handle, 0xff, bytes); /* host memory: a pretend device */
    }
}

static void start_case(struct bench *b, enum be_placement placement, enum be_cache cache) {
    be_case_free(&b->c);
    be_case_init(&b->c, b->place, &b->data, b->buffer, placement, cache);
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
    be_data_close(&b->data);
    if (b->place->workload) { /* the tables of some tests lie on their stacks */
        b->place->workload->discard(b->place->device, &b->place->prepared);
        b->place->workload = NULL;
    }
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
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        for (int w = 0; be_workloads[w]; w++) {
            check_right(&cpu, be_workloads[w], sizes[i]);
            check_right(&null, be_workloads[w], sizes[i]);
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
    while (b->c.stop == BE_STOP_NONE) {
        be_case_sample(&b->c, &host_clock, &brief);
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
    struct be_workload broken = be_workload_power;
    broken.host = host_forgets;
    check_wrong(&cpu, &broken, BE_HOT, true);
    check_wrong(&cpu, &broken, BE_COLD, true);
    broken.host = host_is_off;
    check_wrong(&cpu, &broken, BE_HOT, false);
    broken = be_workload_power;
    broken.enqueue = enqueue_forgets;
    check_wrong(&null, &broken, BE_HOT, true);
    check_wrong(&null, &broken, BE_COLD, true);
    broken.enqueue = enqueue_stays; /* hot it is right */
    check_wrong(&null, &broken, BE_COLD, true);
    broken.tolerance = 1e30; /* NaN passes no tolerance */
    check_wrong(&null, &broken, BE_COLD, true);
}

/* What an earlier case left there, on either side, is not taken for a result. */
static void test_stale_results(void **state) {
    (void)state;
    struct be_place *places[] = {&cpu, &null};
    for (size_t i = 0; i < BE_COUNT(places); i++) {
        struct be_workload w = be_workload_power;
        struct bench b;
        open_bench(&b, places[i], &w, 1000, 1);
        if (places[i]->device) {
            upload(&b);
        }
        for (int k = 0; k < (places[i]->device ? 3 : 1); k++) {
            w.host = be_workload_power.host;
            w.enqueue = be_workload_power.enqueue;
            start_case(&b, placement_at(places[i], k), BE_HOT);
            be_case_check(&b.c, &host_clock);
            assert_int_equal(b.c.result.status, BE_RESULT_OK);
            w.host = host_does_nothing;
            w.enqueue = enqueue_does_nothing;
            start_case(&b, placement_at(places[i], k), BE_HOT);
            be_case_check(&b.c, &host_clock);
            assert_int_equal(b.c.result.status, BE_RESULT_WRONG);
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
    place.ceilings = (struct be_ceilings){.memory = {{1e4, 100e9}, {3e4, 10e9}},
                                          .points = 2,
                                          .cache_bytes = 2e4,
                                          .operations = 1e15,
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
    place.ceilings.operations = 1e9;
    start_case(&b, BE_COPY, BE_HOT);
    be_case_check(&b.c, &host_clock);
    assert_int_equal(b.c.result.limit_by, BE_BY_OPERATIONS);
    assert_true(fabs(b.c.result.limit_s / 24e-6 - 1) < 1e-9);
    close_bench(&b);
}

/* A ceiling that is too low is doubted first: measured again, it clears an honest result. And
 * what is faster than any ceiling is not a result. */
static void test_too_fast(void **state) {
    (void)state;
    struct bench b;
    struct be_place place = cpu;
    CHECK(be_ceilings_cpu(team, 1e6, &place.ceilings, &error)); /* of a small cache: quick */
    for (int i = 0; i < place.ceilings.points; i++) {
        place.ceilings.memory[i].rate = 1;
    }
    place.ceilings.operations = 1;
    open_bench(&b, &place, &be_workload_power, 1000, 1);
    start_case(&b, BE_HOST, BE_HOT);
    run_case(&b);
    if (b.c.result.status != BE_RESULT_OK) {
        fail_msg("%s", b.c.result.note);
    }
    assert_true(place.ceilings.operations > 1e6 && place.ceilings.memory[0].rate > 1e6);
    close_bench(&b);

    struct be_workload overstated = be_workload_power;
    overstated.bytes = bytes_overstated;
    open_bench(&b, &place, &overstated, 1000, 1);
    start_case(&b, BE_HOST, BE_HOT);
    run_case(&b);
    assert_int_equal(b.c.result.status, BE_RESULT_IMPOSSIBLE);
    assert_non_null(strstr(b.c.result.note, "faster than the hardware allows"));
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
    if (!session.team) {
        CHECK(be_session_open(&session_options, &session, &error));
        assert_int_equal(session.places, 2);
    }
    for (size_t i = 0; i < session.records; i++) {
        be_samples_free(&session.record[i].total);
    }
    session.records = 0;
}

static int close_session(void **state) {
    (void)state;
    if (session.team) {
        be_session_close(&session);
    }
    return 0;
}

static const struct be_filter everything = {.place = -1};

/* Records by placement, one each: host, copy, preload, resident. */
static const struct be_result *record_of(enum be_placement placement) {
    const struct be_result *found = NULL;
    for (size_t i = 0; i < session.records; i++) {
        if (session.record[i].result.placement == placement) {
            assert_null(found);
            found = &session.record[i].result;
        }
    }
    assert_non_null(found);
    return found;
}

static int count_status(enum be_result_status status) {
    int count = 0;
    for (size_t i = 0; i < session.records; i++) {
        count += session.record[i].result.status == status;
    }
    return count;
}

static void measure(const struct be_workload *w, uint64_t size) {
    CHECK(be_session_measure(&session, w, size, &everything, &error));
    for (int i = 0; i < session.places; i++) { /* tables on a stack must not be kept */
        struct be_place *place = &session.place[i];
        if (place->device && place->workload) {
            place->workload->discard(place->device, &place->prepared);
            place->workload = NULL;
        }
    }
    assert_int_equal(session.records, 4);
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
    struct be_workload broken = be_workload_power;
    broken.enqueue = enqueue_forgets;
    open_session();
    measure(&broken, 1000);
    assert_int_equal(record_of(BE_HOST)->status, BE_RESULT_OK);
    assert_int_equal(count_status(BE_RESULT_WRONG), 3);
    for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
        assert_int_equal(record_of((enum be_placement)placement)->phase[BE_TOTAL].n, 0);
        struct be_breakeven even; /* it is no point of any series */
        be_series_breakeven(&session, &broken, "null:0", (enum be_placement)placement, BE_HOT,
                            &even);
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
    struct be_workload broken = be_workload_power;
    broken.enqueue = enqueue_fails;
    for (size_t i = 0; i < BE_COUNT(sample); i++) {
        open_session();
        fail_at = sample[i].fail_at;
        arm_at = sample[i].arm_at;
        measure(&broken, 1000);
        const struct be_result *r = record_of(sample[i].placement);
        if (r->status != BE_RESULT_FAILED || count_status(BE_RESULT_OK) != 3) {
            fail_msg("sample %d: status %d, %d ok", (int)i, (int)r->status,
                     count_status(BE_RESULT_OK));
        }
        assert_non_null(strstr(r->note, "pretend trouble"));
    }
    open_session();
    fail_at = -1;
    measure(&broken, 1000);
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
        assert_int_equal(session.record[i].result.placement, BE_HOST + i);
    }
}

/* More than the device has: its cases are skipped and say so, the CPU's are measured. */
static void test_measure_too_large_for_device(void **state) {
    (void)state;
    open_session();
    double memory_bytes = session.place[1].device->info.memory_bytes;
    session.place[1].device->info.memory_bytes = 1e6;
    measure(&be_workload_multiply, 100000);
    session.place[1].device->info.memory_bytes = memory_bytes;
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
    progress_calls = 0;
    cancel_at = 12; /* 4 checks, 8 of the first samples */
    CHECK(be_compare(&options, &all, &error));
    cancel_at = 0;
    assert_true(all.partial);
    assert_int_equal(all.results, 4); /* of the first size, all */
    for (size_t i = 0; i < all.results; i++) {
        const struct be_result *r = &all.result[i];
        assert_int_equal(r->size, 1000);
        assert_int_equal(r->status, BE_RESULT_OK);
        assert_in_range(r->phase[BE_TOTAL].n, 1, 2);
        assert_int_equal(r->phase[BE_TOTAL].stop, BE_STOP_CANCELLED);
    }
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
    expect_failure(be_compare(&options, &all, &error), BE_USAGE, "there are: power, multiply");
    expect_failure(be_compare_self_test(&options, 1, &test, &error), BE_USAGE,
                   "there are: power, multiply");
    options = small;
    options.sizes = 1;
    options.size[0] = 0;
    expect_failure(be_compare(&options, &all, &error), BE_USAGE, "at least 1");
    options.size[0] = (uint64_t)1 << 50;
    expect_failure(be_compare(&options, &all, &error), BE_NOMEM, "needs 2.25e+07 GB");
    assert_non_null(strstr(error.text, "are free: the largest size that fits is "));
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_data_residual),
        cmocka_unit_test(test_data_poison),
        cmocka_unit_test(test_data_layout),
        cmocka_unit_test(test_data_instances),
        cmocka_unit_test(test_data_inputs),
        cmocka_unit_test(test_data_absurd),
        cmocka_unit_test(test_right_everywhere),
        cmocka_unit_test(test_inputs_come_with_copy),
        cmocka_unit_test(test_wrong_is_caught),
        cmocka_unit_test(test_stale_results),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_too_fast),
        cmocka_unit_test(test_as_published),
        cmocka_unit_test(test_measure_right),
        cmocka_unit_test(test_measure_wrong),
        cmocka_unit_test(test_measure_failing_call),
        cmocka_unit_test(test_measure_cancelled),
        cmocka_unit_test(test_measure_shuffled),
        cmocka_unit_test_teardown(test_measure_too_large_for_device, close_session),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_compare_hot_and_cold),
        cmocka_unit_test(test_compare_cancelled),
        cmocka_unit_test(test_compare_usage),
        cmocka_unit_test(test_self_test),
    };
    return cmocka_run_group_tests_name("bench", tests, open_places, close_places);
}
