/*
 * neighbours: its check on results known by hand, and the tree against all points on points that are all equal, that stand on
 * a coarse grid, or that are no numbers. That all code agrees on usual points: tests/contract/test_workloads.c.
 */
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
#include "team.h"
#include "workload/neighbours/neighbours.h"
#include "workload_list.h"

enum { POINTS = 1003, QUERIES = 37, DIMENSION = 3, MEMBERS = 3, ALIGN = 64 };

static struct be_problem problem_of(uint64_t points, uint64_t queries, uint64_t k,
                                    uint64_t dimension) {
    struct be_problem problem = be_problem_preset(&be_workload_neighbours);
    problem.value[BE_NEIGHBOURS_POINTS] = points;
    problem.value[BE_NEIGHBOURS_QUERIES] = queries;
    problem.value[BE_NEIGHBOURS_K] = k;
    problem.value[BE_NEIGHBOURS_DIMENSION] = dimension;
    return problem;
}

/* ---- the check ------------------------------------------------------------------------------ */

static bool is_right(const struct be_problem *problem, double *x, double *q, double *squares,
                     uint32_t *which) {
    void *const array[] = {x, q, squares, which};
    struct be_team *team = open_team(1);
    const struct be_work work = {
        .problem = problem, .array = array, .items = 1, .members = 1, .team = team};
    double difference = 0;
    double norm = 0;
    be_workload_neighbours.residual(&work, NULL, &difference, &norm);
    be_team_close(team);
    return sqrt(difference) <= be_problem_shape(problem).tolerance * sqrt(norm);
}

static void test_check(void **state) {
    double x[] = {0, 1, 3, 3};
    double q[] = {2};
    const struct be_problem problem = problem_of(4, 1, 3, 1);
    const struct be_problem more = problem_of(2, 1, 3, 1);
    (void)state;
    assert_true(is_right(&problem, x, q, (double[]){1, 1, 1}, (uint32_t[]){1, 2, 3}));
    assert_true(is_right(&problem, x, q, (double[]){1, 1, 1}, (uint32_t[]){3, 1, 2}));
    assert_false(is_right(&problem, x, q, (double[]){1, 1, 1}, (uint32_t[]){1, 2, 2}));
    assert_false(is_right(&problem, x, q, (double[]){1, 1, 1}, (uint32_t[]){1, 2, 0}));
    assert_false(is_right(&problem, x, q, (double[]){1, 1, 1}, (uint32_t[]){1, 2, 4}));
    assert_false(is_right(&problem, x, q, (double[]){1, 1, 4}, (uint32_t[]){1, 2, 0}));
    assert_true(is_right(&more, x, q, (double[]){1, 4, INFINITY}, (uint32_t[]){1, 0, 2}));
    assert_false(is_right(&more, x, q, (double[]){1, INFINITY, INFINITY}, (uint32_t[]){1, 2, 2}));
    assert_false(is_right(&more, x, q, (double[]){1, 4, (double)NAN}, (uint32_t[]){1, 0, 2}));
}

/* ---- the tree ------------------------------------------------------------------------------- */

struct job {
    const struct be_problem *problem;
    void *array[4];
    void *scratch;
    struct be_team *team;
    void (*run)(const struct be_work *work);
};

static void share(void *context, int member, int members) {
    const struct job *job = context;
    const struct be_work work = {.problem = job->problem,
                                 .array = job->array,
                                 .items = 1,
                                 .member = member,
                                 .members = members,
                                 .team = job->team,
                                 .scratch = job->scratch};
    job->run(&work);
}

enum { EQUAL, GRID, NO_NUMBERS, SPREAD, KINDS };

static double coordinate(int kind, uint64_t seed, size_t i) {
    const double x = (double)be_random_float(seed, i);
    return kind == EQUAL                           ? 0.5
           : kind == GRID                          ? floor(4 * x)
           : kind == NO_NUMBERS && seed && x < 0.1 ? (double)NAN
                                                   : x;
}

/* Squares of both are the same to the last bit: they are sums of the same terms in the same order. Which points they are
 * may differ. */
static void compare(struct be_team *team, int kind, size_t k) {
    const struct be_problem problem = problem_of(POINTS, QUERIES, k, DIMENSION);
    const size_t bytes = be_neighbours_tree_scratch(&problem, MEMBERS);
    double *x = calloc(POINTS * DIMENSION, sizeof *x);
    double *q = calloc(QUERIES * DIMENSION, sizeof *q);
    double *squares[2] = {calloc(QUERIES * k, sizeof *x), calloc(QUERIES * k, sizeof *x)};
    uint32_t *which = calloc(QUERIES * k, sizeof *which);
    void *scratch = aligned_alloc(ALIGN, (bytes + ALIGN - 1) / ALIGN * ALIGN);
    assert_true(x && q && squares[0] && squares[1] && which && scratch);
    for (size_t i = 0; i < (size_t)POINTS * DIMENSION; i++) {
        x[i] = coordinate(kind, 1, i);
    }
    for (size_t i = 0; i < (size_t)QUERIES * DIMENSION; i++) {
        q[i] = coordinate(kind, 0, i);
    }
    struct job job = {&problem, {x, q, squares[0], which}, scratch, team, be_neighbours_host_all};
    be_team_run(team, share, &job);
    job.array[BE_NEIGHBOURS_SQUARES] = squares[1];
    job.run = be_neighbours_host_tree;
    be_team_run(team, share, &job);
    assert_memory_equal(squares[0], squares[1], QUERIES * k * sizeof *x);
    assert_true(is_right(&problem, x, q, squares[1], which));
    job.run = be_neighbours_host_plain;
    be_team_run(team, share, &job);
    assert_true(is_right(&problem, x, q, squares[1], which));
    free(x);
    free(q);
    free(squares[0]);
    free(squares[1]);
    free(which);
    free(scratch);
}

static void test_tree(void **state) {
    struct be_team *team = open_team(MEMBERS);
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        compare(team, kind, 1);
        compare(team, kind, 7);
        compare(team, kind, BE_NEIGHBOURS_K_MAX);
    }
    be_team_close(team);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
