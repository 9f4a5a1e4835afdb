/* Ordinary memory page-locked where it is. */
#include "base/error.h"
#include "device/cuda/cuda.h"

enum be_status be_cuda_lock(struct be_device *device, void *memory, size_t bytes,
                            struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    char call[BE_NAME];
    if (!d->cuda.cuMemHostRegister_v2 || !d->cuda.cuMemHostUnregister) {
        return be_fail(error, BE_ABSENT, "%s: this driver page-locks no memory but its own",
                       device->info.id);
    }
    snprintf(call, sizeof call, "cuMemHostRegister of %.1f MB", (double)bytes / 1e6);
    return be_cuda_check(&d->cuda, d->cuda.cuMemHostRegister_v2(memory, bytes, 0), call, error);
}

void be_cuda_unlock(struct be_device *device, void *memory) {
    struct be_cuda_device *d = be_cuda_enter(device);
    d->cuda.cuMemHostUnregister(memory);
}
