/*
 * A large filter by Fourier transforms down the columns only: a transform of LONG rows turns the taps of a column of the
 * filter into one product a frequency; the sum over the filter's columns stays as it is. So no number ever changes its
 * lane. Two parts of the image, one below the other, are the real and the imaginary half of one transform, since the
 * filter is real. Transforms leave frequencies in the order of their digits, and the way back takes them so.
 *
 * A transform spreads what is no number, and what overflows, over all its rows: such parts are summed up as `tiles` does.
 */
#include <float.h>
#include <math.h>

#include "host/vector.h"
#include "workload/convolve/fourier.h"

enum { LONG = BE_FOURIER_ROWS, WIDE = BE_FOURIER_WIDE, COLUMNS = BE_FOURIER_COLUMNS };
enum { PAIR = 2 * lanes32 }; /* a row of a transform of one vector of columns: real, imaginary */
_Static_assert(COLUMNS % (2 * lanes32) == 0 && WIDE % lanes32 == 0, "whole vectors");

struct complex32 {
    vector32 re, im;
};

VECTOR_INLINE struct complex32 get(const float *row) {
    return (struct complex32){load32(row), load32(row + lanes32)};
}

VECTOR_INLINE void set(float *row, struct complex32 v) {
    store32(row, v.re);
    store32(row + lanes32, v.im);
}

VECTOR_INLINE struct complex32 plus(struct complex32 a, struct complex32 b) {
    return (struct complex32){a.re + b.re, a.im + b.im};
}

VECTOR_INLINE struct complex32 minus(struct complex32 a, struct complex32 b) {
    return (struct complex32){a.re - b.re, a.im - b.im};
}

/* i a */
VECTOR_INLINE struct complex32 quarter(struct complex32 a) {
    return (struct complex32){-a.im, a.re};
}

/* a exp(-+ 2 pi i k / LONG): with `back` the upper sign is plus. */
VECTOR_INLINE struct complex32 turn(struct complex32 a, const float *circle, size_t k, bool back) {
    const float c = circle[2 * (k % LONG)];
    const float s = back ? circle[2 * (k % LONG) + 1] : -circle[2 * (k % LONG) + 1];
    return (struct complex32){c * a.re - s * a.im, s * a.re + c * a.im};
}

/* One step of blocks of `block` rows, which is cut into four. */
VECTOR_INLINE void four_there(float *x, size_t block, const float *circle) {
    const size_t q = block / 4;
    for (size_t j = 0; j < q; j++) {
        for (size_t at = j; at < LONG; at += block) {
            float *row[4] = {x + at * PAIR, x + (at + q) * PAIR, x + (at + 2 * q) * PAIR,
                             x + (at + 3 * q) * PAIR};
            const struct complex32 a = get(row[0]), b = get(row[1]), c = get(row[2]),
                                   d = get(row[3]);
            const struct complex32 even = plus(a, c), odd = minus(a, c);
            const struct complex32 sum = plus(b, d), turned = quarter(minus(b, d));
            const size_t k = LONG / block * j;
            set(row[0], plus(even, sum));
            set(row[1], turn(minus(odd, turned), circle, k, false));
            set(row[2], turn(minus(even, sum), circle, 2 * k, false));
            set(row[3], turn(plus(odd, turned), circle, 3 * k, false));
        }
    }
}

VECTOR_INLINE void four_back(float *x, size_t block, const float *circle) {
    const size_t q = block / 4;
    for (size_t j = 0; j < q; j++) {
        for (size_t at = j; at < LONG; at += block) {
            float *row[4] = {x + at * PAIR, x + (at + q) * PAIR, x + (at + 2 * q) * PAIR,
                             x + (at + 3 * q) * PAIR};
            const size_t k = LONG / block * j;
            const struct complex32 a = get(row[0]), b = turn(get(row[1]), circle, k, true),
                                   c = turn(get(row[2]), circle, 2 * k, true),
                                   d = turn(get(row[3]), circle, 3 * k, true);
            const struct complex32 even = plus(a, c), odd = minus(a, c);
            const struct complex32 sum = plus(b, d), turned = quarter(minus(b, d));
            set(row[0], plus(even, sum));
            set(row[1], plus(odd, turned));
            set(row[2], minus(even, sum));
            set(row[3], minus(odd, turned));
        }
    }
}

VECTOR_INLINE void two(float *x, const float *circle, bool back) {
    for (size_t j = 0; j < LONG / 2; j++) {
        float *upper = x + j * PAIR, *lower = x + (j + LONG / 2) * PAIR;
        const struct complex32 a = get(upper);
        const struct complex32 b = back ? turn(get(lower), circle, j, true) : get(lower);
        const struct complex32 difference = minus(a, b);
        set(upper, plus(a, b));
        set(lower, back ? difference : turn(difference, circle, j, false));
    }
}

/* LONG is 2 x 4 x 4 x 4. */
static void there(float *x, const float *circle) {
    two(x, circle, false);
    four_there(x, LONG / 2, circle);
    four_there(x, LONG / 8, circle);
    four_there(x, LONG / 32, circle);
}

static void back(float *x, const float *circle) {
    four_back(x, LONG / 32, circle);
    four_back(x, LONG / 8, circle);
    four_back(x, LONG / 2, circle);
    two(x, circle, true);
}

/* ---- a part of the image ------------------------------------------------------------------------ */

/* Row i, columns column .. column + lanes - 1, with zeroes beyond the image: numbers below 0 are large ones. */
VECTOR_INLINE vector32 image(const struct be_convolve_part *part, size_t i, size_t column) {
    const struct be_convolve_sizes *s = part->size;
    if (i >= s->height) {
        return (vector32){0};
    }
    if (column < s->width && column + lanes32 <= s->width) {
        return load32(part->x + i * s->width + column);
    }
    float lane[lanes32] = {0};
    for (size_t k = 0; k < lanes32; k++) {
        lane[k] = column + k < s->width ? part->x[i * s->width + column + k] : 0;
    }
    return load32(lane);
}

/* Spectra of a vector of columns, into `column` of the strip. false: a number that no transform may take. */
static bool transform(const struct be_convolve_part *part, const struct be_fourier_room *room,
                      size_t row, size_t left, size_t column, float limit) {
    const struct be_convolve_sizes *s = part->size;
    const size_t step = be_fourier_step(s);
    mask32 right = ~(mask32){0};
    for (size_t y = 0; y < LONG; y++) {
        const size_t i = row + y - s->before;
        const struct complex32 v = {image(part, i, left + column - s->before),
                                    image(part, i + step, left + column - s->before)};
        right &= (v.re <= limit) & (v.re >= -limit) & (v.im <= limit) & (v.im >= -limit);
        set(room->one + y * PAIR, v);
    }
    there(room->one, room->circle);
    for (size_t f = 0; f < LONG; f++) {
        const struct complex32 v = get(room->one + f * PAIR);
        store32(room->strip + 2 * f * WIDE + column, v.re);
        store32(room->strip + (2 * f + 1) * WIDE + column, v.im);
    }
    bool all = true;
    for (size_t k = 0; k < lanes32; k++) {
        all &= right[k] != 0;
    }
    return all;
}

/* The sum over the filter's columns at one frequency, where the numbers lie. */
static void multiply(float *re, float *im, const float *w, size_t taps) {
    enum { VECTORS = 2 };
    for (size_t at = 0; at < COLUMNS; at += VECTORS * lanes32) {
        struct complex32 sum[VECTORS] = {{{0}, {0}}};
        for (size_t b = 0; b < taps; b++) {
            const vector32 c = spread32(w[2 * b]), s = spread32(w[2 * b + 1]);
            for (size_t v = 0; v < VECTORS; v++) {
                const vector32 x = load32(re + at + b + v * lanes32);
                const vector32 y = load32(im + at + b + v * lanes32);
                sum[v].re += c * x;
                sum[v].im += c * y;
                sum[v].re -= s * y;
                sum[v].im += s * x;
            }
        }
        for (size_t v = 0; v < VECTORS; v++) {
            store32(re + at + v * lanes32, sum[v].re);
            store32(im + at + v * lanes32, sum[v].im);
        }
    }
}

static void put_row(const struct be_convolve_part *part, size_t row, size_t column, vector32 sum) {
    const struct be_convolve_sizes *s = part->size;
    float *z = part->z + row * s->width + column;
    if (column + lanes32 <= s->width) {
        store32(z, sum);
    } else {
        memcpy(z, &sum, (s->width - column) * sizeof *z);
    }
}

static void transform_back(const struct be_convolve_part *part, const struct be_fourier_room *room,
                           size_t row, size_t left, size_t column) {
    const size_t step = be_fourier_step(part->size);
    const size_t end = part->first + part->rows;
    for (size_t f = 0; f < LONG; f++) {
        set(room->one + f * PAIR,
            (struct complex32){load32(room->strip + 2 * f * WIDE + column),
                               load32(room->strip + (2 * f + 1) * WIDE + column)});
    }
    back(room->one, room->circle);
    for (size_t y = 0; y < step && row + y < end; y++) {
        const struct complex32 v = get(room->one + y * PAIR);
        put_row(part, row + y, left + column, v.re);
        if (row + step + y < end) {
            put_row(part, row + step + y, left + column, v.im);
        }
    }
}

/* ---- the filter --------------------------------------------------------------------------------- */

/* Its conjugate spectra over LONG, a frequency's columns side by side. */
static void transform_filter(const struct be_convolve_part *part,
                             const struct be_fourier_room *room) {
    const size_t taps = part->size->taps;
    for (size_t first = 0; first < taps; first += lanes32) {
        for (size_t a = 0; a < LONG; a++) {
            float lane[lanes32] = {0};
            for (size_t b = first; a < taps && b < taps && b < first + lanes32; b++) {
                lane[b - first] = part->w[a * taps + b] / LONG;
            }
            set(room->one + a * PAIR, (struct complex32){load32(lane), {0}});
        }
        there(room->one, room->circle);
        for (size_t f = 0; f < LONG; f++) {
            for (size_t b = first; b < taps && b < first + lanes32; b++) {
                const float *row = room->one + f * PAIR + (b - first);
                room->filter[2 * (f * taps + b)] = row[0];
                room->filter[2 * (f * taps + b) + 1] = -row[lanes32];
            }
        }
    }
}

/* No sum of numbers up to this overflows on its way; NAN or 0: the filter has what no transform may take. */
static float limit_of(const struct be_convolve_part *part) {
    const size_t taps = part->size->taps;
    double sum = 1;
    for (size_t i = 0; i < taps * taps; i++) {
        sum += fabs((double)part->w[i]);
    }
    return (float)((double)FLT_MAX / (4.0 * LONG * sum));
}

void BE_SIMD_NAME(be_convolve_fourier_begin)(const struct be_convolve_part *part,
                                             struct be_fourier_room *room) {
    const double step = 2 * acos(-1.0) / LONG;
    for (size_t k = 0; k < LONG; k++) {
        room->circle[2 * k] = (float)cos(step * (double)k);
        room->circle[2 * k + 1] = (float)sin(step * (double)k);
    }
    room->limit = limit_of(part);
    transform_filter(part, room);
}

bool BE_SIMD_NAME(be_convolve_fourier)(const struct be_convolve_part *part,
                                       const struct be_fourier_room *room) {
    const struct be_convolve_sizes *s = part->size;
    const size_t need = COLUMNS + s->taps - 1;
    bool right = true;
    for (size_t column = 0; column < need && right; column += lanes32) {
        right = transform(part, room, part->first, part->left, column, room->limit);
    }
    for (size_t f = 0; f < LONG && right; f++) {
        multiply(room->strip + 2 * f * WIDE, room->strip + (2 * f + 1) * WIDE,
                 room->filter + 2 * f * s->taps, s->taps);
    }
    for (size_t column = 0; column < part->columns && right; column += lanes32) {
        transform_back(part, room, part->first, part->left, column);
    }
    return right;
}
