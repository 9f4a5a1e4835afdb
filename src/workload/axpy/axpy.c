/*
 * axpy: z = a x + y with a constant a, as BLAS has it, which updates y. Operations an element: a product and a sum.
 * Bytes: x and y are read and z is written, once each.
 */
#include "kernel_programs.h"
#include "workload/elementwise.h"

BE_ELEMENTWISE_LOOPS(axpy);

enum { Y, X }; /* what is updated stands first */

static double value(const double *from) {
    return 2.5 * from[X] + from[Y];
}

static const struct be_elementwise elementwise = {
    .program = &be_program_axpy,
    .kernel = "k_axpy",
    .loops = &be_axpy_loops,
    .value = value,
    .operations = 2,
    /* All numbers are positive: two roundings, and in float64 the reference's one more. */
    .tolerance = {[BE_REAL32] = 2 * 0x1p-24, [BE_REAL64] = 3 * 0x1p-53},
};

static const struct be_variant variant[] = {
    {.name = "plain", .summary = "one pass", BE_ELEMENTWISE_CODE},
    {.name = "in-place", .summary = "one pass that overwrites y", BE_ELEMENTWISE_CODE_HERE},
};

static const char *const array[] = {"y", "x", "z"};

const struct be_workload be_workload_axpy = {
    .name = "axpy",
    .title = "z = a x+y",
    .summary = "a multiple of one array added to another",
    BE_ELEMENTWISE_TABLE,
    .elementwise = &elementwise,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .inputs = 2,
    BE_WORKLOAD_VARIANTS,
};
