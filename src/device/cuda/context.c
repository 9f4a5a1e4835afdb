/* The parts that every file of this backend begins with: whose context is current, and what a result of the driver
 * means. */
#include "base/error.h"
#include "device/cuda/cuda.h"

struct be_cuda_device *be_cuda_enter(struct be_device *device) {
    struct be_cuda_device *d = (struct be_cuda_device *)device;
    d->cuda.cuCtxSetCurrent(d->context);
    return d;
}

enum be_status be_cuda_check(const struct be_cuda *cuda, CUresult result, const char *call,
                             struct be_error *error) {
    if (result == CUDA_SUCCESS) {
        return BE_OK;
    }
    const char *text = NULL;
    if (cuda->cuGetErrorString(result, &text) != CUDA_SUCCESS || !text) {
        text = "unknown error";
    }
    return be_fail(error, result == CUDA_ERROR_OUT_OF_MEMORY ? BE_NOMEM : BE_DRIVER,
                   "%s: %s (CUDA error %d)", call, text, result);
}
