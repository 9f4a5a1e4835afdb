/* Least squares as a good programmer writes them: X'X and X'y in three loops, then steps of k x k. Compiled once for
 * each instruction set: the compiler makes vectors of the inner loops. */
#include <string.h>

#include "host/simd.h"
#include "workload/numbers.h"
#include "workload/regress/regress.h"

/* The sums of some rows, in double precision: of float32 a plain sum of a million squares loses three digits. */
#define PLAIN(REAL, bits)                                                                          \
    static void gram##bits(const REAL *x, const REAL *y, size_t rows, size_t k, double *gram) {    \
        for (size_t i = 0; i < rows; i++) {                                                        \
            const REAL *row = x + i * k;                                                           \
            for (size_t a = 0; a < k; a++) {                                                       \
                const double one = (double)row[a];                                                 \
                double *sum = gram + a * (k + 1);                                                  \
                for (size_t b = a; b < k; b++) {                                                   \
                    sum[b] += one * (double)row[b];                                                \
                }                                                                                  \
                sum[k] += one * (double)y[i];                                                      \
            }                                                                                      \
        }                                                                                          \
    }
PLAIN(float, 32)
PLAIN(double, 64)

/* Adds up the sums of all members, and makes X'X whole. */
static void add_up(const struct be_work *work, size_t k, double *gram) {
    const size_t numbers = k * (k + 1);
    for (size_t m = 1; m < (size_t)work->members; m++) {
        for (size_t j = 0; j < numbers; j++) {
            gram[j] += gram[m * be_regress_plain_apart(k) + j];
        }
    }
    for (size_t a = 0; a < k; a++) {
        for (size_t b = 0; b < a; b++) {
            gram[a * (k + 1) + b] = gram[b * (k + 1) + a];
        }
    }
}

static void descend(const struct be_regress_size *s, const double *gram, double *w) {
    double gradient[BE_REGRESS_MAX];
    for (size_t step = 0; step < s->steps; step++) {
        for (size_t a = 0; a < s->k; a++) {
            const double *row = gram + a * (s->k + 1);
            double sum = 0;
#pragma omp simd reduction(+ : sum)
            for (size_t b = 0; b < s->k; b++) {
                sum += row[b] * w[b];
            }
            gradient[a] = sum - row[s->k];
        }
        for (size_t a = 0; a < s->k; a++) {
            w[a] -= s->factor * gradient[a];
        }
    }
}

void BE_SIMD_NAME(be_regress_plain_run)(const struct be_work *work) {
    const struct be_regress_size s = be_regress_size(work->problem);
    const void *x = be_work_array(work, BE_REGRESS_X), *y = be_work_array(work, BE_REGRESS_Y);
    double *all = work->scratch;
    double *mine = all + (size_t)work->member * be_regress_plain_apart(s.k);
    double w[BE_REGRESS_MAX] = {0};
    size_t first;
    size_t count;
    be_work_rows(work, s.n, 1, &first, &count);
    memset(mine, 0, s.k * (s.k + 1) * sizeof *mine);
    if (work->problem->real == BE_REAL64) {
        gram64((const double *)x + first * s.k, (const double *)y + first, count, s.k, mine);
    } else {
        gram32((const float *)x + first * s.k, (const float *)y + first, count, s.k, mine);
    }
    be_team_barrier(work->team);
    if (work->member == 0) {
        add_up(work, s.k, all);
        descend(&s, all, w);
        for (size_t j = 0; j < s.k; j++) {
            be_number_set(work->problem->real, be_work_array(work, BE_REGRESS_W), j, w[j]);
        }
    }
}
