/* Traces made up for the rules: a program of 20 s on 4 cores, with signals that do not change. */
#ifndef TESTS_MADE_FINDINGS_H
#define TESTS_MADE_FINDINGS_H

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
#include "observe/rules/look.h"
#include "report/trace/rules_text.h"

enum { TICKS = 40 };
static const double tick_s = 0.5;

/* One value of one signal over the whole run. */
struct given {
    enum be_signal signal;
    int of;
    double value;
};

/* A program of 20 s on 4 cores, of which it took `cores`. */
static inline void make(struct be_trace *trace, int ticks, double cores, const struct given *given,
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
static inline const char *names(const struct be_trace *trace, char *to, size_t capacity) {
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    int count = be_trace_findings(trace, found);
    to[0] = '\0';
    for (int i = 0; i < count; i++) {
        size_t length = strlen(to);
        bool good = found[i].weight == BE_WEIGHT_GOOD;
        snprintf(to + length, capacity - length, "%s%s%s%s", i ? " " : "", good ? "(" : "",
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

#endif
