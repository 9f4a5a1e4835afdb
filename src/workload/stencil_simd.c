/*
 * Whole cache lines of the result are made in registers and stored at once. The first and the last
 * points of a row are made a line at a time too, some of them twice, wherever that line begins.
 */
#include "stencil_simd.h"

#include <stdbool.h>

#include "stream_store.h"
#include "workload/vector.h"

enum { LINE = 64, PARTS = LINE / VECTOR_BYTES };

#define ROW(bits, real)                                                                            \
    enum { LINE##bits = LINE / sizeof(real) };                                                     \
    VECTOR_INLINE void line##bits(const real *x, real *z, size_t stride, enum be_stores stores) {  \
        const vector##bits quarter = spread##bits((real)0.25);                                     \
        vector##bits v[PARTS];                                                                     \
        for (size_t k = 0; k < PARTS; k++, x += lanes##bits) {                                     \
            v[k] = quarter * ((load##bits(x - stride) + load##bits(x + stride)) +                  \
                              (load##bits(x - 1) + load##bits(x + 1)));                            \
        }                                                                                          \
        if (stores == BE_STORES_PAST) {                                                            \
            stream_will_read((const float *)(const void *)(x + stride), STREAM_LINE);              \
            stream_line((float *)(void *)z, (const float *)(const void *)v);                       \
        } else {                                                                                   \
            if (stores == BE_STORES_AHEAD) {                                                       \
                stream_will_read((const float *)(const void *)(x + stride), STREAM_LINE);          \
                stream_will_write((const float *)(const void *)z, STREAM_LINE);                    \
            }                                                                                      \
            memcpy(z, v, sizeof v);                                                                \
        }                                                                                          \
    }                                                                                              \
    VECTOR_INLINE void row##bits(const real *x, real *z, size_t n, size_t stride,                  \
                                 enum be_stores stores) {                                          \
        if (n < LINE##bits) {                                                                      \
            for (size_t i = 0; i < n; i++) {                                                       \
                z[i] = (real)0.25 * ((x[i - stride] + x[i + stride]) + (x[i - 1] + x[i + 1]));     \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        line##bits(x, z, stride, BE_STORES_PLAIN);                                                 \
        for (size_t i = LINE##bits - (uintptr_t)z % LINE / sizeof *z; i + LINE##bits <= n;         \
             i += LINE##bits) {                                                                    \
            line##bits(x + i, z + i, stride, stores);                                              \
        }                                                                                          \
        line##bits(x + n - LINE##bits, z + n - LINE##bits, stride, BE_STORES_PLAIN);               \
    }                                                                                              \
    void BE_SIMD_NAME(be_stencil##bits##_run)(const real *x, real *z, size_t n, size_t stride,     \
                                              enum be_stores stores) {                             \
        if (stores == BE_STORES_PAST) { /* each a loop without a choice in it */                   \
            row##bits(x, z, n, stride, BE_STORES_PAST);                                            \
        } else if (stores == BE_STORES_AHEAD) {                                                    \
            row##bits(x, z, n, stride, BE_STORES_AHEAD);                                           \
        } else {                                                                                   \
            row##bits(x, z, n, stride, BE_STORES_PLAIN);                                           \
        }                                                                                          \
    }

ROW(32, float)
ROW(64, double)
