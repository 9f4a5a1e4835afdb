/*
 * eigen: A = V diag(l) V' for many symmetric matrices of one order, or A = Q R for any.
 *
 * Operations of values and vectors: the fewest of any method that we know for all values and vectors. Householder's tridiagonal form, 4 m^2 a
 * reflection of length m, that is 4/3 n^3 in all, and each reflection of the n vectors of that form, 4 m n, that is
 * 2 n^3 (Golub and Van Loan, Matrix Computations, 8.3.1 and 5.1.6). Values and vectors of the tridiagonal matrix in
 * between are not counted: there are methods of order n^2 (Dhillon and Parlett 2004). Terms of order n are left out.
 * Those of Q and R: 2 n^3 - 3 n^2 + n, of modified Gram and Schmidt (5.2.8), the fewest with both factors; Householder's
 * take 8/3 n^3. Roots and quotients are left out. Bytes: a triangle of a symmetric A read, or all of A; values and vectors
 * written, or R's triangle and Q.
 */
#include "workload/eigen/eigen.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "workload/numbers.h"

static const char *const what[] = {"eigen", "qr", NULL};

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
     .what = "rows of each matrix",
     .preset = 16,
     .min = 1,
     .max = EIGEN_ORDER_MAX,
     .from = 3,
     .to = EIGEN_ORDER_MAX,
     .look = {3, 16, 64}},
    {.name = "what",
     .what = "values and vectors of symmetric matrices (eigen), factors Q R of any (qr)",
     .preset = EIGEN_EIGEN,
     .min = 0,
     .max = EIGEN_KINDS - 1,
     .kind = what},
};

static const char *const arrays[] = {"A", "values", "vectors"};

/* Roundings of the turns that a number goes through add up about as the root of their number. LAPACK's own tests allow
 * 60 n units (LAPACK Working Note 41), so many that one wrong value of 128 would pass in float32: here the root of n is
 * taken. The batched Jacobi of cuSOLVER was seen at 72 units at order 16, own code at 33 at order 128. Factors keep the
 * smaller bound, to which a unit test holds own code for both. */
static double tolerance(const struct be_problem *problem) {
    enum { FEW = 32, UNITS = 60 };
    const double order = (double)eigen_order(problem);
    return (eigen_is_qr(problem) ? order + FEW : UNITS * sqrt(order)) *
           be_number_unit(problem->real);
}

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const size_t order = eigen_order(problem);
    const size_t each = be_real_bytes(problem->real);
    const double systems = (double)problem->value[0];
    const double n = (double)order;
    const bool qr = eigen_is_qr(problem);
    const size_t square = order * order * each;
    double operations = qr ? n * (n - 1) * (2 * n - 1) : 0;
    for (double m = 2; m < n && !qr; m++) {
        operations += 4 * m * (m + n);
    }
    const double triangle = n * (n + 1) / 2;
    const double numbers = n * n + triangle + (qr ? n * n : n);
    *shape = (struct be_shape){
        .items = (size_t)problem->value[0],
        .item_bytes = {square, qr ? square : order * each, square},
        .operations = systems * operations,
        .bytes = systems * numbers * (double)each,
        .tolerance = tolerance(problem),
    };
}

/* Uniform in (-1, 1); symmetric where that is asked for. */
static void fill(const struct be_work *work, uint64_t seed) {
    const size_t order = eigen_order(work->problem);
    const enum be_real real = work->problem->real;
    const bool qr = eigen_is_qr(work->problem);
    size_t first;
    size_t count;
    be_work_share(work, 1, &first, &count);
    for (size_t s = first; s < first + count; s++) {
        const size_t start = s * order * order;
        for (size_t i = 0; i < order; i++) {
            for (size_t j = 0; j < (qr ? order : i + 1); j++) {
                const size_t at = start + i * order + j;
                const double value = 2 * be_number_random(real, seed, at) - 1;
                be_number_set(real, work->array[EIGEN_A], at, value);
                if (!qr) {
                    be_number_set(real, work->array[EIGEN_A], start + j * order + i, value);
                }
            }
        }
    }
}

/* ---- checking ------------------------------------------------------------------------------- */

/* A system's numbers, and vectors of room. */
struct checked {
    const struct be_work *work;
    size_t system, order;
    double over; /* numbers of A and values times this: squares neither overflow nor vanish */
    double sign[EIGEN_ORDER_MAX];
    double weighted[EIGEN_ORDER_MAX];
    double product[EIGEN_ORDER_MAX];
    double sum[EIGEN_ORDER_MAX];
};

static double number_at(const struct checked *c, int k, size_t i) {
    const bool few = k == EIGEN_VALUES && !eigen_is_qr(c->work->problem);
    const size_t each = few ? c->order : c->order * c->order;
    return be_number(c->work->problem->real, c->work->array[k], c->system * each + i);
}

/* As the largest number of A becomes 1; a number below the least normal one has no reciprocal. */
static void choose_scale(struct checked *c) {
    double largest = 0;
    for (size_t i = 0; i < c->order * c->order; i++) {
        const double one = fabs(number_at(c, EIGEN_A, i));
        largest = one > largest ? one : largest; /* with fmax gcc 12 for arm64 crashes */
    }
    c->over = largest > 0 ? fmin(1 / largest, DBL_MAX) : 1;
}

/* 1 or -1 at random, another one of each system. */
static void choose_signs(struct checked *c) {
    for (size_t j = 0; j < c->order; j++) {
        c->sign[j] = be_random_bits(c->system, j) >> 63 ? 1 : -1;
    }
}

/* sum = V x, the sum of all vectors with x's numbers. */
static void add_vectors(struct checked *c, const double *x) {
    for (size_t i = 0; i < c->order; i++) {
        c->sum[i] = 0;
    }
    for (size_t j = 0; j < c->order; j++) {
        for (size_t i = 0; i < c->order; i++) {
            c->sum[i] += x[j] * number_at(c, EIGEN_VECTORS, j * c->order + i);
        }
    }
}

/* The square of |V' V x - x|^2 / n. */
static double not_orthogonal(struct checked *c) {
    double square = 0;
    add_vectors(c, c->sign);
    for (size_t j = 0; j < c->order; j++) {
        double product = -c->sign[j];
        for (size_t i = 0; i < c->order; i++) {
            product += number_at(c, EIGEN_VECTORS, j * c->order + i) * c->sum[i];
        }
        square += product * product;
    }
    return square / (double)c->order;
}

/* Column j of A, times over: a row of a symmetric matrix is one, too. Adds its square to *matrix. */
static void add_column(struct checked *c, size_t j, double x, double *matrix) {
    for (size_t i = 0; i < c->order; i++) {
        const double a = c->over * number_at(c, EIGEN_A, j * c->order + i);
        c->product[i] += a * x;
        *matrix += a * a;
    }
}

/* weighted = l x from V's x, or R x. */
static void choose_weights(struct checked *c) {
    const bool qr = eigen_is_qr(c->work->problem);
    for (size_t i = 0; i < c->order; i++) {
        c->weighted[i] = qr ? 0 : c->sign[i] * c->over * number_at(c, EIGEN_VALUES, i);
        for (size_t j = i; qr && j < c->order; j++) {
            c->weighted[i] += c->sign[j] * c->over * number_at(c, EIGEN_VALUES, j * c->order + i);
        }
    }
}

/* The square of |A V x - V l x| / |A|, from sum = V x on, or of |A x - Q R x| / |A|. */
static double does_not_fit(struct checked *c) {
    const bool qr = eigen_is_qr(c->work->problem);
    double matrix = 0;
    double square = 0;
    memset(c->product, 0, sizeof c->product);
    for (size_t j = 0; j < c->order; j++) {
        add_column(c, j, qr ? c->sign[j] : c->sum[j], &matrix);
    }
    choose_weights(c);
    add_vectors(c, c->weighted);
    for (size_t i = 0; i < c->order; i++) {
        square += (c->product[i] - c->sum[i]) * (c->product[i] - c->sum[i]);
    }
    return square == 0 ? 0 : square / matrix;
}

/* Values ascend; R has zeroes below its diagonal. */
static bool is_in_form(const struct checked *c) {
    const size_t n = c->order;
    for (size_t j = 0; j < n; j++) {
        if (!eigen_is_qr(c->work->problem)) {
            if (j > 0 && !(number_at(c, EIGEN_VALUES, j) >= number_at(c, EIGEN_VALUES, j - 1))) {
                return false;
            }
            continue;
        }
        for (size_t i = j + 1; i < n; i++) {
            if (number_at(c, EIGEN_VALUES, j * n + i) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* The larger of both squares. x's signs are random, so that the mean of |E x|^2 is |E|^2, norm of Frobenius, whatever
 * the error E is (Freivalds 1979); one wrong vector, or value, always shows. */
static double square_of(const struct be_work *work, size_t system) {
    struct checked c = {.work = work, .system = system, .order = eigen_order(work->problem)};
    choose_scale(&c);
    choose_signs(&c);
    const double orthogonal = not_orthogonal(&c);
    const double vector = does_not_fit(&c);
    return !is_in_form(&c) ? NAN : orthogonal > vector || isnan(orthogonal) ? orthogonal : vector;
}

/* The root of the mean of all systems' squares; one that is beyond what is allowed weighs as much as all of them, so
 * that none is lost among the others. */
static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const double allowed = tolerance(work->problem) * tolerance(work->problem);
    size_t first;
    size_t count;
    (void)reference;
    be_work_share(work, 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        const double square = square_of(work, i);
        *difference += square <= allowed ? square : square * (double)work->items;
    }
    *norm += (double)count;
}

/* The first system that is wrong. */
static void explain(const struct be_work *work, const double *reference, char note[BE_NOTE]) {
    const double allowed = tolerance(work->problem) * tolerance(work->problem);
    (void)reference;
    for (size_t i = work->first; i < work->first + work->items; i++) {
        const struct checked c = {.work = work, .system = i, .order = eigen_order(work->problem)};
        const double square = square_of(work, i);
        if (square <= allowed) {
            continue;
        }
        if (isnan(number_at(&c, EIGEN_VALUES, 0))) {
            snprintf(note, BE_NOTE, "matrix %zu of order %zu has no answer", i, c.order);
        } else if (!is_in_form(&c)) {
            snprintf(note, BE_NOTE, "%s of matrix %zu of order %zu %s",
                     eigen_is_qr(work->problem) ? "R" : "values", i, c.order,
                     eigen_is_qr(work->problem) ? "has numbers below its diagonal"
                                                : "are not ascending");
        } else {
            snprintf(note, BE_NOTE, "matrix %zu of order %zu is off by %.1e", i, c.order,
                     sqrt(square));
        }
        return;
    }
}

/* ---- table ---------------------------------------------------------------------------------- */

static const struct be_variant variant[] = {
    {
        .name = "looped",
        .summary = "LAPACK's dsyevd or dgeqrf, one matrix after the other (CPU)",
        .as_written = true,
        .host_code = BE_CODE_PLAIN,
        .host_ready = be_eigen_library_ready,
        .host = be_eigen_looped_host,
        .host_scratch = be_eigen_library_scratch,
    },
    {
        .name = "library",
        .summary = "LAPACK's dsyevd or dgeqrf, one matrix a core; cuSOLVER's batches",
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
        .host = be_eigen_batched_host,
        .host_scratch = be_eigen_batched_scratch,
        .prepare = be_eigen_batched_prepare,
        .enqueue = be_eigen_batched_enqueue,
        .discard = be_discard_kernels,
        .device_scratch = be_eigen_batched_device_scratch,
        .each_of = 1u << 1 |
                   1u << EIGEN_WHAT, /* the order: code does not know how many matrices there are */
    },
};

const struct be_workload be_workload_eigen = {
    .name = "eigen",
    .title = "A = V diag(l) V', or A = Q R",
    .summary = "eigenvalues and vectors, or QR, of many small matrices",
    .parameter = parameter,
    .parameters = 3,
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
    .residual = residual,
    .explain = explain,
    BE_WORKLOAD_VARIANTS,
};
