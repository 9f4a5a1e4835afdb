/*
 * A sparse matrix in compressed rows times a vector: spmv.c has the table and own code, library.c the
 * device's library.
 */
#ifndef BE_WORKLOAD_SPMV_SPMV_H
#define BE_WORKLOAD_SPMV_SPMV_H

#include "host/simd.h"
#include "workload/workload.h"

/* Rows + 1 int32; a nonzero an int32, and a number; rows; rows. */
enum { BE_SPMV_START, BE_SPMV_COLUMN, BE_SPMV_VALUE, BE_SPMV_X, BE_SPMV_Y, BE_SPMV_ARRAYS };

enum { BE_SPMV_ROWS, BE_SPMV_NONZEROS, BE_SPMV_BAND }; /* parameters */

/* nonzeros: of a row; it and the band are cut to what there is room for. */
struct be_spmv_size {
    size_t rows, nonzeros, band;
};
struct be_spmv_size be_spmv_size(const struct be_problem *problem);

enum be_status be_spmv_library_prepare(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error);
enum be_status be_spmv_library_enqueue(const struct be_launch *launch, struct be_error *error);
void be_spmv_library_discard(struct be_device *device, struct be_prepared *prepared);

/* plain_simd.c: the CPU's code of `plain`. */
typedef void be_spmv_plain(const struct be_work *work);
BE_SIMD_DECLARE(be_spmv_plain, be_spmv_plain_run);

#endif
