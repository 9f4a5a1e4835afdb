/* The matrix product on a device: launches of matmul.cl, and the vendor's library. */
#include <string.h>

#include "base/error.h"
#include "kernels/host.h"
#include "kernel_programs.h"
#include "workload/matmul/matmul.h"

/* As matmul.cl has them. */
enum { TILE_ROWS = 128, TILE_COLUMNS32 = 128, TILE_COLUMNS64 = 64, LANES = 256 };

enum be_status be_matmul_tiled_prepare(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_matmul", "k_matmul_any", NULL};
    return be_prepare_kernels(device, problem, &be_program_matmul, NULL, names, prepared, error);
}

enum be_status be_matmul_tiled_enqueue(const struct be_launch *launch, struct be_error *error) {
    const size_t n = be_matmul_order(launch->problem);
    const size_t wide = launch->problem->real == BE_REAL64 ? TILE_COLUMNS64 : TILE_COLUMNS32;
    const size_t groups = ((n + TILE_ROWS - 1) / TILE_ROWS) * ((n + wide - 1) / wide);
    const struct be_argument argument[] = {
        be_launch_array(launch, BE_MATMUL_A),
        be_launch_array(launch, BE_MATMUL_B),
        be_launch_array(launch, BE_MATMUL_C),
        BE_INT(n),
    };
    const bool whole = n % (16 / be_real_bytes(launch->problem->real)) == 0;
    return be_launch_kernel(launch, whole ? 0 : 1, groups, LANES, argument, BE_COUNT(argument),
                            error);
}

/* ---- the vendor's library ------------------------------------------------------------------- */

enum be_status be_matmul_library_prepare(struct be_device *device, const struct be_problem *problem,
                                         struct be_prepared *prepared, struct be_error *error) {
    (void)problem;
    memset(prepared, 0, sizeof *prepared);
    if (!device->ops->blas) {
        return be_fail(error, BE_ABSENT, "%s: no matrix library is known for %s devices",
                       device->info.id, device->ops->name);
    }
    return device->ops->blas->open(device, &prepared->blas, error);
}

void be_matmul_library_discard(struct be_device *device, struct be_prepared *prepared) {
    device->ops->blas->close(device, &prepared->blas);
}

static struct be_matrix matrix(const struct be_launch *launch, int array) {
    const struct be_argument at = be_launch_array(launch, array);
    return (struct be_matrix){
        .buffer = at.buffer,
        .offset = at.offset,
        .stride = (int64_t)be_matmul_order(launch->problem),
    };
}

/* Row-major C = A B is column-major C^T = B^T A^T. */
enum be_status be_matmul_library_enqueue(const struct be_launch *launch, struct be_error *error) {
    const int64_t n = (int64_t)be_matmul_order(launch->problem);
    const struct be_gemm gemm = {
        .precision = launch->problem->real == BE_REAL64 ? BE_FLOAT64 : BE_FLOAT32,
        .m = n,
        .n = n,
        .k = n,
        .alpha = 1,
        .a = matrix(launch, BE_MATMUL_B),
        .b = matrix(launch, BE_MATMUL_A),
        .c = matrix(launch, BE_MATMUL_C),
    };
    return launch->device->ops->blas->gemm(launch->device, &launch->prepared->blas, &gemm, error);
}
