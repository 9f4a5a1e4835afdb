/* Kernels whose groups meet: all of them, by a cooperative launch; those of a cluster. */
#include "base/error.h"
#include "device/common/argument.h"
#include "device/cuda/cuda.h"

enum { MAX_ARGUMENTS = 16, SHARED_PLAIN = 49152 }; /* bytes that a kernel has without asking */

enum be_status be_cuda_launch_together(struct be_device *device, enum be_queue queue,
                                       const struct be_kernel *kernel, size_t groups, size_t lanes,
                                       size_t shared_bytes, const struct be_argument *arguments,
                                       int count, struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    const struct be_cuda *cuda = &d->cuda;
    union be_argument_value kept[MAX_ARGUMENTS];
    void *value[MAX_ARGUMENTS];
    enum be_status status = BE_OK;
    if (!cuda->cuLaunchCooperativeKernel || !cuda->cuFuncSetAttribute) {
        return be_fail(error, BE_ABSENT,
                       "%s: this driver has no launches of groups that wait for each other",
                       device->info.id);
    }
    if (count > MAX_ARGUMENTS || groups == 0 || groups > 0x7fffffff || shared_bytes > 0x7fffffff) {
        return be_fail(error, BE_USAGE, "launch: %d arguments, %zu groups: at most %d and 2^31 - 1",
                       count, groups, (int)MAX_ARGUMENTS);
    }
    for (int i = 0; i < count; i++) {
        (void)be_argument_value(&arguments[i], &kept[i]);
        value[i] = &kept[i];
    }
    if (shared_bytes > SHARED_PLAIN) {
        status =
            be_cuda_check(cuda,
                          cuda->cuFuncSetAttribute((CUfunction)kernel->handle,
                                                   CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                   (int)shared_bytes),
                          "cuFuncSetAttribute", error);
    }
    return status != BE_OK ? status
                           : be_cuda_check(cuda,
                                           cuda->cuLaunchCooperativeKernel(
                                               (CUfunction)kernel->handle, (unsigned)groups, 1, 1,
                                               (unsigned)lanes, 1, 1, (unsigned)shared_bytes,
                                               d->stream[queue], value),
                                           "cuLaunchCooperativeKernel", error);
}

/* Hopper's has 16 where the kernel allows more than 8: CUDA C++ Programming Guide, Thread Block
 * Clusters. */
int be_cuda_neighbours(const struct be_device *device) {
    enum { HOPPER = 9, MAX = 16 };
    const struct be_cuda_device *d = (const struct be_cuda_device *)device;
    const bool asked = d->cuda.cuFuncGetAttribute && d->cuda.cuFuncSetAttribute;
    return d->major >= HOPPER && asked ? MAX : 1;
}
