/* Waits, and the forecast of one, as pages that one can send to somebody. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "report/common/page.h"
#include "report/queue/queue.h"

enum { FEWEST = 20 /* jobs of a row that is named as the shortest or longest */ };

static void begin(const struct be_made *made, const char *title, struct be_text *out) {
    char kicker[2 * BE_NAME];
    snprintf(kicker, sizeof kicker, "breakeven queue%s%.10s", *made->date ? ", " : "", made->date);
    be_page_begin(out, title, kicker);
}

/* ---- waits ----------------------------------------------------------------------------------- */

static void add_shortest(const struct be_wait_table *table, const char *quantile,
                         struct be_text *out) {
    int shortest = -1, longest = -1;
    char low[BE_WORD], high[BE_WORD];
    for (int i = 0; i < table->rows; i++) {
        const struct be_wait_cell *all = &table->all[i];
        if (all->n < FEWEST || !isfinite(all->wait_s)) {
            continue;
        }
        shortest = shortest < 0 || all->wait_s < table->all[shortest].wait_s ? i : shortest;
        longest = longest < 0 || all->wait_s > table->all[longest].wait_s ? i : longest;
    }
    if (shortest < 0) {
        be_text_add(out, "Too few jobs started to say how long they wait");
    } else if (shortest == longest) {
        be_text_add(out, "The %s wait is %s", quantile,
                    be_format_wait(low, sizeof low, table->all[shortest].wait_s, "?"));
    } else {
        be_text_add(out, "The %s wait is shortest in %s (%s) and longest in %s (%s)", quantile,
                    table->row[shortest].name,
                    be_format_wait(low, sizeof low, table->all[shortest].wait_s, "?"),
                    table->row[longest].name,
                    be_format_wait(high, sizeof high, table->all[longest].wait_s, "?"));
    }
}

static void add_wait_verdict(const struct be_wait_table *table, struct be_text *out) {
    char quantile[BE_WORD], jobs[BE_WORD], first[BE_WORD], last[BE_WORD];
    struct be_text line = {0};
    add_shortest(table, be_format_quantile(quantile, sizeof quantile, table->quantile), &line);
    be_text_add(&line, ": %s job%s, submitted %s to %s.",
                be_format_count(jobs, sizeof jobs, (double)table->counts.counted, "0"),
                table->counts.counted == 1 ? "" : "s",
                be_format_moment(first, sizeof first, table->first_s, true),
                be_format_moment(last, sizeof last, table->last_s, true));
    be_page_verdict(out, line.data ? line.data : "");
    out->failed |= line.failed;
    be_text_free(&line);
}

/* "3.1 h (120)" and its spread. */
static void add_cell(const struct be_wait_table *table, const struct be_wait_cell *cell,
                     char to[BE_NAME * 2]) {
    char wait[BE_WORD], lo[BE_WORD], hi[BE_WORD];
    double lo_s, hi_s;
    be_wait_spread(table, cell, &lo_s, &hi_s);
    if (!cell->n) {
        snprintf(to, BE_NAME * 2, "none");
    } else {
        snprintf(to, BE_NAME * 2, "%s (%s - %s; %.0f)",
                 be_format_wait(wait, sizeof wait, cell->wait_s, "?"),
                 be_format_wait(lo, sizeof lo, lo_s, "?"), be_format_wait(hi, sizeof hi, hi_s, "?"),
                 (double)cell->n);
    }
}

static void add_waits(const struct be_wait_table *table, struct be_text *out) {
    char name[BE_WAIT_BINS_MAX + 2][BE_NAME * 2];
    const char *cell[BE_WAIT_BINS_MAX + 3] = {"jobs"};
    const int columns =
        table->columns < BE_WAIT_BINS_MAX + 1 ? table->columns : BE_WAIT_BINS_MAX + 1;
    for (int k = 0; k < columns; k++) {
        be_wait_column(table, k, name[k], sizeof name[k]);
        cell[k + 1] = name[k];
    }
    cell[columns + 1] = "all sizes";
    be_page_heading(out, "Waits by size of the job");
    be_page_table_begin(out,
                        fabs(table->quantile - 0.5) < 1e-9
                            ? "Median wait (middle half; jobs)"
                            : "Quantile of the waits (its 95 % interval; jobs)",
                        cell, columns + 2);
    for (int i = 0; i < table->rows; i++) {
        cell[0] = table->row[i].name;
        for (int k = 0; k < columns; k++) {
            add_cell(table, &table->cell[i * table->columns + k], name[k]);
        }
        add_cell(table, &table->all[i], name[columns]);
        cell[columns + 1] = name[columns];
        be_page_row(out, cell, columns + 2);
    }
    be_page_table_end(out);
}

void be_wait_html(const struct be_wait_table *table, struct be_text *out) {
    struct be_text drawing = {0}, text = {0};
    char jobs[BE_WORD], read[BE_WORD], first[BE_WORD], last[BE_WORD];
    begin(&table->made, "How long jobs wait", out);
    add_wait_verdict(table, out);
    if (table->counts.counted) {
        be_wait_chart_svg(table, &drawing);
        be_page_drawing(out, &drawing, "Waits on a logarithmic scale.");
    }
    add_waits(table, out);
    be_wait_text(table, &text);
    be_page_whole(out, &text);
    const struct be_page_fact fact[] = {
        {"jobs counted", be_format_count(jobs, sizeof jobs, (double)table->counts.counted, "0")},
        {"jobs read", be_format_count(read, sizeof read, (double)table->counts.jobs, "0")},
        {"first submission", be_format_moment(first, sizeof first, table->first_s, false)},
        {"last submission", be_format_moment(last, sizeof last, table->last_s, false)},
        {"a wait begins", table->from_eligible ? "when the job could run" : "at submission"},
        {"size of a job", table->used ? "hours used" : "hours asked for"}};
    be_page_made(out, fact, (int)BE_COUNT(fact),
                 "Waits of the past. A job that is still waiting is not among them.", &table->made);
    be_page_end(out);
    out->failed |= drawing.failed;
    be_text_free(&drawing);
    be_text_free(&text);
}

/* ---- a forecast ------------------------------------------------------------------------------ */

static void add_partition(const struct be_forecast *f, const struct be_forecast_row *row,
                          struct be_text *out) {
    char half[BE_WORD], high[BE_WORD], waiting[BE_WORD], like[BE_WORD], chance[BE_WORD];
    char slurm[BE_WORD];
    snprintf(waiting, sizeof waiting, "%d", row->waiting);
    snprintf(like, sizeof like, "%d", row->n);
    be_queue_percent(chance, sizeof chance, row->p_deadline);
    const char *const cell[] = {
        row->partition,
        be_format_wait(half, sizeof half, row->q50_s, "not enough data"),
        be_format_wait(high, sizeof high, row->q90_s, "not enough data"),
        waiting,
        like,
        f->live ? be_format_wait(slurm, sizeof slurm, row->slurm_s, "nothing") : "not asked",
        chance};
    be_page_row(out, cell, isfinite(f->deadline_in_s) ? 7 : 6);
}

void be_forecast_html(const struct be_forecast *f, struct be_text *out) {
    static const char *const head[] = {"partition",      "half start within", "nine in ten within",
                                       "jobs waiting",   "jobs like it",      "Slurm says",
                                       "by the deadline"};
    struct be_text line = {0}, drawing = {0}, text = {0};
    char now[BE_WORD], deadline[BE_WORD], limit[BE_WORD];
    begin(&f->made, "When would this job start?", out);
    be_forecast_sentence(f, &line);
    be_page_verdict(out, line.data ? line.data : "");
    be_forecast_svg(f, &drawing);
    if (drawing.length) {
        be_page_drawing(out, &drawing,
                        "Each line rises from none to all of such jobs. A start is as probable as "
                        "the line is high.");
    }
    be_page_heading(out, "By partition");
    be_page_table_begin(out, "Best first", head, isfinite(f->deadline_in_s) ? 7 : 6);
    for (int i = 0; i < f->rows; i++) {
        add_partition(f, &f->row[i], out);
    }
    be_page_table_end(out);
    be_forecast_text(f, &text);
    be_page_whole(out, &text);
    const struct be_page_fact fact[] = {
        {"holds for", be_format_moment(now, sizeof now, f->now_s, false)},
        {"queue", f->live ? "as it is now" : "as it was when the accounting ends"},
        {"time limit of the job", be_format_wait(limit, sizeof limit, f->wish.limit_s, "")},
        {"deadline, from then", be_format_wait(deadline, sizeof deadline, f->deadline_in_s, "")}};
    be_page_made(
        out, fact, (int)BE_COUNT(fact),
        "A forecast comes from jobs that met such a queue. Forecasts of this kind were put "
        "to the test: docs/forecast.md.",
        &f->made);
    be_page_end(out);
    out->failed |= line.failed || drawing.failed;
    be_text_free(&line);
    be_text_free(&drawing);
    be_text_free(&text);
}
