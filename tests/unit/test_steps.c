/* steps: the maps on values known by hand, against double precision and against what is known of them in the long run;
 * vectors and passes of every instruction set bit for bit as one chain after the other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "simd_sets.h"
#include "workload/steps/steps.h"
#include "workload_list.h"

static void *memory(size_t bytes) {
    void *const p = calloc(1, bytes);
    assert_non_null(p);
    return p;
}

static void run_reference(enum be_steps_map map, uint64_t chains, uint64_t steps, double *start,
                          double *parameter, double *end) {
    struct be_problem problem = be_problem_preset(&be_workload_steps);
    problem.value[BE_STEPS_CHAINS] = chains;
    problem.value[BE_STEPS_STEPS] = steps;
    problem.value[BE_STEPS_MAP] = map;
    void *const array[] = {start, parameter, NULL};
    const struct be_work work = {
        .problem = &problem, .array = array, .items = (size_t)chains, .members = 1};
    be_workload_steps.reference(&work, end);
}

/* ---- one map after the other ------------------------------------------------------------------ */

static void test_logistic(void **state) {
    double start[] = {0.25, 0.25, 0.3, 0.3};
    double parameter[] = {2, 4, 2.5, 3.2};
    double end[4];
    (void)state;
    run_reference(BE_STEPS_LOGISTIC, 4, 1, start, parameter, end);
    assert_true(end[0] == 0.375 && end[1] == 0.75);
    run_reference(BE_STEPS_LOGISTIC, 4, 2, start, parameter, end);
    assert_true(end[0] == 0.46875 && end[1] == 0.75);
    /* 1 - 1/a draws all to it below 3; then two points change places, the roots of
     * a^2 x^2 - a (a + 1) x + a + 1. */
    run_reference(BE_STEPS_LOGISTIC, 4, 1000, start, parameter, end);
    assert_true(fabs(end[2] - 0.6) < 1e-15);
    const double middle = 4.2 / 6.4;
    const double off = sqrt(4.2 * 0.2) / 6.4;
    const bool upper = end[3] > middle;
    assert_true(fabs(end[3] - (upper ? middle + off : middle - off)) < 1e-15);
    run_reference(BE_STEPS_LOGISTIC, 4, 1001, start, parameter, end);
    assert_true(fabs(end[3] - (upper ? middle - off : middle + off)) < 1e-15);
}

/* The equations as they are printed, by Euler's method in steps so small that their error does not count. */
static void lorenz_exactly(double rho, const double from[3], double time, double to[3]) {
    enum { PARTS = 1 << 20 };
    long double x = from[0];
    long double y = from[1];
    long double z = from[2];
    const long double dt = (long double)time / PARTS;
    for (int i = 0; i < PARTS; i++) {
        const long double dx = 10 * (y - x);
        const long double dy = x * (rho - z) - y;
        const long double dz = x * y - 8 * z / 3;
        x += dt * dx;
        y += dt * dy;
        z += dt * dz;
    }
    to[0] = (double)x;
    to[1] = (double)y;
    to[2] = (double)z;
}

static void test_lorenz(void **state) {
    double start[] = {1.5, 1.25, 25, 1.5, 1.25, 25};
    double parameter[] = {28, 14};
    double end[6];
    double right[3];
    (void)state;
    run_reference(BE_STEPS_LORENZ, 2, 1, start, parameter, end);
    lorenz_exactly(28, start, 1.0 / 256, right);
    for (int k = 0; k < 3; k++) { /* the method's error is of the order of (10 / 256)^5 / 120 */
        assert_true(fabs(end[k] - right[k]) < 1e-7 * fabs(right[k]));
    }
    /* Below a rho of 24.7 all comes to rest where x = y, x^2 = 8/3 (rho - 1), z = rho - 1. */
    run_reference(BE_STEPS_LORENZ, 2, 256 * 200, start, parameter, end);
    assert_true(fabs(end[3] - end[4]) < 1e-9 && fabs(end[5] - 13) < 1e-9);
    assert_true(fabs(end[3] * end[3] - 8.0 / 3 * 13) < 1e-9);
    /* Above it stays within Lorenz's own bound, and does not rest. */
    run_reference(BE_STEPS_LORENZ, 2, 256 * 200, start, parameter, end);
    assert_true(fabs(end[0]) < 30 && fabs(end[1]) < 40 && end[2] > 0 && end[2] < 60);
    assert_true(fabs(end[2] - 27) > 1e-3 || fabs(end[0] - end[1]) > 1e-3);
}

/* Student's t with 3 degrees of freedom: half of it lies within 0.764892, and a twentieth beyond 3.182446. Chains are
 * independent: the share of 20000 is off by its binomial deviation, and allowed 4.5 of them. */
static void check_share(const char *what, double share, double right, double n) {
    if (!(fabs(share - right) < 4.5 * sqrt(right * (1 - right) / n))) {
        fail_msg("metropolis, %s: %g of the chains, %g is right", what, share, right);
    }
}

static void test_metropolis(void **state) {
    enum { CHAINS = 20000, STEPS = 400 };
    double *start = memory(CHAINS * sizeof *start);
    double *parameter = memory(CHAINS * sizeof *parameter);
    double *end = memory(CHAINS * sizeof *end);
    double within = 0;
    double below = 0;
    double beyond = 0;
    double alike = 0;
    (void)state;
    for (int i = 0; i < CHAINS; i++) {
        parameter[i] = 3;
        start[i] = 0.5;
    }
    run_reference(BE_STEPS_METROPOLIS, CHAINS, STEPS, start, parameter, end);
    for (int i = 0; i < CHAINS; i++) {
        within += fabs(end[i]) < 0.764892;
        below += end[i] < 0;
        beyond += fabs(end[i]) > 3.182446;
        alike += i > 0 && (end[i] < 0) == (end[i - 1] < 0);
    }
    check_share("within the quartiles", within / CHAINS, 0.5, CHAINS);
    check_share("below 0", below / CHAINS, 0.5, CHAINS);
    check_share("in the tails", beyond / CHAINS, 0.05, CHAINS);
    check_share("of the sign of the one before", alike / (CHAINS - 1), 0.5, CHAINS - 1);
    free(start);
    free(parameter);
    free(end);
}

/* ---- all code of the CPU ---------------------------------------------------------------------- */

enum { SETS = 3, MOST = 300, BEHIND = 5 };

static be_steps_run *const alone[BE_REALS] = {be_steps32_alone_plain, be_steps64_alone_plain};
static be_steps_run *const vectors[BE_REALS][SETS] = {EACH(be_steps32_vectors),
                                                      EACH(be_steps64_vectors)};
static be_steps_pass *const pass[BE_REALS][SETS] = {EACH(be_steps32_pass), EACH(be_steps64_pass)};

/* Chains `first` .. first + n - 1 of several problems of `all` chains; nothing beside them is written. */
static void check_code(enum be_real real, enum be_steps_map map, size_t first, size_t n, size_t all,
                       uint64_t steps) {
    const size_t bytes = be_real_bytes(real);
    struct be_problem problem = be_problem_preset(&be_workload_steps);
    problem.real = real;
    problem.value[BE_STEPS_MAP] = map;
    problem.value[BE_STEPS_CHAINS] = all;
    const struct be_shape shape = be_problem_shape(&problem);
    const size_t values = shape.reference;
    const size_t whole = (first + n + BEHIND) * values * bytes;
    char *start = memory(whole);
    char *parameter = memory(whole);
    char *right = memory(whole);
    char *end = memory(whole);
    void *const array[] = {start, parameter, end};
    const struct be_work work = {
        .problem = &problem, .array = array, .items = first + n + BEHIND, .members = 1};
    be_workload_steps.fill(&work, 5);
    struct be_steps_chains chains = {map, values, start, parameter, right, first, n, all};
    memset(right, 0x7f, whole);
    alone[real](&chains, steps);
    chains.end = end;
    for (int set = 0; set < sets_here(); set++) {
        memset(end, 0x7f, whole);
        vectors[real][set](&chains, steps);
        assert_memory_equal(end, right, whole);
        memset(end, 0x7f, whole);
        memcpy(end + first * values * bytes, start + first * values * bytes, n * values * bytes);
        for (uint64_t k = 0; k < steps; k++) {
            pass[real][set](&chains, k);
        }
        assert_memory_equal(end, right, whole);
    }
    free(start);
    free(parameter);
    free(right);
    free(end);
}

static void test_each_set(void **state) {
    (void)state;
    for (int real = 0; real < BE_REALS; real++) {
        for (int map = 0; map < BE_STEPS_MAPS; map++) {
            for (size_t n = 1; n <= MOST; n += n < 40 ? 1 : 61) {
                check_code((enum be_real)real, (enum be_steps_map)map, 0, n, n, 40);
            }
            check_code((enum be_real)real, (enum be_steps_map)map, 17, 200, 50, 64);
            check_code((enum be_real)real, (enum be_steps_map)map, 3, 33, 1, 1);
        }
    }
}

/* ---- the limit -------------------------------------------------------------------------------- */

/* However many chains, no step ends before the operations of the one before. */
static void test_in_a_row(void **state) {
    static const double each[BE_STEPS_MAPS] = {2, 12, 0};
    (void)state;
    for (int map = 0; map < BE_STEPS_MAPS; map++) {
        struct be_problem problem = be_problem_preset(&be_workload_steps);
        problem.value[BE_STEPS_MAP] = (uint64_t)map;
        problem.value[BE_STEPS_STEPS] = 777;
        for (uint64_t chains = 1; chains < 1000; chains *= 9) {
            problem.value[BE_STEPS_CHAINS] = chains;
            assert_true(be_problem_shape(&problem).dependent == 777 * each[map]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logistic), cmocka_unit_test(test_lorenz),
        cmocka_unit_test(test_metropolis), cmocka_unit_test(test_each_set),
        cmocka_unit_test(test_in_a_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
