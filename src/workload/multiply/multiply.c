/*
 * multiply: z = x * y. Operations an element: one product.
 */
#include "kernel_programs.h"
#include "workload/elementwise.h"

BE_ELEMENTWISE_LOOPS(multiply);

static double value(const double *from) {
    return from[0] * from[1];
}

static const struct be_elementwise elementwise = {
    .program = &be_program_multiply,
    .kernel = "k_multiply",
    .loops = &be_multiply_loops,
    .value = value,
    .operations = 1,
    .tolerance = {[BE_REAL32] = 1e-6},
};

static const struct be_variant variant[] = {
    {.name = "plain", .summary = "one pass", BE_ELEMENTWISE_CODE},
};

static const char *const array[] = {"x", "y", "z"};

const struct be_workload be_workload_multiply = {
    .name = "multiply",
    .title = "z = x*y",
    .summary = "elementwise product of two float32 arrays",
    BE_ELEMENTWISE_TABLE,
    .elementwise = &elementwise,
    .reals = BE_TAKES(BE_REAL32),
    .array = array,
    .inputs = 2,
    BE_WORKLOAD_VARIANTS,
};
