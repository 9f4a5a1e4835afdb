/* The last table of a comparison of several workloads: where each gets ahead, in one line. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/names.h"
#include "report/report.h"

enum { NAME = 26, CELL = 17, OVERVIEW_LEAST = 3 };

/* In a few letters; `shows`: which of its sizes. */
static const struct {
    const char *words;
    size_t shows;
} answers[BE_EVEN_STATUSES] = {
    [BE_EVEN_ALWAYS] = {"always", 0},
    [BE_EVEN_FROM] = {"from ", offsetof(struct be_breakeven, from)},
    [BE_EVEN_NEVER] = {"never to ", offsetof(struct be_breakeven, largest)},
    [BE_EVEN_BETWEEN] = {"only to ", offsetof(struct be_breakeven, until)},
    [BE_EVEN_CLOSE] = {"close at ", offsetof(struct be_breakeven, largest)},
};

static void cell_of(const struct be_breakeven *even, char cell[BE_NAME]) {
    char size[BE_WORD] = "";
    double shown = 0;
    if (answers[even->status].shows) {
        memcpy(&shown, (const char *)even + answers[even->status].shows, sizeof shown);
        be_format_size(size, sizeof size, shown, "?");
    }
    snprintf(cell, BE_NAME, "%s%s", answers[even->status].words, size);
}

/* Warm data where there is a choice. */
static const struct be_breakeven *find(const struct be_comparison *all, const char *workload,
                                       const char *device, int placement) {
    for (int cache = 0; cache < BE_CACHES; cache++) {
        for (size_t i = 0; i < all->breakevens; i++) {
            const struct be_breakeven *even = &all->breakeven[i];
            if (!even->as_written && (int)even->placement == placement &&
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

static void add_workload(struct be_text *out, const struct be_comparison *all,
                         const struct be_result *r, const char *device) {
    char name[3 * BE_NAME];
    snprintf(name, sizeof name, "%s, %s", r->workload,
             be_size_is_elements(r) ? "elements" : r->size_name);
    be_text_add(out, "%-*s", NAME, name);
    for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
        const struct be_breakeven *even = find(all, r->workload, device, placement);
        char cell[BE_NAME] = "-";
        if (even) {
            cell_of(even, cell);
        }
        be_text_add(out, "%*s", CELL, cell);
    }
    be_text_end_line(out);
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
    return count_workloads(comparison) >= OVERVIEW_LEAST && comparison->breakevens > 0;
}

void be_report_overview(const struct be_comparison *comparison, struct be_text *out) {
    const struct be_machine *machine = &comparison->machine;
    for (int d = 0; d < machine->devices; d++) {
        const struct be_device_info *info = &machine->device[d];
        if (!has_breakeven(comparison, info->id)) {
            continue;
        }
        be_text_add(out, "%sFrom which size %s (%.50s) stays ahead of the best CPU code\n",
                    out->length ? "\n" : "", info->id, info->name);
        be_text_add(out, "%-*s", NAME, "");
        for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
            be_text_add(out, "%*s", CELL, be_names_word(&be_names_placement, placement));
        }
        be_text_end_line(out);
        for (size_t i = 0; i < comparison->results; i++) {
            if (is_first(comparison, i)) {
                add_workload(out, comparison, &comparison->result[i], info->id);
            }
        }
    }
}
