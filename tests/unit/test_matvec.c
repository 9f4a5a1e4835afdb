/* matvec: its reference on values known by hand, and each instruction set's rows against sums in double precision. That
 * all code agrees with the reference: tests/contract/test_workloads.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"
#include "simd_sets.h"
#include "team.h"
#include "workload/matvec/matvec.h"
#include "workload_list.h"

/* Each step exact: halves and quarters. f(1) = 1/2, f(3) = 3/4, f(-1) = -1/2. */
static void test_reference(void **state) {
    float j[] = {0, 2, 1, 0};
    float input[] = {0, 1, 1, -1}; /* two vectors */
    double r[8];
    void *const array[] = {j, input, NULL};
    struct be_problem problem = be_problem_preset(&be_workload_matvec);
    struct be_team *team = open_team(1);
    const struct be_work work = {
        .problem = &problem, .array = array, .items = 1, .members = 1, .team = team};
    (void)state;
    problem.value[BE_MATVEC_ORDER] = 2;
    problem.value[BE_MATVEC_BATCH] = 2;
    problem.value[BE_MATVEC_STEPS] = 1;
    be_workload_matvec.reference(&work, r); /* J r + input is 2, 1 and -1, 0 */
    assert_true(r[0] == 2.0 / 3 && r[1] == 0.5 && r[2] == -0.5 && r[3] == 0);
    problem.value[BE_MATVEC_STEPS] = 2;
    be_workload_matvec.reference(&work, r); /* 1, 5/3 and 1, -3/2 */
    assert_true(r[0] == 0.5 && fabs(r[1] - 5.0 / 8) < 1e-15);
    assert_true(r[2] == 0.5 && r[3] == -0.6);
    be_team_close(team);
}

/* Rows that no vector and no number of rows at a time divides; nothing beside them is written. Integers: no order of sums
 * matters. */
#define ROWS(bits, real)                                                                           \
    static void rows##bits(be_matvec_run *run, size_t n, size_t batch, size_t first,               \
                           size_t rows) {                                                          \
        real *j = calloc(n * n, sizeof *j);                                                        \
        real *from = calloc(n * batch, sizeof *from);                                              \
        real *input = calloc(n * batch, sizeof *input);                                            \
        real *to = calloc(n * batch, sizeof *to);                                                  \
        assert_true(j &&from &&input &&to);                                                        \
        for (size_t i = 0; i < n * n; i++) {                                                       \
            j[i] = (real)(be_random_bits(1, i) % 9) - 4;                                           \
        }                                                                                          \
        for (size_t i = 0; i < n * batch; i++) {                                                   \
            from[i] = (real)(be_random_bits(2, i) % 9) - 4;                                        \
            input[i] = (real)(be_random_bits(3, i) % 9) - 4;                                       \
            to[i] = 99;                                                                            \
        }                                                                                          \
        const struct be_matvec_rows work = {j, input, from, to, n, batch, first, rows};            \
        run(&work);                                                                                \
        for (size_t i = 0; i < n * batch; i++) {                                                   \
            const size_t row = i % n;                                                              \
            double sum = (double)input[i];                                                         \
            for (size_t k = 0; k < n; k++) {                                                       \
                sum += (double)(j[row * n + k] * from[i - row + k]);                               \
            }                                                                                      \
            const double right = row >= first && row < first + rows ? sum / (1 + fabs(sum)) : 99;  \
            assert_true(fabs((double)to[i] - right) <= 1e-7 * fabs(right));                        \
        }                                                                                          \
        free(j);                                                                                   \
        free(from);                                                                                \
        free(input);                                                                               \
        free(to);                                                                                  \
    }

ROWS(32, float)
ROWS(64, double)

static void test_each_set(void **state) {
    enum { SETS = 3 };
    static be_matvec_run *const run32[2][SETS] = {EACH(be_matvec32_plain),
                                                  EACH(be_matvec32_several)};
    static be_matvec_run *const run64[2][SETS] = {EACH(be_matvec64_plain),
                                                  EACH(be_matvec64_several)};
    static const struct {
        size_t n, batch, first, rows;
    } cases[] = {{1, 1, 0, 1},  {7, 3, 2, 4},    {8, 1, 0, 8},    {33, 2, 0, 33},
                 {64, 1, 5, 0}, {67, 5, 11, 50}, {131, 1, 0, 131}};
    (void)state;
    for (int set = 0; set < sets_here(); set++) {
        for (size_t c = 0; c < BE_COUNT(cases); c++) {
            for (int code = 0; code < 2; code++) {
                rows32(run32[code][set], cases[c].n, cases[c].batch, cases[c].first, cases[c].rows);
                rows64(run64[code][set], cases[c].n, cases[c].batch, cases[c].first, cases[c].rows);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference),
                                       cmocka_unit_test(test_each_set)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
