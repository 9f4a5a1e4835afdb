/* Steps as anybody writes them, for either type: a loop over the steps of a chain, and a loop over the chains of a
 * step, of which the compiler makes vectors. */
#include "workload/steps/steps.h"

#define INLINE static inline __attribute__((always_inline))
#define WORD uint32_t
#define EACH(x) (x)
#define LESS(a, b, x, y) ((a) < (b) ? (x) : (y))
#define FROM(word) ((REAL)(int32_t)((word) >> 8))
#define NUMBER REAL
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

#define REAL float
#define FUSED(a, b, c) __builtin_fmaf(a, b, c)
#define NAME(name) JOIN(name, 32)
#include "workload/steps/plain.h"
#undef REAL
#undef FUSED
#undef NAME

#define REAL double
#define FUSED(a, b, c) __builtin_fma(a, b, c)
#define NAME(name) JOIN(name, 64)
#include "workload/steps/plain.h"

void BE_SIMD_NAME(be_steps32_alone)(const struct be_steps_chains *chains, uint64_t steps) {
    alone32(chains, steps);
}

void BE_SIMD_NAME(be_steps64_alone)(const struct be_steps_chains *chains, uint64_t steps) {
    alone64(chains, steps);
}

void BE_SIMD_NAME(be_steps32_pass)(const struct be_steps_chains *chains, uint64_t step) {
    pass32(chains, step);
}

void BE_SIMD_NAME(be_steps64_pass)(const struct be_steps_chains *chains, uint64_t step) {
    pass64(chains, step);
}
