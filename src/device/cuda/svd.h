/* Singular values of batches of square matrices through cuSOLVER, as struct be_solver_ops says. */
#ifndef BE_DEVICE_CUDA_SVD_H
#define BE_DEVICE_CUDA_SVD_H

#include "device/device.h"

enum be_status be_cuda_svd_scratch_bytes(struct be_device *device, const struct be_solver *solver,
                                         enum be_precision precision, int64_t order, int64_t count,
                                         size_t *bytes, struct be_error *error);
enum be_status be_cuda_svd_batched(struct be_device *device, const struct be_solver *solver,
                                   const struct be_svd_batch *batch, struct be_error *error);

#endif
