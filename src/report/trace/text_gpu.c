/* The GPUs' part of the report at the end of a run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/trace/trace.h"

enum { GPUS_SHOWN = 8, INDENT = 9 };

/* ---- lines of items: "name value   name value" ------------------------------------------------- */

struct line {
    struct be_text *out;
    int column;
};

static void begin(struct line *line, struct be_text *out, const char *label) {
    char head[BE_WORD];
    snprintf(head, sizeof head, "%-8.15s", label);
    be_text_add(out, "%s", head);
    *line = (struct line){.out = out, .column = (int)strlen(head)};
}

static void add_item(struct line *line, const char *item) {
    int length = (int)strlen(item);
    bool first = line->column < INDENT;
    if (!first && line->column + 3 + length > BE_COLUMNS) {
        be_text_add(line->out, "\n%*s%s", INDENT, "", item);
        line->column = INDENT + length;
        return;
    }
    be_text_add(line->out, "%s%s", first ? " " : "   ", item);
    line->column += (first ? 1 : 3) + length;
}

/* ---- what a GPU has ------------------------------------------------------------------------------ */

static const struct {
    enum be_signal signal;
    const char *name;
} share[] = {
    {BE_GPU_BUSY, "running kernels"},
    {BE_GPU_SM_ACTIVE, "SM activity"},
    {BE_GPU_SM_OCCUPANCY, "occupancy"},
    {BE_GPU_TENSOR, "tensor"},
    {BE_GPU_FP64, "FP64"},
    {BE_GPU_FP32, "FP32"},
    {BE_GPU_FP16, "FP16"},
    {BE_GPU_DRAM, "memory bandwidth"},
};

static void add_share(struct line *line, const struct be_trace *trace, int gpu, size_t i) {
    char item[BE_NAME];
    double mean = be_trace_mean(trace, share[i].signal, gpu);
    double known = be_trace_coverage(trace, share[i].signal, gpu);
    if (isnan(mean)) {
        return;
    }
    snprintf(item, sizeof item, "%s %.0f %%", share[i].name, 100 * mean);
    if (known < 0.5) {
        size_t length = strlen(item);
        snprintf(item + length, sizeof item - length, " (seen %.0f %% of the time)", 100 * known);
    }
    add_item(line, item);
}

static void add_of(struct line *line, const char *name, const char *value, const char *whole) {
    char item[BE_NAME * 2];
    snprintf(item, sizeof item, "%s %s%s%s", name, value, *whole ? " of " : "", whole);
    add_item(line, item);
}

static void add_gpu(const struct be_trace *trace, int gpu, struct be_text *out) {
    char label[BE_WORD] = "GPU", value[BE_WORD], whole[BE_WORD];
    const struct be_trace_gpu *info = &trace->gpu[gpu];
    struct line line;
    if (trace->gpus > 1) {
        snprintf(label, sizeof label, "GPU %d", gpu);
    }
    begin(&line, out, label);
    for (size_t i = 0; i < BE_COUNT(share); i++) {
        add_share(&line, trace, gpu, i);
    }
    double memory = be_trace_max(trace, BE_GPU_MEMORY, gpu);
    if (!isnan(memory)) {
        add_of(&line, "memory", be_format_bytes(value, sizeof value, memory, ""),
               be_format_bytes(whole, sizeof whole, info->memory_bytes, ""));
    }
    double watts = be_trace_mean(trace, BE_GPU_POWER, gpu);
    if (!isnan(watts)) {
        snprintf(value, sizeof value, "%.0f%s", watts, info->power_limit_w > 0 ? "" : " W");
        snprintf(whole, sizeof whole, "%.0f W", info->power_limit_w);
        add_of(&line, "power", value, info->power_limit_w > 0 ? whole : "");
    }
    if (line.column < INDENT) {
        add_item(&line, "nothing measured");
    }
    be_text_add(out, "\n");
    if (info->note[0]) {
        be_lines_wrap(out, "         ", info->note, INDENT);
    }
}

static void add_rate(struct line *line, const struct be_trace *trace, int gpu,
                     enum be_signal signal, const char *name) {
    char value[BE_WORD];
    double rate = be_trace_mean(trace, signal, gpu);
    if (!isnan(rate)) {
        add_of(line, name, be_format_rate(value, sizeof value, rate, ""), "");
    }
}

static void add_bus(const struct be_trace *trace, int gpu, struct be_text *out) {
    char link[BE_WORD], item[BE_NAME];
    struct line line;
    if (isnan(be_trace_mean(trace, BE_GPU_BUS_IN, gpu)) &&
        isnan(be_trace_mean(trace, BE_GPU_BUS_OUT, gpu))) {
        return;
    }
    begin(&line, out, "bus");
    add_rate(&line, trace, gpu, BE_GPU_BUS_IN, "in");
    add_rate(&line, trace, gpu, BE_GPU_BUS_OUT, "out");
    if (trace->gpu[gpu].bus_bytes_s > 0) {
        snprintf(item, sizeof item, "(link %s)",
                 be_format_rate(link, sizeof link, trace->gpu[gpu].bus_bytes_s, ""));
        add_item(&line, item);
    }
    if (be_trace_mean(trace, BE_GPU_LINK_IN, gpu) + be_trace_mean(trace, BE_GPU_LINK_OUT, gpu) >
        0) {
        add_rate(&line, trace, gpu, BE_GPU_LINK_IN, "from GPUs");
        add_rate(&line, trace, gpu, BE_GPU_LINK_OUT, "to GPUs");
    }
    be_text_add(out, "\n");
}

/* Adds the results of a trace of kernels. */
static void add_kernels(const struct be_trace *trace, int gpu, struct be_text *out) {
    static const struct {
        enum be_signal signal;
        const char *name;
    } times[] = {{BE_GPU_KERNEL_MEDIAN, "half below"},
                 {BE_GPU_GAP_MEDIAN, "gaps"},
                 {BE_GPU_LAUNCH_MEDIAN, "launch"}},
      shares[] = {{BE_GPU_KERNEL_SHARE, "kernels"},      {BE_GPU_COPY_IN_SHARE, "copies in"},
                  {BE_GPU_COPY_OUT_SHARE, "copies out"}, {BE_GPU_COPY_PAGEABLE, "bytes not pinned"},
                  {BE_GPU_SYNC_GAP, "idle after waits"}, {BE_GPU_NCCL_SHARE, "NCCL"}};
    char value[BE_WORD], item[BE_NAME];
    double kernels = be_trace_mean(trace, BE_GPU_KERNELS, gpu);
    struct line line;
    if (isnan(kernels)) {
        return;
    }
    begin(&line, out, "traced");
    snprintf(item, sizeof item, "%s kernels a second",
             be_format_count(value, sizeof value, round(kernels), ""));
    add_item(&line, item);
    for (size_t i = 0; i < BE_COUNT(times); i++) {
        double seconds = be_trace_mean(trace, times[i].signal, gpu);
        if (!isnan(seconds)) {
            add_of(&line, times[i].name, be_format_seconds(value, sizeof value, seconds, ""), "");
        }
    }
    for (size_t i = 0; i < BE_COUNT(shares); i++) {
        double part = be_trace_mean(trace, shares[i].signal, gpu);
        if (part >= 0.005) {
            snprintf(item, sizeof item, "%s %.0f %%", shares[i].name, 100 * part);
            add_item(&line, item);
        }
    }
    be_text_add(out, "\n");
}

/* ---- what is not there, and why ------------------------------------------------------------------ */

static bool missing(const struct be_trace *trace, enum be_signal signal) {
    for (int i = 0; i < trace->gpus; i++) {
        if (be_trace_series(trace, signal, i)) {
            return false;
        }
    }
    return true;
}

static const struct {
    enum be_signal signal;
    const char *name;
} other[] = {{BE_GPU_MEMORY, "memory"}, {BE_GPU_POWER, "power"}, {BE_GPU_BUS_IN, "bus"}};

static void add_absent(const struct be_trace *trace, struct be_text *out) {
    bool said[BE_COUNT(share) + BE_COUNT(other)] = {0};
    enum be_signal signal[BE_COUNT(said)];
    const char *name[BE_COUNT(said)];
    for (size_t i = 0; i < BE_COUNT(said); i++) {
        bool first = i < BE_COUNT(share);
        signal[i] = first ? share[i].signal : other[i - BE_COUNT(share)].signal;
        name[i] = first ? share[i].name : other[i - BE_COUNT(share)].name;
        said[i] = !missing(trace, signal[i]);
    }
    for (size_t i = 0; i < BE_COUNT(said); i++) {
        struct be_text names = {0};
        const char *why = be_trace_why(trace, signal[i]);
        for (size_t k = i; k < BE_COUNT(said); k++) { /* all that lack for the same reason */
            if (!said[k] && strcmp(be_trace_why(trace, signal[k]), why) == 0) {
                be_text_add(&names, "%s%s", names.data ? ", " : "", name[k]);
                said[k] = k > i ? true : said[k];
            }
        }
        if (names.data && !said[i]) {
            be_text_add(&names, ": %s", why);
            be_lines_wrap(out, "absent   ", names.data, INDENT);
        }
        be_text_free(&names);
    }
}

/* A source's reason without the GPU that it names, and which that is; -1: it names none. */
static const char *without_name(const struct be_trace *trace, const char *reason, int *gpu) {
    for (*gpu = trace->gpus - 1; *gpu >= 0; (*gpu)--) {
        size_t length = strlen(trace->gpu[*gpu].id);
        if (strncmp(reason, trace->gpu[*gpu].id, length) == 0 && reason[length] == ':') {
            return reason + length + strspn(reason + length, ": ");
        }
    }
    return reason;
}

/* Why a signal that was there has ended; NULL: no reason was given, as where looks are rare. The first GPU that lacked
 * a signal has left the reason; a GPU that is lost has it with one signal only. */
static const char *why_ended(const struct be_trace *trace, const struct be_signal_series *series) {
    const struct be_trace_source *source = &trace->source[series->source];
    const char *why = NULL;
    for (int i = 0; i < trace->absences; i++) {
        const struct be_trace_absence *absent = &trace->absent[i];
        int gpu;
        const char *said = without_name(trace, absent->reason, &gpu);
        bool own = absent->signal == series->signal;
        if (strcmp(absent->source, source->name) == 0 && (own || gpu == series->of) &&
            be_trace_series(trace, absent->signal, series->of)) {
            why = own || !why ? said : why;
        }
    }
    return source->absent[0] ? source->absent : why;
}

/* The last tick with a value of a signal that ended before the run did, and why; -1: it did not. */
static int ended_at(const struct be_trace *trace, enum be_signal signal, int gpu,
                    const char **why) {
    static const double min_s = 1; /* a value at the end of a run is not always there to be had */
    const struct be_signal_series *series = be_trace_series(trace, signal, gpu);
    int last = trace->ticks - 1;
    while (series && last >= 0 && isnan(series->value[last])) {
        last--;
    }
    *why = series ? why_ended(trace, series) : NULL;
    return *why && last >= 0 && trace->end_s[trace->ticks - 1] - trace->end_s[last] > min_s ? last
                                                                                            : -1;
}

/* Adds the signals of a GPU that were seen for a part of the run only: from when they were not, and
 * why. */
static void add_ended(const struct be_trace *trace, int gpu, struct be_text *out) {
    enum { ALL = BE_COUNT(share) + BE_COUNT(other) };
    const char *why[ALL];
    int at[ALL];
    for (size_t i = 0; i < ALL; i++) {
        enum be_signal signal =
            i < BE_COUNT(share) ? share[i].signal : other[i - BE_COUNT(share)].signal;
        at[i] = ended_at(trace, signal, gpu, &why[i]);
    }
    for (size_t i = 0; i < ALL; i++) {
        struct be_text text = {0};
        char when[BE_WORD];
        int tick = at[i];
        const char *reason = why[i];
        if (tick < 0) {
            continue;
        }
        be_text_add(&text, "after %s: ", be_format_duration(when, sizeof when, trace->end_s[tick]));
        for (size_t k = i; k < ALL; k++) { /* all that ended with it */
            if (at[k] == tick && strcmp(why[k], reason) == 0) {
                be_text_add(&text, "%s%s", k > i ? ", " : "",
                            k < BE_COUNT(share) ? share[k].name : other[k - BE_COUNT(share)].name);
                at[k] = -1;
            }
        }
        be_text_add(&text, ": %s", reason);
        be_lines_wrap(out, "absent   ", text.data ? text.data : "", INDENT);
        be_text_free(&text);
    }
}

/* Where a trace of kernels was asked for and says nothing, that is said too, however short the run. */
static void add_untraced(const struct be_trace *trace, struct be_text *out) {
    const struct be_trace_source *source = NULL;
    for (int i = 0; i < trace->sources; i++) {
        source = strcmp(trace->source[i].name, "cupti") == 0 ? &trace->source[i] : source;
    }
    if (!source || !missing(trace, BE_GPU_KERNELS)) {
        return;
    }
    const char *why = source->absent[0]     ? source->absent
                      : source->sampled > 0 ? "no process told of kernels"
                                            : "the run was over before it could be read";
    for (int i = 0; i < trace->absences; i++) {
        why = trace->absent[i].signal == BE_GPU_KERNELS ? trace->absent[i].reason : why;
    }
    be_lines_wrap(out, "traced   nothing: ", why, INDENT);
}

void be_trace_text_gpus(const struct be_trace *trace, struct be_text *out) {
    if (!trace->gpus) {
        be_lines_wrap(out, "GPU      none: ", be_trace_why(trace, BE_GPU_BUSY), INDENT);
        return;
    }
    for (int i = 0; i < trace->gpus && i < GPUS_SHOWN; i++) {
        add_gpu(trace, i, out);
        add_bus(trace, i, out);
        add_kernels(trace, i, out);
        add_ended(trace, i, out);
    }
    if (trace->gpus > GPUS_SHOWN) {
        be_text_add(out, "         and %d more, in the JSON\n", trace->gpus - GPUS_SHOWN);
    }
    add_untraced(trace, out);
    add_absent(trace, out);
}
