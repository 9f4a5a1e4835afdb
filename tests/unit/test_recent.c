/* Findings of the last minutes on traces made up here: what begins late is seen, what ends is over. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "observe/rules/recent.h"

static const double window_s = 300;

/* One signal from some second on, until the next line that has it. */
struct stage {
    double from_s;
    enum be_signal signal;
    int of;
    double value; /* NAN: not measured */
};

/* The trace of a program on 4 cores, with a tick of `step_s` up to `length_s`. */
static void go_on(struct be_trace *trace, double step_s, double length_s, const struct stage *stage,
                  size_t stages) {
    int source = be_trace_source(trace, "made up");
    double begin_s = trace->elapsed_s;
    for (int i = 1; begin_s + i * step_s <= length_s + 1e-9; i++) {
        double now_s = begin_s + i * step_s;
        assert_true(be_trace_tick(trace, now_s));
        for (size_t k = stages; k-- > 0;) { /* the last that has begun counts: one value a tick */
            if (now_s > stage[k].from_s) {
                be_trace_add(trace, stage[k].signal, stage[k].of, source, stage[k].value);
            }
        }
        trace->elapsed_s = now_s;
    }
    trace->total.user_s = be_trace_mean(trace, BE_CPU_BUSY, 0) * trace->elapsed_s;
    trace->total.system_s = 0;
}

static void begin(struct be_trace *trace) {
    struct be_error error = {0};
    assert_int_equal(be_trace_open(trace, &error), BE_OK);
    trace->limits.cpus = trace->limits.cpus_machine = 4;
}

/* "a b", those of the last part with a star. */
static const char *now(const struct be_trace *trace, double length_s, char to[256]) {
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    int count = be_findings_now(trace, length_s, found);
    to[0] = '\0';
    for (int i = 0; i < count; i++) {
        size_t at = strlen(to);
        snprintf(to + at, 256 - at, "%s%s%s", i ? " " : "", found[i].name,
                 found[i].from_s > 0 ? "*" : "");
    }
    return to;
}

static void test_a_fault_that_begins_late(void **state) {
    (void)state;
    const struct stage stages[] = {{0, BE_CPU_BUSY, 0, 3.9}, {1200, BE_CPU_BUSY, 0, 1}};
    struct be_trace trace;
    char text[256];
    begin(&trace);
    go_on(&trace, 1, 1200, stages, 2);
    assert_string_equal(now(&trace, window_s, text), "");
    go_on(&trace, 1, 1510, stages, 2);
    assert_string_equal(now(&trace, window_s, text), "serial*");
    assert_string_equal(now(&trace, 0, text), ""); /* of the whole time nothing is to be seen */
    be_trace_close(&trace);
}

static void test_a_fault_that_ends(void **state) {
    (void)state;
    const struct stage stages[] = {{0, BE_CPU_BUSY, 0, 1}, {1200, BE_CPU_BUSY, 0, 3.9}};
    struct be_trace trace;
    char text[256];
    begin(&trace);
    go_on(&trace, 1, 200, stages, 2);
    assert_string_equal(now(&trace, window_s, text), "serial"); /* all is not longer */
    go_on(&trace, 1, 1200, stages, 2);
    assert_string_equal(now(&trace, window_s, text), "serial*");
    go_on(&trace, 1, 1510, stages, 2);
    assert_string_equal(now(&trace, window_s, text), "");
    assert_string_equal(now(&trace, 0, text), "cores-idle");
    be_trace_close(&trace);
}

/* Workers that become too slow for a GPU that was fed well before. */
static void test_a_gpu_that_begins_to_wait(void **state) {
    (void)state;
    const struct stage stages[] = {
        {0, BE_CPU_BUSY, 0, 1.5},    {0, BE_GPU_BUSY, 0, 0.99},       {0, BE_GPU_SM_ACTIVE, 0, 0.9},
        {0, BE_PROCESS_CPU, 1, 0.3}, {0, BE_PROCESS_CPU, 2, 0.3},     {900, BE_CPU_BUSY, 0, 2.2},
        {900, BE_GPU_BUSY, 0, 0.3},  {900, BE_GPU_SM_ACTIVE, 0, 0.2}, {900, BE_PROCESS_CPU, 1, 1},
        {900, BE_PROCESS_CPU, 2, 1},
    };
    const size_t count = sizeof stages / sizeof stages[0];
    struct be_trace trace;
    char text[256];
    begin(&trace);
    trace.gpus = 1;
    trace.gpu[0] = (struct be_trace_gpu){
        .memory_bytes = 141e9, .bus_bytes_s = NAN, .power_limit_w = NAN, .fp64_ratio = NAN};
    for (int i = 0; i < 3; i++) {
        trace.process[i] = (struct be_trace_process){.pid = 10 + i, .main = i == 0};
    }
    trace.processes = 3;
    go_on(&trace, 1, 900, stages, count);
    assert_string_equal(now(&trace, window_s, text), "");
    go_on(&trace, 1, 1210, stages, count);
    assert_string_equal(now(&trace, window_s, text), "loader-stall*");
    assert_null(strstr(now(&trace, 0, text), "loader-stall"));
    be_trace_close(&trace);
}

/* The memory asked for is compared with the maximum of all time, not of the last minutes. */
static void test_memory_is_judged_by_all_of_it(void **state) {
    (void)state;
    const struct stage stages[] = {
        {0, BE_CPU_BUSY, 0, 3.9}, {0, BE_MEMORY, 0, 30e9}, {100, BE_MEMORY, 0, 1e9}};
    struct be_trace trace;
    char text[256];
    begin(&trace);
    trace.limits.asked = true;
    trace.limits.memory_bytes = 32e9;
    go_on(&trace, 1, 2000, stages, 3);
    assert_string_equal(now(&trace, window_s, text), "");
    trace.limits.memory_bytes = 64e9;
    assert_string_equal(now(&trace, window_s, text), "memory-asked");
    be_trace_close(&trace);
}

static void test_too_short(void **state) {
    (void)state;
    const struct stage stages[] = {{0, BE_CPU_BUSY, 0, 1}};
    struct be_trace trace;
    char text[256];
    begin(&trace);
    assert_string_equal(now(&trace, window_s, text), "");
    go_on(&trace, 1, 9, stages, 1);
    assert_string_equal(now(&trace, window_s, text), "");
    go_on(&trace, 1, 10, stages, 1);
    assert_string_equal(now(&trace, window_s, text), "serial");
    be_trace_close(&trace);
}

/* ---- the window itself ---------------------------------------------------------------------- */

/* Sums, means and extremes are those of its ticks alone. */
static void test_a_window_is_a_trace(void **state) {
    (void)state;
    const struct stage stages[] = {{0, BE_CPU_BUSY, 0, 4},   {500, BE_CPU_BUSY, 0, 1},
                                   {0, BE_CPU_SYSTEM, 0, 1}, {500, BE_CPU_SYSTEM, 0, 0.25},
                                   {0, BE_MEMORY, 0, 8e9},   {600, BE_MEMORY, 0, 2e9},
                                   {0, BE_READ, 0, 0},       {600, BE_READ, 0, 100},
                                   {0, BE_GROUP_CPU, 0, 4},  {400, BE_GROUP_CPU, 0, NAN}};
    struct be_error error = {0};
    struct be_trace trace, window;
    double from_s = 0;
    begin(&trace);
    go_on(&trace, 1, 450, stages, sizeof stages / sizeof stages[0]);
    trace.process[0] = (struct be_trace_process){.pid = 4711, .start_s = 350};
    trace.processes = 1;
    go_on(&trace, 1, 900, stages, sizeof stages / sizeof stages[0]);
    assert_int_equal(be_window_open(&trace, 300, &window, &from_s, &error), BE_OK);
    assert_float_equal(from_s, 600, 1e-9);
    assert_int_equal(window.ticks, 300);
    assert_float_equal(window.end_s[0], 1, 1e-9);
    assert_float_equal(window.elapsed_s, 300, 1e-9);
    assert_float_equal(window.samples, 300, 1e-6);
    assert_float_equal(window.total.user_s, 225, 1e-3);
    assert_float_equal(window.total.system_s, 75, 1e-3);
    assert_float_equal(window.total.read_bytes, 30000, 1e-3);
    assert_true(isnan(window.total.switches));
    assert_float_equal(be_trace_mean(&window, BE_CPU_BUSY, 0), 1, 1e-6);
    assert_float_equal(be_trace_max(&window, BE_MEMORY, 0), 2e9, 1e3);
    assert_float_equal(be_trace_coverage(&window, BE_CPU_BUSY, 0), 1, 1e-6);
    assert_float_equal(window.process[0].start_s, -250, 1e-9);
    be_window_close(&window);
    assert_int_equal(be_window_open(&trace, 1e6, &window, &from_s, &error), BE_OK);
    assert_float_equal(from_s, 0, 1e-9);
    assert_int_equal(window.ticks, trace.ticks);
    be_window_close(&window);
    be_trace_close(&trace);
}

/* Ticks become long with time, and looks may be rare: a window then has as many as a verdict needs. */
static void test_a_window_has_enough_in_it(void **state) {
    (void)state;
    static const struct {
        double step_s, length_s;
    } made[] = {{1, 400000}, {60, 7200}, {0.1, 1000}, {1, 301}};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        const struct stage stages[] = {{0, BE_CPU_BUSY, 0, 3.9},
                                       {made[i].length_s / 2, BE_CPU_BUSY, 0, 1}};
        struct be_error error = {0};
        struct be_trace trace, window;
        double from_s = 0;
        char text[256];
        begin(&trace);
        go_on(&trace, made[i].step_s, made[i].length_s, stages, 2);
        assert_int_equal(be_window_open(&trace, window_s, &window, &from_s, &error), BE_OK);
        double length_s = trace.elapsed_s - from_s;
        double tick_s = be_trace_length(&trace, 0);
        assert_true(length_s >= window_s - 1e-6);
        assert_true(window.ticks >= BE_WINDOW_TICKS);
        assert_true(window.samples >= BE_WINDOW_SAMPLES);
        assert_true(length_s <= fmax(window_s, fmax(8 * tick_s, 30 * made[i].step_s)) + tick_s);
        be_window_close(&window);
        if (i != 3) {
            assert_string_equal(now(&trace, window_s, text), "serial*");
        }
        be_trace_close(&trace);
    }
}

/* ---- over time ------------------------------------------------------------------------------ */

static void take(struct be_recent *recent, const char *names, double now_s) {
    struct be_run_finding list[BE_RUN_FINDINGS_MAX];
    int count = 0;
    for (int i = 0; be_rules[i].name; i++) {
        if (strstr(names, be_rules[i].name)) {
            list[count] = (struct be_run_finding){.number = be_rules[i].number};
            snprintf(list[count].evidence, BE_NOTE, "at %.0f", now_s);
            count++;
        }
        assert_true(be_rules[i].number < BE_RUN_FINDINGS_MAX);
    }
    be_recent_take(recent, list, count, now_s);
}

static void test_since_and_until(void **state) {
    (void)state;
    struct be_recent *recent = calloc(1, sizeof *recent);
    assert_non_null(recent);
    const struct be_recent_one *serial = &recent->one[be_rule_find("serial")->number];
    const struct be_recent_one *idle = &recent->one[be_rule_find("cores-idle")->number];
    take(recent, "", 5);
    assert_int_equal(serial->news, BE_NEWS_NONE);
    take(recent, "serial", 10);
    assert_int_equal(serial->news, BE_NEWS_BEGAN);
    take(recent, "serial", 15);
    assert_int_equal(serial->news, BE_NEWS_NONE);
    take(recent, "cores-idle", 20); /* a moment without it is not its end */
    take(recent, "serial cores-idle", 70);
    assert_int_equal(serial->news, BE_NEWS_NONE);
    assert_float_equal(serial->since_s, 10, 1e-9);
    assert_false(serial->over);
    assert_string_equal(serial->finding.evidence, "at 70");
    take(recent, "cores-idle", 129);
    assert_int_equal(serial->news, BE_NEWS_NONE);
    take(recent, "cores-idle", 130);
    assert_int_equal(serial->news, BE_NEWS_ENDED);
    assert_true(serial->over);
    assert_float_equal(serial->last_s, 70, 1e-9);
    take(recent, "cores-idle", 135);
    assert_int_equal(serial->news, BE_NEWS_NONE);
    take(recent, "cores-idle serial", 140); /* again, from now */
    assert_int_equal(serial->news, BE_NEWS_BEGAN);
    assert_false(serial->over);
    assert_float_equal(serial->since_s, 140, 1e-9);
    assert_float_equal(idle->since_s, 20, 1e-9);
    free(recent);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_fault_that_begins_late),
        cmocka_unit_test(test_a_fault_that_ends),
        cmocka_unit_test(test_a_gpu_that_begins_to_wait),
        cmocka_unit_test(test_memory_is_judged_by_all_of_it),
        cmocka_unit_test(test_too_short),
        cmocka_unit_test(test_a_window_is_a_trace),
        cmocka_unit_test(test_a_window_has_enough_in_it),
        cmocka_unit_test(test_since_and_until),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
