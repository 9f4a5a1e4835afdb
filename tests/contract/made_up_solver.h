/*
 * A vendor's solvers for devices that have none: plain C on the host, between two waits. The code
 * around such a solver is tested with it wherever kernels run.
 */
#ifndef TESTS_CONTRACT_MADE_UP_SOLVER_H
#define TESTS_CONTRACT_MADE_UP_SOLVER_H

#include <math.h>

#include "../fake/eigen.h"
#include "devices.h"

static double made_up_round(enum be_precision precision, double x) {
    return precision == BE_FLOAT32 ? (double)(float)x : x;
}

/* Column after column, overwritten by L and U; 0, or the first pivot that is 0, from 1 on. */
static int made_up_factor(enum be_precision precision, size_t n, double *a, int64_t *pivot) {
    int info = 0;
    for (size_t k = 0; k < n; k++) {
        size_t p = k;
        for (size_t i = k; i < n; i++) {
            p = fabs(a[k * n + i]) > fabs(a[k * n + p]) ? i : p;
        }
        pivot[k] = (int64_t)p;
        for (size_t j = 0; j < n; j++) {
            double t = a[j * n + k];
            a[j * n + k] = a[j * n + p];
            a[j * n + p] = t;
        }
        info = info == 0 && a[k * n + k] == 0 ? (int)k + 1 : info;
        for (size_t i = k + 1; i < n; i++) {
            a[k * n + i] = made_up_round(precision, a[k * n + i] / a[k * n + k]);
        }
        for (size_t j = k + 1; j < n; j++) {
            for (size_t i = k + 1; i < n; i++) {
                a[j * n + i] = made_up_round(precision, a[j * n + i] - a[k * n + i] * a[j * n + k]);
            }
        }
    }
    return info;
}

static void made_up_back(enum be_precision precision, size_t n, const double *a,
                         const int64_t *pivot, double *b) {
    for (size_t k = 0; k < n; k++) {
        double t = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = t;
        for (size_t i = 0; i < k; i++) {
            b[k] = made_up_round(precision, b[k] - a[i * n + k] * b[i]);
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++) {
            b[k] = made_up_round(precision, b[k] - a[j * n + k] * b[j]);
        }
        b[k] = made_up_round(precision, b[k] / a[k * n + k]);
    }
}

/* Numbers from a device, to double, and back. */
static double *made_up_get(struct be_device *device, enum be_precision precision,
                           const struct be_buffer *buffer, size_t offset, size_t count) {
    double *number = malloc(count * sizeof *number);
    float *narrow = malloc(count * sizeof *narrow);
    assert_true(number && narrow);
    CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
    if (precision == BE_FLOAT64) {
        get(device, number, buffer, offset, count * sizeof *number);
    } else {
        get(device, narrow, buffer, offset, count * sizeof *narrow);
        for (size_t i = 0; i < count; i++) {
            number[i] = (double)narrow[i];
        }
    }
    free(narrow);
    return number;
}

static void made_up_put(struct be_device *device, enum be_precision precision,
                        const struct be_buffer *buffer, size_t offset, double *number,
                        size_t count) {
    float *narrow = malloc(count * sizeof *narrow);
    assert_non_null(narrow);
    for (size_t i = 0; i < count; i++) {
        narrow[i] = (float)number[i];
    }
    if (precision == BE_FLOAT64) {
        put(device, buffer, offset, number, count * sizeof *number);
    } else {
        put(device, buffer, offset, narrow, count * sizeof *narrow);
    }
    free(narrow);
    free(number);
}

/* ---- batches -------------------------------------------------------------------------------- */

static enum be_status made_up_blas_open(struct be_device *device, struct be_blas *blas,
                                        struct be_error *why) {
    (void)device, (void)why;
    *blas = (struct be_blas){.handle = 1, .name = "made up"};
    return BE_OK;
}

static void made_up_blas_close(struct be_device *device, struct be_blas *blas) {
    (void)device;
    *blas = (struct be_blas){0};
}

static size_t made_up_lu_scratch_bytes(int order, int count) {
    return (size_t)order * (size_t)count * sizeof(int64_t);
}

static enum be_status made_up_lu_prepare(struct be_device *device, const struct be_blas *blas,
                                         const struct be_lu_batch *batch, struct be_error *why) {
    (void)device, (void)blas, (void)why;
    const size_t bytes = made_up_lu_scratch_bytes(batch->order, batch->count);
    assert_true(batch->scratch.offset + bytes <= batch->scratch.buffer->bytes);
    return BE_OK;
}

static enum be_status made_up_lu_batched(struct be_device *device, const struct be_blas *blas,
                                         const struct be_lu_batch *l, int first, int count,
                                         struct be_error *why) {
    const size_t n = (size_t)l->order;
    const size_t each = l->precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
    int64_t *pivot = malloc(n * sizeof *pivot);
    assert_non_null(pivot);
    (void)blas, (void)why;
    for (size_t s = (size_t)first; s < (size_t)(first + count); s++) {
        const size_t a_at = l->a.offset + s * n * n * each;
        const size_t b_at = l->b.offset + s * n * each;
        double *a = made_up_get(device, l->precision, l->a.buffer, a_at, n * n);
        double *b = made_up_get(device, l->precision, l->b.buffer, b_at, n);
        const int32_t info = made_up_factor(l->precision, n, a, pivot);
        made_up_back(l->precision, n, a, pivot, b);
        put(device, l->info.buffer, l->info.offset + s * sizeof info, &info, sizeof info);
        made_up_put(device, l->precision, l->a.buffer, a_at, a, n * n);
        made_up_put(device, l->precision, l->b.buffer, b_at, b, n);
    }
    free(pivot);
    return BE_OK;
}

static const struct be_blas_ops made_up_blas = {
    .open = made_up_blas_open,
    .close = made_up_blas_close,
    .lu_scratch_bytes = made_up_lu_scratch_bytes,
    .lu_prepare = made_up_lu_prepare,
    .lu_batched = made_up_lu_batched,
};

/* ---- large systems -------------------------------------------------------------------------- */

static enum be_status made_up_open(struct be_device *device, struct be_solver *solver,
                                   struct be_error *why) {
    (void)device, (void)why;
    *solver = (struct be_solver){.handle = 1, .name = "made up"};
    return BE_OK;
}

static void made_up_close(struct be_device *device, struct be_solver *solver) {
    (void)device;
    *solver = (struct be_solver){0};
}

static enum be_status made_up_scratch_bytes(struct be_device *device,
                                            const struct be_solver *solver,
                                            enum be_precision precision, int64_t order,
                                            size_t *bytes, struct be_error *why) {
    (void)device, (void)solver, (void)precision, (void)order, (void)why;
    *bytes = 256;
    return BE_OK;
}

static enum be_status made_up_dense_factor(struct be_device *device, const struct be_solver *solver,
                                           const struct be_dense *d, struct be_error *why) {
    const size_t n = (size_t)d->order;
    int64_t *pivot = malloc(n * sizeof *pivot);
    (void)solver, (void)why;
    assert_non_null(pivot);
    assert_int_equal(d->a.stride, d->order);
    double *a = made_up_get(device, d->precision, d->a.buffer, d->a.offset, n * n);
    const int32_t info[2] = {made_up_factor(d->precision, n, a, pivot), 0};
    put(device, d->info.buffer, d->info.offset, info, sizeof info);
    put(device, d->pivots.buffer, d->pivots.offset, pivot, n * sizeof *pivot);
    made_up_put(device, d->precision, d->a.buffer, d->a.offset, a, n * n);
    free(pivot);
    return BE_OK;
}

static enum be_status made_up_dense_solve(struct be_device *device, const struct be_solver *solver,
                                          const struct be_dense *d, struct be_error *why) {
    const size_t n = (size_t)d->order;
    int64_t *pivot = malloc(n * sizeof *pivot);
    (void)solver, (void)why;
    assert_non_null(pivot);
    double *a = made_up_get(device, d->precision, d->a.buffer, d->a.offset, n * n);
    double *b = made_up_get(device, d->precision, d->b.buffer, d->b.offset, n);
    get(device, pivot, d->pivots.buffer, d->pivots.offset, n * sizeof *pivot);
    made_up_back(d->precision, n, a, pivot, b);
    made_up_put(device, d->precision, d->b.buffer, d->b.offset, b, n);
    free(a);
    free(pivot);
    return BE_OK;
}

static enum be_status made_up_lu_solve(struct be_device *device, const struct be_solver *solver,
                                       const struct be_dense *d, struct be_error *why) {
    CHECK(made_up_dense_factor(device, solver, d, why));
    return made_up_dense_solve(device, solver, d, why);
}

/* ---- eigenvalues ---------------------------------------------------------------------------- */

static enum be_status made_up_eigen_bytes(struct be_device *device, const struct be_solver *solver,
                                          enum be_precision precision, int64_t order, int64_t count,
                                          size_t *bytes, struct be_error *why) {
    (void)device, (void)solver, (void)precision, (void)order, (void)count, (void)why;
    *bytes = 256;
    return BE_OK;
}

static enum be_status made_up_eigen(struct be_device *device, const struct be_solver *solver,
                                    const struct be_eigen_batch *b, struct be_error *why) {
    const size_t n = (size_t)b->order;
    const size_t each = b->precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
    (void)solver, (void)why;
    for (size_t s = 0; s < (size_t)b->count; s++) {
        const size_t a_at = b->a.offset + s * n * n * each;
        double *a = made_up_get(device, b->precision, b->a.buffer, a_at, n * n);
        double *values = malloc(n * sizeof *values);
        assert_non_null(values);
        const int32_t info = plain_eigen(a, n, values);
        put(device, b->info.buffer, b->info.offset + s * sizeof info, &info, sizeof info);
        made_up_put(device, b->precision, b->a.buffer, a_at, a, n * n);
        made_up_put(device, b->precision, b->values.buffer, b->values.offset + s * n * each, values,
                    n);
    }
    return BE_OK;
}

static enum be_status made_up_svd(struct be_device *device, const struct be_solver *solver,
                                  const struct be_svd_batch *b, struct be_error *why) {
    const size_t n = (size_t)b->order;
    const size_t square = n * n * (b->precision == BE_FLOAT64 ? sizeof(double) : sizeof(float));
    (void)solver, (void)why;
    for (size_t s = 0; s < (size_t)b->count; s++) {
        double *a = made_up_get(device, b->precision, b->a.buffer, b->a.offset + s * square, n * n);
        double *v = calloc(n * n, sizeof *v);
        double *values = calloc(n, sizeof *values);
        assert_true(v && values);
        const int32_t info = plain_svd(a, v, n, values);
        put(device, b->info.buffer, b->info.offset + s * sizeof info, &info, sizeof info);
        made_up_put(device, b->precision, b->values.buffer, b->values.offset + s * square / n,
                    values, n);
        made_up_put(device, b->precision, b->u.buffer, b->u.offset + s * square, a, n * n);
        made_up_put(device, b->precision, b->v.buffer, b->v.offset + s * square, v, n * n);
    }
    return BE_OK;
}

static const struct be_solver_ops made_up_solver = {
    .open = made_up_open,
    .close = made_up_close,
    .scratch_bytes = made_up_scratch_bytes,
    .factor = made_up_dense_factor,
    .solve = made_up_dense_solve,
    .lu_solve = made_up_lu_solve,
    .eigen_scratch_bytes = made_up_eigen_bytes,
    .eigen_batched = made_up_eigen,
    .svd_scratch_bytes = made_up_eigen_bytes,
    .svd_batched = made_up_svd,
};

#endif
