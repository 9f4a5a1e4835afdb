#include "observe/rules/recent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

const double be_recent_over_s = 60;

/* ---- the last part of a trace --------------------------------------------------------------- */

/* The first tick of the shortest end of it that is long enough. */
static int first_tick(const struct be_trace *whole, double length_s) {
    double a_tick = whole->ticks ? whole->samples / whole->ticks : 0;
    for (int first = whole->ticks - 1; first > 0; first--) {
        int ticks = whole->ticks - first;
        double seconds = whole->end_s[whole->ticks - 1] - whole->end_s[first - 1];
        if (seconds >= length_s && ticks >= BE_WINDOW_TICKS &&
            ticks * a_tick >= BE_WINDOW_SAMPLES) {
            return first;
        }
    }
    return 0;
}

/* Sums over its ticks; false: nothing was measured in them. */
static bool cut(const struct be_trace *window, const struct be_signal_series *from, int first,
                struct be_signal_series *to) {
    *to = *from;
    to->value += first;
    to->sum_s = to->integral = 0;
    to->min = INFINITY;
    to->max = -INFINITY;
    for (int i = 0; i < window->ticks; i++) {
        double value = (double)to->value[i], length_s = be_trace_length(window, i);
        if (!isnan(value)) {
            to->sum_s += length_s;
            to->integral += value * length_s;
            to->min = fmin(to->min, value);
            to->max = fmax(to->max, value);
        }
    }
    return to->sum_s > 0;
}

/* The use within the window: the mean of what was measured in it, times all of its time. */
static double used(const struct be_trace *window, enum be_signal signal) {
    return be_trace_mean(window, signal, 0) * window->elapsed_s;
}

static void sum_up(struct be_trace *window) {
    double cpu_s = used(window, BE_CPU_BUSY), system_s = used(window, BE_CPU_SYSTEM);
    double stopped_s = used(window, BE_STOPPED_SHARE);
    window->total = be_trace_no_totals;
    window->total.system_s = isnan(system_s) ? 0 : fmin(system_s, cpu_s);
    window->total.user_s = cpu_s - window->total.system_s;
    window->total.read_bytes = used(window, BE_READ);
    window->total.written_bytes = used(window, BE_WRITTEN);
    window->stopped_s = isnan(stopped_s) ? 0 : stopped_s;
}

enum be_status be_window_open(const struct be_trace *whole, double length_s,
                              struct be_trace *window, double *from_s, struct be_error *error) {
    int first = first_tick(whole, length_s);
    *window = *whole;
    window->ticks = whole->ticks - first;
    window->end_s = malloc(((size_t)window->ticks + 1) * sizeof *window->end_s);
    window->one = malloc((whole->series + 1) * sizeof *window->one);
    window->series = 0;
    if (!window->end_s || !window->one) {
        be_window_close(window);
        return be_fail(error, BE_NOMEM, "the last part of a trace: out of memory");
    }
    *from_s = first ? whole->end_s[first - 1] : 0;
    for (int i = 0; i < window->ticks; i++) {
        window->end_s[i] = whole->end_s[first + i] - *from_s;
    }
    window->samples = whole->ticks ? whole->samples * window->ticks / whole->ticks : 0;
    window->elapsed_s = whole->elapsed_s - *from_s;
    for (int i = 0; i < window->processes; i++) {
        window->process[i].start_s -= *from_s;
    }
    for (size_t i = 0; i < whole->series; i++) {
        window->series += cut(window, &whole->one[i], first, &window->one[window->series]);
    }
    sum_up(window);
    return BE_OK;
}

void be_window_close(struct be_trace *window) {
    free(window->one);
    free(window->end_s);
    *window = (struct be_trace){0};
}

int be_findings_now(const struct be_trace *whole, double length_s,
                    struct be_run_finding list[BE_RUN_FINDINGS_MAX]) {
    struct be_trace *window = calloc(1, sizeof *window);
    struct be_error error;
    double from_s = 0;
    int count = 0;
    if (be_trace_too_short(whole)) {
        free(window);
        return 0;
    }
    if (length_s > 0 && window &&
        be_window_open(whole, length_s, window, &from_s, &error) == BE_OK) {
        count = be_findings_of(whole, window, from_s, list);
        be_window_close(window);
    } else {
        count = be_findings_of(whole, whole, 0, list);
    }
    free(window);
    return count;
}

/* ---- findings over time --------------------------------------------------------------------- */

static void take_one(struct be_recent_one *one, const struct be_run_finding *finding,
                     double now_s) {
    if (!one->finding.number || one->over) {
        one->since_s = now_s;
        one->over = false;
        one->news = BE_NEWS_BEGAN;
    }
    one->finding = *finding;
    one->last_s = now_s;
}

void be_recent_take(struct be_recent *recent, const struct be_run_finding *list, int count,
                    double now_s) {
    for (int i = 0; i < BE_RUN_FINDINGS_MAX; i++) {
        recent->one[i].news = BE_NEWS_NONE;
    }
    for (int i = 0; i < count; i++) {
        if (list[i].number > 0 && list[i].number < BE_RUN_FINDINGS_MAX) {
            take_one(&recent->one[list[i].number], &list[i], now_s);
        }
    }
    for (int i = 0; i < BE_RUN_FINDINGS_MAX; i++) {
        struct be_recent_one *one = &recent->one[i];
        if (one->finding.number && !one->over && now_s - one->last_s >= be_recent_over_s) {
            one->over = true;
            one->news = BE_NEWS_ENDED;
        }
    }
}
