/*
 * Compiled once per instruction set. Where results go past the caches they are computed a block at
 * a time into the first-level cache and stored from there in whole cache lines; elsewhere the same
 * loops write where the results belong.
 */
#include "workload/stream_simd.h"

#include "workload/stream_store.h"
#include "workload/vector.h"

enum {
    BLOCK = 128,              /* floats, so that a block's stores fit the fill buffers */
    BLOCK64 = BLOCK / 2,      /* doubles */
    LINE64 = STREAM_LINE / 2, /* doubles in a cache line */
    QUARTER = 1024            /* floats that are summed one after the other in a float's lanes */
};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static void stream_block(float *z, const float *v, size_t n) {
    for (size_t i = 0; i < n; i += STREAM_LINE) {
        stream_line(z + i, v + i);
    }
}

/* ---- add ------------------------------------------------------------------------------------ */

static void add_block(const float *x, float c, float *z, size_t n) {
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        z[i] = x[i] + c;
    }
}

static void add_block64(const double *x, double c, double *z, size_t n) {
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        z[i] = x[i] + c;
    }
}

void BE_SIMD_NAME(be_add_float_run)(const float *x, float c, float *z, size_t n, bool stream) {
    float result[BLOCK];
    const bool ahead = !stream && n >= STREAM_FAR;
    size_t i = stream ? stream_head(z, n) : ahead ? 0 : n;
    add_block(x, c, z, i);
    for (; ahead && i + BLOCK <= n; i += BLOCK) {
        stream_will_read(x + i, BLOCK);
        stream_will_write(z + i, BLOCK);
        add_block(x + i, c, z + i, BLOCK);
    }
    while (stream && i + STREAM_LINE <= n) {
        size_t length = least(BLOCK, (n - i) / STREAM_LINE * STREAM_LINE);
        add_block(x + i, c, result, length);
        stream_block(z + i, result, length);
        i += length;
    }
    add_block(x + i, c, z + i, n - i);
    stream_end();
}

void BE_SIMD_NAME(be_add_double_run)(const double *x, double c, double *z, size_t n, bool stream) {
    double result[BLOCK64];
    const bool ahead = !stream && 2 * n >= STREAM_FAR;
    size_t i = stream ? stream_head((const float *)(const void *)z, 2 * n) / 2 : ahead ? 0 : n;
    add_block64(x, c, z, i);
    for (; ahead && i + BLOCK64 <= n; i += BLOCK64) {
        stream_will_read((const float *)(const void *)(x + i), BLOCK);
        stream_will_write((const float *)(const void *)(z + i), BLOCK);
        add_block64(x + i, c, z + i, BLOCK64);
    }
    while (stream && i + LINE64 <= n) {
        size_t length = least(BLOCK64, (n - i) / LINE64 * LINE64);
        add_block64(x + i, c, result, length);
        stream_block((float *)(void *)(z + i), (const float *)(const void *)result, 2 * length);
        i += length;
    }
    add_block64(x + i, c, z + i, n - i);
    stream_end();
}

static void plus_block(const float *x, const float *y, float *z, size_t n) {
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        z[i] = x[i] + y[i];
    }
}

void BE_SIMD_NAME(be_plus_float_run)(const float *x, const float *y, float *z, size_t n,
                                     bool stream) {
    float result[BLOCK];
    const bool ahead = !stream && n >= STREAM_FAR;
    size_t i = stream ? stream_head(z, n) : ahead ? 0 : n;
    plus_block(x, y, z, i);
    for (; ahead && i + BLOCK <= n; i += BLOCK) {
        stream_will_read(x + i, BLOCK);
        stream_will_read(y + i, BLOCK);
        stream_will_write(z + i, BLOCK);
        plus_block(x + i, y + i, z + i, BLOCK);
    }
    while (stream && i + STREAM_LINE <= n) {
        size_t length = least(BLOCK, (n - i) / STREAM_LINE * STREAM_LINE);
        plus_block(x + i, y + i, result, length);
        stream_block(z + i, result, length);
        i += length;
    }
    plus_block(x + i, y + i, z + i, n - i);
    stream_end();
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* Four sums at a time: one would wait for each addition. */
static double sum_quarters(const float *x) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
#pragma omp simd reduction(+ : a, b, c, d)
    for (size_t i = 0; i < QUARTER; i++) {
        a += x[i];
        b += x[i + QUARTER];
        c += x[i + (size_t)2 * QUARTER];
        d += x[i + (size_t)3 * QUARTER];
    }
    return ((double)a + (double)b) + ((double)c + (double)d);
}

double BE_SIMD_NAME(be_sum_float_run)(const float *x, size_t n) {
    double sum = 0;
    float rest = 0;
    size_t i = 0;
    for (; i + (size_t)4 * QUARTER <= n; i += (size_t)4 * QUARTER) {
        sum += sum_quarters(x + i);
    }
#pragma omp simd reduction(+ : rest)
    for (size_t k = i; k < n; k++) {
        rest += x[k];
    }
    return sum + (double)rest;
}

static double sum_quarters64(const double *x) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
#pragma omp simd reduction(+ : a, b, c, d)
    for (size_t i = 0; i < QUARTER; i++) {
        a += x[i];
        b += x[i + QUARTER];
        c += x[i + (size_t)2 * QUARTER];
        d += x[i + (size_t)3 * QUARTER];
    }
    return (a + b) + (c + d);
}

double BE_SIMD_NAME(be_sum_double_run)(const double *x, size_t n) {
    double sum = 0;
    double rest = 0;
    double lost = 0; /* Neumaier: there may be very many blocks */
    size_t i = 0;
    for (; i + (size_t)4 * QUARTER <= n; i += (size_t)4 * QUARTER) {
        double v = sum_quarters64(x + i);
        double next = sum + v;
        double back = next - sum;
        lost += (sum - (next - back)) + (v - back); /* Knuth: any order of size */
        sum = next;
    }
#pragma omp simd reduction(+ : rest)
    for (size_t k = i; k < n; k++) {
        rest += x[k];
    }
    return sum + (lost + rest);
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

/* QUARTER elements, a cache line of each array at a time. */
static double chain_ahead(const struct be_chain_arrays *a, float c) {
    vector32 sum = spread32(0);
    float lane[lanes32];
    double all = 0;
    for (size_t i = 0; i < QUARTER; i += STREAM_LINE) {
        stream_will_write(a->d_new + i, STREAM_LINE);
        stream_will_write(a->o_new + i, STREAM_LINE);
        stream_will_write(a->m_new + i, STREAM_LINE);
        for (size_t k = i; k < i + STREAM_LINE; k += lanes32) {
            vector32 u = load32(a->d + k) + spread32(c);
            vector32 v = load32(a->o + k) + u;
            vector32 w = load32(a->m + k) + v;
            store32(a->d_new + k, u);
            store32(a->o_new + k, v);
            store32(a->m_new + k, w);
            sum += (u + v) + w;
        }
    }
    store32(lane, sum);
    for (size_t k = 0; k < lanes32; k++) {
        all += (double)lane[k];
    }
    return all;
}

double BE_SIMD_NAME(be_chain_run)(const struct be_chain_arrays *array, float c, size_t n,
                                  bool stream) {
    float result[3][BLOCK];
    double sum = 0;
    /* The arrays are whole problems' and the shares whole cache lines, so all three results begin
     * equally far into a line; where they do not, none is streamed. */
    size_t head = stream_head(array->d_new, n);
    bool alike =
        head == stream_head(array->o_new, n) && head == stream_head(array->m_new, n) && stream;
    size_t i = 0;
    for (; alike && i < head; i = head) {
        sum += chain_block(array, c, head);
    }
    while (alike && i + STREAM_LINE <= n) {
        size_t length = least(BLOCK, (n - i) / STREAM_LINE * STREAM_LINE);
        struct be_chain_arrays to = chain_from(array, i);
        struct be_chain_arrays here = {to.d, to.o, to.m, result[0], result[1], result[2]};
        sum += chain_block(&here, c, length);
        stream_block(to.d_new, result[0], length);
        stream_block(to.o_new, result[1], length);
        stream_block(to.m_new, result[2], length);
        i += length;
    }
    for (; i < n; i += least(QUARTER, n - i)) {
        struct be_chain_arrays to = chain_from(array, i);
        sum += n >= STREAM_FAR && n - i >= QUARTER ? chain_ahead(&to, c)
                                                   : chain_block(&to, c, least(QUARTER, n - i));
    }
    stream_end();
    return sum;
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
        sum +=
            sum_three(array->d_new + i, array->o_new + i, array->m_new + i, least(QUARTER, n - i));
    }
    return sum;
}
