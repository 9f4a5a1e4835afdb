/* Gradient descent on the CPU. Each member keeps its rows from step to step, in its own cache where
 * they fit; the weights each member computes for itself, from the sums of all. */
#include <string.h>

#include "workload/numbers.h"
#include "workload/regress/regress.h"
#include "workload/regress/simd.h"

/* A member's sums: lines of their own, twice, so that who is fast writes the next step's while
 * others still read this one's. */
static double *slot_of(double *slots, const struct be_work *work, int member, size_t step) {
    return slots + ((step % 2) * (size_t)work->members + (size_t)member) * BE_REGRESS_PADDED;
}

static size_t slots_bytes(int members) {
    return 2 * (size_t)members * BE_REGRESS_PADDED * sizeof(double);
}

/* When all members' sums of this step are there: w -= factor * their sum. */
static void take_step(const struct be_work *work, double *slots, size_t step, double *w) {
    const struct be_regress_size s = be_regress_size(work->problem);
    double sum[BE_REGRESS_MAX] = {0};
    be_team_barrier(work->team);
    for (int i = 0; i < work->members; i++) {
        const double *slot = slot_of(slots, work, i, step);
        for (size_t j = 0; j < s.k; j++) {
            sum[j] += slot[j];
        }
    }
    for (size_t j = 0; j < s.k; j++) {
        w[j] -= s.factor * sum[j];
    }
}

/* This member's rows; *first: the first of them. */
static struct be_regress_rows my_rows(const struct be_work *work, size_t *first) {
    enum { GRAIN = 64 }; /* rows, so that members' r do not share cache lines */
    const struct be_regress_size s = be_regress_size(work->problem);
    const size_t real = be_real_bytes(work->problem->real);
    const char *x = be_work_array(work, BE_REGRESS_X);
    const char *y = be_work_array(work, BE_REGRESS_Y);
    size_t count;
    be_work_rows(work, s.n, GRAIN, first, &count);
    return (struct be_regress_rows){.x = x + *first * s.k * real,
                                    .y = y + *first * real,
                                    .rows = count,
                                    .k = s.k,
                                    .capacity = (s.n - *first) * s.k};
}

static void write_weights(const struct be_work *work, const double *w) {
    const size_t k = be_regress_size(work->problem).k;
    for (size_t j = 0; work->member == 0 && j < k; j++) {
        be_number_set(work->problem->real, be_work_array(work, BE_REGRESS_W), j, w[j]);
    }
}

/* ---- fused ---------------------------------------------------------------------------------- */

size_t be_regress_host_scratch_fused(const struct be_problem *problem, int members) {
    (void)problem;
    return slots_bytes(members);
}

void be_regress_host_fused(const struct be_work *work) {
    const struct be_regress_size s = be_regress_size(work->problem);
    be_regress_fused *run = work->problem->real == BE_REAL64 ? BE_SIMD_BEST(be_regress_fused64)
                                                             : BE_SIMD_BEST(be_regress_fused32);
    double w[BE_REGRESS_MAX] = {0};
    size_t first;
    const struct be_regress_rows rows = my_rows(work, &first);
    for (size_t step = 0; step < s.steps; step++) {
        double *sums = slot_of(work->scratch, work, work->member, step);
        memset(sums, 0, s.k * sizeof *sums);
        run(&rows, w, sums);
        take_step(work, work->scratch, step, w);
    }
    write_weights(work, w);
}

/* ---- as written ----------------------------------------------------------------------------- */

size_t be_regress_host_scratch_written(const struct be_problem *problem, int members) {
    return slots_bytes(members) +
           (size_t)problem->value[BE_REGRESS_SAMPLES] * be_real_bytes(problem->real);
}

/* The errors are an array, as where each pass is a call of its own; each member reads those that it
 * wrote. */
void be_regress_host_written(const struct be_work *work) {
    const struct be_regress_size s = be_regress_size(work->problem);
    const bool wide = work->problem->real == BE_REAL64;
    be_regress_errors *errors =
        wide ? BE_SIMD_BEST(be_regress_errors64) : BE_SIMD_BEST(be_regress_errors32);
    be_regress_gradient *gradient =
        wide ? BE_SIMD_BEST(be_regress_gradient64) : BE_SIMD_BEST(be_regress_gradient32);
    double w[BE_REGRESS_MAX] = {0};
    size_t first;
    const struct be_regress_rows rows = my_rows(work, &first);
    char *r = (char *)work->scratch + slots_bytes(work->members) +
              first * be_real_bytes(work->problem->real);
    for (size_t step = 0; step < s.steps; step++) {
        double *sums = slot_of(work->scratch, work, work->member, step);
        memset(sums, 0, s.k * sizeof *sums);
        errors(&rows, w, r);
        gradient(&rows, r, sums);
        take_step(work, work->scratch, step, w);
    }
    write_weights(work, w);
}

/* ---- gram ----------------------------------------------------------------------------------- */

/* Doubles of a member's X'X and X'y, in whole cache lines. */
static size_t gram_doubles(size_t k) {
    return (k * (k + 1) + 7) / 8 * 8;
}

size_t be_regress_host_scratch_gram(const struct be_problem *problem, int members) {
    return (size_t)members * gram_doubles(be_regress_size(problem).k) * sizeof(double);
}

/* Adds up all members' sums in the first one's place, and makes X'X whole. */
static void add_up(const struct be_work *work, size_t k) {
    double *gram = work->scratch;
    for (int i = 1; i < work->members; i++) {
        const double *more = gram + (size_t)i * gram_doubles(k);
        for (size_t j = 0; j < k * (k + 1); j++) {
            gram[j] += more[j];
        }
    }
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < i; j++) {
            gram[i * k + j] = gram[j * k + i];
        }
    }
}

/* The steps are one core's: two would wait for each other longer than they compute. */
void be_regress_host_gram(const struct be_work *work) {
    const struct be_regress_size s = be_regress_size(work->problem);
    const bool wide = work->problem->real == BE_REAL64;
    be_regress_gram *run = wide ? BE_SIMD_BEST(be_regress_gram64) : BE_SIMD_BEST(be_regress_gram32);
    be_regress_descend *descend =
        wide ? BE_SIMD_BEST(be_regress_descend64) : BE_SIMD_BEST(be_regress_descend32);
    double w[BE_REGRESS_MAX];
    size_t first;
    const struct be_regress_rows rows = my_rows(work, &first);
    double *gram = (double *)work->scratch + (size_t)work->member * gram_doubles(s.k);
    memset(gram, 0, gram_doubles(s.k) * sizeof *gram);
    run(&rows, gram, gram + s.k * s.k);
    be_team_barrier(work->team);
    if (work->member == 0) {
        add_up(work, s.k);
        descend(gram, gram + s.k * s.k, s.k, s.factor, s.steps, w);
        write_weights(work, w);
    }
}
