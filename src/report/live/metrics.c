/*
 * Prometheus text format 0.0.4. Names follow its conventions (prometheus.io/docs/practices/naming):
 * base units at the end, ratios from 0 to 1, _total for what only grows.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/live/live.h"
#include "report/common/names.h"

#define PREFIX "breakeven_"

static const char *const unit_suffix[BE_SIGNAL_UNITS] = {
    [BE_IN_CORES] = "_cores", [BE_IN_SHARE] = "_ratio",
    [BE_IN_COUNT] = "",       [BE_IN_PER_S] = "_per_second",
    [BE_IN_BYTES] = "_bytes", [BE_IN_BYTES_S] = "_bytes_per_second",
    [BE_IN_WATTS] = "_watts", [BE_IN_CELSIUS] = "_celsius",
    [BE_IN_HERTZ] = "_hertz", [BE_IN_SECONDS] = "_seconds",
};

static void add_head(struct be_text *out, const char *name, const char *suffix, const char *type,
                     const char *help) {
    be_text_add(out, "# HELP " PREFIX "%s%s %s\n# TYPE " PREFIX "%s%s %s\n", name, suffix, help,
                name, suffix, type);
}

/* A label's value: foreign text, well-formed, with \, " and ends of lines escaped. */
static void add_label(struct be_text *out, const char *before, const char *name,
                      const char *value) {
    struct be_text clean = {0};
    be_text_add_utf8(&clean, value);
    be_text_add(out, "%s%s=\"", before, name);
    for (const char *at = clean.data; at && *at; at++) {
        if (*at == '\\' || *at == '"') {
            be_text_add(out, "\\%c", *at);
        } else if (*at == '\n') {
            be_text_add(out, "\\n");
        } else if ((unsigned char)*at < ' ' || *at == 127) { /* whoever prints it is not steered */
            be_text_add(out, "?");
        } else {
            be_text_add_bytes(out, at, 1);
        }
    }
    be_text_add(out, "\"");
    out->failed |= clean.failed;
    be_text_free(&clean);
}

static void add_number(struct be_text *out, double value) {
    char number[BE_WORD];
    be_text_add(out, " %s\n", be_format_exact(number, sizeof number, value, "NaN"));
}

/* ---- signals -------------------------------------------------------------------------------- */

static void add_gpu_labels(struct be_text *out, const struct be_trace *trace, int gpu) {
    be_text_add(out, "{gpu=\"%d\"", gpu);
    add_label(out, ",", "name", trace->gpu[gpu].name);
    add_label(out, ",", "uuid", trace->gpu[gpu].uuid);
    be_text_add(out, "}");
}

static void add_process_labels(struct be_text *out, const struct be_live_process *process) {
    be_text_add(out, "{pid=\"%d\"", process->pid);
    add_label(out, ",", "name", process->name);
    be_text_add(out, "}");
}

static double newest_back_s(const struct be_trace *trace) {
    return trace->ticks ? fmax(5, 2 * be_trace_length(trace, trace->ticks - 1)) : 0;
}

static void add_processes(const struct be_trace *trace, enum be_signal signal,
                          const struct be_live_process *list, int count, struct be_text *out) {
    for (int i = 0; i < count; i++) {
        double value = be_live_value(trace, signal, list[i].index, newest_back_s(trace));
        if (!isnan(value)) {
            be_text_add(out, PREFIX "%s%s", be_signals[signal].name,
                        unit_suffix[be_signals[signal].unit]);
            add_process_labels(out, &list[i]);
            add_number(out, value);
        }
    }
}

static void add_signal(const struct be_trace *trace, enum be_signal signal,
                       const struct be_live_process *list, int count, struct be_text *out) {
    const struct be_signal_info *info = &be_signals[signal];
    const char *suffix = unit_suffix[info->unit];
    int things = info->scope == BE_OF_GPU ? trace->gpus : info->scope == BE_OF_PROCESS ? count : 1;
    bool any = false;
    for (int i = 0; i < things; i++) {
        int of = info->scope == BE_OF_PROCESS ? list[i].index : i;
        any |= !isnan(be_live_value(trace, signal, of, newest_back_s(trace)));
    }
    if (!any) { /* a metric without samples is as good as none */
        return;
    }
    add_head(out, info->name, suffix, "gauge", info->summary);
    if (info->scope == BE_OF_PROCESS) {
        add_processes(trace, signal, list, count, out);
        return;
    }
    for (int i = 0; i < things; i++) {
        double value = be_live_value(trace, signal, i, newest_back_s(trace));
        if (!isnan(value)) {
            be_text_add(out, PREFIX "%s%s", info->name, suffix);
            if (info->scope == BE_OF_GPU) {
                add_gpu_labels(out, trace, i);
            }
            add_number(out, value);
        }
    }
}

/* ---- what only grows ------------------------------------------------------------------------ */

static void add_counter(struct be_text *out, const char *name, const char *help, double value) {
    if (!isnan(value)) {
        add_head(out, name, "_total", "counter", help);
        be_text_add(out, PREFIX "%s_total", name);
        add_number(out, value);
    }
}

static void add_counters(const struct be_trace *trace, struct be_text *out) {
    const struct be_trace_totals *total = &trace->total;
    add_counter(out, "cpu_user_seconds", "CPU time outside the kernel", total->user_s);
    add_counter(out, "cpu_system_seconds", "CPU time in the kernel", total->system_s);
    add_counter(out, "read_bytes", "read from storage", total->read_bytes);
    add_counter(out, "written_bytes", "written, to go to storage", total->written_bytes);
    add_counter(out, "major_faults", "page faults that needed storage", total->major_faults);
    add_counter(out, "minor_faults", "page faults that needed none", total->minor_faults);
    add_counter(out, "samples", "times that breakeven looked", trace->samples);
}

static void add_energy(const struct be_trace *trace, struct be_text *out) {
    bool any = false;
    for (int i = 0; i < trace->gpus; i++) {
        const struct be_signal_series *power = be_trace_series(trace, BE_GPU_POWER, i);
        if (!power) {
            continue;
        }
        if (!any) {
            add_head(out, "gpu_energy_joules", "_total", "counter",
                     "power times the time for which it was measured");
        }
        any = true;
        be_text_add(out, PREFIX "gpu_energy_joules_total");
        add_gpu_labels(out, trace, i);
        add_number(out, power->integral);
    }
}

static void add_limits(const struct be_trace *trace, struct be_text *out) {
    if (trace->limits.cpus > 0) {
        add_head(out, "limit_cores", "", "gauge", "cores that may be used");
        be_text_add(out, PREFIX "limit_cores %d\n", trace->limits.cpus);
    }
    double bytes = trace->limits.memory_bytes;
    bytes = bytes > 0 ? bytes : trace->limits.memory_machine_bytes;
    if (bytes > 0) {
        add_head(out, "limit_memory_bytes", "", "gauge", "memory that may be used");
        be_text_add(out, PREFIX "limit_memory_bytes");
        add_number(out, bytes);
    }
}

/* A rule that holds for several GPUs is one series a GPU. */
static void add_findings(const struct be_live_scene *scene, struct be_text *out) {
    if (scene->findings > 0) {
        add_head(out, "finding", "", "gauge", "a rule that holds: 1");
    }
    for (int i = 0; i < scene->findings; i++) {
        const struct be_run_finding *finding = &scene->finding[i];

        be_text_add(out, PREFIX "finding{");
        add_label(out, "", "name", finding->name);
        be_text_add(out, ",weight=\"%s\"", be_names_word(&be_names_weight, (int)finding->weight));
        if (finding->gpu >= 0) {
            be_text_add(out, ",gpu=\"%d\"", finding->gpu);
        }
        be_text_add(out, "} 1\n");
    }
}

void be_live_metrics(const struct be_live_scene *scene, struct be_text *out) {
    struct be_live_process list[BE_TRACE_PROCESSES_MAX];
    int count = be_live_processes(scene->trace, BE_LIVE_BY_CPU, false, list);
    add_head(out, "build_info", "", "gauge", "always 1");
    be_text_add(out, PREFIX "build_info{version=\"" BE_VERSION "\"} 1\n");
    add_head(out, "up", "", "gauge", "1 while what is watched runs");
    be_text_add(out, PREFIX "up %d\n", !scene->ended);
    add_limits(scene->trace, out);
    add_counters(scene->trace, out);
    add_energy(scene->trace, out);
    for (int i = 0; i < BE_SIGNALS; i++) {
        if (be_signals[i].scope != BE_OF_THREAD) {
            add_signal(scene->trace, (enum be_signal)i, list, count, out);
        }
    }
    add_findings(scene, out);
}
