/*
 * Declarations that the files of the workload cg share: the system, its data
 * and its code.
 *
 * A is that of a grid with five points, in compressed rows: 4 + SHIFT on the
 * diagonal, -1 for each neighbour. Rows of the grid have `wide` unknowns, the
 * last one perhaps fewer. Code reads the row pointers and does not know of the
 * grid.
 *
 * Conjugate gradients from x = 0, r = p = b; then so many times
 *     q = A p, alpha = r'r / p'q, x += alpha p, r -= alpha q, beta = r'r / (r'r
 * of before), p = r + beta p. Where r'r is at most BE_CG_LEAST, alpha and beta
 * are 0: numbers that fall without end become denormal, and slow.
 */
#ifndef BE_WORKLOAD_CG_CG_H
#define BE_WORKLOAD_CG_CG_H

#include "host/simd.h"
#include "workload/workload.h"

enum { BE_CG_ROWS, BE_CG_ITERATIONS }; /* parameters */
enum { BE_CG_START, BE_CG_COLUMN, BE_CG_VALUE, BE_CG_B, BE_CG_X };
#define BE_CG_SHIFT 0.1
#define BE_CG_LEAST 1e-30 /* device code has it too */

struct be_cg_sizes {
    size_t rows, iterations, wide, nonzeros;
};
struct be_cg_sizes be_cg_sizes_of(const struct be_problem *problem);

/* BE_CG_RUN_BYTES of a vector's rows that are alike have `length` nonzeros each, in the first row in these columns, each a
 * column further in the next row; length 0: they are not alike. */
enum { BE_CG_RUN_BYTES = 64, BE_CG_RUN_MOST = 5 };
struct be_cg_run {
    int32_t length, column[BE_CG_RUN_MOST];
};

/* Rows first .. end - 1 of the vectors, whole in memory. `run` has one for every BE_CG_RUN_BYTES of a vector, and as many
 * bytes of values for each of its nonzeros, in `dealt`. */
struct be_cg_part {
    const int32_t *start, *column;
    const void *value, *b;
    void *x, *r, *p, *q;
    size_t first, end;
    struct be_cg_run *run;
    void *dealt;
};
/* plain_simd.c, a loop each. be_cg_begin: x = 0, r = p = b. Those with a sum
 * return it: p'q, or r'r. */
typedef double be_cg_sum(const struct be_cg_part *part);
typedef double be_cg_scaled(const struct be_cg_part *part, double by);
BE_SIMD_DECLARE(be_cg_sum, be_cg_begin_32);
BE_SIMD_DECLARE(be_cg_sum, be_cg_begin_64);
BE_SIMD_DECLARE(be_cg_sum, be_cg_product_32); /* q = A p; p'q */
BE_SIMD_DECLARE(be_cg_sum, be_cg_product_64);
BE_SIMD_DECLARE(be_cg_scaled, be_cg_update_32); /* x += by p, r -= by q; r'r */
BE_SIMD_DECLARE(be_cg_scaled, be_cg_update_64);
BE_SIMD_DECLARE(be_cg_scaled, be_cg_turn_32); /* p = r + by p; 0 */
BE_SIMD_DECLARE(be_cg_scaled, be_cg_turn_64);

/* runs_simd.c. be_cg_deal, once before the others: the runs; 0. */
BE_SIMD_DECLARE(be_cg_sum, be_cg_deal_32);
BE_SIMD_DECLARE(be_cg_sum, be_cg_deal_64);
BE_SIMD_DECLARE(be_cg_sum, be_cg_runs_32); /* q = A p; p'q */
BE_SIMD_DECLARE(be_cg_sum, be_cg_runs_64);

/* host.c */
void be_cg_host(const struct be_work *work);
void be_cg_host_runs(const struct be_work *work);
size_t be_cg_host_scratch(const struct be_problem *problem, int members);
size_t be_cg_runs_scratch(const struct be_problem *problem, int members);

/* device.c */
enum be_status be_cg_prepare(struct be_device *device, const struct be_problem *problem,
                             struct be_prepared *prepared, struct be_error *error);
enum be_status be_cg_enqueue_plain(const struct be_launch *launch, struct be_error *error);
enum be_status be_cg_enqueue_fused(const struct be_launch *launch, struct be_error *error);
size_t be_cg_device_scratch(const struct be_problem *problem);

#endif
