/* solve on the CPU. */
#include <math.h>
#include <string.h>

#include "workload/solve.h"
#include "workload/solve_simd.h"

/* ---- own code ------------------------------------------------------------------------------- */

enum { ALIGN = 64 };

static size_t aligned(size_t bytes) {
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Rows are whole vectors long, and an odd number of cache lines: a column then does not fall into
 * one set of the cache. */
size_t be_solve_stride(size_t order) {
    enum { LINE = 16 };
    return ((order + 1 + LINE - 1) / LINE | 1) * LINE;
}

/* Two square arrays, a panel and some rows of the widest vectors, and what is kept beside them. */
size_t be_solve_lanes_bytes(size_t order) {
    enum { FIXED = 128 << 10 };
    const size_t padded = order + 4;
    return ALIGN * (2 * padded * padded + 8 * padded) + FIXED;
}

static size_t one_bytes(const struct be_problem *problem) {
    const size_t order = solve_order(problem);
    return aligned(order * be_solve_stride(order) * be_real_bytes(problem->real)) +
           aligned(order * sizeof(int64_t));
}

static bool in_lanes(const struct be_problem *problem) {
    return solve_order(problem) <= SOLVE_LANES_MOST;
}

static size_t member_bytes(const struct be_problem *problem) {
    const size_t one = one_bytes(problem);
    const size_t lanes = in_lanes(problem) ? be_solve_lanes_bytes(solve_order(problem)) : 0;
    return aligned(one > lanes ? one : lanes);
}

/* Few systems: all members work on each together. */
static bool together(const struct be_work *work) {
    return !in_lanes(work->problem) && work->items < 2 * (size_t)work->members;
}

static size_t vectors_bytes(const struct be_problem *problem) {
    return aligned(solve_order(problem) * sizeof(double));
}

/* Refined: A and the factors in float32, two vectors in float64 and one in float32; others: a place
 * for each member, which is more than enough where they work together. */
size_t be_solve_host_scratch(const struct be_problem *problem, int members) {
    return member_bytes(problem) * (size_t)members + 4 * vectors_bytes(problem) + ALIGN;
}

/* System i of the arrays. */
struct system {
    const void *a, *b;
    void *x;
    int32_t *info;
};

static struct system system_at(const struct be_work *work, size_t i) {
    const size_t order = solve_order(work->problem);
    const size_t each = be_real_bytes(work->problem->real);
    return (struct system){
        .a = (const char *)work->array[SOLVE_A] + i * order * order * each,
        .b = (const char *)work->array[SOLVE_B] + i * order * each,
        .x = (char *)work->array[SOLVE_X] + i * order * each,
        .info = (int32_t *)work->array[SOLVE_INFO] + i,
    };
}

static void solve_one(const struct be_work *work, size_t i, void *room,
                      const struct be_solve_team *team) {
    const size_t order = solve_order(work->problem);
    const struct system s = system_at(work, i);
    const size_t each = be_real_bytes(work->problem->real);
    int32_t *pivot = (void *)((char *)room + aligned(order * be_solve_stride(order) * each));
    if (work->problem->real == BE_REAL64) {
        BE_SIMD_BEST(be_solve_one_double_run)(s.a, s.b, s.x, s.info, order, room, pivot, team);
    } else {
        BE_SIMD_BEST(be_solve_one_float_run)(s.a, s.b, s.x, s.info, order, room, pivot, team);
    }
}

static void solve_in_lanes(const struct be_work *work, size_t i, size_t count, void *room) {
    const size_t order = solve_order(work->problem);
    const struct system s = system_at(work, i);
    if (work->problem->real == BE_REAL64) {
        BE_SIMD_BEST(be_solve_lanes_double_run)(s.a, s.b, s.x, s.info, order, count, room);
    } else {
        BE_SIMD_BEST(be_solve_lanes_float_run)(s.a, s.b, s.x, s.info, order, count, room);
    }
}

void be_solve_batched_host(const struct be_work *work) {
    const struct be_solve_team alone = {.members = 1};
    const struct be_solve_team all = {work->team, work->member, work->members};
    size_t first;
    size_t count;
    if (together(work)) {
        for (size_t i = work->first; i < work->first + work->items; i++) {
            solve_one(work, i, work->scratch, &all);
        }
        return;
    }
    enum { LANES = 16 }; /* whole vectors, of either type */
    char *room = (char *)work->scratch + (size_t)work->member * member_bytes(work->problem);
    be_work_share(work, in_lanes(work->problem) ? LANES : 1, &first, &count);
    if (in_lanes(work->problem) && count > 0) {
        solve_in_lanes(work, first, count, room);
        return;
    }
    for (size_t i = first; i < first + count; i++) {
        solve_one(work, i, room, &alone);
    }
}

/* ---- LAPACK --------------------------------------------------------------------------------- */

static bool has_lapack(const struct be_work *work) {
    const struct be_host_blas *blas = work->library ? &work->library->blas : NULL;
    return blas && blas->dgetrf_ && blas->dgetrs_ && blas->sgetrf_ && blas->sgetrs_;
}

/* A as stored row after row is its transpose column after column: that is factored, and the system
 * of its transpose solved. */
static int64_t factor_double(const struct be_work *work, double *lu, int64_t *pivot) {
    const int64_t n = (int64_t)solve_order(work->problem);
    int64_t info = 0;
    work->library->blas.dgetrf_(&n, &n, lu, &n, pivot, &info);
    return info;
}

static int64_t factor_single(const struct be_work *work, float *lu, int64_t *pivot) {
    const int64_t n = (int64_t)solve_order(work->problem);
    int64_t info = 0;
    work->library->blas.sgetrf_(&n, &n, lu, &n, pivot, &info);
    return info;
}

static void solve_single(const struct be_work *work, const float *lu, const int64_t *pivot,
                         float *x) {
    const int64_t n = (int64_t)solve_order(work->problem);
    const int64_t one = 1;
    int64_t info = 0;
    work->library->blas.sgetrs_("T", &n, &one, lu, &n, pivot, x, &n, &info);
}

static void solve_double(const struct be_work *work, const double *lu, const int64_t *pivot,
                         double *x) {
    const int64_t n = (int64_t)solve_order(work->problem);
    const int64_t one = 1;
    int64_t info = 0;
    work->library->blas.dgetrs_("T", &n, &one, lu, &n, pivot, x, &n, &info);
}

static void library_one(const struct be_work *work, size_t i, void *room) {
    const size_t order = solve_order(work->problem);
    const size_t each = be_real_bytes(work->problem->real);
    const struct system s = system_at(work, i);
    int64_t *pivot = (void *)((char *)room + aligned(order * order * each));
    memcpy(room, s.a, order * order * each);
    memcpy(s.x, s.b, order * each);
    if (work->problem->real == BE_REAL64) {
        *s.info = (int32_t)factor_double(work, room, pivot);
        solve_double(work, room, pivot, s.x);
    } else {
        *s.info = (int32_t)factor_single(work, room, pivot);
        solve_single(work, room, pivot, s.x);
    }
}

void be_solve_library_host(const struct be_work *work) {
    if (!has_lapack(work)) {
        be_solve_batched_host(work);
        return;
    }
    const bool few = work->items < (size_t)work->members;
    if (work->member == 0) {
        (void)be_host_blas_set_threads(&work->library->blas, few ? work->members : 1);
    }
    be_team_meet(work->team);
    char *room = (char *)work->scratch + (size_t)work->member * member_bytes(work->problem);
    size_t first;
    size_t count;
    be_work_share(work, 1, &first, &count);
    if (few) {
        first = work->first;
        count = work->member == 0 ? work->items : 0;
    }
    for (size_t i = first; i < first + count; i++) {
        library_one(work, i, room);
    }
}

/* ---- refinement ----------------------------------------------------------------------------- */

/* Wilkinson's iterative refinement as in LAPACK's dsgesv: it ends where a correction no longer
 * changes x, and after MOST corrections in any case. */
enum { MOST = 10 };

struct refined {
    float *lu;
    int64_t *pivot;
    double *rest; /* b - A x */
    float *step;
    double *size; /* of the last correction and of x, largest numbers */
    size_t first, count;
};

static struct refined refined_at(const struct be_work *work) {
    const size_t order = solve_order(work->problem);
    const size_t vector = vectors_bytes(work->problem);
    char *room = work->scratch;
    struct refined r = {.lu = (void *)room};
    room += aligned(order * order * sizeof(float));
    r.pivot = (void *)room;
    r.rest = (void *)(room + vector);
    r.step = (void *)(room + 2 * vector);
    r.size = (void *)(room + 3 * vector);
    be_work_rows(work, order, 8, &r.first, &r.count);
    return r;
}

/* x += the solution of L U step = rest, by member 0. */
static void correct(const struct be_work *work, const struct refined *r, double *x) {
    const size_t order = solve_order(work->problem);
    double change = 0;
    double most = 0;
    for (size_t i = 0; i < order; i++) {
        r->step[i] = (float)r->rest[i];
    }
    solve_single(work, r->lu, r->pivot, r->step);
    for (size_t i = 0; i < order; i++) {
        x[i] += (double)r->step[i];
        change = fmax(change, fabs((double)r->step[i]));
        most = fmax(most, fabs(x[i]));
    }
    r->size[0] = change;
    r->size[1] = most;
}

static void refined_one(const struct be_work *work, const struct system *s) {
    const size_t order = solve_order(work->problem);
    const struct refined r = refined_at(work);
    const double *a = s->a;
    const double enough = 0x1p-50;
    for (size_t i = r.first * order; i < (r.first + r.count) * order; i++) {
        r.lu[i] = (float)a[i];
    }
    memcpy(r.rest + r.first, (const double *)s->b + r.first, r.count * sizeof *r.rest);
    memset((double *)s->x + r.first, 0, r.count * sizeof(double));
    be_team_meet(work->team);
    if (work->member == 0) {
        *s->info = (int32_t)factor_single(work, r.lu, r.pivot);
    }
    for (int i = 0; i <= MOST; i++) {
        if (work->member == 0) {
            correct(work, &r, s->x);
        }
        be_team_meet(work->team);
        if (i == MOST || !(r.size[0] > enough * r.size[1])) {
            break;
        }
        BE_SIMD_BEST(be_solve_rest_run)(a, s->b, s->x, r.rest, order, r.first, r.count);
        be_team_meet(work->team);
    }
    be_team_meet(work->team);
}

void be_solve_refined_host(const struct be_work *work) {
    if (!has_lapack(work)) {
        be_solve_batched_host(work);
        return;
    }
    if (work->member == 0) {
        (void)be_host_blas_set_threads(&work->library->blas, work->members);
    }
    for (size_t i = work->first; i < work->first + work->items; i++) {
        const struct system s = system_at(work, i);
        refined_one(work, &s);
    }
}
