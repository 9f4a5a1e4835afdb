#include "workload/elementwise.h"

#include <math.h>

#include "base/random.h"
#include "kernels/host.h"
#include "kernel_programs.h"

const struct be_parameter be_elementwise_parameter[1] = {{.name = "size",
                                                          .what = "elements",
                                                          .preset = 1000000,
                                                          .least = 1,
                                                          .most = (uint64_t)1 << 48,
                                                          .from = 1000,
                                                          .to = 300000000,
                                                          .look = {10000, 1000000, 30000000}}};

const char *const be_elementwise_array[3] = {"x", "y", "z"};

void be_elementwise_shape(const struct be_problem *problem, double operations, double tolerance,
                          struct be_shape *shape) {
    double n = (double)problem->value[0];
    *shape = (struct be_shape){.items = (size_t)problem->value[0],
                               .item_bytes = {sizeof(float), sizeof(float), sizeof(float)},
                               .reference = 1,
                               .operations = operations * n,
                               .bytes = 12 * n,
                               .tolerance = tolerance};
}

void be_elementwise_fill(const struct be_work *work, uint64_t seed) {
    float *x = work->array[0];
    float *y = work->array[1];
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        x[i] = be_random_float(seed, 2 * (uint64_t)i);
        y[i] = be_random_float(seed, 2 * (uint64_t)i + 1);
    }
}

void be_elementwise_residual(const struct be_work *work, const double *reference,
                             double *difference, double *norm) {
    const float *z = work->array[work->problem->workload->inputs];
    double sum = 0;
    double all = 0;
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        double d = (double)z[i] - reference[i];
        sum += d * d;
        all += reference[i] * reference[i];
    }
    *difference += sum;
    *norm += all;
}

enum be_status be_elementwise_prepare(struct be_device *device, const struct be_problem *problem,
                                      const char *kernel, struct be_prepared *prepared,
                                      struct be_error *error) {
    const char *const names[] = {kernel, NULL};
    return be_prepare_kernels(device, problem, &be_program_elementwise, NULL, names, prepared,
                              error);
}

enum be_status be_elementwise_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct be_argument argument[] = {
        BE_BUFFER(&launch->buffer[0]), BE_BUFFER(&launch->buffer[1]), BE_BUFFER(&launch->buffer[2]),
        BE_LONG(launch->first),        BE_LONG(launch->items),
    };
    const size_t per_group = (size_t)BE_ELEMENTWISE_LANES * BE_ELEMENTWISE_PER_LANE;
    size_t groups = (launch->items + per_group - 1) / per_group;
    return be_launch_kernel(launch, 0, groups, BE_ELEMENTWISE_LANES, argument, 5, error);
}
