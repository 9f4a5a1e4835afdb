/* A program that hardly works: what it waits for, whether that costs anything, and what helps. */
#include "made_findings.h"

/* A run of 20 s on 4 cores is told that; `job`: in a batch job. */
static void told(const struct given *list, size_t count, const char *libraries, bool job,
                 enum be_weight weight, const char *evidence, const char *advice) {
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, 0.001, list, count);
    be_copy_text(made.libraries, sizeof made.libraries, libraries);
    be_copy_text(made.job, sizeof made.job, job ? "slurm 12" : "");
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_string_equal(found[0].name, "cores-idle");
    assert_int_equal(found[0].weight, weight);
    assert_true(weight == BE_WEIGHT_COST ? found[0].cost_s > 19 : isnan(found[0].cost_s));
    if (!strstr(found[0].evidence, evidence)) {
        fail_msg("no '%s' in %s", evidence, found[0].evidence);
    }
    if (advice[0] ? !strstr(found[0].advice, advice) : found[0].advice[0]) {
        fail_msg("no '%s' in %s", advice, found[0].advice);
    }
    be_trace_close(&made);
}

#define TOLD(libraries, job, weight, evidence, advice, ...)                                        \
    do {                                                                                           \
        const struct given list[] = {__VA_ARGS__};                                                 \
        told(list, BE_COUNT(list), libraries, job, weight, evidence, advice);                      \
    } while (0)

#define SLEEPS(timer, message, lock)                                                               \
    {BE_ASLEEP_TIMERS, 0, (timer)}, {BE_ASLEEP_MESSAGES, 0, (message)}, {                          \
        BE_ASLEEP_LOCKS, 0, (lock)                                                                 \
    }

static void sleeps(void **state) {
    (void)state;
    /* Nothing woke it: there is nothing to say to `sleep 20`. */
    TOLD("none", false, BE_WEIGHT_NOTE, "slept nearly all", "", SLEEPS(1, 0, 0),
         {BE_SWITCHES, 0, 0});
    TOLD("none", false, BE_WEIGHT_NOTE, "slept nearly all", "more at a time", SLEEPS(1, 0, 0),
         {BE_SWITCHES, 0, 28});
    /* Idle threads of a library of linear algebra wait for work, whatever the program does. */
    TOLD("python openblas", false, BE_WEIGHT_NOTE, "slept nearly all", "", SLEEPS(0.02, 0, 0.98),
         {BE_SWITCHES, 0, 0});
    /* Cores that were reserved stay empty: that does cost. */
    TOLD("none", true, BE_WEIGHT_COST, "slept nearly all", "#SBATCH", SLEEPS(1, 0, 0),
         {BE_SWITCHES, 0, 0});
}

static void waits_for_messages(void **state) {
    (void)state;
    TOLD("python", false, BE_WEIGHT_NOTE, "for messages", "a server waits", SLEEPS(0, 1, 0));
    TOLD("python", false, BE_WEIGHT_NOTE, "for messages", "many things at a time",
         SLEEPS(0.1, 0.5, 0.4));
}

static void waits_for_each_other(void **state) {
    (void)state;
    TOLD("python", false, BE_WEIGHT_NOTE, "waited for each other", "py-spy dump", SLEEPS(0, 0, 1));
    TOLD("none", false, BE_WEIGHT_NOTE, "waited for each other", "gdb -p PID", SLEEPS(0, 0, 1));
}

static void not_known(void **state) {
    (void)state;
    TOLD("none", false, BE_WEIGHT_COST, "waited nearly all of the time.", "strace",
         {BE_SWITCHES, 0, 0});
    TOLD("none", false, BE_WEIGHT_COST, "waited nearly all of the time.", "strace",
         SLEEPS(0, 0, 0.5));
}

/* A program that waits for the disk after each small write is given a core as often as one that sends messages. */
static void storage_is_no_message(void **state) {
    (void)state;
    const struct given saves[] = {{BE_SWITCHES, 0, 21243}, {BE_RUNNABLE, 0, 0.4},
                                  {BE_BLOCKED, 0, 0.6},    {BE_WRITE_CALLS, 0, 4e7},
                                  {BE_WRITTEN, 0, 4e7},    {BE_READ, 0, 1e4}};
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, 0.43, saves, BE_COUNT(saves));
    made.total.system_s = 0.89 * made.total.user_s;
    made.total.user_s -= made.total.system_s;
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_string_equal(found[0].name, "cores-idle");
    assert_non_null(strstr(found[0].evidence, "waited for storage 60 %"));
    assert_non_null(strstr(found[0].advice, "larger writes"));
    be_trace_close(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sleeps),
        cmocka_unit_test(waits_for_messages),
        cmocka_unit_test(waits_for_each_other),
        cmocka_unit_test(not_known),
        cmocka_unit_test(storage_is_no_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
