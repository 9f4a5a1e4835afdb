/*
 * power: z = x^y, the elementwise operation of NREL's GPU page (there called a matrix product).
 *
 * Operations an element: 20, the least that a result good to 2 ulp can do with. With tables of some hundred
 * numbers, fused multiply-adds counted twice: a logarithm as m c - 1, a polynomial of degree 3 of it, and
 * e ln 2 - ln c (10); a product (1); an exponential as a multiple and a remainder, a polynomial of degree 2,
 * and a number of the table (9). Real code does two to three times that, since float alone does not suffice
 * for the logarithm; this is a limit, not an estimate.
 */
#include <math.h>

#include "workload/elementwise.h"
#include "workload/elementwise_simd.h"

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    be_elementwise_shape(problem, 20, 1e-6, shape);
}

static void reference(const struct be_work *work, double *z) {
    const float *x = work->array[0];
    const float *y = work->array[1];
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        z[i] = pow((double)x[i], (double)y[i]);
    }
}

static void host(const struct be_work *work) {
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    be_elementwise_simd()->power((const float *)work->array[0] + first,
                                 (const float *)work->array[1] + first,
                                 (float *)work->array[2] + first, count, work->stores,
                                 work->cold ? be_work_ask(work) : BE_ASK_NOT);
}

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    return be_elementwise_prepare(device, problem, "k_power", prepared, error);
}

static const struct be_variant variant[] = {{
    .name = "plain",
    .summary = "one pass",
    .host = host,
    .prepare = prepare,
    .enqueue = be_elementwise_enqueue,
    .discard = be_discard_kernels,
}};

const struct be_workload be_workload_power = {
    .name = "power",
    .title = "z = x^y",
    .summary = "elementwise power of two float32 arrays",
    BE_ELEMENTWISE_TABLE,
    .shape = shape,
    .reference = reference,
    .variant = variant,
    .variants = 1,
};
