#include "workload/generate/plain_simd.h"

enum { ROUNDS = 10 };

/* One block of the generator: four random words. */
static inline void block_of(uint64_t block, struct be_philox_key key, uint32_t c[4]) {
    c[0] = (uint32_t)block;
    c[1] = (uint32_t)(block >> 32);
    c[2] = c[3] = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t p0 = (uint64_t)0xd2511f53U * c[0];
        const uint64_t p1 = (uint64_t)0xcd9e8d57U * c[2];
        c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ key.word[0];
        c[1] = (uint32_t)p1;
        c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ key.word[1];
        c[3] = (uint32_t)p0;
        key.word[0] += 0x9e3779b9U;
        key.word[1] += 0xbb67ae85U;
    }
}

static inline float float_of(uint32_t word) {
    return (float)(word >> 8) * 0x1p-24F;
}

static inline double double_of(uint32_t low, uint32_t high) {
    return (double)((low | (uint64_t)high << 32) >> 11) * 0x1p-53;
}

void BE_SIMD_NAME(be_philox_plain32_run)(float *z, uint64_t first, size_t n,
                                         struct be_philox_key key) {
    uint32_t c[4];
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        block_of((first + i) / 4, key, c);
        for (size_t k = 0; k < 4; k++) {
            z[i + k] = float_of(c[k]);
        }
    }
    for (; i < n; i++) {
        block_of((first + i) / 4, key, c);
        z[i] = float_of(c[i % 4]);
    }
}

void BE_SIMD_NAME(be_philox_plain64_run)(double *z, uint64_t first, size_t n,
                                         struct be_philox_key key) {
    uint32_t c[4];
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        block_of((first + i) / 2, key, c);
        z[i] = double_of(c[0], c[1]);
        z[i + 1] = double_of(c[2], c[3]);
    }
    if (i < n) {
        block_of((first + i) / 2, key, c);
        z[i] = double_of(c[0], c[1]);
    }
}
