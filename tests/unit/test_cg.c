/* cg: the matrix against its grid, the reference against what solves the system, and the CPU's code in every instruction set,
 * alone and in a team. That devices agree with the reference: tests/contract/test_workloads.c. */
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
#include "team.h"
#include "workload/cg/cg.h"
#include "workload/numbers.h"
#include "workload_list.h"

enum { ROWS = 77, NONZEROS = 5 * ROWS, SCRATCH = 65536 };

static int32_t start[ROWS + 1];
static int32_t column[NONZEROS];
static double value[NONZEROS];
static double b[ROWS];
static double x[ROWS];
static double right[4 * ROWS];
static _Alignas(64) char scratch[SCRATCH];
static void *const array[] = {start, column, value, b, x};

static struct be_problem problem_of(uint64_t rows, uint64_t iterations) {
    struct be_problem problem = be_problem_preset(&be_workload_cg);
    problem.value[BE_CG_ROWS] = rows;
    problem.value[BE_CG_ITERATIONS] = iterations;
    return problem;
}

static struct be_work work_of(const struct be_problem *problem, struct be_team *team) {
    return (struct be_work){.problem = problem,
                            .array = array,
                            .items = 1,
                            .members = 1,
                            .team = team,
                            .scratch = scratch};
}

/* Row i of A times v, by the grid. */
static double times(size_t n, const double *v, size_t i) {
    const size_t wide = (size_t)sqrt((double)n);
    double sum = 4.1 * v[i];
    sum -= i % wide ? v[i - 1] : 0;
    sum -= (i + 1) % wide && i + 1 < n ? v[i + 1] : 0;
    sum -= i >= wide ? v[i - wide] : 0;
    return sum - (i + wide < n ? v[i + wide] : 0);
}

/* Iterations enough solve it, and thousands more change nothing: every row of A x is b. */
static void test_solves(void **state) {
    struct be_team *team = open_team(1);
    (void)state;
    for (uint64_t n = 1; n <= ROWS; n += n < 10 ? 1 : 13) {
        const struct be_problem problem = problem_of(n, n < 10 ? 3000 : 200);
        const struct be_work work = work_of(&problem, team);
        be_workload_cg.fill(&work, 3);
        assert_int_equal(start[n], be_cg_sizes_of(&problem).nonzeros);
        be_workload_cg.reference(&work, right);
        for (size_t i = 0; i < n; i++) {
            assert_true(fabs(times(n, right, i) - b[i]) < 1e-13);
        }
    }
    be_team_close(team);
}

/* By hand: 4.1 x = b takes one iteration; of two unknowns one iteration goes along b. */
static void test_by_hand(void **state) {
    struct be_team *team = open_team(1);
    const struct be_problem one = problem_of(1, 1);
    const struct be_problem two = problem_of(2, 1);
    const struct be_work first = work_of(&one, team);
    const struct be_work second = work_of(&two, team);
    (void)state;
    be_workload_cg.fill(&first, 1);
    b[0] = 8.2;
    be_workload_cg.reference(&first, right);
    assert_true(fabs(right[0] - 2) < 1e-15);
    be_workload_cg.fill(&second, 1);
    assert_true(value[0] == 4.1 && value[1] == -1 && value[2] == -1 && value[3] == 4.1);
    b[0] = 1;
    b[1] = 0;
    be_workload_cg.reference(&second, right);
    assert_true(fabs(right[0] - 1 / 4.1) < 1e-15 && right[1] == 0);
    be_team_close(team);
}

struct shared {
    const struct be_problem *problem;
    struct be_team *team;
};

static void run_member(void *context, int member, int members) {
    const struct shared *shared = context;
    struct be_work work = work_of(shared->problem, shared->team);
    work.member = member;
    work.members = members;
    be_cg_host(&work);
}

static double error_of(const struct be_problem *problem, struct be_team *team) {
    const struct be_work work = work_of(problem, team);
    double difference = 0;
    double norm = 0;
    be_workload_cg.residual(&work, right, &difference, &norm);
    return sqrt(difference / norm);
}

/* Alone, and by three members; an iteration too few is not right. */
static void test_host(void **state) {
    (void)state;
    for (int members = 1; members <= 3; members += 2) {
        struct be_team *team = open_team(members);
        for (uint64_t n = 1; n <= ROWS; n += 19) {
            struct be_problem problem = problem_of(n, 6);
            const struct be_work work = work_of(&problem, team);
            const double tolerance = be_problem_shape(&problem).tolerance;
            be_workload_cg.fill(&work, 5);
            be_workload_cg.reference(&work, right);
            assert_true(be_cg_host_scratch(&problem, members) <= SCRATCH);
            memset(x, 0xff, sizeof x);
            be_team_run(team, run_member, &(struct shared){&problem, team});
            assert_true(error_of(&problem, team) <= tolerance);
            problem.value[BE_CG_ITERATIONS] = 5;
            be_team_run(team, run_member, &(struct shared){&problem, team});
            assert_true(n < 6 || error_of(&problem, team) > tolerance);
        }
        be_team_close(team);
    }
}

/* Each loop in every set. */
static void test_sets(void **state) {
    static be_cg_sum *const begin[] = EACH(be_cg_begin_64);
    static be_cg_sum *const product[] = EACH(be_cg_product_64);
    static be_cg_scaled *const update[] = EACH(be_cg_update_64);
    static be_cg_scaled *const turn[] = EACH(be_cg_turn_64);
    const struct be_problem problem = problem_of(ROWS, 1);
    struct be_team *team = open_team(1);
    const struct be_work work = work_of(&problem, team);
    double r[ROWS];
    double p[ROWS];
    double q[ROWS];
    const struct be_cg_part part = {start, column, value, b, x, r, p, q, 3, ROWS - 1, NULL, NULL};
    (void)state;
    be_workload_cg.fill(&work, 7);
    for (int set = 0; set < sets_here(); set++) {
        double square = 0;
        double along = 0;
        memset(p, 0, sizeof p);
        memset(r, 0, sizeof r);
        const double found = begin[set](&part);
        const double found_along = product[set](&part);
        for (size_t i = part.first; i < part.end; i++) {
            square += b[i] * b[i];
            along += p[i] * times(ROWS, p, i);
            assert_true(x[i] == 0 && r[i] == b[i] && fabs(q[i] - times(ROWS, p, i)) < 1e-14);
        }
        assert_true(fabs(found - square) < 1e-12 && fabs(found_along - along) < 1e-12);
        (void)update[set](&part, 0.5);
        (void)turn[set](&part, 2);
        for (size_t i = part.first; i < part.end; i++) {
            assert_true(fabs(x[i] - 0.5 * b[i]) < 1e-15);
            assert_true(fabs(r[i] - (b[i] - 0.5 * q[i])) < 1e-14);
            assert_true(fabs(p[i] - (r[i] + 2 * b[i])) < 1e-14);
        }
        assert_true(p[2] == 0 && p[ROWS - 1] == 0);
    }
    be_team_close(team);
}

/* ---- rows that are alike ------------------------------------------------------------------- */

enum { MANY = 1000, MANY_SCRATCH = 1 << 18 }; /* wider than two groups of either type */

static struct {
    int32_t start[MANY + 1], column[5 * MANY];
    double value[5 * MANY], b[MANY], x[MANY], right[4 * MANY];
    double p[MANY], q[MANY], plain[MANY];
    struct be_cg_run run[MANY];
    _Alignas(64) char dealt[BE_CG_RUN_MOST * 8 * MANY], scratch[MANY_SCRATCH];
} many;

static void *const many_array[] = {many.start, many.column, many.value, many.b, many.x};

static void run_runs(void *context, int member, int members) {
    const struct be_work *shared = context;
    struct be_work work = *shared;
    work.member = member;
    work.members = members;
    be_cg_host_runs(&work);
}

/* Both types, alone and by three members; without its scratch memory's end touched. */
static void test_runs(void **state) {
    (void)state;
    for (int members = 1; members <= 3; members += 2) {
        struct be_team *team = open_team(members);
        for (int real = BE_REAL32; real <= BE_REAL64; real++) {
            struct be_problem problem = problem_of(MANY, 5);
            problem.real = (enum be_real)real;
            struct be_work work = {.problem = &problem,
                                   .array = many_array,
                                   .items = 1,
                                   .members = 1,
                                   .team = team,
                                   .scratch = many.scratch};
            const size_t bytes = be_cg_runs_scratch(&problem, members);
            double difference = 0;
            double norm = 0;
            assert_true(bytes < MANY_SCRATCH);
            memset(many.scratch, 0x55, sizeof many.scratch);
            be_workload_cg.fill(&work, 5);
            be_workload_cg.reference(&work, many.right);
            memset(many.x, 0xff, sizeof many.x);
            be_team_run(team, run_runs, &work);
            assert_true(many.scratch[bytes] == 0x55);
            be_workload_cg.residual(&work, many.right, &difference, &norm);
            assert_true(sqrt(difference / norm) <= be_problem_shape(&problem).tolerance);
        }
        be_team_close(team);
    }
}

/* Groups of rows that are alike; what the runs make of A p is held against the rows one by one. */
static size_t check_runs(const struct be_cg_part *part, be_cg_sum *const code[3], size_t group,
                         bool wide) {
    struct be_cg_part plain = *part;
    size_t alike = 0;
    plain.q = many.plain;
    const double right_sum = code[0](&plain);
    memset(many.run, 0x55, sizeof many.run);
    memset(many.q, 0xff, sizeof many.q);
    (void)code[1](part);
    const double sum = code[2](part);
    for (size_t i = 0; i < part->end / group; i++) {
        alike += many.run[i].length > 0;
    }
    assert_true(fabs(sum - right_sum) < 1e-4 * fabs(right_sum));
    for (size_t i = part->first; i < part->end; i++) {
        const double q = wide ? many.q[i] : (double)((const float *)(const void *)many.q)[i];
        const double right_q =
            wide ? many.plain[i] : (double)((const float *)(const void *)many.plain)[i];
        assert_true(fabs(q - right_q) < (wide ? 1e-14 : 1e-5));
    }
    return alike;
}

/* Rows of a grid 31 wide, in every set; where a column is another one, or a row longer, a group is no run. */
static void test_alike(void **state) {
    static be_cg_sum *const plain[][BE_SIMDS] = {EACH(be_cg_product_32), EACH(be_cg_product_64)};
    static be_cg_sum *const deal[][BE_SIMDS] = {EACH(be_cg_deal_32), EACH(be_cg_deal_64)};
    static be_cg_sum *const runs[][BE_SIMDS] = {EACH(be_cg_runs_32), EACH(be_cg_runs_64)};
    struct be_team *team = open_team(1);
    (void)state;
    for (int set = 0; set < 2 * sets_here(); set++) {
        const bool wide = set % 2 == 1;
        be_cg_sum *const code[] = {plain[wide][set / 2], deal[wide][set / 2], runs[wide][set / 2]};
        const size_t group = wide ? 8 : 16;
        struct be_problem problem = problem_of(MANY, 1);
        problem.real = wide ? BE_REAL64 : BE_REAL32;
        const struct be_work work = {.problem = &problem,
                                     .array = many_array,
                                     .items = 1,
                                     .members = 1,
                                     .team = team,
                                     .scratch = many.scratch};
        be_workload_cg.fill(&work, 7);
        for (size_t i = 0; i < MANY; i++) {
            be_number_set(problem.real, many.p, i, sin((double)i));
        }
        const struct be_cg_part part = {.start = many.start,
                                        .column = many.column,
                                        .value = many.value,
                                        .p = many.p,
                                        .q = many.q,
                                        .run = many.run,
                                        .dealt = many.dealt,
                                        .end = MANY - 3};
        const size_t alike = check_runs(&part, code, group, wide);
        assert_true(alike > MANY / group / 4);
        /* Rows 32 to 47 have all their neighbours. */
        many.column[many.start[44] + 1] = 3;
        assert_int_equal(check_runs(&part, code, group, wide), alike - 1);
    }
    be_team_close(team);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solves), cmocka_unit_test(test_by_hand), cmocka_unit_test(test_host),
        cmocka_unit_test(test_sets),   cmocka_unit_test(test_runs),    cmocka_unit_test(test_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
