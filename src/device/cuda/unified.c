/* Managed memory: one address on both sides, pages that move to whoever touches them. */
#include "base/error.h"
#include "device/cuda/cuda.h"

enum be_status be_cuda_unify(struct be_device *device, size_t bytes, struct be_unified *unified,
                             struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    const struct be_cuda *cuda = &d->cuda;
    int concurrent = 0;
    CUdeviceptr pointer = 0;
    *unified = (struct be_unified){0};
    if (!cuda->cuMemAllocManaged) {
        return be_fail(error, BE_ABSENT, "%s: this driver has no managed memory", device->info.id);
    }
    enum be_status status =
        be_cuda_check(cuda,
                      cuda->cuDeviceGetAttribute(
                          &concurrent, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, d->device),
                      "cuDeviceGetAttribute", error);
    if (status != BE_OK) {
        return status;
    }
    /* Elsewhere the host must not touch any of it while the device works: that ends in a signal. */
    if (!concurrent) {
        return be_fail(error, BE_ABSENT,
                       "%s: the host may not touch managed memory while this device works",
                       device->info.id);
    }
    char call[BE_NAME];
    snprintf(call, sizeof call, "cuMemAllocManaged of %.1f MB", (double)bytes / 1e6);
    status = be_cuda_check(
        cuda, cuda->cuMemAllocManaged(&pointer, bytes ? bytes : 1, CU_MEM_ATTACH_GLOBAL), call,
        error);
    if (status == BE_OK) {
        unified->host = (void *)(uintptr_t)pointer;
        unified->buffer = (struct be_buffer){.handle = (uintptr_t)pointer, .bytes = bytes};
    }
    return status;
}

void be_cuda_release_unified(struct be_device *device, struct be_unified *unified) {
    struct be_cuda_device *d = be_cuda_enter(device);
    if (unified->host) {
        d->cuda.cuMemFree_v2(unified->buffer.handle);
    }
    *unified = (struct be_unified){0};
}
