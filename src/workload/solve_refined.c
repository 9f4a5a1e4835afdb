/*
 * solve by refinement on the CPU: factors in float32, residuals in float64, as in LAPACK's dsgesv
 * (Langou et al. 2006). It ends when the backward error is as small as that of factors in float64;
 * where it does not get there those are computed after all.
 */
#include <math.h>
#include <string.h>

#include "workload/solve.h"
#include "workload/solve_lapack.h"
#include "workload/solve_simd.h"

enum { CORRECTIONS = 10 };

/* Each member's part of sums of squares, on cache lines of their own. */
struct part {
    double rest, matrix;
    char padding[SOLVE_ALIGN - 2 * sizeof(double)];
};

struct refined {
    float *lu;
    int64_t *pivot;
    double *rest; /* b - A x */
    float *step;
    struct part *part;
    double *size;        /* of x and of b: squares */
    size_t first, count; /* this member's rows */
};

static size_t vector_bytes(const struct be_problem *problem) {
    return solve_aligned(solve_order(problem) * sizeof(double));
}

/* What refinement takes, or the code that takes over. */
size_t be_solve_refined_host_scratch(const struct be_problem *problem, int members) {
    const size_t order = solve_order(problem);
    const size_t own = solve_aligned(order * order * sizeof(float)) + 3 * vector_bytes(problem) +
                       (size_t)(members + 1) * sizeof(struct part);
    const size_t other = be_solve_host_scratch(problem, members);
    return own > other ? own : other;
}

static struct refined refined_at(const struct be_work *work) {
    const size_t order = solve_order(work->problem);
    const size_t vector = vector_bytes(work->problem);
    char *room = work->scratch;
    struct refined r = {.lu = (void *)room};
    room += solve_aligned(order * order * sizeof(float));
    r.pivot = (void *)room;
    r.rest = (void *)(room + vector);
    r.step = (void *)(room + 2 * vector);
    r.part = (void *)(room + 3 * vector);
    r.size = (void *)(r.part + work->members);
    be_work_rows(work, order, 8, &r.first, &r.count);
    return r;
}

static double squares(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sum;
}

/* This member's rows in float32. */
static void start(const struct be_work *work, const struct refined *r,
                  const struct solve_system *s) {
    const size_t order = solve_order(work->problem);
    const double *a = s->a;
    double sum = 0;
    for (size_t i = r->first * order; i < (r->first + r->count) * order; i++) {
        r->lu[i] = (float)a[i];
        sum += a[i] * a[i];
    }
    r->part[work->member].matrix = sum;
    memcpy(r->rest + r->first, (const double *)s->b + r->first, r->count * sizeof *r->rest);
    memset((double *)s->x + r->first, 0, r->count * sizeof(double));
}

/* x += the solution of L U step = rest, by member 0. */
static void correct(const struct be_work *work, const struct refined *r, double *x) {
    const size_t order = solve_order(work->problem);
    for (size_t i = 0; i < order; i++) {
        r->step[i] = (float)r->rest[i];
    }
    solve_back_single(work, r->lu, r->pivot, r->step);
    for (size_t i = 0; i < order; i++) {
        x[i] += (double)r->step[i];
    }
    r->size[0] = squares(x, order);
}

/* The backward error after a correction: the same for all members. */
static double backward(const struct be_work *work, const struct refined *r) {
    double rest = 0;
    double matrix = 0;
    for (int i = 0; i < work->members; i++) {
        rest += r->part[i].rest;
        matrix += r->part[i].matrix;
    }
    return sqrt(rest) / (sqrt(matrix) * sqrt(r->size[0]) + sqrt(r->size[1]));
}

/* False: it does not converge. */
static bool refine(const struct be_work *work, const struct solve_system *s) {
    const size_t order = solve_order(work->problem);
    const struct refined r = refined_at(work);
    const double enough = solve_refined_enough(order);
    double before = INFINITY;
    start(work, &r, s);
    be_team_meet(work->team);
    if (work->member == 0) {
        *s->info = (int32_t)solve_factor_single(work, r.lu, r.pivot);
        r.size[1] = squares(s->b, order);
    }
    for (int i = 0; i < CORRECTIONS; i++) {
        if (work->member == 0) {
            correct(work, &r, s->x);
        }
        be_team_meet(work->team);
        r.part[work->member].rest =
            BE_SIMD_BEST(be_solve_rest_run)(s->a, s->b, s->x, r.rest, order, r.first, r.count);
        be_team_meet(work->team);
        const double error = backward(work, &r);
        if (*s->info != 0 || !(error > enough)) {
            return *s->info == 0 && error <= enough;
        }
        if (error > before / 2) {
            return false;
        }
        before = error;
        be_team_meet(work->team); /* all have read what the next round writes */
    }
    return false;
}

void be_solve_refined_host(const struct be_work *work) {
    if (!solve_has_lapack(work)) {
        be_solve_batched_host(work);
        return;
    }
    if (work->member == 0) {
        (void)be_host_blas_set_threads(&work->library->blas, work->members);
    }
    for (size_t i = work->first; i < work->first + work->items; i++) {
        const struct solve_system s = solve_system_at(work, i);
        const bool converged = refine(work, &s);
        be_team_meet(work->team);
        if (!converged && work->member == 0) {
            be_solve_library_one(work, i, work->scratch);
        }
        be_team_meet(work->team);
    }
}
