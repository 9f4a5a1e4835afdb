/*
 * A sparse matrix in compressed rows times a vector, once or step after step: spmv.c has the table, host.c the CPU's
 * code, device.c the devices', library.c the device's library.
 *
 * Steps: x / |x| after a product is the x of the next one; the result is the last product as it is. Power iterations,
 * Lanczos' method and Arnoldi's have this in common. Where |x| is 0 it stays 0.
 */
#ifndef BE_WORKLOAD_SPMV_SPMV_H
#define BE_WORKLOAD_SPMV_SPMV_H

#include "host/simd.h"
#include "workload/workload.h"

/* Rows + 1 int32; a nonzero an int32, and a number; rows; rows. */
enum { BE_SPMV_START, BE_SPMV_COLUMN, BE_SPMV_VALUE, BE_SPMV_X, BE_SPMV_Y, BE_SPMV_ARRAYS };

enum { BE_SPMV_ROWS, BE_SPMV_NONZEROS, BE_SPMV_BAND, BE_SPMV_STEPS }; /* parameters */

/* nonzeros: of a row; it and the band are cut to what there is room for. */
struct be_spmv_size {
    size_t rows, nonzeros, band, steps;
};
struct be_spmv_size be_spmv_size(const struct be_problem *problem);

/* 1 / sqrt(square), or 0. */
double be_spmv_scale(double square);

/* host.c */
void be_spmv_host(const struct be_work *work);
void be_spmv_host_plain(const struct be_work *work);
size_t be_spmv_host_scratch(const struct be_problem *problem, int members);

/* plain_simd.c: some rows. */
struct be_spmv_rows {
    const int32_t *start, *column;
    const void *value, *x;
    void *y;
    size_t first, rows;
};
typedef void be_spmv_plain(const struct be_spmv_rows *rows);
BE_SIMD_DECLARE(be_spmv_plain, be_spmv_plain_32);
BE_SIMD_DECLARE(be_spmv_plain, be_spmv_plain_64);
/* to = by from, both of `count` numbers, which may be the same ones; returns the sum of to's squares. */
typedef double be_spmv_scaled(const void *from, void *to, size_t count, double by);
BE_SIMD_DECLARE(be_spmv_scaled, be_spmv_scaled_32);
BE_SIMD_DECLARE(be_spmv_scaled, be_spmv_scaled_64);

/* device.c */
enum be_status be_spmv_prepare(struct be_device *device, const struct be_problem *problem,
                               struct be_prepared *prepared, struct be_error *error);
enum be_status be_spmv_enqueue(const struct be_launch *launch, struct be_error *error);
enum be_status be_spmv_enqueue_fused(const struct be_launch *launch, struct be_error *error);
size_t be_spmv_device_scratch(const struct be_problem *problem);
const char *be_spmv_unfit_fused(const struct be_problem *problem);

/* The vector between two products: x / |x| of the result, into scratch memory. */
enum be_status be_spmv_put_norm(const struct be_launch *launch, struct be_error *error);
/* Where that is. */
struct be_part be_spmv_between(const struct be_launch *launch);

/* library.c */
enum be_status be_spmv_library_prepare(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error);
enum be_status be_spmv_library_enqueue(const struct be_launch *launch, struct be_error *error);
void be_spmv_library_discard(struct be_device *device, struct be_prepared *prepared);

#endif
