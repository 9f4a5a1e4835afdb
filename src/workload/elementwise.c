#include "workload/elementwise.h"

#include <math.h>

#include "base/random.h"
#include "kernels/host.h"
#include "kernels/kernels.h"

const struct be_array be_elementwise_array[3] = {
    {"x", sizeof(float)}, {"y", sizeof(float)}, {"z", sizeof(float)}};

size_t be_elementwise_items(uint64_t size) {
    return (size_t)size;
}

double be_elementwise_bytes(uint64_t size) {
    return 12.0 * (double)size;
}

void be_elementwise_fill(void *const *array, size_t first, size_t items, uint64_t seed) {
    float *x = array[0];
    float *y = array[1];
    for (size_t i = first; i < first + items; i++) {
        x[i] = be_random_float(seed, 2 * (uint64_t)i);
        y[i] = be_random_float(seed, 2 * (uint64_t)i + 1);
    }
}

void be_elementwise_residual(void *const *array, const double *reference, size_t first,
                             size_t items, double *difference, double *norm) {
    const float *z = array[2];
    double sum = 0;
    double all = 0;
    for (size_t i = first; i < first + items; i++) {
        double d = (double)z[i] - reference[i];
        sum += d * d;
        all += reference[i] * reference[i];
    }
    *difference += sum;
    *norm += all;
}

enum be_status be_elementwise_prepare(struct be_device *device, const char *kernel,
                                      struct be_prepared *prepared, struct be_error *error) {
    *prepared = (struct be_prepared){0};
    enum be_status status =
        device->ops->build(device, &be_program_elementwise, &prepared->module, error);
    if (status == BE_OK) {
        status = device->ops->kernel(device, &prepared->module, kernel, &prepared->kernel, error);
    }
    if (status != BE_OK) {
        be_elementwise_discard(device, prepared);
    }
    return status;
}

enum be_status be_elementwise_enqueue(struct be_device *device, enum be_queue queue,
                                      const struct be_prepared *prepared,
                                      const struct be_buffer *buffer, size_t first, size_t items,
                                      struct be_error *error) {
    const struct be_argument argument[] = {
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &buffer[0]},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &buffer[1]},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &buffer[2]},
        {.kind = BE_ARGUMENT_LONG, .integer = (int64_t)first},
        {.kind = BE_ARGUMENT_LONG, .integer = (int64_t)items},
    };
    const size_t per_group = (size_t)BE_ELEMENTWISE_LANES * BE_ELEMENTWISE_PER_LANE;
    size_t groups = (items + per_group - 1) / per_group;
    return device->ops->launch(device, queue, &prepared->kernel, groups, BE_ELEMENTWISE_LANES,
                               argument, 5, error);
}

void be_elementwise_discard(struct be_device *device, struct be_prepared *prepared) {
    device->ops->forget(device, &prepared->kernel);
    device->ops->drop(device, &prepared->module);
}
