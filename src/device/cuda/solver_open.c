#include "device/cuda/solver_open.h"

#include <stdlib.h>

#include "base/error.h"

static const struct be_cuda_meaning meanings[] = {
    {CUSOLVER_STATUS_NOT_INITIALIZED, BE_DRIVER, "the library could not start"},
    {CUSOLVER_STATUS_ALLOC_FAILED, BE_NOMEM, "out of memory"},
    {CUSOLVER_STATUS_INVALID_VALUE, BE_DRIVER, "invalid value"},
    {CUSOLVER_STATUS_ARCH_MISMATCH, BE_ABSENT, "not on this device"},
    {CUSOLVER_STATUS_EXECUTION_FAILED, BE_DRIVER, "the GPU program failed"},
    {CUSOLVER_STATUS_INTERNAL_ERROR, BE_DRIVER, "internal error"},
    {CUSOLVER_STATUS_NOT_SUPPORTED, BE_ABSENT, "not supported"},
};

static const struct be_cuda_results results = {"cuSOLVER", meanings, BE_COUNT(meanings)};

enum be_status be_cuda_solver_check(cusolverStatus_t result, const char *call,
                                    struct be_error *error) {
    return be_cuda_result(&results, result, NULL, call, error);
}

cudaDataType be_cuda_solver_type(enum be_precision precision) {
    return precision == BE_FLOAT64 ? CUDA_R_64F : CUDA_R_32F;
}

/* Work in the queue may still use the old memory. */
enum be_status be_cuda_solver_grow(struct be_cuda_device *d, struct be_cuda_solver_open *opened,
                                   size_t bytes, struct be_error *error) {
    if (bytes <= opened->host_bytes) {
        return BE_OK;
    }
    enum be_status status =
        be_cuda_check(&d->cuda, d->cuda.cuStreamSynchronize(d->stream[BE_QUEUE_WORK]),
                      "cuStreamSynchronize", error);
    void *more = status == BE_OK ? calloc(1, bytes) : NULL;
    if (!more) {
        return status == BE_OK
                   ? be_fail(error, BE_NOMEM, "cuSOLVER: no %zu bytes of host memory", bytes)
                   : status;
    }
    free(opened->host);
    opened->host = more;
    opened->host_bytes = bytes;
    return BE_OK;
}
