/*
 * eigen: what its files share. The table and its counts are in eigen.c, the check of results in check.c, code for the
 * CPU in host.c, lapack.c and simd.c, for devices in device.c and vendor.c.
 */
#ifndef BE_WORKLOAD_EIGEN_EIGEN_H
#define BE_WORKLOAD_EIGEN_EIGEN_H

#include "workload/eigen/simd.h"
#include "workload/workload.h"

/* Eigenvalues and vectors: values ascending; row j of vectors is the vector of value j, of length 1. Factors Q R of any
 * matrix: R in the place of values, with zeroes below the diagonal, Q in that of vectors. Singular values and vectors,
 * A = U diag(s) V': s in the place of values, descending; vectors has the columns of U, of `rows` numbers each, and
 * behind them the columns of V. The columns of A, R, Q, U and V lie one after the other, as LAPACK has them. All is NaN
 * where A has a number that is not finite, and where the method does not converge. */
enum { EIGEN_A, EIGEN_VALUES, EIGEN_VECTORS };
enum { EIGEN_SYSTEMS, EIGEN_ORDER, EIGEN_WHAT, EIGEN_HEIGHT }; /* the parameters */
enum { EIGEN_EIGEN, EIGEN_QR, EIGEN_SVD, EIGEN_KINDS };

static inline bool eigen_is_qr(const struct be_problem *problem) {
    return problem->value[EIGEN_WHAT] == EIGEN_QR;
}

static inline bool eigen_is_svd(const struct be_problem *problem) {
    return problem->value[EIGEN_WHAT] == EIGEN_SVD;
}

/* Columns of each matrix. */
static inline size_t eigen_order(const struct be_problem *problem) {
    return (size_t)problem->value[EIGEN_ORDER];
}

/* Rows of each matrix: as many as columns, or more. */
static inline size_t eigen_rows(const struct be_problem *problem) {
    const uint64_t rows = problem->value[EIGEN_HEIGHT];
    const size_t order = eigen_order(problem);
    return eigen_is_svd(problem) && rows > order ? (size_t)rows : order;
}

/* The largest root of the mean square of errors that is right, and how results are checked: check.c. */
double be_eigen_tolerance(const struct be_problem *problem);
void be_eigen_residual(const struct be_work *work, const double *reference, double *difference,
                       double *norm);
void be_eigen_explain(const struct be_work *work, const double *reference, char note[BE_NOTE]);

/* System i of the arrays, and those behind it. */
struct be_eigen_system {
    const void *a;
    void *values, *vectors;
};

struct be_eigen_system be_eigen_system_at(const struct be_work *work, size_t i);

/* Code on the CPU: lapack.c, then host.c. */
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
