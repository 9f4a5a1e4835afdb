#include "workload/solve/lapack.h"

#include <string.h>

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
