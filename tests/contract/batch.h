/*
 * Batches of small systems (solve, eigen) in one variant on one device, as contract tests change their inputs and look
 * at their outputs: value 0 of the problem is how many there are, value 1 their order.
 */
#ifndef TESTS_CONTRACT_BATCH_H
#define TESTS_CONTRACT_BATCH_H

#include "devices.h"

#include <math.h>

#include "builtin/builtin.h"

static struct be_host_libraries library;

struct batch {
    struct be_problem problem;
    struct be_shape shape;
    const struct be_variant *variant;
    size_t order, systems;
    void *array[BE_ARRAYS];
};

static void set(struct batch *b, int array, size_t i, double value) {
    if (b->problem.real == BE_REAL64) {
        ((double *)b->array[array])[i] = value;
    } else {
        ((float *)b->array[array])[i] = (float)value;
    }
}

static double at(const struct batch *b, int array, size_t i) {
    return b->problem.real == BE_REAL64 ? ((const double *)b->array[array])[i]
                                        : (double)((const float *)b->array[array])[i];
}

/* Arrays for the problem that b has, and its inputs. */
static void open_arrays(struct batch *b) {
    const struct be_workload *w = b->problem.workload;
    b->shape = be_problem_shape(&b->problem);
    for (int k = 0; k < w->inputs + w->outputs; k++) {
        size_t bytes = (b->systems * b->shape.item_bytes[k] + 63) / 64 * 64;
        b->array[k] = aligned_alloc(64, bytes);
        assert_non_null(b->array[k]);
        memset(b->array[k], 0xff, bytes);
    }
    const struct be_work work = {
        .problem = &b->problem, .array = b->array, .items = b->systems, .members = 1};
    w->fill(&work, 11);
}

static void open_batch(struct batch *b, const char *workload, int variant, enum be_real real,
                       size_t systems, size_t order) {
    const struct be_workload *w = be_workload_find(workload);
    assert_non_null(w);
    *b = (struct batch){.problem = be_problem_preset(w), .order = order, .systems = systems};
    b->variant = &w->variant[variant];
    b->problem.value[0] = systems;
    b->problem.value[1] = order;
    b->problem.real = real;
    open_arrays(b);
}

static void close_batch(struct batch *b) {
    for (int k = 0; k < BE_ARRAYS; k++) {
        free(b->array[k]);
    }
}

/* ---- computing ------------------------------------------------------------------------------ */

struct host_run {
    const struct batch *batch;
    void *scratch;
};

static void run_member(void *context, int member, int members) {
    const struct host_run *run = context;
    const struct be_work work = {.problem = &run->batch->problem,
                                 .array = run->batch->array,
                                 .items = run->batch->systems,
                                 .member = member,
                                 .members = members,
                                 .team = team,
                                 .scratch = run->scratch,
                                 .library = &library};
    run->batch->variant->host(&work);
}

static void run_on_host(struct batch *b) {
    const size_t bytes = b->variant->host_scratch(&b->problem, be_team_size(team));
    struct host_run run = {b, aligned_alloc(64, (bytes + 63) / 64 * 64)};
    assert_non_null(run.scratch);
    be_team_run(team, run_member, &run);
    free(run.scratch);
}

static bool run_prepared(struct batch *b, struct be_device *device, struct be_prepared *prepared) {
    const struct be_device_ops *ops = device->ops;
    const int arrays = b->problem.workload->inputs + b->problem.workload->outputs;
    struct be_buffer buffer[BE_ARRAYS] = {0};
    struct be_buffer scratch = {0};
    const size_t bytes = b->variant->device_scratch ? b->variant->device_scratch(&b->problem) : 0;
    if (bytes > 0) {
        CHECK(ops->memory->alloc(device, bytes, &scratch, &error));
    }
    for (int k = 0; k < arrays; k++) {
        CHECK(ops->memory->alloc(device, b->systems * b->shape.item_bytes[k], &buffer[k], &error));
        put(device, &buffer[k], 0, b->array[k], b->systems * b->shape.item_bytes[k]);
    }
    const struct be_launch launch = {.device = device,
                                     .queue = BE_QUEUE_WORK,
                                     .prepared = prepared,
                                     .problem = &b->problem,
                                     .buffer = buffer,
                                     .scratch = &scratch,
                                     .items = b->systems};
    CHECK(b->variant->enqueue(&launch, &error));
    CHECK(ops->queue->drain(device, BE_QUEUE_WORK, &error));
    for (int k = b->problem.workload->inputs; k < arrays; k++) {
        get(device, b->array[k], &buffer[k], 0, b->systems * b->shape.item_bytes[k]);
    }
    for (int k = 0; k < arrays; k++) {
        ops->memory->release(device, &buffer[k]);
    }
    ops->memory->release(device, &scratch);
    return true;
}

/* False: not on this device. */
static bool run(struct batch *b, struct be_device *device) {
    struct be_prepared prepared = {0};
    const bool host = strcmp(device->ops->name, "cpu") == 0;
    const bool code = host ? b->variant->host != NULL : b->variant->prepare != NULL;
    if (!code || (b->variant->unfit && b->variant->unfit(&b->problem))) {
        return false;
    }
    if (host) {
        run_on_host(b);
        return true;
    }
    enum be_status status = b->variant->prepare(device, &b->problem, &prepared, &error);
    bool pretend = strcmp(device->ops->name, "null") == 0;
    if (status == BE_ABSENT || (status == BE_BUILD && pretend)) {
        return false;
    }
    CHECK(status);
    bool ran = run_prepared(b, device, &prepared);
    b->variant->discard(device, &prepared);
    return ran;
}

/* ---- what is asked of the result ------------------------------------------------------------ */

/* The backward error of one system as the workload sees it. */
static double error_of(const struct batch *b, size_t system) {
    const int arrays = b->problem.workload->inputs + b->problem.workload->outputs;
    struct batch one = *b;
    double difference = 0;
    double norm = 0;
    for (int k = 0; k < arrays; k++) {
        one.array[k] = (char *)b->array[k] + system * b->shape.item_bytes[k];
    }
    const struct be_work work = {
        .problem = &one.problem, .array = one.array, .items = 1, .members = 1};
    b->problem.workload->residual(&work, NULL, &difference, &norm);
    return sqrt(difference / norm);
}

static void check_right(const struct batch *b, size_t system, const char *what) {
    double found = error_of(b, system);
    if (!(found <= b->shape.tolerance)) {
        fail_msg("%s, %s, order %zu, %s: system %zu of %zu has the backward error %g, allowed %g",
                 b->variant->name, be_real_name(b->problem.real), b->order, what, system,
                 b->systems, found, b->shape.tolerance);
    }
}

#endif
