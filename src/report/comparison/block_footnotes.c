/* The footnotes of a table: the published way of timing, what is not shown, what was slowed. */
#include <math.h>
#include <string.h>

#include "report/common/lines.h"
#include "report/comparison/block.h"
#include "report/comparison/comparison.h"

/* The least time of that size with the data there and the clock read after the work; NAN: none. */
static double waited_s(const struct be_block *block, uint64_t size) {
    double min = NAN;
    for (size_t i = 0; i < block->comparison->results; i++) {
        const struct be_result *r = &block->comparison->result[i];
        if (be_block_counts(block, r) && r->status == BE_RESULT_OK && r->size == size &&
            r->placement == BE_RESIDENT) {
            min = fmin(min, r->phase[BE_TOTAL].median_s);
        }
    }
    return min;
}

/* The published benchmark's claim at the largest size, and what is wrong with it. */
static void add_as_published(struct be_text *out, const struct be_block *block) {
    const struct be_comparison *all = block->comparison;
    const struct be_result *found = NULL;
    for (size_t i = 0; i < all->results && block->device; i++) {
        const struct be_result *result = &all->result[i];
        bool wanted = be_block_has(block, result) && !be_block_counts(block, result);
        if (wanted && isfinite(result->phase[BE_TOTAL].median_s) &&
            (!found || result->size > found->size)) {
            found = result;
        }
    }
    if (!found) {
        return;
    }
    char size[BE_WORD], time[BE_WORD], rate[BE_WORD], ceiling[BE_WORD];
    double took_s = found->phase[BE_TOTAL].median_s;
    const char *label = be_block_label(block);
    struct be_text line = {0};
    be_text_add(&line, "as published (clock read before the %s was done), n = %s: %s = %s, ",
                strcmp(label, "GPU") == 0 ? label : "device",
                be_format_n(size, sizeof size, (double)found->size),
                be_format_seconds(time, sizeof time, took_s, ""),
                be_format_rate(rate, sizeof rate, found->bytes / took_s, "unknown rate"));
    const bool impossible = found->status == BE_RESULT_IMPOSSIBLE;
    if (impossible && found->limit_by == BE_BY_MEMORY) {
        be_text_add(&line, "impossible: the memory does %s",
                    be_format_rate(ceiling, sizeof ceiling, found->bytes / found->limit_s, ""));
    } else if (impossible) {
        be_text_add(&line, "impossible: the hardware needs %s",
                    be_format_seconds(ceiling, sizeof ceiling, found->limit_s, ""));
    } else if (took_s < 0.95 * waited_s(block, found->size)) {
        be_text_add(&line, "not a result: the clock stopped before the work did");
    } else {
        be_text_add(&line, "not a result: nothing was waited for");
    }
    be_lines_wrap(out, "  ", line.data ? line.data : "", 4);
    be_text_free(&line);
}

/* Sizes that are not in the table. */
static void add_refined(struct be_text *out, const struct be_block *block) {
    const struct be_comparison *all = block->comparison;
    int sizes = 0;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        bool of_device = block->device && strcmp(r->device, block->device) == 0;
        sizes += of_device && be_block_has(block, r) && r->refines && !r->threads;
    }
    if (sizes) {
        char line[BE_NOTE];
        snprintf(line, sizeof line,
                 "%d more case%s %s measured to narrow the break-even%s; JSON and CSV have %s",
                 sizes, sizes == 1 ? "" : "s", sizes == 1 ? "was" : "were", sizes == 1 ? "" : "s",
                 sizes == 1 ? "it" : "them");
        be_lines_wrap(out, "  ", line, 4);
    }
}

/* A device that was slowed down by heat or power for most samples: what it sustains, not its
 * best. */
static void add_sustained(struct be_text *out, const struct be_block *block) {
    const struct be_comparison *all = block->comparison;
    int slow = 0, cases = 0;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *result = &all->result[i];
        if (be_block_shows(block, result) && result->status == BE_RESULT_OK) {
            cases++;
            slow += result->slow_clock > result->phase[BE_TOTAL].n / 2;
        }
    }
    if (slow) {
        char line[BE_NOTE];
        snprintf(line, sizeof line,
                 "%d of %d times are sustained ones: most samples ran below 75 %% of the highest "
                 "clock",
                 slow, cases);
        be_lines_wrap(out, "  ", line, 4);
    }
}

void be_report_below(const struct be_block *block, struct be_text *out) {
    add_sustained(out, block);
    add_as_published(out, block);
    add_refined(out, block);
}
