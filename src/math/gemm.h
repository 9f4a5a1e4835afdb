/*
 * The general matrix product C = alpha op(A) op(B) + beta C, on the CPU and on devices, in float64 and
 * float32: by the library that is found there, and by code of our own where there is none.
 *
 * Matrices lie column after column with a leading dimension, as BLAS has them. Row after row, a product is
 * that of the transposes: C^T = op(B)^T op(A)^T. m, n and k are 1 or more. With beta 0 C is not read.
 */
#ifndef BE_MATH_GEMM_H
#define BE_MATH_GEMM_H

#include "device/device.h"
#include "dyn/host/blas.h"

/* ---- on the CPU ----------------------------------------------------------------------------- */

/* Bytes that our own code works in, from an address on that is a multiple of 64. */
size_t be_gemm_scratch_bytes(const struct be_host_gemm *gemm);

/* By our own code, one member's part of what all members of a team call at the same time. */
void be_gemm_part(const struct be_host_gemm *gemm, void *scratch, struct be_team *team, int member,
                  int members);

/* The whole of it, within no team's work: by `blas` where it is open, else (also: NULL) by our own code.
 * On as many threads as the team has; NULL: by our own code on the caller's, by the library on those that
 * it has. BE_USAGE: sizes that cannot be; BE_NOMEM. */
enum be_status be_gemm_host(const struct be_host_gemm *gemm, const struct be_host_blas *blas,
                            struct be_team *team, struct be_error *error);

/* ---- on a device ---------------------------------------------------------------------------- */

enum be_gemm_by { BE_GEMM_BY_ANY, BE_GEMM_BY_LIBRARY, BE_GEMM_BY_KERNEL };

/* The memory that a product on a device needs beside its matrices; zeroes are closed as nothing. */
struct be_gemm_plan {
    enum be_precision precision;
    enum be_gemm_by by;
    char name[BE_NAME]; /* of what multiplies: "cuBLAS 13.0.2", "our own kernel" */
    struct be_blas blas;
    struct be_module module;
    struct be_kernel kernel;
    const struct be_host_blas *host_blas; /* of a device that is the CPU */
    struct be_team *team;
};

/*
 * Makes products in float64, float32 or tf32 ready; tf32 by the vendor's library alone. `by` ANY takes the vendor's library, and our own kernel where
 * there is none. The device "cpu" multiplies as be_gemm_host does, with that BLAS, or NULL, and that team:
 * LIBRARY without a BLAS is BE_ABSENT there. BE_ABSENT: not in this way.
 */
enum be_status be_gemm_open(struct be_device *device, enum be_precision precision,
                            enum be_gemm_by by, const struct be_host_blas *host_blas,
                            struct be_team *team, struct be_gemm_plan *plan,
                            struct be_error *error);
void be_gemm_close(struct be_device *device, struct be_gemm_plan *plan);

/* Puts a product in the plan's precision into BE_QUEUE_WORK. BE_USAGE: a batch, among others. */
enum be_status be_gemm_enqueue(struct be_device *device, const struct be_gemm_plan *plan,
                               const struct be_gemm *gemm, struct be_error *error);

#endif
