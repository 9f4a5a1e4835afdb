/* axpy: its reference on values known by hand. That all code agrees with it: tests/contract/test_workloads.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workload_list.h"

static void test_reference(void **state) {
    struct be_problem problem = be_problem_preset(&be_workload_axpy);
    float y[] = {1, -3, 0.5F};
    float x[] = {2, 0, -1};
    float z[3];
    void *const array[] = {y, x, z};
    const struct be_work work = {.problem = &problem, .array = array, .items = 3, .members = 1};
    double right[3];
    (void)state;
    be_workload_axpy.reference(&work, right);
    assert_true(right[0] == 6 && right[1] == -3 && right[2] == -2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
