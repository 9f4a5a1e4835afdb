/*
 * The histogram of distances where it is decided: pairs on an edge of a bin and beside it, distances
 * that are no numbers or in no bin, in every instruction set that runs here; and the reference itself
 * against counts known beforehand.
 */
#include "simd_sets.h"
#include "team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin/builtin.h"
#include "base/error.h"
#include "workload/distance/distance.h"
#include "workload/distance/simd.h"
#include "workload/numbers.h"
#include "host/simd.h"

enum { POINTS = 700, MEMBERS = 3, SETS = 3 };

static double points[POINTS + 64]; /* of either type */
static uint64_t out[BE_DISTANCE_BINS_MAX];
static void *array[BE_ARRAYS] = {points, out};

static struct be_problem problem_of(uint64_t n, uint64_t dimension, uint64_t bins,
                                    enum be_real real) {
    struct be_problem problem = be_problem_preset(&be_workload_distance);
    problem.value[BE_DISTANCE_POINTS] = n;
    problem.value[BE_DISTANCE_DIMENSION] = dimension;
    problem.value[BE_DISTANCE_CONSUMER] = BE_DISTANCE_HISTOGRAM;
    problem.value[BE_DISTANCE_BINS] = bins;
    problem.real = real;
    return problem;
}

static struct be_work work_of(const struct be_problem *problem, struct be_team *team) {
    return (struct be_work){
        .problem = problem, .array = array, .items = 1, .members = 1, .team = team};
}

/* One member's counts of one instruction set, added to `out`. */
static void count(const struct be_problem *problem, int set, size_t member) {
    static be_distance_count *const count64[SETS] = EACH(be_distance_count64);
    static be_distance_count *const count32[SETS] = EACH(be_distance_count32);
    static be_distance_pack *const pack64[SETS] = EACH(be_distance_pack64);
    static be_distance_pack *const pack32[SETS] = EACH(be_distance_pack32);
    const bool wide = problem->real == BE_REAL64;
    const size_t n = be_distance_points(problem);
    const size_t d = be_distance_dimension(problem);
    const size_t bins = be_distance_bins(problem);
    const size_t tile = BE_DISTANCE_TILE(be_real_bytes(problem->real));
    const size_t packed_bytes = (be_distance_packed_bytes(problem) + 63) / 64 * 64;
    void *packed = aligned_alloc(64, packed_bytes);
    uint64_t *counts = calloc(1, be_distance_count_bytes(bins));
    assert_true(packed && counts);
    const struct be_distance_counts to_do = {.points = points,
                                             .packed = packed,
                                             .n = n,
                                             .dimension = d,
                                             .bins = bins,
                                             .edge = be_distance_edge(problem),
                                             .scale = be_distance_scale(problem),
                                             .member = member,
                                             .members = MEMBERS,
                                             .counts = counts};
    (wide ? pack64 : pack32)[set](points, n, d, 0, (n + tile - 1) / tile, packed);
    (wide ? count64 : count32)[set](&to_do);
    for (size_t k = 0; k < bins; k++) {
        out[k] += counts[k];
    }
    free(counts);
    free(packed);
}

static void check_sets(const struct be_problem *problem, struct be_team *team) {
    const struct be_work work = work_of(problem, team);
    double reference[BE_DISTANCE_BINS_MAX];
    be_distance_histogram_reference(&work, reference);
    for (int set = 0; set < sets_here(); set++) {
        memset(out, 0, sizeof out);
        for (size_t member = 0; member < MEMBERS; member++) {
            count(problem, set, member);
        }
        for (size_t k = 0; k < be_distance_bins(problem); k++) {
            if ((double)out[k] != reference[k]) {
                fail_msg("%s, %llu bins, set %d: bin %zu has %llu, not %g",
                         be_real_name(problem->real), (unsigned long long)be_distance_bins(problem),
                         set, k, (unsigned long long)out[k], reference[k]);
            }
        }
    }
}

/* Steps of the type up (or down) from x. */
static double beside(enum be_real real, double x, int steps) {
    for (int i = 0; i < abs(steps); i++) {
        x = real == BE_REAL64 ? nextafter(x, steps > 0 ? 2 : -1)
                              : (double)nextafterf((float)x, steps > 0 ? 2 : -1);
    }
    return x;
}

/* 0, and points whose distances from it are edges, and two numbers to each side of them. */
static void edges_are_exact(void **state) {
    struct be_team *team = open_team(1);
    (void)state;
    for (int real = 0; real < BE_REALS; real++) {
        for (uint64_t bins = 1; bins <= BE_DISTANCE_BINS_MAX; bins += bins < 8 ? 1 : bins / 5) {
            const struct be_problem problem = problem_of(POINTS, 1, bins, (enum be_real)real);
            const double width = sqrt(be_distance_edge(&problem));
            be_number_set(problem.real, points, 0, 0);
            for (size_t i = 1; i < POINTS; i++) {
                const double edge = (double)(i * 37 % bins + 1) * width;
                be_number_set(problem.real, points, i,
                              beside(problem.real, edge, (int)(i % 5) - 2));
            }
            check_sets(&problem, team);
        }
    }
    be_team_close(team);
}

/* In none: no number, infinity, what is longer than the cube's diagonal. In the first: 0 and what is
 * next to nothing. */
static void odd_distances_are_counted_right(void **state) {
    static const double odd[] = {0,         0,        1e-30,  1e-44, NAN, 0.5,
                                 -INFINITY, INFINITY, 1000.5, 1,     0.25};
    struct be_team *team = open_team(1);
    (void)state;
    for (int real = 0; real < BE_REALS; real++) {
        for (uint64_t n = 2; n <= 9 * BE_COUNT(odd); n += 5) {
            const struct be_problem problem = problem_of(n, 1, 4, (enum be_real)real);
            for (size_t i = 0; i < n; i++) {
                be_number_set(problem.real, points, i, odd[i % BE_COUNT(odd)]);
            }
            check_sets(&problem, team);
        }
    }
    be_team_close(team);
}

/* Points 0, 1/8, ... 7/8: seven pairs are 1/8 apart, six 2/8; that is where bins begin. */
static void reference_counts_a_row_of_points(void **state) {
    struct be_team *team = open_team(1);
    (void)state;
    for (int real = 0; real < BE_REALS; real++) {
        const struct be_problem problem = problem_of(8, 1, 8, (enum be_real)real);
        const struct be_work work = work_of(&problem, team);
        double reference[8];
        for (size_t i = 0; i < 8; i++) {
            be_number_set(problem.real, points, i, (double)i / 8);
        }
        be_distance_histogram_reference(&work, reference);
        for (size_t k = 0; k < 8; k++) {
            assert_true(reference[k] == (k == 0 ? 0 : (double)(8 - k)));
        }
    }
    be_team_close(team);
}

/* One pair that is missing, or in the next bin, is wrong. */
static void residual_sees_one_pair(void **state) {
    struct be_team *team = open_team(1);
    const struct be_problem problem = problem_of(8, 1, 8, BE_REAL64);
    const struct be_work work = work_of(&problem, team);
    static const double reference[8] = {0, 7, 6, 5, 4, 3, 2, 1};
    (void)state;
    for (int moved = 0; moved < 3; moved++) {
        double difference = 0;
        double norm = 0;
        for (size_t k = 0; k < 8; k++) {
            out[k] = (uint64_t)reference[k];
        }
        out[3] -= moved > 0;
        out[4] += moved > 1;
        be_workload_distance.residual(&work, reference, &difference, &norm);
        assert_true(norm > 0 && difference == moved);
    }
    assert_true(be_problem_shape(&problem).tolerance == 0);
    be_team_close(team);
}

/* Beside other consumers bins mean nothing, and results do not name them. */
static void bins_are_named_with_a_histogram(void **state) {
    struct be_problem problem = problem_of(8, 1, 8, BE_REAL64);
    char text[BE_NOTE];
    (void)state;
    be_problem_text(&problem, text, sizeof text);
    assert_string_equal(text, "dimension 1, consumer histogram, bins 8");
    problem.value[BE_DISTANCE_CONSUMER] = BE_DISTANCE_MATRIX;
    be_problem_text(&problem, text, sizeof text);
    assert_string_equal(text, "dimension 1, consumer matrix");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_exact),
        cmocka_unit_test(odd_distances_are_counted_right),
        cmocka_unit_test(reference_counts_a_row_of_points),
        cmocka_unit_test(residual_sees_one_pair),
        cmocka_unit_test(bins_are_named_with_a_histogram),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
