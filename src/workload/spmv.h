/*
 * A sparse matrix in compressed rows times a vector: spmv.c has the table and own code,
 * spmv_library.c the vendor's.
 */
#ifndef BE_WORKLOAD_SPMV_H
#define BE_WORKLOAD_SPMV_H

#include "workload/workload.h"

extern const struct be_workload be_workload_spmv;

/* The arrays. */
enum { BE_SPMV_START, BE_SPMV_COLUMN, BE_SPMV_VALUE, BE_SPMV_X, BE_SPMV_Y };

struct be_spmv_size {
    size_t rows, nonzeros, band; /* nonzeros: of a row; both cut to what there is room for */
};
struct be_spmv_size be_spmv_size(const struct be_problem *problem);
/* Row pointers are 32 bits. */
const char *be_spmv_unfit(const struct be_problem *problem);

#endif
