#include "report/comparison/notes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/common/lines.h"
#include "report/common/names.h"

enum { INDENT = 12 };

static const struct {
    const char *word, *meaning;
} terms_known[BE_TERMS] = {
    [BE_TERM_SIZE] = {"n", "elements"},
    [BE_TERM_TIME] = {"times", "median of one call, and half its 95 % interval in percent"},
    [BE_TERM_COPY] = {"copy", "the data go to the device and back in every call"},
    [BE_TERM_PRELOAD] = {"preload", "the inputs are there; the result is copied back in every "
                                    "call"},
    [BE_TERM_RESIDENT] = {"resident", "inputs and result stay there"},
    [BE_TERM_LIMIT] = {"x limit",
                       "times the least time that this hardware allows, and what sets that"},
    [BE_TERM_FIRST] = {"first",
                       "first call, once, at the smallest n: start, compile, touch of memory"},
    [BE_TERM_COLD] = {"cold",
                      "data in no cache before the call; in the row above (hot), they were"},
    [BE_TERM_COLD_ALONE] = {"cold", "data in no cache before the call"},
    [BE_TERM_FEW] =
        {"~", "half the range of 2 to 5 samples, which may be less than their 95 % interval"},
    [BE_TERM_ONE] = {"?", "one sample: how far others would lie from it is not known"},
    [BE_TERM_NONE] = {"-", "not measured"},
};

void be_terms_explain(unsigned terms, unsigned *explained, struct be_text *out) {
    be_text_add(out, "%s", terms & ~*explained ? "\n" : "");
    for (int i = 0; i < BE_TERMS; i++) {
        if (terms & ~*explained & 1u << i) {
            char head[INDENT + 1];
            snprintf(head, sizeof head, "  %-*s", INDENT - 2, terms_known[i].word);
            be_lines_wrap(out, head, terms_known[i].meaning, INDENT);
        }
    }
    *explained |= terms;
}

unsigned be_time_cell(char *cell, size_t capacity, const struct be_summary *summary) {
    char time[BE_WORD], spread[16] = "    ";
    be_format_seconds(time, sizeof time, summary->median_s, "-");
    char *blank = strchr(time, ' ');
    if (blank) {
        memmove(blank, blank + 1, strlen(blank));
    }
    const double percent = (summary->hi_s - summary->lo_s) / 2 / summary->median_s * 100;
    const bool known = isfinite(summary->median_s) && summary->n > 1 && isfinite(percent);
    const bool few = known && summary->n < BE_RANKED_FEWEST;
    const bool one =
        isfinite(summary->median_s) && summary->n == 1 && summary->stop != BE_STOP_ONCE;
    if (known && percent < 0.5) {
        snprintf(spread, sizeof spread, "%s<1%%", few ? "~" : " ");
    } else if (known && percent < 99.5) {
        snprintf(spread, sizeof spread, few ? "%*s~%.0f%%" : "%*s%.0f%%",
                 percent < 9.5 ? 2 - few : 1 - few, "", percent);
    } else if (known) {
        snprintf(spread, sizeof spread, "%s>99%%", few ? "~" : " ");
    } else if (one) {
        snprintf(spread, sizeof spread, "   ?");
    }
    snprintf(cell, capacity, "%s%s", time, spread);
    return (few ? 1u << BE_TERM_FEW : 0) | (one ? 1u << BE_TERM_ONE : 0);
}

int be_notes_number(struct be_notes *notes, const struct be_result *result) {
    if (!*result->note) {
        return 0;
    }
    for (int i = 0; i < notes->count; i++) {
        if (notes->of[i]->status == result->status &&
            strcmp(notes->of[i]->note, result->note) == 0) {
            return i + 1;
        }
    }
    if (notes->count == BE_NOTES_MAX) {
        notes->full = true;
        return 0;
    }
    notes->of[notes->count++] = result;
    return notes->count;
}

void be_notes_print(const struct be_notes *notes, struct be_text *out) {
    for (int i = 0; i < notes->count; i++) {
        const char *word = be_names_word(&be_names_status, (int)notes->of[i]->status);
        char mark[BE_WORD], line[BE_NOTE + 32];
        snprintf(mark, sizeof mark, "  [%d] ", i + 1);
        snprintf(line, sizeof line, "%s: %s", word ? word : "?", notes->of[i]->note);
        be_lines_wrap(out, mark, line, (int)strlen(mark));
    }
    if (notes->full) {
        be_text_add(out, "  more notes: in the output of --json\n");
    }
}
