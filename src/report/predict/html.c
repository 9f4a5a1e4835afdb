/* Predictions, and the stop-loss limit, as pages that one can send to somebody. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/page.h"
#include "report/predict/predict.h"

enum { VERDICTS_MAX = 4 /* sentences; the table has all machines */ };

/* ---- the verdict ----------------------------------------------------------------------------- */

static void add_verdict(const struct be_predict_table *table, struct be_text *out) {
    for (size_t m = 0; m < table->machines && m < VERDICTS_MAX; m++) {
        struct be_text line = {0};
        be_predict_sentence(table, &table->machine[m], &line);
        be_page_verdict(out, line.data ? line.data : "");
        out->failed |= line.failed;
        be_text_free(&line);
    }
}

/* Is the time that was measured possible? */
static void add_possible(const struct be_predict_table *table, struct be_text *out) {
    struct be_text line = {0};
    for (size_t m = 0; m < table->machines && !isnan(table->measured_s); m++) {
        if (!m) {
            be_predict_possible("CPU", table->measured_s, &table->machine[0].row[0].cpu, &line);
            be_page_verdict(out, line.data ? line.data : "");
            be_text_free(&line);
        }
        be_predict_possible(table->machine[m].name, table->measured_s,
                            &table->machine[m].row[0].gpu, &line);
        be_page_verdict(out, line.data ? line.data : "");
        be_text_free(&line);
    }
}

/* ---- evidence -------------------------------------------------------------------------------- */

static void add_rows(const struct be_predict_table *table, const struct be_predict_machine *machine,
                     struct be_text *out) {
    for (size_t i = 0; i < table->sizes; i++) {
        const struct be_prediction *p = &machine->row[i];
        char size[BE_WORD], cpu[BE_PREDICT_SPAN], gpu[BE_PREDICT_SPAN], ratio[BE_WORD];
        const char *const cell[] = {be_format_n(size, sizeof size, table->n[i]),
                                    be_predict_span(cpu, &p->cpu.time),
                                    be_predict_span(gpu, &p->gpu.time),
                                    be_predict_verdict_word(p->verdict),
                                    be_format_ratio(ratio, sizeof ratio, p->ratio, "not known"),
                                    be_predict_term_word(p->gpu.dominant)};
        be_page_row(out, cell, (int)BE_COUNT(cell));
    }
}

/* The smallest size shows why a GPU loses, the largest why it loses even there. */
static void add_reasons(const struct be_predict_table *table,
                        const struct be_predict_machine *machine, struct be_text *out) {
    const size_t last = table->sizes - 1;
    for (size_t i = 0; i <= last; i += last ? last : 1) {
        const struct be_prediction *p = &machine->row[i];
        struct be_text line = {0};
        if (p->verdict == BE_WORTH_CPU || p->verdict == BE_WORTH_CLOSE) {
            be_predict_changes(table, table->n[i], p, &line);
            be_page_paragraph(out, line.data ? line.data : "");
        }
        out->failed |= line.failed;
        be_text_free(&line);
    }
}

static void add_machines(const struct be_predict_table *table, struct be_text *out) {
    const char *const head[] = {be_predict_size_word(table), "CPU",         "GPU", "faster",
                                "CPU time / GPU time",       "GPU: most is"};
    be_page_heading(out, "Times and their intervals");
    for (size_t m = 0; m < table->machines; m++) {
        const struct be_predict_machine *machine = &table->machine[m];
        char title[6 * BE_NAME];
        be_predict_title(machine, title, sizeof title);
        if (machine->data_sheet) {
            strncat(title, "; from its data sheet, nobody measured it",
                    sizeof title - strlen(title) - 1);
        }
        be_page_table_begin(out, title, head, (int)BE_COUNT(head));
        add_rows(table, machine, out);
        be_page_table_end(out);
        add_reasons(table, machine, out);
    }
}

void be_predict_html(const struct be_predict_table *table, struct be_text *out) {
    struct be_text drawing = {0}, text = {0};
    char kicker[2 * BE_NAME], title[3 * BE_NAME];
    snprintf(kicker, sizeof kicker, "breakeven predict%s%.10s", *table->made.date ? ", " : "",
             table->made.date);
    snprintf(title, sizeof title, "Worth a GPU? %s%s", table->workload,
             *table->workload ? ", predicted" : "A prediction");
    be_page_begin(out, title, kicker);
    add_possible(table, out);
    add_verdict(table, out);
    be_predict_svg(table, &drawing);
    be_page_drawing(out, &drawing,
                    "Nothing of it was run. Times are computed, and have intervals.");
    add_machines(table, out);
    be_predict_text(table, &text);
    be_page_whole(out, &text);
    const struct be_page_fact fact[] = {{"workload", table->workload},
                                        {"parameters", table->parameters},
                                        {"CPU", table->cpu},
                                        {"profile of the CPU", table->cpu_name},
                                        {"type", *table->workload      ? table->dtype
                                                 : table->work.float64 ? "float64"
                                                                       : "float32"}};
    be_page_made(out, fact, (int)BE_COUNT(fact),
                 "An interval holds 90 % of the times of usual code, or 95 % of those of a time "
                 "that was measured. Nothing is below what the hardware allows.",
                 &table->made);
    be_page_end(out);
    out->failed |= drawing.failed;
    be_text_free(&drawing);
    be_text_free(&text);
}

/* ---- the stop-loss limit --------------------------------------------------------------------- */

void be_stop_loss_html(const struct be_predict_rates *rates, double operations,
                       struct be_text *out) {
    char c[BE_WORD], g[BE_WORD], b[BE_WORD], v[BE_WORD], command[4 * BE_WORD], line[BE_NOTE];
    struct be_text drawing = {0}, text = {0};
    be_page_begin(out, "From how much work a GPU pays", "breakeven predict --rates");
    snprintf(line, sizeof line,
             "The GPU pays from %.3g operations for each value that crosses the bus, summed over "
             "the calls that use it.",
             operations);
    if (isinf(operations)) {
        be_copy_text(line, sizeof line,
                     "The GPU never pays: it does not do more operations a second than the CPU.");
    }
    be_page_verdict(out, line);
    be_stop_loss_svg(rates, operations, &drawing);
    be_page_drawing(out, &drawing,
                    "Operations with a value in a call, and calls that use it. In the shaded "
                    "region a GPU loses.");
    be_stop_loss_text(rates, operations, &text);
    be_page_whole(out, &text);
    snprintf(command, sizeof command, "breakeven predict --rates=%g,%g,%g --value-bytes=%g",
             rates->cpu_flop_s, rates->gpu_flop_s, rates->bus_bytes_s, rates->value_bytes);
    snprintf(v, sizeof v, "%g", rates->value_bytes);
    const struct be_page_fact fact[] = {
        {"CPU", be_format_flops(c, sizeof c, rates->cpu_flop_s, "-")},
        {"GPU", be_format_flops(g, sizeof g, rates->gpu_flop_s, "-")},
        {"bus", be_format_rate(b, sizeof b, rates->bus_bytes_s, "-")},
        {"bytes of a value", v}};
    be_page_made(out, fact, (int)BE_COUNT(fact),
                 "Rates alone: starting kernels and the latency of a copy come on top.",
                 &(struct be_made){command, ""});
    be_page_end(out);
    out->failed |= drawing.failed;
    be_text_free(&drawing);
    be_text_free(&text);
}
