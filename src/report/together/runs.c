/* Runs side by side: which was faster, which findings are gone, and which are new. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "observe/rules/finding.h"
#include "observe/usage.h"
#include "report/common/page.h"
#include "report/together/together.h"

/* The facts of one run. */
struct run {
    const struct be_trace *trace;
    const char *name;
    double busy, gpu; /* cores; share of its GPUs' time. NAN not known */
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    int count;
};

struct runs {
    struct run run[BE_TOGETHER_MAX];
    int runs, fastest, slowest;
};

static double gpu_busy(const struct be_trace *trace) {
    double sum = 0;
    for (int i = 0; i < trace->gpus; i++) {
        sum += be_trace_mean(trace, BE_GPU_BUSY, i);
    }
    return trace->gpus ? sum / trace->gpus : NAN;
}

static void take(const struct be_together *t, struct runs *runs) {
    for (int i = 0; i < t->count; i++) {
        const struct be_trace *trace = t->saved[i].trace;
        if (!trace) {
            continue;
        }
        struct run *run = &runs->run[runs->runs];
        *run =
            (struct run){.trace = trace,
                         .name = t->name[i],
                         .busy = (trace->total.user_s + trace->total.system_s) / trace->elapsed_s,
                         .gpu = gpu_busy(trace)};
        run->count = be_trace_findings(trace, run->found);
        if (trace->elapsed_s < runs->run[runs->fastest].trace->elapsed_s) {
            runs->fastest = runs->runs;
        }
        if (trace->elapsed_s > runs->run[runs->slowest].trace->elapsed_s) {
            runs->slowest = runs->runs;
        }
        runs->runs++;
    }
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static bool has(const struct run *run, const char *name) {
    for (int i = 0; i < run->count; i++) {
        if (run->found[i].weight == BE_WEIGHT_COST && strcmp(run->found[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Findings that cost time in the one and not in the other. */
static void add_only(const char *head, const struct run *one, const struct run *other,
                     struct be_text *out) {
    const char *comma = head;
    for (int i = 0; i < one->count; i++) {
        if (has(one, one->found[i].name) && !has(other, one->found[i].name)) {
            be_text_add(out, "%s%s", comma, one->found[i].name);
            comma = ", ";
        }
    }
    be_text_add(out, "%s", comma == head ? "" : ".");
}

static bool failed(const struct be_trace *trace) {
    return trace->end == BE_END_KILLED || (trace->end == BE_END_EXITED && trace->code);
}

static void add_ends(const struct runs *runs, struct be_text *out) {
    for (int i = 0; i < runs->runs; i++) {
        if (failed(runs->run[i].trace)) {
            be_text_add(out, " %s did not end well.", runs->run[i].name);
        }
    }
}

static void add_verdict(const struct runs *runs, struct be_text *out) {
    const struct run *a = &runs->run[0], *b = &runs->run[runs->runs - 1];
    char before[BE_WORD], after[BE_WORD], ratio[BE_WORD];
    if (runs->runs != 2) {
        a = &runs->run[runs->slowest];
        b = &runs->run[runs->fastest];
    }
    const double faster = a->trace->elapsed_s / b->trace->elapsed_s;
    be_format_duration(before, sizeof before, a->trace->elapsed_s);
    be_format_duration(after, sizeof after, b->trace->elapsed_s);
    be_format_ratio(ratio, sizeof ratio, faster > 1 ? faster : 1 / faster, "?");
    if (runs->runs == 2) {
        be_text_add(out, "%s took %s, %s took %s: ", b->name, after, a->name, before);
        if (faster < 1.05 && faster > 1 / 1.05) {
            be_text_add(out, "about the same.");
        } else {
            be_text_add(out, "%s x as %s.", ratio, faster > 1 ? "fast" : "long");
        }
        add_only(" No longer found: ", a, b, out);
        add_only(" New: ", b, a, out);
    } else {
        be_text_add(out, "The shortest is %s (%s), the longest %s (%s): %s x as long.", b->name,
                    after, a->name, before, ratio);
    }
    add_ends(runs, out);
}

/* ---- picture and table ----------------------------------------------------------------------- */

static void add_bars(const struct runs *runs, struct be_text *out) {
    struct be_bar bar[BE_TOGETHER_MAX];
    struct be_text words = {0}, drawing = {0};
    const struct be_plot axis = {
        .x = be_axis_around(0, runs->run[runs->slowest].trace->elapsed_s, BE_AXIS_TIME),
        .x_word = be_plot_duration,
        .x_name = "wall time of the run"};
    for (int i = 0; i < runs->runs; i++) {
        const struct run *run = &runs->run[i];
        char took[BE_WORD];
        be_format_duration(took, sizeof took, run->trace->elapsed_s);
        bar[i] = (struct be_bar){.from = {0, NAN},
                                 .to = {run->trace->elapsed_s, NAN},
                                 .class = {failed(run->trace) ? "k1 s" : "k2 s", NULL}};
        snprintf(bar[i].label, sizeof bar[i].label, "%s", run->name);
        snprintf(bar[i].words, sizeof bar[i].words, "%s", took);
        be_text_add(&words, "%s: %s. ", run->name, took);
    }
    be_bars_svg("How long each run took", words.data ? words.data : "", bar, runs->runs, &axis,
                &drawing);
    be_page_drawing(out, &drawing,
                    "One run each: how much it differs from run to run is not in it.");
    out->failed |= words.failed || drawing.failed;
    be_text_free(&words);
    be_text_free(&drawing);
}

static void add_row(const struct run *run, struct be_text *out) {
    const struct be_trace *trace = run->trace;
    char took[BE_WORD], busy[2 * BE_WORD] = "not measured", memory[BE_WORD];
    char gpu[BE_WORD] = "none", costs[BE_NAME] = "none";
    const char *how;
    if (isfinite(run->busy)) {
        snprintf(busy, sizeof busy, "%.2g of %d", run->busy, trace->limits.cpus);
    }
    if (trace->gpus) {
        snprintf(gpu, sizeof gpu, isfinite(run->gpu) ? "%.0f %%" : "not measured", 100 * run->gpu);
    }
    for (int i = 0; i < run->count && run->found[i].weight == BE_WEIGHT_COST; i++) {
        const size_t length = i ? strlen(costs) : 0;
        snprintf(costs + length, sizeof costs - length, "%s%s", i ? ", " : "", run->found[i].name);
    }
    be_page_row(out,
                (const char *[]){run->name, trace->command,
                                 be_format_duration(took, sizeof took, trace->elapsed_s), busy,
                                 be_format_bytes(memory, sizeof memory,
                                                 be_trace_memory_used(trace, &how), "not measured"),
                                 gpu, costs, trace->host, trace->cpu},
                9);
}

void be_together_runs(const struct be_together *together, struct be_text *out) {
    static const char *const head[] = {"run",        "command", "took",
                                       "cores busy", "memory",  "GPUs running kernels",
                                       "costs time", "host",    "CPU"};
    struct runs *runs = calloc(1, sizeof *runs);
    struct be_text line = {0};
    if (!runs) {
        out->failed = true;
        return;
    }
    take(together, runs);
    if (runs->runs) {
        add_verdict(runs, &line);
        be_page_verdict(out, line.data ? line.data : "");
        add_bars(runs, out);
        be_page_heading(out, "Runs");
        be_page_table_begin(out, "Quantities over each run", head, 9);
        for (int i = 0; i < runs->runs; i++) {
            add_row(&runs->run[i], out);
        }
        be_page_table_end(out);
    }
    out->failed |= line.failed;
    be_text_free(&line);
    free(runs);
}
