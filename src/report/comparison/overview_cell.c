/* One answer of the overview in a few letters, and what the letters mean. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "report/common/names.h"
#include "report/comparison/block.h"
#include "report/comparison/overview.h"

/* In a few letters. */
static const struct {
    const char *words, *head, *meaning;
} answers[BE_OVERVIEW_ANSWERS] = {
    [BE_EVEN_ALWAYS] = {"always", "always", "ahead at every size measured"},
    [BE_EVEN_FROM] = {"from ", "from a-b",
                      "ahead from a size in a..b to the largest size measured"},
    [BE_EVEN_NEVER] = {"never to ", "never to n", "ahead at no size measured; n is the largest"},
    [BE_EVEN_BETWEEN] = {"up to ", "up to a-b",
                         "ahead in a stretch that ends in a..b, behind above"},
    [BE_EVEN_CLOSE] = {"close at ", "close at n",
                       "too close to call at n, the largest size measured"},
    [BE_OVERVIEW_ABOUT] = {"~", "~n (a-b)",
                           "ahead from a size in a..b on; about n, if times change evenly"},
    [BE_OVERVIEW_MISSING] = {"-", "-", "not measured"},
};

/* In seven letters. */
static const struct {
    const char *words, *head, *meaning;
} shorts[BE_OVERVIEW_ANSWERS] = {
    [BE_EVEN_ALWAYS] = {"always", "always", "ahead at each of these sizes"},
    [BE_EVEN_FROM] = {"", "a-b", "ahead from a size in a..b on"},
    [BE_EVEN_NEVER] = {"never", "never", "ahead at none of these sizes"},
    [BE_EVEN_BETWEEN] = {"<", "<a", "ahead in a stretch that ends at about a, behind above"},
    [BE_EVEN_CLOSE] = {"close", "close", "too close to call at the largest of these sizes"},
    [BE_OVERVIEW_ABOUT] = {NULL, NULL, NULL},
    [BE_OVERVIEW_MISSING] = {"-", "-", "not measured there"},
};

/* In so many digits, downwards or upwards: an interval may grow by that, never shrink. */
static double cut(double size, int digits, double (*towards)(double)) {
    const double step = pow(10, fmax(floor(log10(size)) - (digits - 1), 0));
    return size > 0 ? towards(size / step) * step : size;
}

/* "1e4-1e6", "6.8e4-7.4e4", in as many digits as `room` letters have room for. */
static void add_span(char cell[BE_NAME], size_t capacity, double lo, double hi) {
    char low[BE_WORD], high[BE_WORD];
    const size_t used = strlen(cell);
    snprintf(cell + used, BE_NAME - used, "%s-%s", be_format_n(low, sizeof low, lo),
             be_format_n(high, sizeof high, hi));
    for (int digits = 2; digits > 0 && strlen(cell) > capacity; digits--) {
        snprintf(cell + used, BE_NAME - used, "%s-%s",
                 be_format_size(low, sizeof low, cut(lo, digits, floor), "?"),
                 be_format_size(high, sizeof high, cut(hi, digits, ceil), "?"));
    }
}

/* Without an interval the size alone. */
static void add_sizes(char cell[BE_NAME], double at, double lo, double hi) {
    const size_t used = strlen(cell);
    if (isfinite(lo) && isfinite(hi)) {
        add_span(cell, BE_OVERVIEW_CELL - 1, lo, hi);
    } else {
        be_format_size(cell + used, BE_NAME - used, at, "?");
    }
}

/* "5e4 (1e4-1e6)", the first in one digit if that lies between the others. */
static void add_about(char cell[BE_NAME], double at, double lo, double hi) {
    char about[BE_WORD];
    const size_t used = strlen(cell);
    const double step = pow(10, floor(log10(at)));
    const double rough = round(at / step) * step;
    const double shown = rough > lo && rough < hi ? rough : cut(at, 2, round);
    snprintf(cell + used, BE_NAME - used, "%s (", be_format_size(about, sizeof about, shown, "?"));
    add_span(cell, BE_OVERVIEW_CELL - 2, lo, hi);
    const size_t length = strlen(cell);
    snprintf(cell + length, BE_NAME - length, ")");
}

static int answer_of(const struct be_breakeven *even) {
    const bool rough = even->status == BE_EVEN_FROM && even->hi >= 2 * even->lo;
    const bool between = even->from > even->lo && even->from < even->hi;
    return rough && between ? BE_OVERVIEW_ABOUT : (int)even->status;
}

static void cell_of(const struct be_breakeven *even, char cell[BE_NAME]) {
    const int answer = answer_of(even);
    snprintf(cell, BE_NAME, "%s", answers[answer].words);
    const size_t used = strlen(cell);
    if (answer == BE_OVERVIEW_ABOUT) {
        add_about(cell, even->from, even->lo, even->hi);
    } else if (even->status == BE_EVEN_FROM) {
        add_sizes(cell, even->from, even->lo, even->hi);
    } else if (even->status == BE_EVEN_BETWEEN) {
        add_sizes(cell, even->until, even->until_lo, even->until_hi);
    } else if (even->status != BE_EVEN_ALWAYS) {
        be_format_n(cell + used, BE_NAME - used, even->largest);
    }
}

/* Warm data where there is a choice. */
static const struct be_breakeven *find(const struct be_comparison *all, const char *workload,
                                       const char *device, int placement) {
    for (int cache = 0; cache < BE_CACHES; cache++) {
        for (size_t i = 0; i < all->breakevens; i++) {
            const struct be_breakeven *even = &all->breakeven[i];
            if (be_answer_is(BE_ANSWER_BEST, even) && (int)even->placement == placement &&
                (int)even->cache == cache && strcmp(even->workload, workload) == 0 &&
                strcmp(even->device, device) == 0) {
                return even;
            }
        }
    }
    return NULL;
}

int be_overview_short(const struct be_comparison *all, const struct be_result *like,
                      const char *device, int placement, int letters, char cell[BE_NAME]) {
    const struct be_breakeven *even = find(all, like->workload, device, placement);
    const int answer = even ? (int)even->status : BE_OVERVIEW_MISSING;
    snprintf(cell, BE_NAME, "%s", shorts[answer].words);
    if (answer == BE_EVEN_FROM && isfinite(even->lo) && isfinite(even->hi)) {
        add_span(cell, (size_t)letters, even->lo, even->hi);
    } else if (answer == BE_EVEN_FROM || answer == BE_EVEN_BETWEEN) {
        char size[BE_WORD];
        const double at = answer == BE_EVEN_FROM ? even->from : even->until;
        snprintf(cell, BE_NAME, "%s%s", shorts[answer].words,
                 be_format_size(size, sizeof size, at, "?"));
    }
    return answer;
}

void be_overview_short_legend(unsigned seen, struct be_text *out) {
    be_text_add(out, "\n");
    for (int i = 0; i < BE_OVERVIEW_ANSWERS; i++) {
        if (seen & 1u << i && shorts[i].meaning) {
            be_text_add(out, "  %-8s%s\n", shorts[i].head, shorts[i].meaning);
        }
    }
}

int be_overview_cell(const struct be_comparison *all, const struct be_result *like,
                     const char *device, int placement, char cell[BE_NAME]) {
    const struct be_breakeven *even = find(all, like->workload, device, placement);
    be_copy_text(cell, BE_NAME, "-");
    if (even) {
        cell_of(even, cell);
    }
    return even ? answer_of(even) : BE_OVERVIEW_MISSING;
}

void be_overview_legend(unsigned seen, bool columns, struct be_text *out) {
    be_text_add(out, "\n");
    for (int i = 0; i < BE_OVERVIEW_ANSWERS; i++) {
        if (seen & 1u << i) {
            be_text_add(out, "  %-12s%s\n", answers[i].head, answers[i].meaning);
        }
    }
    if (columns) {
        be_text_add(out, "  copy        the data go to the device and back in every call\n"
                         "  preload     the inputs are there; the result is copied back\n"
                         "  resident    inputs and result stay there\n");
    }
}

bool be_overview_is_first(const struct be_comparison *all, size_t i) {
    for (size_t k = 0; k < i; k++) {
        if (strcmp(all->result[k].workload, all->result[i].workload) == 0) {
            return false;
        }
    }
    return true;
}
