/*
 * multiply: z = x * y. Operations an element: one product.
 */

#include "workload/elementwise.h"
#include "workload/elementwise_simd.h"

static double operations(uint64_t size) {
    return 1.0 * (double)size;
}

static void reference(void *const *array, double *z, size_t first, size_t items) {
    const float *x = array[0];
    const float *y = array[1];
    for (size_t i = first; i < first + items; i++) {
        z[i] = (double)x[i] * (double)y[i];
    }
}

static void host(void *const *array, size_t first, size_t items, bool past_cache) {
    be_elementwise_simd()->multiply((const float *)array[0] + first,
                                    (const float *)array[1] + first, (float *)array[2] + first,
                                    items, past_cache);
}

static enum be_status prepare(struct be_device *device, struct be_prepared *prepared,
                              struct be_error *error) {
    return be_elementwise_prepare(device, "k_multiply", prepared, error);
}

const struct be_workload be_workload_multiply = {
    .name = "multiply",
    .title = "z = x*y",
    .summary = "elementwise product of two float32 arrays",
    .tolerance = 1e-6,
    BE_ELEMENTWISE_TABLE,
    .operations = operations,
    .reference = reference,
    .host = host,
    .prepare = prepare,
};
