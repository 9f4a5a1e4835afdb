/*
 * Singular values of batches through cuSOLVER: Jacobi's method, gesvdjBatched, whose manual has it for 32 rows and columns
 * at most. gesvdaStridedBatched is not taken: it goes by way of A'A, and its manual promises digits for tall matrices of
 * good condition only.
 */
#include "device/cuda/svd.h"

#include <limits.h>

#include "base/error.h"
#include "device/common/parts.h"
#include "device/cuda/solver_open.h"

enum { ORDER_MAX = 32 };

/* The device's memory of a batch. */
struct found {
    void *a, *values, *u, *v, *scratch, *info;
};

static size_t size_of(enum be_precision precision) {
    return precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
}

/* Numbers of scratch. */
static enum be_status ask(const struct be_cuda_solver_open *opened, enum be_precision precision,
                          int64_t order, int64_t count, int *numbers, struct be_error *error) {
    const struct be_cusolver *cusolver = &opened->cusolver;
    const int n = (int)order;
    *numbers = 0;
    if (precision != BE_FLOAT64 && precision != BE_FLOAT32) {
        return be_fail(error, BE_ABSENT,
                       "cuSOLVER has singular values in float64 and float32 only");
    }
    if (order < 1 || count < 1 || count > INT_MAX) {
        return be_fail(error, BE_USAGE, "%lld matrices of order %lld: 1 of order 1 at least",
                       (long long)count, (long long)order);
    }
    if (order > ORDER_MAX) {
        return be_fail(error, BE_ABSENT,
                       "cuSOLVER has singular values of many matrices at once up to order %d, not "
                       "of order %lld: ask for smaller ones",
                       ORDER_MAX, (long long)order);
    }
    if (precision == BE_FLOAT64) {
        return be_cuda_solver_check(
            cusolver->cusolverDnDgesvdjBatched_bufferSize(opened->handle, CUSOLVER_EIG_MODE_VECTOR,
                                                          n, n, NULL, n, NULL, NULL, n, NULL, n,
                                                          numbers, opened->jacobi_svd, (int)count),
            "cusolverDnDgesvdjBatched_bufferSize", error);
    }
    return be_cuda_solver_check(cusolver->cusolverDnSgesvdjBatched_bufferSize(
                                    opened->handle, CUSOLVER_EIG_MODE_VECTOR, n, n, NULL, n, NULL,
                                    NULL, n, NULL, n, numbers, opened->jacobi_svd, (int)count),
                                "cusolverDnSgesvdjBatched_bufferSize", error);
}

/* Scratch in whole BE_CUDA_SOLVER_ALIGN, never nothing. */
static int64_t units_of(enum be_precision precision, int numbers) {
    return (int64_t)((size_t)numbers * size_of(precision) / BE_CUDA_SOLVER_ALIGN + 1);
}

enum be_status be_cuda_svd_scratch_bytes(struct be_device *device, const struct be_solver *solver,
                                         enum be_precision precision, int64_t order, int64_t count,
                                         size_t *bytes, struct be_error *error) {
    be_cuda_enter(device);
    int numbers = 0;
    *bytes = 0;
    enum be_status status = ask((const struct be_cuda_solver_open *)solver->handle, precision,
                                order, count, &numbers, error);
    if (status == BE_OK) {
        *bytes = (size_t)units_of(precision, numbers) * BE_CUDA_SOLVER_ALIGN;
    }
    return status;
}

static enum be_status find(const struct be_svd_batch *b, int numbers, struct found *found,
                           struct be_error *error) {
    const size_t each = size_of(b->precision);
    const int64_t squares = b->count * b->order * b->order;
    const struct {
        const struct be_part *part;
        int64_t count;
        size_t each;
        const char *name;
        void **to;
    } parts[] = {
        {&b->a, squares, each, "A", &found->a},
        {&b->values, b->count * b->order, each, "values", &found->values},
        {&b->u, squares, each, "U", &found->u},
        {&b->v, squares, each, "V", &found->v},
        {&b->scratch, units_of(b->precision, numbers), BE_CUDA_SOLVER_ALIGN, "scratch",
         &found->scratch},
        {&b->info, b->count, sizeof(int), "info", &found->info},
    };
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(parts); i++) {
        status = be_part_find(parts[i].part, parts[i].count, parts[i].each, parts[i].name,
                              parts[i].to, error);
    }
    return status;
}

static enum be_status call(const struct be_cuda_solver_open *opened, const struct be_svd_batch *b,
                           int numbers, const struct found *at, struct be_error *error) {
    const struct be_cusolver *cusolver = &opened->cusolver;
    const int n = (int)b->order;
    if (b->precision == BE_FLOAT64) {
        return be_cuda_solver_check(cusolver->cusolverDnDgesvdjBatched(
                                        opened->handle, CUSOLVER_EIG_MODE_VECTOR, n, n, at->a, n,
                                        at->values, at->u, n, at->v, n, at->scratch, numbers,
                                        at->info, opened->jacobi_svd, (int)b->count),
                                    "cusolverDnDgesvdjBatched", error);
    }
    return be_cuda_solver_check(
        cusolver->cusolverDnSgesvdjBatched(opened->handle, CUSOLVER_EIG_MODE_VECTOR, n, n, at->a, n,
                                           at->values, at->u, n, at->v, n, at->scratch, numbers,
                                           at->info, opened->jacobi_svd, (int)b->count),
        "cusolverDnSgesvdjBatched", error);
}

enum be_status be_cuda_svd_batched(struct be_device *device, const struct be_solver *solver,
                                   const struct be_svd_batch *batch, struct be_error *error) {
    be_cuda_enter(device);
    const struct be_cuda_solver_open *opened = (const struct be_cuda_solver_open *)solver->handle;
    struct found at = {0};
    int numbers = 0;
    enum be_status status =
        ask(opened, batch->precision, batch->order, batch->count, &numbers, error);
    status = status == BE_OK ? find(batch, numbers, &at, error) : status;
    status = status == BE_OK ? call(opened, batch, numbers, &at, error) : status;
    if (status != BE_OK) {
        be_context(error, "singular values of %lld matrices of order %lld", (long long)batch->count,
                   (long long)batch->order);
    }
    return status;
}
