/*
 * eigen: A = V diag(l) V' for many symmetric matrices of one order, A = Q R or A = U diag(s) V' for any.
 *
 * Operations of values and vectors: the fewest of any method that we know for all values and vectors. Householder's tridiagonal form, 4 m^2 a
 * reflection of length m, that is 4/3 n^3 in all, and each reflection of the n vectors of that form, 4 m n, that is
 * 2 n^3 (Golub and Van Loan, Matrix Computations, 8.3.1 and 5.1.6). Values and vectors of the tridiagonal matrix in
 * between are not counted: there are methods of order n^2 (Dhillon and Parlett 2004). Terms of order n are left out.
 * Those of Q and R: 2 n^3 - 3 n^2 + n, of modified Gram and Schmidt (5.2.8), the fewest with both factors; Householder's
 * take 8/3 n^3. Those of U, s and V for m rows: A'A, a triangle, m n (n + 1); its values and vectors, as above; A V,
 * 2 m n^2. That is right only of matrices far from singular, and fewer than any method for all: bidiagonal form and
 * its reflections take 20/3 n^3 for a square (5.4), where these are 19/3 n^3. Roots and quotients are left out.
 * Bytes: a triangle of a symmetric A read, or all of A; values and vectors written, or R's triangle and Q.
 */
#include "workload/eigen/eigen.h"

#include <math.h>

#include "base/error.h"
#include "workload/numbers.h"

static const char *const what[] = {"eigen", "qr", "svd", NULL};

/* Also a square svd, whose rows nobody has to name. */
static bool has_no_rows(const struct be_problem *problem) {
    return !eigen_is_svd(problem) || problem->value[EIGEN_HEIGHT] == 0;
}

static const struct be_parameter parameter[] = {
    {.name = "systems",
     .what = "independent matrices",
     .preset = 1000,
     .min = 1,
     .max = 1000000,
     .from = 1,
     .to = 1000000,
     .look = {100, 1000, 10000}},
    {.name = "order",
     .what = "columns of each matrix, and its rows",
     .preset = 16,
     .min = 1,
     .max = EIGEN_ORDER_MAX,
     .from = 3,
     .to = EIGEN_ORDER_MAX,
     .look = {3, 16, 64}},
    {.name = "what",
     .what =
         "values and vectors of symmetric matrices (eigen); factors Q R (qr) or U s V (svd) of any",
     .preset = EIGEN_EIGEN,
     .min = 0,
     .max = EIGEN_KINDS - 1,
     .kind = what},
    {.name = "rows",
     .what = "rows of each matrix of an svd, where there are more than columns; 0: as many",
     .preset = 0,
     .min = 0,
     .max = EIGEN_ROWS_MAX,
     .from = EIGEN_ORDER_MAX,
     .to = EIGEN_ROWS_MAX,
     .look = {EIGEN_ROWS_MAX},
     .idle = has_no_rows,
     .unless = "--what=svd"},
};

static const char *const arrays[] = {"A", "values", "vectors"};

/* ---- counts --------------------------------------------------------------------------------- */

/* Operations on a matrix of m rows and n columns. */
static double values_operations(double m, double n) {
    double sum = 0;
    (void)m;
    for (double k = 2; k < n; k++) {
        sum += 4 * k * (k + n);
    }
    return sum;
}

static double factors_operations(double m, double n) {
    (void)m;
    return n * (n - 1) * (2 * n - 1);
}

static double singular_operations(double m, double n) {
    return m * n * (n + 1) + values_operations(n, n) + 2 * m * n * n;
}

/* How each kind differs: numbers of a matrix in each array, as multiples of m n, n^2 and n; those of A and of the
 * results that count, likewise of n (n + 1) / 2. */
static const struct counts {
    struct {
        size_t tall, square, row;
    } values, vectors;
    struct {
        double tall, square, triangle, row;
    } moved;
    double (*operations)(double m, double n);
} counts[EIGEN_KINDS] = {
    [EIGEN_EIGEN] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 1, 1}, values_operations},
    [EIGEN_QR] = {{0, 1, 0}, {0, 1, 0}, {0, 2, 1, 0}, factors_operations},
    [EIGEN_SVD] = {{0, 0, 1}, {1, 1, 0}, {2, 1, 0, 1}, singular_operations},
};

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const struct counts *c = &counts[problem->value[EIGEN_WHAT]];
    const size_t rows = eigen_rows(problem);
    const size_t order = eigen_order(problem);
    const size_t each = be_real_bytes(problem->real);
    const double systems = (double)problem->value[EIGEN_SYSTEMS];
    const double m = (double)rows;
    const double n = (double)order;
    const double numbers = c->moved.tall * m * n + c->moved.square * n * n +
                           c->moved.triangle * n * (n + 1) / 2 + c->moved.row * n;
    *shape = (struct be_shape){
        .items = (size_t)problem->value[EIGEN_SYSTEMS],
        .item_bytes = {rows * order * each,
                       (c->values.square * order * order + c->values.row * order) * each,
                       (c->vectors.tall * rows * order + c->vectors.square * order * order) * each},
        .operations = systems * c->operations(m, n),
        .bytes = systems * numbers * (double)each,
        .tolerance = be_eigen_tolerance(problem),
    };
}

/* Uniform in (-1, 1); symmetric where that is asked for. */
static void fill(const struct be_work *work, uint64_t seed) {
    const size_t rows = eigen_rows(work->problem);
    const size_t order = eigen_order(work->problem);
    const enum be_real real = work->problem->real;
    const bool any = work->problem->value[EIGEN_WHAT] != EIGEN_EIGEN;
    size_t first;
    size_t count;
    be_work_share(work, 1, &first, &count);
    for (size_t s = first; s < first + count; s++) {
        const size_t start = s * rows * order;
        for (size_t i = 0; i < order; i++) {
            for (size_t j = 0; j < (any ? rows : i + 1); j++) {
                const size_t at = start + i * rows + j;
                const double value = 2 * be_number_random(real, seed, at) - 1;
                be_number_set(real, work->array[EIGEN_A], at, value);
                if (!any) {
                    be_number_set(real, work->array[EIGEN_A], start + j * order + i, value);
                }
            }
        }
    }
}

static const char *wide(const struct be_problem *problem) {
    const uint64_t rows = problem->value[EIGEN_HEIGHT];
    return eigen_is_svd(problem) && rows != 0 && rows < problem->value[EIGEN_ORDER]
               ? "takes at least as many rows as the order: the transpose of a wide matrix has the "
                 "same values"
               : NULL;
}

/* ---- table ---------------------------------------------------------------------------------- */

static const struct be_variant variant[] = {
    {
        .name = "looped",
        .summary = "LAPACK's dsyevd, dgeqrf or dgesdd, one matrix after the other (CPU)",
        .as_written = true,
        .unfit = wide,
        .host_code = BE_CODE_PLAIN,
        .host_ready = be_eigen_library_ready,
        .host = be_eigen_looped_host,
        .host_scratch = be_eigen_library_scratch,
    },
    {
        .name = "library",
        .summary = "LAPACK's dsyevd, dgeqrf or dgesdd, one matrix a core; cuSOLVER's batches",
        .unfit = wide,
        .host_code = BE_CODE_LIBRARY,
        .device_code = BE_CODE_LIBRARY,
        .host_ready = be_eigen_library_ready,
        .host = be_eigen_library_host,
        .host_scratch = be_eigen_library_scratch,
        .prepare = be_eigen_vendor_prepare,
        .enqueue = be_eigen_vendor_enqueue,
        .discard = be_eigen_vendor_discard,
        .each_size = true,
    },
    {
        .name = "batched",
        .summary = "CPU: one matrix in each vector lane; GPU: a lane or a group a matrix",
        .unfit = wide,
        .host = be_eigen_batched_host,
        .host_scratch = be_eigen_batched_scratch,
        .prepare = be_eigen_batched_prepare,
        .enqueue = be_eigen_batched_enqueue,
        .discard = be_discard_kernels,
        .device_scratch = be_eigen_batched_device_scratch,
        .each_of =
            1u << EIGEN_ORDER | 1u << EIGEN_WHAT |
            1u << EIGEN_HEIGHT, /* the order: code does not know how many matrices there are */
    },
};

const struct be_workload be_workload_eigen = {
    .name = "eigen",
    .title = "A = V diag(l) V', A = Q R, or A = U diag(s) V'",
    .summary = "eigenvalues and vectors, QR or SVD of many small matrices",
    .parameter = parameter,
    .parameters = 4,
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL64) | BE_TAKES(BE_REAL32),
    .array = arrays,
    .inputs = 1,
    .outputs = 2,
    .grain = 1,
    .host_grain = 1,
    .wants_blas = true,
    .shape = shape,
    .fill = fill,
    .residual = be_eigen_residual,
    .explain = be_eigen_explain,
    BE_WORKLOAD_VARIANTS,
};
