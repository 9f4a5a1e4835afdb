/* convolve by Fourier transforms: against the reference, in every instruction set and by a team, at sizes that fill no part
 * of the image; and numbers that no transform may take stay where they are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "simd_sets.h"
#include "team.h"
#include "workload/convolve/fourier.h"
#include "workload_list.h"

enum { POINTS = 60000, TAPS = BE_CONVOLVE_TAPS_MAX * BE_CONVOLVE_TAPS_MAX, MEMBERS = 3 };

static float x[POINTS], z[POINTS], filter[TAPS];
static double right[POINTS];
static be_fourier_start *const begin[] = EACH(be_convolve_fourier_begin);
static be_fourier_run *const run[] = EACH(be_convolve_fourier);

struct call {
    struct be_problem problem;
    struct be_team *team;
    float *scratch;
};

static struct be_problem problem_of(uint64_t height, uint64_t width, uint64_t taps) {
    struct be_problem problem = be_problem_preset(&be_workload_convolve);
    const uint64_t value[] = {height, width, taps, BE_CONVOLVE_FULL};
    memcpy(problem.value, value, sizeof value);
    return problem;
}

static void member(void *context, int i, int members) {
    const struct call *call = context;
    void *const array[] = {x, filter, z};
    be_convolve_host_fourier(&(struct be_work){.problem = &call->problem,
                                               .array = array,
                                               .items = 1,
                                               .member = i,
                                               .members = members,
                                               .team = call->team,
                                               .scratch = call->scratch});
}

static void set_numbers(void) {
    for (size_t i = 0; i < POINTS; i++) {
        x[i] = be_random_float(1, i);
    }
    for (size_t i = 0; i < TAPS; i++) {
        filter[i] = 2 * be_random_float(2, i) - 1;
    }
}

static void reference_of(const struct be_problem *problem, struct be_team *team) {
    void *const array[] = {x, filter, z};
    const struct be_work work = {
        .problem = problem, .array = array, .items = 1, .members = 1, .team = team};
    be_workload_convolve.reference(&work, right);
}

static void expect_right(const struct be_problem *problem, size_t rows, size_t columns) {
    const struct be_convolve_sizes s = be_convolve_sizes_of(problem);
    const double allowed = be_problem_shape(problem).tolerance;
    double difference = 0;
    double norm = 0;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            const double d = (double)z[i * s.width + j] - right[i * s.width + j];
            difference += d * d;
            norm += right[i * s.width + j] * right[i * s.width + j];
        }
    }
    if (!(sqrt(difference / norm) <= allowed)) {
        fail_msg("%zu taps, %zu x %zu: off by %g, allowed %g", s.taps, s.height, s.width,
                 sqrt(difference / norm), allowed);
    }
}

static struct call call_of(const struct be_problem *problem, struct be_team *team) {
    const struct call call = {*problem, team,
                              calloc(1, be_convolve_fourier_scratch(problem, MEMBERS))};
    assert_non_null(call.scratch);
    return call;
}

/* The first part of the image in each set, all of it by a team. */
static void expect_size(uint64_t height, uint64_t width, uint64_t taps) {
    const struct be_problem problem = problem_of(height, width, taps);
    const struct be_convolve_sizes s = be_convolve_sizes_of(&problem);
    const size_t rows = s.height < 2 * be_fourier_step(&s) ? s.height : 2 * be_fourier_step(&s);
    const size_t columns = s.width < BE_FOURIER_COLUMNS ? s.width : BE_FOURIER_COLUMNS;
    struct be_team *team = open_team(MEMBERS);
    struct call call = call_of(&problem, team);
    reference_of(&problem, team);
    for (int set = 0; set < sets_here(); set++) {
        struct be_fourier_room room = be_fourier_room_of(call.scratch);
        const struct be_convolve_part part = {
            .size = &s, .x = x, .w = filter, .z = z, .rows = rows, .columns = columns};
        memset(z, 0xff, sizeof z);
        begin[set](&part, &room);
        assert_true(run[set](&part, &room));
        expect_right(&problem, rows, columns);
        for (size_t i = rows * s.width; i < POINTS; i++) {
            assert_true(isnan(z[i])); /* rows of others are theirs */
        }
    }
    memset(z, 0xff, sizeof z);
    be_team_run(team, member, &call);
    expect_right(&problem, s.height, s.width);
    be_team_close(team);
    free(call.scratch);
}

static void test_sizes(void **state) {
    (void)state;
    set_numbers();
    expect_size(1, 1, 7);
    expect_size(3, 150, 31);
    expect_size(250, 5, 8);
    expect_size(211, 139, 31);
}

/* A number that is not finite reaches the points under its taps and no other; neither does a number whose sums overflow on the way. */
static void test_odd_numbers(void **state) {
    enum { HEIGHT = 40, WIDTH = 150, FEW = 7, ROW = 20, COLUMN = 130 };
    static const float odd[] = {NAN, INFINITY, -INFINITY, 3e37F};
    const struct be_problem problem = problem_of(HEIGHT, WIDTH, FEW);
    struct be_team *team = open_team(MEMBERS);
    struct call call = call_of(&problem, team);
    (void)state;
    set_numbers();
    for (size_t k = 0; k < BE_COUNT(odd); k++) {
        x[ROW * WIDTH + COLUMN] = 0;
        reference_of(&problem, team);
        x[ROW * WIDTH + COLUMN] = odd[k];
        be_team_run(team, member, &call);
        for (int i = 0; i < HEIGHT; i++) {
            for (int j = 0; j < WIDTH; j++) {
                const bool reached = abs(i - ROW) <= FEW / 2 && abs(j - COLUMN) <= FEW / 2;
                const double got = (double)z[i * WIDTH + j];
                assert_int_equal(!(fabs(got - right[i * WIDTH + j]) < 1e-4), reached);
                assert_true(!reached || !isfinite(odd[k]) == !isfinite(got));
            }
        }
    }
    be_team_close(team);
    free(call.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_odd_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
