/*
 * Whole cache lines of the result are made in registers and stored at once. Through the caches the
 * first and the last points of a row are made a line at a time too, some of them twice, wherever that
 * line begins. Past them they are made one by one, so that no line is stored both ways.
 */
#include "simd.h"

#include "workload/stream_store.h"
#include "host/vector.h"

enum { LINE = 64, PARTS = LINE / VECTOR_BYTES };

#define ROW(bits, real)                                                                            \
    enum { LINE##bits = LINE / sizeof(real) };                                                     \
    VECTOR_INLINE void line##bits(const real *x, real *z, size_t stride, enum be_stores stores,    \
                                  enum be_prefetch ask) {                                          \
        const vector##bits quarter = spread##bits((real)0.25);                                     \
        vector##bits v[PARTS];                                                                     \
        for (size_t k = 0; k < PARTS; k++) {                                                       \
            const real *at = x + k * lanes##bits;                                                  \
            v[k] = quarter * ((load##bits(at - stride) + load##bits(at + stride)) +                \
                              (load##bits(at - 1) + load##bits(at + 1)));                          \
        }                                                                                          \
        if (stores == BE_STORES_NONTEMPORAL) {                                                     \
            be_ask_line(x + 2 * stride, ask);                                                      \
            stream_line((float *)(void *)z, (const float *)(const void *)v);                       \
            return;                                                                                \
        }                                                                                          \
        if (stores == BE_STORES_AHEAD) {                                                           \
            stream_will_read((const float *)(const void *)(x + stride), STREAM_LINE,               \
                             BE_PREFETCH_L1);                                                      \
            stream_will_write((const float *)(const void *)z, STREAM_LINE);                        \
        }                                                                                          \
        memcpy(z, v, sizeof v);                                                                    \
    }                                                                                              \
    VECTOR_INLINE void points##bits(const real *x, real *z, size_t n, size_t stride) {             \
        for (size_t i = 0; i < n; i++) {                                                           \
            z[i] = (real)0.25 * ((x[i - stride] + x[i + stride]) + (x[i - 1] + x[i + 1]));         \
        }                                                                                          \
    }                                                                                              \
    VECTOR_INLINE void through##bits(const real *x, real *z, size_t n, size_t stride,              \
                                     enum be_stores stores) {                                      \
        line##bits(x, z, stride, BE_STORES_PLAIN, BE_ASK_NOT);                                     \
        for (size_t i = LINE##bits - (uintptr_t)z % LINE / sizeof *z; i + LINE##bits <= n;         \
             i += LINE##bits) {                                                                    \
            line##bits(x + i, z + i, stride, stores, BE_ASK_NOT);                                  \
        }                                                                                          \
        line##bits(x + n - LINE##bits, z + n - LINE##bits, stride, BE_STORES_PLAIN, BE_ASK_NOT);   \
    }                                                                                              \
    VECTOR_INLINE void nontemporal##bits(const real *x, real *z, size_t n, size_t stride,          \
                                         enum be_prefetch ask) {                                   \
        size_t i = (LINE - (uintptr_t)z % LINE) % LINE / sizeof *z;                                \
        points##bits(x, z, i, stride);                                                             \
        for (; i + LINE##bits <= n; i += LINE##bits) {                                             \
            line##bits(x + i, z + i, stride, BE_STORES_NONTEMPORAL, ask);                          \
        }                                                                                          \
        points##bits(x + i, z + i, n - i, stride);                                                 \
    }                                                                                              \
    void BE_SIMD_NAME(be_stencil##bits##_run)(const real *x, real *z, size_t n, size_t stride,     \
                                              enum be_stores stores, enum be_prefetch ask) {       \
        /* Each a loop without a choice in it. */                                                  \
        if (n < LINE##bits) {                                                                      \
            points##bits(x, z, n, stride);                                                         \
        } else if (stores == BE_STORES_NONTEMPORAL && ask == BE_PREFETCH_L2) {                     \
            nontemporal##bits(x, z, n, stride, BE_PREFETCH_L2);                                    \
        } else if (stores == BE_STORES_NONTEMPORAL) {                                              \
            nontemporal##bits(x, z, n, stride, BE_PREFETCH_L1);                                    \
        } else if (stores == BE_STORES_AHEAD) {                                                    \
            through##bits(x, z, n, stride, BE_STORES_AHEAD);                                       \
        } else {                                                                                   \
            through##bits(x, z, n, stride, BE_STORES_PLAIN);                                       \
        }                                                                                          \
    }

ROW(32, float)
ROW(64, double)

/* The numbers left and right of a vector's come from the vectors beside it: loading them would touch two lines. */
#define LEFT(k, lanes) ((k) + (lanes)-1)
#define RIGHT(k, lanes) ((k) + 1)
#define BETWEEN(bits, real)                                                                        \
    void BE_SIMD_NAME(be_stencil##bits##_between)(const real *above, const real *x,                \
                                                  const real *below, real *z, size_t n) {          \
        const vector##bits quarter = spread##bits((real)0.25);                                     \
        vector##bits before = load##bits(x - lanes##bits);                                         \
        vector##bits here = load##bits(x);                                                         \
        size_t i = 0;                                                                              \
        for (; i + lanes##bits <= n; i += lanes##bits) {                                           \
            const vector##bits behind = load##bits(x + i + lanes##bits);                           \
            const vector##bits left =                                                              \
                SHUFFLED##bits(before, here, LANES##bits(LEFT, LANES_BYTES / sizeof(real)));       \
            const vector##bits right =                                                             \
                SHUFFLED##bits(here, behind, LANES##bits(RIGHT, LANES_BYTES / sizeof(real)));      \
            store##bits(z + i, quarter * ((load##bits(above + i) + load##bits(below + i)) +        \
                                          (left + right)));                                        \
            before = here;                                                                         \
            here = behind;                                                                         \
        }                                                                                          \
        for (; i < n; i++) {                                                                       \
            z[i] = (real)0.25 * ((above[i] + below[i]) + (x[i - 1] + x[i + 1]));                   \
        }                                                                                          \
    }

BETWEEN(32, float)
BETWEEN(64, double)
