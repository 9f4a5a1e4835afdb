/* Compiled once per instruction set, with -DBE_SIMD=suffix: the rows of a deep net. */
#include "nn/deep/rows.h"

enum { CHUNK = 1024 }; /* numbers that are added up in float; the chunks' sums in double */

static size_t chunk_at(size_t at, size_t count) {
    return count - at < CHUNK ? count - at : CHUNK;
}

static void moments(const float *x, size_t count, double *mean, double *variance) {
    double all = 0;
    double squares = 0;
    for (size_t at = 0; at < count; at += CHUNK) {
        const float *from = x + at;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t i = 0; i < chunk_at(at, count); i++) {
            sum += from[i];
        }
        all += (double)sum;
    }
    *mean = all / (double)count;
    const float middle = (float)*mean;
    for (size_t at = 0; at < count; at += CHUNK) {
        const float *from = x + at;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t i = 0; i < chunk_at(at, count); i++) {
            sum += (from[i] - middle) * (from[i] - middle);
        }
        squares += (double)sum;
    }
    *variance = squares / (double)count;
}

static void normalise(const struct be_nn_row_norm *norm, const float *x, size_t count, float *out) {
    const float mean = norm->mean;
    const float scale = norm->scale;
    const float shift = norm->shift;
    if (norm->add) {
        const float *add = norm->add;
#pragma omp simd
        for (size_t i = 0; i < count; i++) {
            out[i] = (x[i] - mean) * scale + shift + add[i];
        }
    } else {
#pragma omp simd
        for (size_t i = 0; i < count; i++) {
            out[i] = (x[i] - mean) * scale + shift;
        }
    }
    if (norm->relu) {
#pragma omp simd
        for (size_t i = 0; i < count; i++) {
            out[i] = out[i] < 0 ? 0 : out[i]; /* a NaN stays one */
        }
    }
}

static void unrelu(const float *out, size_t count, float *back) {
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        back[i] = out[i] > 0 ? back[i] : 0;
    }
}

static void add(const float *from, size_t count, float *to) {
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        to[i] += from[i];
    }
}

static void sums(const float *back, const float *x, float mean, size_t count, double *sum,
                 double *with) {
    *sum = *with = 0;
    for (size_t at = 0; at < count; at += CHUNK) {
        const float *b = back + at;
        const float *from = x + at;
        float one = 0;
        float other = 0;
#pragma omp simd reduction(+ : one, other)
        for (size_t i = 0; i < chunk_at(at, count); i++) {
            one += b[i];
            other += b[i] * (from[i] - mean);
        }
        *sum += (double)one;
        *with += (double)other;
    }
}

static void unnormalise(const float *x, float mean, float scale, float constant, float slope,
                        size_t count, float *back) {
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        back[i] = scale * (back[i] - constant - slope * (x[i] - mean));
    }
}

const struct be_nn_row_code BE_SIMD_NAME(be_nn_row_code) = {moments, normalise, unrelu,
                                                            add,     sums,      unnormalise};
