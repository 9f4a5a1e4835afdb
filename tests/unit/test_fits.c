/* Which sizes fit the host's memory: each is judged by itself, since a size may take more than a larger one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "bench/fit.h"
#include "pretend_memory.h"

/* The built-in workloads are known, and are there for good. */
static enum be_status plans_of(const struct be_compare_options *options, struct be_plan *plan,
                               int *plans, struct be_error *error) {
    struct be_known known;
    enum be_status status = be_known_open(options, &known, error);
    status = status == BE_OK ? be_fit_plans(options, &known, plan, plans, error) : status;
    be_known_close(&known);
    return status;
}

enum { POWER = 1 << 20, OTHER = 900000 };

/* A plan for fft of these sizes, which is not run. */
static enum be_status plan_of(uint64_t a, uint64_t b, int sizes, struct be_error *error) {
    static struct be_plan plan[BE_LIST_MAX];
    struct be_compare_options options = {
        .workload = {"fft"}, .workloads = 1, .size = {a, b}, .sizes = sizes, .threads = {1}};
    int plans = 0;
    options.thread_counts = 1;
    options.cache[BE_HOT] = true;
    return plans_of(&options, plan, &plans, error);
}

/* The reference of sizes that are no powers of two works in several times the data. */
static void test_power_fits_where_less_does_not(void **state) {
    struct be_error error;
    (void)state;
    pretend_memory_bytes = 150e6;
    assert_int_equal(plan_of(POWER, 0, 1, &error), BE_OK);
    assert_int_equal(plan_of(OTHER, 0, 1, &error), BE_NOMEM);
    assert_non_null(strstr(error.text, "fft of size 900000 needs 161 MB"));
    assert_int_equal(plan_of(OTHER, POWER, 2, &error), BE_NOMEM);
    pretend_memory_bytes = 600e6;
    assert_int_equal(plan_of(OTHER, POWER, 2, &error), BE_OK);
    pretend_memory_bytes = 20e6;
    assert_int_equal(plan_of(POWER, 0, 1, &error), BE_NOMEM);
}

/* Row pointers of 32 bits: more nonzeros than they count have no data, however much memory there is. */
static void test_what_nobody_takes_is_refused(void **state) {
    static struct be_plan plan[BE_LIST_MAX];
    struct be_compare_options options = {
        .workload = {"spmv"}, .workloads = 1, .size = {10000000}, .sizes = 1, .threads = {1}};
    struct be_error error;
    int plans = 0;
    (void)state;
    options.thread_counts = 1;
    options.cache[BE_HOT] = true;
    options.choice[0] = (struct be_choice){.name = "nonzeros", .value = {256}, .values = 1};
    options.choices = 1;
    pretend_memory_bytes = 1e13;
    assert_int_equal(plans_of(&options, plan, &plans, &error), BE_USAGE);
    assert_string_equal(error.text, "spmv of size 10000000: it takes fewer than 2^31 nonzeros");
    options.size[0] = 3000000;
    assert_int_equal(plans_of(&options, plan, &plans, &error), BE_OK);
    options.sizes = 0; /* of a range some are left out */
    options.size_from = 3000000;
    options.size_to = 10000000;
    assert_int_equal(plans_of(&options, plan, &plans, &error), BE_OK);
    options.size_from = 9000000;
    assert_int_equal(plans_of(&options, plan, &plans, &error), BE_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_power_fits_where_less_does_not),
                                       cmocka_unit_test(test_what_nobody_takes_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
