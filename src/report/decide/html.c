/* A ranking of places as a page that one can send to somebody: the answer, the places as bars, all of them as a table,
 * what it rests on. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "report/common/page.h"
#include "report/decide/decide.h"
#include "report/queue/queue.h"

enum { COLUMNS = 9 };

static void add_verdict(const struct be_decide_table *table, struct be_text *out) {
    const struct be_decision *d = &table->decision;
    struct be_text line = {0};
    char within[BE_WORD], name[3 * BE_NAME + 8];
    be_decide_sentence(table, &line);
    be_page_verdict(out, line.data ? line.data : "");
    if (d->rows > 0 && isfinite(d->row[0].p_deadline)) {
        be_decide_name(&table->place[d->row[0].place], name, sizeof name);
        be_text_free(&line);
        be_text_add(&line, "A result within %s has a probability of %.0f %% at %s.",
                    be_format_wait(within, sizeof within, d->deadline_s, "?"),
                    100 * d->row[0].p_deadline, name);
        be_page_paragraph(out, line.data ? line.data : "");
    }
    out->failed |= line.failed;
    be_text_free(&line);
}

static const char *percent(char *to, double share, const char *none) {
    snprintf(to, BE_WORD, "%.0f %%", 100 * share);
    return isfinite(share) ? to : none;
}

static const char *part(char *to, double seconds) {
    return seconds > 0 ? be_format_wait(to, BE_WORD, seconds, "?") : "none";
}

static void add_row(const struct be_decide_table *table, const struct be_decide_row *row,
                    struct be_text *out) {
    const struct be_decide_place *place = &table->place[row->place];
    char name[3 * BE_NAME + 8], wait[BE_WORD], load[BE_WORD], transfer[BE_WORD], compute[BE_WORD];
    char half[BE_WORD], span[3 * BE_WORD], lo[BE_WORD], hi[BE_WORD], chance[BE_WORD];
    char first[BE_WORD];
    struct be_text cost = {0};
    be_decide_name(place, name, sizeof name);
    be_decide_cost(place, row, &cost);
    if (isfinite(row->energy_j)) {
        be_text_add(&cost, ", %.3g kWh", row->energy_j / 3.6e6);
    }
    snprintf(span, sizeof span, isfinite(row->result.q10_s) ? "%s - %s" : "not known",
             be_format_wait(lo, sizeof lo, row->result.q10_s, "?"),
             be_format_wait(hi, sizeof hi, row->result.q90_s, "?"));
    const char *const cell[COLUMNS + 1] = {
        name,
        place->here ? "none" : be_format_wait(wait, sizeof wait, row->wait_q50_s, "not known"),
        part(load, place->load.typical_s),
        part(transfer, place->transfer.typical_s),
        be_format_wait(compute, sizeof compute, place->compute.typical_s + place->network.typical_s,
                       "?"),
        be_format_wait(half, sizeof half, row->result.q50_s, "not known"),
        span,
        percent(first, row->p_first, "?"),
        cost.data ? cost.data : "",
        percent(chance, row->p_deadline, "not known")};
    be_page_row(out, cell, COLUMNS + isfinite(table->decision.deadline_s));
    out->failed |= cost.failed;
    be_text_free(&cost);
}

static void add_places(const struct be_decide_table *table, struct be_text *out) {
    static const char *const head[COLUMNS + 1] = {
        "place",           "wait",     "load", "transfer", "compute", "result",
        "8 in 10 results", "first in", "cost", "in time"};
    be_page_heading(out, "All places");
    be_page_table_begin(out,
                        "Medians; compute has exchanges between nodes in it. Each part is a "
                        "distribution, and the result is their sum: medians "
                        "of parts do not add up to it.",
                        head, COLUMNS + isfinite(table->decision.deadline_s));
    for (int i = 0; i < table->decision.rows; i++) {
        add_row(table, &table->decision.row[i], out);
    }
    be_page_table_end(out);
    be_page_paragraph(out, "first in: the share of draws in which no other place is done sooner. "
                           "*: beyond what was measured, extrapolated.");
}

static void add_assumptions(const struct be_decide_table *table, struct be_text *out) {
    be_page_heading(out, "On which this rests");
    be_page_paragraph(out, table->work);
    for (int i = 0; i < table->remarks; i++) {
        be_page_paragraph(out, table->remark[i]);
    }
}

void be_decide_html(const struct be_decide_table *table, struct be_text *out) {
    struct be_text drawing = {0}, text = {0};
    char within[BE_WORD], places[BE_WORD], kicker[2 * BE_NAME];
    snprintf(kicker, sizeof kicker, "breakeven decide%s%.10s", *table->made.date ? ", " : "",
             table->made.date);
    be_page_begin(out, "Where is the result there first?", kicker);
    add_verdict(table, out);
    be_decide_svg(table, &drawing);
    be_page_drawing(out, &drawing,
                    "A bar ends at the median of the time to the result, and its parts have the "
                    "proportions of their medians. The line has eight in ten results.");
    add_places(table, out);
    add_assumptions(table, out);
    be_decide_text(table, &text);
    be_page_whole(out, &text);
    snprintf(places, sizeof places, "%d", table->decision.rows);
    const struct be_page_fact fact[] = {
        {"places", places},
        {"deadline, from then",
         be_format_wait(within, sizeof within, table->decision.deadline_s, "")}};
    be_page_made(out, fact, (int)BE_COUNT(fact),
                 "Waits and times are forecasts: nothing was run at these places.", &table->made);
    be_page_end(out);
    out->failed |= drawing.failed;
    be_text_free(&drawing);
    be_text_free(&text);
}
