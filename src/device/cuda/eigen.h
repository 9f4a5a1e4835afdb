/* Batches of symmetric matrices through cuSOLVER, as struct be_solver_ops says. */
#ifndef BE_DEVICE_CUDA_EIGEN_H
#define BE_DEVICE_CUDA_EIGEN_H

#include "device/device.h"

enum be_status be_cuda_eigen_scratch_bytes(struct be_device *device, const struct be_solver *solver,
                                           enum be_precision precision, int64_t order,
                                           int64_t count, size_t *bytes, struct be_error *error);
enum be_status be_cuda_eigen_batched(struct be_device *device, const struct be_solver *solver,
                                     const struct be_eigen_batch *batch, struct be_error *error);

#endif
