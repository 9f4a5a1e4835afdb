/* The parameter that is swept where none has several values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/choose.h"
#include "workload/workload.h"

static struct be_plan plan[BE_LIST_MAX];
static int plans;

/* Without several values of any, the first that has a meaning beside the values that were given. */
static bool has_sides(const struct be_problem *problem) {
    return problem->value[1] && problem->value[2];
}

static bool has_none(const struct be_problem *problem) {
    return problem->value[1] == 0;
}

static void check_first(int choices, int swept) {
    static const struct be_parameter parameter[] = {
        {.name = "order", .preset = 32, .min = 1, .max = 99, .from = 1, .to = 9, .idle = has_sides},
        {.name = "m", .max = 99, .from = 1, .to = 9, .idle = has_none},
        {.name = "n", .max = 99, .from = 1, .to = 9},
    };
    static const struct be_workload tile = {
        .name = "tile", .parameter = parameter, .parameters = 3};
    const struct be_workload *list[] = {&tile, NULL};
    const struct be_known known = {.workload = list, .workloads = 1};
    const struct be_compare_options options = {
        .workload = {"tile"},
        .workloads = 1,
        .choice = {{.name = "n", .value = {7}, .values = 1},
                   {.name = "m", .value = {5}, .values = 1}},
        .choices = choices,
    };
    struct be_error error = {0};
    assert_int_equal(be_choose(&options, &known, plan, &plans, &error), BE_OK);
    assert_int_equal(plan[0].problem.swept, swept);
}

static void test_first_with_a_meaning(void **state) {
    (void)state;
    check_first(0, 0);
    check_first(1, 0);
    check_first(2, 1); /* both sides are given: m is, and has one size */
    assert_int_equal(plan[0].sizes, 1);
    assert_int_equal(plan[0].size[0], 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_with_a_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
