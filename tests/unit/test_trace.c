/* Traces: ticks, merging, means, places of processes, and the file that keeps them. */
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
#include "report/names.h"
#include "report/trace_report.h"

static void opened(struct be_trace *trace) {
    struct be_error error = {0};
    assert_int_equal(be_trace_open(trace, &error), BE_OK);
    assert_int_equal(be_trace_source(trace, "proc"), 0);
}

static void near(double value, double want) {
    if (!(fabs(value - want) <= 1e-6 * fmax(1, fabs(want)))) {
        fail_msg("%.9g, not %.9g", value, want);
    }
}

static void every_signal_has_a_row(void **state) {
    (void)state;
    for (int i = 0; i < BE_SIGNALS; i++) {
        assert_non_null(be_signals[i].name);
        assert_non_null(be_signals[i].summary);
        assert_int_equal(be_signal_find(be_signals[i].name), i); /* and no name is there twice */
    }
    assert_int_equal(be_signal_find("no_such_signal"), -1);
}

static void values_of_ticks(void **state) {
    (void)state;
    struct be_trace trace;
    opened(&trace);
    be_trace_add(&trace, BE_CPU_BUSY, 0, 0, 1); /* before any tick: nothing */
    assert_null(be_trace_series(&trace, BE_CPU_BUSY, 0));
    assert_true(be_trace_tick(&trace, 1));
    be_trace_add(&trace, BE_CPU_BUSY, 0, 0, 2);
    be_trace_add(&trace, BE_CPU_BUSY, 0, 0, 7); /* the tick has its value */
    assert_true(be_trace_tick(&trace, 2));
    be_trace_add(&trace, BE_CPU_BUSY, 0, 0, NAN);
    assert_false(be_trace_tick(&trace, 2)); /* the clock stands */
    assert_false(be_trace_tick(&trace, 1.5));
    assert_false(be_trace_tick(&trace, NAN));
    assert_true(be_trace_tick(&trace, 5));
    be_trace_add(&trace, BE_CPU_BUSY, 0, 0, 4);
    near(be_trace_at(&trace, BE_CPU_BUSY, 0, 0), 2);
    assert_true(isnan(be_trace_at(&trace, BE_CPU_BUSY, 0, 1)));
    near(be_trace_at(&trace, BE_CPU_BUSY, 0, 2), 4);
    near(be_trace_length(&trace, 2), 3);
    near(be_trace_mean(&trace, BE_CPU_BUSY, 0), (2 * 1 + 4 * 3) / 4.0);
    near(be_trace_most(&trace, BE_CPU_BUSY, 0), 4);
    near(be_trace_coverage(&trace, BE_CPU_BUSY, 0), 0.8);
    assert_true(isnan(be_trace_mean(&trace, BE_MEMORY, 0)));
    near(be_trace_coverage(&trace, BE_MEMORY, 0), 0);
    be_trace_close(&trace);
}

static void first_source_keeps_a_series(void **state) {
    (void)state;
    struct be_trace trace;
    opened(&trace);
    int other = be_trace_source(&trace, "other");
    be_trace_tick(&trace, 1);
    be_trace_add(&trace, BE_GPU_BUSY, 0, 0, 0.5);
    be_trace_tick(&trace, 2);
    be_trace_add(&trace, BE_GPU_BUSY, 0, other, 0.9);
    assert_true(isnan(be_trace_at(&trace, BE_GPU_BUSY, 0, 1)));
    be_trace_add(&trace, BE_GPU_BUSY, 0, 0, 0.6);
    near(be_trace_at(&trace, BE_GPU_BUSY, 0, 1), 0.6);
    be_trace_close(&trace);
}

/* A long run: the ticks stay few and alike, the mean and the most stay what they were. */
static void merging(void **state) {
    (void)state;
    struct be_trace trace;
    opened(&trace);
    const int samples = 100000;
    double sum = 0;
    for (int i = 1; i <= samples; i++) {
        be_trace_tick(&trace, i);
        double value = i % 7;
        sum += value;
        be_trace_add(&trace, BE_CPU_BUSY, 0, 0, value);
        be_trace_add(&trace, BE_MEMORY, 0, 0, i == 4242 ? 9e9 : 1e9);
        assert_true(trace.ticks <= BE_TICKS_MAX);
    }
    near(trace.samples, samples);
    assert_int_equal(trace.merges, 5);
    assert_true(trace.ticks > BE_TICKS_MAX / 2);
    near(trace.end_s[trace.ticks - 1], samples);
    near(be_trace_mean(&trace, BE_CPU_BUSY, 0), sum / samples);
    double of_ticks = 0, most = 0;
    for (int i = 0; i < trace.ticks; i++) {
        of_ticks += be_trace_at(&trace, BE_CPU_BUSY, 0, i) * be_trace_length(&trace, i);
        most = fmax(most, be_trace_at(&trace, BE_MEMORY, 0, i));
        assert_true(i == trace.ticks - 1 || be_trace_length(&trace, i) == 32);
    }
    assert_true(fabs(of_ticks / sum - 1) < 1e-5); /* values are kept as float */
    near(most, 9e9);
    be_trace_close(&trace);
}

static void merging_with_gaps(void **state) {
    (void)state;
    struct be_trace trace;
    opened(&trace);
    const double end_s[] = {1, 4, 5, 6, 7};
    const double value[] = {2, 6, NAN, 3, NAN};
    for (int i = 0; i < 5; i++) {
        be_trace_tick(&trace, end_s[i]);
        be_trace_add(&trace, BE_CPU_BUSY, 0, 0, value[i]);
    }
    be_trace_merge(&trace);
    assert_int_equal(trace.ticks, 3);
    near(trace.end_s[0], 4);
    near(be_trace_at(&trace, BE_CPU_BUSY, 0, 0), (2 * 1 + 6 * 3) / 4.0);
    near(be_trace_at(&trace, BE_CPU_BUSY, 0, 1), 3);
    assert_true(isnan(be_trace_at(&trace, BE_CPU_BUSY, 0, 2)));
    near(be_trace_coverage(&trace, BE_CPU_BUSY, 0), 5.0 / 7);
    be_trace_close(&trace);
}

static void places_of_processes(void **state) {
    (void)state;
    struct be_trace trace;
    opened(&trace);
    be_trace_tick(&trace, 1);
    for (int i = 0; i < BE_TRACE_PROCESSES_MAX; i++) {
        assert_int_equal(be_trace_process(&trace, 100 + i, 0, 5 + i), i);
        be_trace_add(&trace, BE_PROCESS_CPU, i, 0, 1);
    }
    assert_int_equal(be_trace_process(&trace, 100, 0, 9), 0);
    assert_int_equal(be_trace_process(&trace, 999, 0, 1), -1); /* used less than any */
    trace.process[0].main = true;                              /* has the least, but stays */
    assert_int_equal(be_trace_process(&trace, 999, 0, 30), 1);
    assert_null(be_trace_series(&trace, BE_PROCESS_CPU, 1)); /* what was there was another's */
    assert_non_null(be_trace_series(&trace, BE_PROCESS_CPU, 0));
    /* The same number, begun at another time, is another process. */
    assert_int_equal(be_trace_process(&trace, 100, 50, 40), 2);
    be_trace_close(&trace);
}

static bool is_busy(const struct be_trace *trace, int tick, const void *context) {
    return be_trace_at(trace, BE_CPU_BUSY, 0, tick) > *(const double *)context;
}

static void mean_where(void **state) {
    (void)state;
    struct be_trace trace;
    opened(&trace);
    for (int i = 0; i < 10; i++) {
        be_trace_tick(&trace, i + 1);
        be_trace_add(&trace, BE_CPU_BUSY, 0, 0, i);
        be_trace_add(&trace, BE_GPU_BUSY, 0, 0, 0.1 * i);
    }
    double above = 7.5, time_s = 0;
    near(be_trace_mean_where(&trace, BE_GPU_BUSY, 0, is_busy, &above, &time_s), 0.85);
    near(time_s, 2);
    above = 100;
    assert_true(isnan(be_trace_mean_where(&trace, BE_GPU_BUSY, 0, is_busy, &above, &time_s)));
    near(time_s, 0);
    be_trace_close(&trace);
}

/* A counter that was not read in each tick: its mean is of all ticks since it was. */
static void means_since(void **state) {
    (void)state;
    struct be_trace trace;
    opened(&trace);
    for (int i = 0; i < 6; i++) {
        be_trace_tick(&trace, i + 1);
        if (i == 1 || i == 4) {
            be_trace_add(&trace, BE_GPU_SM_ACTIVE, 0, 0, i == 1 ? 0.1 : 0.6);
            be_trace_since(&trace, BE_GPU_SM_ACTIVE, 0, i == 1 ? 1.02 : 1.98);
        }
    }
    be_trace_since(&trace, BE_GPU_SM_ACTIVE, 0, 1); /* has none of this tick */
    be_trace_since(&trace, BE_GPU_BUSY, 0, 1);      /* nor any */
    const struct be_signal_series *series = be_trace_series(&trace, BE_GPU_SM_ACTIVE, 0);
    assert_true(isnan(series->value[0]));
    near((double)series->value[1], 0.1);
    for (int i = 2; i < 5; i++) {
        near((double)series->value[i], 0.6);
    }
    assert_true(isnan(series->value[5]));
    near(series->sum_s, 4);
    near(series->integral, 0.1 + 3 * 0.6);
    be_trace_close(&trace);
}

static void reasons(void **state) {
    (void)state;
    struct be_trace trace;
    opened(&trace);
    assert_string_equal(be_trace_why(&trace, BE_GPU_BUSY), "no GPU is seen here");
    assert_string_equal(be_trace_why(&trace, BE_READ), "no source here has it");
    int nvml = be_trace_source(&trace, "nvml");
    trace.source[nvml].gpu = true;
    be_copy_text(trace.source[nvml].absent, BE_NOTE, "no driver");
    assert_string_equal(be_trace_why(&trace, BE_GPU_BUSY), "no driver");
    be_trace_absent(&trace, BE_GPU_BUSY, "gpm", "too old");
    be_trace_absent(&trace, BE_GPU_BUSY, "gpm", "said twice");
    assert_int_equal(trace.absences, 1);
    assert_string_equal(be_trace_why(&trace, BE_GPU_BUSY), "too old");
    for (int i = 0; i < 2 * BE_TRACE_SOURCES_MAX; i++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", i);
        int at = be_trace_source(&trace, name);
        assert_true(at < BE_TRACE_SOURCES_MAX && (at >= 0 || i > 10));
    }
    be_trace_close(&trace);
}

/* docs/json.md has a row of each, and says what the table does. */
static void signals_are_documented(void **state) {
    (void)state;
    struct be_text page = {0};
    FILE *file = fopen("docs/json.md", "r");
    assert_non_null(file);
    char part[4096];
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;) {
        be_text_add_bytes(&page, part, got);
    }
    fclose(file);
    for (int i = 0; i < BE_SIGNALS; i++) {
        char row[512];
        snprintf(row, sizeof row, "\n| `%s` | `%s` | `%s` | %s |\n", be_signals[i].name,
                 be_names_word(&be_names_scope, (int)be_signals[i].scope),
                 be_names_word(&be_names_in, (int)be_signals[i].unit), be_signals[i].summary);
        if (!strstr(page.data, row)) {
            fail_msg("docs/json.md lacks%s", row);
        }
    }
    be_text_free(&page);
}

/* ---- files ---------------------------------------------------------------------------------- */

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
    trace->total.user_s = 12;
    trace->total.system_s = 0.5;
    trace->gpus = 1;
    be_copy_text(trace->gpu[0].id, BE_NAME, "nvml:0");
    trace->gpu[0].memory_bytes = 1e9;
    be_trace_process(trace, 4711, 0, 3);
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

/* What others did on a GPU does not make it one that the program used. */
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
    size_t room = strlen(text) + strlen(to) + 1;
    char *made = malloc(room);
    snprintf(made, room, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
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
        assert_true(!strstr(numbers[i][1], "[9.8") || strstr(shown, "timeline █"));
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

/* What a process did that was there for three ticks of many takes room for three. */
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

static void durations(void **state) {
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0.0042, "4.20 ms"},   {3.42, "3.42 s"},       {724, "12 min 04 s"},
                 {60, "1 min 00 s"},    {3599.6, "1 h 00 min"}, {7500, "2 h 05 min"},
                 {119.7, "2 min 00 s"}, {NAN, "not measured"}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        char text[BE_WORD];
        assert_string_equal(be_format_duration(text, sizeof text, cases[i].seconds), cases[i].text);
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
        cmocka_unit_test(every_signal_has_a_row),
        cmocka_unit_test(values_of_ticks),
        cmocka_unit_test(first_source_keeps_a_series),
        cmocka_unit_test(merging),
        cmocka_unit_test(merging_with_gaps),
        cmocka_unit_test(places_of_processes),
        cmocka_unit_test(mean_where),
        cmocka_unit_test(means_since),
        cmocka_unit_test(reasons),
        cmocka_unit_test(signals_are_documented),
        cmocka_unit_test(whose_gpu),
        cmocka_unit_test(file_and_back),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(numbers_of_others),
        cmocka_unit_test(later_versions),
        cmocka_unit_test(values_of_a_while),
        cmocka_unit_test(durations),
        cmocka_unit_test(empty_traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
