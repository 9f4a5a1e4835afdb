/*
 * eigen: results held against what they are to fulfil, in double. No reference is needed, and neither order nor sign of
 * the vectors of equal values counts.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "workload/eigen/eigen.h"
#include "workload/numbers.h"

/* Roundings of the turns that a number goes through add up about as the root of their number. LAPACK's own tests allow
 * 60 n units (LAPACK Working Note 41), so many that one wrong value of 128 would pass in float32: here the root of n is
 * taken, of the longer side where a matrix is tall. The batched Jacobi of cuSOLVER was seen at 72 units at order 16, own
 * code at 33 at order 128. Factors keep the smaller bound, to which a unit test holds own code for all. */
double be_eigen_tolerance(const struct be_problem *problem) {
    enum { FEW = 32, UNITS = 60 };
    const double rows = (double)eigen_rows(problem);
    return (eigen_is_qr(problem) ? rows + FEW : UNITS * sqrt(rows)) * be_number_unit(problem->real);
}

/* A system's numbers, and vectors of room. */
struct checked {
    const struct be_work *work;
    size_t system, rows, order;
    size_t each[3]; /* numbers of a system in each array */
    double over;    /* numbers of A and values times this: squares neither overflow nor vanish */
    double sign[EIGEN_ORDER_MAX];
    double weighted[EIGEN_ORDER_MAX];
    double product[EIGEN_ROWS_MAX];
    double sum[EIGEN_ROWS_MAX];
};

/* Vectors in the array of vectors: `order` of them, of `length` numbers each, from number `at` on. */
struct vectors {
    size_t at, length;
};

static struct vectors left(const struct checked *c) {
    return (struct vectors){0, c->rows};
}

/* Those of eigenvalues are the same on both sides. */
static struct vectors right(const struct checked *c) {
    return (struct vectors){c->each[EIGEN_VECTORS] - c->order * c->order, c->order};
}

static struct checked checked_of(const struct be_work *work, size_t system) {
    const struct be_problem *problem = work->problem;
    const size_t rows = eigen_rows(problem);
    const size_t order = eigen_order(problem);
    return (struct checked){
        .work = work,
        .system = system,
        .rows = rows,
        .order = order,
        .each = {[EIGEN_A] = rows * order,
                 [EIGEN_VALUES] = order * (eigen_is_qr(problem) ? order : 1),
                 [EIGEN_VECTORS] = order * order + (eigen_is_svd(problem) ? rows * order : 0)},
    };
}

static double number_at(const struct checked *c, int k, size_t i) {
    return be_number(c->work->problem->real, c->work->array[k], c->system * c->each[k] + i);
}

/* As the largest number of A becomes 1; a number below the least normal one has no reciprocal. */
static void choose_scale(struct checked *c) {
    double largest = 0;
    for (size_t i = 0; i < c->rows * c->order; i++) {
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
static void add_vectors(struct checked *c, struct vectors v, const double *x) {
    memset(c->sum, 0, sizeof c->sum);
    for (size_t j = 0; j < c->order; j++) {
        for (size_t i = 0; i < v.length; i++) {
            c->sum[i] += x[j] * number_at(c, EIGEN_VECTORS, v.at + j * v.length + i);
        }
    }
}

/* The square of |V' V x - x|^2 / n. Leaves sum = V x. */
static double not_orthogonal(struct checked *c, struct vectors v) {
    double square = 0;
    add_vectors(c, v, c->sign);
    for (size_t j = 0; j < c->order; j++) {
        double product = -c->sign[j];
        for (size_t i = 0; i < v.length; i++) {
            product += number_at(c, EIGEN_VECTORS, v.at + j * v.length + i) * c->sum[i];
        }
        square += product * product;
    }
    return square / (double)c->order;
}

/* Column j of A, times over: a row of a symmetric matrix is one, too. Adds its square to *matrix. */
static void add_column(struct checked *c, size_t j, double x, double *matrix) {
    for (size_t i = 0; i < c->rows; i++) {
        const double a = c->over * number_at(c, EIGEN_A, j * c->rows + i);
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

/* The square of |A V x - V l x| / |A| or |A V x - U s x| / |A|, from sum = V x on, or of |A x - Q R x| / |A|. */
static double does_not_fit(struct checked *c) {
    const bool qr = eigen_is_qr(c->work->problem);
    double matrix = 0;
    double square = 0;
    memset(c->product, 0, sizeof c->product);
    for (size_t j = 0; j < c->order; j++) {
        add_column(c, j, qr ? c->sign[j] : c->sum[j], &matrix);
    }
    choose_weights(c);
    add_vectors(c, left(c), c->weighted);
    for (size_t i = 0; i < c->rows; i++) {
        square += (c->product[i] - c->sum[i]) * (c->product[i] - c->sum[i]);
    }
    return square == 0 ? 0 : square / matrix;
}

static bool is_triangle(const struct checked *c) {
    for (size_t j = 0; j < c->order; j++) {
        for (size_t i = j + 1; i < c->order; i++) {
            if (number_at(c, EIGEN_VALUES, j * c->order + i) != 0) {
                return false;
            }
        }
    }
    return true;
}

static bool ascends(const struct checked *c) {
    for (size_t j = 1; j < c->order; j++) {
        if (!(number_at(c, EIGEN_VALUES, j) >= number_at(c, EIGEN_VALUES, j - 1))) {
            return false;
        }
    }
    return true;
}

/* And none is below 0. */
static bool descends(const struct checked *c) {
    for (size_t j = 1; j < c->order; j++) {
        if (!(number_at(c, EIGEN_VALUES, j) <= number_at(c, EIGEN_VALUES, j - 1))) {
            return false;
        }
    }
    return number_at(c, EIGEN_VALUES, c->order - 1) >= 0;
}

/* The form of each kind's values, and how one is named that has it not. */
static const struct form {
    bool (*holds)(const struct checked *c);
    const char *name, *not ;
} forms[EIGEN_KINDS] = {
    [EIGEN_EIGEN] = {ascends, "values", "are not ascending"},
    [EIGEN_QR] = {is_triangle, "R", "has numbers below its diagonal"},
    [EIGEN_SVD] = {descends, "singular values", "are not descending from 0 or more"},
};

static const struct form *form_of(const struct checked *c) {
    return &forms[c->work->problem->value[EIGEN_WHAT]];
}

static double larger(double a, double b) {
    return a > b || isnan(a) ? a : b;
}

/* The largest of the squares. x's signs are random, so that the mean of |E x|^2 is |E|^2, norm of Frobenius, whatever
 * the error E is (Freivalds 1979); one wrong vector, or value, always shows. */
static double square_of(const struct be_work *work, size_t system) {
    struct checked c = checked_of(work, system);
    choose_scale(&c);
    choose_signs(&c);
    double orthogonal = not_orthogonal(&c, left(&c));
    if (eigen_is_svd(work->problem)) {
        orthogonal = larger(orthogonal, not_orthogonal(&c, right(&c)));
    }
    return form_of(&c)->holds(&c) ? larger(orthogonal, does_not_fit(&c)) : NAN;
}

/* The root of the mean of all systems' squares; one that is beyond what is allowed weighs as much as all of them, so
 * that none is lost among the others. */
void be_eigen_residual(const struct be_work *work, const double *reference, double *difference,
                       double *norm) {
    const double allowed = be_eigen_tolerance(work->problem) * be_eigen_tolerance(work->problem);
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
void be_eigen_explain(const struct be_work *work, const double *reference, char note[BE_NOTE]) {
    const double allowed = be_eigen_tolerance(work->problem) * be_eigen_tolerance(work->problem);
    (void)reference;
    for (size_t i = work->first; i < work->first + work->items; i++) {
        const struct checked c = checked_of(work, i);
        const struct form *form = form_of(&c);
        const double square = square_of(work, i);
        if (square <= allowed) {
            continue;
        }
        if (isnan(number_at(&c, EIGEN_VALUES, 0))) {
            snprintf(note, BE_NOTE, "matrix %zu of order %zu has no answer", i, c.order);
        } else if (!form->holds(&c)) {
            snprintf(note, BE_NOTE, "%s of matrix %zu of order %zu %s", form->name, i, c.order,
                     form->not );
        } else {
            snprintf(note, BE_NOTE, "matrix %zu of order %zu is off by %.1e", i, c.order,
                     sqrt(square));
        }
        return;
    }
}
