/* Traces: the file that keeps them, and what is printed of them. */
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
#include "observe/trace.h"
#include "report/saved.h"
#include "report/trace/trace.h"
#include "made_trace.h"

static char *written(const struct be_trace *trace, enum be_format format) {
    char *text = NULL;
    size_t length = 0;
    struct be_error error = {0};
    FILE *out = open_memstream(&text, &length);
    assert_int_equal(be_trace_write(trace, format, out, &error), BE_OK);
    fclose(out);
    char *kept = strdup(text);
    free(text);
    return kept;
}

static enum be_status read_text(const char *text, struct be_trace *trace, struct be_error *error) {
    FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    enum be_status status = be_trace_read(in, "t.json", trace, error);
    fclose(in);
    return status;
}

static void make(struct be_trace *trace) {
    opened(trace);
    be_copy_text(trace->command, BE_NOTE, "a \"quoted\" \n\x1b[31m name \xff");
    trace->end = BE_END_KILLED;
    trace->code = 9;
    trace->elapsed_s = 33.25;
    trace->limits.cpus = 4;
    trace->limits.cpus_machine = 8;
    trace->limits.tasks_here = 6;
    trace->total.user_s = 12;
    trace->total.system_s = 0.5;
    trace->gpus = 1;
    be_copy_text(trace->gpu[0].id, BE_NAME, "nvml:0");
    trace->gpu[0].memory_bytes = 1e9;
    be_trace_process(trace, 4711, 0, 3);
    be_copy_text(trace->process[0].libraries, BE_LIBRARIES_TEXT, "python numpy");
    be_copy_text(trace->libraries, BE_LIBRARIES_TEXT, "python numpy openblas");
    be_copy_text(trace->settings, BE_NOTE, "OMP_NUM_THREADS=2");
    for (int i = 0; i < 33; i++) {
        be_trace_tick(trace, i + 0.123456);
        be_trace_add(trace, BE_CPU_BUSY, 0, 0, i / 7.0);
        be_trace_add(trace, BE_MEMORY, 0, 0, 1e9 * i + 0.3);
        be_trace_add(trace, BE_GPU_BUSY, 0, 0, i % 3 ? NAN : 0.25);
        be_trace_add(trace, BE_PROCESS_CPU, 0, 0, 0.1 * i);
    }
    be_trace_absent(trace, BE_GPU_TENSOR, "gpm", "needs Hopper");
    be_trace_round(trace);
}

/* The work of others on a GPU does not make it one that the program used. */
static void whose_gpu(void **state) {
    (void)state;
    static const struct {
        double own, others;
        const char *said;
    } cases[] = {
        {1, 0, "1 of 1 GPU"}, {1, 1, "1 of 1 GPU"}, {0, 1, "0 of 1 GPU"}, {0, 0, "1 of 1 GPU"}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_trace trace;
        make(&trace);
        be_trace_tick(&trace, 40);
        be_trace_add(&trace, BE_GPU_OWN_PROCESSES, 0, 0, cases[i].own);
        be_trace_add(&trace, BE_GPU_FOREIGN_PROCESSES, 0, 0, cases[i].others);
        char *text = written(&trace, BE_TEXT);
        if (!strstr(text, cases[i].said)) {
            fail_msg("not %s: %.80s", cases[i].said, text);
        }
        free(text);
        be_trace_close(&trace);
    }
}

static void file_and_back(void **state) {
    (void)state;
    struct be_trace trace, again;
    struct be_error error = {0};
    make(&trace);
    for (enum be_format format = BE_TEXT; format <= BE_CSV; format++) {
        char *json = written(&trace, BE_JSON);
        assert_int_equal(read_text(json, &again, &error), BE_OK);
        assert_int_equal(again.limits.tasks_here, 6);
        assert_string_equal(again.process[0].libraries, "python numpy");
        assert_string_equal(again.libraries, "python numpy openblas");
        assert_string_equal(again.settings, "OMP_NUM_THREADS=2");
        char *first = written(&trace, format), *second = written(&again, format);
        assert_string_equal(first, second);
        assert_null(strchr(first, '\x1b'));
        be_trace_close(&again);
        free(json);
        free(first);
        free(second);
    }
    be_trace_close(&trace);
}

/* The text with `from` replaced by `to`; free it. */
static char *changed(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    assert_non_null(at);
    size_t capacity = strlen(text) + strlen(to) + 1;
    char *made = malloc(capacity);
    snprintf(made, capacity, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return made;
}

/* `from` in the file replaced by `to` must be refused with a text that has `fragment`. */
static void refuse(const char *json, const char *from, const char *to, const char *fragment) {
    struct be_trace trace;
    struct be_error error = {0};
    char *text = changed(json, from, to);
    if (read_text(text, &trace, &error) == BE_OK) {
        be_trace_close(&trace);
        fail_msg("accepted: %s", to);
    }
    if (!strstr(error.text, fragment) || !strstr(error.text, "t.json")) {
        fail_msg("'%s' does not say '%s'", error.text, fragment);
    }
    free(text);
}

static void damaged_files(void **state) {
    (void)state;
    struct be_trace trace;
    make(&trace);
    char *json = written(&trace, BE_JSON);
    refuse(json, "\"run\",\n", "\"compare\",\n", "command");
    refuse(json, "\"ticks\":[0.", "\"ticks\":[7.", "each above the last");
    refuse(json, "\"ticks\":[0.", "\"ticks\":[null,0.", "ticks");
    refuse(json, "\"ticks\":[", "\"tocks\":[", "ticks");
    refuse(json, "\"values\":[0,", "\"values\":[0,0,", "more than there are ticks");
    refuse(json, "\"first\":0", "\"first\":1", "more than there are ticks");
    refuse(json, "\"first\":0", "\"first\":2000000000", "more than there are ticks");
    refuse(json, "\"values\":[0,", "\"values\":[\"x\",", "numbers or null");
    refuse(json, "\"values\":[0,", "\"values\":[1e99,", "numbers or null");
    refuse(json, "\"scope\":\"gpu\",\"of\":0", "\"scope\":\"gpu\",\"of\":1", "no such process");
    refuse(json, "\"of\":0", "\"of\":-1", "of");
    refuse(json, "\"signal\":\"memory\"", "\"signal\":\"cpu_busy\"", "there twice");
    refuse(json, "\"end\":\"killed\"", "\"end\":\"eaten\"", "end");
    refuse(json, "\"series\":[", "\"series\":[7,", "series[0]");
    refuse(json, "\"mean\":", "\"mean\":1e300,\"was\":", "neither above 1e30");
    refuse(json, "\"measured_s\":", "\"measured_s\":1e300,\"was\":", "neither above 1e30");
    refuse(json, "\"ticks\":[", "\"ticks\":[0.12345612345611,0.12345612345612,",
           "each above the last"); /* the same in the twelve digits that are kept */
    free(json);
    be_trace_close(&trace);
}

/* A file may have more digits than we keep, and numbers that no run has: what is reported of it is
 * what is reported of what is kept of it, and nothing overflows. */
static void numbers_of_others(void **state) {
    (void)state;
    static const char *const numbers[][2] = {
        {"\"ticks\":[0.123456,", "\"ticks\":[0.12345678901234567,"},
        {"\"values\":[0,0.14286,", "\"values\":[0.1234567890123,-1e29,"},
        {"\"values\":[0,0.14286,", "\"values\":[9.87654e29,0.14286,"},
        {"\"values\":[0,0.14286,", "\"values\":[-9.87654e29,0.14286,"}};
    struct be_trace trace, first, second;
    struct be_error error = {0};
    make(&trace);
    char *json = written(&trace, BE_JSON);
    for (size_t i = 0; i < BE_COUNT(numbers); i++) {
        char *text = changed(json, numbers[i][0], numbers[i][1]);
        assert_int_equal(read_text(text, &first, &error), BE_OK);
        char *kept = written(&first, BE_JSON), *shown = written(&first, BE_TEXT);
        assert_int_equal(read_text(kept, &second, &error), BE_OK);
        char *again = written(&second, BE_JSON), *shown_again = written(&second, BE_TEXT);
        assert_string_equal(kept, again);
        assert_string_equal(shown, shown_again);
        assert_true(first.end_s[0] == second.end_s[0]);
        assert_true(be_trace_at(&first, BE_CPU_BUSY, 0, 0) ==
                    be_trace_at(&second, BE_CPU_BUSY, 0, 0));
        assert_true(!strstr(numbers[i][1], "[9.8") || strstr(shown, "timeline @"));
        be_trace_close(&first);
        be_trace_close(&second);
        free(text);
        free(kept);
        free(shown);
        free(again);
        free(shown_again);
    }
    free(json);
    be_trace_close(&trace);
}

static void later_versions(void **state) {
    (void)state;
    struct be_trace trace, again;
    struct be_error error = {0};
    make(&trace);
    char *json = written(&trace, BE_JSON);
    char *name = strstr(json, "\"signal\":\"memory\"");
    memcpy(name, "\"signal\":\"mem0ry\"", strlen("\"signal\":\"mem0ry\"")); /* nobody knows it */
    assert_int_equal(read_text(json, &again, &error), BE_OK);
    assert_null(be_trace_series(&again, BE_MEMORY, 0));
    assert_non_null(be_trace_series(&again, BE_CPU_BUSY, 0));
    be_trace_close(&again);
    free(json);
    be_trace_close(&trace);
}

/* The values of a process that was there for three ticks of many take room for three. */
static void values_of_a_while(void **state) {
    (void)state;
    struct be_trace trace, again;
    struct be_error error = {0};
    opened(&trace);
    for (int i = 0; i < 1000; i++) {
        be_trace_tick(&trace, i + 1);
        be_trace_add(&trace, BE_CPU_BUSY, 0, 0, i == 700 || i == 702 ? 5 : NAN);
    }
    char *json = written(&trace, BE_JSON);
    assert_non_null(strstr(json, "\"first\":700,\"values\":[5,null,5]"));
    assert_int_equal(read_text(json, &again, &error), BE_OK);
    for (int i = 0; i < 1000; i++) {
        double value = be_trace_at(&again, BE_CPU_BUSY, 0, i);
        assert_true(i == 700 || i == 702 ? value == 5 : isnan(value));
    }
    be_trace_close(&again);
    be_trace_close(&trace);
    free(json);
}

/* That two threads which hardly ever could run waited for a core all that time is no news. */
static void waiting_for_a_core(void **state) {
    (void)state;
    for (int busy = 0; busy < 2; busy++) {
        struct be_trace trace;
        opened(&trace);
        trace.elapsed_s = 10;
        trace.limits.memory_machine_bytes = 8e9;
        for (int i = 1; i <= 10; i++) {
            be_trace_tick(&trace, i);
            be_trace_add(&trace, BE_MEMORY, 0, 0, 1e9);
            be_trace_add(&trace, BE_THREADS, 0, 0, 2);
            be_trace_add(&trace, BE_PROCESSES, 0, 0, 1);
            be_trace_add(&trace, BE_RUN_WAIT, 0, 0, 0.6);
            be_trace_add(&trace, BE_RUNNABLE, 0, 0, busy ? 2 : 0);
        }
        char *text = written(&trace, BE_TEXT);
        assert_int_equal(strstr(text, "waiting for a core 60 %") != NULL, busy);
        assert_non_null(strstr(text, "memory   1 GB of the machine's 8 GB (12 %)"));
        free(text);
        be_trace_close(&trace);
    }
}

/* The memory that others of the job took, or files in memory, stands beside what the program
 * had. */
static void memory_of_the_job(void **state) {
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct be_trace trace;
        opened(&trace);
        trace.elapsed_s = 1;
        trace.limits.memory_bytes = 8e9;
        trace.limits.asked = true;
        be_trace_tick(&trace, 1);
        be_trace_add(&trace, BE_MEMORY, 0, 0, 1e9);
        be_trace_add(&trace, BE_JOB_MEMORY, 0, 0, more ? 5e9 : 1.01e9);
        char *text = written(&trace, BE_TEXT);
        assert_non_null(
            strstr(text, more ? "memory   1 GB of 8 GB (7630M) asked (12 %), all of the job 5 GB\n"
                              : "memory   1 GB of 8 GB (7630M) asked (12 %)\n"));
        free(text);
        be_trace_close(&trace);
    }
}

static void empty_traces(void **state) {
    (void)state;
    struct be_trace trace;
    opened(&trace);
    for (enum be_format format = BE_TEXT; format <= BE_CSV; format++) {
        free(written(&trace, format));
    }
    be_trace_merge(&trace);
    assert_int_equal(trace.ticks, 0);
    assert_true(be_trace_too_short(&trace));
    be_trace_close(&trace);
    be_trace_close(&trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whose_gpu),         cmocka_unit_test(file_and_back),
        cmocka_unit_test(damaged_files),     cmocka_unit_test(numbers_of_others),
        cmocka_unit_test(later_versions),    cmocka_unit_test(values_of_a_while),
        cmocka_unit_test(empty_traces),      cmocka_unit_test(waiting_for_a_core),
        cmocka_unit_test(memory_of_the_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
