/*
 * eigen: what its files share. The table and its arithmetic are in eigen.c, code for the CPU in host.c and simd.c,
 * for devices in device.c.
 */
#ifndef BE_WORKLOAD_EIGEN_EIGEN_H
#define BE_WORKLOAD_EIGEN_EIGEN_H

#include "workload/eigen/simd.h"
#include "workload/workload.h"

/* Eigenvalues and vectors: values ascending; row j of vectors is the vector of value j, of length 1. Factors Q R of any
 * matrix: R in the place of values, with zeroes below the diagonal, Q in that of vectors; the columns of A, R and Q lie
 * one after the other, as LAPACK has them. All is NaN where A has a number that is not finite, and where the method does
 * not converge. */
enum { EIGEN_A, EIGEN_VALUES, EIGEN_VECTORS };
enum { EIGEN_WHAT = 2 }; /* the parameter */
enum { EIGEN_EIGEN, EIGEN_QR, EIGEN_KINDS };

static inline bool eigen_is_qr(const struct be_problem *problem) {
    return problem->value[EIGEN_WHAT] == EIGEN_QR;
}

static inline size_t eigen_order(const struct be_problem *problem) {
    return (size_t)problem->value[1];
}

/* Code on the CPU: host.c. */
enum be_status be_eigen_library_ready(const struct be_host_libraries *library, int members,
                                      struct be_error *error);
void be_eigen_library_host(const struct be_work *work); /* a system a core */
void be_eigen_looped_host(const struct be_work *work);  /* one after the other */
size_t be_eigen_library_scratch(const struct be_problem *problem, int members);
void be_eigen_batched_host(const struct be_work *work);
size_t be_eigen_batched_scratch(const struct be_problem *problem, int members);

/* Code on devices: device.c. */
enum be_status be_eigen_batched_prepare(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error);
enum be_status be_eigen_batched_enqueue(const struct be_launch *launch, struct be_error *error);
size_t be_eigen_batched_device_scratch(const struct be_problem *problem);

/* By the vendor's library on devices: vendor.c. */
enum be_status be_eigen_vendor_prepare(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error);
enum be_status be_eigen_vendor_enqueue(const struct be_launch *launch, struct be_error *error);
void be_eigen_vendor_discard(struct be_device *device, struct be_prepared *prepared);

#endif
