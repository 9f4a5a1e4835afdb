/*
 * Time that the others did not need goes to sizes that were not begun for lack of it. Two made-up
 * workloads on the CPU; how long they take is scripted.
 */
#include "made_up.h"
#include "pretend_clock.h"

#include "bench.h"
#include "builtin/builtin.h"

enum { SMALL = 1000, LARGE = 4000 };

static double call_s(const struct be_work *work, double small_s) {
    return small_s * (double)be_problem_size(work->problem) / SMALL;
}

static void host(const struct be_work *work, double small_s) {
    pretend_now_s += work->member == 0 ? call_s(work, small_s) : 0;
    be_workload_multiply.variant[0].host(work);
}

static void host_slow(const struct be_work *work) {
    host(work, 10e-3);
}

static void host_quick(const struct be_work *work) {
    host(work, 1e-5);
}

static const struct be_variant slow_variant = {.name = "plain", .host = host_slow};
static const struct be_variant quick_variant = {.name = "plain", .host = host_quick};
static struct be_workload slow, quick;
const struct be_workload *const __wrap_be_workloads[] = {&slow, &quick, NULL};

static int set_up(void **state) {
    slow = quick = be_workload_multiply;
    slow.name = "slow";
    quick.name = "quick";
    slow.variant = &slow_variant;
    quick.variant = &quick_variant;
    slow.variants = quick.variants = 1;
    return open_places(state);
}

/* "slow 1000, slow 4000, ": what was measured, in its order. */
static void compare(double total_s, char rows[BE_NOTE], char said[BE_NOTE]) {
    const struct be_compare_options options = {.workload = {"slow", "quick"},
                                               .workloads = 2,
                                               .device = {"cpu"},
                                               .devices = 1,
                                               .threads = {1},
                                               .thread_counts = 1,
                                               .size = {SMALL, LARGE},
                                               .sizes = 2,
                                               .quick = true,
                                               .budget_s = 1e-3,
                                               .total_s = total_s,
                                               .precision = 0.5};
    struct be_comparison all;
    CHECK(be_compare(&options, &all, &error));
    rows[0] = said[0] = '\0';
    for (size_t i = 0; i < all.results; i++) {
        const struct be_result *r = &all.result[i];
        const size_t used = strlen(rows);
        assert_int_equal(r->status, BE_RESULT_OK);
        snprintf(rows + used, BE_NOTE - used, "%s %d, ", r->workload, (int)r->size);
    }
    for (size_t i = 0; i < all.remarks; i++) {
        if (strstr(all.remark[i], "left out")) {
            be_copy_text(said, BE_NOTE, all.remark[i]);
        }
    }
    be_comparison_free(&all);
}

/* The large size of the slow one needs 0.24 s, more than its half of what there is. */
static void what_others_leave(void **state) {
    (void)state;
    char rows[BE_NOTE], said[BE_NOTE];
    compare(0.46, rows, said);
    assert_string_equal(rows, "slow 1000, slow 4000, quick 1000, quick 4000, ");
    assert_string_equal(said, "");
    compare(0.3, rows, said);
    assert_string_equal(rows, "slow 1000, quick 1000, quick 4000, ");
    assert_non_null(strstr(said, "slow from 4e3"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_others_leave)};
    return cmocka_run_group_tests_name("time made up", tests, set_up, close_places);
}
