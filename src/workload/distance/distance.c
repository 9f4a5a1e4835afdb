/*
 * distance: squared Euclidean distances of all pairs of n points, D[i][j] = |x_i - x_j|^2, or of
 * each row of that matrix only the least, which is the squared distance to the nearest other point,
 * or of all of it only how many are how long.
 */
#include "workload/distance/distance.h"

#include <math.h>

#include "base/error.h"
#include "workload/numbers.h"

static const char *not_a_matrix(const struct be_problem *problem) {
    return problem->value[BE_DISTANCE_CONSUMER] == BE_DISTANCE_MATRIX
               ? NULL
               : "gives the whole matrix only (--consumer=matrix)";
}

static bool has_no_bins(const struct be_problem *problem) {
    return problem->value[BE_DISTANCE_CONSUMER] != BE_DISTANCE_HISTOGRAM;
}

/*
 * Operations: the matrix is symmetric, so n (n - 1) / 2 pairs; a pair costs a product and a sum for
 * each coordinate at least, as the product x_i . x_j does or a difference and its square with one
 * coordinate. Workloads of this kind look at every pair: search trees, which do not, are another.
 */
static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const size_t n = be_distance_points(problem);
    const size_t d = be_distance_dimension(problem);
    const size_t number = be_real_bytes(problem->real);
    const uint64_t consumer = problem->value[BE_DISTANCE_CONSUMER];
    const size_t results = consumer == BE_DISTANCE_MATRIX    ? n * n * number
                           : consumer == BE_DISTANCE_ROW_MIN ? n * number
                                                             : be_distance_bins(problem) * 8;
    *shape = (struct be_shape){
        .items = 1,
        .item_bytes = {n * d * number, results},
        .operations = (double)n * (double)(n - 1) * (double)d,
        .bytes = (double)(n * d * number + results),
        /* A sum of d terms and what makes a term. */
        .tolerance = (8 + (double)d) * be_number_unit(problem->real),
    };
    if (consumer == BE_DISTANCE_HISTOGRAM) {
        shape->reference = be_distance_bins(problem);
        shape->tolerance = be_distance_histogram_tolerance(problem);
    }
}

static void fill(const struct be_work *work, uint64_t seed) {
    const struct be_problem *problem = work->problem;
    void *x = be_work_array(work, BE_DISTANCE_X);
    size_t first;
    size_t count;
    be_work_rows(work, be_distance_points(problem) * be_distance_dimension(problem), 1, &first,
                 &count);
    for (size_t i = first; i < first + count; i++) {
        be_number_set(problem->real, x, i, be_number_random(problem->real, seed, i));
    }
}

/* ---- the plain reference -------------------------------------------------------------------- */

static double squared(const struct be_problem *problem, const void *x, size_t i, size_t j) {
    const size_t d = be_distance_dimension(problem);
    double sum = 0;
    for (size_t k = 0; k < d; k++) {
        double t = be_number(problem->real, x, i * d + k) - be_number(problem->real, x, j * d + k);
        sum += t * t;
    }
    return sum;
}

/* Distances that are no numbers are passed over. */
static double nearest(const struct be_problem *problem, const void *x, size_t i) {
    double min = INFINITY;
    for (size_t j = 0; j < be_distance_points(problem); j++) {
        double one = j == i ? INFINITY : squared(problem, x, i, j);
        min = one < min ? one : min;
    }
    return min;
}

/* A result that is no number is right where the reference is none either. `scale` is what else the
 * error is relative to. */
static void compare(double z, double reference, double scale, double *difference, double *norm) {
    if (isnan(z) || isnan(reference)) {
        *difference += isnan(z) && isnan(reference) ? 0 : NAN;
    } else if (z != reference) { /* both may be infinite */
        *difference += (z - reference) * (z - reference);
    }
    *norm += isfinite(reference) ? reference * reference + scale * scale : 0;
}

/* Every how many results one is computed again: an odd number, so that all places within tiles and
 * vectors come up, and so that a check takes seconds. */
static size_t sparsity(const struct be_problem *problem) {
    const double max = 3e8; /* coordinates of pairs */
    double n = (double)be_distance_points(problem);
    double all = n * n * (double)be_distance_dimension(problem);
    return 2 * (size_t)(all / max / 2) + 1;
}

/* Recomputes from the inputs, in double precision. It looks at every so-manieth diagonal of a large
 * matrix, and at every so-manieth row of many rows; that the others were written is looked at. */
static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const struct be_problem *problem = work->problem;
    const void *x = be_work_array(work, BE_DISTANCE_X);
    const void *out = be_work_array(work, BE_DISTANCE_D);
    const bool matrix = problem->value[BE_DISTANCE_CONSUMER] == BE_DISTANCE_MATRIX;
    const size_t n = be_distance_points(problem);
    const size_t every = sparsity(problem);
    /* |x|^2 + |y|^2 in the mean, of coordinates in [0, 1): |x|^2 + |y|^2 - 2 x.y is that right, and
     * no more, however close the two points are. */
    const double squares = 2.0 / 3 * (double)be_distance_dimension(problem);
    size_t first;
    size_t count;
    if (problem->value[BE_DISTANCE_CONSUMER] == BE_DISTANCE_HISTOGRAM) {
        be_distance_histogram_residual(work, reference, difference, norm);
        return;
    }
    be_work_rows(work, n, 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        for (size_t j = 0; matrix && j < n; j++) {
            double z = be_number(problem->real, out, i * n + j);
            if ((i + j) % every == 0 || isnan(z)) {
                compare(z, squared(problem, x, i, j), squares, difference, norm);
            }
        }
        double z = matrix ? 0 : be_number(problem->real, out, i);
        if (!matrix && (i % every == 0 || isnan(z))) {
            compare(z, nearest(problem, x, i), 0, difference, norm);
        }
    }
}

/* ---- plain code ----------------------------------------------------------------------------- */

static void host_plain(const struct be_work *work) {
    BE_SIMD_BEST(be_distance_plain_run)(work);
}

static size_t host_plain_scratch(const struct be_problem *problem, int members) {
    return has_no_bins(problem)
               ? 0
               : (size_t)members * be_distance_plain_apart(problem) * sizeof(uint64_t);
}

/* ---- the table ------------------------------------------------------------------------------ */

/* As the published code's second figure has them. */
static const char *const passes[] = {
    [BE_DISTANCE_EINSUM - 1] = "einsum",
    [BE_DISTANCE_MATMUL - 1] = "matmul",
    [BE_DISTANCE_OPS - 1] = "ops",
    NULL,
};

static const struct be_variant variant[] = {
    {
        .name = "three-pass",
        .summary = "|x|^2 + |y|^2 - 2 x.y in passes over whole matrices, as array libraries do it",
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .passes = passes,
        .as_written = true,
        .unfit = not_a_matrix,
        .host = be_distance_host_passes,
        .host_scratch = be_distance_host_passes_scratch,
        .prepare = be_distance_passes_prepare,
        .enqueue = be_distance_passes_enqueue,
        .discard = be_distance_passes_discard,
        .device_scratch = be_distance_passes_scratch,
    },
    {
        .name = "fused",
        .summary = "one pass: differences, squared and summed, written once",
        .device_code = BE_CODE_PLAIN,
        .host = be_distance_host_fused,
        .host_scratch = be_distance_host_fused_scratch,
        .prepare = be_distance_fused_prepare,
        .enqueue = be_distance_fused_enqueue,
        .discard = be_discard_kernels,
        .device_scratch = be_distance_fused_scratch,
        .slices = be_distance_fused_slices,
        .each_of = 1u << BE_DISTANCE_BINS,
    },
    {
        .name = "symmetric",
        .summary = "half of the matrix computed, each tile written twice (devices only)",
        .unfit = not_a_matrix,
        .prepare = be_distance_symmetric_prepare,
        .enqueue = be_distance_symmetric_enqueue,
        .discard = be_discard_kernels,
    },
    {
        .name = "plain",
        .summary = "loops over both points and their coordinates (CPU)",
        .host_code = BE_CODE_PLAIN,
        .host = host_plain,
        .host_scratch = host_plain_scratch,
    },
};

static const char *const consumer[] = {
    [BE_DISTANCE_MATRIX] = "matrix",
    [BE_DISTANCE_ROW_MIN] = "nearest",
    [BE_DISTANCE_HISTOGRAM] = "histogram",
};

static const struct be_parameter parameter[] = {
    {.name = "points",
     .what = "points",
     .preset = 1000,
     .min = 2,
     .max = 1000000,
     .from = 64,
     .to = 30000,
     .look = {256, 2048, 8192}},
    {.name = "dimension",
     .what = "coordinates of a point",
     .preset = 3,
     .min = 1,
     .max = 128,
     .from = 1,
     .to = 128,
     .look = {1, 3, 32, 128}},
    {.name = "consumer",
     .what =
         "matrix: all distances; nearest: of each point to its nearest; histogram: how many are "
         "how long",
     .preset = BE_DISTANCE_MATRIX,
     .min = BE_DISTANCE_MATRIX,
     .max = BE_DISTANCE_HISTOGRAM,
     .kind = consumer},
    {.name = "bins",
     .what = "bins of the histogram",
     .preset = 256,
     .min = 1,
     .max = BE_DISTANCE_BINS_MAX,
     .from = 16,
     .to = BE_DISTANCE_BINS_MAX,
     .look = {64, 256, 1024},
     .idle = has_no_bins,
     .unless = "--consumer=histogram"},
};

static const char *const array[] = {"points", "distances"};

const struct be_workload be_workload_distance = {
    .name = "distance",
    .title = "D[i][j] = |x_i - x_j|^2",
    .summary = "squared Euclidean distances of all pairs of points",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .matrix = true, /* x_i . x_j is a matrix product */
    .array = array,
    .inputs = 1,
    .outputs = 1,
    .host_grain = 1,
    .wants_blas = true,
    .shape = shape,
    .fill = fill,
    .reference = be_distance_histogram_reference,
    .residual = residual,
    BE_WORKLOAD_VARIANTS,
};
