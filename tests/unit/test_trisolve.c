/* trisolve: its levels against the rows that wait for one another, the reference by hand and against L y = b, and the CPU's
 * code alone and in a team. That devices agree with the reference: tests/contract/test_workloads.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "team.h"
#include "workload/trisolve/trisolve.h"
#include "workload_list.h"

enum { ROWS = 61 };

static int32_t start[ROWS + 1];
static int32_t column[3 * ROWS];
static double value[3 * ROWS];
static int32_t order[ROWS];
static int32_t first[2 * ROWS + 2];
static double b[ROWS];
static double y[ROWS];
static double right[ROWS];
static void *const array[] = {start, column, value, order, first, b, y};

static struct be_problem problem_of(uint64_t rows) {
    struct be_problem problem = be_problem_preset(&be_workload_trisolve);
    problem.value[0] = rows;
    return problem;
}

static struct be_work work_of(const struct be_problem *problem, struct be_team *team) {
    return (struct be_work){
        .problem = problem, .array = array, .items = 1, .members = 1, .team = team};
}

/* Every row is in one level, after those that it needs; and L y = b. */
static void test_levels(void **state) {
    struct be_team *team = open_team(1);
    (void)state;
    for (uint64_t n = 1; n <= ROWS; n++) {
        const struct be_problem problem = problem_of(n);
        const struct be_work work = work_of(&problem, team);
        const struct be_trisolve_sizes s = be_trisolve_sizes_of(&problem);
        size_t level_of[ROWS] = {0};
        be_workload_trisolve.fill(&work, n);
        be_workload_trisolve.reference(&work, right);
        assert_int_equal(start[n], s.nonzeros);
        assert_int_equal(first[s.levels], n);
        for (size_t level = 0; level < s.levels; level++) {
            for (int32_t k = first[level]; k < first[level + 1]; k++) {
                assert_in_range(order[k], 0, n - 1);
                assert_int_equal(level_of[order[k]], 0);
                level_of[order[k]] = level + 1;
            }
        }
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            assert_true(level_of[i] > 0);
            assert_int_equal(column[start[i + 1] - 1], i);
            for (int32_t j = start[i]; j < start[i + 1]; j++) {
                sum += value[j] * right[column[j]];
                assert_true((size_t)column[j] == i || level_of[column[j]] < level_of[i]);
            }
            assert_true(fabs(sum - b[i]) < 1e-14);
        }
    }
    be_team_close(team);
}

/* Two lines of two points, and 4.1 on the right: 1, 1 + 1 / 4.1 twice, then 1 + twice that / 4.1. */
static void test_by_hand(void **state) {
    struct be_team *team = open_team(1);
    const struct be_problem problem = problem_of(4);
    const struct be_work work = work_of(&problem, team);
    const double second = 1 + 1 / 4.1;
    (void)state;
    be_workload_trisolve.fill(&work, 1);
    for (int i = 0; i < 4; i++) {
        b[i] = 4.1;
    }
    be_workload_trisolve.reference(&work, right);
    assert_true(fabs(right[0] - 1) + fabs(right[1] - second) + fabs(right[2] - second) < 1e-15);
    assert_true(fabs(right[3] - (1 + 2 * second / 4.1)) < 1e-15);
    be_team_close(team);
}

struct shared {
    const struct be_problem *problem;
    struct be_team *team;
    void (*host)(const struct be_work *work);
};

static void run_member(void *context, int member, int members) {
    const struct shared *shared = context;
    struct be_work work = work_of(shared->problem, shared->team);
    work.member = member;
    work.members = members;
    shared->host(&work);
}

static void test_host(void **state) {
    static void (*const code[])(const struct be_work *work) = {be_trisolve_host_serial,
                                                               be_trisolve_host_levels};
    (void)state;
    for (int run = 0; run < 4; run++) {
        struct be_team *team = open_team(run < 2 ? 1 : 3);
        for (uint64_t n = 1; n <= ROWS; n += 12) {
            const struct be_problem problem = problem_of(n);
            const struct be_work work = work_of(&problem, team);
            double difference = 0;
            double norm = 0;
            be_workload_trisolve.fill(&work, 5);
            be_workload_trisolve.reference(&work, right);
            memset(y, 0xff, sizeof y);
            be_team_run(team, run_member, &(struct shared){&problem, team, code[run % 2]});
            be_workload_trisolve.residual(&work, right, &difference, &norm);
            assert_true(sqrt(difference / norm) <= be_problem_shape(&problem).tolerance);
            assert_true(n == ROWS || isnan(y[n]));
        }
        be_team_close(team);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
