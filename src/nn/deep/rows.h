/*
 * The work of a deep net on rows of numbers, one channel of a batch each, in vectors: batch norm, what is added, ReLU,
 * both ways. Sums have an order that depends on the length of the row and the instruction set alone.
 */
#ifndef BE_NN_DEEP_ROWS_H
#define BE_NN_DEEP_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "host/simd.h"

/* (x - mean) scale + shift, + add, max(that, 0). */
struct be_nn_row_norm {
    float mean, scale, shift;
    const float *add; /* NULL: nothing */
    bool relu;
};

struct be_nn_row_code {
    void (*moments)(const float *x, size_t count, double *mean, double *variance);
    void (*normalise)(const struct be_nn_row_norm *norm, const float *x, size_t count, float *out);
    /* Zeros in `back` where the ReLU's output is not above 0. */
    void (*unrelu)(const float *out, size_t count, float *back);
    void (*add)(const float *from, size_t count, float *to);
    /* Sums of back, and of back (x - mean). */
    void (*sums)(const float *back, const float *x, float mean, size_t count, double *sum,
                 double *with);
    /* back = scale (back - constant - slope (x - mean)). */
    void (*unnormalise)(const float *x, float mean, float scale, float constant, float slope,
                        size_t count, float *back);
};

/* rows_simd.c, compiled once for each instruction set. */
BE_SIMD_DECLARE(extern const struct be_nn_row_code, be_nn_row_code);

#endif
