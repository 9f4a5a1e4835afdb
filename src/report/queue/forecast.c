/* Forecasts of a wait as text, CSV and JSON; how forecasts did, as Markdown. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/json/record.h"
#include "report/common/lines.h"
#include "report/queue/queue.h"
#include "report/common/out.h"

/* ---- a forecast ----------------------------------------------------------------------------- */

enum { MIN = 29, MAX = 500 }; /* jobs; as be_forecast_make has them */

static void add_wish(const struct be_forecast *f, struct be_text *out) {
    char text[BE_WORD], words[256];
    size_t used = (size_t)snprintf(words, sizeof words, "A job of %.0f CPU%s", f->wish.cpus,
                                   f->wish.cpus > 1 ? "s" : "");
    if (f->wish.gpus > 0) {
        used += (size_t)snprintf(words + used, sizeof words - used, ", %.0f GPU%s", f->wish.gpus,
                                 f->wish.gpus > 1 ? "s" : "");
    }
    if (f->wish.memory_bytes > 0) {
        used += (size_t)snprintf(words + used, sizeof words - used, ", %.4g GB",
                                 f->wish.memory_bytes / 0x1p30);
    }
    used += (size_t)snprintf(words + used, sizeof words - used, " and %s, ",
                             be_format_wait(text, sizeof text, f->wish.limit_s, "?"));
    if (f->live) {
        snprintf(words + used, sizeof words - used, "submitted now:");
    } else {
        snprintf(words + used, sizeof words - used, "submitted when the accounting ends (%s):",
                 be_format_moment(text, sizeof text, f->now_s, false));
    }
    be_lines_wrap(out, "", words, 2);
}

/* Of some hundred jobs nothing is certain. */
static const char *percent(char *to, size_t capacity, double share) {
    if (isfinite(share) && share >= 0.995) {
        be_copy_text(to, capacity, ">99 %");
    } else if (isfinite(share) && share < 0.005) {
        be_copy_text(to, capacity, "<1 %");
    } else if (isfinite(share)) {
        snprintf(to, capacity, "%.0f %%", 100 * share);
    } else {
        snprintf(to, capacity, "-");
    }
    return to;
}

static void add_forecast_row(const struct be_forecast *f, const struct be_forecast_row *row,
                             int names, struct be_text *out) {
    char half[BE_WORD], high[BE_WORD], share[BE_WORD], slurm[BE_WORD];
    struct be_text name = {0};
    be_lines_ascii(&name, row->partition);
    be_text_add(out, "%-*s  ", names, name.data ? name.data : "");
    be_text_free(&name);
    if (!row->enough) {
        be_text_add(out, "not enough data: %d job%s like it, %d are needed", row->n,
                    row->n == 1 ? "" : "s", (int)MIN);
        if (isfinite(row->slurm_s)) {
            be_text_add(out, "; Slurm says* %s",
                        be_format_wait(slurm, sizeof slurm, row->slurm_s, "-"));
        }
        be_text_end_line(out);
        return;
    }
    be_text_add(out, "%-11s  %-11s  ", be_format_wait(half, sizeof half, row->q50_s, "-"),
                be_format_wait(high, sizeof high, row->q90_s, "-"));
    if (isfinite(f->deadline_in_s)) {
        be_text_add(out, "%-11s  ", percent(share, sizeof share, row->p_deadline));
    }
    if (f->live) {
        be_text_add(out, "%-11s  ", be_format_wait(slurm, sizeof slurm, row->slurm_s, "-"));
    }
    be_text_add(out, "%-7d  %d%s", row->waiting, row->n, row->n >= MAX ? "+" : "");
    be_text_end_line(out);
}

/* The others are named in one line. */
static bool is_shown(const struct be_forecast_row *row) {
    return row->n > 0 || row->unseen || isfinite(row->slurm_s);
}

static bool has_rows(const struct be_forecast *f) {
    for (int i = 0; i < f->rows; i++) {
        if (is_shown(&f->row[i])) {
            return true;
        }
    }
    return false;
}

/* Partitions where none like it ran, in one line. */
static void add_never(const struct be_forecast *f, struct be_text *out) {
    struct be_text list = {0};
    for (int i = 0; i < f->rows; i++) {
        if (!is_shown(&f->row[i])) {
            be_text_add(&list, "%s", list.length ? ", " : "");
            be_text_add(&list, "%s", f->row[i].partition);
        }
    }
    if (list.length) {
        be_lines_wrap(out, "no job of this size yet: ", list.data, 2);
    }
    out->failed |= list.failed;
    be_text_free(&list);
}

static void add_headings(const struct be_forecast *f, int names, struct be_text *out) {
    be_text_add(out, "\n");
    if (!has_rows(f)) {
        return;
    }
    be_text_add(out, "%-*s  %-11s  %-11s  ", names, "Partition", "half start", "9 in 10");
    if (isfinite(f->deadline_in_s)) {
        be_text_add(out, "%-11s  ", "by deadline");
    }
    if (f->live) {
        be_text_add(out, "%-11s  ", "Slurm says*");
    }
    be_text_add(out, "%-7s  %s", "waiting", "like it");
    be_text_end_line(out);
}

static void add_legend(const struct be_forecast *f, struct be_text *out) {
    bool more = false;
    for (int i = 0; i < f->rows; i++) {
        more |= f->row[i].n >= MAX;
    }
    be_text_add(out, "\n");
    be_lines_wrap(out, "",
                  "half start, 9 in 10: within this time, of jobs that met such a queue; waiting: "
                  "jobs there at that moment; like it: jobs of its size that started there lately",
                  2);
    if (more) {
        be_lines_wrap(out, "", "500+: that many or more", 2);
    }
}

/* Is there so many of it, not so much? */
static bool is_counted(const char *what) {
    return strcmp(what, "GPUs") == 0 || strcmp(what, "CPUs") == 0;
}

static void forecast_text(const struct be_forecast *f, struct be_text *out) {
    int names = (int)strlen("Partition");
    for (int i = 0; i < f->rows; i++) {
        int length = (int)strlen(f->row[i].partition);
        names = length > names ? length : names;
    }
    add_wish(f, out);
    add_headings(f, names, out);
    for (int i = 0; i < f->rows; i++) {
        if (is_shown(&f->row[i])) {
            add_forecast_row(f, &f->row[i], names, out);
        }
    }
    add_never(f, out);
    for (int i = 0; i < f->rows; i++) {
        if (f->row[i].beyond) {
            char words[BE_NAME + 80];
            snprintf(words, sizeof words,
                     "%s: no job with so %s %s has started there: it may not take this one",
                     f->row[i].partition, is_counted(f->row[i].beyond) ? "many" : "much",
                     f->row[i].beyond);
            be_lines_wrap(out, "", words, 2);
        }
    }
    if (f->gpus_unknown) {
        be_lines_wrap(
            out, "",
            "no job of this accounting has a GPU: which partitions have some is not known, "
            "and the waits are those of jobs of as many CPUs",
            2);
    }
    if (f->rows == 0) {
        be_text_add(out, "no partition has run a job so large\n");
    }
    if (has_rows(f)) {
        add_legend(f, out);
    }
    if (f->live && has_rows(f)) {
        be_lines_wrap(out, "",
                      "* sbatch --test-only: not a bound, jobs do start later than it says", 2);
    }
    for (int i = 0; i < f->rows && f->live; i++) {
        if (f->row[i].slurm_note[0]) {
            char words[BE_NAME + BE_NOTE + 8];
            snprintf(words, sizeof words, "%s: %s", f->row[i].partition, f->row[i].slurm_note);
            be_lines_wrap(out, "", words, 2);
        }
    }
    if (f->bystanders) {
        char number[BE_WORD], words[160];
        snprintf(
            words, sizeof words,
            "%s job%s not of the time or kind asked for: known to wait and run beside the others, "
            "nothing is learnt from them",
            be_format_count(number, sizeof number, (double)f->bystanders, "?"),
            f->bystanders > 1 ? "s" : "");
        be_lines_wrap(out, "", words, 2);
    }
    be_wait_notes(&f->counts, out);
}

static void member(struct be_text *out, const char *name, double value) {
    be_text_add(out, ",\"%s\":", name);
    be_queue_json_real(out, value);
}

static void forecast_json(const struct be_forecast *f, struct be_text *out) {
    char now[BE_WORD];
    be_text_add(out, "{\"schema\":\"%s\",\"command\":\"queue\",\"version\":\"%s\",\n", BE_SCHEMA,
                BE_VERSION);
    be_text_add(out, "\"forecast\":true,\"live\":%s,\"now\":\"%s\"", f->live ? "true" : "false",
                be_format_moment(now, sizeof now, f->now_s, false));
    member(out, "deadline_in_s", f->deadline_in_s);
    member(out, "cpus", f->wish.cpus);
    member(out, "gpus", f->wish.gpus);
    member(out, "memory_bytes", f->wish.memory_bytes > 0 ? f->wish.memory_bytes : NAN);
    member(out, "limit_s", f->wish.limit_s);
    be_text_add(out, ",\n\"partitions\":[");
    for (int i = 0; i < f->rows; i++) {
        const struct be_forecast_row *row = &f->row[i];
        be_text_add(out, "%s\n{\"partition\":", i ? "," : "");
        be_queue_json_text(out, row->partition);
        be_text_add(out, ",\"n\":%d,\"enough\":%s,\"waiting\":%d,\"beyond\":", row->n,
                    row->enough ? "true" : "false", row->waiting);
        be_text_add(out, row->beyond ? "\"%s\"" : "null", row->beyond);
        member(out, "q50_s", row->q50_s);
        member(out, "q90_s", row->q90_s);
        member(out, "p_deadline", row->p_deadline);
        member(out, "slurm_s", row->slurm_s);
        member(out, "table_q50_s", row->table_q50_s);
        member(out, "table_q90_s", row->table_q90_s);
        be_text_add(out, "}");
    }
    be_text_add(out, "],\n\"partitions_too_small\":%d,\"gpus_unknown\":%s,\"bystanders\":%llu}\n",
                f->too_small, f->gpus_unknown ? "true" : "false",
                (unsigned long long)f->bystanders);
}

static void forecast_csv(const struct be_forecast *f, struct be_text *out) {
    be_text_add(out,
                "partition,n,waiting,q50_s,q90_s,p_deadline,slurm_s,table_q50_s,table_q90_s\r\n");
    for (int i = 0; i < f->rows; i++) {
        const struct be_forecast_row *row = &f->row[i];
        const double value[] = {row->q50_s,   row->q90_s,       row->p_deadline,
                                row->slurm_s, row->table_q50_s, row->table_q90_s};
        be_queue_csv_text(out, row->partition);
        be_text_add(out, ",%d,%d", row->n, row->waiting);
        for (size_t k = 0; k < BE_COUNT(value); k++) {
            char number[BE_WORD];
            be_text_add(out, ",%s", be_format_exact(number, sizeof number, value[k], ""));
        }
        be_text_add(out, "\r\n");
    }
}

enum be_status be_forecast_write(const struct be_forecast *forecast, enum be_format format,
                                 FILE *out, struct be_error *error) {
    static void (*const write[])(const struct be_forecast *, struct be_text *) = {
        [BE_TEXT] = forecast_text, [BE_JSON] = forecast_json, [BE_CSV] = forecast_csv};
    struct be_text text = {0};
    if ((size_t)format >= BE_COUNT(write)) {
        return be_fail(error, BE_USAGE, "a forecast: text, JSON or CSV");
    }
    write[format](forecast, &text);
    return be_report_out(&text, out, error);
}

/* ---- how forecasts did ---------------------------------------------------------------------- */

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

enum be_status be_forecast_score_write(const struct be_forecast_score *score, int scores, FILE *out,
                                       struct be_error *error) {
    struct be_text text = {0};
    add_scores(score, scores, &text);
    add_losses(score, scores, &text);
    add_cells(score, scores, &text);
    return be_report_out(&text, out, error);
}
