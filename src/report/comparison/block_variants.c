/* Below a table of the best variants: every variant at the largest size. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/common/names.h"
#include "report/comparison/notes.h"
#include "report/comparison/block.h"
#include "report/comparison/comparison.h"

enum { VARIANTS_MAX = 16, COLUMN = 12, COLUMNS_MAX = 5 };

struct column {
    enum be_placement placement;
    int threads;
};

struct variants {
    const struct be_block *block;
    const struct be_result *variant[VARIANTS_MAX]; /* one result of each */
    int count;
    struct column column[COLUMNS_MAX];
    int columns;
    uint64_t size; /* the largest that any was measured at */
    bool cold;     /* there the data were in no cache before a call */
};

static void add_variant(struct variants *v, const struct be_result *result) {
    for (int i = 0; i < v->count; i++) {
        if (strcmp(v->variant[i]->variant, result->variant) == 0) {
            return;
        }
    }
    if (v->count < VARIANTS_MAX) {
        v->variant[v->count++] = result;
    }
}

/* The most threads of the CPU first, then the device's placements. */
static void find_columns(struct variants *v) {
    const struct be_comparison *all = v->block->comparison;
    bool has[BE_PLACEMENTS] = {false};
    int threads = 0;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        if (be_block_shows(v->block, r) && r->size == v->size) {
            has[r->placement] = true;
            threads = r->threads > threads ? r->threads : threads;
        }
    }
    for (int placement = BE_HOST; placement < BE_PLACEMENTS; placement++) {
        if (has[placement]) {
            v->column[v->columns++] =
                (struct column){(enum be_placement)placement, placement == BE_HOST ? threads : 0};
        }
    }
}

static void find_variants(struct variants *v) {
    const struct be_comparison *all = v->block->comparison;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        if (be_block_shows(v->block, r) && r->status == BE_RESULT_OK) {
            add_variant(v, r);
            v->size = r->size > v->size ? r->size : v->size;
        }
    }
    v->cold = be_block_cold(v->block, v->size);
    find_columns(v);
}

/* As the table's first row of a size has it, cold only where nothing else is; NULL: it has no time. */
static const struct be_result *result_of(const struct variants *v, const struct be_result *like,
                                         const struct column *column) {
    const struct be_comparison *all = v->block->comparison;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        if (be_block_shows(v->block, r) && r->status == BE_RESULT_OK && r->size == v->size &&
            (r->cache == BE_COLD) == v->cold && r->placement == column->placement &&
            r->threads == column->threads && strcmp(r->variant, like->variant) == 0) {
            return r;
        }
    }
    return NULL;
}

/* Returns the terms it used. */
static unsigned add_line(struct be_text *out, const struct variants *v,
                         const struct be_result *like, int width) {
    unsigned terms = 0;
    char name[BE_NAME + 16];
    snprintf(name, sizeof name, "%s%s", like->variant,
             like->as_written && strcmp(like->variant, "as-written") != 0 ? " (as written)" : "");
    be_text_add(out, "  ");
    be_lines_cell(out, name, width); /* in a file it may be any text */
    for (int i = 0; i < v->columns; i++) {
        char time[2 * BE_WORD] = "-";
        const struct be_result *result = result_of(v, like, &v->column[i]);
        if (result) {
            terms |= be_time_cell(time, sizeof time, &result->phase[BE_TOTAL]);
        }
        be_text_add(out, "%*.*s", COLUMN, COLUMN, time);
    }
    be_text_end_line(out);
    return terms;
}

/* The heading of a column. */
static int heading_of(const struct column *column, char name[BE_NAME]) {
    const char *placement = be_names_word(&be_names_placement, (int)column->placement);
    return column->threads ? snprintf(name, BE_NAME, "%d core%s", column->threads,
                                      column->threads == 1 ? "" : "s")
                           : snprintf(name, BE_NAME, "%s", placement);
}

/* Columns that names may take: of the longest, and no more than the times leave. */
static int width_of_names(const struct variants *v) {
    int width = 0, capacity = BE_COLUMNS - 2;
    for (int i = 0; i < v->count; i++) {
        int need = (int)strlen(v->variant[i]->variant) + (v->variant[i]->as_written ? 13 : 0);
        width = need > width ? need : width;
    }
    for (int i = 0; i < v->columns; i++) {
        char name[BE_NAME];
        int need = heading_of(&v->column[i], name);
        capacity -= need > COLUMN ? need : COLUMN;
    }
    return width < capacity ? width : capacity;
}

static void add_table(struct be_text *out, const struct variants *v, unsigned *explained) {
    char size[BE_WORD];
    char heading[BE_NAME];
    be_format_n(size, sizeof size, (double)v->size);
    int length =
        snprintf(heading, sizeof heading, "each way, n = %s%s", size, v->cold ? " cold" : "");
    int names = width_of_names(v), width = length > names ? length : names;
    be_text_add(out, "\n  %-*s", width, heading);
    for (int i = 0; i < v->columns; i++) {
        char name[BE_NAME];
        heading_of(&v->column[i], name);
        be_text_add(out, "%*s", COLUMN, name);
    }
    be_text_end_line(out);
    unsigned terms = 0;
    for (int i = 0; i < v->count; i++) {
        terms |= add_line(out, v, v->variant[i], width);
    }
    be_terms_explain(terms, explained, out);
}

/* ---- whose code anybody can have ------------------------------------------------------------- */

/* On which sides, the CPU and the device, has the variant a time, and on which of them by code that can be called or
 * written in an hour? */
struct sides {
    bool has[2], callable[2];
};

static struct sides sides_of(const struct variants *v, const char *variant) {
    const struct be_comparison *all = v->block->comparison;
    struct sides sides = {0};
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        if (be_block_shows(v->block, r) && r->status == BE_RESULT_OK &&
            strcmp(r->variant, variant) == 0) {
            const bool device = r->placement != BE_HOST;
            sides.has[device] = true;
            sides.callable[device] |= r->code != BE_CODE_EXPERT;
        }
    }
    return sides;
}

/* One line, where some are such code and some are not. */
static void add_callable(struct be_text *out, const struct variants *v) {
    struct be_text words = {0};
    bool other = false;
    for (int i = 0; i < v->count; i++) {
        const struct sides s = sides_of(v, v->variant[i]->variant);
        const bool cpu = s.has[0] && !s.callable[0], device = s.has[1] && !s.callable[1];
        other |= cpu || device;
        if (s.callable[0] || s.callable[1]) {
            be_text_add(&words, "%s", words.length ? ", " : "");
            be_text_add_utf8(&words, v->variant[i]->variant);
            be_text_add(&words, "%s%s", cpu || device ? " on " : "",
                        cpu      ? "the device"
                        : device ? "the CPU"
                                 : "");
        }
    }
    if (words.length && other) {
        be_lines_wrap_shown(out, "  can be called or written in an hour: ", words.data, 4);
    }
    be_text_free(&words);
}

/* ---- the passes of those that say what theirs are -------------------------------------------- */

/* "einsum 4.1 us (1 %), matmul 493 us (40 %), ...": shares of what they take together. */
static void say_passes(struct be_text *out, const char *head, int indent,
                       const struct be_result *result) {
    struct be_text words = {0};
    double sum_s = 0;
    for (int i = 0; i < result->passes; i++) {
        sum_s += result->pass[i].time.median_s;
    }
    for (int i = 0; i < result->passes; i++) {
        const struct be_pass *pass = &result->pass[i];
        char time[BE_NAME];
        be_format_seconds(time, sizeof time, pass->time.median_s, "not measured");
        be_text_add(&words, "%s%s %s", i ? ", " : "", pass->name, time);
        if (isfinite(sum_s) && sum_s > 0) {
            be_text_add(&words, " (%.0f %%)", 100 * pass->time.median_s / sum_s);
        }
    }
    be_lines_wrap(out, head, words.data ? words.data : "", indent);
    be_text_free(&words);
}

static void add_passes(struct be_text *out, const struct variants *v,
                       const struct be_result *like) {
    enum { LABEL = 14 };
    bool begun = false;
    for (int i = 0; i < v->columns; i++) {
        const struct be_result *result = result_of(v, like, &v->column[i]);
        if (!result || result->passes == 0) {
            continue;
        }
        if (!begun) {
            char size[BE_WORD];
            char head[BE_NAME * 2];
            be_format_n(size, sizeof size, (double)v->size);
            snprintf(head, sizeof head, "%s, pass by pass, n = %s", like->variant, size);
            be_text_add(out, "\n");
            be_lines_wrap(out, "  ", head, 2);
            begun = true;
        }
        char name[BE_NAME];
        char label[BE_NAME + 8];
        heading_of(&v->column[i], name);
        snprintf(label, sizeof label, "  %-*s", LABEL - 2, name);
        say_passes(out, label, LABEL, result);
    }
}

void be_report_variants(const struct be_block *block, unsigned *explained, struct be_text *out) {
    struct variants v = {.block = block};
    find_variants(&v);
    if (v.count > 1) {
        add_table(out, &v, explained);
        add_callable(out, &v);
    }
    for (int i = 0; i < v.count; i++) {
        add_passes(out, &v, v.variant[i]);
    }
}
