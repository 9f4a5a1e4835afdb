/*
 * Compiled once per instruction set. Where results go past the caches they are computed and stored a
 * cache line at a time; elsewhere the same loops write where the results belong.
 */
#include "workload/stream_simd.h"

#include <math.h>

#include "base/error.h"
#include "workload/stream_store.h"
#include "host/vector.h"

enum { QUARTER = 1024 }; /* floats that are summed one after the other in a float's lanes */

static size_t min(size_t a, size_t b) {
    return a < b ? a : b;
}

/* ---- add and plus, of chain as it is written ---------------------------------------------------- */

#define REAL float

#define INPUTS 1
#define LOOP BE_SIMD_NAME(be_add_float_run)
#define element(x) ((x) + BE_CHAIN_CONSTANT)
#include "workload/elementwise_loop.h"
#undef INPUTS
#undef LOOP
#undef element

#define INPUTS 2
#define LOOP BE_SIMD_NAME(be_plus_float_run)
#define element(x, y) ((x) + (y))
#include "workload/elementwise_loop.h"

/* ---- sums ----------------------------------------------------------------------------------- */

/* Sums a block in each of four parts that begin `part` apart: as many sums, since one would wait for each addition, and
 * as many of the prefetchers' streams. */
static double sum_quarters(const float *x, size_t part) {
    vector32 sum[4] = {spread32(0), spread32(0), spread32(0), spread32(0)};
    for (size_t i = 0; i < QUARTER; i += lanes32) {
        for (size_t k = 0; k < 4; k++) {
            sum[k] += load32(x + k * part + i);
        }
    }
    return all_of32((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

double BE_SIMD_NAME(be_sum_float_run)(const float *x, size_t n) {
    const size_t part = n / 4 / QUARTER * QUARTER;
    double sum = 0;
    float rest = 0;
    for (size_t i = 0; i < part; i += QUARTER) {
        sum += sum_quarters(x + i, part);
    }
#pragma omp simd reduction(+ : rest)
    for (size_t k = 4 * part; k < n; k++) {
        rest += x[k];
    }
    return sum + (double)rest;
}

static double sum_quarters64(const double *x, size_t part) {
    vector64 sum[4] = {spread64(0), spread64(0), spread64(0), spread64(0)};
    for (size_t i = 0; i < QUARTER; i += lanes64) {
        for (size_t k = 0; k < 4; k++) {
            sum[k] += load64(x + k * part + i);
        }
    }
    return all_of64((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

double BE_SIMD_NAME(be_sum_double_run)(const double *x, size_t n) {
    const size_t part = n / 4 / QUARTER * QUARTER;
    double sum = 0;
    double rest = 0;
    double lost = 0; /* Neumaier: there may be very many blocks */
    for (size_t i = 0; i < part; i += QUARTER) {
        double v = sum_quarters64(x + i, part);
        double next = sum + v;
        double back = next - sum;
        lost += (sum - (next - back)) + (v - back); /* Knuth: any order of size */
        sum = next;
    }
#pragma omp simd reduction(+ : rest)
    for (size_t k = 4 * part; k < n; k++) {
        rest += x[k];
    }
    return isfinite(lost) ? sum + (lost + rest) : sum + rest; /* of infinities nothing is lost */
}

/* ---- chain ---------------------------------------------------------------------------------- */

static double chain_block(const struct be_chain_arrays *a, float c, size_t n) {
    const float *d = a->d;
    const float *o = a->o;
    const float *m = a->m;
    float *d_new = a->d_new;
    float *o_new = a->o_new;
    float *m_new = a->m_new;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) {
        float u = d[i] + c;
        float v = o[i] + u;
        float w = m[i] + v;
        d_new[i] = u;
        o_new[i] = v;
        m_new[i] = w;
        sum += (u + v) + w;
    }
    return (double)sum;
}

static struct be_chain_arrays chain_from(const struct be_chain_arrays *a, size_t i) {
    return (struct be_chain_arrays){a->d + i,     a->o + i,     a->m + i,
                                    a->d_new + i, a->o_new + i, a->m_new + i};
}

/* n elements, a cache line of each array at a time; past the caches the results begin with a line. */
VECTOR_INLINE double chain_lines(const struct be_chain_arrays *a, float c, size_t n,
                                 enum be_stores stores) {
    _Alignas(64) float line[3][STREAM_LINE];
    vector32 sum = spread32(0);
    for (size_t i = 0; i < n; i += STREAM_LINE) {
        for (size_t k = 0; k < STREAM_LINE; k += lanes32) {
            vector32 u = load32(a->d + i + k) + spread32(c);
            vector32 v = load32(a->o + i + k) + u;
            vector32 w = load32(a->m + i + k) + v;
            store32(line[0] + k, u);
            store32(line[1] + k, v);
            store32(line[2] + k, w);
            sum += (u + v) + w;
        }
        float *const to[] = {a->d_new + i, a->o_new + i, a->m_new + i};
        for (size_t k = 0; k < BE_COUNT(to); k++) {
            if (stores == BE_STORES_NONTEMPORAL) {
                stream_line(to[k], line[k]);
            } else {
                stream_will_write(to[k], STREAM_LINE);
                memcpy(to[k], line[k], sizeof line[k]);
            }
        }
    }
    return all_of32(sum);
}

double BE_SIMD_NAME(be_chain_run)(const struct be_chain_arrays *array, float c, size_t n,
                                  enum be_stores stores) {
    double sum = 0;
    /* The arrays are whole problems' and the shares whole cache lines, so all three results begin
     * equally far into a line; where they do not, none goes past the caches. */
    const size_t head = stream_head(array->d_new, n);
    const bool nontemporal = head == stream_head(array->o_new, n) &&
                             head == stream_head(array->m_new, n) &&
                             stores == BE_STORES_NONTEMPORAL;
    size_t i = nontemporal ? head : 0;
    sum += chain_block(array, c, i);
    while (i < n) {
        const struct be_chain_arrays from = chain_from(array, i);
        size_t length = min(QUARTER, n - i);
        if (nontemporal && length >= STREAM_LINE) {
            length = length / STREAM_LINE * STREAM_LINE;
            sum += chain_lines(&from, c, length, BE_STORES_NONTEMPORAL);
        } else if (stores == BE_STORES_AHEAD && length == QUARTER) {
            sum += chain_lines(&from, c, length, BE_STORES_AHEAD);
        } else {
            sum += chain_block(&from, c, length);
        }
        i += length;
    }
    stream_end();
    return sum;
}

/* n elements, a whole number of lines. ask: for lines to be read; asked for to be written they gain less. */
VECTOR_INLINE double chain_here(float *d, float *o, float *m, float c, size_t n, bool ask) {
    vector32 sum = spread32(0);
    for (size_t i = 0; i < n; i += STREAM_LINE) {
        if (ask) {
            stream_will_read(d + i, STREAM_LINE, BE_PREFETCH_L1);
            stream_will_read(o + i, STREAM_LINE, BE_PREFETCH_L1);
            stream_will_read(m + i, STREAM_LINE, BE_PREFETCH_L1);
        }
        for (size_t k = i; k < i + STREAM_LINE; k += lanes32) {
            const vector32 u = load32(d + k) + spread32(c);
            const vector32 v = load32(o + k) + u;
            const vector32 w = load32(m + k) + v;
            store32(d + k, u);
            store32(o + k, v);
            store32(m + k, w);
            sum += (u + v) + w;
        }
    }
    return all_of32(sum);
}

double BE_SIMD_NAME(be_chain_here_run)(float *d, float *o, float *m, float c, size_t n,
                                       enum be_stores stores) {
    const size_t lines = n / STREAM_LINE * STREAM_LINE;
    double sum = 0;
    size_t i = 0;
    for (size_t length; i < lines; i += length) {
        length = min(QUARTER, lines - i);
        sum += stores == BE_STORES_PLAIN ? chain_here(d + i, o + i, m + i, c, length, false)
                                         : chain_here(d + i, o + i, m + i, c, length, true);
    }
    const struct be_chain_arrays rest = {d + i, o + i, m + i, d + i, o + i, m + i};
    return sum + chain_block(&rest, c, n - i);
}

/* Two sums: one would wait for each addition. */
static double sum_three(const float *d, const float *o, const float *m, size_t n) {
    float a = 0;
    float b = 0;
    size_t half = n / 2;
#pragma omp simd reduction(+ : a, b)
    for (size_t i = 0; i < half; i++) {
        a += (d[i] + o[i]) + m[i];
        b += (d[i + half] + o[i + half]) + m[i + half];
    }
    if (n % 2) {
        a += (d[n - 1] + o[n - 1]) + m[n - 1];
    }
    return (double)a + (double)b;
}

double BE_SIMD_NAME(be_chain_sum_run)(const struct be_chain_arrays *array, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i += QUARTER) {
        sum += sum_three(array->d_new + i, array->o_new + i, array->m_new + i, min(QUARTER, n - i));
    }
    return sum;
}
