/* Products of a sparse matrix and a vector through cuSPARSE. */
#include <limits.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/cuda/cuda.h"
#include "device/common/parts.h"
#include "dyn/nvidia/cusparse.h"

struct opened {
    struct be_cusparse cusparse;
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y;
    cudaDataType type;
    struct be_buffer scratch; /* what the library found out about the matrix is kept there */
};

static const struct be_cuda_meaning meanings[] = {
    {CUSPARSE_STATUS_ALLOC_FAILED, BE_NOMEM, NULL},
    {CUSPARSE_STATUS_INSUFFICIENT_RESOURCES, BE_NOMEM, NULL},
    {CUSPARSE_STATUS_NOT_SUPPORTED, BE_ABSENT, NULL},
    {CUSPARSE_STATUS_ARCH_MISMATCH, BE_ABSENT, NULL},
};

static const struct be_cuda_results results = {"cuSPARSE", meanings, BE_COUNT(meanings)};

static enum be_status check(const struct opened *opened, cusparseStatus_t result, const char *call,
                            struct be_error *error) {
    if (result == CUSPARSE_STATUS_SUCCESS) {
        return BE_OK;
    }
    const struct be_cusparse *cusparse = &opened->cusparse;
    const char *said =
        cusparse->cusparseGetErrorString ? cusparse->cusparseGetErrorString(result) : NULL;
    return be_cuda_result(&results, result, said, call, error);
}

static void close_sparse(struct be_device *device, struct be_sparse *sparse) {
    struct opened *opened = (struct opened *)sparse->handle;
    if (opened) {
        be_cuda_enter(device);
        device->ops->memory->release(device, &opened->scratch); /* waits for what still uses it */
        if (opened->y) {
            opened->cusparse.cusparseDestroyDnVec(opened->y);
        }
        if (opened->x) {
            opened->cusparse.cusparseDestroyDnVec(opened->x);
        }
        if (opened->matrix) {
            opened->cusparse.cusparseDestroySpMat(opened->matrix);
        }
        if (opened->handle) {
            opened->cusparse.cusparseDestroy(opened->handle);
        }
        be_dyn_close(opened->cusparse.handle);
        free(opened);
    }
    *sparse = (struct be_sparse){0};
}

static enum be_status start(struct opened *opened, CUstream stream, int *version,
                            struct be_error *error) {
    const struct be_cusparse *cusparse = &opened->cusparse;
    enum be_status status = be_cusparse_open(&opened->cusparse, error);
    if (status == BE_OK) {
        status = check(opened, cusparse->cusparseCreate(&opened->handle), "cusparseCreate", error);
    }
    if (status == BE_OK) {
        status = check(opened, cusparse->cusparseGetVersion(opened->handle, version),
                       "cusparseGetVersion", error);
    }
    return status == BE_OK ? check(opened, cusparse->cusparseSetStream(opened->handle, stream),
                                   "cusparseSetStream", error)
                           : status;
}

/* Where the parts of a matrix and its vectors are. */
struct places {
    void *offsets, *indices, *values, *x, *y;
};

static enum be_status find(const struct be_csr *csr, struct places *at, struct be_error *error) {
    const size_t each = csr->precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
    if (csr->precision != BE_FLOAT64 && csr->precision != BE_FLOAT32) {
        return be_fail(error, BE_ABSENT, "sparse matrices are float64 or float32 only");
    }
    if (csr->rows >= INT_MAX || csr->columns > INT_MAX || csr->nonzeros > INT_MAX) {
        return be_fail(error, BE_USAGE,
                       "%lld x %lld with %lld numbers: indices of 32 bits reach to 2^31 - 1",
                       (long long)csr->rows, (long long)csr->columns, (long long)csr->nonzeros);
    }
    const struct {
        const struct be_part *part;
        int64_t count;
        size_t each;
        const char *what;
        void **at;
    } part[] = {
        {&csr->offsets, csr->rows + 1, sizeof(int32_t), "offsets of rows", &at->offsets},
        {&csr->indices, csr->nonzeros, sizeof(int32_t), "indices of columns", &at->indices},
        {&csr->values, csr->nonzeros, each, "values", &at->values},
        {&csr->x, csr->columns, each, "x", &at->x},
        {&csr->y, csr->rows, each, "y", &at->y},
    };
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(part); i++) {
        status = be_part_find(part[i].part, part[i].count, part[i].each, part[i].what, part[i].at,
                              error);
    }
    return status;
}

static enum be_status describe(struct opened *opened, const struct be_csr *csr,
                               const struct places *at, struct be_error *error) {
    const struct be_cusparse *cusparse = &opened->cusparse;
    opened->type = csr->precision == BE_FLOAT64 ? CUDA_R_64F : CUDA_R_32F;
    enum be_status status = check(
        opened,
        cusparse->cusparseCreateCsr(&opened->matrix, csr->rows, csr->columns, csr->nonzeros,
                                    at->offsets, at->indices, at->values, CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, opened->type),
        "cusparseCreateCsr", error);
    if (status == BE_OK) {
        status = check(opened,
                       cusparse->cusparseCreateDnVec(&opened->x, csr->columns, at->x, opened->type),
                       "cusparseCreateDnVec", error);
    }
    if (status == BE_OK) {
        status =
            check(opened, cusparse->cusparseCreateDnVec(&opened->y, csr->rows, at->y, opened->type),
                  "cusparseCreateDnVec", error);
    }
    return status;
}

/* One and zero, in the type that is computed in. */
struct scalars {
    double one64, zero64;
    float one32, zero32;
    const void *one, *zero;
};

static struct scalars *set_scalars(struct scalars *s, cudaDataType type) {
    *s = (struct scalars){.one64 = 1, .one32 = 1};
    s->one = type == CUDA_R_64F ? (const void *)&s->one64 : &s->one32;
    s->zero = type == CUDA_R_64F ? (const void *)&s->zero64 : &s->zero32;
    return s;
}

/* Lets the library look at the matrix, whose pattern does not change; old ones do not look. */
static enum be_status look(struct be_device *device, struct opened *o, struct be_error *error) {
    struct scalars scalars;
    const struct scalars *s = set_scalars(&scalars, o->type);
    size_t bytes = 0;
    enum be_status status =
        check(o,
              o->cusparse.cusparseSpMV_bufferSize(o->handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                                  s->one, o->matrix, o->x, s->zero, o->y, o->type,
                                                  CUSPARSE_SPMV_ALG_DEFAULT, &bytes),
              "cusparseSpMV_bufferSize", error);
    status =
        status == BE_OK ? device->ops->memory->alloc(device, bytes, &o->scratch, error) : status;
    if (status == BE_OK && o->cusparse.cusparseSpMV_preprocess) {
        status =
            check(o,
                  o->cusparse.cusparseSpMV_preprocess(
                      o->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, s->one, o->matrix, o->x, s->zero,
                      o->y, o->type, CUSPARSE_SPMV_ALG_DEFAULT, (void *)o->scratch.handle),
                  "cusparseSpMV_preprocess", error);
        status = status == BE_OK ? device->ops->queue->drain(device, BE_QUEUE_WORK, error) : status;
    }
    return status;
}

static enum be_status open_sparse(struct be_device *device, const struct be_csr *csr,
                                  struct be_sparse *sparse, struct be_error *error) {
    const struct be_cuda_device *d = be_cuda_enter(device);
    struct be_clock clock = be_clock_host();
    double begin = be_now(&clock);
    struct places at = {0};
    int version = 0;
    *sparse = (struct be_sparse){0};
    enum be_status status = find(csr, &at, error);
    if (status != BE_OK) {
        return status;
    }
    struct opened *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return be_fail(error, BE_NOMEM, "cuSPARSE: no host memory");
    }
    sparse->handle = (uintptr_t)opened;
    status = start(opened, d->stream[BE_QUEUE_WORK], &version, error);
    status = status == BE_OK ? describe(opened, csr, &at, error) : status;
    status = status == BE_OK ? look(device, opened, error) : status;
    if (status != BE_OK) {
        close_sparse(device, sparse);
        return status;
    }
    snprintf(sparse->name, sizeof sparse->name, "cuSPARSE %d.%d.%d", version / 1000,
             version / 100 % 10, version % 100);
    sparse->scratch_bytes = opened->scratch.bytes;
    sparse->open_s = be_now(&clock) - begin;
    return BE_OK;
}

static enum be_status multiply(struct be_device *device, const struct be_sparse *sparse,
                               struct be_error *error) {
    be_cuda_enter(device);
    const struct opened *o = (const struct opened *)sparse->handle;
    struct scalars scalars;
    const struct scalars *s = set_scalars(&scalars, o->type);
    return check(o,
                 o->cusparse.cusparseSpMV(o->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, s->one,
                                          o->matrix, o->x, s->zero, o->y, o->type,
                                          CUSPARSE_SPMV_ALG_DEFAULT, (void *)o->scratch.handle),
                 "cusparseSpMV", error);
}

const struct be_sparse_ops be_cuda_sparse = {
    .open = open_sparse, .close = close_sparse, .multiply = multiply};
