/* Products step after step on the CPU against a matrix by hand, and what a limit counts of them. */
#include "team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "builtin/builtin.h"
#include "model/demand.h"
#include "workload/spmv/spmv.h"

enum { ROWS = 100, STEPS_MAX = 8 };

/* Row i has 2 in column i and 1 in the column after it. */
static int32_t start[ROWS + 1], column[2 * ROWS];
static float value[2 * ROWS], x[ROWS], y[ROWS];

struct run {
    struct be_work work;
    void (*host)(const struct be_work *work);
};

static void member(void *context, int at, int members) {
    const struct run *run = context;
    struct be_work work = run->work;
    work.member = at;
    work.members = members;
    run->host(&work);
}

static struct be_problem problem_of(uint64_t steps) {
    struct be_problem problem = be_problem_preset(&be_workload_spmv);
    problem.real = BE_REAL32;
    problem.value[BE_SPMV_ROWS] = ROWS;
    problem.value[BE_SPMV_NONZEROS] = 2;
    problem.value[BE_SPMV_BAND] = ROWS;
    problem.value[BE_SPMV_STEPS] = steps;
    return problem;
}

static void multiply(const struct be_problem *problem, int members,
                     void (*host)(const struct be_work *work)) {
    void *array[] = {start, column, value, x, y};
    const size_t bytes = be_spmv_host_scratch(problem, members);
    struct be_team *team = open_team(members);
    struct run run = {
        .host = host,
        .work = {.problem = problem,
                 .array = array,
                 .items = 1,
                 .team = team,
                 .scratch = aligned_alloc(BE_WHOLE_ALIGN,
                                          bytes + BE_WHOLE_ALIGN - bytes % BE_WHOLE_ALIGN)}};
    assert_non_null(run.work.scratch);
    memset(run.work.scratch, 0xff, bytes); /* nothing is read there before it is written */
    memset(y, 0xff, sizeof y);
    be_team_run(team, member, &run);
    free(run.work.scratch);
    be_team_close(team);
}

static void make_matrix(void) {
    for (int32_t i = 0; i < ROWS; i++) {
        start[i + 1] = 2 * (i + 1);
        column[2 * i] = i;
        column[2 * i + 1] = (i + 1) % ROWS;
        value[2 * i] = 2;
        value[2 * i + 1] = 1;
    }
}

/* |x| = 1 of equal numbers is 0.1 each: any product is three times that. With the first number alone, the second step has
 * (2, 0 ... 1) / sqrt(5) times the matrix. */
static void check(void (*host)(const struct be_work *work)) {
    for (int members = 1; members <= 3; members += 2) {
        for (uint64_t steps = 2; steps <= STEPS_MAX; steps++) {
            const struct be_problem problem = problem_of(steps);
            for (int i = 0; i < ROWS; i++) {
                x[i] = 7;
            }
            multiply(&problem, members, host);
            for (int i = 0; i < ROWS; i++) {
                assert_true(fabsf(y[i] - 0.3F) < 1e-5F);
            }
        }
        const struct be_problem two = problem_of(2);
        memset(x, 0, sizeof x);
        x[0] = 1;
        multiply(&two, members, host);
        assert_true(fabs((double)y[0] - 4 / sqrt(5)) < 1e-6);
        assert_true(fabs((double)y[ROWS - 1] - 4 / sqrt(5)) < 1e-6);
        assert_true(fabs((double)y[ROWS - 2] - 1 / sqrt(5)) < 1e-6);
        assert_true(y[1] == 0);
        x[0] = 0; /* nothing to divide by */
        multiply(&two, members, host);
        assert_true(y[0] == 0 && y[ROWS - 1] == 0);
    }
}

static void test_own(void **state) {
    (void)state;
    make_matrix();
    check(be_spmv_host);
}

static void test_plain(void **state) {
    (void)state;
    make_matrix();
    check(be_spmv_host_plain);
}

/* Each step goes through the matrix, in the memory that one matrix fits: also where many lie side by side. */
static void test_limit(void **state) {
    const struct be_ceilings cpu = {
        .memory = {{.bytes = 1e5, .rate = 100e9}, {.bytes = 1e9, .rate = 10e9}},
        .points = 2,
        .cache_bytes = 1e5,
        .operations = {1e15, 1e15, 1e15, 1e15}};
    const struct be_problem once = problem_of(1);
    const struct be_problem often = problem_of(11);
    const struct be_shape one = be_problem_shape(&once);
    const struct be_shape many = be_problem_shape(&often);
    struct be_demand_call call = {.problem = &often,
                                  .shape = &many,
                                  .variant = &be_workload_spmv.variant[0],
                                  .items = 1,
                                  .work = true,
                                  .instances = 1};
    char text[64];
    enum be_limit by;
    (void)state;
    assert_true(one.again == 0 && one.dependent == 0 && many.bytes == one.bytes);
    assert_true(many.again == 10 * one.bytes);
    struct be_demand demand = be_demand_of(&call, many.operations);
    assert_true(fabs(be_limit_seconds(&cpu, &demand, &by) - 11 * one.bytes / 100e9) < 1e-15);
    call.instances = 1000000;
    demand = be_demand_of(&call, many.operations);
    assert_true(fabs(be_limit_seconds(&cpu, &demand, &by) - one.bytes / 10e9 -
                     10 * one.bytes / 100e9) < 1e-15);
    be_problem_text(&once, text, sizeof text);
    assert_null(strstr(text, "steps")); /* called as before there were steps */
    be_problem_text(&often, text, sizeof text);
    assert_non_null(strstr(text, "steps 11"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own), cmocka_unit_test(test_plain),
                                       cmocka_unit_test(test_limit)};
    return cmocka_run_group_tests_name("products step after step", tests, NULL, NULL);
}
