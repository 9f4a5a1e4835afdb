/* Squared distances on the CPU: a team's members share the rows. */
#include "workload/distance/distance.h"
#include "workload/distance/simd.h"
#include "host/simd.h"

#define RUN(real)                                                                                  \
    ((real) == BE_REAL64 ? BE_SIMD_BEST(be_distance_run64) : BE_SIMD_BEST(be_distance_run32))

/* ---- one pass ------------------------------------------------------------------------------- */

size_t be_distance_host_fused_scratch(const struct be_problem *problem, int members) {
    return problem->value[BE_DISTANCE_CONSUMER] == BE_DISTANCE_HISTOGRAM
               ? be_distance_host_histogram_scratch(problem, members)
               : be_distance_packed_bytes(problem);
}

/* This member's rows. */
static void run(const struct be_work *work, enum be_distance_kind kind, void *packed, void *out) {
    const struct be_problem *problem = work->problem;
    struct be_distance_rows rows = {
        .kind = kind,
        .points = be_work_array(work, BE_DISTANCE_X),
        .packed = packed,
        .n = be_distance_points(problem),
        .dimension = be_distance_dimension(problem),
        .out = out,
        .beyond_cache = work->stores == BE_STORES_NONTEMPORAL,
    };
    be_distance_pack_points(work, packed);
    be_work_rows(work, rows.n, 4, &rows.first, &rows.count);
    RUN(problem->real)(&rows);
}

void be_distance_host_fused(const struct be_work *work) {
    if (work->problem->value[BE_DISTANCE_CONSUMER] == BE_DISTANCE_HISTOGRAM) {
        be_distance_host_histogram(work);
        return;
    }
    const bool matrix = work->problem->value[BE_DISTANCE_CONSUMER] == BE_DISTANCE_MATRIX;
    run(work, matrix ? BE_DISTANCE_SQUARED : BE_DISTANCE_NEAREST, work->scratch,
        be_work_array(work, BE_DISTANCE_D));
}

/* ---- as array libraries do it --------------------------------------------------------------- */

/* The arrays that the passes leave for one another. */
struct passes {
    void *packed, *square, *product, *sum;
};

static size_t part_bytes(size_t bytes) {
    return (bytes + BE_WHOLE_ALIGN - 1) / BE_WHOLE_ALIGN * BE_WHOLE_ALIGN;
}

static size_t layout(const struct be_problem *problem, char *scratch, struct passes *passes) {
    const size_t n = be_distance_points(problem);
    const size_t number = be_real_bytes(problem->real);
    const size_t packed = part_bytes(be_distance_packed_bytes(problem));
    const size_t square = part_bytes(n * number);
    const size_t matrix = part_bytes(n * n * number);
    *passes = (struct passes){0};
    if (scratch) {
        *passes = (struct passes){scratch, scratch + packed, scratch + packed + square,
                                  scratch + packed + square + matrix};
    }
    return packed + square + 2 * matrix;
}

size_t be_distance_host_passes_scratch(const struct be_problem *problem, int members) {
    struct passes passes;
    (void)members;
    return layout(problem, NULL, &passes);
}

/* Each pass of this member's rows, in one type. */
#define PASSES(REAL, suffix)                                                                       \
    static void squares##suffix(const REAL *x, REAL *square, size_t d, size_t first,               \
                                size_t count) {                                                    \
        for (size_t i = first; i < first + count; i++) {                                           \
            square[i] = 0;                                                                         \
            for (size_t k = 0; k < d; k++) {                                                       \
                square[i] += x[i * d + k] * x[i * d + k];                                          \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void outer_sum##suffix(const REAL *square, REAL *sum, size_t n, size_t first,           \
                                  size_t count) {                                                  \
        for (size_t i = first; i < first + count; i++) {                                           \
            for (size_t j = 0; j < n; j++) {                                                       \
                sum[i * n + j] = square[i] + square[j];                                            \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void twice##suffix(REAL *product, size_t first, size_t count) {                         \
        for (size_t i = first; i < first + count; i++) {                                           \
            product[i] = 2 * product[i];                                                           \
        }                                                                                          \
    }                                                                                              \
    static void subtract##suffix(const REAL *a, const REAL *b, REAL *z, size_t first,              \
                                 size_t count) {                                                   \
        for (size_t i = first; i < first + count; i++) {                                           \
            z[i] = a[i] - b[i];                                                                    \
        }                                                                                          \
    }
PASSES(float, 32)
PASSES(double, 64)

/* X X^T through the host's BLAS: X row after row is the transpose of X as BLAS reads it. */
static void product_by_blas(const struct be_work *work, const void *x, void *product) {
    const struct be_host_blas *blas = &work->library->blas;
    const int64_t n = (int64_t)be_distance_points(work->problem);
    const int64_t d = (int64_t)be_distance_dimension(work->problem);
    (void)be_host_blas_set_threads(blas, work->members);
    be_host_blas_multiply(blas, work->problem->real == BE_REAL64, true, n, d, x, x, product);
}

static void product(const struct be_work *work, const struct passes *passes) {
    if (!work->library || !work->library->blas.handle) {
        run(work, BE_DISTANCE_PRODUCT, passes->packed, passes->product);
    } else if (work->member == 0) {
        product_by_blas(work, be_work_array(work, BE_DISTANCE_X), passes->product);
    }
    be_team_barrier(work->team);
}

void be_distance_host_passes(const struct be_work *work) {
    const struct be_problem *problem = work->problem;
    const size_t n = be_distance_points(problem);
    const size_t d = be_distance_dimension(problem);
    const void *x = be_work_array(work, BE_DISTANCE_X);
    void *z = be_work_array(work, BE_DISTANCE_D);
    const bool wide = problem->real == BE_REAL64;
    struct passes passes;
    size_t first;
    size_t count;
    (void)layout(problem, work->scratch, &passes);
    be_work_rows(work, n, 1, &first, &count);
    if (be_pass_wanted(work->pass, BE_DISTANCE_EINSUM)) {
        if (wide) {
            squares64(x, passes.square, d, first, count);
        } else {
            squares32(x, passes.square, d, first, count);
        }
    }
    if (be_pass_wanted(work->pass, BE_DISTANCE_MATMUL)) {
        product(work, &passes); /* all meet */
    }
    if (!be_pass_wanted(work->pass, BE_DISTANCE_OPS)) {
        return;
    }
    if (wide) {
        outer_sum64(passes.square, passes.sum, n, first, count);
        twice64(passes.product, first * n, count * n);
        subtract64(passes.sum, passes.product, z, first * n, count * n);
    } else {
        outer_sum32(passes.square, passes.sum, n, first, count);
        twice32(passes.product, first * n, count * n);
        subtract32(passes.sum, passes.product, z, first * n, count * n);
    }
}
