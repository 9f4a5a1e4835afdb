/* The last table of a comparison of several workloads: where each gets ahead, in one line. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/common/names.h"
#include "report/comparison/block.h"
#include "report/comparison/comparison.h"

enum { NAME = 24, CELL = 18, OVERVIEW_MIN = 3 };

/* Beside the statuses there are: a FROM known so roughly that where it most likely lies says something;
 * nothing measured. */
enum { ABOUT = BE_EVEN_STATUSES, MISSING, ANSWERS };

/* In a few letters. */
static const struct {
    const char *words, *head, *meaning;
} answers[ANSWERS] = {
    [BE_EVEN_ALWAYS] = {"always", "always", "ahead at every size measured"},
    [BE_EVEN_FROM] = {"from ", "from a-b",
                      "ahead from a size in a..b to the largest size measured"},
    [BE_EVEN_NEVER] = {"never to ", "never to n", "ahead at no size measured; n is the largest"},
    [BE_EVEN_BETWEEN] = {"up to ", "up to a-b",
                         "ahead in a stretch that ends in a..b, behind above"},
    [BE_EVEN_CLOSE] = {"close at ", "close at n",
                       "too close to call at n, the largest size measured"},
    [ABOUT] = {"~", "~n (a-b)", "ahead from a size in a..b on; about n, if times change evenly"},
    [MISSING] = {"-", "-", "not measured"},
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
        add_span(cell, CELL - 1, lo, hi);
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
    add_span(cell, CELL - 2, lo, hi);
    const size_t length = strlen(cell);
    snprintf(cell + length, BE_NAME - length, ")");
}

static int answer_of(const struct be_breakeven *even) {
    const bool rough = even->status == BE_EVEN_FROM && even->hi >= 2 * even->lo;
    const bool between = even->from > even->lo && even->from < even->hi;
    return rough && between ? ABOUT : (int)even->status;
}

static void cell_of(const struct be_breakeven *even, char cell[BE_NAME]) {
    const int answer = answer_of(even);
    snprintf(cell, BE_NAME, "%s", answers[answer].words);
    const size_t used = strlen(cell);
    if (answer == ABOUT) {
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

static bool is_first(const struct be_comparison *all, size_t i) {
    for (size_t k = 0; k < i; k++) {
        if (strcmp(all->result[k].workload, all->result[i].workload) == 0) {
            return false;
        }
    }
    return true;
}

/* Returns which answers it has, as bits. */
static unsigned add_workload(struct be_text *out, const struct be_comparison *all,
                             const struct be_result *r, const char *device) {
    char name[3 * BE_NAME];
    unsigned seen = 0;
    snprintf(name, sizeof name, "%s, %s", r->workload, be_size_words(r));
    be_lines_cell(out, name, NAME);
    for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
        const struct be_breakeven *even = find(all, r->workload, device, placement);
        char cell[BE_NAME] = "-";
        if (even) {
            cell_of(even, cell);
        }
        seen |= 1u << (even ? answer_of(even) : MISSING);
        be_text_add(out, "%*s", CELL, cell);
    }
    be_text_end_line(out);
    return seen;
}

static int count_workloads(const struct be_comparison *all) {
    int count = 0;
    for (size_t i = 0; i < all->results; i++) {
        count += is_first(all, i);
    }
    return count;
}

static bool has_breakeven(const struct be_comparison *all, const char *device) {
    for (size_t i = 0; i < all->breakevens; i++) {
        if (strcmp(all->breakeven[i].device, device) == 0) {
            return true;
        }
    }
    return false;
}

bool be_report_has_overview(const struct be_comparison *comparison) {
    return count_workloads(comparison) >= OVERVIEW_MIN && comparison->breakevens > 0;
}

static void add_table(struct be_text *out, const struct be_comparison *all, const char *device,
                      unsigned *seen) {
    be_text_add(out, "\n%-*s", NAME, "workload, its size");
    for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
        be_text_add(out, "%*s", CELL, be_names_word(&be_names_placement, placement));
    }
    be_text_end_line(out);
    for (size_t i = 0; i < all->results; i++) {
        if (is_first(all, i)) {
            *seen |= add_workload(out, all, &all->result[i], device);
        }
    }
}

/* The answers there are, and what the columns are where no table above has said it. */
static void add_legend(struct be_text *out, unsigned seen, bool columns) {
    be_text_add(out, "\n");
    for (int i = 0; i < ANSWERS; i++) {
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

void be_report_overview(const struct be_comparison *comparison, struct be_text *out) {
    const struct be_machine *machine = &comparison->machine;
    bool alone = out->length == 0;
    unsigned seen = 0;
    for (int d = 0; d < machine->devices; d++) {
        const struct be_device_info *info = &machine->device[d];
        if (!has_breakeven(comparison, info->id)) {
            continue;
        }
        char heading[2 * BE_NOTE], part[BE_NAME];
        const struct be_block block = {.device = info->id, .info = info};
        const bool cpu = info->kind == BE_KIND_CPU && strcmp(be_block_label(&block), info->id) != 0;
        snprintf(heading, sizeof heading, "From which size %s (%s%s%s) stays ahead of %s",
                 cpu ? be_block_label(&block) : info->id, cpu ? info->id : "", cpu ? ", " : "",
                 info->name,
                 be_report_against(comparison, NULL, BE_ANSWER_BEST, "the best CPU code", part));
        be_text_add(out, "%s", out->length ? "\n" : "");
        be_lines_wrap(out, "", heading, 2);
        add_table(out, comparison, info->id, &seen);
    }
    if (seen) {
        add_legend(out, seen, alone);
    }
}
