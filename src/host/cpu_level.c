#include "host/cpu_level.h"

/* Not every compiler knows the levels by name. Where it does not, the features that it does know stand
 * for a level: no processor has these without the rest of it. */
#if !defined(__x86_64__)
#define LEVEL 1
#elif defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__)
#define HAS(feature) (__builtin_cpu_supports(feature) != 0)
#define LEVEL (HAS("x86-64-v4") ? 4 : HAS("x86-64-v3") ? 3 : 1)
#else
#define HAS(feature) (__builtin_cpu_supports(feature) != 0)
#define HAS_V3 (HAS("avx2") && HAS("fma") && HAS("bmi") && HAS("bmi2") && HAS("popcnt"))
#define HAS_V4                                                                                     \
    (HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") && HAS("avx512dq") && HAS("avx512vl"))
#define LEVEL (!HAS_V3 ? 1 : HAS_V4 ? 4 : 3)
#endif

int be_cpu_level(void) {
    return LEVEL;
}
