/* Compiled several times; BE_SIMD names the instruction set, -march chooses it. */
#include "machine/cpu_rates.h"

#include <string.h>

#include "host/vector.h"

#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

/* With lines asked for 4 KiB ahead one core of some processors gets more from memory than without, and
 * a ceiling is what can be had. */
enum { AHEAD = 1024, LINE = 16 }; /* floats */

static void triad_ahead(const float *x, const float *y, float *z, size_t n) {
    const vector32 three = spread32(3.0f);
    for (size_t i = 0; i < n; i += LINE) {
        __builtin_prefetch(x + i + AHEAD, 0);
        __builtin_prefetch(y + i + AHEAD, 0);
        __builtin_prefetch(z + i + AHEAD, 1);
        for (size_t k = i; k < i + LINE; k += lanes32) {
            store32(z + k, load32(x + k) + three * load32(y + k));
        }
    }
}

/* Four lines a round: in the nearest cache a round of one is bound by its own counting, and at which
 * address the compiler put it decides over a third of the rate. */
static void triad_plain(const float *x, const float *y, float *z, size_t n) {
    const vector32 three = spread32(3.0f);
    for (size_t i = 0; i < n; i += 4 * LINE) {
#pragma GCC unroll 16
        for (size_t k = i; k < i + 4 * LINE; k += lanes32) {
            store32(z + k, load32(x + k) + three * load32(y + k));
        }
    }
}

static void triad_nontemporal(const float *x, const float *y, float *z, size_t n) {
    const vector32 three = spread32(3.0f);
    for (size_t i = 0; i < n; i += lanes32) {
        store_nontemporal32(z + i, load32(x + i) + three * load32(y + i));
    }
    stores_done();
}

static void triad(const float *x, const float *y, float *z, size_t n, enum be_stores stores) {
    static void (*const way[BE_STORES])(const float *, const float *, float *, size_t) = {
        [BE_STORES_PLAIN] = triad_plain,
        [BE_STORES_AHEAD] = triad_ahead,
        [BE_STORES_NONTEMPORAL] = triad_nontemporal,
    };
    way[stores](x, y, z, n);
}

static void update_ahead(float *x, size_t n) {
    const vector32 summand = spread32((float)BE_CPU_SUMMAND);
    for (size_t i = 0; i < n; i += LINE) {
        __builtin_prefetch(x + i + AHEAD, 1);
        for (size_t k = i; k < i + LINE; k += lanes32) {
            store32(x + k, load32(x + k) + summand);
        }
    }
}

static void update_plain(float *x, size_t n) {
    const vector32 summand = spread32((float)BE_CPU_SUMMAND);
    for (size_t i = 0; i < n; i += 4 * LINE) {
#pragma GCC unroll 16
        for (size_t k = i; k < i + 4 * LINE; k += lanes32) {
            store32(x + k, load32(x + k) + summand);
        }
    }
}

static void update(float *x, size_t n, enum be_stores stores) {
    if (stores == BE_STORES_AHEAD) {
        update_ahead(x, n);
    } else {
        update_plain(x, n);
    }
}

/* From four places, far apart: each has a prefetcher's stream of its own. */
static float sum(const float *x, size_t n) {
    const size_t part = n / 4;
    vector32 sums[4] = {spread32(0), spread32(0), spread32(0), spread32(0)};
    float lane[lanes32];
    float all = 0;
    for (size_t i = 0; i < part; i += lanes32) {
        for (size_t k = 0; k < 4; k++) {
            sums[k] += load32(x + k * part + i);
        }
    }
    store32(lane, (sums[0] + sums[1]) + (sums[2] + sums[3]));
    for (size_t i = 0; i < lanes32; i++) {
        all += lane[i];
    }
    return all;
}

static void copy(const float *x, float *z, size_t n) {
    for (size_t i = 0; i < n; i += lanes32) {
        store_nontemporal32(z + i, load32(x + i));
    }
    stores_done();
}

/* Enough chains to hide a multiply-add's latency on two ports, and to stay in 16 registers. */
enum { CHAINS = BE_CPU_CHAINS };

/* The same loop for either type; `lanes` numbers in a vector. The values it computes with are
 * volatile: a chain that the compiler can foresee (one that starts at 1 stays there) is not
 * computed. */
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

MULTIPLY_ADD(multiply_add, float, vector32, lanes32, spread32)
MULTIPLY_ADD(multiply_add64, double, vector64, lanes64, spread64)

/* x becomes `step`, with a and b that the compiler cannot foresee, so many times a round. */
enum { IN_A_ROUND = 16 };
#define IN_A_ROW(name, value_a, value_b, step)                                                     \
    static float name(long rounds) {                                                               \
        const volatile float given[] = {value_a, value_b, (float)BE_CPU_START};                    \
        const float a = given[0];                                                                  \
        const float b = given[1];                                                                  \
        float x = given[2];                                                                        \
        for (long round = 0; round < rounds; round++) {                                            \
            _Pragma("GCC unroll 16") for (int k = 0; k < IN_A_ROUND; k += 2) {                     \
                x = step(x, a);                                                                    \
                x = step(x, b);                                                                    \
            }                                                                                      \
        }                                                                                          \
        return x;                                                                                  \
    }

#define SUM(x, a) ((x) + (a))
#define PRODUCT(x, a) ((x) * (a))
#define MULTIPLIED_ADDED(x, a) ((x) * (a) + (a))

/* Back and forth: no number grows, or becomes so small that it takes longer. */
IN_A_ROW(sums, 0.25F, -0.25F, SUM)
IN_A_ROW(products, 0.5F, 2.0F, PRODUCT)
IN_A_ROW(multiply_adds, 0.25F, 0.5F, MULTIPLIED_ADDED)

static double in_a_row(enum be_cpu_operation operation, long rounds, float *sink) {
    static float (*const run[BE_CPU_OPERATIONS])(long) = {
        [BE_CPU_SUM] = sums, [BE_CPU_PRODUCT] = products, [BE_CPU_MULTIPLY_ADD] = multiply_adds};
    *sink += run[operation](rounds);
    return (double)IN_A_ROUND * (double)rounds;
}

const struct be_cpu_rates BE_SIMD_NAME(be_cpu_rates) = {
    TEXT(BE_SIMD), triad, update, copy, sum, multiply_add, multiply_add64, in_a_row};
