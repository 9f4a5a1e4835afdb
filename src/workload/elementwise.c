#include "workload/elementwise.h"

#include "kernels/host.h"
#include "workload/numbers.h"

const struct be_parameter be_elementwise_parameter[1] = {{.name = "size",
                                                          .what = "elements",
                                                          .preset = 1000000,
                                                          .min = 1,
                                                          .max = (uint64_t)1 << 48,
                                                          .from = 1000,
                                                          .to = 300000000,
                                                          .look = {10000, 1000000, 30000000}}};

static size_t arrays_of(const struct be_problem *problem) {
    return (size_t)(problem->workload->inputs + problem->workload->outputs);
}

void be_elementwise_shape(const struct be_problem *problem, struct be_shape *shape) {
    const struct be_elementwise *own = problem->workload->elementwise;
    const double n = (double)problem->value[0];
    const size_t bytes = be_real_bytes(problem->real);
    *shape = (struct be_shape){.items = (size_t)problem->value[0],
                               .reference = 1,
                               .operations = own->operations * n,
                               .bytes = (double)(arrays_of(problem) * bytes) * n,
                               .tolerance = own->tolerance[problem->real]};
    for (size_t k = 0; k < arrays_of(problem); k++) {
        shape->item_bytes[k] = bytes;
    }
}

void be_elementwise_fill(const struct be_work *work, uint64_t seed) {
    const size_t inputs = (size_t)work->problem->workload->inputs;
    const enum be_real real = work->problem->real;
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        for (size_t k = 0; k < inputs; k++) {
            be_number_set(real, work->array[k], i, be_number_random(real, seed, inputs * i + k));
        }
    }
}

void be_elementwise_reference(const struct be_work *work, double *reference) {
    const struct be_workload *w = work->problem->workload;
    double from[BE_ELEMENTWISE_INPUTS];
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        for (int k = 0; k < w->inputs; k++) {
            from[k] = be_number(work->problem->real, work->array[k], i);
        }
        reference[i] = w->elementwise->value(from);
    }
}

void be_elementwise_residual(const struct be_work *work, const double *reference,
                             double *difference, double *norm) {
    const void *z = work->array[work->problem->workload->inputs];
    double sum = 0;
    double all = 0;
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        be_number_compare(be_number(work->problem->real, z, i), reference[i], &sum, &all);
    }
    *difference += sum;
    *norm += all;
}

/* The array that input k is read from. */
static int source_of(const struct be_problem *problem, int k, bool here) {
    return here && k == 0 ? problem->workload->inputs : k;
}

static void run(const struct be_work *work, bool here) {
    const struct be_workload *w = work->problem->workload;
    const size_t bytes = be_real_bytes(work->problem->real);
    const void *from[BE_ELEMENTWISE_INPUTS] = {NULL};
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    for (int k = 0; k < w->inputs; k++) {
        from[k] = (const char *)work->array[source_of(work->problem, k, here)] + first * bytes;
    }
    (*w->elementwise->loops)[work->problem->real][be_simd_here()](
        from, (char *)work->array[w->inputs] + first * bytes, count, work->stores);
}

void be_elementwise_host(const struct be_work *work) {
    run(work, false);
}

void be_elementwise_host_here(const struct be_work *work) {
    run(work, true);
}

enum be_status be_elementwise_prepare(struct be_device *device, const struct be_problem *problem,
                                      struct be_prepared *prepared, struct be_error *error) {
    const struct be_elementwise *own = problem->workload->elementwise;
    const char *const names[] = {own->kernel, NULL};
    return be_prepare_kernels(device, problem, own->program, NULL, names, prepared, error);
}

static enum be_status put(const struct be_launch *launch, bool here, struct be_error *error) {
    const int inputs = launch->problem->workload->inputs;
    struct be_argument argument[BE_ELEMENTWISE_INPUTS + 3];
    int count = 0;
    for (int k = 0; k < inputs; k++) {
        argument[count++] =
            (struct be_argument)BE_BUFFER(&launch->buffer[source_of(launch->problem, k, here)]);
    }
    argument[count++] = (struct be_argument)BE_BUFFER(&launch->buffer[inputs]);
    argument[count++] = (struct be_argument)BE_LONG(launch->first);
    argument[count++] = (struct be_argument)BE_LONG(launch->items);
    const size_t per_lane =
        BE_STREAM_LANE_BYTES / be_real_bytes(launch->problem->real) / (size_t)inputs;
    const size_t per_group = BE_ELEMENTWISE_LANES * per_lane;
    const size_t groups = (launch->items + per_group - 1) / per_group;
    return be_launch_kernel(launch, 0, groups, BE_ELEMENTWISE_LANES, argument, count, error);
}

enum be_status be_elementwise_enqueue(const struct be_launch *launch, struct be_error *error) {
    return put(launch, false, error);
}

enum be_status be_elementwise_enqueue_here(const struct be_launch *launch, struct be_error *error) {
    return put(launch, true, error);
}
