/*
 * x^y for float, as 2^(y log2 x) with log2 x and its product by y held as sums of two floats:
 * float arithmetic alone, without tables or branches, because consumer GPUs run double at 1/32 or
 * 1/64 of the rate of float and because the host compiler can then vectorise it.
 *
 * Error: at most 0.945 ulp seen in 2e11 random arguments where be_power_is_special is 0 (asserted:
 * 1, tests/unit/test_power.c).
 * Elsewhere the dialect's own POW answers.
 *
 * log2 m for m in [sqrt 1/2, sqrt 2) is s (C + C/3 s^2 + C/5 s^4 + ...), C = 2 / ln 2,
 * s = (m - 1) / (m + 1). The polynomials are minimax (Remez exchange in 160-bit arithmetic, then
 * rounded to float): POWER_G0..2 fit ((atanh(s)/s - 1) C / t - C/3) / t over t = s^2 <= 0.02945 to
 * 2^-36 of log2 m, POWER_E2..6 fit (2^r - 1 - r ln 2) / r^2 over |r| <= 1/2 to 2^-28 of 2^r.
 */
#ifndef BE_WORKLOAD_POWER_H
#define BE_WORKLOAD_POWER_H

#define POWER_SQRT_HALF 0x3f3504f3u /* the bits of sqrt(1/2) */
#define POWER_C 0x1.715476p+1f      /* 2 / ln 2 */
#define POWER_C_LOW 0x1.4ae0c0p-25f
#define POWER_C3 0x1.ec709ep-1f /* 2 / (3 ln 2) */
#define POWER_G0 0x1.27770ep-1f
#define POWER_G1 0x1.a5bb7cp-2f
#define POWER_G2 0x1.59f816p-2f
#define POWER_LN2 0x1.62e430p-1f
#define POWER_E2 0x1.ebfbdcp-3f
#define POWER_E3 0x1.c6af88p-5f
#define POWER_E4 0x1.3b2e0cp-7f
#define POWER_E5 0x1.5f03eep-10f
#define POWER_E6 0x1.414ed0p-13f
#define POWER_ROUND 0x1.8p+23f /* adding it leaves the nearest integer in the low bits */

/* x = 2^*exponent m; s + *s_low = (m - 1) / (m + 1) to a relative 2^-42. */
DEVICE float be_power_ratio(float x, float *exponent, float *s_low) {
    unsigned int bits = (unsigned int)AS_INT(x);
    unsigned int exponent_bits = (bits - POWER_SQRT_HALF) & 0xff800000u;
    float m = AS_FLOAT((int)(bits - exponent_bits));
    *exponent = MUL((float)(int)exponent_bits, 0x1p-23f);

    /* With f = m - 1, s = f / (2 + f). f - 2s is exact, so the remainder is nearly so. */
    float f = m - 1.0f;
    float r = RECIP(m + 1.0f);
    float s = MUL(f, r);
    *s_low = MUL(FMA(-s, f, FMA(-2.0f, s, f)), r);
    return s;
}

/* log2 x = result + *low, to a relative 2^-33, from what be_power_ratio gave. */
DEVICE float be_power_log2(float exponent, float s, float s_low, float *low) {
    /* p + p_low = C/3 + C/5 t + ...; v + v_low = t p, where t and its square's rounding count. */
    float t = MUL(s, s);
    float t_low = FMA(s, s, -t);
    float g = FMA(FMA(POWER_G2, t, POWER_G1), t, POWER_G0);
    float p = FMA(g, t, POWER_C3);
    float p_low = FMA(g, t, POWER_C3 - p);
    float v = MUL(t, p);
    float v_low = FMA(t, p_low, FMA(t_low, p, FMA(t, p, -v)));

    /* w + w_low = C + v; a + a_low = (s + s_low) (w + w_low), the slope at s being C (1 + t). */
    float w = POWER_C + v;
    float w_low = (v - (w - POWER_C)) + (v_low + POWER_C_LOW);
    float a = MUL(s, w);
    float a_low = FMA(FMA(POWER_C, t, POWER_C), s_low, FMA(s, w_low, FMA(s, w, -a)));

    float high = exponent + a;
    *low = (a - (high - exponent)) + a_low;
    return high;
}

/* 2^(high + low) for |high| < 125.5 and |low| below two ulp of high. */
DEVICE float be_power_exp2(float high, float low) {
    float rounded = high + POWER_ROUND;
    unsigned int k = (unsigned int)AS_INT(rounded);
    float r = (high - (rounded - POWER_ROUND)) + low;
    float q = FMA(FMA(POWER_E6, r, POWER_E5), r, POWER_E4);
    q = FMA(FMA(q, r, POWER_E3), r, POWER_E2);

    /* 1 + r ln 2 with its rounding error, which would else be the largest of all. */
    float z = FMA(r, POWER_LN2, 1.0f);
    float z_low = FMA(r, POWER_LN2, 1.0f - z);
    z += FMA(MUL(q, r), r, z_low);
    return AS_FLOAT((int)((unsigned int)AS_INT(z) + (k << 23)));
}

/* 2^(y (log_high + log_low)); *exponent is that exponent, rounded. */
DEVICE float be_power_raise(float y, float log_high, float log_low, float *exponent) {
    float high = MUL(y, log_high);
    *exponent = high;
    return be_power_exp2(high, FMA(y, log_low, FMA(y, log_high, -high)));
}

/* x^y unless be_power_is_special(x, *exponent). */
DEVICE float be_power_main(float x, float y, float *exponent) {
    float e, s_low, log_low;
    float s = be_power_ratio(x, &e, &s_low);
    float log_high = be_power_log2(e, s, s_low, &log_low);
    return be_power_raise(y, log_high, log_low, exponent);
}

/*
 * x is not normal and positive, or y is not finite, or the result is not surely a normal number:
 * the bound is short of 126 because the exponent's rounded-off part can carry it past.
 */
DEVICE int be_power_is_special(float x, float exponent) {
    int x_is_normal = (unsigned int)AS_INT(x) - 0x00800000u < 0x7f000000u;
    int exponent_fits = (AS_INT(exponent) & 0x7fffffff) < 0x42fb0000; /* |exponent| < 125.5 */
    return !(x_is_normal & exponent_fits);
}

DEVICE float be_power(float x, float y) {
    float exponent;
    float z = be_power_main(x, y, &exponent);
    return be_power_is_special(x, exponent) ? POW(x, y) : z;
}

#endif
