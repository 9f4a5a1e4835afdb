/* Predictions as tables, one a machine, with the answer in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/predict/predict.h"

/* ---- the table ------------------------------------------------------------------------------ */

/* "1.2 ms (0.9-3)": the interval in the unit of its own ends is too long for a cell, so both have theirs. */
const char *be_predict_span(char to[BE_PREDICT_SPAN], const struct be_predict_time *time) {
    char typical[BE_WORD], lo[BE_WORD], hi[BE_WORD];
    if (!isfinite(time->typical_s)) {
        snprintf(to, BE_PREDICT_SPAN, "not known");
        return to;
    }
    snprintf(to, BE_PREDICT_SPAN, "%s (%s-%s)",
             be_format_seconds(typical, sizeof typical, time->typical_s, "-"),
             be_format_seconds(lo, sizeof lo, time->lo_s, "-"),
             be_format_seconds(hi, sizeof hi, time->hi_s, "-"));
    return to;
}

static void add_row(double n, const struct be_prediction *p, struct be_text *out) {
    char size[BE_WORD], cpu[BE_PREDICT_SPAN], gpu[BE_PREDICT_SPAN];
    be_text_add(out, "%8s  ", be_format_n(size, sizeof size, n));
    be_lines_cell(out, be_predict_span(cpu, &p->cpu.time), 27);
    be_lines_cell(out, be_predict_span(gpu, &p->gpu.time), 27);
    be_text_add(out, "%-10s%s", be_predict_verdict_word(p->verdict),
                p->verdict == BE_WORTH_CLOSE ? p->ratio > 1 ? "> GPU" : "> CPU" : "");
    be_text_end_line(out);
}

const char *be_predict_size_word(const struct be_predict_table *table) {
    return *table->workload ? table->size_name : "n";
}

/* ---- in words ------------------------------------------------------------------------------- */

static const char *const cause_text[BE_CAUSES] = {
    [BE_CAUSE_LAUNCH] = "starting kernels takes longer than their work",
    [BE_CAUSE_LOOPED_BATCH] = "each call starts kernels that have little to do",
    [BE_CAUSE_SEQUENTIAL] = "each step waits for the one before, on one lane",
    [BE_CAUSE_COPY] = "copies over the bus",
    [BE_CAUSE_FIRST_CALL] = "the GPU's start, which the first call pays",
    [BE_CAUSE_FLOAT64] = "float64 on a GPU that has few units for it",
    [BE_CAUSE_BANDWIDTH] = "reading and writing memory",
    [BE_CAUSE_BATCH_OF_ONE] = "each call reads the same data again for one item",
    [BE_CAUSE_DOES_NOT_FIT] = "what its memory has no room for crosses the bus with each call",
    [BE_CAUSE_OPERATIONS] = "its operations",
    [BE_CAUSE_STEPS] = ("longer than bytes, operations and one kernel explain, as where its steps "
                        "wait for each other"),
};

static void add_change(const struct be_predict_table *table, const struct be_predict_flip *flip,
                       struct be_text *out) {
    char amount[BE_WORD];
    const char *many = be_format_size(amount, sizeof amount, flip->amount, "-");
    switch (flip->change) {
    case BE_CHANGE_STAY:
        be_text_add(out, "data that stay on the GPU between calls");
        break;
    case BE_CHANGE_BATCH:
        be_text_add(out,
                    table->work.chain_flops > 0 ? "%s independent chains side by side"
                                                : "%s calls in one, if they are independent",
                    many);
        break;
    case BE_CHANGE_FUSE:
        be_text_add(out, "one kernel a call instead of %g", table->work.launches);
        break;
    case BE_CHANGE_FLOAT32:
        be_text_add(out, "float32");
        break;
    case BE_CHANGE_CALLS:
        be_text_add(out, "%s calls on the same data", many);
        break;
    case BE_CHANGES:
        break;
    }
    char times[BE_WORD];
    be_text_add(out, " (%s%s x as fast as the CPU)", flip->sure ? "" : "likely ",
                be_format_ratio(times, sizeof times, flip->ratio, "-"));
}

void be_predict_changes(const struct be_predict_table *table, double n,
                        const struct be_prediction *p, struct be_text *out) {
    char size[BE_WORD];
    be_format_n(size, sizeof size, n);
    if (table->sizes > 1) {
        be_text_add(out, "At %s = %s the", be_predict_size_word(table), size);
    } else {
        be_text_add(out, "The");
    }
    be_text_add(out, " GPU's time is mostly %s: %s. ", be_predict_cause_word(p->cause),
                cause_text[p->cause]);
    be_text_add(out, "%s",
                p->flips           ? "The GPU would be ahead with "
                : *table->workload ? ""
                                   : "No change of it that was tried would turn that.");
    for (int i = 0; i < p->flips; i++) {
        be_text_add(out, "%s", i ? "; or with " : "");
        add_change(table, &p->flip[i], out);
    }
    be_text_add(out, "%s", p->flips ? "." : "");
}

static const char *const one_text[BE_WORTH_VERDICTS] = {
    [BE_WORTH_GPU] = "the GPU is faster",
    [BE_WORTH_CPU] = "the CPU is faster",
    [BE_WORTH_CLOSE] = "too close to call",
};

static void add_answer(const struct be_predict_table *table, const struct be_predict_machine *m,
                       struct be_text *out) {
    char likely[BE_WORD], sure[BE_WORD], line[BE_NOTE], most[BE_WORD];
    const struct be_worth *w = &m->worth;
    const char *size = be_predict_size_word(table);
    be_format_size(likely, sizeof likely, w->likely_from, "-");
    be_format_size(sure, sizeof sure, w->sure_from, "-");
    be_format_n(most, sizeof most, table->n[table->sizes - 1]);
    if (table->sizes == 1 && w->verdict != BE_WORTH_UNKNOWN) {
        snprintf(line, sizeof line, "%s: %s; CPU time / GPU time = %.3g (%.3g to %.3g)", m->name,
                 one_text[w->verdict], w->margin, w->margin_lo, w->margin_hi);
    } else if (w->verdict == BE_WORTH_UNKNOWN) {
        snprintf(line, sizeof line, "%s: not known%s", m->name,
                 *table->workload ? " at the largest size: there is neither a time nor a rate of it"
                                  : ": its profile lacks a rate that decides");
    } else if (!isnan(w->sure_from)) {
        snprintf(line, sizeof line, "%s: GPU from %s = %s up to %s, likely from %s", m->name, size,
                 sure, most, likely);
    } else if (!isnan(w->likely_from)) {
        snprintf(line, sizeof line,
                 "%s: too close to call up to %s = %s; the GPU is likely ahead from %s", m->name,
                 size, most, likely);
    } else if (w->verdict == BE_WORTH_CLOSE) {
        snprintf(line, sizeof line,
                 "%s: too close to call at %s = %s; the CPU is likely ahead everywhere", m->name,
                 size, most);
    } else {
        snprintf(line, sizeof line, "%s: never, up to %s = %s: the CPU is ahead", m->name, size,
                 most);
    }
    be_lines_wrap(out, "", line, 2);
    /* The smallest size shows why a GPU loses, the largest why it loses even there. */
    const size_t last = table->sizes - 1;
    const struct be_prediction *ends[] = {&m->row[0], &m->row[last]};
    for (size_t i = 0; i < 1 + (last > 0); i++) {
        if (ends[i]->verdict == BE_WORTH_CPU || ends[i]->verdict == BE_WORTH_CLOSE) {
            struct be_text why = {0};
            be_predict_changes(table, table->n[i ? last : 0], ends[i], &why);
            be_lines_wrap(out, "", why.data ? why.data : "", 2);
            out->failed |= why.failed;
            be_text_free(&why);
        }
    }
}

/* ---- is a measured time possible? ----------------------------------------------------------- */

void be_predict_possible(const char *where, double measured_s, const struct be_predict_side *side,
                         struct be_text *out) {
    char limit[BE_WORD], took[BE_WORD], ratio[BE_WORD];
    be_format_seconds(took, sizeof took, measured_s, "-");
    be_format_seconds(limit, sizeof limit, side->limit_s, "-");
    if (isnan(side->limit_s)) {
        be_text_add(out, "%s: not known whether %s is possible", where, took);
    } else if (measured_s < side->limit_s) {
        be_text_add(out,
                    "%s: %s is IMPOSSIBLE: this hardware needs at least %s (%s x as long). Was the "
                    "end awaited before the clock was read? Was all of the work done?",
                    where, took, limit,
                    be_format_ratio(ratio, sizeof ratio, side->limit_s / measured_s, "-"));
    } else {
        be_text_add(out, "%s: %s is possible: the hardware needs at least %s%s", where, took, limit,
                    measured_s > side->time.hi_s ? "; it is longer than usual code takes" : "");
    }
}

static void add_possible(const char *where, double measured_s, const struct be_predict_side *side,
                         struct be_text *out) {
    struct be_text line = {0};
    be_predict_possible(where, measured_s, side, &line);
    be_lines_wrap(out, "", line.data ? line.data : "", 2);
    out->failed |= line.failed;
    be_text_free(&line);
}

static const char *const placed_text[BE_PLACEMENTS] = {
    [BE_HOST] = "",
    [BE_COPY] = "; inputs and results are copied in each call",
    [BE_PRELOAD] = "; inputs are there, results are copied back in each call",
    [BE_RESIDENT] = "; the data are there and stay there",
};

static void add_machine(const struct be_predict_table *table, const struct be_predict_machine *m,
                        struct be_text *out) {
    char line[4 * BE_NAME];
    snprintf(line, sizeof line, "%s: %s%s%s", m->name, m->gpu,
             m->data_sheet ? " (data sheet, nobody measured it)" : "", placed_text[m->placement]);
    be_text_add(out, "\n");
    be_lines_wrap(out, "", line, 2);
    if (*table->workload) {
        be_predict_add_origins(table, m, out);
    }
    be_text_add(out, "%8.8s  %-27s%-27s%s\n", be_predict_size_word(table), "CPU", "GPU", "faster");
    for (size_t i = 0; i < table->sizes; i++) {
        add_row(table->n[i], &m->row[i], out);
    }
    add_answer(table, m, out);
}

static void add_key(bool workload, struct be_text *out) {
    be_text_add(out, "\n");
    be_lines_wrap(
        out, "",
        workload ? "Nothing was run. Times are of one call, in brackets their interval: 95 % of "
                   "a measured one, 90 % of others (docs/prediction.md). > says which "
                   "side is likely ahead where it is too close to call."
                 : "Predicted, not measured. Times are of all calls; in brackets the interval "
                   "that holds 90 % of usual code. > says which side is likely ahead "
                   "where it is too close to call. Nothing is below what the hardware "
                   "allows.",
        0);
}

void be_predict_text(const struct be_predict_table *table, struct be_text *out) {
    char line[8 * BE_NAME];
    const bool asked = !isnan(table->measured_s);
    if (*table->workload) {
        snprintf(line, sizeof line, "%s, %s%s%.200s", table->workload, table->dtype,
                 *table->parameters ? ", " : "", table->parameters);
        be_lines_wrap(out, "", line, 2);
    }
    snprintf(line, sizeof line, "CPU: %s (%s)%s", table->cpu, table->cpu_name,
             *table->workload      ? ""
             : table->work.float64 ? ", float64"
                                   : ", float32");
    be_lines_wrap(out, "", line, 2);
    for (int i = 0; i < table->remarks; i++) {
        be_lines_wrap(out, "", table->remark[i], 2);
    }
    if (asked && table->machines) {
        add_possible("CPU", table->measured_s, &table->machine[0].row[0].cpu, out);
    }
    for (size_t i = 0; i < table->machines && asked; i++) {
        add_possible(table->machine[i].name, table->measured_s, &table->machine[i].row[0].gpu, out);
    }
    for (size_t i = 0; i < table->machines; i++) {
        add_machine(table, &table->machine[i], out);
    }
    add_key(*table->workload, out);
}
