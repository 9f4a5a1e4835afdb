/* Rules on traces made up here: each holds where it should, and nowhere for want of a signal. */
#include "made_findings.h"

/* ---- the CPU ---------------------------------------------------------------------------------- */

static void cpu(void **state) {
    (void)state;
    EXPECT("", 3.9, {BE_RUN_WAIT, 0, 0.01}, {BE_RUNNABLE, 0, 4});
    EXPECT("serial", 0.99, {BE_RUN_WAIT, 0, 0.01}, {BE_RUNNABLE, 0, 1});
    EXPECT("serial", 0.85, {BE_RUNNABLE, 0, 1});
    EXPECT("cores-idle", 0.84, {BE_RUNNABLE, 0, 1});
    EXPECT("cores-idle", 2.6, {BE_RUNNABLE, 0, 3});
    EXPECT("", 2.61, {BE_RUNNABLE, 0, 3});
    EXPECT("oversubscribed", 3.9, {BE_RUN_WAIT, 0, 0.6}, {BE_RUNNABLE, 0, 12});
    EXPECT("", 3.9, {BE_RUN_WAIT, 0, 0.6}, {BE_RUNNABLE, 0, 4.3}); /* a helper beside them */
}

/* Evidence and advice of the one finding there is. */
static void said_with(const char *libraries, double cores, const struct given *list, size_t count,
                      const char *evidence, const char *advice) {
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, cores, list, count);
    be_copy_text(made.libraries, sizeof made.libraries, libraries);
    assert_int_equal(be_trace_findings(&made, found), 1);
    if (!strstr(found[0].evidence, evidence) || !strstr(found[0].advice, advice)) {
        fail_msg("%s > %s", found[0].evidence, found[0].advice);
    }
    be_trace_close(&made);
}

static void said(double cores, const struct given *list, size_t count, const char *evidence,
                 const char *advice) {
    said_with("", cores, list, count, evidence, advice);
}

/* The advice depends on what the cores are idle for. */
static void what_it_waits_for(void **state) {
    (void)state;
    const struct given nothing[] = {{BE_RUNNABLE, 0, 0}, {BE_BLOCKED, 0, 0}};
    said(0.001, nothing, BE_COUNT(nothing), "it waited nearly all of the time", "strace -f -c -w");
    const struct given storage[] = {{BE_RUNNABLE, 0, 0.3}, {BE_BLOCKED, 0, 0.6}};
    said(0.3, storage, BE_COUNT(storage), "waited for storage 60 % of the time", "cp -r DATA");
    const struct given rest[] = {{BE_RUNNABLE, 0, 0.3}, {BE_BLOCKED, 0, 0.2}};
    said(0.3, rest, BE_COUNT(rest), "0.3 of 4 cores had work", "several of them at a time");
    const struct given half[] = {{BE_RUNNABLE, 0, 2}};
    said(2, half, 1, "2 of 4 cores had work", "or run 2 at a time");
}

/* Only one of the threads under a lock runs at a time, whatever they wait for while it is handed
 * over. */
static void threads_that_take_turns(void **state) {
    (void)state;
    struct given turns[6] = {{BE_THREADS, 0, 8},
                             {BE_PROCESSES, 0, 1},
                             {BE_BUSIEST_THREAD, 0, 0.2},
                             {BE_RUNNABLE, 0, 1.3},
                             {BE_RUN_WAIT, 0, 0.3}};
    said(1, turns, 5, "or when each waits for another", "a lock for each part of the data");
    turns[5] = (struct given){BE_LOCK_WAIT, 0, 0.6};
    said_with("python", 1, turns, 6, "take turns, as under a lock (Python's",
              "multiprocessing.Pool(4)");
    said_with("gomp", 1, turns, 6, "take turns, as under a lock:", "a lock for each part");
    /* More than about one; fewer than a quarter of 8 all the same, if it is a lock. */
    turns[3].value = 1.7;
    EXPECT("cores-idle", 1, turns[0], turns[1], turns[2], turns[3], turns[4]);
    turns[3].value = 1.95;
    said_with("python", 1, turns, 6, "take turns, as under a lock (Python's",
              "multiprocessing.Pool(4)");
    said_with("gomp", 1, turns, 6, "take turns, as under a lock:", "a lock for each part");
    turns[3].value = 2.05;
    EXPECT("one-lock", 1, turns[0], turns[1], turns[2], turns[3], turns[4], turns[5]);
    turns[3].value = 1.3;
    turns[5].value = 0.1; /* they sleep, or wait for pipes */
    said(1, turns, 6, "not for a lock", "strace -f -c -w COMMAND");
    EXPECT("", 1, turns[0], turns[1], turns[2], {BE_RUNNABLE, 0, 3}, {BE_RUN_WAIT, 0, 0.7});
    turns[1].value = 4; /* of several processes none waits for a lock of another */
    said(1, turns, BE_COUNT(turns), "1.3 of 4 cores had work", "perf record COMMAND");
    turns[1].value = 1;
    turns[2].value = 0.95; /* one has it all, and the others nothing to do */
    turns[3].value = 1;
    said(1, turns, 4, "serial on 4 cores", "perf record COMMAND");
}

/* Stopped by job control for half of the time: nobody's fault. */
static void stopped(void **state) {
    (void)state;
    const struct given list[] = {{BE_RUN_WAIT, 0, 0}, {BE_RUNNABLE, 0, 1.95}};
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    char text[512];
    make(&made, TICKS, 1.95, list, BE_COUNT(list));
    assert_string_equal(names(&made, text, sizeof text), "cores-idle");
    made.stopped_s = made.elapsed_s / 2;
    assert_string_equal(names(&made, text, sizeof text), "");
    made.total.user_s = 0.3 * made.elapsed_s; /* 0.6 of 4 cores, while it was not stopped */
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_string_equal(found[0].name, "cores-idle");
    assert_true(found[0].cost_s < made.elapsed_s / 2);
    made.stopped_s = made.elapsed_s; /* and a child went on */
    names(&made, text, sizeof text);
    be_trace_close(&made);
}

/* Others took the cores: what the program wanted is counted, not what it got. */
static void others_on_the_machine(void **state) {
    (void)state;
    EXPECT("", 1.6, {BE_RUN_WAIT, 0, 0.6}, {BE_RUNNABLE, 0, 4});
    EXPECT("serial", 0.4, {BE_RUN_WAIT, 0, 0.6}, {BE_RUNNABLE, 0, 1});
    EXPECT("cores-idle", 0.1, {BE_RUN_WAIT, 0, 0.9}, {BE_RUNNABLE, 0, 0.5});
    EXPECT("", 0.08, {BE_RUN_WAIT, 0, 0.98}, {BE_RUNNABLE, 0, 4}); /* nearly all: it is nice */
    EXPECT("serial", 0.02, {BE_RUN_WAIT, 0, 0.98}, {BE_RUNNABLE, 0, 1});
    EXPECT("cores-idle", 0.001, {BE_RUN_WAIT, 0, 1}, {BE_RUNNABLE, 0, 0.01});
}

/* ... and that they did is said, where the machine was full of them: with what it cost, and before anything that
 * may only follow from it. */
static void others_took_the_cores(void **state) {
    (void)state;
    const struct given full[] = {
        {BE_RUN_WAIT, 0, 0.6}, {BE_RUNNABLE, 0, 4}, {BE_CPU_BUSY, 0, 1.6}, {BE_NODE_CPU, 0, 3.9}};
    said(1.6, full, BE_COUNT(full), "work on 2.3 of the machine's 4 cores",
         "breakeven watch --node --once");
    EXPECT("cores-taken", 1.6, full[0], full[1], full[2], full[3]);
    EXPECT("", 1.6, full[0], full[1], full[2], {BE_NODE_CPU, 0, 3.5});             /* not full */
    EXPECT("", 3.7, full[0], full[1], {BE_CPU_BUSY, 0, 3.7}, {BE_NODE_CPU, 0, 4}); /* of itself */
    EXPECT("", 3, {BE_RUN_WAIT, 0, 0.1}, full[1], {BE_CPU_BUSY, 0, 3}, full[3]);
    EXPECT("oversubscribed", 1.6, full[0], {BE_RUNNABLE, 0, 8}, full[2], full[3]);
    EXPECT("cores-idle", 0.002, full[0], {BE_RUNNABLE, 0, 0.01}, {BE_CPU_BUSY, 0, 0.002}, full[3]);
    EXPECT("cores-taken", 0.4, full[0], {BE_RUNNABLE, 0, 1}, {BE_CPU_BUSY, 0, 0.4}, full[3]);
}

/* Half of 8 threads on 4 cores wait, whoever else is there. */
static void too_many_threads_and_others(void **state) {
    (void)state;
    const struct given list[] = {
        {BE_RUN_WAIT, 0, 0.9}, {BE_RUNNABLE, 0, 8}, {BE_CPU_BUSY, 0, 0.8}, {BE_NODE_CPU, 0, 4}};
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    said(0.8, list, BE_COUNT(list), "90 % of that time; other programs were at work on 3.2 of",
         "no more than 4 threads");
    make(&made, TICKS, 0.8, list, BE_COUNT(list));
    assert_int_equal(be_trace_findings(&made, found), 1);
    /* A fifth of the time is its own: the others had four fifths of the cores. */
    assert_true(fabs(found[0].cost_s - 0.2 * 0.5 * made.elapsed_s) < 1e-9 * made.elapsed_s);
    be_trace_close(&made);
    said(0.8, list, 3, "waited for a core 90 % of that time.", "no more than 4 threads");
}

/* The number of runnable threads is of all threads already, however few of them were looked at. */
static void not_all_threads_were_looked_at(void **state) {
    (void)state;
    const struct given list[] = {{BE_RUN_WAIT, 0, 0.3}, {BE_RUNNABLE, 0, 4}};
    struct be_trace made;
    char text[512];
    make(&made, TICKS, 2.8, list, BE_COUNT(list));
    be_trace_cover(&made, BE_RUNNABLE, 0, 0.1);
    assert_string_equal(names(&made, text, sizeof text), "");
    be_trace_close(&made);
}

static void cpu_time_is_not_known(void **state) {
    (void)state;
    EXPECT("", NAN, {BE_RUN_WAIT, 0, 0.01}, {BE_RUNNABLE, 0, 1});
    EXPECT("", NAN, {BE_RUN_WAIT, 0, 0.01}, {BE_RUNNABLE, 0, 2});
}

/* As many threads as there are whole cores in it. */
static void quota(void **state) {
    (void)state;
    static const struct {
        double cpus;
        const char *advice;
    } cases[] = {{2, "export OMP_NUM_THREADS=2 (not set)"},
                 {2.9, "export OMP_NUM_THREADS=2 (not set)"},
                 {0.5, "export OMP_NUM_THREADS=1 (not set)"}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given list[] = {{BE_GROUP_THROTTLED_PERIODS, 0, 0.5}, {BE_CPU_BUSY, 0, 1.9}};
        struct be_trace made;
        struct be_run_finding found[BE_RUN_FINDINGS_MAX];
        make(&made, TICKS, 3.9, list, BE_COUNT(list));
        made.limits.cpus_quota = cases[i].cpus;
        be_copy_text(made.libraries, sizeof made.libraries, "gomp");
        assert_int_equal(be_trace_findings(&made, found), 1);
        assert_string_equal(found[0].name, "oversubscribed");
        assert_string_equal(found[0].advice, cases[i].advice);
        be_trace_close(&made);
    }
}

/* ---- what must never be said -------------------------------------------------------------------- */

static void nothing_of_nothing(void **state) {
    (void)state;
    struct be_trace empty = {0};
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    assert_int_equal(be_trace_findings(&empty, found), 1);
    assert_string_equal(found[0].name, "too-short");
    struct be_trace made;
    make(&made, TICKS, NAN, NULL, 0); /* samples, and not one signal */
    made.total = be_trace_no_totals;
    assert_int_equal(be_trace_findings(&made, found), 0);
    made.gpus = 2; /* GPUs of which nothing is known */
    assert_int_equal(be_trace_findings(&made, found), 0);
    be_trace_close(&made);
}

/* Each signal alone, at every height: a rule that needs others does not hold for want of them. */
static void no_rule_of_one_absent(void **state) {
    (void)state;
    static const double height[] = {0, 0.01, 0.3, 0.6, 1, 1e3, 1e12};
    for (int signal = 0; signal < BE_SIGNALS; signal++) {
        for (size_t i = 0; i < BE_COUNT(height); i++) {
            const struct given list[] = {{(enum be_signal)signal, 0, height[i]}};
            struct be_trace made;
            char text[512];
            make(&made, TICKS, 3.9, list, 1);
            names(&made, text, sizeof text);
            assert_null(strstr(text, "loader-stall"));
            if (signal != BE_GPU_COPY_IN_SHARE && signal != BE_GPU_COPY_OUT_SHARE) {
                assert_null(strstr(text, "bus-bound"));
            }
            assert_null(strstr(text, "wait-bound"));
            assert_null(strstr(text, "launch-bound"));
            assert_null(strstr(text, "tensor-idle"));
            assert_null(strstr(text, "pageable"));
            be_trace_close(&made);
        }
    }
}

static void too_short(void **state) {
    (void)state;
    const struct given list[] = {{BE_RUNNABLE, 0, 1}};
    struct be_trace made;
    char text[512];
    make(&made, 9, 1, list, 1);
    assert_string_equal(names(&made, text, sizeof text), "too-short");
    be_trace_close(&made);
    make(&made, 10, 1, list, 1);
    assert_string_equal(names(&made, text, sizeof text), "serial");
    be_trace_close(&made);
}

/* A GPU source that answered nine times in a long run: nothing is said of the GPU. */
static void covered_too_little(void **state) {
    (void)state;
    for (int answered = 9; answered <= 10; answered++) {
        struct be_error error = {0};
        struct be_trace made;
        char text[512];
        assert_int_equal(be_trace_open(&made, &error), BE_OK);
        int source = be_trace_source(&made, "made up");
        for (int i = 0; i < 100; i++) {
            assert_true(be_trace_tick(&made, i + 1));
            if (i < answered) {
                be_trace_add(&made, BE_GPU_BUSY, 0, source, 1);
                be_trace_add(&made, BE_GPU_SM_ACTIVE, 0, source, 0.1);
            }
        }
        made.elapsed_s = 100;
        made.gpus = 1;
        assert_string_equal(names(&made, text, sizeof text), answered < 10 ? "" : "gpu-empty");
        be_trace_close(&made);
    }
}

/* ---- the list ----------------------------------------------------------------------------------- */

static void dearest_first(void **state) {
    (void)state;
    const struct given list[] = {USED(0),
                                 {BE_GPU_BUSY, 0, 1},
                                 {BE_GPU_SM_ACTIVE, 0, 0.95},
                                 {BE_GPU_TENSOR, 0, 0},
                                 {BE_GPU_FP32, 0, 0.3},
                                 {BE_GPU_FP64, 0, 0.6},
                                 {BE_GPU_DRAM, 0, 0.85},
                                 {BE_MEMORY, 0, 1e9},
                                 {BE_CPU_BUSY, 0, 1}};
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    char text[512];
    make(&made, TICKS, 1, list, BE_COUNT(list));
    made.limits.memory_bytes = 64e9;
    made.limits.asked = true;
    assert_string_equal(names(&made, text, sizeof text),
                        "fp64 tensor-idle memory-asked (memory-bound)");
    assert_int_equal(be_trace_findings(&made, found), 4);
    assert_true(fabs(found[1].cost_s - 0.3 * made.elapsed_s) < 0.01);
    assert_true(isnan(found[2].cost_s));
    be_trace_close(&made);
}

/* One whose cost is known comes before one of which nobody knows it, whatever their numbers are. */
static void known_costs_first(void **state) {
    (void)state;
    const struct given list[] = {{BE_RUNNABLE, 0, 2}, {BE_MEMORY, 0, 1e9}};
    struct be_trace made;
    char text[512];
    make(&made, TICKS, 2, list, BE_COUNT(list));
    made.limits.memory_bytes = 64e9;
    made.limits.asked = true;
    assert_string_equal(names(&made, text, sizeof text), "cores-idle memory-asked");
    be_trace_close(&made);
}

static void likewise(void **state) {
    (void)state;
    const struct given list[] = {USED(0),
                                 USED(1),
                                 USED(2),
                                 {BE_GPU_BUSY, 0, 1},
                                 {BE_GPU_BUSY, 1, 1},
                                 {BE_GPU_BUSY, 2, 1},
                                 {BE_GPU_FP64, 0, 0.1},
                                 {BE_GPU_FP64, 1, 0.5},
                                 {BE_GPU_FP64, 2, 0.6}};
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, 1, list, BE_COUNT(list));
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_int_equal(found[0].gpu, 2);
    assert_ptr_equal(strstr(found[0].evidence, "GPU 2: "), found[0].evidence);
    assert_non_null(strstr(found[0].evidence, "Likewise on 1 more."));
    be_trace_close(&made);
}

/* ---- the tables --------------------------------------------------------------------------------- */

static void tables_are_whole(void **state) {
    (void)state;
    bool used[BE_THRESHOLDS] = {0};
    for (int i = 0; be_rules[i].name; i++) {
        const struct be_rule *rule = &be_rules[i];
        assert_int_equal(rule->number, i + 1);
        assert_ptr_equal(be_rule_find(rule->name), rule);
        assert_true(rule->signals && rule->rule && rule->source && rule->check);
        for (int k = 0; k < BE_RULE_THRESHOLDS && rule->threshold[k]; k++) {
            used[rule->threshold[k]] = true;
        }
        char unless[512] = "", *rest = NULL;
        be_copy_text(unless, sizeof unless, rule->unless ? rule->unless : "");
        for (char *name = strtok_r(unless, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
            assert_non_null(be_rule_find(name));
            assert_string_not_equal(name, rule->name);
        }
    }
    for (int id = 1; id < BE_THRESHOLDS; id++) {
        assert_true(be_thresholds[id].name && be_thresholds[id].source);
        assert_true(be_thresholds[id].value > 0);
        if (!used[id]) {
            fail_msg("no rule names the threshold '%s'", be_thresholds[id].name);
        }
    }
}

/* docs/findings.md is what the tables say. */
static void page_is_true(void **state) {
    (void)state;
    struct be_text page = {0};
    be_rules_page(&page);
    assert_false(page.failed);
    const char *update = getenv("FINDINGS_PAGE");
    FILE *file = fopen("docs/findings.md", update ? "w+" : "r");
    assert_non_null(file);
    if (update) {
        fputs(page.data, file);
        rewind(file);
    }
    char *written = calloc(1, page.length + 2);
    assert_non_null(written);
    fread(written, 1, page.length + 1, file);
    fclose(file);
    assert_string_equal(written, page.data);
    free(written);
    be_text_free(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpu),
        cmocka_unit_test(what_it_waits_for),
        cmocka_unit_test(threads_that_take_turns),
        cmocka_unit_test(stopped),
        cmocka_unit_test(others_on_the_machine),
        cmocka_unit_test(others_took_the_cores),
        cmocka_unit_test(too_many_threads_and_others),
        cmocka_unit_test(not_all_threads_were_looked_at),
        cmocka_unit_test(cpu_time_is_not_known),
        cmocka_unit_test(quota),
        cmocka_unit_test(nothing_of_nothing),
        cmocka_unit_test(no_rule_of_one_absent),
        cmocka_unit_test(too_short),
        cmocka_unit_test(covered_too_little),
        cmocka_unit_test(dearest_first),
        cmocka_unit_test(known_costs_first),
        cmocka_unit_test(likewise),
        cmocka_unit_test(tables_are_whole),
        cmocka_unit_test(page_is_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
