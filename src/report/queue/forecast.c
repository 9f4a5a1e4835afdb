/* Forecasts of a wait as text and CSV. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/queue/queue.h"

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

const char *be_queue_percent(char *to, size_t capacity, double share) {
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
        be_text_add(out, "%-11s  ", be_queue_percent(share, sizeof share, row->p_deadline));
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
                  "jobs there at that moment that could run; like it: jobs of its size that "
                  "started there lately",
                  2);
    if (more) {
        be_lines_wrap(out, "", "500+: that many or more", 2);
    }
}

/* Is there so many of it, not so much? */
static bool is_counted(const char *what) {
    return strcmp(what, "GPUs") == 0 || strcmp(what, "CPUs") == 0;
}

/* Jobs of one partition that cannot run yet, and why. */
static void add_held(const struct be_forecast_row *row, struct be_text *out) {
    static const char *const words[BE_HOLDS] = {
        [BE_HOLD_HELD] = "held",
        [BE_HOLD_BEGIN] = "to begin later",
        [BE_HOLD_DEPENDENCY] = "depending on others",
        [BE_HOLD_LIMIT] = "at a limit of their array, user, account or QOS",
        [BE_HOLD_UNSAID] = "for reasons that are not told",
    };
    struct be_text list = {0};
    char number[BE_WORD];
    for (enum be_hold why = BE_HOLD_HELD; why < BE_HOLDS; why++) {
        if (row->held[why]) {
            be_text_add(&list, "%s%s %s", list.length ? ", " : "",
                        be_format_count(number, sizeof number, (double)row->held[why], "?"),
                        words[why]);
        }
    }
    if (list.length) {
        struct be_text line = {0};
        be_text_add(&line, "%s: cannot run yet, and not among those waiting: %s", row->partition,
                    list.data);
        be_lines_wrap(out, "", line.data ? line.data : "", 2);
        be_text_free(&line);
    }
    be_text_free(&list);
}

static void say_occasions(const struct be_forecast_row *row, struct be_text *out) {
    if (row->enough && row->occasions >= 0 && row->occasions < BE_OCCASIONS_ENOUGH) {
        be_text_add(out,
                    "%s: jobs there waited so long on %d occasion%s only, side by side: one event "
                    "decides, so these times and probabilities are less sure than they say",
                    row->partition, row->occasions, row->occasions == 1 ? "" : "s");
    }
}

static void add_occasions(const struct be_forecast_row *row, struct be_text *out) {
    struct be_text line = {0};
    say_occasions(row, &line);
    if (line.length) {
        be_lines_wrap(out, "", line.data, 2);
    }
    out->failed |= line.failed;
    be_text_free(&line);
}

/* Jobs of which nothing is learnt. */
static void add_unlearnt(const struct be_forecast *f, struct be_text *out) {
    const struct {
        uint64_t count;
        const char *what;
    } of[] = {
        {f->bystanders, "not of the time or kind asked for: known to wait and run beside the "
                        "others, nothing is learnt from them"},
        {f->limited, "that could not run for a time that is not known (a limit, by the last reason "
                     "told): nothing is learnt from their waits"},
    };
    for (size_t i = 0; i < BE_COUNT(of); i++) {
        if (of[i].count) {
            char number[BE_WORD], words[240];
            snprintf(words, sizeof words, "%s job%s %s",
                     be_format_count(number, sizeof number, (double)of[i].count, "?"),
                     of[i].count > 1 ? "s" : "", of[i].what);
            be_lines_wrap(out, "", words, 2);
        }
    }
}

void be_forecast_text(const struct be_forecast *f, struct be_text *out) {
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
    for (int i = 0; i < f->rows; i++) {
        if (is_shown(&f->row[i])) {
            add_occasions(&f->row[i], out);
        }
    }
    for (int i = 0; i < f->rows; i++) {
        add_held(&f->row[i], out);
    }
    add_unlearnt(f, out);
    be_wait_notes(&f->counts, out);
}

void be_forecast_csv_row(const struct be_forecast_row *row, struct be_text *out) {
    const double value[] = {row->q50_s,   row->q90_s,       row->p_deadline,
                            row->slurm_s, row->table_q50_s, row->table_q90_s};
    uint64_t held = 0;
    be_queue_csv_text(out, row->partition);
    be_text_add(out, ",%d,%d", row->n, row->waiting);
    for (size_t k = 0; k < BE_COUNT(value); k++) {
        char number[BE_WORD];
        be_text_add(out, ",%s", be_format_exact(number, sizeof number, value[k], ""));
    }
    for (enum be_hold why = BE_HOLD_HELD; why < BE_HOLDS; why++) {
        held += row->held[why];
    }
    be_text_add(out, ",%llu", (unsigned long long)held);
}

void be_forecast_csv(const struct be_forecast *f, struct be_text *out) {
    be_text_add(out, BE_FORECAST_CSV "\r\n");
    for (int i = 0; i < f->rows; i++) {
        be_forecast_csv_row(&f->row[i], out);
        be_text_add(out, "\r\n");
    }
}
