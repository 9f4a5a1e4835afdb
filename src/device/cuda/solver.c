/* Dense linear systems through cuSOLVER. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/cuda/cuda.h"
#include "device/common/parts.h"
#include "device/cuda/eigen.h"
#include "device/cuda/solver_open.h"
#include "device/cuda/svd.h"

/* ---- open and close ------------------------------------------------------------------------- */

static void close_solver(struct be_device *device, struct be_solver *solver) {
    struct be_cuda_solver_open *opened = (struct be_cuda_solver_open *)solver->handle;
    if (opened) {
        struct be_cuda_device *d = be_cuda_enter(device);
        if (opened->jacobi) {
            opened->cusolver.cusolverDnDestroySyevjInfo(opened->jacobi);
        }
        if (opened->jacobi_svd) {
            opened->cusolver.cusolverDnDestroyGesvdjInfo(opened->jacobi_svd);
        }
        if (opened->params) {
            opened->cusolver.cusolverDnDestroyParams(opened->params);
        }
        if (opened->handle) {
            opened->cusolver.cusolverDnDestroy(opened->handle);
        }
        if (opened->host) {
            d->cuda.cuStreamSynchronize(d->stream[BE_QUEUE_WORK]); /* nothing uses it any more */
            free(opened->host);
        }
        be_dyn_close(opened->cusolver.handle);
        free(opened);
    }
    *solver = (struct be_solver){0};
}

static enum be_status set_up(struct be_cuda_solver_open *opened, CUstream stream, int *version,
                             struct be_error *error) {
    const struct be_cusolver *cusolver = &opened->cusolver;
    enum be_status status = be_cuda_solver_check(cusolver->cusolverDnCreate(&opened->handle),
                                                 "cusolverDnCreate", error);
    if (status == BE_OK) {
        status = be_cuda_solver_check(cusolver->cusolverDnSetStream(opened->handle, stream),
                                      "cusolverDnSetStream", error);
    }
    if (status == BE_OK) {
        status = be_cuda_solver_check(cusolver->cusolverDnCreateParams(&opened->params),
                                      "cusolverDnCreateParams", error);
    }
    if (status == BE_OK) {
        status = be_cuda_solver_check(cusolver->cusolverDnCreateSyevjInfo(&opened->jacobi),
                                      "cusolverDnCreateSyevjInfo", error);
    }
    if (status == BE_OK) {
        status = be_cuda_solver_check(cusolver->cusolverDnCreateGesvdjInfo(&opened->jacobi_svd),
                                      "cusolverDnCreateGesvdjInfo", error);
    }
    return status == BE_OK ? be_cuda_solver_check(cusolver->cusolverGetVersion(version),
                                                  "cusolverGetVersion", error)
                           : status;
}

static enum be_status open_solver(struct be_device *device, struct be_solver *solver,
                                  struct be_error *error) {
    const struct be_cuda_device *d = be_cuda_enter(device);
    struct be_clock clock = be_clock_host();
    double start = be_now(&clock);
    int version = 0;
    *solver = (struct be_solver){0};
    struct be_cuda_solver_open *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return be_fail(error, BE_NOMEM, "cuSOLVER: no host memory");
    }
    solver->handle = (uintptr_t)opened;
    enum be_status status = be_cusolver_open(&opened->cusolver, error);
    status = status == BE_OK ? set_up(opened, d->stream[BE_QUEUE_WORK], &version, error) : status;
    if (status != BE_OK) {
        close_solver(device, solver);
        return status;
    }
    snprintf(solver->name, sizeof solver->name, "cuSOLVER %d.%d.%d", version / 1000,
             version / 100 % 10, version % 100);
    solver->open_s = be_now(&clock) - start;
    return BE_OK;
}

/* ---- systems -------------------------------------------------------------------------------- */

/* The memory that the library wants for a system of this order, on the device and on the host. */
static enum be_status ask(const struct be_cuda_solver_open *opened, enum be_precision precision,
                          int64_t order, size_t *device_bytes, size_t *host_bytes,
                          struct be_error *error) {
    const cudaDataType type = be_cuda_solver_type(precision);
    if (precision != BE_FLOAT64 && precision != BE_FLOAT32) {
        return be_fail(error, BE_ABSENT, "cuSOLVER solves systems in float64 and float32 only");
    }
    if (order < 1) {
        return be_fail(error, BE_USAGE, "a system of order %lld: 1 at least", (long long)order);
    }
    *device_bytes = *host_bytes = 0;
    return be_cuda_solver_check(opened->cusolver.cusolverDnXgetrf_bufferSize(
                                    opened->handle, opened->params, order, order, type, NULL, order,
                                    type, device_bytes, host_bytes),
                                "cusolverDnXgetrf_bufferSize", error);
}

static enum be_status scratch_bytes(struct be_device *device, const struct be_solver *solver,
                                    enum be_precision precision, int64_t order, size_t *bytes,
                                    struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    struct be_cuda_solver_open *opened = (struct be_cuda_solver_open *)solver->handle;
    size_t on_host = 0;
    size_t on_device = 0;
    *bytes = 0;
    enum be_status status = ask(opened, precision, order, &on_device, &on_host, error);
    status = status == BE_OK ? be_cuda_solver_grow(d, opened, on_host, error) : status;
    if (status == BE_OK) {
        *bytes = (on_device / BE_CUDA_SOLVER_ALIGN + 1) * BE_CUDA_SOLVER_ALIGN; /* never nothing */
    }
    return status;
}

static enum be_status factor(struct be_device *device, const struct be_solver *solver,
                             const struct be_dense *s, struct be_error *error) {
    be_cuda_enter(device);
    const struct be_cuda_solver_open *opened = (const struct be_cuda_solver_open *)solver->handle;
    const cudaDataType type = be_cuda_solver_type(s->precision);
    const size_t each = s->precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
    void *a = NULL;
    void *pivots = NULL;
    void *scratch = NULL;
    void *info = NULL;
    size_t on_device = 0;
    size_t on_host = 0;
    enum be_status status = ask(opened, s->precision, s->order, &on_device, &on_host, error);
    status =
        status == BE_OK ? be_matrix_find(&s->a, s->order, s->order, each, "A", &a, error) : status;
    if (status == BE_OK) {
        status = be_part_find(&s->pivots, s->order, sizeof(int64_t), "pivots", &pivots, error);
    }
    if (status == BE_OK) {
        status = be_part_find(&s->scratch, (int64_t)(on_device / BE_CUDA_SOLVER_ALIGN + 1),
                              BE_CUDA_SOLVER_ALIGN, "scratch", &scratch, error);
    }
    status =
        status == BE_OK ? be_part_find(&s->info, 2, sizeof(int), "info", &info, error) : status;
    if (status == BE_OK && on_host > opened->host_bytes) {
        status = be_fail(error, BE_USAGE,
                         "%zu bytes of host memory needed: ask scratch_bytes first", on_host);
    }
    if (status == BE_OK) {
        status = be_cuda_solver_check(
            opened->cusolver.cusolverDnXgetrf(opened->handle, opened->params, s->order, s->order,
                                              type, a, s->a.stride, pivots, type, scratch,
                                              on_device, opened->host, on_host, info),
            "cusolverDnXgetrf", error);
    }
    if (status != BE_OK) {
        be_context(error, "factors of a matrix of order %lld", (long long)s->order);
    }
    return status;
}

static enum be_status solve(struct be_device *device, const struct be_solver *solver,
                            const struct be_dense *s, struct be_error *error) {
    be_cuda_enter(device);
    const struct be_cuda_solver_open *opened = (const struct be_cuda_solver_open *)solver->handle;
    const cudaDataType type = be_cuda_solver_type(s->precision);
    const size_t each = s->precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
    void *a = NULL;
    void *b = NULL;
    void *pivots = NULL;
    void *info = NULL;
    enum be_status status = BE_OK;
    if (s->precision != BE_FLOAT64 && s->precision != BE_FLOAT32) {
        status = be_fail(error, BE_ABSENT, "cuSOLVER solves in float64 and float32 only");
    }
    status =
        status == BE_OK ? be_matrix_find(&s->a, s->order, s->order, each, "A", &a, error) : status;
    if (status == BE_OK) {
        status = be_matrix_find(&s->b, s->order, s->right_sides, each, "B", &b, error);
    }
    if (status == BE_OK) {
        status = be_part_find(&s->pivots, s->order, sizeof(int64_t), "pivots", &pivots, error);
    }
    status =
        status == BE_OK ? be_part_find(&s->info, 2, sizeof(int), "info", &info, error) : status;
    if (status == BE_OK) {
        status = be_cuda_solver_check(
            opened->cusolver.cusolverDnXgetrs(opened->handle, opened->params, CUBLAS_OP_N, s->order,
                                              s->right_sides, type, a, s->a.stride, pivots, type, b,
                                              s->b.stride, (int *)info + 1),
            "cusolverDnXgetrs", error);
    }
    if (status != BE_OK) {
        be_context(error, "a system of order %lld", (long long)s->order);
    }
    return status;
}

static enum be_status lu_solve(struct be_device *device, const struct be_solver *solver,
                               const struct be_dense *dense, struct be_error *error) {
    enum be_status status = factor(device, solver, dense, error);
    return status == BE_OK ? solve(device, solver, dense, error) : status;
}

const struct be_solver_ops be_cuda_solver = {
    .open = open_solver,
    .close = close_solver,
    .scratch_bytes = scratch_bytes,
    .factor = factor,
    .solve = solve,
    .lu_solve = lu_solve,
    .eigen_scratch_bytes = be_cuda_eigen_scratch_bytes,
    .eigen_batched = be_cuda_eigen_batched,
    .svd_scratch_bytes = be_cuda_svd_scratch_bytes,
    .svd_batched = be_cuda_svd_batched,
};
