#include "workload/simd.h"

#if defined(__x86_64__)
enum be_simd be_simd_here(void) {
    return __builtin_cpu_supports("x86-64-v4")   ? BE_SIMD_V4
           : __builtin_cpu_supports("x86-64-v3") ? BE_SIMD_V3
                                                 : BE_SIMD_PLAIN;
}
#else
enum be_simd be_simd_here(void) {
    return BE_SIMD_PLAIN;
}
#endif
