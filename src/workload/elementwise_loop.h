/*
 * A CPU's loop, z[i] = element(x[i], y[i]), in the instruction set that the including file is compiled for: once
 * more each time that it is included, so without a guard. REAL is the type, INPUTS is 1 or 2, LOOP the name
 * of the function that comes out, of type be_elementwise_loop. Where results go past the caches they are computed
 * and stored a cache line at a time; elsewhere the same arithmetic writes where they belong.
 */
#include "workload/elementwise_simd.h"
#include "workload/stream_store.h"

#define LOOP_JOIN2(a, b) a##b
#define LOOP_JOIN(a, b) LOOP_JOIN2(a, b)
#define LOOP_BLOCK LOOP_JOIN(LOOP, _block)
#define LOOP_ASK LOOP_JOIN(LOOP, _ask)
#define LOOP_FLOATS (sizeof(REAL) / sizeof(float))
#define LOOP_LINE (STREAM_LINE / LOOP_FLOATS) /* elements of a cache line */
#define LOOP_STEP (8 * LOOP_LINE)             /* whose lines are asked for at once */

#if INPUTS == 1
#define LOOP_ELEMENT(i) element(x[i])
#define LOOP_Y(i) NULL
#else
#define LOOP_ELEMENT(i) element(x[i], y[i])
#define LOOP_Y(i) (y + (i))
#endif

static inline void LOOP_BLOCK(const REAL *x, const REAL *y, REAL *z, size_t n) {
    (void)y;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        z[i] = LOOP_ELEMENT(i);
    }
}

/* For lines of n elements some KiB further on; z may be x, and need not be asked for twice. */
static inline void LOOP_ASK(const REAL *x, const REAL *y, REAL *z, size_t n) {
    if (x != z) {
        stream_will_read((const float *)(const void *)x, n * LOOP_FLOATS, BE_ASK_FIRST);
    }
    if (y) {
        stream_will_read((const float *)(const void *)y, n * LOOP_FLOATS, BE_ASK_FIRST);
    }
    stream_will_write((const float *)(const void *)z, n * LOOP_FLOATS);
}

void LOOP(const void *const *from, void *to, size_t n, enum be_stores stores) {
    const REAL *x = from[0];
    const REAL *y = INPUTS > 1 ? from[INPUTS - 1] : NULL;
    REAL *z = to;
    _Alignas(64) REAL line[LOOP_LINE];
    const bool past = stores == BE_STORES_PAST;
    const bool ahead = stores == BE_STORES_AHEAD;
    size_t i = past ? stream_head((const float *)to, n * LOOP_FLOATS) / LOOP_FLOATS : ahead ? 0 : n;
    LOOP_BLOCK(x, y, z, i);
    for (; ahead && x == z && i + LOOP_LINE <= n; i += LOOP_LINE) {
        LOOP_ASK(z + i, LOOP_Y(i), z + i, LOOP_LINE);
        LOOP_BLOCK(z + i, LOOP_Y(i), z + i, LOOP_LINE);
    }
    for (; ahead && i + LOOP_STEP <= n; i += LOOP_STEP) {
        LOOP_ASK(x + i, LOOP_Y(i), z + i, LOOP_STEP);
        LOOP_BLOCK(x + i, LOOP_Y(i), z + i, LOOP_STEP);
    }
    for (; past && i + LOOP_LINE <= n; i += LOOP_LINE) {
        LOOP_BLOCK(x + i, LOOP_Y(i), line, LOOP_LINE);
        stream_line((float *)(void *)(z + i), (const float *)(const void *)line);
    }
    LOOP_BLOCK(x + i, LOOP_Y(i), z + i, n - i);
    stream_end();
}

#undef LOOP_JOIN2
#undef LOOP_JOIN
#undef LOOP_BLOCK
#undef LOOP_ASK
#undef LOOP_FLOATS
#undef LOOP_LINE
#undef LOOP_STEP
#undef LOOP_ELEMENT
#undef LOOP_Y
