/* convolve: values known by hand, and in every instruction set what a plain loop in double has, at odd sizes and in parts. That
 * all code agrees with the reference on usual numbers: tests/contract/test_workloads.c. */
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
#include "workload/convolve/convolve.h"
#include "workload_list.h"

enum { HEIGHT = 13, WIDTH_MAX = 1111, POINTS = HEIGHT * WIDTH_MAX, GUARD = 77 };

static const struct {
    be_convolve_run *full[3], *separable[3];
} code[] = {
    {EACH(be_convolve_plain), EACH(be_convolve_plain_separable)},
    {EACH(be_convolve_tiles), EACH(be_convolve_tiles_separable)},
};

static float x[POINTS];
static float z[POINTS];
static double right[POINTS];
static float filter[BE_CONVOLVE_TAPS_MAX * BE_CONVOLVE_TAPS_MAX];
static float row[WIDTH_MAX];

static struct be_problem problem_of(uint64_t height, uint64_t width, uint64_t taps,
                                    uint64_t separable) {
    struct be_problem problem = be_problem_preset(&be_workload_convolve);
    const uint64_t value[] = {height, width, taps, separable};
    memcpy(problem.value, value, sizeof value);
    return problem;
}

static struct be_work work_of(const struct be_problem *problem, void *const *array,
                              struct be_team *team) {
    return (struct be_work){
        .problem = problem, .array = array, .items = 1, .members = 1, .team = team};
}

/* Every code in every set, the rows in two parts, against `right`. */
static void run_all(const struct be_problem *problem) {
    const struct be_convolve_sizes size = be_convolve_sizes_of(problem);
    const size_t points = size.height * size.width;
    const size_t parts[] = {0, size.height / 3, size.height};
    for (size_t c = 0; c < BE_COUNT(code) * (size_t)sets_here(); c++) {
        const size_t set = c / BE_COUNT(code);
        be_convolve_run *run = size.separable ? code[c % BE_COUNT(code)].separable[set]
                                              : code[c % BE_COUNT(code)].full[set];
        for (size_t i = 0; i < POINTS; i++) {
            z[i] = GUARD;
        }
        for (size_t p = 0; p < 2; p++) {
            run(&(struct be_convolve_part){.size = &size,
                                           .x = x,
                                           .w = filter,
                                           .z = z,
                                           .first = parts[p],
                                           .rows = parts[p + 1] - parts[p],
                                           .past = set % 2 == 0,
                                           .row = row});
            for (size_t i = parts[p + 1] * size.width; i < POINTS; i++) {
                assert_true(z[i] == GUARD); /* rows of others are theirs */
            }
        }
        for (size_t i = 0; i < points; i++) {
            if (!(fabs((double)z[i] - right[i]) < 1e-4)) {
                fail_msg("%zu taps, %zu x %zu, point %zu: %g is %g", size.taps, size.height,
                         size.width, i, (double)z[i], right[i]);
            }
        }
    }
}

static void reference_of(const struct be_problem *problem) {
    void *const array[] = {x, filter, z};
    struct be_team *team = open_team(1);
    const struct be_work work = work_of(problem, array, team);
    be_workload_convolve.reference(&work, right);
    be_team_close(team);
}

/* 3 x 3 points under the filter 1 .. 9, which is not turned around, with zeroes beyond. */
static void test_by_hand(void **state) {
    static const double known[] = {94, 154, 106, 186, 285, 186, 106, 154, 94};
    const struct be_problem problem = problem_of(3, 3, 3, BE_CONVOLVE_FULL);
    (void)state;
    for (int i = 0; i < 9; i++) {
        x[i] = (float)(i + 1);
        filter[i] = (float)(i + 1);
    }
    reference_of(&problem);
    for (int i = 0; i < 9; i++) {
        assert_true(right[i] == known[i]);
    }
    run_all(&problem);
}

/* A filter with one number moves the image; of even taps there is one more above and left than below and right. */
static void test_moves(void **state) {
    (void)state;
    for (size_t i = 0; i < POINTS; i++) {
        x[i] = (float)(i % 101);
    }
    memset(filter, 0, sizeof filter);
    filter[0 * 4 + 3] = 1;
    const struct be_problem problem = problem_of(7, 35, 4, BE_CONVOLVE_FULL);
    for (size_t i = 0; i < 7; i++) {
        for (size_t j = 0; j < 35; j++) {
            right[i * 35 + j] = i < 2 || j + 1 >= 35 ? 0 : (double)x[(i - 2) * 35 + j + 1];
        }
    }
    run_all(&problem);
}

static void test_odd_sizes(void **state) {
    static const uint64_t sizes[][3] = {{1, 1, 3},    {1, 40, 31}, {13, 1, 31},  {2, 3, 8},
                                        {13, 70, 5},  {13, 64, 3}, {13, 129, 9}, {5, 1111, 31},
                                        {9, 1088, 4}, {40, 70, 5}, {40, 67, 6},  {40, 70, 7},
                                        {40, 96, 12}};
    (void)state;
    for (size_t i = 0; i < POINTS; i++) {
        x[i] = be_random_float(1, i) - 0.5F;
    }
    for (size_t i = 0; i < BE_COUNT(filter); i++) {
        filter[i] = be_random_float(2, i) - 0.5F;
    }
    for (size_t k = 0; k < BE_COUNT(sizes) * BE_CONVOLVE_FILTERS; k++) {
        const uint64_t *size = sizes[k / BE_CONVOLVE_FILTERS];
        const struct be_problem problem =
            problem_of(size[0], size[1], size[2], k % BE_CONVOLVE_FILTERS);
        reference_of(&problem);
        run_all(&problem);
    }
}

/* A NaN reaches the points whose taps are on it, and no other. */
static void test_nan(void **state) {
    enum { ROW = 6, COLUMN = 30, TAPS = 5 };
    (void)state;
    for (uint64_t kind = 0; kind < BE_CONVOLVE_FILTERS; kind++) {
        const struct be_problem problem = problem_of(HEIGHT, 70, TAPS, kind);
        const struct be_convolve_sizes size = be_convolve_sizes_of(&problem);
        for (size_t c = 0; c < BE_COUNT(code) * (size_t)sets_here(); c++) {
            const size_t set = c / BE_COUNT(code);
            const struct be_convolve_part part = {
                .size = &size, .x = x, .w = filter, .z = z, .rows = HEIGHT, .row = row};
            for (size_t i = 0; i < HEIGHT * (size_t)70; i++) {
                x[i] = i == ROW * 70 + COLUMN ? NAN : 1;
            }
            (kind ? code[c % BE_COUNT(code)].separable[set]
                  : code[c % BE_COUNT(code)].full[set])(&part);
            for (int i = 0; i < HEIGHT; i++) {
                for (int j = 0; j < 70; j++) {
                    const bool reached = abs(i - ROW) <= TAPS / 2 && abs(j - COLUMN) <= TAPS / 2;
                    assert_int_equal(isnan(z[i * 70 + j]) != 0, reached);
                }
            }
        }
    }
}

/* A result that is wrong at one point on the border is not right. */
static void test_residual(void **state) {
    const struct be_problem problem = problem_of(5, 9, 3, BE_CONVOLVE_FULL);
    void *const array[] = {x, filter, z};
    struct be_team *team = open_team(1);
    const struct be_work work = work_of(&problem, array, team);
    const struct be_shape shape = be_problem_shape(&problem);
    (void)state;
    for (int wrong = 0; wrong < 2; wrong++) {
        double difference = 0;
        double norm = 0;
        be_workload_convolve.fill(&work, 1);
        be_workload_convolve.reference(&work, right);
        for (size_t i = 0; i < (size_t)5 * 9; i++) {
            z[i] = (float)right[i];
        }
        z[4 * 9 + 8] += (float)wrong * 1e-3F;
        be_workload_convolve.residual(&work, right, &difference, &norm);
        assert_int_equal(sqrt(difference / norm) > shape.tolerance, wrong);
    }
    be_team_close(team);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),   cmocka_unit_test(test_moves),
        cmocka_unit_test(test_odd_sizes), cmocka_unit_test(test_nan),
        cmocka_unit_test(test_residual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
