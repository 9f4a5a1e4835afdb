/* Compiled several times; BE_SIMD names the instruction set, -march chooses it. */
#include "machine/cpu_rates.h"

#include <string.h>

#include "machine/vector.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

/* Of arrays that a core's own caches do not hold: with lines asked for 4 KiB ahead one core gets more
 * from memory than without, and a ceiling is what can be had. */
enum { FAR = 1 << 16, AHEAD = 1024, LINE = 16 }; /* floats */

static void triad_far(const float *x, const float *y, float *z, size_t n) {
    const vector three = spread(3.0f);
    for (size_t i = 0; i < n; i += LINE) {
        __builtin_prefetch(x + i + AHEAD, 0);
        __builtin_prefetch(y + i + AHEAD, 0);
        __builtin_prefetch(z + i + AHEAD, 1);
        for (size_t k = i; k < i + LINE; k += VECTOR_FLOATS) {
            store(z + k, load(x + k) + three * load(y + k));
        }
    }
}

static void triad(const float *x, const float *y, float *z, size_t n, int past_cache) {
    const vector three = spread(3.0f);
    if (!past_cache && n >= FAR) {
        triad_far(x, y, z, n);
        return;
    }
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

static void copy(const float *x, float *z, size_t n) {
    for (size_t i = 0; i < n; i += VECTOR_FLOATS) {
        store_past_cache(z + i, load(x + i));
    }
    stores_done();
}

/* Enough chains to hide a multiply-add's latency on two ports, and to stay in 16 registers. */
enum { CHAINS = BE_CPU_CHAINS };

/* The same loop for either type; `lanes` numbers in a vector. What it computes with is volatile:
 * a chain that the compiler can foresee (one that starts at 1 stays there) is not computed. */
#define MULTIPLY_ADD(name, scalar, wide, lanes, fill)                                              \
    static double name(long rounds, scalar *sink) {                                                \
        wide chain[CHAINS];                                                                        \
        const volatile scalar factor = (scalar)BE_CPU_FACTOR;                                      \
        const volatile scalar summand = (scalar)BE_CPU_SUMMAND;                                    \
        const volatile scalar start = (scalar)BE_CPU_START;                                        \
        const wide a = fill(factor);                                                               \
        const wide b = fill(summand);                                                              \
        for (int k = 0; k < CHAINS; k++) {                                                         \
            chain[k] = fill(start * (scalar)(k + 1));                                              \
        }                                                                                          \
        for (long round = 0; round < rounds; round++) {                                            \
            _Pragma("GCC unroll 12") for (int k = 0; k < CHAINS; k++) {                            \
                chain[k] = chain[k] * a + b;                                                       \
            }                                                                                      \
        }                                                                                          \
        for (int k = 0; k < CHAINS; k++) {                                                         \
            scalar out[lanes];                                                                     \
            memcpy(out, &chain[k], sizeof out);                                                    \
            for (int i = 0; i < (lanes); i++) {                                                    \
                *sink += out[i];                                                                   \
            }                                                                                      \
        }                                                                                          \
        return 2.0 * CHAINS * (lanes) * (double)rounds;                                            \
    }

MULTIPLY_ADD(multiply_add, float, vector, VECTOR_FLOATS, spread)
MULTIPLY_ADD(multiply_add64, double, vector64, VECTOR_DOUBLES, spread64)

const struct be_cpu_rates JOIN(be_cpu_rates_, BE_SIMD) = {TEXT(BE_SIMD), triad, copy, multiply_add,
                                                          multiply_add64};
