/*
 * multiply: z = x * y. Operations an element: one product.
 */
#include "workload/elementwise.h"
#include "workload/elementwise_simd.h"

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    be_elementwise_shape(problem, 1, 1e-6, shape);
}

static void reference(const struct be_work *work, double *z) {
    const float *x = work->array[0];
    const float *y = work->array[1];
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        z[i] = (double)x[i] * (double)y[i];
    }
}

static void host(const struct be_work *work) {
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    be_elementwise_simd()->multiply((const float *)work->array[0] + first,
                                    (const float *)work->array[1] + first,
                                    (float *)work->array[2] + first, count, work->stores);
}

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    return be_elementwise_prepare(device, problem, "k_multiply", prepared, error);
}

static const struct be_variant variant[] = {{
    .name = "plain",
    .summary = "one pass",
    .host = host,
    .prepare = prepare,
    .enqueue = be_elementwise_enqueue,
    .discard = be_discard_kernels,
}};

const struct be_workload be_workload_multiply = {
    .name = "multiply",
    .title = "z = x*y",
    .summary = "elementwise product of two float32 arrays",
    BE_ELEMENTWISE_TABLE,
    .shape = shape,
    .reference = reference,
    .variant = variant,
    .variants = 1,
};
