/* Rules about cores on traces made up here: who took them, which of them may be used, what the kernel does on
 * them. */
#include "made_findings.h"

/* Where a thread waits for a core nothing else of it goes on: what it would do with cores of its own is told by the
 * rest of the time. An fsync loop on a full machine is no core's worth of work. */
static void waiting_is_no_work(void **state) {
    (void)state;
    const struct given loop[] = {
        {BE_RUN_WAIT, 0, 0.98}, {BE_RUNNABLE, 0, 0.9}, {BE_BLOCKED, 0, 0.4}};
    struct be_trace fsyncs;
    make(&fsyncs, TICKS, 0.012, loop, 3);
    assert_true(fabs(be_look_demand(&fsyncs) - 0.012 / (1 - (0.6 - 0.012))) < 1e-3);
    be_trace_close(&fsyncs);
    EXPECT("cores-idle", 0.012, loop[0], loop[1], loop[2]);
    EXPECT("cores-taken", 0.012, loop[0], loop[1], loop[2], {BE_CPU_BUSY, 0, 0.012},
           {BE_NODE_CPU, 0, 3.9});
}

/* The one finding that there is costs so many of the 20 s. */
static void costs(const char *name, double cost_s, double cores, const struct given *list,
                  size_t count) {
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, cores, list, count);
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_string_equal(found[0].name, name);
    if (!(fabs(found[0].cost_s - cost_s) < 1e-3)) {
        fail_msg("%s costs %g s, not %g", name, found[0].cost_s, cost_s);
    }
    be_trace_close(&made);
}

/* A serial program that had 0.4 of a core would have been done in 0.4 of the time. What others took of the machine
 * is no cost of its own idleness. */
static void costs_are_its_own(void **state) {
    (void)state;
    const struct given serial[] = {
        {BE_RUN_WAIT, 0, 0.6}, {BE_RUNNABLE, 0, 1}, {BE_CPU_BUSY, 0, 0.4}, {BE_NODE_CPU, 0, 3.9}};
    costs("cores-taken", 20 * 0.6, 0.4, serial, 4);
    const struct given wide[] = {
        {BE_RUN_WAIT, 0, 0.6}, {BE_RUNNABLE, 0, 4}, {BE_CPU_BUSY, 0, 1.6}, {BE_NODE_CPU, 0, 3.9}};
    costs("cores-taken", 20 * 0.6, 1.6, wide, 4);
    const struct given alone[] = {{BE_RUNNABLE, 0, 1}, {BE_CPU_BUSY, 0, 1}, {BE_NODE_CPU, 0, 1}};
    costs("serial", 20 * 0.75, 1, alone, 3);
    const struct given beside[] = {{BE_RUNNABLE, 0, 1}, {BE_CPU_BUSY, 0, 1}, {BE_NODE_CPU, 0, 3}};
    costs("serial", 20 * 0.25, 1, beside, 3);
    const struct given resting[] = {{BE_RUNNABLE, 0, 0}, {BE_CPU_BUSY, 0, 0}, {BE_NODE_CPU, 0, 3}};
    costs("cores-idle", 20 * 0.25, 0.001, resting, 3);
}

/* What it may use is what it is held against, also where that is no whole number of cores. */
static void quota_of_no_whole_number(void **state) {
    (void)state;
    static const struct {
        double quota, cores;
        const char *found;
    } cases[] = {{1.1, 1, ""},   {0.5, 0.5, ""},           {1.5, 1, "serial"},
                 {2.5, 2.4, ""}, {2.5, 0.5, "cores-idle"}, {NAN, 1, "serial"}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given list[] = {{BE_RUNNABLE, 0, cases[i].cores}};
        struct be_trace made;
        char text[512];
        make(&made, TICKS, cases[i].cores, list, 1);
        made.limits.cpus_quota = cases[i].quota;
        assert_string_equal(names(&made, text, sizeof text), cases[i].found);
        be_trace_close(&made);
    }
    const struct given one[] = {{BE_RUNNABLE, 0, 1}};
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, 1, one, 1);
    made.limits.cpus_quota = 2.5;
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_non_null(strstr(found[0].evidence, "serial on 2.5 cores"));
    assert_non_null(strstr(found[0].evidence, "CPU efficiency 40 %"));
    be_trace_close(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_is_no_work),
        cmocka_unit_test(costs_are_its_own),
        cmocka_unit_test(quota_of_no_whole_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
