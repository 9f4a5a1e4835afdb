/* Waits as a table, and what stands below it; CSV and JSON of the same. */
#include "report/queue/queue.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "report/common/lines.h"

enum { CELL = 64, GAP = 2 };

const char *be_format_wait(char *to, size_t capacity, double seconds, const char *none) {
    static const struct {
        double below, unit;
        const char *name;
    } scale[] = {{60, 1, "s"}, {3600, 60, "m"}, {48 * 3600.0, 3600, "h"}, {INFINITY, 86400, "d"}};
    if (!isfinite(seconds)) {
        snprintf(to, capacity, "%s", none);
        return to;
    }
    size_t at = 0;
    while (seconds >= scale[at].below - 0.05 * scale[at].unit) {
        at++;
    }
    snprintf(to, capacity, "%.1f %s", seconds / scale[at].unit, scale[at].name);
    return to;
}

const char *be_format_quantile(char *to, size_t capacity, double q) {
    if (fabs(q - 0.5) < 1e-9) {
        snprintf(to, capacity, "median");
    } else {
        snprintf(to, capacity, "%g quantile", q);
    }
    return to;
}

const char *be_format_moment(char *to, size_t capacity, int64_t seconds, bool day) {
    time_t at = (time_t)seconds;
    struct tm fields;
    if (!gmtime_r(&at, &fields) ||
        !strftime(to, capacity, day ? "%Y-%m-%d" : "%Y-%m-%dT%H:%M:%S", &fields)) {
        snprintf(to, capacity, "?");
    }
    return to;
}

void be_wait_column(const struct be_wait_table *table, int column, char *to, size_t capacity) {
    const char *unit = table->memory_hours ? "GBh" : "CPUh";
    if (table->columns == 1) {
        snprintf(to, capacity, "all sizes");
    } else if (column == 0) {
        snprintf(to, capacity, "< %.6g %s", table->edge[0], unit);
    } else if (column + 1 == table->columns) {
        snprintf(to, capacity, "> %.6g %s", table->edge[column - 1], unit);
    } else {
        snprintf(to, capacity, "%.6g %s - %.6g %s", table->edge[column - 1], unit,
                 table->edge[column], unit);
    }
}

static bool is_median(const struct be_wait_table *table) {
    return fabs(table->quantile - 0.5) < 1e-9;
}

void be_wait_spread(const struct be_wait_table *table, const struct be_wait_cell *cell,
                    double *from_s, double *to_s) {
    *from_s = is_median(table) ? cell->q25_s : cell->lo_s;
    *to_s = is_median(table) ? cell->q75_s : cell->hi_s;
}

static const char *const row_title[BE_ROWS_KINDS] = {"Partition", "Hour", "Weekday",
                                                     "GPUs",      "CPUs", "Memory"};

static void cell_text(const struct be_wait_cell *cell, char text[CELL]) {
    char wait[BE_WORD];
    if (cell->n == 0) {
        snprintf(text, CELL, "NA");
        return;
    }
    snprintf(text, CELL, "%s (%llu)", be_format_wait(wait, sizeof wait, cell->wait_s, "?"),
             (unsigned long long)cell->n);
}

static void spread_text(const struct be_wait_table *table, const struct be_wait_cell *cell,
                        char text[CELL]) {
    char from[BE_WORD], to[BE_WORD];
    double from_s, to_s;
    be_wait_spread(table, cell, &from_s, &to_s);
    if (cell->n == 0) {
        text[0] = '\0';
    } else if (isnan(from_s) && isnan(to_s)) {
        snprintf(text, CELL, "?");
    } else {
        snprintf(text, CELL, "%s - %s", be_format_wait(from, sizeof from, from_s, "?"),
                 be_format_wait(to, sizeof to, to_s, "?"));
    }
}

static int widest(const struct be_wait_table *table, int column) {
    char text[CELL];
    be_wait_column(table, column, text, sizeof text);
    size_t width = strlen(text);
    for (int i = 0; i < table->rows; i++) {
        cell_text(&table->cell[i * table->columns + column], text);
        width = strlen(text) > width ? strlen(text) : width;
        spread_text(table, &table->cell[i * table->columns + column], text);
        width = strlen(text) > width ? strlen(text) : width;
    }
    return (int)width;
}

/* A name from foreign accounting, with nothing that steers the terminal. */
static void add_name(struct be_text *out, const char *name, int width) {
    struct be_text plain = {0};
    be_lines_ascii(&plain, name);
    be_text_add(out, "%-*s", width, plain.data ? plain.data : "");
    be_text_free(&plain);
}

/* The line below a row's waits; none where no job waited. */
static void add_spreads(const struct be_wait_table *table, int row, int names, int first, int last,
                        struct be_text *out) {
    char text[CELL];
    bool any = false;
    for (int k = first; k < last; k++) {
        any |= table->cell[row * table->columns + k].n > 0;
    }
    be_text_add(out, "%*s", any ? names : 0, "");
    for (int k = first; any && k < last; k++) {
        spread_text(table, &table->cell[row * table->columns + k], text);
        be_text_add(out, "%*s%-*s", GAP, "", widest(table, k), text);
    }
    if (any) {
        be_text_end_line(out);
    }
}

/* Columns first .. last - 1, as far as they fit beside the names. */
static void add_block(const struct be_wait_table *table, int names, int first, int last,
                      struct be_text *out) {
    char text[CELL];
    be_text_add(out, "%-*s", names, row_title[table->kind]);
    for (int k = first; k < last; k++) {
        be_wait_column(table, k, text, sizeof text);
        be_text_add(out, "%*s%-*s", GAP, "", widest(table, k), text);
    }
    be_text_end_line(out);
    for (int i = 0; i < table->rows; i++) {
        add_name(out, table->row[i].name, names);
        for (int k = first; k < last; k++) {
            cell_text(&table->cell[i * table->columns + k], text);
            be_text_add(out, "%*s%-*s", GAP, "", widest(table, k), text);
        }
        be_text_end_line(out);
        add_spreads(table, i, names, first, last, out);
    }
}

static void add_legend(const struct be_wait_table *table, struct be_text *out) {
    char quantile[BE_WORD], first[BE_WORD], last[BE_WORD], words[512];
    snprintf(words, sizeof words,
             "%s wait from %s to start (jobs), by %s-hours %s; below it %s; %s; submitted %s to %s",
             be_format_quantile(quantile, sizeof quantile, table->quantile),
             table->from_eligible ? "being eligible" : "submission",
             table->memory_hours ? "GB" : "CPU",
             table->used ? "used" : "asked for (times the time limit)",
             is_median(table)
                 ? "the middle half: a quarter of the jobs waited less, a quarter more; "
                   "?: one job"
                 : "its 95 % interval, by how days or weeks differ; ?: too few jobs or days to say",
             table->arrays ? "an array is one job, with the wait of its first task"
                           : "each task of an array is a job",
             be_format_moment(first, sizeof first, table->first_s, true),
             be_format_moment(last, sizeof last, table->last_s, true));
    be_text_add(out, "\n");
    be_lines_wrap(out, "", words, 2);
}

/* Time in which a job could not run is no wait for its turn: whether it is among the waits is said. */
static void add_first_held(const struct be_wait_counts *counts, struct be_text *out) {
    char number[BE_WORD], words[400];
    if (counts->no_eligible) {
        snprintf(words, sizeof words,
                 "%s job%s of which is not told since when %s could run (Eligible): time in "
                 "dependencies, holds and limits and until --begin counts as waiting",
                 be_format_count(number, sizeof number, (double)counts->no_eligible, "?"),
                 counts->no_eligible > 1 ? "s" : "", counts->no_eligible > 1 ? "they" : "it");
        be_lines_wrap(out, "", words, 2);
    }
    if (counts->held_first) {
        snprintf(words, sizeof words,
                 "%s job%s could not run when submitted (dependencies, holds, --begin)%s",
                 be_format_count(number, sizeof number, (double)counts->held_first, "?"),
                 counts->held_first > 1 ? "s" : "",
                 counts->held_counts
                     ? ": that time counts as waiting, without it is --from=eligible"
                     : ": that time does not count");
        be_lines_wrap(out, "", words, 2);
    }
}

void be_wait_notes(const struct be_wait_counts *counts, struct be_text *out) {
    const struct {
        uint64_t count;
        const char *what;
    } left_out[] = {
        {counts->not_started, "not started: waiting still, or cancelled while it did"},
        {counts->negative, "started before they were submitted (a clock was changed, or --tz is "
                           "needed)"},
        {counts->no_size,
         "without a size: CPUs, memory or time not known (accounting has them as NCPUS, ReqMem, "
         "Timelimit)"},
        {counts->filtered, "not asked for"},
    };
    char number[BE_WORD], words[900];
    for (size_t i = 0; i < BE_COUNT(left_out); i++) {
        if (left_out[i].count) {
            snprintf(words, sizeof words, "%s job%s left out, %s",
                     be_format_count(number, sizeof number, (double)left_out[i].count, "?"),
                     left_out[i].count > 1 ? "s" : "", left_out[i].what);
            be_lines_wrap(out, "", words, 2);
        }
    }
    if (counts->no_limit) {
        snprintf(words, sizeof words, "%s job%s without a time limit: %s size is what %s used",
                 be_format_count(number, sizeof number, (double)counts->no_limit, "?"),
                 counts->no_limit > 1 ? "s" : "", counts->no_limit > 1 ? "their" : "its",
                 counts->no_limit > 1 ? "they" : "it");
        be_lines_wrap(out, "", words, 2);
    }
    add_first_held(counts, out);
    if (counts->rejected) {
        char lines[BE_WORD];
        snprintf(words, sizeof words, "%s of %s lines %s no job; the first:",
                 be_format_count(number, sizeof number, (double)counts->rejected, "?"),
                 be_format_count(lines, sizeof lines, (double)counts->lines, "?"),
                 counts->rejected > 1 ? "are" : "is");
        be_lines_wrap(out, "", words, 2);
    }
    for (uint64_t i = 0; i < counts->rejected && i < BE_REJECTS; i++) {
        snprintf(words, sizeof words, "%s:%llu: %s: %.60s", counts->reject[i].file,
                 (unsigned long long)counts->reject[i].line, counts->reject[i].why,
                 counts->reject[i].text);
        be_lines_wrap(out, "  ", words, 4);
    }
}

static void add_why_empty(const struct be_wait_counts *counts, struct be_text *out) {
    const char *why = counts->jobs == 0 && counts->rejected == 0 ? "there is none in the accounting"
                      : counts->filtered > 0 ? "none that started is among those asked for"
                                             : "none of them counts";
    char words[BE_NOTE];
    snprintf(words, sizeof words, "No job to show: %s.", why);
    be_lines_wrap(out, "", words, 2);
}

void be_wait_text(const struct be_wait_table *table, struct be_text *out) {
    if (table->rows == 0) {
        add_why_empty(&table->counts, out);
        be_wait_notes(&table->counts, out);
        return;
    }
    int names = (int)strlen(row_title[table->kind]);
    for (int i = 0; i < table->rows; i++) {
        int length = (int)strlen(table->row[i].name);
        names = length > names ? length : names;
    }
    for (int first = 0, last; first < table->columns; first = last) {
        int width = names + GAP + widest(table, first);
        for (last = first + 1; last < table->columns; last++) {
            width += GAP + widest(table, last);
            if (width > BE_COLUMNS) {
                break;
            }
        }
        be_text_add(out, "%s", first ? "\n" : "");
        add_block(table, names, first, last, out);
    }
    if (table->counts.counted) {
        add_legend(table, out);
    }
    be_wait_notes(&table->counts, out);
}

/* ---- CSV and JSON --------------------------------------------------------------------------- */

void be_queue_csv_text(struct be_text *out, const char *text) {
    be_text_add(out, "\"");
    for (; *text; text++) {
        be_text_add(out, *text == '"' ? "\"\"" : "%c", *text);
    }
    be_text_add(out, "\"");
}

static void csv_real(struct be_text *out, double value) {
    char number[BE_WORD];
    be_text_add(out, ",%s", be_format_exact(number, sizeof number, value, ""));
}

void be_wait_csv(const struct be_wait_table *table, struct be_text *out) {
    be_text_add(out, "row,size,size_from,size_to,n,wait_s,lo_s,hi_s,q25_s,q75_s\r\n");
    for (int i = 0; i < table->rows; i++) {
        for (int k = 0; k < table->columns; k++) {
            const struct be_wait_cell *cell = &table->cell[i * table->columns + k];
            char column[CELL];
            be_wait_column(table, k, column, sizeof column);
            be_queue_csv_text(out, table->row[i].name);
            be_text_add(out, ",");
            be_queue_csv_text(out, column);
            csv_real(out, k ? table->edge[k - 1] : 0);
            csv_real(out, k + 1 < table->columns ? table->edge[k] : NAN);
            be_text_add(out, ",%llu", (unsigned long long)cell->n);
            csv_real(out, cell->wait_s);
            csv_real(out, cell->lo_s);
            csv_real(out, cell->hi_s);
            csv_real(out, cell->q25_s);
            csv_real(out, cell->q75_s);
            be_text_add(out, "\r\n");
        }
    }
}
