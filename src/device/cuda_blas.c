/* Matrix products through cuBLAS. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/cuda_device.h"
#include "dyn/cublas.h"

struct opened {
    struct be_cublas cublas;
    cublasHandle_t handle;
};

static enum be_status check(const struct be_cublas *cublas, cublasStatus_t result, const char *call,
                            struct be_error *error) {
    if (result == CUBLAS_STATUS_SUCCESS) {
        return BE_OK;
    }
    const char *text = cublas->cublasGetStatusString ? cublas->cublasGetStatusString(result) : NULL;
    enum be_status status = BE_DRIVER;
    if (result == CUBLAS_STATUS_ALLOC_FAILED) {
        status = BE_NOMEM;
    } else if (result == CUBLAS_STATUS_NOT_SUPPORTED || result == CUBLAS_STATUS_ARCH_MISMATCH) {
        status = BE_ABSENT;
    }
    return be_fail(error, status, "%s: %s (cuBLAS error %d)", call, text ? text : "failed", result);
}

static void close_blas(struct be_device *device, struct be_blas *blas) {
    struct opened *opened = (struct opened *)blas->handle;
    if (opened) {
        be_cuda_enter(device);
        if (opened->handle) {
            opened->cublas.cublasDestroy_v2(opened->handle);
        }
        be_dyn_close(opened->cublas.handle);
        free(opened);
    }
    *blas = (struct be_blas){0};
}

/* Onto our queue, and without TF32 for float32 or parts of a sum rounded to two bytes. */
static enum be_status set_up(const struct opened *opened, CUstream stream, struct be_error *error) {
    const struct be_cublas *cublas = &opened->cublas;
    enum be_status status =
        check(cublas, cublas->cublasSetStream_v2(opened->handle, stream), "cublasSetStream", error);
    if (status == BE_OK && cublas->cublasSetMathMode) {
        status = check(cublas,
                       cublas->cublasSetMathMode(
                           opened->handle,
                           CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION),
                       "cublasSetMathMode", error);
    }
    return status;
}

static enum be_status open_blas(struct be_device *device, struct be_blas *blas,
                                struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    struct be_clock clock = be_clock_host();
    double start = be_now(&clock);
    int version = 0;
    *blas = (struct be_blas){0};
    struct opened *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return be_fail(error, BE_NOMEM, "cuBLAS: no host memory");
    }
    blas->handle = (uintptr_t)opened;
    const struct be_cublas *cublas = &opened->cublas;
    enum be_status status = be_cublas_open(&opened->cublas, error);
    if (status == BE_OK) {
        status = check(cublas, cublas->cublasCreate_v2(&opened->handle), "cublasCreate", error);
    }
    if (status == BE_OK) {
        status = check(cublas, cublas->cublasGetVersion_v2(opened->handle, &version),
                       "cublasGetVersion", error);
    }
    status = status == BE_OK ? set_up(opened, d->stream[BE_QUEUE_WORK], error) : status;
    if (status != BE_OK) {
        close_blas(device, blas);
        return status;
    }
    snprintf(blas->name, sizeof blas->name, "cuBLAS %d.%d.%d", version / 10000, version / 100 % 100,
             version % 100);
    blas->open_s = be_now(&clock) - start;
    return BE_OK;
}

/* How the numbers lie in memory, what they are summed in, and from which compute capability on. */
static const struct {
    cudaDataType type;
    cublasComputeType_t compute;
    size_t bytes;
    int major;
    const char *name;
} precisions[BE_PRECISIONS] = {
    [BE_FLOAT64] = {CUDA_R_64F, CUBLAS_COMPUTE_64F, 8, 0, "float64"},
    [BE_FLOAT32] = {CUDA_R_32F, CUBLAS_COMPUTE_32F, 4, 0, "float32"},
    [BE_TF32] = {CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 4, 8, "tf32"},
    [BE_FLOAT16] = {CUDA_R_16F, CUBLAS_COMPUTE_32F, 2, 0, "float16"},
    [BE_BFLOAT16] = {CUDA_R_16BF, CUBLAS_COMPUTE_32F, 2, 8, "bfloat16"},
};

static enum be_status matmul(struct be_device *device, const struct be_blas *blas,
                             enum be_precision precision, int n, const struct be_buffer *a,
                             const struct be_buffer *b, const struct be_buffer *c,
                             struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    const struct opened *opened = (const struct opened *)blas->handle;
    const double one64 = 1;
    const double zero64 = 0;
    const float one32 = 1;
    const float zero32 = 0;
    bool is_double = precision == BE_FLOAT64;
    if (d->major < precisions[precision].major) {
        return be_fail(error, BE_ABSENT,
                       "%s: %s needs compute capability %d.0, this device has %d.%d",
                       device->info.id, precisions[precision].name, precisions[precision].major,
                       d->major, d->minor);
    }
    size_t bytes = n > 0 ? (size_t)n * (size_t)n * precisions[precision].bytes : 0;
    if (bytes == 0 || a->bytes < bytes || b->bytes < bytes || c->bytes < bytes) {
        return be_fail(error, BE_USAGE, "matrix product of %d x %d %s: each needs %zu bytes", n, n,
                       precisions[precision].name, bytes);
    }
    char call[BE_NAME];
    snprintf(call, sizeof call, "cublasGemmEx of %d x %d %s", n, n, precisions[precision].name);
    cudaDataType type = precisions[precision].type;
    return check(&opened->cublas,
                 opened->cublas.cublasGemmEx(
                     opened->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n,
                     is_double ? (const void *)&one64 : &one32, (const void *)a->handle, type, n,
                     (const void *)b->handle, type, n, is_double ? (const void *)&zero64 : &zero32,
                     (void *)c->handle, type, n, precisions[precision].compute,
                     CUBLAS_GEMM_DEFAULT),
                 call, error);
}

const struct be_blas_ops be_cuda_blas = {.open = open_blas, .close = close_blas, .matmul = matmul};
