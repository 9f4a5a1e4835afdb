/* Compiled once per instruction set; each template once per type. */
#include "workload/solve/simd.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "host/team.h"
#include "host/vector.h"

#if defined(__AVX512F__)
enum { TILE_ROWS = 8, TILE_VECTORS = 3, TALL_COLUMNS = 8 };
#elif defined(__AVX__)
enum { TILE_ROWS = 4, TILE_VECTORS = 3, TALL_COLUMNS = 4 };
#else
enum { TILE_ROWS = 4, TILE_VECTORS = 3, TALL_COLUMNS = 4 };
#endif

/* Searches for a pivot, each of every so many vectors: where no instruction compares integers of 64 bits,
 * one would wait for itself. */
enum { SEARCHES = VECTOR_BYTES == 16 ? 2 : 1 };

enum { SOLVE_LINE = 64 }; /* bytes of a line of the cache */

/* Rows of up to so many vectors may be kept whole. */
enum { SOLVE_ROWS_VECTORS = 8 };

/* The columns of a block, panels of so many, where so many are left, by measurement: a wider one takes the
 * square fewer times through its tiles, a narrower one has fewer rows in its tower that have their pivot. */
static size_t solve_block(size_t left, size_t panel) {
    enum { NARROW = 64, MIDDLE = 96 };
    const size_t half = SOLVE_BLOCK_MAX / 2;
    if (left <= NARROW || VECTOR_BYTES < 32) {
        return half;
    }
    return left <= MIDDLE && panel <= half / 2 ? half + half / 2 : SOLVE_BLOCK_MAX;
}

/* Rows at a time, where systems lie in lanes. */
enum { LANES_ROWS = 4 };

#define JOIN2(a, b) a##_##b
#define JOIN(a, b) JOIN2(a, b)
#define JOIN3(a, b, c) JOIN(a, JOIN(b, c))

#define EXCHANGED_double EXCHANGED64
#define EXCHANGED_float EXCHANGED32

#define REAL double
#define WHOLE int64_t
#define TINIEST DBL_MIN
#include "workload/solve/rows.h"
#include "workload/solve/lanes.h"
#include "workload/solve/seek.h"
#undef REAL
#undef WHOLE
#undef TINIEST

#define REAL float
#define WHOLE int32_t
#define TINIEST FLT_MIN
#include "workload/solve/rows.h"
#include "workload/solve/lanes.h"
#include "workload/solve/seek.h"
#undef REAL
#undef WHOLE
#undef TINIEST

#if defined(__AVX512F__)
#include "workload/solve/avx512.h"
#endif

#define REAL double
#define WHOLE int64_t
#define TINIEST DBL_MIN
#include "workload/solve/tiles.h"
#include "workload/solve/panel.h"
#include "workload/solve/panels.h"
#include "workload/solve/one.h"
#undef REAL
#undef WHOLE
#undef TINIEST

#define REAL float
#define WHOLE int32_t
#define TINIEST FLT_MIN
#include "workload/solve/tiles.h"
#include "workload/solve/panel.h"
#include "workload/solve/panels.h"
#include "workload/solve/one.h"
#undef REAL
#undef WHOLE
#undef TINIEST

void BE_SIMD_NAME(be_solve_rest_run)(const double *a, const double *b, const double *x, double *r,
                                     size_t order, size_t first, size_t count) {
    for (size_t i = first; i < first + count; i++) {
        const double *row = a + i * order;
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t j = 0; j < order; j++) {
            sum += row[j] * x[j];
        }
        r[i] = b[i] - sum;
    }
}
