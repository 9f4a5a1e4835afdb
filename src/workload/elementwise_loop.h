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
#define LOOP_HERE LOOP_JOIN(LOOP, _here)
#define LOOP_AHEAD LOOP_JOIN(LOOP, _ahead)
#define LOOP_FLOATS (sizeof(REAL) / 4)        /* of an element: stores are counted in floats */
#define LOOP_LINE (STREAM_LINE / LOOP_FLOATS) /* elements of a cache line */
#define LOOP_STEP (8 * LOOP_LINE)

/* For the lines of so many some KiB further on. */
#define LOOP_READ(p)                                                                               \
    stream_will_read((const float *)(const void *)(p), 8 * STREAM_LINE, BE_PREFETCH_L1)
#define LOOP_WRITE(p) stream_will_write((const float *)(const void *)(p), 8 * STREAM_LINE)

#if INPUTS == 1
#define LOOP_ELEMENT(i) element(x[i])
#define LOOP_Y(i) NULL
#define LOOP_READ_Y(i)
#else
#define LOOP_READ_Y(i) LOOP_READ(y + (i))
#define LOOP_ELEMENT(i) element(x[i], y[i])
#define LOOP_Y(i) (y + (i))
#endif

static void LOOP_BLOCK(const REAL *x, const REAL *y, REAL *z, size_t n) {
    (void)y;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        z[i] = LOOP_ELEMENT(i);
    }
}

/* Through the caches with lines asked for ahead; returns how many elements, whole steps of them. Functions of their
 * own: within LOOP the compiler keeps other things in registers. */
static __attribute__((noinline)) size_t LOOP_AHEAD(const REAL *x, const REAL *y, REAL *z,
                                                   size_t n) {
    size_t i = 0;
    (void)y;
    for (; i + LOOP_STEP <= n; i += LOOP_STEP) {
        LOOP_READ(x + i);
        LOOP_READ_Y(i);
        LOOP_WRITE(z + i);
        LOOP_BLOCK(x + i, LOOP_Y(i), z + i, LOOP_STEP);
    }
    return i;
}

/* Likewise where z is x: its lines are asked for once. */
static __attribute__((noinline)) size_t LOOP_HERE(const REAL *y, REAL *z, size_t n) {
    size_t i = 0;
    (void)y;
    for (; i + LOOP_STEP <= n; i += LOOP_STEP) {
        LOOP_READ_Y(i);
        LOOP_WRITE(z + i);
        LOOP_BLOCK(z + i, LOOP_Y(i), z + i, LOOP_STEP);
    }
    return i;
}

void LOOP(const void *const *from, void *to, size_t n, enum be_stores stores) {
    const REAL *x = from[0];
    const REAL *y = INPUTS > 1 ? from[INPUTS - 1] : NULL;
    REAL *z = to;
    _Alignas(64) REAL line[LOOP_LINE];
    size_t i = 0;
    if (stores == BE_STORES_AHEAD) {
        i = x == z ? LOOP_HERE(y, z, n) : LOOP_AHEAD(x, y, z, n);
    } else if (stores == BE_STORES_NONTEMPORAL) {
        i = stream_head((const float *)to, n * LOOP_FLOATS) / LOOP_FLOATS;
        LOOP_BLOCK(x, y, z, i);
        for (; i + LOOP_LINE <= n; i += LOOP_LINE) {
            LOOP_BLOCK(x + i, LOOP_Y(i), line, LOOP_LINE);
            stream_line((float *)(void *)(z + i), (const float *)(const void *)line);
        }
    }
    LOOP_BLOCK(x + i, LOOP_Y(i), z + i, n - i);
    stream_end();
}

#undef LOOP_JOIN2
#undef LOOP_JOIN
#undef LOOP_BLOCK
#undef LOOP_HERE
#undef LOOP_AHEAD
#undef LOOP_READ
#undef LOOP_WRITE
#undef LOOP_READ_Y
#undef LOOP_FLOATS
#undef LOOP_LINE
#undef LOOP_STEP
#undef LOOP_ELEMENT
#undef LOOP_Y
