/* The table of two whole programs (compare --program). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/comparison/block.h"
#include "report/comparison/notes.h"

enum { SIDES = 2 };

static const char *const side_name[SIDES] = {"first", "second"};

bool be_report_has_programs(const struct be_comparison *comparison) {
    return comparison->results && strcmp(comparison->result[0].workload, BE_PROGRAMS) == 0;
}

/* NULL: there is none. */
static const struct be_result *find(const struct be_comparison *comparison, int side,
                                    uint64_t size) {
    for (size_t i = 0; i < comparison->results; i++) {
        const struct be_result *r = &comparison->result[i];
        if (r->size == size && (r->placement == BE_HOST) == (side == 0)) {
            return r;
        }
    }
    return NULL;
}

static bool is_first_of_size(const struct be_comparison *comparison, size_t i) {
    for (size_t k = 0; k < i; k++) {
        if (comparison->result[k].size == comparison->result[i].size) {
            return false;
        }
    }
    return true;
}

/* The smallest size above `after`; 0: there is none. */
static uint64_t next_size(const struct be_comparison *comparison, uint64_t after) {
    uint64_t next = 0;
    for (size_t i = 0; i < comparison->results; i++) {
        uint64_t size = comparison->result[i].size;
        if (is_first_of_size(comparison, i) && size > after && (!next || size < next)) {
            next = size;
        }
    }
    return next;
}

static void add_cell(const struct be_result *r, unsigned *terms, struct be_notes *notes,
                     struct be_text *out) {
    char cell[BE_WORD + 8] = "-";
    if (r && r->status == BE_RESULT_OK && r->phase[BE_TOTAL].n) {
        *terms |= be_time_cell(cell, sizeof cell, &r->phase[BE_TOTAL]);
    } else if (r) {
        int number = be_notes_number(notes, r);
        snprintf(cell, sizeof cell, number ? "(%d)" : "-", number);
    }
    be_text_add(out, "  %14s", cell);
}

static void add_size(const struct be_comparison *comparison, uint64_t size, unsigned *terms,
                     struct be_notes *notes, struct be_text *out) {
    const struct be_result *side[SIDES] = {find(comparison, 0, size), find(comparison, 1, size)};
    char word[BE_WORD];
    double time[SIDES] = {NAN, NAN};
    be_text_add(out, "%10s", be_format_n(word, sizeof word, (double)size));
    for (int i = 0; i < SIDES; i++) {
        add_cell(side[i], terms, notes, out);
        if (side[i] && side[i]->status == BE_RESULT_OK) {
            time[i] = side[i]->phase[BE_TOTAL].median_s;
        }
    }
    be_text_add(out, "  %14s\n", be_format_ratio(word, sizeof word, time[1] / time[0], "-"));
}

static void add_head(const struct be_comparison *comparison, struct be_text *out) {
    be_text_add(out, "Two programs, from start to end; {n} is the size\n");
    for (int side = 0; side < SIDES; side++) {
        const struct be_result *r = find(comparison, side, comparison->result[0].size);
        char head[BE_NAME];
        snprintf(head, sizeof head, "  %-8s", side_name[side]);
        be_lines_wrap_shown(out, head, r ? r->variant : "not measured", 10);
    }
    be_text_add(out, "\n%10s  %14s  %14s  %14s\n", "n", "first", "second", "second/first");
}

static void add_verdict(const struct be_comparison *comparison, struct be_text *out) {
    struct be_text line = {0};
    char answer[BE_ANSWER_TEXT];
    if (!comparison->breakevens) {
        be_text_add(out, "\nNo size has a time of both: there is no break-even.\n");
        return;
    }
    be_report_answer(&comparison->breakeven[0], answer);
    be_text_add(&line, "The second program is ahead: %s", answer);
    be_text_add(out, "\n");
    be_lines_wrap(out, "", line.data ? line.data : "", 2);
    be_text_free(&line);
}

void be_report_programs(const struct be_comparison *comparison, struct be_text *out) {
    struct be_notes notes = {0};
    unsigned terms = 1U << BE_TERM_TIME, explained = 0;
    add_head(comparison, out);
    for (uint64_t size = next_size(comparison, 0); size; size = next_size(comparison, size)) {
        add_size(comparison, size, &terms, &notes, out);
    }
    be_terms_explain(terms, &explained, out);
    be_notes_print(&notes, out);
    add_verdict(comparison, out);
}
