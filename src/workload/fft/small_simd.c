/* Real and imaginary parts apart, so that a step is plain arithmetic on vectors once few steps are done. */
#include "small_simd.h"

struct numbers {
    float *re, *im;
};

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

void BE_SIMD_NAME(be_fft_small_run)(const float *x, float *z, size_t n, const float *roots,
                                    float *buffer) {
    struct numbers from = {buffer, buffer + n};
    struct numbers to = {buffer + 2 * n, buffer + 3 * n};
    for (size_t i = 0; i < n; i++) {
        from.re[i] = x[2 * i];
        from.im[i] = x[2 * i + 1];
    }
    size_t left = n;
    size_t width = 1; /* numbers combined before */
    for (; left >= 4; left /= 4, width *= 4) {
        const size_t quarter = left / 4;
        for (size_t p = 0; p < quarter; p++) {
            const float *w = roots + 2 * p * width;
            four(from.re + p * width, from.im + p * width, quarter * width, to.re + 4 * p * width,
                 to.im + 4 * p * width, width, width, w, w + 2 * p * width, w + 4 * p * width);
        }
        const struct numbers swap = from;
        from = to;
        to = swap;
    }
    if (left == 2) {
        two(from.re, from.im, width, to.re, to.im);
        from = to;
    }
    for (size_t i = 0; i < n; i++) {
        z[2 * i] = from.re[i];
        z[2 * i + 1] = from.im[i];
    }
}
