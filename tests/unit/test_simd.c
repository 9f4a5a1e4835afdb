/* Code that is written for vectors, in every instruction set that runs here: contract tests meet only
 * the best one. Integers in floating point, so that no order of sums matters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "simd_sets.h"
#include "workload/mandelbrot/simd.h"
#include "workload/spmv/simd.h"
#include "workload/stencil/simd.h"

enum { SETS = 3 };

static void *capacity(size_t bytes) {
    void *memory = malloc(bytes);
    assert_non_null(memory);
    return memory;
}

static double small(uint64_t seed, size_t i) {
    return (double)(be_random_bits(seed, i) % 9) - 4;
}

static void check_picture(be_mandelbrot_run *run, be_mandelbrot_row *row, int width) {
    const struct be_mandelbrot_grid grid = {-2.5,  -1.25, 3.5 / (width - 1), 2.5 / (width - 1),
                                            width, 77};
    const size_t w = (size_t)width;
    int32_t *count = capacity(w * w * sizeof *count);
    double *exact = capacity(w * sizeof *exact);
    run(&grid, 0, w, count);
    for (size_t i = 0; i < w * w; i++) {
        if (i % w == 0) {
            row(&grid, i / w, exact);
        }
        assert_int_equal(count[i], (int32_t)exact[i % w]);
    }
    free(count);
    free(exact);
}

static void test_mandelbrot(void **state) {
    static be_mandelbrot_run *const run64[SETS] = EACH(be_mandelbrot64_run);
    static be_mandelbrot_run *const run32[SETS] = EACH(be_mandelbrot32_run);
    (void)state;
    for (int set = 0; set < sets_here(); set++) {
        for (int width = 16; width < 200; width += 61) {
            check_picture(run64[set], be_mandelbrot64_row_plain, width);
            check_picture(run32[set], be_mandelbrot32_row_plain, width);
        }
    }
}

/* Some rows without nonzeros, and then of 1, 2, 3, ... */
static void test_spmv(void **state) {
    enum { ROWS = 203, EMPTY = 60, LAST = ROWS - EMPTY, ALL = LAST * (LAST + 1) / 2 };
    static be_spmv64_rows *const run64[SETS] = EACH(be_spmv64_run);
    static be_spmv32_rows *const run32[SETS] = EACH(be_spmv32_run);
    static int32_t start[ROWS + 1];
    static int32_t column[ALL];
    static double value[ALL], x[ROWS], exact[ROWS];
    static float value32[ALL], x32[ROWS];
    static _Alignas(64) double y[ROWS];
    static _Alignas(64) float y32[ROWS];
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        start[i + 1] = start[i] + (i < EMPTY ? 0 : (int32_t)(i - EMPTY + 1));
        x[i] = small(1, i);
        x32[i] = (float)x[i];
    }
    for (size_t i = 0; i < ROWS; i++) {
        for (int32_t j = start[i]; j < start[i + 1]; j++) {
            column[j] = (int32_t)(be_random_bits(2, (uint64_t)j) % ROWS);
            value[j] = small(3, (size_t)j);
            value32[j] = (float)value[j];
            exact[i] += value[j] * x[column[j]];
        }
    }
    static const struct {
        enum be_prefetch ask;
        enum be_stores stores;
    } how[] = {{BE_ASK_NOT, BE_STORES_PLAIN},
               {BE_PREFETCH_L1, BE_STORES_PLAIN},
               {BE_PREFETCH_L1, BE_STORES_NONTEMPORAL},
               {BE_PREFETCH_L2, BE_STORES_PLAIN},
               {BE_PREFETCH_L2, BE_STORES_NONTEMPORAL}};
    enum { WAYS = BE_COUNT(how) };
    for (int way = 0; way < WAYS * sets_here(); way++) {
        const int set = way / WAYS;
        const enum be_prefetch ask = how[way % WAYS].ask;
        const enum be_stores stores = how[way % WAYS].stores;
        memset(y, 0xff, sizeof y);
        memset(y32, 0xff, sizeof y32);
        for (size_t first = 0; first < ROWS; first += 80) {
            const size_t rows = ROWS - first < 80 ? ROWS - first : 80;
            run64[set](start, column, value, x, y, first, rows, ask, stores);
            run32[set](start, column, value32, x32, y32, first, rows, ask, stores);
        }
        for (size_t i = 0; i < ROWS; i++) {
            assert_true(y[i] == exact[i] && (double)y32[i] == exact[i]);
        }
    }
}

/* The middle one of three rows of every length; nothing beside it is written. */
#define BETWEEN(bits, real)                                                                        \
    static void between##bits(be_stencil##bits##_rows *run, size_t n) {                            \
        enum { BESIDE = 64 };                                                                      \
        const size_t width = n + 2 * BESIDE;                                                       \
        real *x = capacity(3 * width * sizeof *x);                                                 \
        real *z = capacity(width * sizeof *z);                                                     \
        for (size_t i = 0; i < 3 * width; i++) {                                                   \
            x[i] = (real)small(n, i);                                                              \
            z[i % width] = 99;                                                                     \
        }                                                                                          \
        run(x + BESIDE, x + width + BESIDE, x + 2 * width + BESIDE, z + BESIDE, n);                \
        for (size_t i = 0; i < width; i++) {                                                       \
            const real *at = x + width + i;                                                        \
            const bool inside = i >= BESIDE && i < BESIDE + n;                                     \
            assert_true(z[i] == (inside ? (x[i] + x[2 * width + i] + at[-1] + at[1]) / 4 : 99));   \
        }                                                                                          \
        free(x);                                                                                   \
        free(z);                                                                                   \
    }

BETWEEN(32, float)
BETWEEN(64, double)

#define SWEEP(bits, real)                                                                          \
    static void sweep##bits(be_stencil##bits##_row *run, size_t n, enum be_stores stores,          \
                            enum be_prefetch ask) {                                                \
        real *x = capacity(3 * n * sizeof *x);                                                     \
        real *z = capacity(3 * n * sizeof *z);                                                     \
        for (size_t i = 0; i < 3 * n; i++) {                                                       \
            x[i] = (real)small(n, i);                                                              \
            z[i] = 99;                                                                             \
        }                                                                                          \
        run(x + n + 1, z + n + 1, n - 2, n, stores, ask);                                          \
        for (size_t i = 0; i < 3 * n; i++) {                                                       \
            bool inside = i > n && i < 2 * n - 1;                                                  \
            assert_true(z[i] == (inside ? (x[i - n] + x[i + n] + x[i - 1] + x[i + 1]) / 4 : 99));  \
        }                                                                                          \
        free(x);                                                                                   \
        free(z);                                                                                   \
    }

SWEEP(32, float)
SWEEP(64, double)

static void test_stencil(void **state) {
    static be_stencil64_row *const run64[SETS] = EACH(be_stencil64_run);
    static be_stencil32_row *const run32[SETS] = EACH(be_stencil32_run);
    static be_stencil64_rows *const rows64[SETS] = EACH(be_stencil64_between);
    static be_stencil32_rows *const rows32[SETS] = EACH(be_stencil32_between);
    (void)state;
    for (int set = 0; set < sets_here(); set++) {
        for (size_t n = 1; n < 100; n++) {
            between64(rows64[set], n);
            between32(rows32[set], n);
        }
        for (size_t n = 3; n < 200; n++) {
            for (int stores = 0; stores < BE_STORES; stores++) {
                for (int ask = BE_PREFETCH_L1; ask <= BE_PREFETCH_L2; ask++) {
                    sweep64(run64[set], n, (enum be_stores)stores, (enum be_prefetch)ask);
                    sweep32(run32[set], n, (enum be_stores)stores, (enum be_prefetch)ask);
                }
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mandelbrot),
                                       cmocka_unit_test(test_spmv), cmocka_unit_test(test_stencil)};
    return cmocka_run_group_tests_name("instruction sets", tests, NULL, NULL);
}
