/* Compiled several times; BE_SIMD names the instruction set, -march chooses it. */
#include "machine/cpu_rates.h"

#include <string.h>

#include "machine/vector.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

static void triad(const float *x, const float *y, float *z, size_t n, int past_cache) {
    const vector three = spread(3.0f);
    for (size_t i = 0; i < n; i += VECTOR_FLOATS) {
        vector sum = load(x + i) + three * load(y + i);
        if (past_cache) {
            store_past_cache(z + i, sum);
        } else {
            store(z + i, sum);
        }
    }
    stores_done();
}

/* Enough chains to hide a multiply-add's latency on two ports, and to stay in 16 registers. */
enum { CHAINS = 12 };

static double multiply_add(long rounds, float *sink) {
    vector chain[CHAINS];
    const vector a = spread(0.999f);
    const vector b = spread(0.001f);
    for (int k = 0; k < CHAINS; k++) {
        chain[k] = spread(0.1f * (float)(k + 1));
    }
    for (long round = 0; round < rounds; round++) {
#pragma GCC unroll 12
        for (int k = 0; k < CHAINS; k++) {
            chain[k] = chain[k] * a + b;
        }
    }
    vector sum = chain[0];
    for (int k = 1; k < CHAINS; k++) {
        sum += chain[k];
    }
    float out[VECTOR_FLOATS];
    store(out, sum);
    for (int i = 0; i < VECTOR_FLOATS; i++) {
        *sink += out[i];
    }
    return 2.0 * CHAINS * VECTOR_FLOATS * (double)rounds;
}

const struct be_cpu_rates JOIN(be_cpu_rates_, BE_SIMD) = {TEXT(BE_SIMD), triad, multiply_add};
