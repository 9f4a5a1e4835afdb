/*
 * Batches of symmetric matrices through cuSOLVER: Jacobi's method below order 32, which its manual calls the range of
 * syevjBatched, and above it syevBatched, which is there from CUDA 12.6.2 on.
 */
#include "device/cuda/eigen.h"

#include <limits.h>

#include "base/error.h"
#include "device/common/parts.h"
#include "device/cuda/solver_open.h"

enum { JACOBI_MAX = 31 };

/* Memory on the device is in bytes, and in numbers for the library's older functions. */
struct room {
    size_t on_device, on_host;
    int numbers;
    bool jacobi;
};

/* The device's memory of a batch. */
struct found {
    void *a, *values, *scratch, *info;
};

static size_t size_of(enum be_precision precision) {
    return precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
}

static enum be_status ask_jacobi(const struct be_cuda_solver_open *opened,
                                 enum be_precision precision, int order, int count,
                                 struct room *room, struct be_error *error) {
    const struct be_cusolver *cusolver = &opened->cusolver;
    const cusolverStatus_t result =
        precision == BE_FLOAT64
            ? cusolver->cusolverDnDsyevjBatched_bufferSize(
                  opened->handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, order, NULL,
                  order, NULL, &room->numbers, opened->jacobi, count)
            : cusolver->cusolverDnSsyevjBatched_bufferSize(
                  opened->handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, order, NULL,
                  order, NULL, &room->numbers, opened->jacobi, count);
    room->jacobi = true;
    room->on_device = (size_t)room->numbers * size_of(precision);
    return be_cuda_solver_check(result,
                                precision == BE_FLOAT64 ? "cusolverDnDsyevjBatched_bufferSize"
                                                        : "cusolverDnSsyevjBatched_bufferSize",
                                error);
}

static enum be_status ask(const struct be_cuda_solver_open *opened, enum be_precision precision,
                          int64_t order, int64_t count, struct room *room, struct be_error *error) {
    const struct be_cusolver *cusolver = &opened->cusolver;
    const cudaDataType type = be_cuda_solver_type(precision);
    const bool has_other =
        cusolver->cusolverDnXsyevBatched && cusolver->cusolverDnXsyevBatched_bufferSize;
    *room = (struct room){0};
    if (precision != BE_FLOAT64 && precision != BE_FLOAT32) {
        return be_fail(error, BE_ABSENT, "cuSOLVER has eigenvalues in float64 and float32 only");
    }
    if (order < 1 || order > INT_MAX || count < 1 || count > INT_MAX) {
        return be_fail(error, BE_USAGE, "%lld matrices of order %lld: 1 of order 1 at least",
                       (long long)count, (long long)order);
    }
    if (order <= JACOBI_MAX || !has_other) {
        return ask_jacobi(opened, precision, (int)order, (int)count, room, error);
    }
    return be_cuda_solver_check(cusolver->cusolverDnXsyevBatched_bufferSize(
                                    opened->handle, opened->params, CUSOLVER_EIG_MODE_VECTOR,
                                    CUBLAS_FILL_MODE_LOWER, order, type, NULL, order, type, NULL,
                                    type, &room->on_device, &room->on_host, count),
                                "cusolverDnXsyevBatched_bufferSize", error);
}

enum be_status be_cuda_eigen_scratch_bytes(struct be_device *device, const struct be_solver *solver,
                                           enum be_precision precision, int64_t order,
                                           int64_t count, size_t *bytes, struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    struct be_cuda_solver_open *opened = (struct be_cuda_solver_open *)solver->handle;
    struct room room;
    *bytes = 0;
    enum be_status status = ask(opened, precision, order, count, &room, error);
    status = status == BE_OK ? be_cuda_solver_grow(d, opened, room.on_host, error) : status;
    if (status == BE_OK) {
        *bytes = (room.on_device / BE_CUDA_SOLVER_ALIGN + 1) * BE_CUDA_SOLVER_ALIGN;
    }
    return status;
}

static enum be_status find(const struct be_eigen_batch *b, const struct room *room,
                           struct found *found, struct be_error *error) {
    const size_t each = size_of(b->precision);
    enum be_status status =
        be_part_find(&b->a, b->count * b->order * b->order, each, "A", &found->a, error);
    if (status == BE_OK) {
        status =
            be_part_find(&b->values, b->count * b->order, each, "values", &found->values, error);
    }
    if (status == BE_OK) {
        status = be_part_find(&b->scratch, (int64_t)(room->on_device / BE_CUDA_SOLVER_ALIGN + 1),
                              BE_CUDA_SOLVER_ALIGN, "scratch", &found->scratch, error);
    }
    return status == BE_OK
               ? be_part_find(&b->info, b->count, sizeof(int), "info", &found->info, error)
               : status;
}

static enum be_status by_jacobi(const struct be_cuda_solver_open *opened,
                                const struct be_eigen_batch *b, const struct room *room,
                                const struct found *at, struct be_error *error) {
    const struct be_cusolver *cusolver = &opened->cusolver;
    const int order = (int)b->order;
    if (b->precision == BE_FLOAT64) {
        return be_cuda_solver_check(
            cusolver->cusolverDnDsyevjBatched(opened->handle, CUSOLVER_EIG_MODE_VECTOR,
                                              CUBLAS_FILL_MODE_LOWER, order, at->a, order,
                                              at->values, at->scratch, room->numbers, at->info,
                                              opened->jacobi, (int)b->count),
            "cusolverDnDsyevjBatched", error);
    }
    return be_cuda_solver_check(
        cusolver->cusolverDnSsyevjBatched(
            opened->handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, order, at->a, order,
            at->values, at->scratch, room->numbers, at->info, opened->jacobi, (int)b->count),
        "cusolverDnSsyevjBatched", error);
}

static enum be_status by_reduction(const struct be_cuda_solver_open *opened,
                                   const struct be_eigen_batch *b, const struct room *room,
                                   const struct found *at, struct be_error *error) {
    const cudaDataType type = be_cuda_solver_type(b->precision);
    if (room->on_host > opened->host_bytes) {
        return be_fail(error, BE_USAGE,
                       "%zu bytes of host memory needed: ask eigen_scratch_bytes first",
                       room->on_host);
    }
    return be_cuda_solver_check(opened->cusolver.cusolverDnXsyevBatched(
                                    opened->handle, opened->params, CUSOLVER_EIG_MODE_VECTOR,
                                    CUBLAS_FILL_MODE_LOWER, b->order, type, at->a, b->order, type,
                                    at->values, type, at->scratch, room->on_device, opened->host,
                                    room->on_host, at->info, b->count),
                                "cusolverDnXsyevBatched", error);
}

enum be_status be_cuda_eigen_batched(struct be_device *device, const struct be_solver *solver,
                                     const struct be_eigen_batch *batch, struct be_error *error) {
    be_cuda_enter(device);
    const struct be_cuda_solver_open *opened = (const struct be_cuda_solver_open *)solver->handle;
    struct room room;
    struct found at = {0};
    enum be_status status = ask(opened, batch->precision, batch->order, batch->count, &room, error);
    status = status == BE_OK ? find(batch, &room, &at, error) : status;
    if (status == BE_OK) {
        status = room.jacobi ? by_jacobi(opened, batch, &room, &at, error)
                             : by_reduction(opened, batch, &room, &at, error);
    }
    if (status != BE_OK) {
        be_context(error, "eigenvalues of %lld matrices of order %lld", (long long)batch->count,
                   (long long)batch->order);
    }
    return status;
}
