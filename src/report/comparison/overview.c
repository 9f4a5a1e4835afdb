/* The last table of a comparison of several workloads: where each gets ahead, in one line. */
#include "report/comparison/overview.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/common/names.h"
#include "report/comparison/block.h"
#include "report/comparison/comparison.h"

enum { OVERVIEW_MIN = 3 };

/* Returns which answers it has, as bits. */
static unsigned add_workload(struct be_text *out, const struct be_comparison *all,
                             const struct be_result *r, const char *device) {
    char name[3 * BE_NAME];
    unsigned seen = 0;
    snprintf(name, sizeof name, "%s, %s", r->workload, be_size_words(r));
    be_lines_cell(out, name, BE_OVERVIEW_NAME);
    for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
        char cell[BE_NAME];
        seen |= 1u << be_overview_cell(all, r, device, placement, cell);
        be_text_add(out, "%*s", BE_OVERVIEW_CELL, cell);
    }
    be_text_end_line(out);
    return seen;
}

static int count_workloads(const struct be_comparison *all) {
    int count = 0;
    for (size_t i = 0; i < all->results; i++) {
        count += be_overview_is_first(all, i);
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
    be_text_add(out, "\n%-*s", BE_OVERVIEW_NAME, "workload, its size");
    for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
        be_text_add(out, "%*s", BE_OVERVIEW_CELL, be_names_word(&be_names_placement, placement));
    }
    be_text_end_line(out);
    for (size_t i = 0; i < all->results; i++) {
        if (be_overview_is_first(all, i)) {
            *seen |= add_workload(out, all, &all->result[i], device);
        }
    }
}

void be_report_overview(const struct be_comparison *comparison, struct be_text *out) {
    const struct be_machine *machine = &comparison->machine;
    bool alone = out->length == 0;
    unsigned seen = 0;
    for (int d = 0; d < machine->devices; d++) {
        const struct be_device_info *info = &machine->device[d];
        if (!has_breakeven(comparison, info->id) || info->origin != BE_ORIGIN_HERE) {
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
        be_overview_legend(seen, alone, out);
    }
    be_overview_elsewhere(comparison, out);
}
