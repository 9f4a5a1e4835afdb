/* cuSOLVER opened on a device: what solver.c, eigen.c and svd.c share. It knows no problem. */
#ifndef BE_DEVICE_CUDA_SOLVER_OPEN_H
#define BE_DEVICE_CUDA_SOLVER_OPEN_H

#include "device/cuda/cuda.h"
#include "dyn/nvidia/cusolver.h"

enum { BE_CUDA_SOLVER_ALIGN = 256 }; /* as the driver's own allocations */

struct be_cuda_solver_open {
    struct be_cusolver cusolver;
    cusolverDnHandle_t handle;
    cusolverDnParams_t params; /* as they come: the fastest way */
    syevjInfo_t jacobi;        /* as it comes: to the last digits, values sorted */
    gesvdjInfo_t jacobi_svd;   /* likewise */
    void *host;                /* the library's scratch on the host, in use while the queue works */
    size_t host_bytes;
};

enum be_status be_cuda_solver_check(cusolverStatus_t result, const char *call,
                                    struct be_error *error);
cudaDataType be_cuda_solver_type(enum be_precision precision);

/* At least so much scratch on the host. May wait: work in the queue may still use what there was. */
enum be_status be_cuda_solver_grow(struct be_cuda_device *d, struct be_cuda_solver_open *opened,
                                   size_t bytes, struct be_error *error);

#endif
