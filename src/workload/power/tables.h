/*
 * x^y for float with AVX-512, as exp(y ln x): a table of 32 numbers is two registers there, and looking up 16 of them
 * an instruction. The header workload/power/power.h has a division and long polynomials; this one has five tables and
 * short ones, and takes two thirds of the time.
 *
 * x = 2^e m, m in one of 32 intervals of [0.74, 1.49); c is near 1/m in the middle of its interval, of so few bits that
 * r = m c - 1 is exact, and 1 in the intervals beside 1, |r| <= 0.0235. Then ln x = (e ln 2 - ln c) + (r - r^2/2) + r^3
 * P(r), where the first is exact, as a multiple of 2^-17, but for a small rest. The rounding error of the sum of the
 * first two is kept. So is that of the product with y: y ln x = n ln(2)/32 + f, and the result is 2^(n/32) (1 + f + f^2
 * Q(f)), of which 2^(j/32), j = 0 .. 31, is held as a sum of two floats.
 *
 * Error: at most 0.580 ulp seen in 1.6e9 random arguments (asserted: 1, tests/unit/test_power.c). P and Q, of
 * degrees 3 and 1, agree with (ln(1 + r) - r + r^2/2) / r^3 (here twice that) and (exp(f) - 1 - f) / f^2 at
 * Chebyshev's nodes of their ranges, in 200-bit arithmetic, then rounded: to 2^-36 of ln x and 2^-31 of the
 * result.
 */
#ifndef BE_WORKLOAD_POWER_TABLES_H
#define BE_WORKLOAD_POWER_TABLES_H

#include <immintrin.h>
#include <stddef.h>

#define POWER_FIRST 0x3f3e0000 /* the bits of the first interval's begin */

/* c of each interval. */
static const float power_c[32] = {
    0x1.58p+0f, 0x1.5p+0f, 0x1.48p+0f, 0x1.4p+0f,  0x1.38p+0f, 0x1.38p+0f, 0x1.3p+0f,  0x1.28p+0f,
    0x1.28p+0f, 0x1.2p+0f, 0x1.18p+0f, 0x1.18p+0f, 0x1.1p+0f,  0x1.1p+0f,  0x1.08p+0f, 0x1p+0f,
    0x1p+0f,    0x1.fp-1f, 0x1.ep-1f,  0x1.d8p-1f, 0x1.c8p-1f, 0x1.b8p-1f, 0x1.bp-1f,  0x1.a8p-1f,
    0x1.98p-1f, 0x1.9p-1f, 0x1.88p-1f, 0x1.8p-1f,  0x1.78p-1f, 0x1.7p-1f,  0x1.68p-1f, 0x1.6p-1f};

/* -ln c as a multiple of 2^-17, and the rest. */
static const float power_ln_high[32] = {
    -0x1.2e8ep-2f, -0x1.1676p-2f, -0x1.fb9p-3f,  -0x1.c9p-3f,  -0x1.9524p-3f, -0x1.9524p-3f,
    -0x1.5ff4p-3f, -0x1.2954p-3f, -0x1.2954p-3f, -0x1.e27p-4f, -0x1.6f1p-4f,  -0x1.6f1p-4f,
    -0x1.f0ap-5f,  -0x1.f0ap-5f,  -0x1.f82p-6f,  0.0f,         0.0f,          0x1.041p-5f,
    0x1.0858p-4f,  0x1.4d3p-4f,   0x1.da7p-4f,   0x1.366p-3f,  0x1.5bf4p-3f,  0x1.823cp-3f,
    0x1.d104p-3f,  0x1.f99p-3f,   0x1.1178p-2f,  0x1.2696p-2f, 0x1.3c26p-2f,  0x1.522ap-2f,
    0x1.68acp-2f,  0x1.7fbp-2f};
static const float power_ln_low[32] = {-0x1.5d708ep-21f,
                                       0x1.aa2a2cp-21f,
                                       -0x1.86d5e4p-19f,
                                       0x1.070cacp-20f,
                                       -0x1.a9cf46p-19f,
                                       -0x1.a9cf46p-19f,
                                       0x1.f1eb0ep-20f,
                                       -0x1.2f82p-19f,
                                       -0x1.2f82p-19f,
                                       -0x1.db8abcp-22f,
                                       0x1.6ba8d4p-19f,
                                       0x1.6ba8d4p-19f,
                                       -0x1.86008cp-20f,
                                       -0x1.86008cp-20f,
                                       -0x1.361cfp-19f,
                                       0.0f,
                                       0.0f,
                                       0x1.76279ep-19f,
                                       0x1.8b59e4p-20f,
                                       0x1.15d208p-20f,
                                       0x1.3b1c22p-19f,
                                       -0x1.a7f538p-22f,
                                       0x1.ad50f6p-25f,
                                       0x1.6551a4p-23f,
                                       -0x1.01b354p-20f,
                                       0x1.c6cb3cp-19f,
                                       0x1.d044fcp-19f,
                                       0x1.089a6ep-21f,
                                       -0x1.b1199ap-19f,
                                       0x1.c0e714p-19f,
                                       0x1.07d38ep-19f,
                                       -0x1.7109fap-20f};

/* 2^(j/32), and the rest. */
static const float power_exp_high[32] = {
    0x1p+0f,        0x1.059b0ep+0f, 0x1.0b5586p+0f, 0x1.11301ep+0f, 0x1.172b84p+0f, 0x1.1d4874p+0f,
    0x1.2387a6p+0f, 0x1.29e9ep+0f,  0x1.306fep+0f,  0x1.371a74p+0f, 0x1.3dea64p+0f, 0x1.44e086p+0f,
    0x1.4bfdaep+0f, 0x1.5342b6p+0f, 0x1.5ab07ep+0f, 0x1.6247ecp+0f, 0x1.6a09e6p+0f, 0x1.71f75ep+0f,
    0x1.7a1148p+0f, 0x1.82589ap+0f, 0x1.8ace54p+0f, 0x1.93737cp+0f, 0x1.9c4918p+0f, 0x1.a5503cp+0f,
    0x1.ae89fap+0f, 0x1.b7f77p+0f,  0x1.c199bep+0f, 0x1.cb720ep+0f, 0x1.d5818ep+0f, 0x1.dfc974p+0f,
    0x1.ea4afap+0f, 0x1.f50766p+0f};
static const float power_exp_low[32] = {0.0f,
                                        -0x1.9d4f52p-25f,
                                        0x1.9f3122p-25f,
                                        -0x1.fdb496p-25f,
                                        -0x1.c15742p-27f,
                                        -0x1.d2e8cap-25f,
                                        0x1.ceac48p-25f,
                                        -0x1.5c0424p-25f,
                                        0x1.4636e2p-25f,
                                        -0x1.18aac6p-25f,
                                        0x1.824684p-25f,
                                        0x1.8624b4p-30f,
                                        -0x1.593abcp-25f,
                                        -0x1.2c561p-25f,
                                        -0x1.5bd5ecp-27f,
                                        -0x1.f8b55p-25f,
                                        0x1.9fcef4p-26f,
                                        0x1.1d8beep-25f,
                                        -0x1.829fdp-25f,
                                        -0x1.accc7cp-26f,
                                        0x1.15506ep-27f,
                                        -0x1.e64744p-25f,
                                        0x1.51f848p-27f,
                                        -0x1.b83b54p-25f,
                                        -0x1.a94b14p-26f,
                                        -0x1.a09438p-25f,
                                        -0x1.3d56b2p-27f,
                                        -0x1.8837ccp-27f,
                                        -0x1.822dbcp-27f,
                                        -0x1.908c94p-25f,
                                        0x1.52486cp-27f,
                                        -0x1.246ebp-26f};

typedef __m512 power_v;
typedef __m512i power_i;

static inline power_v power_all(float x) {
    return _mm512_set1_ps(x);
}

static inline power_i power_mask(power_i bits) {
    return _mm512_and_si512(bits, _mm512_set1_epi32((int)0xff800000));
}

/* The lowest five bits of each index count. */
static inline power_v power_look(const float *table, power_i index) {
    return _mm512_permutex2var_ps(_mm512_loadu_ps(table), index, _mm512_loadu_ps(table + 16));
}

/* r, and e ln 2 - ln c = high + low. */
static inline void power_split(const float *x, float *r, float *high, float *low) {
    const power_v ln2_high =
        power_all(0x1.62e4p-24f); /* of 2^23: e is in the place of an exponent */
    const power_v ln2_low = power_all(0x1.7f7d1cp-43f);
    const power_i bits = _mm512_loadu_si512(x);
    const power_i from_first = _mm512_sub_epi32(bits, _mm512_set1_epi32(POWER_FIRST));
    const power_i index = _mm512_srli_epi32(from_first, 18);
    const power_i e_bits = power_mask(from_first);
    const power_v e = _mm512_cvtepi32_ps(e_bits);
    const power_v m = _mm512_castsi512_ps(_mm512_sub_epi32(bits, e_bits));
    _mm512_storeu_ps(r, _mm512_fmsub_ps(m, power_look(power_c, index), power_all(1)));
    _mm512_storeu_ps(high, _mm512_fmadd_ps(e, ln2_high, power_look(power_ln_high, index)));
    _mm512_storeu_ps(low, _mm512_fmadd_ps(e, ln2_low, power_look(power_ln_low, index)));
}

/* high + low becomes y ln x. */
static inline void power_product(const float *y, const float *r_of, float *high, float *low) {
    const power_v first = _mm512_loadu_ps(high);
    const power_v r = _mm512_loadu_ps(r_of);
    const power_v half = _mm512_mul_ps(r, power_all(0.5f));
    const power_v w = _mm512_fnmadd_ps(half, r, r); /* r - r^2/2 */
    power_v p = _mm512_fmadd_ps(power_all(-0x1.557958p-2f), r, power_all(0x1.99c2c2p-2f));
    p = _mm512_fmadd_ps(p, r, power_all(-0x1p-1f));
    p = _mm512_fmadd_ps(p, r, power_all(0x1.555554p-1f));
    const power_v cube = _mm512_mul_ps(_mm512_mul_ps(half, r), r);
    p = _mm512_fmadd_ps(cube, p, _mm512_loadu_ps(low));

    /* ln x = sum + rest. The part of r that came into the sum is exact, and so is the part that did
     * not. */
    const power_v sum = _mm512_add_ps(first, w);
    const power_v left = _mm512_sub_ps(r, _mm512_sub_ps(sum, first));
    const power_v rest = _mm512_add_ps(_mm512_fnmadd_ps(half, r, left), p);

    const power_v factor = _mm512_loadu_ps(y);
    const power_v product = _mm512_mul_ps(factor, sum);
    const power_v lost = _mm512_fmsub_ps(factor, sum, product);
    _mm512_storeu_ps(high, product);
    _mm512_storeu_ps(low, _mm512_fmadd_ps(factor, rest, lost));
}

/* z = exp(high + low). */
static inline void power_exp(const float *high, const float *low, float *z) {
    const power_v to_integer = power_all(0x1.8p+23f); /* adding it leaves n in the low bits */
    const power_v a = _mm512_loadu_ps(high);
    const power_v b = _mm512_loadu_ps(low);
    const power_v moved =
        _mm512_fmadd_ps(_mm512_add_ps(a, b), power_all(0x1.715476p+5f), to_integer);
    const power_v n = _mm512_sub_ps(moved, to_integer);
    const power_i n_bits = _mm512_castps_si512(moved);
    power_v f = _mm512_add_ps(_mm512_fnmadd_ps(n, power_all(0x1.62e43p-6f), a), b);
    f = _mm512_fnmadd_ps(n, power_all(-0x1.05c61p-34f), f);
    const power_v q = _mm512_fmadd_ps(f, power_all(0x1.555598p-3f), power_all(0x1.000052p-1f));
    const power_v p = _mm512_fmadd_ps(_mm512_mul_ps(f, f), q, f);
    const power_v table = power_look(power_exp_high, n_bits);
    const power_v rest = _mm512_fmadd_ps(table, p, power_look(power_exp_low, n_bits));
    const power_i result = _mm512_castps_si512(_mm512_add_ps(table, rest));
    const power_i exponent = power_mask(_mm512_slli_epi32(n_bits, 18)); /* n / 32, rounded down */
    _mm512_storeu_si512(z, _mm512_add_epi32(result, exponent));
}

/* Neither x is special (workload/power/power.h), nor y ln x, here `high`: no number, or so large that the result
 * may not be a normal one. */
#define POWER_MIN 0x00800000
#define POWER_COUNT 0x7f000000
#define POWER_MAX 0x1.5bp+6f /* 125.15 ln 2 */

static inline int power_is_good(float x, float high) {
    return (unsigned)AS_INT(x) - POWER_MIN < POWER_COUNT && fabsf(high) < POWER_MAX;
}

/* Those of `good` that are. */
static inline __mmask16 power_good(__mmask16 good, const float *x, const float *high) {
    const power_i bits = _mm512_sub_epi32(_mm512_loadu_si512(x), _mm512_set1_epi32(POWER_MIN));
    const power_v size = _mm512_abs_ps(_mm512_loadu_ps(high));
    good = _mm512_mask_cmplt_epu32_mask(good, bits, _mm512_set1_epi32(POWER_COUNT));
    return _mm512_mask_cmp_ps_mask(good, size, power_all(POWER_MAX), _CMP_LT_OQ);
}

#endif
