/* The instruction sets that run here, for tests of code that is compiled for each. */
#ifndef TESTS_UNIT_SIMD_SETS_H
#define TESTS_UNIT_SIMD_SETS_H

#include "host/simd.h"

/* A function in every instruction set: the first sets_here() of them may be called. */
#if defined(__x86_64__)
#define EACH(name)                                                                                 \
    { name##_plain, name##_v3, name##_v4 }
#else
#define EACH(name)                                                                                 \
    { name##_plain }
#endif

static inline int sets_here(void) {
    const enum be_simd here = be_simd_here();
    return here == BE_SIMD_V4 ? 3 : here == BE_SIMD_V3 ? 2 : 1;
}

#endif
