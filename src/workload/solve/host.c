/* solve on the CPU. */
#include <string.h>

#include "base/error.h"
#include "workload/solve/solve.h"
#include "workload/solve/lapack.h"
#include "workload/solve/simd.h"
#include "workload/thresholds.h"

/* ---- own code ------------------------------------------------------------------------------- */

enum { ALIGN = SOLVE_ALIGN };

static size_t aligned(size_t bytes) {
    return solve_aligned(bytes);
}

static size_t one_bytes(const struct be_problem *problem) {
    const size_t order = solve_order(problem);
    return aligned(order * be_solve_stride(order) * be_real_bytes(problem->real)) +
           aligned(order * sizeof(int64_t));
}

static size_t member_bytes(const struct be_problem *problem) {
    const size_t order = solve_order(problem);
    const size_t one = one_bytes(problem);
    const size_t each = be_real_bytes(problem->real);
    const size_t small = order <= SOLVE_BATCHED_MAX ? be_solve_small_bytes(order, each) : 0;
    return aligned(one > small ? one : small);
}

/* A library's threads wait for one another more than they work up to the first order, members below the
 * second. */
enum { LIBRARY_ALONE = BE_SOLVE_LIBRARY_ALONE, TOGETHER = BE_SOLVE_TOGETHER };

/* All members work on each system together: on four cores of a Zen 5 EPYC a system of order 1024 takes them 0.8 of the
 * time that one of them needs, and one of 2048 0.4. Larger systems are the library's. */
static bool together(const struct be_problem *problem, size_t systems, int members) {
    const size_t order = solve_order(problem);
    return order > SOLVE_BATCHED_MAX ? systems < (size_t)members
                                     : order >= TOGETHER && 2 * systems <= (size_t)members;
}

/* A place for each member that has a system, or one where all of a library's threads, or all members,
 * have but one system at a time. */
size_t be_solve_host_scratch(const struct be_problem *problem, int members) {
    const size_t systems = (size_t)problem->value[0];
    const size_t places = systems < (size_t)members ? systems : (size_t)members;
    return (together(problem, systems, members) ? aligned(one_bytes(problem))
                                                : member_bytes(problem) * places) +
           ALIGN;
}

static void solve_one(const struct be_work *work, size_t i, void *capacity,
                      const struct be_solve_team *team) {
    const size_t order = solve_order(work->problem);
    const struct solve_system s = solve_system_at(work, i);
    const size_t each = be_real_bytes(work->problem->real);
    int32_t *pivot = (void *)((char *)capacity + aligned(order * be_solve_stride(order) * each));
    if (work->problem->real == BE_REAL64) {
        BE_SIMD_BEST(be_solve_one_double_run)(s.a, s.b, s.x, s.info, order, capacity, pivot, team);
    } else {
        BE_SIMD_BEST(be_solve_one_float_run)(s.a, s.b, s.x, s.info, order, capacity, pivot, team);
    }
}

static void solve_small(const struct be_work *work, size_t i, size_t count, void *capacity) {
    const size_t order = solve_order(work->problem);
    const struct solve_system s = solve_system_at(work, i);
    if (work->problem->real == BE_REAL64) {
        BE_SIMD_BEST(be_solve_small_double_run)(s.a, s.b, s.x, s.info, order, count, capacity);
    } else {
        BE_SIMD_BEST(be_solve_small_float_run)(s.a, s.b, s.x, s.info, order, count, capacity);
    }
}

void be_solve_batched_host(const struct be_work *work) {
    const struct be_solve_team all = {work->team, work->member, work->members};
    size_t first;
    size_t count;
    if (together(work->problem, work->items, work->members)) {
        for (size_t i = work->first; i < work->first + work->items; i++) {
            solve_one(work, i, work->scratch, &all);
        }
        return;
    }
    char *capacity = (char *)work->scratch + (size_t)work->member * member_bytes(work->problem);
    be_work_share(work, 1, &first, &count);
    if (count > 0) {
        solve_small(work, first, count, capacity);
    }
}

/* ---- LAPACK --------------------------------------------------------------------------------- */

enum be_status be_solve_host_ready(const struct be_host_libraries *library, int members,
                                   struct be_error *error) {
    (void)members;
    if (!library || !library->blas.handle) {
        return be_fail(error, BE_ABSENT, "%s", library ? library->blas_error.text : "no LAPACK");
    }
    const struct be_host_blas *blas = &library->blas;
    const bool all = blas->dgetrf_ && blas->dgetrs_ && blas->sgetrf_ && blas->sgetrs_;
    return all ? BE_OK
               : be_fail(error, BE_ABSENT,
                         "the BLAS here has no LAPACK: with one, as in OpenBLAS, "
                         "its solver is measured too");
}

/* Where there is no answer there is no number. */
static void clear_singular(const struct be_work *work, const struct solve_system *s) {
    const size_t bytes = solve_order(work->problem) * be_real_bytes(work->problem->real);
    if (*s->info != 0) {
        memset(s->x, 0xff, bytes); /* all ones are a NaN in either type */
    }
}

void be_solve_library_one(const struct be_work *work, size_t i, void *capacity) {
    const size_t order = solve_order(work->problem);
    const size_t each = be_real_bytes(work->problem->real);
    const struct solve_system s = solve_system_at(work, i);
    int64_t *pivot = (void *)((char *)capacity + solve_aligned(order * order * each));
    memcpy(capacity, s.a, order * order * each);
    memcpy(s.x, s.b, order * each);
    if (work->problem->real == BE_REAL64) {
        *s.info = (int32_t)solve_factor_double(work, capacity, pivot);
        solve_back_double(work, capacity, pivot, s.x);
    } else {
        *s.info = (int32_t)solve_factor_single(work, capacity, pivot);
        solve_back_single(work, capacity, pivot, s.x);
    }
    clear_singular(work, &s);
}

void be_solve_library_host(const struct be_work *work) {
    const bool few =
        work->items < (size_t)work->members && solve_order(work->problem) > LIBRARY_ALONE;
    if (work->member == 0) {
        (void)be_host_blas_set_threads(&work->library->blas, few ? work->members : 1);
    }
    be_team_barrier(work->team);
    char *capacity = (char *)work->scratch + (size_t)work->member * member_bytes(work->problem);
    size_t first;
    size_t count;
    be_work_share(work, 1, &first, &count);
    if (few) {
        first = work->first;
        count = work->member == 0 ? work->items : 0;
    }
    for (size_t i = first; i < first + count; i++) {
        be_solve_library_one(work, i, capacity);
    }
}
