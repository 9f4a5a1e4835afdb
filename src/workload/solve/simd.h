/*
 * LU with partial pivoting on the CPU, in the best instruction set. It knows nothing of threads
 * but a team that works on one system together.
 */
#ifndef BE_WORKLOAD_SOLVE_SIMD_H
#define BE_WORKLOAD_SOLVE_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "host/simd.h"
#include "workload/thresholds.h"

struct be_team;

/* Systems that one core solves, each row after row, all one after the other. scratch:
 * be_solve_small_bytes(), on a multiple of 64. */
typedef void be_solve_small_double(const double *a, const double *b, double *x, int32_t *info,
                                   size_t order, size_t systems, void *scratch);
typedef void be_solve_small_float(const float *a, const float *b, float *x, int32_t *info,
                                  size_t order, size_t systems, void *scratch);

/* The memory that the code needs (simd_room.c): numbers from one row to the next of a system that is solved alone, and
 * scratch of be_solve_small_*_run(); each: bytes of a number. */
size_t be_solve_stride(size_t order);
size_t be_solve_small_bytes(size_t order, size_t each);

/* Where a system has room of its own, beyond the order of small ones: as many side by side as leave the
 * second cache room for those that come next. Their blocks have so many columns at most. */
enum { SOLVE_SIDE_MAX = 4, SOLVE_BLOCK_MAX = 32 };
static inline size_t solve_side(size_t order, size_t each) {
    const size_t quarter = BE_SOLVE_SIDE_BYTES;
    const size_t one = order * order * each;
    return 4 * one <= quarter ? 4 : 2 * one <= 2 * quarter ? 2 : 1;
}

/* One system of any order, by all members of a team together (members 1: by the caller alone).
 * lu: order rows of be_solve_stride(order) numbers; the last column that counts is b. */
struct be_solve_team {
    struct be_team *team;
    int member, members;
};
typedef void be_solve_one_double(const double *a, const double *b, double *x, int32_t *info,
                                 size_t order, double *lu, int32_t *pivot,
                                 const struct be_solve_team *team);
typedef void be_solve_one_float(const float *a, const float *b, float *x, int32_t *info,
                                size_t order, float *lu, int32_t *pivot,
                                const struct be_solve_team *team);

/* r = b - A x of the rows [first, first + count). */
typedef void be_solve_rest(const double *a, const double *b, const double *x, double *r,
                           size_t order, size_t first, size_t count);

BE_SIMD_DECLARE(be_solve_small_double, be_solve_small_double_run);
BE_SIMD_DECLARE(be_solve_small_float, be_solve_small_float_run);
BE_SIMD_DECLARE(be_solve_one_double, be_solve_one_double_run);
BE_SIMD_DECLARE(be_solve_one_float, be_solve_one_float_run);
BE_SIMD_DECLARE(be_solve_rest, be_solve_rest_run);

#endif
