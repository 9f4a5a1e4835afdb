/* Forecasts of several jobs, as text, CSV, JSON, page. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/common/out.h"
#include "report/common/page.h"
#include "report/queue/queue.h"

/* ---- cells -------------------------------------------------------------------------------------- */

enum { JOB, PARTITION, HALF, HIGH, LIKE, DEADLINE, CELLS };
struct cells {
    char cell[CELLS][BE_NAME + BE_WORD];
};

static void fill(const struct be_forecast *f, const struct be_forecast_row *row,
                 struct cells *cells) {
    char word[BE_WORD];
    struct be_text job = {0}, name = {0};
    be_forecast_job_words(&f->wish, &job);
    be_lines_ascii(&name, row ? row->partition : "-");
    be_text_add(&name, "%s", row && row->beyond ? " ?" : "");
    be_copy_text(cells->cell[JOB], sizeof cells->cell[JOB], job.data ? job.data : "");
    be_copy_text(cells->cell[PARTITION], sizeof cells->cell[PARTITION], name.data ? name.data : "");
    const bool enough = row && row->enough;
    be_copy_text(cells->cell[HALF], sizeof cells->cell[HALF],
                 enough ? be_format_wait(word, sizeof word, row->q50_s, "-") : "no data");
    be_copy_text(cells->cell[HIGH], sizeof cells->cell[HIGH],
                 enough ? be_format_wait(word, sizeof word, row->q90_s, "-") : "-");
    be_copy_text(cells->cell[DEADLINE], sizeof cells->cell[DEADLINE],
                 be_queue_percent(word, sizeof word, row ? row->p_deadline : NAN));
    snprintf(cells->cell[LIKE], sizeof cells->cell[LIKE], "%d", row ? row->n : 0);
    be_text_free(&job);
    be_text_free(&name);
}

static bool is_named(const struct be_word_list *only, const char *partition) {
    for (int i = 0; i < only->words; i++) {
        if (strcmp(only->word[i], partition) == 0) {
            return true;
        }
    }
    return false;
}

/* Line `at` of the table: of which job, and which partition (NULL: none can take it). false: there is no such line. */
static bool line_of(const struct be_forecast_grid *grid, int at, int *job,
                    const struct be_forecast_row **row) {
    for (*job = 0; *job < grid->jobs; (*job)++) {
        const struct be_forecast *f = &grid->forecast[*job];
        if (!grid->only) {
            *row = be_forecast_likely(f);
            if (at-- == 0) {
                return true;
            }
        }
        for (int i = 0; grid->only && i < f->rows; i++) {
            *row = &f->row[i];
            if (is_named(grid->only, (*row)->partition) && at-- == 0) {
                return true;
            }
        }
    }
    return false;
}

static int cells_of(const struct be_forecast_grid *grid) {
    return isfinite(grid->forecast->deadline_in_s) ? CELLS : DEADLINE;
}

/* ---- text --------------------------------------------------------------------------------------- */

static const char *const head[CELLS] = {
    [JOB] = "Job",      [PARTITION] = "Partition", [HALF] = "half start",
    [HIGH] = "9 in 10", [LIKE] = "like it",        [DEADLINE] = "by deadline",
};

static void add_legend(const struct be_forecast_grid *grid, struct be_text *out) {
    const struct be_forecast_row *row = NULL;
    int job = 0;
    be_text_add(out, "\n");
    be_lines_wrap(out, "",
                  grid->only ? "half start, 9 in 10: within this time, of jobs that met such a "
                               "queue; like it: jobs of its size that started there lately"
                             : "the partition where each starts soonest; half start, 9 in 10: "
                               "within this time, of jobs that met such a queue; like it: jobs of "
                               "its size that started there lately",
                  2);
    bool beyond = false;
    for (int i = 0; line_of(grid, i, &job, &row); i++) {
        beyond |= row && row->beyond;
    }
    if (beyond) {
        be_lines_wrap(out, "",
                      "?: no job with so many CPUs or GPUs, or so much memory or time, has started "
                      "there: it may not take this one",
                      2);
    }
    for (int i = 0; i < grid->jobs; i++) {
        if (grid->forecast[i].gpus_unknown) {
            be_lines_wrap(out, "",
                          "no job of this accounting has a GPU: the waits are those of jobs of as "
                          "many CPUs",
                          2);
            break;
        }
    }
    be_wait_notes(&grid->forecast->counts, out);
}

static void grid_text(const struct be_forecast_grid *grid, struct be_text *out) {
    int width[CELLS], job = 0;
    const struct be_forecast_row *row = NULL;
    struct cells cells = {0};
    char now[BE_WORD], words[2 * BE_NAME];
    snprintf(words, sizeof words,
             "Jobs submitted %s%s%s:", grid->forecast->live ? "now" : "when the accounting ends (",
             grid->forecast->live ? ""
                                  : be_format_moment(now, sizeof now, grid->forecast->now_s, false),
             grid->forecast->live ? "" : ")");
    be_lines_wrap(out, "", words, 2);
    be_text_add(out, "\n");
    for (int k = 0; k < CELLS; k++) {
        width[k] = (int)strlen(head[k]);
    }
    for (int i = 0; line_of(grid, i, &job, &row); i++) {
        fill(&grid->forecast[job], row, &cells);
        for (int k = 0; k < CELLS; k++) {
            const int length = (int)strlen(cells.cell[k]);
            width[k] = length > width[k] ? length : width[k];
        }
    }
    for (int i = -1; i < 0 || line_of(grid, i, &job, &row); i++) {
        if (i >= 0) {
            fill(&grid->forecast[job], row, &cells);
        }
        for (int k = 0; k < cells_of(grid); k++) {
            be_text_add(out, "%-*s  ", width[k], i < 0 ? head[k] : cells.cell[k]);
        }
        be_text_end_line(out);
    }
    add_legend(grid, out);
}

/* ---- CSV, JSON ---------------------------------------------------------------------------------- */

static void grid_csv(const struct be_forecast_grid *grid, struct be_text *out) {
    be_text_add(out, "cpus,gpus,memory_bytes,limit_s," BE_FORECAST_CSV "\r\n");
    for (int i = 0; i < grid->jobs; i++) {
        const struct be_forecast *f = &grid->forecast[i];
        for (int k = 0; k < f->rows; k++) {
            char memory[BE_WORD];
            be_format_exact(memory, sizeof memory,
                            f->wish.memory_bytes > 0 ? f->wish.memory_bytes : NAN, "");
            be_text_add(out, "%.0f,%.0f,%s,%.0f,", f->wish.cpus, f->wish.gpus, memory,
                        f->wish.limit_s);
            be_forecast_csv_row(&f->row[k], out);
            be_text_add(out, "\r\n");
        }
    }
}

/* ---- page --------------------------------------------------------------------------------------- */

static void grid_html(const struct be_forecast_grid *grid, struct be_text *out) {
    static const char *const title[CELLS] = {
        [JOB] = "job",
        [PARTITION] = "partition",
        [HALF] = "half start within",
        [HIGH] = "nine in ten within",
        [LIKE] = "jobs like it",
        [DEADLINE] = "by the deadline",
    };
    const struct be_forecast *first = grid->forecast;
    struct be_text drawing = {0}, text = {0};
    const struct be_forecast_row *row = NULL;
    char kicker[2 * BE_NAME], now[BE_WORD];
    int job = 0;
    snprintf(kicker, sizeof kicker, "breakeven queue%s%.10s", *first->made.date ? ", " : "",
             first->made.date);
    be_page_begin(out, "When would these jobs start?", kicker);
    snprintf(kicker, sizeof kicker, "%d sizes of a job, each where it starts soonest.", grid->jobs);
    be_page_verdict(out, kicker);
    be_forecast_grid_svg(grid, &drawing);
    if (drawing.length) {
        be_page_drawing(out, &drawing,
                        "A bar reaches from the time within which half of such jobs start to that "
                        "of nine in ten.");
    }
    be_page_heading(out, "By job");
    be_page_table_begin(out, grid->only ? "By partition, best first" : "Best partition", title,
                        cells_of(grid));
    for (int i = 0; line_of(grid, i, &job, &row); i++) {
        struct cells cells = {0};
        const char *cell[CELLS];
        fill(&grid->forecast[job], row, &cells);
        for (int k = 0; k < CELLS; k++) {
            cell[k] = cells.cell[k];
        }
        be_page_row(out, cell, cells_of(grid));
    }
    be_page_table_end(out);
    grid_text(grid, &text);
    be_page_whole(out, &text);
    const struct be_page_fact fact[] = {
        {"holds for", be_format_moment(now, sizeof now, first->now_s, false)},
        {"queue", first->live ? "as it is now" : "as it was when the accounting ends"}};
    be_page_made(
        out, fact, (int)BE_COUNT(fact),
        "A forecast comes from jobs that met such a queue. Forecasts of this kind were put "
        "to the test: docs/forecast.md.",
        &first->made);
    be_page_end(out);
    out->failed |= drawing.failed;
    be_text_free(&drawing);
    be_text_free(&text);
}

enum be_status be_forecast_grid_write(const struct be_forecast_grid *grid, enum be_format format,
                                      FILE *out, struct be_error *error) {
    static void (*const write[])(const struct be_forecast_grid *,
                                 struct be_text *) = {[BE_TEXT] = grid_text,
                                                      [BE_JSON] = be_forecast_grid_json,
                                                      [BE_CSV] = grid_csv,
                                                      [BE_SVG] = be_forecast_grid_svg,
                                                      [BE_HTML] = grid_html};
    struct be_text text = {0};
    if ((size_t)format >= BE_COUNT(write) || !write[format]) {
        return be_fail(error, BE_USAGE, "forecasts: text, JSON, CSV, SVG or HTML");
    }
    write[format](grid, &text);
    return be_report_out(&text, out, error);
}
