#include "bench/case/arrays.h"

#include <math.h>

#include "base/error.h"
#include "machine/describe.h"

/* Part of the free memory that is asked for at most: the rest is the system's and the driver's. */
static const double device_share = 0.9;

double be_arrays_capacity(const struct be_place *place) {
    double left = NAN;
    double all = NAN;
    (void)place->device->ops->memory->capacity(place->device, &left, &all, NULL);
    double capacity = isnan(left) ? all : left;
    if (place->info.kind == BE_KIND_CPU) { /* it has the host's */
        const double host = be_memory_available();
        capacity = capacity < host ? capacity : host;
    }
    return device_share * capacity;
}

void be_arrays_close(struct be_place *place, struct be_arrays *arrays) {
    for (int i = 0; place->device && i < BE_ARRAYS; i++) {
        place->device->ops->memory->release(place->device, &arrays->buffer[i]);
    }
    *arrays = (struct be_arrays){0};
}

/* All of them, the output with its window where there is one. */
static enum be_status open_all(struct be_place *place, const struct be_data *data,
                               struct be_arrays *arrays, struct be_error *error) {
    const struct be_workload *w = data->problem.workload;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < w->inputs + w->outputs; i++) {
        const bool part = arrays->window && i >= w->inputs;
        const size_t all = data->shape.item_bytes[i] * data->stride * data->instances;
        status = place->device->ops->memory->alloc(
            place->device, part ? arrays->window * arrays->slice_bytes : all, &arrays->buffer[i],
            error);
    }
    return status;
}

/* As the first variant that can does it: those of one workload cut alike. */
static struct be_slices slices_of(const struct be_problem *problem) {
    const struct be_workload *w = problem->workload;
    struct be_slices slices = {0};
    for (int v = 0; v < w->variants && slices.count == 0; v++) {
        if (w->variant[v].slices && be_variant_can(&w->variant[v], problem)) {
            slices = w->variant[v].slices(problem);
        }
    }
    return slices;
}

static enum be_status open_window(struct be_place *place, const struct be_data *data,
                                  struct be_arrays *arrays, const struct be_error *why) {
    const struct be_slices slices = slices_of(&data->problem);
    double capacity = be_arrays_capacity(place);
    for (int i = 0; i < data->problem.workload->inputs; i++) {
        capacity -= (double)data->shape.item_bytes[i] * (double)(data->stride * data->instances);
    }
    *arrays = (struct be_arrays){.slice_bytes = slices.bytes};
    arrays->window = slices.count > 1 ? be_stage_window(slices.bytes, capacity) : 0;
    if (why) {
        arrays->too_large = *why;
    }
    if (arrays->window == 0 || open_all(place, data, arrays, NULL) != BE_OK) {
        be_arrays_close(place, arrays);
        return BE_NOMEM;
    }
    return BE_OK;
}

static double bytes_there(const struct be_problem *problem, const void *context) {
    (void)context;
    return be_data_device_bytes(problem, 1);
}

enum be_status be_arrays_open(struct be_place *place, const struct be_data *data,
                              struct be_arrays *arrays, struct be_error *error) {
    const struct be_problem *problem = &data->problem;
    const double need = be_data_device_bytes(problem, data->instances);
    const double have = be_arrays_capacity(place);
    enum be_status status;
    *arrays = (struct be_arrays){0};
    if (need > have) {
        status =
            be_fail(error, BE_NOMEM,
                    "needs %.0f MB, %s has %.0f MB to give: the largest size that fits is %llu",
                    need / 1e6, place->info.id, have / 1e6,
                    (unsigned long long)be_data_largest(problem, have, bytes_there, NULL));
    } else {
        status = open_all(place, data, arrays, error);
    }
    if (status == BE_NOMEM) { /* some devices have more than they give in one piece */
        be_arrays_close(place, arrays);
        status = open_window(place, data, arrays, error);
    }
    return status;
}
