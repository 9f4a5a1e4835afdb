/*
 * One block's table: sizes down, places across, each cell the time of one call and its spread;
 * then a first-call row, the words not explained before, and the notes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/common/names.h"
#include "report/comparison/notes.h"
#include "report/comparison/block.h"
#include "report/comparison/comparison.h"

enum {
    CELL = 48,
    PLACES = 5,           /* columns with times */
    COLUMNS = PLACES + 2, /* and the size before, the limit after them */
    CPU_PLACES = 2        /* thread counts shown beside a device */
};

struct place {
    enum be_placement placement;
    int threads;
    char heading[CELL];
};

struct row {
    uint64_t size;
    unsigned caches; /* bit 1 << enum be_cache: there are results with it */
};

struct table {
    const struct be_block *block;
    struct place place[PLACES];
    int places, cpus, not_shown; /* the first `cpus` are CPU columns */
    struct row *row;
    size_t rows;
    char (*cell)[COLUMNS][CELL];
    size_t lines;
    int width[COLUMNS], gap;
    struct be_notes notes;
    unsigned terms; /* enum be_term, what the table uses */
};

/* ---- columns -------------------------------------------------------------------------------- */

static int compare_ints(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The thread counts there are, ascending, with the middle ones left out where there is no room. */
static int find_threads(struct table *table, int *threads, int capacity) {
    enum { MAX = 256 };
    const struct be_comparison *all = table->block->comparison;
    int found[MAX] = {0}, count = 0;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *result = &all->result[i];
        bool known = result->placement != BE_HOST || !be_block_shows(table->block, result);
        for (int k = 0; k < count && !known; k++) {
            known = found[k] == result->threads;
        }
        if (!known && count < MAX) {
            found[count++] = result->threads;
        }
    }
    qsort(found, (size_t)count, sizeof *found, compare_ints);
    int kept = count < capacity ? count : capacity;
    for (int i = 0; i < kept; i++) {
        threads[i] = i == kept - 1 ? found[count - 1] : found[i];
    }
    table->not_shown = count - kept;
    return kept;
}

static bool has_placement(const struct be_block *block, int placement) {
    const struct be_comparison *all = block->comparison;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *result = &all->result[i];
        if ((int)result->placement == placement && be_block_shows(block, result)) {
            return true;
        }
    }
    return false;
}

static void choose_places(struct table *table) {
    int threads[PLACES] = {0};
    table->cpus = find_threads(table, threads, table->block->device ? CPU_PLACES : PLACES);
    for (int i = 0; i < table->cpus; i++) {
        struct place *place = &table->place[table->places++];
        *place = (struct place){.placement = BE_HOST, .threads = threads[i]};
        /* More threads than cores share them. */
        int cores = table->block->comparison->machine.cores_allowed;
        const char *what = cores > 0 && threads[i] > cores ? "thread" : "core";
        snprintf(place->heading, CELL, "%d %s%s", threads[i], what, threads[i] == 1 ? "" : "s");
    }
    for (int i = BE_COPY; table->block->device && i < BE_PLACEMENTS; i++) {
        if (has_placement(table->block, i)) {
            struct place *place = &table->place[table->places++];
            *place = (struct place){.placement = (enum be_placement)i};
            snprintf(place->heading, CELL, "%s", be_names_word(&be_names_placement, i));
            table->terms |= 1u << (BE_TERM_COPY + i - BE_COPY);
        }
    }
}

/* ---- rows ----------------------------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b) {
    uint64_t x = ((const struct row *)a)->size, y = ((const struct row *)b)->size;
    return (x > y) - (x < y);
}

/* A size that only the CPU has was chosen to find the break-even of another device. */
static bool makes_row(const struct be_block *block, const struct be_result *result) {
    return result->placement != BE_HOST || !block->device || block->comparison->partial;
}

/* The sizes there are, ascending, each with the cache states it was measured in. */
static bool find_rows(struct table *table) {
    const struct be_comparison *all = table->block->comparison;
    table->row = calloc(all->results + 1, sizeof *table->row);
    if (!table->row) {
        return false;
    }
    size_t count = 0;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *result = &all->result[i];
        if (be_block_shows(table->block, result) && makes_row(table->block, result)) {
            struct row *row = &table->row[count++];
            row->size = result->size;
            row->caches = 1u << result->cache;
        }
    }
    qsort(table->row, count, sizeof *table->row, compare_rows);
    for (size_t i = 0; i < count; i++) {
        struct row *last = table->rows ? &table->row[table->rows - 1] : NULL;
        if (last && last->size == table->row[i].size) {
            last->caches |= table->row[i].caches;
        } else {
            table->row[table->rows++] = table->row[i];
        }
    }
    return true;
}

/* ---- cells ---------------------------------------------------------------------------------- */

static bool fits(const struct table *table, const struct place *place,
                 const struct be_result *result) {
    return result->placement == place->placement && be_block_shows(table->block, result) &&
           (result->threads == place->threads || place->placement != BE_HOST);
}

/* Which reason is shown where no variant has a time: "wrong" comes before "left out", and "needs what is not here"
 * comes last, since the others do not need it. */
static bool is_better(const struct be_result *result, const struct be_result *than) {
    static const int tells[BE_RESULT_STATUSES] = {
        [BE_RESULT_OK] = 3,         [BE_RESULT_WRONG] = 2,   [BE_RESULT_FAILED] = 2,
        [BE_RESULT_IMPOSSIBLE] = 2, [BE_RESULT_SKIPPED] = 1, [BE_RESULT_ABSENT] = 0};
    if (result->status != than->status) {
        return tells[result->status] > tells[than->status];
    }
    return result->status == BE_RESULT_OK &&
           result->phase[BE_TOTAL].median_s < than->phase[BE_TOTAL].median_s;
}

/* The fastest variant that has a time; where none has, the one that says most, and the first of
 * those. */
static const struct be_result *find(const struct table *table, const struct place *place,
                                    uint64_t size, int cache) {
    const struct be_comparison *all = table->block->comparison;
    const struct be_result *best = NULL;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *result = &all->result[i];
        if (result->size == size && (int)result->cache == cache && fits(table, place, result) &&
            (!best || is_better(result, best))) {
            best = result;
        }
    }
    return best;
}

static void result_cell(struct table *table, char cell[CELL], const struct be_result *result) {
    if (!result ||
        (result->status == BE_RESULT_OK && !isfinite(result->phase[BE_TOTAL].median_s))) {
        snprintf(cell, CELL, "-");
        table->terms |= 1u << BE_TERM_NONE;
    } else if (result->status == BE_RESULT_OK) {
        table->terms |= be_time_cell(cell, CELL, &result->phase[BE_TOTAL]);
    } else {
        const char *word = be_names_word(&be_names_status, (int)result->status);
        int note = be_notes_number(&table->notes, result);
        snprintf(cell, CELL, note ? "%s[%d]" : "%s", word ? word : "?", note);
    }
}

/* A short one where there is one and, beside a long number, no room for more. */
static const char *limit_word(enum be_limit by, const char *word, bool long_number) {
    return by == BE_BY_OPERATIONS ? "ops" : by == BE_BY_MEMORY && long_number ? "mem" : word;
}

static void limit_cell(struct table *table, char cell[CELL], const struct be_result *result) {
    const char *by = result ? be_names_word(&be_names_limit, (int)result->limit_by) : NULL;
    bool known = by && result->status == BE_RESULT_OK && result->limit_s > 0;
    double ratio = known ? result->phase[BE_TOTAL].median_s / result->limit_s : NAN;
    if (known && isfinite(ratio)) {
        char number[BE_WORD];
        be_format_ratio(number, sizeof number, ratio, "");
        by = limit_word(result->limit_by, by, strlen(number) > 4);
        snprintf(cell, CELL, "x%s %s", number, by);
        table->terms |= 1u << BE_TERM_LIMIT;
    }
}

/* The first line of a size is labelled with it, the next one with what differs: "cold". A line
 * that is cold without a hot one (a size chosen to find the break-even) says both. */
static void fill_line(struct table *table, const struct row *row, int cache, bool is_first) {
    char(*cell)[CELL] = table->cell[table->lines++];
    if (is_first) {
        char size[BE_WORD];
        be_format_n(size, sizeof size, (double)row->size);
        snprintf(cell[0], CELL, "%s%s", size, cache == BE_COLD ? " cold" : "");
    } else {
        snprintf(cell[0], CELL, "%s", be_names_word(&be_names_cache, cache));
    }
    table->terms |= cache == BE_COLD ? 1u << (is_first ? BE_TERM_COLD_ALONE : BE_TERM_COLD) : 0;
    const struct be_result *last = NULL;
    for (int i = 0; i < table->places; i++) {
        last = find(table, &table->place[i], row->size, cache);
        result_cell(table, cell[i + 1], last);
    }
    limit_cell(table, cell[table->places + 1], last);
}

/* First call of this place: at the smallest size that has one. */
static const struct be_summary *find_first(const struct table *table, const struct place *place) {
    const struct be_comparison *all = table->block->comparison;
    const struct be_result *best = NULL;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *result = &all->result[i];
        if (fits(table, place, result) && isfinite(result->phase[BE_FIRST].median_s) &&
            (!best || result->size < best->size)) {
            best = result;
        }
    }
    return best ? &best->phase[BE_FIRST] : NULL;
}

static void fill_first(struct table *table) {
    char(*cell)[CELL] = table->cell[table->lines];
    bool any = false, missing = false;
    for (int i = 0; i < table->places; i++) {
        const struct be_summary *first = find_first(table, &table->place[i]);
        if (first) {
            (void)be_time_cell(cell[i + 1], CELL, first);
            any = true;
        } else {
            snprintf(cell[i + 1], CELL, "-");
            missing = true;
        }
    }
    snprintf(cell[0], CELL, "first");
    if (any) {
        table->lines++;
        table->terms |= 1u << BE_TERM_FIRST;
        table->terms |= missing ? 1u << BE_TERM_NONE : 0;
    }
}

static const struct be_result *find_any(const struct table *table) {
    const struct be_comparison *all = table->block->comparison;
    for (size_t i = 0; i < all->results; i++) {
        if (be_block_shows(table->block, &all->result[i])) {
            return &all->result[i];
        }
    }
    return NULL;
}

static bool fill(struct table *table) {
    table->cell = calloc(table->rows * (size_t)be_names_cache.count + 1, sizeof *table->cell);
    if (!table->cell) {
        return false;
    }
    const struct be_result *any = find_any(table);
    table->terms |= 1u << BE_TERM_TIME;
    table->terms |= !any || be_size_is_elements(any) ? 1u << BE_TERM_SIZE : 0;
    for (size_t i = 0; i < table->rows; i++) {
        const struct row *row = &table->row[i];
        bool is_first = true;
        for (int cache = 0; cache < be_names_cache.count; cache++) {
            if (row->caches & 1u << cache) {
                fill_line(table, row, cache, is_first);
                is_first = false;
            }
        }
    }
    fill_first(table);
    return true;
}

/* ---- layout --------------------------------------------------------------------------------- */

static int total_width(const struct table *table) {
    int total = table->places * table->gap + 2; /* the limit stands two columns off */
    for (int i = 0; i < table->places + 2; i++) {
        total += table->width[i];
    }
    return total;
}

static int widest_cell(const struct table *table, int column) {
    /* The limit's heading, the last, is that of the place before it. */
    int place = column <= table->places ? column - 1 : table->places - 1;
    int widest = place >= 0 ? (int)strlen(table->place[place].heading) : 0;
    for (size_t line = 0; line < table->lines; line++) {
        int width = (int)strlen(table->cell[line][column]);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Columns as wide as their widest cell; when that is too wide in all, the widest are cut. */
static void lay_out(struct table *table) {
    enum { MIN_SIZE = 6, MIN = 8 };
    int beside = -1; /* between columns, not after the last */
    for (int c = 0; c < table->places + 2; c++) {
        int width = widest_cell(table, c), min = c == 0 ? MIN_SIZE : MIN;
        table->width[c] = width > min ? width : min;
        beside += c > table->cpus && c <= table->places ? table->width[c] + 1 : 0;
    }
    if (table->places > table->cpus) {
        int min_label = (int)strlen(be_block_label(table->block)) + 4; /* with dashes beside it */
        table->width[table->places] += min_label > beside ? min_label - beside : 0;
    }
    table->gap = 2;
    table->gap -= total_width(table) > BE_COLUMNS;
    while (total_width(table) > BE_COLUMNS) {
        int widest = 1;
        for (int c = 2; c < table->places + 2; c++) {
            widest = table->width[c] > table->width[widest] ? c : widest;
        }
        table->width[widest]--;
    }
}

/* "------ GPU ------" over columns from..to. */
static void add_group(struct be_text *out, const struct table *table, const char *label, int from,
                      int to) {
    int width = (to - from) * table->gap;
    for (int c = from; c <= to; c++) {
        width += table->width[c];
    }
    struct be_text plain = {0}; /* a device's id, in a file, may be any text */
    be_lines_ascii(&plain, label);
    int capacity = width - 4, length = (int)plain.length;
    length = length < capacity ? length : capacity;
    int dashes = width - length - 2;
    static const char line[] = "----------------------------------------"
                               "----------------------------------------";
    int left = dashes / 2, right = dashes - left;
    be_text_add(out, "%*s%.*s %.*s %.*s", table->gap, "", left, line, length,
                plain.data ? plain.data : "", right, line);
    be_text_free(&plain);
}

static void add_headings(struct be_text *out, const struct table *table) {
    be_text_add(out, "%*s", table->width[0], "");
    if (table->cpus) {
        add_group(out, table, "CPU", 1, table->cpus);
    }
    if (table->places > table->cpus) {
        add_group(out, table, be_block_label(table->block), table->cpus + 1, table->places);
    }
    bool limit = table->terms & 1u << BE_TERM_LIMIT;
    if (limit) {
        be_text_add(out, "  %.*s", table->width[table->places + 1],
                    table->place[table->places - 1].heading);
    }
    be_text_add(out, "\n%*s", table->width[0], "n");
    for (int i = 0; i < table->places; i++) {
        int width = table->width[i + 1];
        be_text_add(out, "%*s%*.*s", table->gap, "", width, width, table->place[i].heading);
    }
    be_text_add(out, "%s\n", limit ? "  x limit" : "");
}

static void add_lines(struct be_text *out, const struct table *table) {
    int last = table->places + 1;
    for (size_t line = 0; line < table->lines; line++) {
        const char(*cell)[CELL] = (const char(*)[CELL])table->cell[line];
        be_text_add(out, "%*s", table->width[0], cell[0]);
        for (int c = 1; c < last; c++) {
            be_text_add(out, "%*s%*.*s", table->gap, "", table->width[c], table->width[c], cell[c]);
        }
        if (*cell[last]) {
            be_text_add(out, "  %.*s", table->width[last], cell[last]);
        }
        be_text_end_line(out);
    }
}

void be_report_table(const struct be_block *block, unsigned *explained, struct be_text *out) {
    struct table table = {.block = block};
    choose_places(&table);
    if (find_rows(&table) && fill(&table)) {
        lay_out(&table);
        add_headings(out, &table);
        add_lines(out, &table);
        if ((table.terms | *explained) & 1u << BE_TERM_COLD) { /* that says it, and more */
            table.terms &= ~(1u << BE_TERM_COLD_ALONE);
        }
        be_terms_explain(table.terms, explained, out);
        be_notes_print(&table.notes, out);
        if (table.not_shown && !block->device) {
            be_text_add(out, "  %d more thread counts: in --json and --csv\n", table.not_shown);
        }
        be_report_below(block, out);
    } else {
        out->failed = true;
    }
    free(table.row);
    free(table.cell);
}
