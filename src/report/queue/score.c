/* How forecasts did, as Markdown. */
#include <math.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/common/out.h"
#include "report/queue/queue.h"

static const double under_min = 0.87, under_max = 0.93;
enum { CELL_MIN = 200 };

/* A quantile of whole seconds has at least its share at or below it and at most that below it:
 * of many equal waits no number does better. */
static bool holds(const struct be_forecast_cell *cell) {
    return cell->under >= under_min && cell->below <= under_max;
}

static bool holds_strictly(const struct be_forecast_cell *cell) {
    return cell->under >= under_min && cell->under <= under_max;
}

static const char *judged(const struct be_forecast_cell *cell) {
    return holds_strictly(cell) ? "" : holds(cell) ? "equal waits" : "**miss**";
}

static void add_scores(const struct be_forecast_score *score, int scores, struct be_text *out) {
    be_text_add(out,
                "| trace | jobs | forecast | no data | under q90 | strictly below | the table's | "
                "| cells right | without \"equal waits\" | forecasts/s |\n"
                "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < scores; i++) {
        const struct be_forecast_score *s = &score[i];
        int cells = 0, held = 0, strictly = 0;
        for (int k = 0; k < s->cells; k++) {
            bool counts = s->cell[k].n >= CELL_MIN;
            cells += counts;
            held += counts && holds(&s->cell[k]);
            strictly += counts && holds_strictly(&s->cell[k]);
        }
        be_text_add(out, "| ");
        be_lines_ascii(out, s->name);
        be_text_add(out, " | %llu | %llu | %llu |", (unsigned long long)s->jobs,
                    (unsigned long long)s->all.n, (unsigned long long)s->no_data);
        if (s->all.n) {
            be_text_add(out, " %.3f | %.3f | %.3f | %s |", s->all.under, s->all.below,
                        s->all.table_under, judged(&s->all));
        } else {
            be_text_add(out, " - | - | - | too few jobs |");
        }
        be_text_add(out, " %d of %d | %d of %d | %.0f |\n", held, cells, strictly, cells,
                    s->seconds > 0 ? (double)s->asked / s->seconds : 0);
    }
}

static void add_losses(const struct be_forecast_score *score, int scores, struct be_text *out) {
    be_text_add(out, "\n| trace | log q50 | gain | log q90 | hours q50 | hours q90 |\n"
                     "| --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < scores; i++) {
        const struct be_forecast_score *s = &score[i];
        const double pair[][2] = {{s->log90, s->table_log90},
                                  {s->hours50, s->table_hours50},
                                  {s->hours90, s->table_hours90}};
        if (s->all.n == 0) {
            continue; /* nothing was told, nothing lost */
        }
        be_text_add(out, "| ");
        be_lines_ascii(out, s->name);
        be_text_add(out, " | %.3f -> %.3f |", s->table_log50, s->log50);
        if (s->table_log50 > 0) {
            be_text_add(out, " %.0f %% |", 100 * (1 - s->log50 / s->table_log50));
        } else {
            be_text_add(out, " - |");
        }
        for (size_t k = 0; k < BE_COUNT(pair); k++) {
            be_text_add(out, " %.3f -> %.3f%s |", pair[k][1], pair[k][0],
                        pair[k][0] > pair[k][1] ? " **worse**" : "");
        }
        be_text_add(out, "\n");
    }
}

static void add_cells(const struct be_forecast_score *score, int scores, struct be_text *out) {
    static const char *const size[] = {"< 1", "1 - 4", "4 - 16", "16 - 64", "64 - 256", "> 256"};
    be_text_add(out,
                "\n| trace | partition | CPU-hours | n | under q90 | strictly below | the table's |"
                " |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < scores; i++) {
        for (int k = 0; k < score[i].cells; k++) {
            const struct be_forecast_cell *cell = &score[i].cell[k];
            if (cell->n >= CELL_MIN) {
                be_text_add(out, "| ");
                be_lines_ascii(out, score[i].name);
                be_text_add(out, " | ");
                be_lines_ascii(out, cell->partition);
                be_text_add(out, " | %s | %llu | %.3f | %.3f | %.3f | %s |\n", size[cell->size],
                            (unsigned long long)cell->n, cell->under, cell->below,
                            cell->table_under, judged(cell));
            }
        }
    }
}

/* All scores together: what they were given, and what came of it. */
static struct be_forecast_odds together(const struct be_forecast_score *score, int scores,
                                        int bin) {
    struct be_forecast_odds all = {0};
    for (int i = 0; i < scores; i++) {
        const struct be_forecast_odds *one = &score[i].odds[bin];
        const double n = (double)one->n;
        all.n += one->n;
        all.told += one->n ? n * one->told : 0;
        all.met += one->n ? n * one->met : 0;
    }
    all.told /= (double)all.n;
    all.met /= (double)all.n;
    return all;
}

static void add_odds_row(const char *name, const struct be_forecast_score *score, int scores,
                         struct be_text *out) {
    double off = 0, n = 0;
    be_text_add(out, "| ");
    be_lines_ascii(out, name);
    for (int bin = 0; bin < BE_ODDS_BINS; bin++) {
        const struct be_forecast_odds odds = together(score, scores, bin);
        if (odds.n >= CELL_MIN) {
            be_text_add(out, " | %.0f: %.0f", 100 * odds.told, 100 * odds.met);
        } else {
            be_text_add(out, " | -");
        }
        off += odds.n ? (double)odds.n * fabs(odds.told - odds.met) : 0;
        n += (double)odds.n;
    }
    if (n > 0) {
        be_text_add(out, " | %.1f |\n", 100 * off / n);
    } else {
        be_text_add(out, " | - |\n");
    }
}

/* Does what was called so probable happen so often? */
static void add_odds(const struct be_forecast_score *score, int scores, struct be_text *out) {
    be_text_add(out, "\n| P(start by a deadline), trace");
    for (int bin = 0; bin < BE_ODDS_BINS; bin++) {
        be_text_add(out, " | %d-%d %%", bin * 10, bin * 10 + 10);
    }
    be_text_add(out, " | off by |\n| ---");
    for (int bin = 0; bin < BE_ODDS_BINS; bin++) {
        be_text_add(out, " | ---");
    }
    be_text_add(out, " | --- |\n");
    for (int i = 0; i < scores; i++) {
        add_odds_row(score[i].name, &score[i], 1, out);
    }
    if (scores > 1) {
        add_odds_row("all of these", score, scores, out);
    }
}

enum be_status be_forecast_score_write(const struct be_forecast_score *score, int scores, FILE *out,
                                       struct be_error *error) {
    struct be_text text = {0};
    add_scores(score, scores, &text);
    add_losses(score, scores, &text);
    add_odds(score, scores, &text);
    add_cells(score, scores, &text);
    return be_report_out(&text, out, error);
}
