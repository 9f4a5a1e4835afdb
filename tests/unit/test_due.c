/* How the time of a comparison is shared out, with a clock that is a number; what a look leaves out; and that
 * each workload has a row where there is no time at all. */
#include "pretend_ceilings.h"

#include "bench.h"

#include "bench/time_budget.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-9)

static void test_share(void **state) {
    (void)state;
    NEAR(be_due_share(10, 40, 1, 3), 20);
    NEAR(be_due_share(10, 40, 5, 5), 40);
    NEAR(be_due_share(10, 40, 7, 5), 40); /* never after the end */
    NEAR(be_due_share(50, 40, 1, 3), 50); /* it is over: no time, not less than none */
    NEAR(be_due_share(50, 40, 1, 1), 50);
    assert_true(isinf(be_due_share(10, INFINITY, 1, 3)));
    assert_true(isinf(be_due_share(10, INFINITY, 0, 0)));
}

static void test_budget(void **state) {
    (void)state;
    NEAR(be_due_budget(10, 20, 4, 0.05), 0.05); /* the usual one, where there is time */
    NEAR(be_due_budget(10, 10.1, 4, 0.05), 0.025);
    NEAR(be_due_budget(10, 9, 4, 0.05), 0.005); /* over: the least that says something */
    NEAR(be_due_budget(10, 10.01, 4, 0.05), 0.005);
    NEAR(be_due_budget(10, 10.02, 0, 0.05), 0.02); /* nothing to sample */
    NEAR(be_due_budget(10, INFINITY, 400, 0.25), 0.25);
}

static void test_sizes(void **state) {
    (void)state;
    struct be_due due = be_due_from(100, 90);
    be_due_workload(&due, 100, 1, 3); /* until 130 */
    assert_true(be_due_size(&due, 100, 0, 3, 1e9) && due.first);
    NEAR(due.size_s, 110);
    assert_true(be_due_goes_on(&due, 1e6)); /* the first goes on whatever the time */
    assert_true(be_due_size(&due, 104, 1, 3, 25) && !due.first);
    NEAR(due.size_s, 117);
    assert_true(be_due_goes_on(&due, 129));
    assert_false(due.over);
    assert_false(be_due_goes_on(&due, 131));
    assert_true(due.over);
    assert_false(be_due_size(&due, 110, 2, 3, 21)); /* foreseen to end after 130 */
    assert_true(be_due_size(&due, 110, 2, 3, NAN)); /* nobody knows */
    assert_false(be_due_size(&due, 130, 2, 3, NAN));
    due.brief = true;
    be_due_workload(&due, 150, 1, 2); /* it took 20 more: of both that are left */
    NEAR(due.workload_s, 170);
    assert_true(due.first && !due.over && !due.brief);
}

static void test_no_end(void **state) {
    (void)state;
    struct be_due due = be_due_from(1, INFINITY);
    be_due_workload(&due, 5, 3, 30);
    assert_true(be_due_size(&due, 1e9, 4, 5, 1e9) && be_due_goes_on(&due, 1e12));
    assert_true(isinf(due.size_s));
}

/* Workloads that take all they get, with one among them that does not let itself be stopped: those
 * after it have less, each the same, and none has nothing. */
static void test_last_is_not_starved(void **state) {
    (void)state;
    enum { WORKLOADS = 18, LONG = 5 };
    struct be_due due = be_due_from(0, 150);
    double now_s = 10; /* opening took that */
    double share_s[WORKLOADS];
    for (int i = 0; i < WORKLOADS; i++) {
        be_due_workload(&due, now_s, 1, WORKLOADS - i);
        share_s[i] = due.workload_s - now_s;
        now_s = i == LONG ? now_s + 60 : due.workload_s;
    }
    NEAR(now_s, 150);
    for (int i = 0; i < WORKLOADS; i++) {
        NEAR(share_s[i], i <= LONG ? 140.0 / 18 : (140 - 5 * 140.0 / 18 - 60) / 12);
    }
}

static void test_notes(void **state) {
    (void)state;
    struct be_due due = be_due_from(0, 1);
    be_due_note_left_out(&due, "sort", 30000000);
    be_due_note_left_out(&due, "nbody", 65536);
    assert_string_equal(due.left_out, "sort from 3e7, nbody from 65536");
    for (int i = 0; i < 100; i++) { /* ends where the note ends */
        be_due_note_brief(&due, "mandelbrot");
    }
    assert_int_equal(strlen(due.sampled_briefly), BE_NOTE - 1);
}

/* ---- what a look leaves out ----------------------------------------------------------------- */

static bool left_out(const struct be_machine *machine, int device, bool quick, const char *word) {
    char why[BE_NOTE];
    bool out = be_session_unasked(machine, &machine->device[device], quick, why);
    assert_true(*word ? strstr(why, word) != NULL : !*why);
    return out;
}

static void test_unasked(void **state) {
    (void)state;
    struct be_machine machine = {
        .devices = 4,
        .device = {{.id = "cpu", .kind = BE_KIND_CPU},
                   {.id = "opencl:0", .kind = BE_KIND_CPU, .same_as = "cpu"},
                   {.id = "cuda:0", .kind = BE_KIND_GPU},
                   {.id = "opencl:1", .kind = BE_KIND_GPU, .same_as = "cuda:0"}}};
    assert_true(left_out(&machine, 1, true, "--device=cuda:0,opencl:0 measures both"));
    assert_true(left_out(&machine, 1, false, "opencl:0 is the CPU"));
    assert_false(left_out(&machine, 2, true, ""));
    assert_true(left_out(&machine, 3, true, "--device=cuda:0,opencl:1 has both"));
    assert_true(left_out(&machine, 3, false, "cuda:0 shows too"));
    machine.devices = 2; /* no GPU: it is no GPU either */
    assert_true(left_out(&machine, 1, true, "--device=opencl:0 measures it"));
}

/* A node of four GPUs, two of them of one model, and each seen by OpenCL as well. */
static void test_unasked_alike(void **state) {
    (void)state;
    struct be_machine machine = {
        .devices = 8,
        .device = {{.id = "cpu", .backend = "cpu", .kind = BE_KIND_CPU},
                   {.id = "cuda:0", .backend = "cuda", .name = "A", .kind = BE_KIND_GPU},
                   {.id = "cuda:1", .backend = "cuda", .name = "A", .kind = BE_KIND_GPU},
                   {.id = "cuda:2", .backend = "cuda", .name = "B", .kind = BE_KIND_GPU},
                   {.id = "cuda:3", .backend = "cuda", .name = "A", .kind = BE_KIND_GPU},
                   {.id = "opencl:0", .name = "A", .kind = BE_KIND_GPU, .same_as = "cuda:0"},
                   {.id = "opencl:1", .name = "A", .kind = BE_KIND_GPU, .same_as = "cuda:1"},
                   {.id = "opencl:2", .name = "B", .kind = BE_KIND_GPU, .same_as = "cuda:2"}}};
    assert_false(left_out(&machine, 1, true, ""));
    assert_true(left_out(&machine, 2, true,
                         "cuda:1 and 1 more: A like cuda:0: left out of a look (--device=cuda "
                         "looks at each)"));
    assert_false(left_out(&machine, 3, true, ""));
    assert_true(left_out(&machine, 4, true, "")); /* said of cuda:1 */
    assert_true(left_out(&machine, 5, true, "cuda:0 shows too"));
    assert_true(left_out(&machine, 6, true, "")); /* as is what shows it */
    assert_true(left_out(&machine, 7, true, "cuda:2 shows too"));
    assert_false(left_out(&machine, 2, false, "")); /* a whole comparison takes each */
    assert_true(left_out(&machine, 6, false, "cuda:1 shows too"));
    machine.device[2].units = 16; /* a part of one is another */
    assert_false(left_out(&machine, 2, true, ""));
}

/* ---- whole comparisons ---------------------------------------------------------------------- */

static const char *const asked[] = {"power", "multiply", "reduce"};

static struct be_comparison compared(double total_s) {
    struct be_compare_options options = {.device = {"null"},
                                         .devices = 1,
                                         .threads = {1},
                                         .thread_counts = 1,
                                         .size = {100, 2048, 5000},
                                         .sizes = 3,
                                         .quick = true,
                                         .budget_s = 1e-3,
                                         .total_s = total_s,
                                         .precision = 0.5};
    struct be_comparison all;
    for (size_t i = 0; i < BE_COUNT(asked); i++) {
        options.workload[options.workloads++] = asked[i];
    }
    setenv("BREAKEVEN_NULL", "1", 1);
    CHECK(be_compare(&options, &all, &error));
    return all;
}

/* Sizes of a workload at which something was measured. */
static int sizes_of(const struct be_comparison *all, const char *workload) {
    int sizes = 0;
    uint64_t last = 0;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        if (strcmp(r->workload, workload) == 0 && r->status == BE_RESULT_OK && r->size != last) {
            assert_true(r->phase[BE_TOTAL].n > 0);
            last = r->size;
            sizes++;
        }
    }
    return sizes;
}

static bool is_said(const struct be_comparison *all, const char *one, const char *other) {
    for (size_t i = 0; i < all->remarks; i++) {
        if (strstr(all->remark[i], one) && strstr(all->remark[i], other)) {
            return true;
        }
    }
    return false;
}

static void test_without_time_each_has_a_row(void **state) {
    (void)state;
    struct be_comparison all = compared(1e-9);
    assert_false(all.partial);
    for (size_t i = 0; i < BE_COUNT(asked); i++) {
        char from[BE_NAME];
        snprintf(from, sizeof from, "%s from 2048", asked[i]);
        assert_int_equal(sizes_of(&all, asked[i]), 1);
        assert_true(is_said(&all, "left out", from));
        assert_true(is_said(&all, "sampled for less time", asked[i]));
    }
    size_t of_best = 0;
    for (size_t i = 0; i < all.breakevens; i++) {
        of_best += !all.breakeven[i].callable;
    }
    assert_int_equal(of_best, 6); /* of three placements; that device has no `reduce` */
    assert_true(is_said(&all, "limits: measured in", "breakeven probe"));
    assert_true(pretended_limit_s > 1e-10 && pretended_limit_s < 3e-10); /* a fifth of all */
    be_comparison_free(&all);
}

static void test_with_time_nothing_is_left_out(void **state) {
    (void)state;
    struct be_comparison all = compared(1e9);
    for (size_t i = 0; i < BE_COUNT(asked); i++) {
        assert_int_equal(sizes_of(&all, asked[i]), 3);
    }
    assert_false(is_said(&all, "left out", ""));
    assert_false(is_said(&all, "less time", ""));
    assert_false(is_said(&all, "limits:", ""));
    be_comparison_free(&all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_no_end),
        cmocka_unit_test(test_last_is_not_starved),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_unasked),
        cmocka_unit_test(test_unasked_alike),
        cmocka_unit_test(test_without_time_each_has_a_row),
        cmocka_unit_test(test_with_time_nothing_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
