/* Lines for logs and screen readers: nothing but ASCII, everything in words. */
#include <math.h>
#include <stdio.h>

#include "report/common/lines.h"
#include "report/live/live.h"
#include "report/trace/trace.h"

static void add_time(const struct be_live_scene *scene, struct be_text *out) {
    char word[BE_WORD];
    be_text_add(out, "%s ", be_live_clock(word, sizeof word, scene->trace->elapsed_s));
}

static void add_figures(const struct be_live_figure *list, int count, int of, bool gpu,
                        struct be_text *out) {
    const char *between = "";
    for (int i = 0; i < count; i++) {
        bool is_gpu = be_signals[list[i].signal].scope == BE_OF_GPU;
        if (is_gpu == gpu && list[i].of == of && !(gpu && isnan(list[i].value))) {
            be_text_add(out, "%s%s %s", between, list[i].label, list[i].text);
            between = ", ";
        }
    }
    be_text_add(out, *between ? "\n" : "not measured\n");
}

void be_live_plain(const struct be_live_scene *scene, struct be_text *out) {
    struct be_live_figure list[BE_LIVE_FIGURES_MAX];
    int count = be_live_figures(scene, list);
    add_time(scene, out);
    add_figures(list, count, 0, false, out);
    for (int i = 0; i < scene->trace->gpus; i++) {
        add_time(scene, out);
        be_text_add(out, "GPU %d ", i);
        be_lines_ascii(out, scene->trace->gpu[i].name);
        be_text_add(out, ": ");
        add_figures(list, count, i, true, out);
    }
}

/* Most of a machine's processes are threads of its kernel that wait. */
static bool does_nothing(const struct be_live_process *one) {
    return one->cpu < 5e-4 && one->bytes <= 0;
}

/* " of me, running" */
static void add_more(const struct be_live_more *more, struct be_text *out) {
    const char *state = be_live_state(more->state);
    if (more->user[0]) {
        be_text_add(out, " of ");
        be_lines_ascii(out, more->user);
    }
    if (state) {
        be_text_add(out, ", %s", state);
    }
}

void be_live_plain_processes(const struct be_live_scene *scene, int max, struct be_text *out) {
    struct be_live_process list[BE_TRACE_PROCESSES_MAX];
    int count = be_live_processes(scene->trace, BE_LIVE_BY_CPU, false, list);
    for (int i = 0; i < count && i < max; i++) {
        const struct be_live_process *one = &list[i];
        char bytes[BE_WORD], time[BE_WORD];
        if (does_nothing(one)) {
            continue;
        }
        add_time(scene, out);
        be_text_add(out, "process %d ", one->pid);
        be_lines_ascii(out, one->name);
        add_more(be_live_more(scene, one), out);
        if (isnan(one->cpu)) {
            be_text_add(out, ": CPU not measured");
        } else {
            be_text_add(out, ": CPU %.1f %% of a core", 100 * one->cpu);
        }
        be_text_add(out, ", memory %s, %.0f thread%s, CPU time %s\n",
                    be_format_bytes(bytes, sizeof bytes, one->bytes, "not measured"), one->threads,
                    one->threads < 1.5 ? "" : "s",
                    be_format_duration(time, sizeof time, one->cpu_s));
    }
}

static void add_finding(const struct be_live_scene *scene, const struct be_run_finding *finding,
                        struct be_text *out) {
    char about[BE_NAME];
    add_time(scene, out);
    be_text_add(out, "found %s (of %s): ", finding->name,
                be_live_about(about, sizeof about, finding));
    be_lines_ascii(out, finding->evidence);
    if (finding->advice[0]) {
        be_text_add(out, " -> ");
        be_lines_ascii(out, finding->advice);
    }
    be_text_add(out, "\n");
}

void be_live_plain_findings(const struct be_live_scene *scene, struct be_text *out) {
    for (int i = 0; i < scene->findings; i++) {
        add_finding(scene, &scene->finding[i], out);
    }
}

void be_live_plain_news(const struct be_live_scene *scene, struct be_text *out) {
    const struct be_recent_one *over[BE_RUN_FINDINGS_MAX];
    int overs = be_live_over(scene, over);
    for (int i = 0; i < scene->findings; i++) {
        const struct be_run_finding *finding = &scene->finding[i];
        if (scene->recent && scene->recent->one[finding->number].news == BE_NEWS_BEGAN) {
            add_finding(scene, finding, out);
        }
    }
    for (int i = 0; i < overs; i++) {
        char since[BE_WORD], until[BE_WORD];
        if (over[i]->news == BE_NEWS_ENDED) {
            add_time(scene, out);
            be_text_add(out, "over %s: found from %s to %s\n", over[i]->finding.name,
                        be_live_clock(since, sizeof since, over[i]->since_s),
                        be_live_clock(until, sizeof until, over[i]->last_s));
        }
    }
}
