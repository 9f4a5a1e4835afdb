/* The demand of a call of `solve`: where float32 factors may serve, their operations are held apart; elsewhere not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "builtin/builtin.h"
#include "model/demand.h"

/* By hand, of order 256: 2/3 n^3 - n^2/2 - n/6 and 2 n^2 - n. */
static const double factors = 11152000, triangles = 130816;

static struct be_demand demand_of(uint64_t systems, enum be_real real, bool work) {
    struct be_problem problem = be_problem_preset(be_workload_find("solve"));
    problem.value[0] = systems;
    problem.value[1] = 256;
    problem.real = real;
    const struct be_shape shape = be_problem_shape(&problem);
    const struct be_demand_call call = {.problem = &problem,
                                        .shape = &shape,
                                        .variant = be_variant_find(problem.workload, "library"),
                                        .items = shape.items,
                                        .work = work,
                                        .instances = 1};
    assert_true(shape.operations == (double)systems * (factors + triangles));
    return be_demand_of(&call, shape.operations);
}

static void check(struct be_demand demand, double operations, double narrow) {
    assert_true(demand.operations == operations);
    assert_true(demand.narrow == narrow);
}

static void test_few_large_systems(void **state) {
    (void)state;
    check(demand_of(3, BE_REAL64, true), 3 * triangles, 3 * factors);
    check(demand_of(3, BE_REAL64, false), 0, 0); /* copies alone */
}

/* `refined` does not take them: float32 does not serve. */
static void test_others(void **state) {
    (void)state;
    check(demand_of(65, BE_REAL64, true), 65 * (factors + triangles), 0);
    check(demand_of(3, BE_REAL32, true), 3 * (factors + triangles), 0);
}

/* The limit of one large system is that of its factors, not of its memory. */
static void test_limit(void **state) {
    (void)state;
    const struct be_ceilings cpu = {.memory = {{.bytes = 1e9, .rate = 50e9}},
                                    .points = 1,
                                    .cache_bytes = 1e3,
                                    .operations = {2e9, 1e9, 2e9, 1e9}};
    const struct be_demand one = demand_of(1, BE_REAL64, true);
    enum be_limit by;
    assert_true(be_limit_seconds(&cpu, &one, &by) == factors / 2e9);
    assert_int_equal(by, BE_BY_OPERATIONS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_large_systems),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
