#include "host/simd.h"

#include "host/cpu_level.h"

const char *const be_simd_name[BE_SIMDS] = {"plain", "x86-64-v3", "x86-64-v4"};

enum be_simd be_simd_here(void) {
    const int level = be_cpu_level();
    return level >= 4 ? BE_SIMD_V4 : level >= 3 ? BE_SIMD_V3 : BE_SIMD_PLAIN;
}
