/* Squared distances as a book writes them: loops over both points and over the coordinates. Compiled once for each
 * instruction set. */
#include <math.h>
#include <string.h>

#include "host/simd.h"
#include "workload/distance/distance.h"

/* exact: in the order of operations that a bin goes by (distance.h). */
#define PLAIN(REAL, bits, fused, root)                                                             \
    static REAL squared##bits(const REAL *a, const REAL *b, size_t d) {                            \
        REAL sum = 0;                                                                              \
        for (size_t k = 0; k < d; k++) {                                                           \
            sum += (a[k] - b[k]) * (a[k] - b[k]);                                                  \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    static REAL exact##bits(const REAL *a, const REAL *b, size_t d) {                              \
        REAL sum = 0;                                                                              \
        for (size_t k = 0; k < d; k++) {                                                           \
            sum = fused(a[k] - b[k], a[k] - b[k], sum);                                            \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    static void matrix##bits(const REAL *x, REAL *out, size_t n, size_t d, size_t first,           \
                             size_t count) {                                                       \
        for (size_t i = first; i < first + count; i++) {                                           \
            for (size_t j = 0; j < n; j++) {                                                       \
                out[i * n + j] = squared##bits(x + i * d, x + j * d, d);                           \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void nearest##bits(const REAL *x, REAL *out, size_t n, size_t d, size_t first,          \
                              size_t count) {                                                      \
        for (size_t i = first; i < first + count; i++) {                                           \
            REAL least = (REAL)INFINITY;                                                           \
            for (size_t j = 0; j < n; j++) {                                                       \
                const REAL one = squared##bits(x + i * d, x + j * d, d);                           \
                least = j != i && one < least ? one : least;                                       \
            }                                                                                      \
            out[i] = least;                                                                        \
        }                                                                                          \
    }                                                                                              \
    static REAL edge_at##bits(size_t bin, REAL edge) {                                             \
        return (REAL)(bin * bin) * edge;                                                           \
    }                                                                                              \
    static void count##bits(const REAL *x, size_t n, size_t d, size_t i, size_t bins, REAL edge,   \
                            uint64_t *counts) {                                                    \
        for (size_t j = i + 1; j < n; j++) {                                                       \
            const REAL one = exact##bits(x + i * d, x + j * d, d);                                 \
            if (one < edge_at##bits(bins, edge)) {                                                 \
                size_t bin = (size_t)root(one / edge); /* or the one beside it */                  \
                bin -= bin > 0 && edge_at##bits(bin, edge) > one;                                  \
                bin += edge_at##bits(bin + 1, edge) <= one;                                        \
                counts[bin]++;                                                                     \
            }                                                                                      \
        }                                                                                          \
    }
PLAIN(float, 32, fmaf, sqrtf)
PLAIN(double, 64, fma, sqrt)

/* Each member counts for itself, of every so-manieth point with those behind it; the sums are shared out. */
static void histogram(const struct be_work *work) {
    const struct be_problem *problem = work->problem;
    const size_t n = be_distance_points(problem), d = be_distance_dimension(problem);
    const size_t bins = be_distance_bins(problem), apart = be_distance_plain_apart(problem);
    const double edge = be_distance_edge(problem);
    const void *x = be_work_array(work, BE_DISTANCE_X);
    uint64_t *all = work->scratch, *out = be_work_array(work, BE_DISTANCE_D);
    uint64_t *mine = all + (size_t)work->member * apart;
    size_t first;
    size_t count;
    memset(mine, 0, bins * sizeof *mine);
    for (size_t i = (size_t)work->member; i < n; i += (size_t)work->members) {
        if (problem->real == BE_REAL64) {
            count64(x, n, d, i, bins, edge, mine);
        } else {
            count32(x, n, d, i, bins, (float)edge, mine);
        }
    }
    be_team_barrier(work->team);
    be_work_rows(work, bins, 8, &first, &count);
    for (size_t k = first; k < first + count; k++) {
        out[k] = 0;
        for (size_t m = 0; m < (size_t)work->members; m++) {
            out[k] += all[m * apart + k];
        }
    }
}

void BE_SIMD_NAME(be_distance_plain_run)(const struct be_work *work) {
    const struct be_problem *problem = work->problem;
    const size_t n = be_distance_points(problem), d = be_distance_dimension(problem);
    const bool matrix = problem->value[BE_DISTANCE_CONSUMER] == BE_DISTANCE_MATRIX;
    const void *x = be_work_array(work, BE_DISTANCE_X);
    void *out = be_work_array(work, BE_DISTANCE_D);
    size_t first;
    size_t count;
    if (problem->value[BE_DISTANCE_CONSUMER] == BE_DISTANCE_HISTOGRAM) {
        histogram(work);
        return;
    }
    be_work_rows(work, n, 4, &first, &count);
    if (problem->real == BE_REAL64) {
        (matrix ? matrix64 : nearest64)(x, out, n, d, first, count);
    } else {
        (matrix ? matrix32 : nearest32)(x, out, n, d, first, count);
    }
}
