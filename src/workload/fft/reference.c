#include <complex.h>
#include <math.h>
#include <string.h>

#include "workload/fft/fft.h"

static const double pi = 3.14159265358979323846;

/* CMPLX of C11, which glibc defines for some compilers only: the parts are laid out as two numbers. */
static double complex made_of(double real, double imaginary) {
    const double parts[2] = {real, imaginary};
    double complex z = 0;
    memcpy(&z, parts, sizeof z);
    return z;
}

static double complex root(size_t index, size_t n) {
    double angle = -2 * pi * (double)index / (double)n;
    return made_of(cos(angle), sin(angle));
}

/* Without what Annex F asks of products of infinities. */
static double complex times(double complex a, double complex b) {
    return made_of(creal(a) * creal(b) - cimag(a) * cimag(b),
                   creal(a) * cimag(b) + cimag(a) * creal(b));
}

static double complex number(const float *x, size_t i) {
    return made_of((double)x[2 * i], (double)x[2 * i + 1]);
}

void be_fft_naive(size_t n, const float *x, double *z, size_t first, size_t count) {
    for (size_t k = first; k < first + count; k++) {
        double complex sum = 0;
        for (size_t j = 0; j < n; j++) {
            sum += times(number(x, j), root(j * k % n, n));
        }
        z[2 * k] = creal(sum);
        z[2 * k + 1] = cimag(sum);
    }
}

/* n is a power of two; roots[k * apart] is root k of n. */
static void halve(size_t n, const double complex *x, size_t stride, double complex *z,
                  const double complex *roots, size_t apart) {
    if (n == 1) {
        z[0] = x[0];
        return;
    }
    halve(n / 2, x, 2 * stride, z, roots, 2 * apart);
    halve(n / 2, x + stride, 2 * stride, z + n / 2, roots, 2 * apart);
    for (size_t k = 0; k < n / 2; k++) {
        double complex odd = times(roots[k * apart], z[k + n / 2]);
        z[k + n / 2] = z[k] - odd;
        z[k] += odd;
    }
}

/* As a convolution (Bluestein 1970): j k = (j^2 + k^2 - (k - j)^2) / 2. The convolution has so many
 * numbers. */
static size_t convolved(size_t n) {
    size_t m = 1;
    while (m < 2 * n - 1) {
        m *= 2;
    }
    return m;
}

static void convolve(size_t n, const float *x, double complex *z, double complex *capacity) {
    const size_t m = convolved(n);
    double complex *a = capacity;
    double complex *b = capacity + m;
    double complex *c = capacity + 2 * m;
    double complex *roots = capacity + 3 * m;
    for (size_t k = 0; k < m / 2; k++) {
        roots[k] = root(k, m);
    }
    for (size_t k = 0; k < m; k++) {
        a[k] = b[k] = 0;
    }
    for (size_t k = 0; k < n; k++) {
        double complex chirp = root(k * k % (2 * n), 2 * n);
        a[k] = times(number(x, k), chirp);
        b[k] = b[(m - k) % m] = conj(chirp);
    }
    halve(m, a, 1, c, roots, 1);
    halve(m, b, 1, a, roots, 1);
    for (size_t k = 0; k < m; k++) { /* the inverse is the forward one of the conjugate */
        a[k] = conj(times(c[k], a[k])) / (double)m;
    }
    halve(m, a, 1, c, roots, 1);
    for (size_t k = 0; k < n; k++) {
        z[k] = times(conj(c[k]), root(k * k % (2 * n), 2 * n));
    }
}

static bool is_power(size_t n) {
    return (n & (n - 1)) == 0;
}

size_t be_fft_reference_capacity(size_t n) {
    const size_t m = convolved(n);
    return 2 * (is_power(n) ? n + n / 2 + 1 : 3 * m + m / 2 + 1);
}

void be_fft_reference(size_t n, const float *x, double *z, double *capacity) {
    double complex *out = (void *)z;
    double complex *in = (void *)capacity;
    double complex *roots = in + n;
    if (!is_power(n)) {
        convolve(n, x, out, in);
        return;
    }
    for (size_t k = 0; k < n; k++) {
        in[k] = number(x, k);
    }
    for (size_t k = 0; k < n / 2; k++) {
        roots[k] = root(k, n);
    }
    halve(n, in, 1, out, roots, 1);
}
