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

#include "kernel_programs.h"
#include "workload/elementwise.h"
#include "workload/power/simd.h"

static double value(const double *from) {
    return pow(from[0], from[1]);
}

static const struct be_elementwise elementwise = {
    .program = &be_program_power,
    .kernel = "k_power",
    .value = value,
    .operations = 20,
    .tolerance = {[BE_REAL32] = 1e-6},
};

static void host(const struct be_work *work) {
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    BE_SIMD_BEST(be_power_run)
    ((const float *)work->array[0] + first, (const float *)work->array[1] + first,
     (float *)work->array[2] + first, count, work->stores,
     work->cold ? be_work_prefetch(work) : BE_ASK_NOT);
}

/* The C library's function: what everybody has. */
static void host_libm(const struct be_work *work) {
    const float *x = work->array[0], *y = work->array[1];
    float *z = work->array[2];
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        z[i] = powf(x[i], y[i]);
    }
}

static enum be_status prepare_libm(struct be_device *device, const struct be_problem *problem,
                                   struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_power_libm", NULL};
    return be_prepare_kernels(device, problem, &be_program_power, NULL, names, prepared, error);
}

static const struct be_variant variant[] = {
    {
        .name = "plain",
        .summary = "one pass",
        .host = host,
        BE_ELEMENTWISE_DEVICE,
    },
    {
        .name = "libm",
        .summary = "one pass with the power function of the C library; on devices with theirs",
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .host = host_libm,
        .prepare = prepare_libm,
        .enqueue = be_elementwise_enqueue,
        .discard = be_discard_kernels,
    },
};

static const char *const array[] = {"x", "y", "z"};

const struct be_workload be_workload_power = {
    .name = "power",
    .title = "z = x^y",
    .summary = "elementwise power of two float32 arrays",
    BE_ELEMENTWISE_TABLE,
    .elementwise = &elementwise,
    .reals = BE_TAKES(BE_REAL32),
    .array = array,
    .inputs = 2,
    BE_WORKLOAD_VARIANTS,
};
