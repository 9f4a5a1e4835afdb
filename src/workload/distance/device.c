/* Squared distances on a device: launches of distance.cl. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "kernels/host.h"
#include "kernel_programs.h"
#include "workload/distance/distance.h"

/* As distance.cl has them. */
enum {
    FEW = 4, /* dimensions that have a kernel of their own */
    FEW_LANES = 256,
    FEW_ROWS = 32,
    FEW_COLUMNS = 256,
    TILE = 64,
    TILE_LANES = 256,
    PASS_LANES = 256
};

static size_t over(size_t n, size_t each) {
    return (n + each - 1) / each;
}

/* The tiles on and above the diagonal of the matrix, of a side that is made even. */
static size_t upper_tiles(const struct be_problem *problem) {
    const size_t tiles = over(be_distance_points(problem), TILE);
    const size_t even = tiles + tiles % 2;
    return even / 2 * (even + 1);
}

/* ---- one pass ------------------------------------------------------------------------------- */

enum { FUSED_1, FUSED = FEW, NEAREST, NEAREST_END, HISTOGRAM = 0, HISTOGRAM_END };

/* Groups have their own counts, and each several copies, so that lanes seldom wait for one another:
 * as many as fit beside the tile in what every device has of shared memory. */
static enum be_status prepare_histogram(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_histogram", "k_histogram_end", NULL};
    const size_t max_bytes = 9000;
    const size_t bins = be_distance_bins(problem);
    char defines[128];
    size_t copies = 32; /* one a lane of a warp */
    while (copies > 1 && copies * (bins + 2) * 4 > max_bytes) {
        copies /= 2;
    }
    snprintf(defines, sizeof defines, "#define BINS %zu\n#define COPIES %zu\n", bins, copies);
    return be_prepare_kernels(device, problem, &be_program_distance, defines, names, prepared,
                              error);
}

enum be_status be_distance_fused_prepare(struct be_device *device, const struct be_problem *problem,
                                         struct be_prepared *prepared, struct be_error *error) {
    if (problem->value[BE_DISTANCE_CONSUMER] == BE_DISTANCE_HISTOGRAM) {
        return prepare_histogram(device, problem, prepared, error);
    }
    static const char *const names[] = {"k_fused_1", "k_fused_2", "k_fused_3",     "k_fused_4",
                                        "k_fused",   "k_nearest", "k_nearest_end", NULL};
    return be_prepare_kernels(device, problem, &be_program_distance, NULL, names, prepared, error);
}

/* Into how many parts the columns are cut for the least of each row: few rows alone do not fill a
 * device. */
static size_t nearest_parts(const struct be_problem *problem) {
    const size_t wanted = 1024; /* groups: several for each of a large GPU's 150 or so processors */
    const size_t rows = over(be_distance_points(problem), TILE);
    const size_t parts = over(wanted, rows);
    return parts < rows ? parts : rows;
}

/* Groups that share the tiles of a histogram: many waves of them would each have to put its counts
 * away. None meets 2^32 pairs. */
static size_t histogram_parts(const struct be_problem *problem) {
    const size_t wanted = 1024;
    const size_t tiles = upper_tiles(problem);
    return tiles < wanted ? tiles : wanted;
}

size_t be_distance_fused_scratch(const struct be_problem *problem) {
    switch (problem->value[BE_DISTANCE_CONSUMER]) {
    case BE_DISTANCE_ROW_MIN:
        return nearest_parts(problem) * be_distance_points(problem) * be_real_bytes(problem->real);
    case BE_DISTANCE_HISTOGRAM:
        return histogram_parts(problem) * be_distance_bins(problem) * sizeof(uint32_t);
    default:
        return 0;
    }
}

static enum be_status enqueue_histogram(const struct be_launch *launch, struct be_error *error) {
    const struct be_problem *problem = launch->problem;
    const size_t parts = histogram_parts(problem);
    const struct be_argument part[] = {
        be_launch_array(launch, BE_DISTANCE_X),
        BE_BUFFER(launch->scratch),
        BE_LONG(be_distance_points(problem)),
        BE_LONG(be_distance_dimension(problem)),
        BE_LONG(parts),
        be_launch_real(launch, be_distance_edge(problem)),
        BE_FLOAT(be_distance_scale(problem)),
    };
    const struct be_argument end[] = {
        BE_BUFFER(launch->scratch),
        be_launch_array(launch, BE_DISTANCE_D),
        BE_LONG(parts),
    };
    enum be_status status =
        be_launch_kernel(launch, HISTOGRAM, parts, TILE_LANES, part, BE_COUNT(part), error);
    return status == BE_OK ? be_launch_kernel(launch, HISTOGRAM_END, be_distance_bins(problem),
                                              TILE_LANES, end, BE_COUNT(end), error)
                           : status;
}

static enum be_status enqueue_nearest(const struct be_launch *launch, struct be_error *error) {
    const size_t n = be_distance_points(launch->problem);
    const size_t parts = nearest_parts(launch->problem);
    const struct be_argument part[] = {
        be_launch_array(launch, BE_DISTANCE_X),
        BE_BUFFER(launch->scratch),
        BE_LONG(n),
        BE_LONG(be_distance_dimension(launch->problem)),
        BE_LONG(parts),
    };
    const struct be_argument end[] = {
        BE_BUFFER(launch->scratch),
        be_launch_array(launch, BE_DISTANCE_D),
        BE_LONG(n),
        BE_LONG(parts),
    };
    enum be_status status = be_launch_kernel(launch, NEAREST, over(n, TILE) * parts, TILE_LANES,
                                             part, BE_COUNT(part), error);
    return status == BE_OK ? be_launch_kernel(launch, NEAREST_END, over(n, PASS_LANES), PASS_LANES,
                                              end, BE_COUNT(end), error)
                           : status;
}

/* A kernel from the points to a matrix. */
static enum be_status enqueue_matrix(const struct be_launch *launch, int kernel, size_t groups,
                                     size_t lanes, struct be_argument matrix,
                                     struct be_error *error) {
    const struct be_argument argument[] = {
        be_launch_array(launch, BE_DISTANCE_X),
        matrix,
        BE_LONG(be_distance_points(launch->problem)),
        BE_LONG(be_distance_dimension(launch->problem)),
    };
    return be_launch_kernel(launch, kernel, groups, lanes, argument, BE_COUNT(argument), error);
}

struct be_slices be_distance_fused_slices(const struct be_problem *problem) {
    const size_t n = be_distance_points(problem);
    const bool matrix = problem->value[BE_DISTANCE_CONSUMER] == BE_DISTANCE_MATRIX;
    return (struct be_slices){matrix ? n : 0, n * be_real_bytes(problem->real)};
}

/* The rows that are asked for. */
static enum be_status enqueue_rows(const struct be_launch *launch, struct be_error *error) {
    const size_t n = be_distance_points(launch->problem);
    const size_t d = be_distance_dimension(launch->problem);
    const bool few = d <= FEW;
    const size_t count = launch->slice.count ? launch->slice.count : n;
    const size_t first = launch->slice.count ? launch->slice.first : 0;
    const size_t at = launch->slice.count ? launch->slice.at : 0;
    const struct be_argument argument[] = {
        be_launch_array(launch, BE_DISTANCE_X),
        be_launch_array(launch, BE_DISTANCE_D),
        BE_LONG(n),
        BE_LONG(d),
        BE_LONG(first),
        BE_LONG(count),
        BE_LONG(at),
    };
    const size_t groups =
        few ? over(count, FEW_ROWS) * over(n, FEW_COLUMNS) : over(count, TILE) * over(n, TILE);
    return be_launch_kernel(launch, few ? FUSED_1 + (int)d - 1 : FUSED, groups,
                            few ? FEW_LANES : TILE_LANES, argument, BE_COUNT(argument), error);
}

enum be_status be_distance_fused_enqueue(const struct be_launch *launch, struct be_error *error) {
    switch (launch->problem->value[BE_DISTANCE_CONSUMER]) {
    case BE_DISTANCE_ROW_MIN:
        return enqueue_nearest(launch, error);
    case BE_DISTANCE_HISTOGRAM:
        return enqueue_histogram(launch, error);
    default:
        return enqueue_rows(launch, error);
    }
}

/* ---- half of it ----------------------------------------------------------------------------- */

enum be_status be_distance_symmetric_prepare(struct be_device *device,
                                             const struct be_problem *problem,
                                             struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_symmetric", NULL};
    return be_prepare_kernels(device, problem, &be_program_distance, NULL, names, prepared, error);
}

enum be_status be_distance_symmetric_enqueue(const struct be_launch *launch,
                                             struct be_error *error) {
    return enqueue_matrix(launch, 0, upper_tiles(launch->problem), TILE_LANES,
                          be_launch_array(launch, BE_DISTANCE_D), error);
}

/* ---- as array libraries do it --------------------------------------------------------------- */

enum { SQUARES, GRAM, OUTER_SUM, TWICE, SUBTRACT };

/* Parts of the scratch buffer lie on multiples of this: any device can begin there. */
enum { PART_ALIGN = 4096 };

static size_t square_bytes(const struct be_problem *problem) {
    return over(be_distance_points(problem) * be_real_bytes(problem->real), PART_ALIGN) *
           PART_ALIGN;
}

static size_t matrix_bytes(const struct be_problem *problem) {
    const size_t n = be_distance_points(problem);
    return over(n * n * be_real_bytes(problem->real), PART_ALIGN) * PART_ALIGN;
}

size_t be_distance_passes_scratch(const struct be_problem *problem) {
    return square_bytes(problem) + 2 * matrix_bytes(problem);
}

void be_distance_passes_discard(struct be_device *device, struct be_prepared *prepared) {
    if (device->ops->blas) {
        device->ops->blas->close(device, &prepared->blas);
    }
    be_discard_kernels(device, prepared);
}

enum be_status be_distance_passes_prepare(struct be_device *device,
                                          const struct be_problem *problem,
                                          struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_squares", "k_gram",     "k_outer_sum",
                                        "k_twice",   "k_subtract", NULL};
    enum be_status status =
        be_prepare_kernels(device, problem, &be_program_distance, NULL, names, prepared, error);
    if (status != BE_OK || !device->ops->blas) {
        return status;
    }
    status = device->ops->blas->open(device, &prepared->blas, error);
    if (status == BE_ABSENT) { /* then the product is by our own code */
        memset(&prepared->blas, 0, sizeof prepared->blas);
        return BE_OK;
    }
    if (status != BE_OK) {
        be_discard_kernels(device, prepared);
    }
    return status;
}

/* X X^T: X row after row is the transpose of X as BLAS reads it. */
static enum be_status enqueue_product(const struct be_launch *launch, size_t at,
                                      struct be_error *error) {
    const int64_t n = (int64_t)be_distance_points(launch->problem);
    const int64_t d = (int64_t)be_distance_dimension(launch->problem);
    const struct be_argument x = be_launch_array(launch, BE_DISTANCE_X);
    const struct be_matrix points = {.buffer = x.buffer, .offset = x.offset, .stride = d};
    const struct be_gemm gemm = {
        .precision = launch->problem->real == BE_REAL64 ? BE_FLOAT64 : BE_FLOAT32,
        .transpose_a = true,
        .m = n,
        .n = n,
        .k = d,
        .alpha = 1,
        .a = points,
        .b = points,
        .c = {.buffer = launch->scratch, .offset = at, .stride = n},
    };
    if (launch->prepared->blas.handle) {
        return launch->device->ops->blas->gemm(launch->device, &launch->prepared->blas, &gemm,
                                               error);
    }
    const struct be_argument matrix = BE_BUFFER_FROM(launch->scratch, at);
    const size_t tiles = over((size_t)n, TILE);
    return enqueue_matrix(launch, GRAM, tiles * tiles, TILE_LANES, matrix, error);
}

enum be_status be_distance_passes_enqueue(const struct be_launch *launch, struct be_error *error) {
    const size_t n = be_distance_points(launch->problem);
    const size_t across = over(n, PASS_LANES);
    const size_t flat = over(n * n, PASS_LANES);
    const size_t product_at = square_bytes(launch->problem);
    const size_t sum_at = product_at + matrix_bytes(launch->problem);
    const struct be_argument square = BE_BUFFER(launch->scratch);
    const struct be_argument product = BE_BUFFER_FROM(launch->scratch, product_at);
    const struct be_argument sum = BE_BUFFER_FROM(launch->scratch, sum_at);
    const struct be_argument outer[] = {square, sum, BE_LONG(n), BE_LONG(across)};
    const struct be_argument twice[] = {product, BE_LONG(n * n)};
    const struct be_argument subtract[] = {sum, product, be_launch_array(launch, BE_DISTANCE_D),
                                           BE_LONG(n * n)};
    const bool ops = be_pass_wanted(launch->pass, BE_DISTANCE_OPS);
    enum be_status status = BE_OK;
    if (be_pass_wanted(launch->pass, BE_DISTANCE_EINSUM)) {
        status = enqueue_matrix(launch, SQUARES, across, PASS_LANES, square, error);
    }
    if (status == BE_OK && be_pass_wanted(launch->pass, BE_DISTANCE_MATMUL)) {
        status = enqueue_product(launch, product_at, error);
    }
    if (status == BE_OK && ops) {
        status = be_launch_kernel(launch, OUTER_SUM, n * across, PASS_LANES, outer, BE_COUNT(outer),
                                  error);
    }
    if (status == BE_OK && ops) {
        status = be_launch_kernel(launch, TWICE, flat, PASS_LANES, twice, BE_COUNT(twice), error);
    }
    return status == BE_OK && ops ? be_launch_kernel(launch, SUBTRACT, flat, PASS_LANES, subtract,
                                                     BE_COUNT(subtract), error)
                                  : status;
}
