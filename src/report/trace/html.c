/* A run as a page that one can send to somebody: the dearest finding, the run over its time, all findings, the quantities
 * in numbers, where it ran. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/page.h"
#include "report/trace/timeline.h"
#include "report/trace/trace.h"

/* Rules need as many (observe/rules/finding.h). */
static const double fewest_samples = 10;

/* Its name without arguments and folder; foreign text. */
static const char *name_of(const struct be_trace *trace, char to[BE_NAME]) {
    const size_t length = strcspn(trace->command, " ");
    size_t from = length;
    while (from > 0 && trace->command[from - 1] != '/') {
        from--;
    }
    snprintf(to, BE_NAME, "%.*s", (int)fmin((double)(length - from), BE_NAME - 1),
             trace->command + from);
    if (!*to) {
        be_copy_text(to, BE_NAME, "a program");
    }
    return to;
}

static bool is_of_accounting(const struct be_trace *trace) {
    return trace->sources > 0 && strcmp(trace->source[0].name, "sacct") == 0;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static void add_cost(const struct be_trace *trace, const struct be_run_finding *one,
                     struct be_text *out) {
    char cost[BE_WORD], all[BE_WORD];
    if (one->cost_s > 0 && trace->elapsed_s > 0) {
        be_text_add(out, " At most %s of %s (%.0f %%).",
                    be_format_duration(cost, sizeof cost, one->cost_s),
                    be_format_duration(all, sizeof all, trace->elapsed_s),
                    fmin(100 * one->cost_s / trace->elapsed_s, 100));
    }
}

static void add_advice(const char *advice, struct be_text *out) {
    struct be_text line = {0};
    if (*advice) {
        be_text_add(&line, "To try: %s", advice);
        be_page_paragraph(out, line.data ? line.data : "");
    }
    out->failed |= line.failed;
    be_text_free(&line);
}

static void add_verdict(const struct be_trace *trace, const struct be_run_finding *found, int count,
                        struct be_text *out) {
    struct be_text line = {0};
    char name[BE_NAME];
    const bool costs = count && found[0].weight == BE_WEIGHT_COST;
    name_of(trace, name);
    if (costs) {
        be_text_add(&line, "%s could use its place better: %s", name, found[0].evidence);
        add_cost(trace, &found[0], &line);
    } else if (trace->samples < fewest_samples && trace->end != BE_END_RUNNING) {
        be_text_add(&line, "%s ended before enough was seen of it for a judgement (%.0f samples).",
                    name, trace->samples);
    } else {
        be_text_add(&line, "Nothing that costs time was found in %s", name);
        if (count) {
            be_text_add(&line, "; %s: %s",
                        found[0].weight == BE_WEIGHT_GOOD ? "healthy" : "worth knowing",
                        found[0].evidence);
        }
        be_text_add(&line, ".");
    }
    be_page_verdict(out, line.data ? line.data : "");
    add_advice(costs ? found[0].advice : "", out);
    out->failed |= line.failed;
    be_text_free(&line);
}

static void add_worth(const struct be_trace *trace, struct be_text *out) {
    struct be_text line = {0};
    be_trace_worth_sentence(trace, &line);
    if (line.length) {
        be_page_paragraph(out, line.data);
    }
    out->failed |= line.failed;
    be_text_free(&line);
}

/* ---- evidence -------------------------------------------------------------------------------- */

static void add_finding(const struct be_trace *trace, const struct be_run_finding *one, int number,
                        struct be_text *out) {
    static const char *const weight[BE_WEIGHTS] = {[BE_WEIGHT_GOOD] = "healthy",
                                                   [BE_WEIGHT_NOTE] = "worth knowing",
                                                   [BE_WEIGHT_COST] = "costs time"};
    char head[2 * BE_NAME];
    struct be_text line = {0};
    snprintf(head, sizeof head, "%d. %s (%s)", number, one->name, weight[one->weight]);
    be_text_add(&line, "Seen: %s", one->evidence);
    add_cost(trace, one, &line);
    be_page_subheading(out, head);
    be_page_paragraph(out, line.data ? line.data : "");
    add_advice(one->advice, out);
    out->failed |= line.failed;
    be_text_free(&line);
}

static void add_findings(const struct be_trace *trace, const struct be_run_finding *found,
                         int count, struct be_text *out) {
    be_page_heading(out, "Findings");
    for (int i = 0; i < count; i++) {
        add_finding(trace, &found[i], i + 1, out);
    }
    if (!count) {
        be_page_paragraph(out, "None.");
    }
}

static void add_lanes(const struct be_trace *trace, struct be_text *out) {
    static const char *const head[] = {"quantity", "mean", "at most", "full"};
    struct be_lane lane[BE_LANES_MAX];
    const int lanes = be_timeline_lanes(trace, lane);
    if (!lanes) {
        return;
    }
    be_page_heading(out, "In numbers");
    be_page_table_begin(out, "Quantities over the whole run", head, 4);
    for (int i = 0; i < lanes; i++) {
        const struct be_lane *one = &lane[i];
        char mean[BE_WORD], max[BE_WORD], full[BE_WORD];
        be_page_row(
            out,
            (const char *[]){
                one->name,
                be_lane_word(mean, sizeof mean, one, be_trace_mean(trace, one->signal, one->of)),
                be_lane_word(max, sizeof max, one, be_trace_max(trace, one->signal, one->of)),
                be_lane_word(full, sizeof full, one, one->full)},
            4);
    }
    be_page_table_end(out);
}

/* ---- where and how --------------------------------------------------------------------------- */

static void add_command(const struct be_trace *trace, struct be_text *out) {
    if (is_of_accounting(trace)) {
        be_text_add(out, "breakeven summary%s", trace->job + strcspn(trace->job, " "));
    } else if (*trace->command && !trace->watched) {
        be_text_add(out, "breakeven run -- %s", trace->command);
    }
}

static void add_made(const struct be_trace *trace, struct be_text *out) {
    const struct be_trace_limits *limits = &trace->limits;
    char cores[2 * BE_NAME] = "", memory[BE_WORD] = "", ran[BE_WORD], samples[BE_WORD] = "";
    struct be_text command = {0}, gpus = {0}, sources = {0};
    if (limits->cpus) {
        snprintf(cores, sizeof cores, "%d", limits->cpus);
    }
    if (limits->cpus && limits->cpus_machine) {
        snprintf(cores, sizeof cores, "%d of %d", limits->cpus, limits->cpus_machine);
    }
    be_format_bytes(memory, sizeof memory, limits->memory_bytes, "");
    for (int i = 0; i < trace->gpus; i++) {
        be_text_add(&gpus, "%s%s", i ? "; " : "", trace->gpu[i].name);
    }
    for (int i = 0; i < trace->sources; i++) {
        be_text_add(&sources, "%s%s", sources.length ? ", " : "", trace->source[i].name);
    }
    snprintf(samples, sizeof samples, "%.0f", trace->samples);
    const struct be_page_fact fact[] = {
        {"command", trace->command},
        {"began (UTC)", trace->date},
        {"ran for", be_format_duration(ran, sizeof ran, trace->elapsed_s)},
        {"host", trace->host},
        {"batch job", trace->job},
        {"CPU", trace->cpu},
        {"cores allowed", cores},
        {"memory allowed", memory},
        {"GPUs", gpus.data ? gpus.data : ""},
        {"samples", samples},
        {"values from", sources.data ? sources.data : ""},
        {"end", trace->note},
    };
    add_command(trace, &command);
    be_page_made(out, fact, (int)BE_COUNT(fact),
                 is_of_accounting(trace)
                     ? "There is no drawing: accounting has sums over the whole job, and nothing "
                       "over time."
                     : "A cost is an upper bound, of the run's own time. Arguments of the command "
                       "are recorded only where that was asked for (--record-command).",
                 &(struct be_made){command.data, ""});
    out->failed |= command.failed || gpus.failed || sources.failed;
    be_text_free(&command);
    be_text_free(&gpus);
    be_text_free(&sources);
}

void be_trace_html(const struct be_trace *trace, struct be_text *out) {
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    const int count = be_trace_findings(trace, found);
    struct be_text title = {0}, kicker = {0}, drawing = {0}, text = {0};
    char name[BE_NAME], ran[BE_WORD];
    be_text_add(&title, "How %s used its place", name_of(trace, name));
    be_text_add(&kicker, "breakeven %s, %.10s%s%s, %s", is_of_accounting(trace) ? "summary" : "run",
                trace->date, *trace->host ? ", " : "", trace->host,
                be_format_duration(ran, sizeof ran, trace->elapsed_s));
    be_page_begin(out, title.data ? title.data : "", kicker.data ? kicker.data : "");
    add_verdict(trace, found, count, out);
    add_worth(trace, out);
    be_timeline_svg(trace, found, count, &drawing);
    if (drawing.length) {
        be_page_drawing(out, &drawing,
                        "Quantities over the run's time, each from nothing to its limit, or to its "
                        "maximum where none is known. Below, each finding where it held.");
    }
    add_findings(trace, found, count, out);
    add_lanes(trace, out);
    be_trace_text(trace, &text);
    be_page_whole(out, &text);
    add_made(trace, out);
    be_page_end(out);
    out->failed |= title.failed || kicker.failed || drawing.failed || text.failed;
    be_text_free(&title);
    be_text_free(&kicker);
    be_text_free(&drawing);
    be_text_free(&text);
}
