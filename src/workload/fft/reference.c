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

static double complex number(const double *x, size_t i) {
    return made_of(x[2 * i], x[2 * i + 1]);
}

void be_fft_naive(size_t n, const double *x, double *z, size_t first, size_t count) {
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

static void convolve(size_t n, const double *x, double complex *z, double complex *capacity) {
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

void be_fft_reference(size_t n, const double *x, double *z, double *capacity) {
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

/* ---- of a problem ----------------------------------------------------------------------------- */

/* The largest size for which the formula itself is the reference, where there is but one line. */
enum { NAIVE_MAX = 2048 };

static size_t longest(const struct be_fft_size *size) {
    return size->columns > size->rows ? size->columns : size->rows;
}

static size_t result_doubles(const struct be_fft_size *size) {
    return 2 * size->lines * size->width;
}

/* A line's transform lies elsewhere before it is part of the result. */
static bool goes_between(const struct be_fft_size *size) {
    return size->real || size->image;
}

/* Behind the result: a line, its transform, and what that takes. */
size_t be_fft_reference_doubles(const struct be_fft_size *size) {
    const size_t columns = be_fft_reference_capacity(size->columns);
    const size_t rows = be_fft_reference_capacity(size->rows);
    return result_doubles(size) + (goes_between(size) ? 4 : 2) * longest(size) +
           (columns > rows ? columns : rows);
}

static void take_line(const struct be_work *work, const struct be_fft_size *size, size_t at,
                      double *line) {
    const float *x = (const float *)work->array[0] + at * size->columns * (size->real ? 1 : 2);
    for (size_t i = 0; i < size->columns; i++) {
        line[2 * i] = (double)(size->real ? x[i] : x[2 * i]);
        line[2 * i + 1] = size->real ? 0 : (double)x[2 * i + 1];
    }
}

/* Columns of images, whose rows were transformed before. */
static void columns_of(const struct be_fft_size *size, double *z, double *line, double *out,
                       double *capacity) {
    const size_t apart = 2 * size->width;
    for (size_t i = 0; i < size->batch * size->width; i++) {
        double *column = z + i / size->width * size->rows * apart + 2 * (i % size->width);
        for (size_t row = 0; row < size->rows; row++) {
            memcpy(line + 2 * row, column + row * apart, 2 * sizeof *line);
        }
        be_fft_reference(size->rows, line, out, capacity);
        for (size_t row = 0; row < size->rows; row++) {
            memcpy(column + row * apart, out + 2 * row, 2 * sizeof *line);
        }
    }
}

/* All but one short line is done by one member. */
void be_fft_references(const struct be_work *work, double *z) {
    const struct be_fft_size size = be_fft_size(work->problem);
    double *line = z + result_doubles(&size);
    double *out = line + 2 * longest(&size);
    double *capacity = goes_between(&size) ? out + 2 * longest(&size) : out;
    if (size.lines == 1 && size.columns <= NAIVE_MAX) {
        size_t first;
        size_t count;
        if (work->member == 0) {
            take_line(work, &size, 0, line);
        }
        be_team_barrier(work->team);
        be_work_rows(work, size.width, 1, &first, &count);
        be_fft_naive(size.columns, line, z, first, count);
        return;
    }
    for (size_t i = 0; work->member == 0 && i < size.lines; i++) {
        double *result = z + 2 * i * size.width;
        take_line(work, &size, i, line);
        be_fft_reference(size.columns, line, goes_between(&size) ? out : result, capacity);
        if (goes_between(&size)) {
            memcpy(result, out, 2 * size.width * sizeof *z);
        }
    }
    if (work->member == 0 && size.image) {
        columns_of(&size, z, line, out, capacity);
    }
}
