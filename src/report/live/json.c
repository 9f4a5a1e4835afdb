/* Events of the live page. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/json/record.h"
#include "report/live/live.h"
#include "report/common/names.h"

enum { POINTS = 300 };

/* NULL once there is no memory; so is everything that it was to be part of. */
static cJSON *attach(cJSON *object, const char *name, cJSON *child) {
    if (!be_json_attach(object, name, child)) {
        cJSON_Delete(object);
        return NULL;
    }
    return object;
}

static cJSON *push(cJSON *list, cJSON *child) {
    if (!list || !child || !cJSON_AddItemToArray(list, child)) {
        cJSON_Delete(list);
        cJSON_Delete(child);
        return NULL;
    }
    return list;
}

/* Four digits are more than a chart shows. */
static cJSON *number(double value) {
    char text[BE_WORD];
    if (!isfinite(value)) {
        return cJSON_CreateNull();
    }
    snprintf(text, sizeof text, "%.3e", value);
    return cJSON_CreateRaw(be_format_exact(text, sizeof text, strtod(text, NULL), "null"));
}

/* In a run of days four digits would be minutes. */
static cJSON *moment(double seconds) {
    char text[BE_WORD];
    return cJSON_CreateRaw(
        be_format_exact(text, sizeof text, round(1000 * seconds) / 1000, "null"));
}

/* ---- the past ------------------------------------------------------------------------------- */

/* The end of each of `points` equal parts, the last of them now. */
static double part_s(const struct be_trace *trace, int *points) {
    double whole_s = trace->ticks ? trace->end_s[trace->ticks - 1] : 0;
    *points = trace->ticks < POINTS ? trace->ticks : POINTS;
    return *points ? whole_s / *points : 0;
}

static cJSON *past_of(const struct be_trace *trace, const struct be_live_figure *figure) {
    int points;
    double step_s = part_s(trace, &points);
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < points; i++) {
        list = push(list, number(be_live_figure_mean(trace, figure, i * step_s, (i + 1) * step_s)));
    }
    return list;
}

static cJSON *past_times(const struct be_trace *trace) {
    int points;
    double step_s = part_s(trace, &points);
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < points; i++) {
        list = push(list, moment((i + 1) * step_s));
    }
    return list;
}

/* ---- now ------------------------------------------------------------------------------------ */

static cJSON *figure_json(const struct be_trace *trace, const struct be_live_figure *figure,
                          bool history) {
    bool gpu = be_signals[figure->signal].scope == BE_OF_GPU;
    const char *unit = be_names_word(&be_names_in, (int)be_signals[figure->signal].unit);
    cJSON *one = cJSON_CreateObject();
    one = attach(one, "key", be_json_text(figure->key));
    one = attach(one, "label", be_json_text(figure->label));
    one = attach(one, "gpu", gpu ? cJSON_CreateNumber(figure->of) : cJSON_CreateNull());
    one = attach(one, "unit", be_json_text(unit));
    one = attach(one, "value", number(figure->value));
    one = attach(one, "full", number(figure->full));
    one = attach(one, "text", be_json_text(figure->text));
    return history ? attach(one, "past", past_of(trace, figure)) : one;
}

static cJSON *figures_json(const struct be_live_scene *scene, bool history) {
    struct be_live_figure list[BE_LIVE_FIGURES_MAX];
    int count = be_live_figures(scene, list);
    cJSON *all = cJSON_CreateArray();
    for (int i = 0; i < count; i++) {
        all = push(all, figure_json(scene->trace, &list[i], history));
    }
    return all;
}

static cJSON *gpus_json(const struct be_trace *trace) {
    cJSON *all = cJSON_CreateArray();
    for (int i = 0; i < trace->gpus; i++) {
        cJSON *one = attach(cJSON_CreateObject(), "name", be_json_text(trace->gpu[i].name));
        all = push(all, attach(one, "note", be_json_text(trace->gpu[i].note)));
    }
    return all;
}

static cJSON *processes_json(const struct be_live_scene *scene) {
    struct be_live_process list[BE_TRACE_PROCESSES_MAX];
    int count = be_live_processes(scene->trace, BE_LIVE_BY_CPU, false, list);
    cJSON *all = cJSON_CreateArray();
    for (int i = 0; i < count; i++) {
        cJSON *one = attach(cJSON_CreateObject(), "pid", cJSON_CreateNumber(list[i].pid));
        const struct be_live_more *more = be_live_more(scene, &list[i]);
        const char state[2] = {more->state, '\0'};
        one = attach(one, "name", be_json_text(list[i].name));
        one = attach(one, "user", *more->user ? be_json_text(more->user) : cJSON_CreateNull());
        one = attach(one, "state", *state ? be_json_text(state) : cJSON_CreateNull());
        one = attach(one, "cpu", number(list[i].cpu));
        one = attach(one, "bytes", number(list[i].bytes));
        one = attach(one, "threads", number(list[i].threads));
        one = attach(one, "read", number(list[i].read));
        one = attach(one, "written", number(list[i].written));
        all = push(all, attach(one, "cpu_s", moment(list[i].cpu_s)));
    }
    return all;
}

static cJSON *over_json(const struct be_live_scene *scene) {
    const struct be_recent_one *over[BE_RUN_FINDINGS_MAX];
    int count = be_live_over(scene, over);
    cJSON *all = cJSON_CreateArray();
    for (int i = 0; i < count; i++) {
        cJSON *one = attach(cJSON_CreateObject(), "name", be_json_text(over[i]->finding.name));
        one = attach(one, "evidence", be_json_text(over[i]->finding.evidence));
        one = attach(one, "since_s", moment(over[i]->since_s));
        all = push(all, attach(one, "until_s", moment(over[i]->last_s)));
    }
    return all;
}

static cJSON *findings_json(const struct be_live_scene *scene) {
    cJSON *all = cJSON_CreateArray();
    for (int i = 0; i < scene->findings; i++) {
        const struct be_run_finding *finding = &scene->finding[i];
        const char *weight = be_names_word(&be_names_weight, (int)finding->weight);
        cJSON *one = attach(cJSON_CreateObject(), "name", be_json_text(finding->name));
        one = attach(one, "weight", be_json_text(weight));
        one = attach(one, "evidence", be_json_text(finding->evidence));
        one = attach(one, "gpu",
                     finding->gpu < 0 ? cJSON_CreateNull() : cJSON_CreateNumber(finding->gpu));
        one = attach(one, "from_s", moment(finding->from_s));
        one = attach(one, "to_s", moment(finding->to_s));
        one = attach(one, "since_s", moment(be_live_since(scene, finding)));
        one = attach(one, "cost_s", number(finding->cost_s));
        all = push(all, attach(one, "advice", be_json_text(finding->advice)));
    }
    return all;
}

static cJSON *absences_json(const struct be_trace *trace) {
    cJSON *all = cJSON_CreateArray();
    for (int i = 0; i < trace->sources; i++) {
        if (trace->source[i].absent[0]) {
            cJSON *one = attach(cJSON_CreateObject(), "name", be_json_text(trace->source[i].name));
            all = push(all, attach(one, "reason", be_json_text(trace->source[i].absent)));
        }
    }
    return all;
}

void be_live_json(const struct be_live_scene *scene, bool history, struct be_text *out) {
    const struct be_trace *trace = scene->trace;
    cJSON *all = cJSON_CreateObject();
    if (history) {
        all = attach(all, "schema", be_json_text("breakeven/1"));
        all = attach(all, "command", be_json_text("watch"));
    }
    all = attach(all, "time_s", moment(trace->elapsed_s));
    all = attach(all, "ended", cJSON_CreateBool(scene->ended));
    all = attach(all, "too_short", cJSON_CreateBool(be_trace_too_short(trace)));
    all = attach(all, "figures", figures_json(scene, history));
    all = attach(all, "processes", processes_json(scene));
    all = attach(all, "findings", findings_json(scene));
    all = attach(all, "gpus", gpus_json(trace)); /* drivers may take seconds to tell of them */
    all = attach(all, "absent", absences_json(trace));
    all = attach(all, "over", over_json(scene));
    if (history) {
        all = attach(all, "what", be_json_text(scene->what));
        all = attach(all, "host", be_json_text(trace->host));
        all = attach(all, "cpu", be_json_text(trace->cpu));
        all = attach(all, "date", be_json_text(trace->date));
        all = attach(all, "version", be_json_text(BE_VERSION));
        all = attach(all, "interval_s", number(trace->interval_s));
        all = attach(all, "window_s", number(scene->window_s > 0 ? scene->window_s : NAN));
        all = attach(all, "times", past_times(trace));
    }
    be_json_add(out, all);
}
