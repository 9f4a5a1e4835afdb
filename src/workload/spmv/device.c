/* Products on a device: launches of spmv.cl, those of all steps put into the queue at once. */
#include "base/error.h"
#include "kernel_programs.h"
#include "workload/spmv/spmv.h"

enum { PRODUCT, SQUARE, SCALE, STEP };                /* kernels */
enum { LANES = 256, MAX_LANES_A_ROW = 32, EACH = 4 }; /* LANES as spmv.cl has them */
enum {
    PARTS_MAX = 1024,
    PARTS_BYTES = PARTS_MAX * sizeof(double)
};                     /* groups that fill a large GPU */
enum { ALIGN = 4096 }; /* any device can begin there */

/* Each lane has about EACH nonzeros, whose loads are on their way together. */
static size_t lanes_a_row(const struct be_problem *problem) {
    size_t lanes = 1;
    while (lanes < MAX_LANES_A_ROW &&
           2 * lanes * EACH <= (size_t)problem->value[BE_SPMV_NONZEROS]) {
        lanes *= 2;
    }
    return lanes;
}

enum be_status be_spmv_prepare(struct be_device *device, const struct be_problem *problem,
                               struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_spmv", "k_square", "k_scale", "k_step", NULL};
    char defines[64];
    snprintf(defines, sizeof defines, "#define TEAM %zu\n", lanes_a_row(problem));
    return be_prepare_kernels(device, problem, &be_program_spmv, defines, names, prepared, error);
}

static size_t vector_bytes(const struct be_problem *problem) {
    const size_t bytes = be_spmv_size(problem).rows * be_real_bytes(problem->real);
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* A vector, and the parts of two sums. */
size_t be_spmv_device_scratch(const struct be_problem *problem) {
    return be_spmv_size(problem).steps > 1 ? vector_bytes(problem) + 2 * PARTS_BYTES : 0;
}

struct be_part be_spmv_between(const struct be_launch *launch) {
    return (struct be_part){launch->scratch, 0};
}

static struct be_argument between(const struct be_launch *launch) {
    return (struct be_argument)BE_BUFFER_FROM(launch->scratch, 0);
}

static struct be_argument squares(const struct be_launch *launch, size_t which) {
    return (struct be_argument)BE_BUFFER_FROM(launch->scratch, vector_bytes(launch->problem) +
                                                                   which % 2 * PARTS_BYTES);
}

/* Groups of so many rows each, but no more than there are parts. */
static size_t parts_of(const struct be_problem *problem, size_t rows_a_group) {
    const size_t groups = (be_spmv_size(problem).rows + rows_a_group - 1) / rows_a_group;
    return groups < PARTS_MAX ? groups : PARTS_MAX;
}

enum be_status be_spmv_put_norm(const struct be_launch *launch, struct be_error *error) {
    const size_t parts = parts_of(launch->problem, LANES);
    const struct be_argument y = be_launch_array(launch, BE_SPMV_Y);
    const struct be_argument rows = BE_LONG(be_spmv_size(launch->problem).rows);
    const struct be_argument square[] = {y, rows, BE_INT(parts), squares(launch, 0)};
    const struct be_argument scale[] = {y, between(launch), rows, BE_INT(parts),
                                        squares(launch, 0)};
    enum be_status status =
        be_launch_kernel(launch, SQUARE, parts, LANES, square, BE_COUNT(square), error);
    return status == BE_OK
               ? be_launch_kernel(launch, SCALE, parts, LANES, scale, BE_COUNT(scale), error)
               : status;
}

static enum be_status put_product(const struct be_launch *launch, struct be_argument x,
                                  struct be_error *error) {
    const size_t rows = be_spmv_size(launch->problem).rows;
    const size_t rows_a_group = LANES / lanes_a_row(launch->problem);
    const struct be_argument argument[] = {
        be_launch_array(launch, BE_SPMV_START), be_launch_array(launch, BE_SPMV_COLUMN),
        be_launch_array(launch, BE_SPMV_VALUE), x,
        be_launch_array(launch, BE_SPMV_Y),     BE_LONG(rows)};
    return be_launch_kernel(launch, PRODUCT, (rows + rows_a_group - 1) / rows_a_group, LANES,
                            argument, BE_COUNT(argument), error);
}

enum be_status be_spmv_enqueue(const struct be_launch *launch, struct be_error *error) {
    enum be_status status = put_product(launch, be_launch_array(launch, BE_SPMV_X), error);
    for (size_t k = be_spmv_size(launch->problem).steps; status == BE_OK && k > 1; k--) {
        status = be_spmv_put_norm(launch, error);
        if (status == BE_OK) {
            status = put_product(launch, between(launch), error);
        }
    }
    return status;
}

const char *be_spmv_unfit_fused(const struct be_problem *problem) {
    return be_spmv_size(problem).steps < 2 ? "takes more than one step" : NULL;
}

/* Vectors go back and forth between the output and the one beside it, and end in the output. */
enum be_status be_spmv_enqueue_fused(const struct be_launch *launch, struct be_error *error) {
    const struct be_spmv_size size = be_spmv_size(launch->problem);
    const size_t parts = parts_of(launch->problem, LANES / lanes_a_row(launch->problem));
    struct be_argument x = be_launch_array(launch, BE_SPMV_X);
    enum be_status status = BE_OK;
    for (size_t k = size.steps; status == BE_OK && k-- > 0;) {
        const struct be_argument y =
            k % 2 == 0 ? be_launch_array(launch, BE_SPMV_Y) : between(launch);
        const struct be_argument argument[] = {be_launch_array(launch, BE_SPMV_START),
                                               be_launch_array(launch, BE_SPMV_COLUMN),
                                               be_launch_array(launch, BE_SPMV_VALUE),
                                               x,
                                               y,
                                               BE_LONG(size.rows),
                                               BE_INT(parts),
                                               BE_INT(k + 1 == size.steps),
                                               squares(launch, k + 1),
                                               squares(launch, k)};
        status = be_launch_kernel(launch, STEP, parts, LANES, argument, BE_COUNT(argument), error);
        x = y;
    }
    return status;
}
