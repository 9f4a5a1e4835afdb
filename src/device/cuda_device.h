/* What the CUDA backend's files share. Not for others. */
#ifndef BE_DEVICE_CUDA_DEVICE_H
#define BE_DEVICE_CUDA_DEVICE_H

#include "device/device.h"
#include "dyn/cuda.h"

struct be_cuda_device {
    struct be_device base; /* first, so that the two pointers are one */
    struct be_cuda cuda;
    struct be_nvrtc nvrtc; /* handle NULL: not here; build then says so */
    struct be_nvml nvml;   /* handle NULL: not here; state then is not measured */
    struct be_error nvrtc_error;
    nvmlDevice_t nvml_device;
    CUdevice device;
    CUcontext context;
    CUstream stream[BE_QUEUES];
    int major, minor; /* compute capability */
};

/* BE_OK, or BE_DRIVER / BE_NOMEM with "cuCall of 131 MB: out of memory" in error. */
enum be_status be_cuda_check(const struct be_cuda *cuda, CUresult result, const char *call,
                             struct be_error *error);

/* device/cuda_build.c */
enum be_status be_cuda_build(struct be_device *device, const struct be_program *program,
                             struct be_module *module, struct be_error *error);
void be_cuda_drop(struct be_device *device, struct be_module *module);
enum be_status be_cuda_kernel(struct be_device *device, const struct be_module *module,
                              const char *name, struct be_kernel *kernel, struct be_error *error);

/* device/cuda_probe.c */
enum be_status be_cuda_probe(struct be_device_info *found, int room, int *count,
                             struct be_error *error);
void be_cuda_state(struct be_device *device, struct be_device_state *state);

#endif
