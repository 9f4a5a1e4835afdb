/*
 * solve: LAPACK on one system, for code on the CPU. A as stored row after row is its transpose column
 * after column: that is factored, and the system of its transpose solved.
 */
#ifndef BE_WORKLOAD_SOLVE_LAPACK_H
#define BE_WORKLOAD_SOLVE_LAPACK_H

#include "workload/solve/solve.h"

/* Alignment of what lies in scratch. */
enum { SOLVE_ALIGN = 64 };
static inline size_t solve_aligned(size_t bytes) {
    return (bytes + SOLVE_ALIGN - 1) / SOLVE_ALIGN * SOLVE_ALIGN;
}

/* System i of the arrays. */
struct solve_system {
    const void *a, *b;
    void *x;
    int32_t *info;
};

static inline struct solve_system solve_system_at(const struct be_work *work, size_t i) {
    const size_t order = solve_order(work->problem);
    const size_t each = be_real_bytes(work->problem->real);
    return (struct solve_system){
        .a = (const char *)work->array[SOLVE_A] + i * order * order * each,
        .b = (const char *)work->array[SOLVE_B] + i * order * each,
        .x = (char *)work->array[SOLVE_X] + i * order * each,
        .info = (int32_t *)work->array[SOLVE_INFO] + i,
    };
}

static inline int64_t solve_factor_double(const struct be_work *work, double *lu, int64_t *pivot) {
    const int64_t n = (int64_t)solve_order(work->problem);
    int64_t info = 0;
    work->library->blas.dgetrf_(&n, &n, lu, &n, pivot, &info);
    return be_host_blas_info(&info);
}

static inline int64_t solve_factor_single(const struct be_work *work, float *lu, int64_t *pivot) {
    const int64_t n = (int64_t)solve_order(work->problem);
    int64_t info = 0;
    work->library->blas.sgetrf_(&n, &n, lu, &n, pivot, &info);
    return be_host_blas_info(&info);
}

static inline void solve_back_double(const struct be_work *work, const double *lu,
                                     const int64_t *pivot, double *x) {
    const int64_t n = (int64_t)solve_order(work->problem);
    const int64_t one = 1;
    int64_t info = 0;
    work->library->blas.dgetrs_("T", &n, &one, lu, &n, pivot, x, &n, &info);
}

static inline void solve_back_single(const struct be_work *work, const float *lu,
                                     const int64_t *pivot, float *x) {
    const int64_t n = (int64_t)solve_order(work->problem);
    const int64_t one = 1;
    int64_t info = 0;
    work->library->blas.sgetrs_("T", &n, &one, lu, &n, pivot, x, &n, &info);
}

#endif
