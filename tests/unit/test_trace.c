/* Traces: ticks, merging, means, places of processes. */
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
#include "report/common/names.h"
#include "report/trace/trace.h"
#include "made_trace.h"

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
    near(be_trace_max(&trace, BE_CPU_BUSY, 0), 4);
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
    double of_ticks = 0, max = 0;
    for (int i = 0; i < trace.ticks; i++) {
        of_ticks += be_trace_at(&trace, BE_CPU_BUSY, 0, i) * be_trace_length(&trace, i);
        max = fmax(max, be_trace_at(&trace, BE_MEMORY, 0, i));
        assert_true(i == trace.ticks - 1 || be_trace_length(&trace, i) == 32);
    }
    assert_true(fabs(of_ticks / sum - 1) < 1e-5); /* values are kept as float */
    near(max, 9e9);
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
        cmocka_unit_test(durations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
