/*
 * CPU code in the best instruction set here. A file simd.c or *_simd.c of any other folder is compiled once for
 * each, with BE_SIMD defined as plain, v3 (AVX2, FMA) or v4 (AVX-512); v3 and v4 exist on x86-64
 * only. There BE_SIMD_NAME(be_add_run) is that instruction set's be_add_run; elsewhere
 * BE_SIMD_DECLARE(be_add_type, be_add_run) declares all of them, BE_SIMD_BEST(be_add_run) is the
 * best that runs here, and BE_SIMD_EACH(be_add_run) begins a table of all, by enum be_simd.
 * A build for one instruction set alone (cmake/simd.cmake, BREAKEVEN_SIMD=here) has BE_SIMD_ONLY defined as its
 * name: its code is then the best, and each of the table.
 */
#ifndef BE_HOST_SIMD_H
#define BE_HOST_SIMD_H

#include <stdbool.h>

#include <host/simd_built.h> /* written by the build; device code, which has no files, does not read it */

enum be_simd { BE_SIMD_PLAIN, BE_SIMD_V3, BE_SIMD_V4, BE_SIMDS };

/* The best that is built and runs here. */
enum be_simd be_simd_here(void);
/* Does code of this build run on this processor? A build for one instruction set alone may not. */
bool be_simd_runs_here(void);
/* "plain", "x86-64-v3", "x86-64-v4". */
extern const char *const be_simd_name[BE_SIMDS];

#define BE_SIMD_JOIN2(name, suffix) name##_##suffix
#define BE_SIMD_JOIN(name, suffix) BE_SIMD_JOIN2(name, suffix)
#define BE_SIMD_NAME(name) BE_SIMD_JOIN(name, BE_SIMD)

#if defined(__x86_64__)
#define BE_SIMD_DECLARE(type, name) type name##_plain, name##_v3, name##_v4
#if defined(BE_SIMD_ONLY)
#define BE_SIMD_BEST(name) BE_SIMD_JOIN(name, BE_SIMD_ONLY)
#define BE_SIMD_EACH(name)                                                                         \
    { BE_SIMD_BEST(name), BE_SIMD_BEST(name), BE_SIMD_BEST(name) }
#else
#define BE_SIMD_BEST(name)                                                                         \
    (be_simd_here() == BE_SIMD_V4   ? name##_v4                                                    \
     : be_simd_here() == BE_SIMD_V3 ? name##_v3                                                    \
                                    : name##_plain)
#define BE_SIMD_EACH(name)                                                                         \
    { name##_plain, name##_v3, name##_v4 }
#endif
#else
#define BE_SIMD_DECLARE(type, name) type name##_plain
#define BE_SIMD_BEST(name) (name##_plain)
#define BE_SIMD_EACH(name)                                                                         \
    { name##_plain, name##_plain, name##_plain }
#endif

#endif
