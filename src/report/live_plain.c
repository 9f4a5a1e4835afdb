/* Lines for logs and screen readers: nothing but ASCII, everything in words. */
#include <math.h>
#include <stdio.h>

#include "report/lines.h"
#include "report/live.h"
#include "report/trace_report.h"

static void add_time(const struct be_live_scene *scene, struct be_text *out) {
    double seconds = floor(scene->trace->elapsed_s);
    be_text_add(out, "%.0f:%02.0f:%02.0f ", floor(seconds / 3600), fmod(floor(seconds / 60), 60),
                fmod(seconds, 60));
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

void be_live_plain_processes(const struct be_live_scene *scene, int most, struct be_text *out) {
    struct be_live_process list[BE_TRACE_PROCESSES_MAX];
    int count = be_live_processes(scene->trace, BE_LIVE_BY_CPU, false, list);
    for (int i = 0; i < count && i < most; i++) {
        const struct be_live_process *one = &list[i];
        char bytes[BE_WORD], time[BE_WORD];
        add_time(scene, out);
        be_text_add(out, "process %d ", one->pid);
        be_lines_ascii(out, one->name);
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

void be_live_plain_findings(const struct be_live_scene *scene, struct be_text *out) {
    for (int i = 0; i < scene->findings; i++) {
        const struct be_run_finding *finding = &scene->finding[i];
        add_time(scene, out);
        be_text_add(out, "found %s: ", finding->name);
        be_lines_ascii(out, finding->evidence);
        if (finding->advice[0]) {
            be_text_add(out, " -> ");
            be_lines_ascii(out, finding->advice);
        }
        be_text_add(out, "\n");
    }
}
