/*
 * solve by refinement on the CPU: factors in float32, residuals in float64, as in LAPACK's dsgesv
 * (Langou et al. 2006). It ends when the backward error is as small as that of factors in float64;
 * where it does not get there those are computed after all.
 */
#include <math.h>
#include <string.h>

#include "workload/solve/solve.h"
#include "workload/solve/lapack.h"
#include "workload/solve/simd.h"

enum { CORRECTIONS = 10 };

struct refined {
    float *lu;
    int64_t *pivot;
    double *rest; /* b - A x */
    float *step;
};

static size_t vector_bytes(const struct be_problem *problem) {
    return solve_aligned(solve_order(problem) * sizeof(double));
}

/* The memory that refinement takes, or the code that takes over. */
size_t be_solve_refined_host_scratch(const struct be_problem *problem, int members) {
    const size_t order = solve_order(problem);
    const size_t own = solve_aligned(order * order * sizeof(float)) + 3 * vector_bytes(problem);
    const size_t other = be_solve_host_scratch(problem, members);
    return own > other ? own : other;
}

static struct refined refined_at(const struct be_work *work) {
    const size_t order = solve_order(work->problem);
    const size_t vector = vector_bytes(work->problem);
    char *capacity = work->scratch;
    struct refined r = {.lu = (void *)capacity};
    capacity += solve_aligned(order * order * sizeof(float));
    r.pivot = (void *)capacity;
    r.rest = (void *)(capacity + vector);
    r.step = (void *)(capacity + 2 * vector);
    return r;
}

/* In several sums at once: one would wait for itself. */
static double length(const double *x, size_t n) {
    enum { SUMS = 16 };
    double sum[SUMS] = {0};
    size_t i = 0;
    for (; i + SUMS <= n; i += SUMS) {
        for (size_t k = 0; k < SUMS; k++) {
            sum[k] += x[i + k] * x[i + k];
        }
    }
    for (; i < n; i++) {
        sum[0] += x[i] * x[i];
    }
    for (size_t k = 1; k < SUMS; k++) {
        sum[0] += sum[k];
    }
    return sqrt(sum[0]);
}

/* Rows in float32. */
static void narrow(const struct be_work *work, const struct solve_system *s, size_t first,
                   size_t count) {
    const size_t order = solve_order(work->problem);
    const double *a = s->a;
    float *lu = refined_at(work).lu;
    for (size_t i = first * order; i < (first + count) * order; i++) {
        lu[i] = (float)a[i];
    }
}

static void find_rest(const struct be_work *work, const struct solve_system *s, double *rest) {
    const size_t order = solve_order(work->problem);
    const struct be_host_blas *blas = &work->library->blas;
    const int64_t n = (int64_t)order;
    const int64_t next = 1;
    const double one = 1;
    const double minus = -1;
    if (blas->dgemv_) { /* by all cores */
        memcpy(rest, s->b, order * sizeof *rest);
        blas->dgemv_("T", &n, &n, &minus, s->a, &n, s->x, &next, &one, rest, &next);
    } else {
        BE_SIMD_BEST(be_solve_rest_run)(s->a, s->b, s->x, rest, order, 0, order);
    }
}

/* False: it does not converge. */
static bool refine(const struct be_work *work, const struct solve_system *s) {
    const size_t order = solve_order(work->problem);
    const struct refined r = refined_at(work);
    const double enough = solve_refined_enough(order);
    const double matrix = length(s->a, order * order);
    const double right = length(s->b, order);
    double before = INFINITY;
    double *x = s->x;
    *s->info = (int32_t)solve_factor_single(work, r.lu, r.pivot);
    memcpy(r.rest, s->b, order * sizeof *r.rest);
    memset(x, 0, order * sizeof *x);
    for (int round = 0; *s->info == 0 && round < CORRECTIONS; round++) {
        for (size_t i = 0; i < order; i++) {
            r.step[i] = (float)r.rest[i];
        }
        solve_back_single(work, r.lu, r.pivot, r.step);
        for (size_t i = 0; i < order; i++) {
            x[i] += (double)r.step[i];
        }
        find_rest(work, s, r.rest);
        const double error = length(r.rest, order) / (matrix * length(x, order) + right);
        if (error <= enough) {
            return true;
        }
        if (!(error <= before / 2)) {
            return false;
        }
        before = error;
    }
    return false;
}

/* Member 0 works, with the library's threads; the others only help to begin: while they waited for
 * one another they would take the cores from those threads. */
void be_solve_refined_host(const struct be_work *work) {
    const size_t order = solve_order(work->problem);
    size_t first;
    size_t count;
    struct solve_system s = solve_system_at(work, work->first);
    be_work_rows(work, order, 8, &first, &count);
    narrow(work, &s, first, count);
    be_team_barrier(work->team);
    if (work->member > 0) {
        return;
    }
    (void)be_host_blas_set_threads(&work->library->blas, work->members);
    for (size_t i = work->first; i < work->first + work->items; i++) {
        s = solve_system_at(work, i);
        if (i > work->first) {
            narrow(work, &s, 0, order);
        }
        if (!refine(work, &s)) {
            be_solve_library_one(work, i, work->scratch);
        }
    }
}
