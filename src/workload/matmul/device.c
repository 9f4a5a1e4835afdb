/* The matrix product on a device: launches of matmul.cl and shapes.cl, and the vendor's library. */
#include <string.h>

#include "base/error.h"
#include "kernels/host.h"
#include "kernel_programs.h"
#include "workload/matmul/matmul.h"

/* As matmul.cl has them. */
enum { TILE_ROWS = 128, TILE_COLUMNS32 = 128, TILE_COLUMNS64 = 64, LANES = 256 };
/* As shapes.cl has them. */
enum { SIDE = 32, SMALL_LANES = 64, WIDE_COLUMNS = 32, WIDE_LANES = 512, TALL_LANES = 64 };

enum { SQUARE, ANY };       /* kernels of matmul.cl */
enum { SMALL, WIDE, TALL }; /* kernels of shapes.cl, */
enum { PLAIN };             /* and the one that is built alone */

static size_t over(size_t n, size_t each) {
    return (n + each - 1) / each;
}

enum be_status be_matmul_tiled_prepare(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_matmul", "k_matmul_any", NULL};
    return be_prepare_kernels(device, problem, &be_program_matmul, NULL, names, prepared, error);
}

enum be_status be_matmul_small_prepare(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_small", "k_wide", "k_tall", NULL};
    return be_prepare_kernels(device, problem, &be_program_matmul_shapes, NULL, names, prepared,
                              error);
}

enum be_status be_matmul_plain_prepare(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_plain", NULL};
    return be_prepare_kernels(device, problem, &be_program_matmul_plain, NULL, names, prepared,
                              error);
}

/* One product's matrix begins where it lies, those of a batch are found by number. */
static struct be_argument matrix_argument(const struct be_launch *launch, int array, bool batch) {
    const struct be_argument whole = BE_BUFFER(&launch->buffer[array]);
    return batch ? whole : be_launch_array(launch, array);
}

/* A kernel of any sizes; the last argument is of k_plain alone. */
static enum be_status launch_any(const struct be_launch *launch, int kernel, size_t groups,
                                 size_t lanes, bool numbers, struct be_error *error) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(launch->problem);
    const bool batch = s.batch > 1;
    const struct be_argument argument[] = {
        matrix_argument(launch, BE_MATMUL_A, batch),
        matrix_argument(launch, BE_MATMUL_B, batch),
        matrix_argument(launch, BE_MATMUL_C, batch),
        BE_INT(s.m),
        BE_INT(s.n),
        BE_INT(s.k),
        BE_LONG(batch ? launch->first : 0),
        BE_LONG(launch->items * s.m * s.n),
    };
    return be_launch_kernel(launch, kernel, groups, lanes, argument,
                            (int)BE_COUNT(argument) - (numbers ? 0 : 1), error);
}

enum be_status be_matmul_small_enqueue(const struct be_launch *launch, struct be_error *error) {
    enum { DEEP = 64 }; /* with shorter sums lanes beside one another would have none */
    const struct be_matmul_sizes s = be_matmul_sizes_of(launch->problem);
    if (s.k >= DEEP && s.n <= BE_MATMUL_FEW) {
        return launch_any(launch, TALL, launch->items * s.m, TALL_LANES, false, error);
    }
    if (s.k >= DEEP && s.m <= BE_MATMUL_FEW) {
        return launch_any(launch, WIDE, launch->items * over(s.n, WIDE_COLUMNS), WIDE_LANES, false,
                          error);
    }
    return launch_any(launch, SMALL, launch->items * over(s.m, SIDE) * over(s.n, SIDE), SMALL_LANES,
                      false, error);
}

enum be_status be_matmul_plain_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(launch->problem);
    return launch_any(launch, PLAIN, over(launch->items * s.m * s.n, LANES), LANES, true, error);
}

enum be_status be_matmul_tiled_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(launch->problem);
    const size_t wide = launch->problem->real == BE_REAL64 ? TILE_COLUMNS64 : TILE_COLUMNS32;
    const size_t groups = over(s.m, TILE_ROWS) * over(s.n, wide);
    const bool aligned = s.n % (16 / be_real_bytes(launch->problem->real)) == 0;
    if (!be_matmul_is_square(&s) || !aligned) {
        return launch_any(launch, ANY, launch->items * groups, LANES, false, error);
    }
    const struct be_argument argument[] = {
        be_launch_array(launch, BE_MATMUL_A),
        be_launch_array(launch, BE_MATMUL_B),
        be_launch_array(launch, BE_MATMUL_C),
        BE_INT(s.n),
    };
    return be_launch_kernel(launch, SQUARE, groups, LANES, argument, BE_COUNT(argument), error);
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

static struct be_matrix matrix(const struct be_launch *launch, int array, size_t columns) {
    const struct be_argument at = be_launch_array(launch, array);
    return (struct be_matrix){
        .buffer = at.buffer,
        .offset = at.offset,
        .stride = (int64_t)columns,
    };
}

/* Row-major C = A B is column-major C^T = B^T A^T. */
enum be_status be_matmul_library_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(launch->problem);
    const struct be_gemm gemm = {
        .precision = launch->problem->real == BE_REAL64 ? BE_FLOAT64 : BE_FLOAT32,
        .m = (int64_t)s.n,
        .n = (int64_t)s.m,
        .k = (int64_t)s.k,
        .alpha = 1,
        .a = matrix(launch, BE_MATMUL_B, s.n),
        .b = matrix(launch, BE_MATMUL_A, s.k),
        .c = matrix(launch, BE_MATMUL_C, s.n),
        .batch = (int64_t)launch->items,
        .a_step = (int64_t)(s.k * s.n),
        .b_step = (int64_t)(s.m * s.k),
        .c_step = (int64_t)(s.m * s.n),
    };
    return launch->device->ops->blas->gemm(launch->device, &launch->prepared->blas, &gemm, error);
}
