/*
 * A result that a device has no room for: that it is the same, bit for bit, in parts as whole; and,
 * with less memory said to be free than there is, that a comparison takes it in parts by itself.
 */
#include "pretend_ceilings.h"

#include "devices.h"

#include <math.h>

#include "builtin/builtin.h"
#include "bench/case/arrays.h"
#include "bench/session.h"
#include "workload/distance/distance.h"

/* A ceiling that nothing can exceed: times are not judged here. */
static const struct be_ceilings endless = {
    .memory = {{.bytes = 1, .rate = 1e30}},
    .points = 1,
    .cache_bytes = 1e6,
    .operations = {1e30, 1e30, 1e30, 1e30},
    .bus_in = 1e30,
    .bus_out = 1e30,
};

enum { FUSED = 1, INSTANCES = 3 };

/* Runs a case, whose result must be right. instance: which of the data it was. */
static size_t run_case(struct be_place *place, struct be_data *data, struct be_arrays *arrays,
                       enum be_placement placement, enum be_cache cache) {
    struct be_clock clock = be_clock_host();
    struct be_scratch none = {0};
    struct be_case c;
    be_case_init(&c, place, data, arrays->buffer, &none, FUSED, placement, cache);
    c.window = arrays->window;
    CHECK(be_case_upload(&c, &error));
    be_case_check(&c, &clock);
    if (c.result.status != BE_RESULT_OK) {
        fail_msg("%s, size %llu, %s, %s, placement %d, windows of %zu: %s", place->info.id,
                 (unsigned long long)c.result.size, c.result.parameters, c.result.dtype,
                 (int)placement, arrays->window, c.result.note);
    }
    const size_t instance = c.instance;
    be_case_free(&c);
    return instance;
}

static void open_window(struct be_place *place, const struct be_data *data, size_t window,
                        struct be_arrays *arrays) {
    const struct be_device_ops *ops = place->device->ops;
    const struct be_shape *shape = &data->shape;
    const struct be_variant *v = &be_workload_distance.variant[FUSED];
    arrays->window = window;
    arrays->slice_bytes = v->slices(&data->problem).bytes;
    CHECK(ops->memory->alloc(place->device, shape->item_bytes[0] * data->stride * data->instances,
                             &arrays->buffer[0], &error));
    CHECK(ops->memory->alloc(place->device, window * arrays->slice_bytes, &arrays->buffer[1],
                             &error));
}

static void check_problem(struct be_place *place, const struct be_problem *problem) {
    static const size_t windows[] = {2, 4, 34, 130, 2000};
    const size_t bytes = be_problem_shape(problem).item_bytes[1];
    struct be_data data = {0};
    struct be_arrays arrays = {0};
    char *whole = malloc(INSTANCES * bytes);
    assert_non_null(whole);
    CHECK(be_data_open(problem, INSTANCES, team, 7, &data, &error));
    CHECK(be_arrays_open(place, &data, &arrays, &error));
    assert_int_equal(arrays.window, 0);
    for (int cache = BE_HOT; cache <= BE_COLD; cache++) {
        (void)run_case(place, &data, &arrays, BE_COPY, (enum be_cache)cache);
    }
    memcpy(whole, data.array[1], INSTANCES * bytes);
    be_arrays_close(place, &arrays);
    for (size_t w = 0; w < BE_COUNT(windows); w++) {
        open_window(place, &data, windows[w], &arrays);
        for (int i = 0; i < 4; i++) {
            const size_t at = bytes * run_case(place, &data, &arrays, i % 2 ? BE_COPY : BE_PRELOAD,
                                               i / 2 ? BE_HOT : BE_COLD);
            assert_memory_equal((char *)data.array[1] + at, whole + at,
                                problem->value[BE_DISTANCE_POINTS] * arrays.slice_bytes);
        }
        be_arrays_close(place, &arrays);
    }
    be_data_close(&data);
    free(whole);
}

/* The device in a place of its own; false: it cannot run this. */
static bool open_place(const struct be_device *device, const struct be_problem *problem,
                       struct be_place *place) {
    be_place_open_device(&device->info, team, NULL, &endless, (struct be_cancel){0}, place);
    if (place->broken) {
        fail_msg("%s: %s", device->info.id, place->note);
    }
    const enum be_status status = be_place_prepare(place, problem, FUSED, &error);
    if (status == BE_BUILD && strcmp(device->info.backend, "null") == 0) {
        be_place_close(place);
        return false;
    }
    CHECK(status);
    return true;
}

static void parts_are_the_whole(struct be_device *device) {
    static const uint64_t sizes[] = {2, 3, 31, 33, 127, 1009};
    static const uint64_t dimensions[] = {1, 2, 3, 4, 5, 17};
    struct be_problem problem = be_problem_preset(&be_workload_distance);
    struct be_place place;
    for (int real = 0; real < BE_REALS; real++) {
        problem.real = (enum be_real)real;
        if (strcmp(device->ops->name, "cpu") == 0 || !open_place(device, &problem, &place)) {
            skip();
        }
        for (size_t s = 0; s < BE_COUNT(sizes) * BE_COUNT(dimensions); s++) {
            problem.value[BE_DISTANCE_POINTS] = sizes[s % BE_COUNT(sizes)];
            problem.value[BE_DISTANCE_DIMENSION] = dimensions[s / BE_COUNT(sizes)];
            if (s % BE_COUNT(sizes) < 5 || s / BE_COUNT(sizes) % 2 == 0) { /* not all large ones */
                check_problem(&place, &problem);
            }
        }
        be_place_close(&place);
    }
}

/* ---- by itself ------------------------------------------------------------------------------ */

static double said_to_be_free;
static enum be_status says_little(struct be_device *device, double *free_bytes, double *total_bytes,
                                  struct be_error *why) {
    (void)device, (void)why;
    *free_bytes = said_to_be_free;
    *total_bytes = 1e12;
    return BE_OK;
}

static const struct be_result *result_of(const struct be_session *session, const char *variant,
                                         const char *device, enum be_placement placement) {
    for (size_t i = 0; i < session->record.items; i++) {
        const struct be_result *r = &session->record.item[i].result;
        if (strcmp(r->variant, variant) == 0 && strcmp(r->device, device) == 0 &&
            r->placement == placement) {
            return r;
        }
    }
    fail_msg("no result of %s on %s", variant, device);
    return NULL;
}

static void check_result(const struct be_session *session, const char *variant, const char *device,
                         enum be_placement placement, bool right, const char *note) {
    const struct be_result *r = result_of(session, variant, device, placement);
    if (r->status != (right ? BE_RESULT_OK : BE_RESULT_SKIPPED) || !strstr(r->note, note)) {
        fail_msg("%s on %s, placement %d: status %d, \"%s\"", variant, device, (int)placement,
                 (int)r->status, r->note);
    }
    assert_true(!right || r->phase[BE_TOTAL].n > 0);
}

/* The one remark about this workload: of the BLAS here there may be another. */
static const char *only_remark(const struct be_session *session) {
    const char *found = NULL;
    for (size_t i = 0; i < session->record.remarks; i++) {
        if (strncmp(session->record.remark[i], "distance", 8) == 0) {
            assert_null(found);
            found = session->record.remark[i];
        }
    }
    assert_non_null(found);
    return found;
}

/* 127 points: a matrix of 129 kB, rows of 1 kB. */
static void check_session(struct be_session *session, const char *id) {
    const struct be_filter all = {.place = -1};
    struct be_problem problem = be_problem_preset(&be_workload_distance);
    static const char *const other[] = {"three-pass", "symmetric"};
    problem.value[BE_DISTANCE_POINTS] = 127;
    said_to_be_free = 40e3; /* of which 36 kB are taken */
    CHECK(be_session_measure(session, &problem, &all, &error));
    check_result(session, "fused", "cpu", BE_HOST, true, "");
    check_result(session, "fused", id, BE_COPY, true, "");
    check_result(session, "fused", id, BE_PRELOAD, true, "");
    check_result(session, "fused", id, BE_RESIDENT, false, "the largest size that fits is 6");
    for (size_t i = 0; i < BE_COUNT(other); i++) {
        check_result(session, other[i], id, BE_COPY, false, "the largest size that fits is 6");
    }
    assert_non_null(strstr(only_remark(session), "distance, size 127: "));
    assert_non_null(strstr(only_remark(session), "in parts of 0.0163 MB"));
}

/* Not even a row twice: left out, and said why. */
static void check_too_little(struct be_session *session, const char *id) {
    const struct be_filter all = {.place = -1};
    struct be_problem problem = be_problem_preset(&be_workload_distance);
    problem.value[BE_DISTANCE_POINTS] = 126;
    said_to_be_free = 5e3;
    for (size_t i = 0; i < session->record.items; i++) {
        be_samples_free(&session->record.item[i].total);
    }
    session->record.items = 0;
    CHECK(be_session_measure(session, &problem, &all, &error));
    check_result(session, "fused", "cpu", BE_HOST, true, "");
    check_result(session, "fused", id, BE_COPY, false, "the largest size that fits is");
    (void)only_remark(session); /* none has come */
}

/* The CPU's session, with the device as another place, whose ceilings need not be measured. */
static void is_taken_in_parts_by_itself(struct be_device *device) {
    const struct be_plan plan = {.problem = be_problem_preset(&be_workload_distance)};
    const struct be_compare_options options = {.device = {"cpu"},
                                               .devices = 1,
                                               .threads = {1},
                                               .thread_counts = 1,
                                               .budget_s = 2e-3,
                                               .precision = 0.5,
                                               .cache = {[BE_HOT] = true}};
    struct be_place place;
    struct be_session session;
    if (strcmp(device->ops->name, "cpu") == 0 || !open_place(device, &plan.problem, &place)) {
        skip();
    }
    be_place_close(&place);
    CHECK(be_session_open(&options, &plan, 1, &session, &error));
    assert_int_equal(session.run.places, 1);
    session.run.place[0].ceilings = endless;
    assert_true(open_place(device, &plan.problem, &session.run.place[session.run.places++]));
    struct be_device *there = session.run.place[1].device;
    const struct be_device_ops *ops = there->ops;
    struct be_device_ops poor = *ops;
    struct be_memory_ops memory = *ops->memory;
    memory.capacity = says_little;
    poor.memory = &memory;
    there->ops = &poor;
    check_session(&session, device->info.id);
    check_too_little(&session, device->info.id);
    there->ops = ops;
    be_session_close(&session);
}

static const struct contract contracts[] = {
    {"parts are the whole", parts_are_the_whole},
    {"is taken in parts by itself", is_taken_in_parts_by_itself},
};

int main(void) {
    return run_contracts("slices", contracts, BE_COUNT(contracts));
}
