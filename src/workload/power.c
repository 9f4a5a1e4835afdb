/*
 * power: z = x^y, the elementwise operation of NREL's GPU page (there called a matrix product).
 *
 * Operations an element: 24, the least that a result good to 2 ulp can do with: a logarithm and
 * an exponential by polynomials of degree 5 or more on a reduced range (10 fused multiply-adds),
 * a product, and a rounding. Real code does about twice that; this is a limit, not an estimate.
 */
#include <math.h>

#include "workload/elementwise.h"
#include "workload/elementwise_simd.h"

static double operations(uint64_t size) {
    return 24.0 * (double)size;
}

static void reference(void *const *array, double *z, size_t first, size_t items) {
    const float *x = array[0];
    const float *y = array[1];
    for (size_t i = first; i < first + items; i++) {
        z[i] = pow((double)x[i], (double)y[i]);
    }
}

static void host(void *const *array, size_t first, size_t items, bool past_cache) {
    be_elementwise_simd()->power((const float *)array[0] + first, (const float *)array[1] + first,
                                 (float *)array[2] + first, items, past_cache);
}

static enum be_status prepare(struct be_device *device, struct be_prepared *prepared,
                              struct be_error *error) {
    return be_elementwise_prepare(device, "k_power", prepared, error);
}

const struct be_workload be_workload_power = {
    .name = "power",
    .title = "z = x^y",
    .summary = "elementwise power of two float32 arrays",
    .tolerance = 1e-6,
    BE_ELEMENTWISE_TABLE,
    .operations = operations,
    .reference = reference,
    .host = host,
    .prepare = prepare,
};
