/* histogram: its bins at the edges and beyond, in every instruction set. That all code agrees with the reference on usual
 * numbers: tests/contract/test_workloads.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"
#include "simd_sets.h"
#include "team.h"
#include "workload/histogram/histogram.h"
#include "workload_list.h"

enum { BINS = 10, MORE = 3001 };

/* As NumPy has them: the last bin has its right edge, and what is beyond is in none. */
static const double edges[] = {0,    -0.0, 0.0999, 0.1, 0.5,   0.95,     1,        1.0000001,
                               -0.1, 2,    1e30,   NAN, -1e30, INFINITY, -INFINITY};
static const uint32_t right[BINS] = {3, 1, 0, 0, 0, 1, 0, 0, 0, 2};

/* All tables of a part added up. */
static void total(const uint32_t *tables, size_t copies, size_t bins, uint32_t *sum) {
    memset(sum, 0, bins * sizeof *sum);
    for (size_t i = 0; i < copies * (bins + 1); i++) {
        if (i % (bins + 1) < bins) {
            sum[i % (bins + 1)] += tables[i];
        }
    }
}

static void count(be_histogram_run *run, const void *x, size_t n, size_t bins, size_t copies,
                  uint32_t *sum) {
    uint32_t *tables = calloc(copies * (bins + 1) + 1, sizeof *tables);
    assert_non_null(tables);
    tables[copies * (bins + 1)] = 77;
    run(&(struct be_histogram_part){x, n, bins, tables});
    assert_int_equal(tables[copies * (bins + 1)], 77);
    total(tables, copies, bins, sum);
    free(tables);
}

static void test_edges(void **state) {
    static be_histogram_run *const code[][3] = {
        EACH(be_histogram_tables_64), EACH(be_histogram_plain_64), EACH(be_histogram_tables_32),
        EACH(be_histogram_plain_32)};
    float narrow[BE_COUNT(edges)];
    uint32_t sum[BINS];
    (void)state;
    for (size_t i = 0; i < BE_COUNT(edges); i++) {
        narrow[i] = (float)edges[i];
    }
    for (int set = 0; set < sets_here(); set++) {
        for (size_t c = 0; c < BE_COUNT(code); c++) {
            const void *x = c < 2 ? (const void *)edges : narrow;
            const size_t copies = c % 2 ? 1 : be_histogram_copies(BINS);
            count(code[c][set], x, BE_COUNT(edges), BINS, copies, sum);
            assert_memory_equal(sum, right, sizeof right);
        }
    }
}

/* More elements than a block, one table or several, and the largest number below 1, which is rounded up to `bins`. */
static void test_many(void **state) {
    static const size_t bins[] = {1, 3, 2048, 2049, BE_HISTOGRAM_BINS_MAX};
    static be_histogram_run *const tables[] = EACH(be_histogram_tables_32);
    static be_histogram_run *const plain[] = EACH(be_histogram_plain_32);
    float *x = calloc(MORE, sizeof *x);
    uint32_t *sum = calloc(2 * (size_t)BE_HISTOGRAM_BINS_MAX, sizeof *sum);
    assert_true(x && sum);
    (void)state;
    for (size_t i = 0; i < MORE; i++) {
        x[i] = i % 7 ? be_random_float(1, i) : nextafterf(1, 0);
    }
    for (int set = 0; set < sets_here(); set++) {
        for (size_t b = 0; b < BE_COUNT(bins); b++) {
            uint64_t all = 0;
            count(tables[set], x, MORE, bins[b], be_histogram_copies(bins[b]), sum);
            count(plain[set], x, MORE, bins[b], 1, sum + BE_HISTOGRAM_BINS_MAX);
            assert_memory_equal(sum, sum + BE_HISTOGRAM_BINS_MAX, bins[b] * sizeof *sum);
            for (size_t i = 0; i < bins[b]; i++) {
                all += sum[i];
            }
            assert_int_equal(all, MORE);
        }
    }
    free(x);
    free(sum);
}

static void test_reference(void **state) {
    uint32_t counts[BINS];
    double reference[BINS];
    double difference = 0;
    double norm = 0;
    struct be_problem problem = be_problem_preset(&be_workload_histogram);
    double x[BE_COUNT(edges)];
    void *const array[] = {x, counts};
    struct be_team *team = open_team(1);
    const struct be_work work = {
        .problem = &problem, .array = array, .items = 1, .members = 1, .team = team};
    (void)state;
    problem.real = BE_REAL64;
    problem.value[BE_HISTOGRAM_SIZE] = BE_COUNT(edges);
    problem.value[BE_HISTOGRAM_BINS] = BINS;
    memcpy(x, edges, sizeof x);
    memcpy(counts, right, sizeof counts);
    be_workload_histogram.reference(&work, reference);
    be_workload_histogram.residual(&work, reference, &difference, &norm);
    assert_true(difference == 0 && norm > 0);
    counts[4]++;
    be_workload_histogram.residual(&work, reference, &difference, &norm);
    assert_true(difference > 0);
    be_team_close(team);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
