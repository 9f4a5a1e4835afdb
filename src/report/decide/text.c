/* The ranking as a table, with the answer in words. */
#include <math.h>
#include <stdio.h>

#include "report/common/lines.h"
#include "report/decide/decide.h"
#include "report/queue/queue.h"

/* Widths of the columns. */
enum { PLACE = 30, TIME = 7, CHANCE = 8 };

static bool has_deadline(const struct be_decide_table *table) {
    return !isnan(table->decision.deadline_s);
}

static void add_time(struct be_text *out, double seconds, const char *none) {
    char word[BE_WORD];
    be_text_add(out, "%*s", TIME, be_format_wait(word, sizeof word, seconds, none));
}

static void add_head(const struct be_decide_table *table, struct be_text *out) {
    be_lines_cell(out, "place", PLACE);
    be_text_add(out, "%*s%*s%*s%*s", TIME, "wait", TIME, "busy", TIME, "result", TIME, "90 %");
    if (has_deadline(table)) {
        be_text_add(out, "%*s", CHANCE, "in time");
    }
    be_text_add(out, "  cost");
    be_text_end_line(out);
}

/* Amounts too small to matter are not spelled out. */
static void add_amount(double amount, const char *unit, struct be_text *out) {
    if (amount < 0.01) {
        be_text_add(out, "<0.01 %s", unit);
    } else {
        be_text_add(out, "%.3g %s", amount, unit);
    }
}

void be_decide_cost(const struct be_decide_place *place, const struct be_decide_row *row,
                    struct be_text *out) {
    if (!isnan(row->cost)) {
        add_amount(row->cost, place->unit, out);
    } else if (row->gpu_hours > 0) {
        add_amount(row->gpu_hours, "GPUh", out);
    } else {
        add_amount(row->core_hours, "CPUh", out);
    }
}

const char *be_decide_name(const struct be_decide_place *place, char *to, size_t capacity) {
    snprintf(to, capacity, "%s%s%s: %s%s", place->where, *place->partition ? "/" : "",
             place->partition, place->name, place->extrapolated ? " *" : "");
    return to;
}

static void add_row(const struct be_decide_table *table, const struct be_decide_row *row,
                    struct be_text *out) {
    const struct be_decide_place *place = &table->place[row->place];
    char name[3 * BE_NAME + 8];
    be_lines_cell(out, be_decide_name(place, name, sizeof name), PLACE);
    if (place->here) {
        be_text_add(out, "%*s", TIME, "none");
    } else {
        add_time(out, row->wait_q50_s, "?");
    }
    add_time(out, row->busy.q50_s, "?");
    add_time(out, row->result.q50_s, "?");
    add_time(out, row->result.q90_s, "?");
    if (has_deadline(table)) {
        char chance[BE_WORD];
        snprintf(chance, sizeof chance, isnan(row->p_deadline) ? "?" : "%.0f %%",
                 100 * row->p_deadline);
        be_text_add(out, "%*s", CHANCE, chance);
    }
    be_text_add(out, "  ");
    be_decide_cost(place, row, out);
    be_text_end_line(out);
}

static void add_legend(const struct be_decide_table *table, struct be_text *out) {
    const struct be_decision *d = &table->decision;
    bool any = false, unknown = false, beyond = false;
    for (int i = 0; i < d->rows; i++) {
        const struct be_decide_place *place = &table->place[d->row[i].place];
        any |= place->extrapolated;
        unknown |= isnan(d->row[i].wait_q50_s);
        beyond |= d->row[i].p_limit < 0.5;
    }
    be_text_add(out, "\n  wait, busy, result  medians; busy is all but the wait\n"
                     "  90 %%                nine in ten results are there by then\n");
    if (has_deadline(table)) {
        be_text_add(out, "  in time             the probability of a result by the deadline\n");
    }
    if (any) {
        be_text_add(out, "  *                   beyond what was measured: extrapolated\n");
    }
    if (unknown) {
        be_text_add(out, "  ?                   not known: --accounting=FILE gives waits\n");
    }
    if (beyond) {
        be_text_add(out, "  Some of these would not end within the longest job there.\n");
    }
}

/* By the mean power of a run: where it had the same GPU. */
static void add_energy(const struct be_decide_table *table, struct be_text *out) {
    struct be_text line = {0};
    for (int i = 0; i < table->decision.rows; i++) {
        const struct be_decide_row *row = &table->decision.row[i];
        if (isfinite(row->energy_j)) {
            be_text_add(&line, "%s%s %.3g kWh",
                        line.length ? ", " : "Energy of the GPUs, by the run's mean power: ",
                        table->place[row->place].name, row->energy_j / 3.6e6);
        }
    }
    if (line.length) {
        be_text_add(&line, ".");
        be_lines_wrap(out, "", line.data, 2);
    }
    out->failed |= line.failed;
    be_text_free(&line);
}

void be_decide_text(const struct be_decide_table *table, struct be_text *out) {
    struct be_text sentence = {0};
    be_lines_wrap(out, "", table->work, 2);
    be_text_add(out, "\n");
    add_head(table, out);
    for (int i = 0; i < table->decision.rows; i++) {
        add_row(table, &table->decision.row[i], out);
    }
    add_legend(table, out);
    be_text_add(out, "\n");
    for (int i = 0; i < table->remarks; i++) {
        be_lines_wrap(out, "", table->remark[i], 2);
    }
    add_energy(table, out);
    be_decide_sentence(table, &sentence);
    be_lines_wrap(out, "", sentence.data ? sentence.data : "", 2);
    out->failed |= sentence.failed;
    be_text_free(&sentence);
}
