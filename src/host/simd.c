#include "host/simd.h"

#include "host/cpu_level.h"

const char *const be_simd_name[BE_SIMDS] = {"plain", "x86-64-v3", "x86-64-v4"};

/* By the names of builds: `only_v3` for BE_SIMD_ONLY v3. */
enum { only_plain = BE_SIMD_PLAIN, only_v3 = BE_SIMD_V3, only_v4 = BE_SIMD_V4 };

static enum be_simd of_processor(void) {
    const int level = be_cpu_level();
    return level >= 4 ? BE_SIMD_V4 : level >= 3 ? BE_SIMD_V3 : BE_SIMD_PLAIN;
}

#if defined(BE_SIMD_ONLY)
static const bool alone = true;
static const enum be_simd built = (enum be_simd)BE_SIMD_JOIN(only, BE_SIMD_ONLY);
#else
static const bool alone = false;
static const enum be_simd built = BE_SIMD_V4;
#endif

enum be_simd be_simd_here(void) {
    return alone ? built : of_processor();
}

bool be_simd_runs_here(void) {
    return !alone || of_processor() >= built;
}
