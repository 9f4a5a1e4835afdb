/* Numbers of two bytes, by hand: float16 (finite ones) and bfloat16, rounded to nearest even. */
#ifndef TESTS_CONTRACT_HALF_H
#define TESTS_CONTRACT_HALF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t bfloat16_from(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

static inline float float_of_bfloat16(uint16_t half) {
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* 1 bit sign, 5 bits exponent (bias 15), 10 bits fraction; below 2^-14 steps of 2^-24. */
static inline uint16_t float16_from(float value) {
    uint32_t sign = signbit(value) ? 0x8000 : 0;
    float size = fabsf(value);
    int exponent;
    if (size == 0) {
        return (uint16_t)sign;
    }
    (void)frexpf(size, &exponent); /* size = f 2^exponent, 0.5 <= f < 1 */
    exponent = exponent - 1 < -14 ? -14 : exponent - 1;
    uint32_t steps = (uint32_t)lrintf(ldexpf(size, 10 - exponent)); /* of 2^(exponent - 10) */
    /* 1024 steps are the hidden bit: adding, and not joining, also carries into the exponent. */
    return (uint16_t)(sign | (((uint32_t)(exponent + 14) << 10) + steps));
}

static inline float float_of_float16(uint16_t half) {
    int exponent = (half >> 10) & 31;
    int fraction = half & 1023;
    float size =
        exponent ? ldexpf((float)(1024 + fraction), exponent - 25) : ldexpf((float)fraction, -24);
    return half & 0x8000 ? -size : size;
}

#endif
