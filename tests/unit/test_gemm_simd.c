/* The blocked product in every instruction set that runs here, whichever way its matrices lie, in two slabs
 * of unequal depth, against three loops. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"
#include "math/gemm_simd.h"
#include "simd_sets.h"

enum { ROWS = 29, COLUMNS = 141, SUM = 37, FIRST = 20, MAX = 160, NUMBERS = MAX * MAX };

static double value[3][NUMBERS]; /* A, B and C before, as float64 */
static double memory64[3][NUMBERS], packed64[2][NUMBERS];
static float memory32[3][NUMBERS], packed32[2][NUMBERS];

static void fill(double beta) {
    for (size_t i = 0; i < 3; i++) {
        for (size_t at = 0; at < NUMBERS; at++) {
            const double x = (double)be_random_float(i + 1, at) - 0.5;
            value[i][at] = i == 2 && beta == 0 ? (double)NAN : x;
            memory64[i][at] = value[i][at];
            memory32[i][at] = (float)value[i][at];
        }
    }
    memset(packed64, 0xff, sizeof packed64); /* what is not packed is NAN */
    memset(packed32, 0xff, sizeof packed32);
}

static void multiply(const struct be_gemm_code *code, struct be_gemm_slab *slab) {
    const size_t down = (ROWS + code->strip_rows - 1) / code->strip_rows;
    const size_t across = (COLUMNS + code->strip_columns - 1) / code->strip_columns;
    const struct be_gemm_region region = {0, down, 0, across};
    const size_t depth[] = {FIRST, SUM - FIRST};
    slab->from = 0;
    for (size_t i = 0; i < BE_COUNT(depth); i++) {
        slab->depth = depth[i];
        code->pack_a(slab, 0, down / 2); /* in two parts, as two threads do */
        code->pack_a(slab, down / 2, down - down / 2);
        code->pack_b(slab, 0, across / 2);
        code->pack_b(slab, across / 2, across - across / 2);
        code->multiply(slab, &region);
        slab->from += depth[i];
    }
}

static void expect(const struct be_gemm_slab *slab, bool wide, size_t set) {
    const double unit = wide ? 0x1p-53 : 0x1p-24;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < slab->c_down; j++) {
            const size_t at = i * slab->c_down + j;
            const double got = wide ? memory64[2][at] : (double)memory32[2][at];
            const double old = slab->beta == 0 ? 0 : slab->beta * value[2][at];
            double sum = 0;
            for (size_t k = 0; k < SUM; k++) {
                sum += value[0][i * slab->a_down + k * slab->a_right] *
                       value[1][k * slab->b_down + j * slab->b_right];
            }
            const double want = slab->alpha * sum + old;
            const double before = wide ? value[2][at] : (double)(float)value[2][at];
            const bool kept = isnan(before) ? isnan(got) : got == before;
            const bool near = fabs(got - want) <= 2 * SUM * unit;
            if (i < ROWS && j < COLUMNS ? !near : !kept) {
                fail_msg("%s, set %zu, A %zu %zu, B %zu %zu, row %zu, column %zu: %g, not %g",
                         wide ? "float64" : "float32", set, slab->a_down, slab->a_right,
                         slab->b_down, slab->b_right, i, j, got, want);
            }
        }
    }
}

static void each_way(const struct be_gemm_code *code, bool wide, size_t set) {
    static const double scales[][2] = {{1, 0}, {-0.5, 1}, {1, 0.75}};
    for (int turn = 0; turn < 4; turn++) {
        for (size_t s = 0; s < BE_COUNT(scales); s++) {
            struct be_gemm_slab slab = {
                .a = wide ? (void *)memory64[0] : (void *)memory32[0],
                .b = wide ? (void *)memory64[1] : (void *)memory32[1],
                .c = wide ? (void *)memory64[2] : (void *)memory32[2],
                .rows = ROWS,
                .columns = COLUMNS,
                .a_down = turn & 1 ? 1 : SUM + 3,
                .a_right = turn & 1 ? ROWS + 3 : 1,
                .b_down = turn & 2 ? 1 : COLUMNS + 2,
                .b_right = turn & 2 ? SUM + 2 : 1,
                .c_down = COLUMNS + 1,
                .alpha = scales[s][0],
                .beta = scales[s][1],
                .packed_a = wide ? (void *)packed64[0] : (void *)packed32[0],
                .packed_b = wide ? (void *)packed64[1] : (void *)packed32[1],
            };
            fill(slab.beta);
            multiply(code, &slab);
            expect(&slab, wide, set);
        }
    }
}

static void test_sets(void **state) {
    const struct be_gemm_code code32[] = EACH(be_gemm32);
    const struct be_gemm_code code64[] = EACH(be_gemm64);
    (void)state;
    for (size_t set = 0; set < (size_t)sets_here(); set++) {
        each_way(&code32[set], false, set);
        each_way(&code64[set], true, set);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets)};
    return cmocka_run_group_tests_name("gemm_simd", tests, NULL, NULL);
}
