/*
 * Columns lie side by side in vectors, real and imaginary parts apart, so that small transforms are
 * plain arithmetic on vectors, with the same factors in all lanes.
 */
#include "fft_simd.h"

#include <string.h>

enum { COLUMNS = BE_FFT_COLUMNS };

/* Rows lie so far apart that no core foresees them: those of so many rows later are asked for. More would
 * push each other out of the second cache, where rows a power of two apart share few places. */
enum { AHEAD = 16, LINE = 16 /* floats */ };

static void ask_for(const float *row, size_t columns) {
    for (size_t i = 0; columns == COLUMNS && i < 2 * COLUMNS; i += LINE) {
        __builtin_prefetch(row + i, 0, 3);
    }
}

/* Numbers of a block: number i of column c is re[i * columns + c]. */
struct block {
    float *re, *im;
};

static struct block block_at(float *buffer, size_t numbers) {
    return (struct block){buffer, buffer + numbers};
}

/* One butterfly of four on `width` numbers side by side, `from` and `to` apart. */
static void four(const float *restrict xr, const float *restrict xi, size_t from,
                 float *restrict yr, float *restrict yi, size_t to, size_t width, const float *w1,
                 const float *w2, const float *w3) {
    const float w1r = w1[0];
    const float w1i = w1[1];
    const float w2r = w2[0];
    const float w2i = w2[1];
    const float w3r = w3[0];
    const float w3i = w3[1];
#pragma omp simd
    for (size_t i = 0; i < width; i++) {
        float ar = xr[i] + xr[i + 2 * from];
        float ai = xi[i] + xi[i + 2 * from];
        float br = xr[i] - xr[i + 2 * from];
        float bi = xi[i] - xi[i + 2 * from];
        float cr = xr[i + from] + xr[i + 3 * from];
        float ci = xi[i + from] + xi[i + 3 * from];
        float dr = xi[i + from] - xi[i + 3 * from]; /* turned by -i */
        float di = xr[i + 3 * from] - xr[i + from];
        float er = br + dr;
        float ei = bi + di;
        float fr = ar - cr;
        float fi = ai - ci;
        float gr = br - dr;
        float gi = bi - di;
        yr[i] = ar + cr;
        yi[i] = ai + ci;
        yr[i + to] = w1r * er - w1i * ei;
        yi[i + to] = w1r * ei + w1i * er;
        yr[i + 2 * to] = w2r * fr - w2i * fi;
        yi[i + 2 * to] = w2r * fi + w2i * fr;
        yr[i + 3 * to] = w3r * gr - w3i * gi;
        yi[i + 3 * to] = w3r * gi + w3i * gr;
    }
}

static void two(const float *restrict xr, const float *restrict xi, size_t from, float *restrict yr,
                float *restrict yi) {
#pragma omp simd
    for (size_t i = 0; i < from; i++) {
        yr[i] = xr[i] + xr[i + from];
        yi[i] = xi[i] + xi[i + from];
        yr[i + from] = xr[i] - xr[i + from];
        yi[i + from] = xi[i] - xi[i + from];
    }
}

/* Transforms the columns of x, with y to work in; in which of the two the result is. */
static struct block transform(struct block x, struct block y, size_t radix, size_t columns,
                              const float *roots) {
    size_t left = radix;
    size_t width = columns;
    for (; left >= 4; left /= 4, width *= 4) {
        const size_t quarter = left / 4;
        const size_t apart = radix / left;
        for (size_t p = 0; p < quarter; p++) {
            const float *w = roots + 2 * p * apart;
            four(x.re + p * width, x.im + p * width, quarter * width, y.re + 4 * p * width,
                 y.im + 4 * p * width, width, width, w, roots + 4 * p * apart,
                 roots + 6 * p * apart);
        }
        struct block swap = x;
        x = y;
        y = swap;
    }
    if (left == 2) {
        two(x.re, x.im, width, y.re, y.im);
        return y;
    }
    return x;
}

/* The rows that columns f and on are made of, numbers `apart` of each other. */
struct rows {
    const float *first;
    size_t apart;
};

static struct rows rows_of(const struct be_fft_pass *pass, size_t f) {
    const size_t s = pass->s;
    return s == 1 ? (struct rows){pass->x + 2 * f, pass->n / pass->radix}
                  : (struct rows){pass->z + 2 * (f % s + s * pass->radix * (f / s)), s};
}

/* Behind the last rows come the first ones of the next columns. */
static void load(const struct be_fft_pass *pass, size_t f, size_t columns, struct block x) {
    const struct rows now = rows_of(pass, f);
    const struct rows next = rows_of(pass, f + columns);
    for (size_t j = 0; j < pass->radix; j++) {
        const float *in = now.first + 2 * j * now.apart;
        const size_t later = j + AHEAD;
        ask_for(later < pass->radix ? now.first + 2 * later * now.apart
                                    : next.first + 2 * (later - pass->radix) * now.apart,
                columns);
#pragma omp simd
        for (size_t c = 0; c < columns; c++) {
            x.re[j * columns + c] = in[2 * c];
            x.im[j * columns + c] = in[2 * c + 1];
        }
    }
}

/* w(n)^index. */
static void power(const struct be_fft_pass *pass, size_t index, float *re, float *im) {
    const double *a = pass->coarse + 2 * (index >> pass->shift);
    const double *b = pass->fine + 2 * (index & (((size_t)1 << pass->shift) - 1));
    *re = (float)(a[0] * b[0] - a[1] * b[1]);
    *im = (float)(a[0] * b[1] + a[1] * b[0]);
}

/* Every column has the same p: one factor for all, and columns stay side by side. */
static void store_beside(const struct be_fft_pass *pass, size_t f, size_t columns, struct block x) {
    const size_t p = f / pass->s;
    const size_t q = f % pass->s;
    for (size_t k = 0; k < pass->radix; k++) {
        float *out = pass->z + 2 * (q + pass->s * (pass->radix * p + k));
        ask_for(out + 2 * AHEAD * pass->s, columns);
        float wr = 1;
        float wi = 0;
        if (p > 0) {
            power(pass, p * k * pass->s, &wr, &wi);
        }
#pragma omp simd
        for (size_t c = 0; c < columns; c++) {
            float re = x.re[k * columns + c];
            float im = x.im[k * columns + c];
            out[2 * c] = wr * re - wi * im;
            out[2 * c + 1] = wr * im + wi * re;
        }
    }
}

/* s is 1: p is the column itself, and each column's result lies in one piece. Of TOGETHER numbers, from
 * number k on, each column's fill whole cache lines. */
enum { TOGETHER = 16 };

static void store_apart(const struct be_fft_pass *pass, size_t f, size_t k, struct block x) {
    float tile[TOGETHER][2 * COLUMNS];
    for (size_t i = 0; i < TOGETHER; i++) {
        const float *lr = pass->lanes + 2 * (k + i) * COLUMNS;
        const float *li = lr + COLUMNS;
        const float *xr = x.re + (k + i) * COLUMNS;
        const float *xi = x.im + (k + i) * COLUMNS;
        float wr;
        float wi;
        power(pass, f * (k + i), &wr, &wi);
#pragma omp simd
        for (size_t c = 0; c < COLUMNS; c++) {
            float vr = lr[c] * wr - li[c] * wi;
            float vi = lr[c] * wi + li[c] * wr;
            float re = xr[c];
            float im = xi[c];
            tile[i][2 * c] = vr * re - vi * im;
            tile[i][2 * c + 1] = vr * im + vi * re;
        }
    }
    for (size_t c = 0; c < COLUMNS; c++) {
        const size_t row = (f + c) / pass->outer + pass->inner * ((f + c) % pass->outer);
        float *out = pass->z + 2 * (row * pass->radix + k);
        for (size_t i = 0; i < TOGETHER; i++) {
            memcpy(out + 2 * i, tile[i] + 2 * c, 2 * sizeof *out);
        }
    }
}

void BE_SIMD_NAME(be_fft_run)(const struct be_fft_pass *pass, size_t first, size_t count,
                              size_t columns, float *buffer) {
    const size_t numbers = pass->radix * columns;
    const struct block a = block_at(buffer, numbers);
    const struct block b = block_at(buffer + 2 * numbers, numbers);
    for (size_t f = first; f < first + count; f += columns) {
        load(pass, f, columns, a);
        struct block result = transform(a, b, pass->radix, columns, pass->roots);
        if (pass->s == 1 && columns > 1) {
            for (size_t k = 0; k < pass->radix; k += TOGETHER) {
                store_apart(pass, f, k, result);
            }
        } else {
            store_beside(pass, f, columns, result);
        }
    }
}
