/*
 * Compiled once per instruction set, with -DBE_SIMD=suffix; the compiler vectorises the kernels'
 * own arithmetic. Blocks stay in the first-level cache between the passes that compute, mend the
 * rare special elements, and store; they are no longer than that, so that a block's stores past
 * the caches fit the processor's few fill buffers and drain while the next block is computed.
 */
#include "workload/power/simd.h"

#include <math.h>

#include "kernels/dialect.h"
#include "workload/power/power.h"
#include "workload/stream_store.h"

enum { BLOCK = 128 };

#if defined(__AVX512F__)
#include "workload/power/tables.h"

enum { LANES = 16 };

/* n: whole vectors. As below in three passes, and those that are special afterwards. */
static inline __attribute__((always_inline)) void power_vectors(const float *x, const float *y,
                                                                float *z, size_t n) {
    float r[BLOCK], high[BLOCK], low[BLOCK];
    __mmask16 good = 0xffff;
    for (size_t i = 0; i < n; i += LANES) {
        power_split(x + i, r + i, high + i, low + i);
    }
    for (size_t i = 0; i < n; i += LANES) {
        power_product(y + i, r + i, high + i, low + i);
        good = power_good(good, x + i, high + i);
    }
    for (size_t i = 0; i < n; i += LANES) {
        power_exp(high + i, low + i, z + i);
    }
    for (size_t i = 0; good != 0xffff && i < n; i++) {
        if (!power_is_good(x[i], high[i])) {
            z[i] = POW(x[i], y[i]);
        }
    }
}

static void power_block(const float *x, const float *y, float *z, size_t n) {
    float part[3][LANES];
    const size_t whole = n / LANES * LANES;
    if (n == BLOCK) {
        power_vectors(x, y, z, BLOCK);
        return;
    }
    power_vectors(x, y, z, whole);
    for (size_t i = 0; i < LANES; i++) {
        part[0][i] = whole + i < n ? x[whole + i] : 1;
        part[1][i] = whole + i < n ? y[whole + i] : 1;
    }
    power_vectors(part[0], part[1], part[2], LANES);
    memcpy(z + whole, part[2], (n - whole) * sizeof *z);
}
#elif defined(__FP_FAST_FMAF)
/*
 * Three passes, since the whole is one chain of dependent operations, too long for the processor
 * to overlap enough of them: a quarter faster than one pass on Cascade Lake.
 */
static void power_block(const float *x, const float *y, float *z, size_t n) {
    float exponents[BLOCK], high[BLOCK], low[BLOCK];
    int special[BLOCK];
    int any = 0;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        high[i] = be_power_ratio(x[i], &exponents[i], &low[i]);
    }
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        float s_low = low[i];
        high[i] = be_power_log2(exponents[i], high[i], s_low, &low[i]);
    }
#pragma omp simd reduction(| : any)
    for (size_t i = 0; i < n; i++) {
        float exponent;
        z[i] = be_power_raise(y[i], high[i], low[i], &exponent);
        special[i] = be_power_is_special(x[i], exponent);
        any |= special[i];
    }
    for (size_t i = 0; any && i < n; i++)
        if (special[i])
            z[i] = POW(x[i], y[i]);
}
#else
/* Without an FMA instruction the error-free products cost more than libm's tables. */
static void power_block(const float *x, const float *y, float *z, size_t n) {
    for (size_t i = 0; i < n; i++)
        z[i] = powf(x[i], y[i]);
}
#endif

static size_t min(size_t a, size_t b) {
    return a < b ? a : b;
}

static void in_blocks(const float *x, const float *y, float *z, size_t n, enum be_stores stores) {
    for (size_t i = 0; i < n; i += BLOCK) {
        if (stores == BE_STORES_AHEAD) {
            stream_will_read(x + i, BLOCK, BE_PREFETCH_L1);
            stream_will_read(y + i, BLOCK, BE_PREFETCH_L1);
            stream_will_write(z + i, BLOCK);
        }
        power_block(x + i, y + i, z + i, min(BLOCK, n - i));
    }
}

/* A power takes so long that a core does not see by itself, meanwhile, which lines it will need: those
 * that come from memory are asked for, a sixth of the time on an Emerald Rapids; from its third cache
 * asking costs 3 to 5 %. */
static void power_nontemporal_caches(const float *x, const float *y, float *z, size_t n,
                                     enum be_prefetch ask) {
    _Alignas(64) float result[BLOCK];
    size_t i = stream_head(z, n);
    power_block(x, y, z, i);
    for (; i + STREAM_LINE <= n;) {
        size_t length = min(BLOCK, (n - i) / STREAM_LINE * STREAM_LINE);
        stream_will_read(x + i, length, ask);
        stream_will_read(y + i, length, ask);
        power_block(x + i, y + i, result, length);
        for (size_t k = 0; k < length; k += STREAM_LINE)
            stream_line(z + i + k, result + k);
        i += length;
    }
    power_block(x + i, y + i, z + i, n - i);
    stream_end();
}

void BE_SIMD_NAME(be_power_run)(const float *x, const float *y, float *z, size_t n,
                                enum be_stores stores, enum be_prefetch ask) {
    if (stores == BE_STORES_NONTEMPORAL) {
        power_nontemporal_caches(x, y, z, n, ask);
    } else {
        in_blocks(x, y, z, n, stores);
    }
}
