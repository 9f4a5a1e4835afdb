/*
 * add: z = x + c with a constant c. Operations an element: one addition. Bytes: x is read and z is
 * written, once each.
 */
#include "kernel_programs.h"
#include "workload/elementwise.h"

BE_ELEMENTWISE_LOOPS(add);

/* The constant is the same number in either type. */
static double value(const double *from) {
    return from[0] + 1.25;
}

static const struct be_elementwise elementwise = {
    .program = &be_program_add,
    .kernel = "k_add",
    .loops = &be_add_loops,
    .value = value,
    .operations = 1,
    /* One rounding: half an ulp. */
    .tolerance = {[BE_REAL32] = 0x1p-24, [BE_REAL64] = 0x1p-53},
};

static const struct be_variant variant[] = {
    {.name = "plain", .summary = "one pass", BE_ELEMENTWISE_CODE},
    {.name = "in-place", .summary = "one pass that overwrites its input", BE_ELEMENTWISE_CODE_HERE},
};

static const char *const array[] = {"x", "z"};

const struct be_workload be_workload_add = {
    .name = "add",
    .title = "z = x+c",
    .summary = "a constant added to every element of an array",
    BE_ELEMENTWISE_TABLE,
    .elementwise = &elementwise,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .inputs = 1,
    BE_WORKLOAD_VARIANTS,
};
