/* Rules on traces made up here: each holds where it should, and nowhere for want of a signal. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "observe/look.h"
#include "report/rules_text.h"

enum { TICKS = 40 };
static const double tick_s = 0.5;

/* One value of one signal over the whole run. */
struct given {
    enum be_signal signal;
    int of;
    double value;
};

/* A program of 20 s on 4 cores, of which it took `cores`. */
static void make(struct be_trace *trace, int ticks, double cores, const struct given *given,
                 size_t count) {
    struct be_error error = {0};
    assert_int_equal(be_trace_open(trace, &error), BE_OK);
    int source = be_trace_source(trace, "made up");
    for (int i = 0; i < ticks; i++) {
        assert_true(be_trace_tick(trace, tick_s * (i + 1)));
        for (size_t k = 0; k < count; k++) {
            be_trace_add(trace, given[k].signal, given[k].of, source, given[k].value);
            trace->gpus =
                be_signals[given[k].signal].scope == BE_OF_GPU && given[k].of >= trace->gpus
                    ? given[k].of + 1
                    : trace->gpus;
        }
    }
    trace->elapsed_s = tick_s * ticks;
    trace->limits.cpus = trace->limits.cpus_machine = 4;
    trace->total.user_s = cores * trace->elapsed_s;
    trace->total.system_s = 0;
    for (int i = 0; i < trace->gpus; i++) {
        trace->gpu[i] = (struct be_trace_gpu){.memory_bytes = 141e9,
                                              .bus_bytes_s = 63e9,
                                              .power_limit_w = 700,
                                              .fp64_ratio = 1.0 / 64};
    }
}

/* "a b c" in the order of the list, those that are healthy in brackets. */
static const char *names(const struct be_trace *trace, char *to, size_t room) {
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    int count = be_trace_findings(trace, found);
    to[0] = '\0';
    for (int i = 0; i < count; i++) {
        size_t length = strlen(to);
        bool good = found[i].weight == BE_WEIGHT_GOOD;
        snprintf(to + length, room - length, "%s%s%s%s", i ? " " : "", good ? "(" : "",
                 found[i].name, good ? ")" : "");
        assert_non_null(be_rule_find(found[i].name));
        assert_int_equal(be_rule_find(found[i].name)->number, found[i].number);
        assert_true(strlen(found[i].evidence) > 10 && strlen(found[i].evidence) < BE_NOTE - 1);
        if (strstr(found[i].evidence, "nan")) {
            fail_msg("%s: %s", found[i].name, found[i].evidence);
        }
        assert_null(strstr(found[i].advice, "nan"));
    }
    return to;
}

#define EXPECT(expected, cores, ...)                                                               \
    do {                                                                                           \
        const struct given list[] = {__VA_ARGS__};                                                 \
        struct be_trace made;                                                                      \
        char text[512];                                                                            \
        make(&made, TICKS, (cores), list, BE_COUNT(list));                                         \
        assert_string_equal(names(&made, text, sizeof text), (expected));                          \
        be_trace_close(&made);                                                                     \
    } while (0)

/* A GPU that is well used, unless what comes after says otherwise. */
#define USED(gpu)                                                                                  \
    {BE_GPU_OWN_PROCESSES, (gpu), 1}, {                                                            \
        BE_GPU_FOREIGN_PROCESSES, (gpu), 0                                                         \
    }

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
}

/* What could run is of all threads already, however few of them were looked at. */
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

static void quota(void **state) {
    (void)state;
    const struct given list[] = {{BE_GROUP_THROTTLED_PERIODS, 0, 0.5}, {BE_CPU_BUSY, 0, 1.9}};
    struct be_trace made;
    char text[512];
    make(&made, TICKS, 3.9, list, BE_COUNT(list));
    made.limits.cpus_quota = 2;
    assert_string_equal(names(&made, text, sizeof text), "oversubscribed");
    be_trace_close(&made);
}

static void asked_for(void **state) {
    (void)state;
    const struct given list[] = {{BE_MEMORY, 0, 6.9e9}, {BE_CPU_BUSY, 0, 3}};
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, 3.9, list, BE_COUNT(list));
    made.limits.memory_bytes = 10e9;
    assert_int_equal(be_trace_findings(&made, found), 0); /* the machine's, not asked for */
    made.limits.asked = true;
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_string_equal(found[0].name, "memory-asked");
    assert_string_equal(found[0].advice, "#SBATCH --mem=8G"); /* 1.2 times 6.43 GiB, up */
    made.limits.memory_bytes = 9.8e9;
    assert_int_equal(be_trace_findings(&made, found), 0);
    be_trace_close(&made);
}

/* ---- GPUs ------------------------------------------------------------------------------------- */

static void which_gpus(void **state) {
    (void)state;
    EXPECT("gpu-unused", 3.9, {BE_GPU_BUSY, 0, 0}, {BE_GPU_OWN_PROCESSES, 0, 0});
    EXPECT("gpu-unused", 3.9, {BE_GPU_BUSY, 0, 0.001});
    EXPECT("gpus-uneven", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.9},
           {BE_GPU_OWN_PROCESSES, 1, 0}, {BE_GPU_BUSY, 1, 0});
    EXPECT("gpus-uneven", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.95}, USED(1),
           {BE_GPU_BUSY, 1, 1}, {BE_GPU_SM_ACTIVE, 1, 0.7});
    EXPECT("", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.95}, USED(1),
           {BE_GPU_BUSY, 1, 1}, {BE_GPU_SM_ACTIVE, 1, 0.9});
}

/* A driver in a container may list nobody: that kernels ran says more. */
static void nobody_is_listed(void **state) {
    (void)state;
    EXPECT("", 1, {BE_GPU_OWN_PROCESSES, 0, 0}, {BE_GPU_FOREIGN_PROCESSES, 0, 0},
           {BE_GPU_BUSY, 0, 0.9}, {BE_GPU_SM_ACTIVE, 0, 0.9});
    EXPECT("gpu-unused", 3.9, {BE_GPU_OWN_PROCESSES, 0, 0}, {BE_GPU_FOREIGN_PROCESSES, 0, 0},
           {BE_GPU_BUSY, 0, 0.01});
}

static void shared_is_withheld(void **state) {
    (void)state;
    EXPECT("gpu-shared", 3.9, {BE_GPU_OWN_PROCESSES, 0, 1}, {BE_GPU_FOREIGN_PROCESSES, 0, 2},
           {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.01}, {BE_GPU_FP64, 0, 0.9});
    /* Others only: the program's own absence is certain. */
    EXPECT("gpu-unused", 3.9, {BE_GPU_OWN_PROCESSES, 0, 0}, {BE_GPU_FOREIGN_PROCESSES, 0, 2},
           {BE_GPU_BUSY, 0, 1});
}

static void how_full(void **state) {
    (void)state;
    EXPECT("", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.8});
    EXPECT("sm-low", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.79});
    EXPECT("gpu-empty", 1, USED(0), {BE_GPU_BUSY, 0, 0.8}, {BE_GPU_SM_ACTIVE, 0, 0.24});
    EXPECT("gpu-too-big", 1, USED(0), {BE_GPU_BUSY, 0, 0.1}, {BE_GPU_SM_ACTIVE, 0, 0.1},
           {BE_GPU_MEMORY, 0, 5e9});
    EXPECT("(memory-bound)", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.45},
           {BE_GPU_DRAM, 0, 0.6});
}

static void which_units(void **state) {
    (void)state;
    EXPECT("tensor-idle", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.95},
           {BE_GPU_TENSOR, 0, 0}, {BE_GPU_FP32, 0, 0.5});
    EXPECT("fp64", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.95},
           {BE_GPU_FP64, 0, 0.2});
    EXPECT("low-occupancy", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.95},
           {BE_GPU_DRAM, 0, 0.4}, {BE_GPU_SM_OCCUPANCY, 0, 0.2}, {BE_GPU_TENSOR, 0, 0.05});
    /* A good matrix product has few warps, and is no fault. */
    EXPECT("", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.96}, {BE_GPU_DRAM, 0, 0.18},
           {BE_GPU_SM_OCCUPANCY, 0, 0.08}, {BE_GPU_TENSOR, 0, 0.93});
    EXPECT("", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.96}, {BE_GPU_DRAM, 0, 0.5},
           {BE_GPU_SM_OCCUPANCY, 0, 0.2}, {BE_GPU_TENSOR, 0, 0.6});
}

static void held_down(void **state) {
    (void)state;
    EXPECT("throttled", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_THROTTLED_HEAT, 0, 0.3},
           {BE_GPU_CLOCK, 0, 1.2e9}, {BE_GPU_TEMPERATURE, 0, 88});
    EXPECT("(throttled)", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_THROTTLED_POWER, 0, 0.9},
           {BE_GPU_POWER, 0, 690}, {BE_GPU_CLOCK, 0, 1.5e9});
    /* Far from the limit, and no clock to tell by; or one that stays where it was. */
    EXPECT("throttled", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_THROTTLED_POWER, 0, 0.9},
           {BE_GPU_POWER, 0, 300});
    EXPECT("(throttled)", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_THROTTLED_POWER, 0, 0.9},
           {BE_GPU_POWER, 0, 300}, {BE_GPU_CLOCK, 0, 1.5e9});
}

/* What fills the time between two short kernels is launching where it is short. Where SM activity was
 * not measured, it cannot be more than the time in which kernels ran. */
static void launches(void **state) {
    (void)state;
    EXPECT("launch-bound", 1, USED(0), {BE_GPU_BUSY, 0, 0.1}, {BE_GPU_SM_ACTIVE, 0, 0.01},
           {BE_GPU_KERNELS, 0, 2e4}, {BE_GPU_KERNEL_MEDIAN, 0, 2e-6}, {BE_GPU_GAP_MEDIAN, 0, 3e-5},
           {BE_GPU_KERNEL_SHARE, 0, 0.05}, {BE_GPU_MEMORY, 0, 2e10});
    EXPECT("launch-bound", 1, USED(0), {BE_GPU_BUSY, 0, 0.26}, {BE_GPU_KERNELS, 0, 7e4},
           {BE_GPU_KERNEL_MEDIAN, 0, 1e-6}, {BE_GPU_KERNEL_SHARE, 0, 0.06},
           {BE_GPU_MEMORY, 0, 2e10});
    EXPECT("sm-low", 1, USED(0), {BE_GPU_BUSY, 0, 0.4}, {BE_GPU_SM_ACTIVE, 0, 0.3},
           {BE_GPU_KERNELS, 0, 2e3}, {BE_GPU_KERNEL_MEDIAN, 0, 2e-6}, {BE_GPU_GAP_MEDIAN, 0, 3e-4},
           {BE_GPU_KERNEL_SHARE, 0, 0.01}, {BE_GPU_MEMORY, 0, 2e10});
}

/* Half of the bytes are pinned, and the other way takes the time. */
static void one_way_is_slow(void **state) {
    (void)state;
    EXPECT("pageable-copies", 1, USED(0), {BE_GPU_BUSY, 0, 0.7}, {BE_GPU_SM_ACTIVE, 0, 0.01},
           {BE_GPU_COPY_PAGEABLE, 0, 0.47}, {BE_GPU_COPY_IN_SHARE, 0, 0.03},
           {BE_GPU_COPY_OUT_SHARE, 0, 0.6}, {BE_GPU_COPY_IN, 0, 1.8e9},
           {BE_GPU_COPY_OUT, 0, 1.8e9});
    EXPECT("bus-bound", 1, USED(0), {BE_GPU_BUSY, 0, 0.7}, {BE_GPU_SM_ACTIVE, 0, 0.01},
           {BE_GPU_COPY_PAGEABLE, 0, 0.05}, {BE_GPU_COPY_IN_SHARE, 0, 0.03},
           {BE_GPU_COPY_OUT_SHARE, 0, 0.6}, {BE_GPU_COPY_IN, 0, 1.8e9},
           {BE_GPU_COPY_OUT, 0, 1.8e9});
    EXPECT("bus-bound", 1, USED(0), {BE_GPU_BUSY, 0, 0.7}, {BE_GPU_SM_ACTIVE, 0, 0.01},
           {BE_GPU_COPY_PAGEABLE, 0, 0.3}, {BE_GPU_COPY_IN_SHARE, 0, 0.6},
           {BE_GPU_COPY_OUT_SHARE, 0, 0.05}, {BE_GPU_COPY_IN, 0, 30e9},
           {BE_GPU_COPY_OUT, 0, 0.2e9});
}

/* Long ticks of a short run: those in which use begins and ends are partly from outside it. */
static void edges_are_left_out(void **state) {
    (void)state;
    struct be_error error = {0};
    struct be_trace made;
    struct be_gpu_look look;
    assert_int_equal(be_trace_open(&made, &error), BE_OK);
    int source = be_trace_source(&made, "made up");
    for (int i = 0; i < 20; i++) {
        double share = i < 4 || i > 17 ? 0 : i == 4 ? 0.3 : i == 17 ? 0.5 : 0.97;
        assert_true(be_trace_tick(&made, tick_s * (i + 1)));
        be_trace_add(&made, BE_GPU_GRAPHICS, 0, source, share);
        be_trace_add(&made, BE_GPU_SM_ACTIVE, 0, source, 0.95 * share);
    }
    made.gpus = 1;
    made.elapsed_s = 20 * tick_s;
    be_look_gpu(&made, 0, &look);
    assert_true(fabs(look.sm - 0.95 * 0.97) < 1e-3);
    assert_true(fabs(look.from_s - 5 * tick_s) < 1e-6 && fabs(look.to_s - 17 * tick_s) < 1e-6);
    be_trace_close(&made);
}

static void other_gpus(void **state) {
    (void)state;
    EXPECT("communication-bound", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_NCCL_SHARE, 0, 0.3},
           {BE_GPU_KERNELS, 0, 1000});
    EXPECT("communication-bound", 1, USED(0), {BE_GPU_BUSY, 0, 1}, {BE_GPU_SM_ACTIVE, 0, 0.4},
           {BE_GPU_LINK_IN, 0, 40e9}, {BE_GPU_LINK_OUT, 0, 40e9});
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
        cmocka_unit_test(stopped),
        cmocka_unit_test(others_on_the_machine),
        cmocka_unit_test(not_all_threads_were_looked_at),
        cmocka_unit_test(cpu_time_is_not_known),
        cmocka_unit_test(quota),
        cmocka_unit_test(asked_for),
        cmocka_unit_test(which_gpus),
        cmocka_unit_test(nobody_is_listed),
        cmocka_unit_test(shared_is_withheld),
        cmocka_unit_test(how_full),
        cmocka_unit_test(which_units),
        cmocka_unit_test(held_down),
        cmocka_unit_test(launches),
        cmocka_unit_test(one_way_is_slow),
        cmocka_unit_test(edges_are_left_out),
        cmocka_unit_test(other_gpus),
        cmocka_unit_test(nothing_of_nothing),
        cmocka_unit_test(no_rule_of_one_absent),
        cmocka_unit_test(too_short),
        cmocka_unit_test(covered_too_little),
        cmocka_unit_test(dearest_first),
        cmocka_unit_test(likewise),
        cmocka_unit_test(tables_are_whole),
        cmocka_unit_test(page_is_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
