/*
 * Fourier transforms of 2 to 16 complex numbers in registers, in vectors as wide as the instruction set that the including
 * file is compiled for: powers of two (butterflies.h), the primes 3 to 13, and products of two of these without a common
 * factor, which need no factors in between (Good 1958).
 */
#ifndef BE_WORKLOAD_FFT_RADICES_H
#define BE_WORKLOAD_FFT_RADICES_H

#include "butterflies.h"

/* cos and sin of 2 pi i / n, 0 < i < n / 2, behind a 0. */
static const float cosines_3[] = {0, -0.5F};
static const float sines_3[] = {0, 0.86602540378443865F};
static const float cosines_5[] = {0, 0.30901699437494745F, -0.80901699437494734F};
static const float sines_5[] = {0, 0.95105651629515353F, 0.58778525229247314F};
static const float cosines_7[] = {0, 0.62348980185873359F, -0.22252093395631434F,
                                  -0.90096886790241915F};
static const float sines_7[] = {0, 0.78183148246802980F, 0.97492791218182362F,
                                0.43388373911755823F};
static const float cosines_11[] = {0,
                                   0.84125353283118121F,
                                   0.41541501300188644F,
                                   -0.14231483827328500F,
                                   -0.65486073394528499F,
                                   -0.95949297361449737F};
static const float sines_11[] = {0,
                                 0.54064081745559756F,
                                 0.90963199535451833F,
                                 0.98982144188093268F,
                                 0.75574957435425827F,
                                 0.28173255684142967F};
static const float cosines_13[] = {0,
                                   0.88545602565320991F,
                                   0.56806474673115592F,
                                   0.12053668025532300F,
                                   -0.35460488704253545F,
                                   -0.74851074817110119F,
                                   -0.97094181742605201F};
static const float sines_13[] = {0,
                                 0.46472317204376851F,
                                 0.82298386589365640F,
                                 0.99270887409805397F,
                                 0.93501624268541483F,
                                 0.66312265824079519F,
                                 0.23931566428755777F};

/* An odd number of them: sums and differences of numbers j and n - j share their products. */
VECTOR_INLINE void odd(struct numbers *v, const size_t n, const float *cosines,
                       const float *sines) {
    const struct numbers first = v[0];
    struct numbers sum[7];
    struct numbers difference[7];
#pragma GCC unroll 8
    for (size_t j = 1; j <= n / 2; j++) {
        sum[j] = plus(v[j], v[n - j]);
        difference[j] = turned(minus(v[j], v[n - j]));
        v[0] = plus(v[0], sum[j]);
    }
#pragma GCC unroll 8
    for (size_t k = 1; k <= n / 2; k++) {
        struct numbers even = first;
        struct numbers uneven = {spread32(0), spread32(0)};
#pragma GCC unroll 8
        for (size_t j = 1; j <= n / 2; j++) {
            const size_t at = j * k % n;
            const float c = at > n / 2 ? cosines[n - at] : cosines[at];
            const float s = at > n / 2 ? -sines[n - at] : sines[at];
            even = plus(even, (struct numbers){c * sum[j].re, c * sum[j].im});
            uneven =
                j == 1 ? (struct numbers){s * difference[j].re, s * difference[j].im}
                       : plus(uneven, (struct numbers){s * difference[j].re, s * difference[j].im});
        }
        v[k] = plus(even, uneven);
        v[n - k] = minus(even, uneven);
    }
}

VECTOR_INLINE void prime_or_power(struct numbers *v, const size_t radix) {
    switch (radix) {
    case 2:
        two(&v[0], &v[1]);
        break;
    case 3:
        odd(v, 3, cosines_3, sines_3);
        break;
    case 5:
        odd(v, 5, cosines_5, sines_5);
        break;
    case 7:
        odd(v, 7, cosines_7, sines_7);
        break;
    case 11:
        odd(v, 11, cosines_11, sines_11);
        break;
    case 13:
        odd(v, 13, cosines_13, sines_13);
        break;
    default:
        butterfly(v, radix);
        break;
    }
}

/* a b numbers, a and b without a common factor. Number k of the result is v[COPRIME(a, b, k)]. */
#define COPRIME(a, b, k) (((b) * ((k) % (a)) + (a) * ((k) % (b))) % ((a) * (b)))

VECTOR_INLINE void coprime(struct numbers *v, const size_t a, const size_t b) {
#pragma GCC unroll 8
    for (size_t i = 0; i < b; i++) {
        struct numbers part[5];
#pragma GCC unroll 8
        for (size_t j = 0; j < a; j++) {
            part[j] = v[(b * j + a * i) % (a * b)];
        }
        prime_or_power(part, a);
#pragma GCC unroll 8
        for (size_t j = 0; j < a; j++) {
            v[(b * j + a * i) % (a * b)] = part[j];
        }
    }
#pragma GCC unroll 8
    for (size_t j = 0; j < a; j++) {
        struct numbers part[5];
#pragma GCC unroll 8
        for (size_t i = 0; i < b; i++) {
            part[i] = v[(b * j + a * i) % (a * b)];
        }
        prime_or_power(part, b);
#pragma GCC unroll 8
        for (size_t i = 0; i < b; i++) {
            v[(b * j + a * i) % (a * b)] = part[i];
        }
    }
}

#define COS_9(i)                                                                                   \
    ((i) == 1 ? 0.76604444311897804F : (i) == 2 ? 0.17364817766693035F : -0.93969262078590838F)
#define SIN_9(i)                                                                                   \
    ((i) == 1 ? 0.64278760968653933F : (i) == 2 ? 0.98480775301220806F : 0.34202014332566873F)

/* Number k of the result is v[3 (k mod 3) + k / 3]. */
VECTOR_INLINE void nine(struct numbers *v) {
#pragma GCC unroll 3
    for (size_t i = 0; i < 3; i++) {
        struct numbers part[] = {v[i], v[i + 3], v[i + 6]};
        odd(part, 3, cosines_3, sines_3);
        v[i] = part[0];
#pragma GCC unroll 2
        for (size_t j = 1; j < 3; j++) {
            const float w[] = {COS_9(i * j), -SIN_9(i * j)};
            v[i + 3 * j] = i == 0 ? part[j] : times_one(part[j], w);
        }
    }
#pragma GCC unroll 3
    for (size_t i = 0; i < 3; i++) {
        odd(v + 3 * i, 3, cosines_3, sines_3);
    }
}

/* Number k of the result of `radix` numbers is v[place_in(radix, k)]. */
VECTOR_INLINE size_t place_in(const size_t radix, size_t k) {
    switch (radix) {
    case 6:
        return COPRIME(2, 3, k);
    case 10:
        return COPRIME(2, 5, k);
    case 12:
        return COPRIME(4, 3, k);
    case 15:
        return COPRIME(3, 5, k);
    case 9:
        return 3 * (k % 3) + k / 3;
    default:
        return PLACE(radix, k);
    }
}

VECTOR_INLINE void transform(struct numbers *v, const size_t radix) {
    switch (radix) {
    case 6:
        coprime(v, 2, 3);
        break;
    case 10:
        coprime(v, 2, 5);
        break;
    case 12:
        coprime(v, 4, 3);
        break;
    case 15:
        coprime(v, 3, 5);
        break;
    case 9:
        nine(v);
        break;
    default:
        prime_or_power(v, radix);
        break;
    }
}

#endif
