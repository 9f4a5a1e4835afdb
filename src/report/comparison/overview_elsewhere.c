/* Would a GPU pay that is not here? Machines side by side in one table, and the answer in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/common/names.h"
#include "report/comparison/block.h"
#include "report/comparison/overview.h"

/* 80 columns have room for three machines in both placements. */
enum { MACHINES = 3, NAME = 32, CELLS = BE_COLUMNS - NAME };

static const struct {
    enum be_placement placement;
    const char *head;
} part[] = {{BE_RESIDENT, "data stay there"}, {BE_COPY, "copied each call"}};

enum { PARTS = BE_COUNT(part) };

/* Those there are, as indices of devices; returns how many. */
static int find_machines(const struct be_comparison *all, int machine[BE_DEVICES_MAX]) {
    int count = 0;
    for (int d = 0; d < all->machine.devices; d++) {
        if (all->machine.device[d].origin != BE_ORIGIN_HERE) {
            machine[count++] = d;
        }
    }
    return count;
}

/* One table of some of the machines. */
struct table {
    const struct be_comparison *all;
    const int *machine;
    int machines;
    int width; /* of a cell */
};

static const char *id_of(const struct table *table, int m) {
    return table->all->machine.device[table->machine[m]].id;
}

/* "power, elements 1e4-3e7": the sizes that its answers rest on. */
static void add_name(struct be_text *out, const struct table *table, const struct be_result *like) {
    double smallest = INFINITY, largest = -INFINITY;
    char name[4 * BE_NAME], low[BE_WORD], high[BE_WORD];
    for (size_t i = 0; i < table->all->breakevens; i++) {
        const struct be_breakeven *even = &table->all->breakeven[i];
        bool there = false;
        for (int m = 0; m < table->machines; m++) {
            there |= strcmp(even->device, id_of(table, m)) == 0;
        }
        if (there && strcmp(even->workload, like->workload) == 0) {
            smallest = fmin(smallest, even->smallest);
            largest = fmax(largest, even->largest);
        }
    }
    snprintf(name, sizeof name, "%s, %s", like->workload, be_size_words(like));
    const size_t used = strlen(name);
    if (smallest < largest) {
        snprintf(name + used, sizeof name - used, " %s-%s", be_format_n(low, sizeof low, smallest),
                 be_format_n(high, sizeof high, largest));
    } else if (smallest <= largest) {
        snprintf(name + used, sizeof name - used, " %s", be_format_n(low, sizeof low, smallest));
    }
    be_lines_cell(out, name, NAME);
}

static void add_heads(struct be_text *out, const struct table *table) {
    be_text_add(out, "\n%-*s", NAME, "");
    for (int p = 0; p < PARTS; p++) {
        be_text_add(out, "%*s", table->width * table->machines, part[p].head);
    }
    be_text_add(out, "\n%-*s", NAME, "workload, its sizes");
    for (int p = 0; p < PARTS; p++) {
        for (int m = 0; m < table->machines; m++) {
            be_text_add(out, "%*.*s", table->width, table->width - 1, id_of(table, m));
        }
    }
    be_text_end_line(out);
}

static void add_table(struct be_text *out, const struct table *table, unsigned *seen) {
    add_heads(out, table);
    for (size_t i = 0; i < table->all->results; i++) {
        const struct be_result *r = &table->all->result[i];
        char cell[BE_NAME];
        if (!be_overview_is_first(table->all, i)) {
            continue;
        }
        add_name(out, table, r);
        for (int p = 0; p < PARTS; p++) {
            for (int m = 0; m < table->machines; m++) {
                *seen |= 1u << be_overview_short(table->all, r, id_of(table, m),
                                                 (int)part[p].placement, table->width - 1, cell);
                be_text_add(out, "%*s", table->width, cell);
            }
        }
        be_text_end_line(out);
    }
}

void be_overview_elsewhere(const struct be_comparison *all, struct be_text *out) {
    int machine[BE_DEVICES_MAX];
    unsigned seen = 0;
    const int machines = find_machines(all, machine);
    if (machines == 0) {
        return;
    }
    be_text_add(out, "%sFrom which size a GPU elsewhere stays ahead of the CPU here\n",
                out->length ? "\n" : "");
    for (int first = 0; first < machines; first += MACHINES) {
        const int beside = machines - first < MACHINES ? machines - first : MACHINES;
        const int room = CELLS / (PARTS * beside);
        const struct table table = {.all = all,
                                    .machine = machine + first,
                                    .machines = beside,
                                    .width = room < BE_OVERVIEW_CELL ? room : BE_OVERVIEW_CELL};
        add_table(out, &table, &seen);
    }
    be_overview_short_legend(seen, out);
}

/* ---- in words ------------------------------------------------------------------------------- */

struct tally {
    int ahead, open, all;
};

/* By what is known at the largest size. */
static struct tally count(const struct be_comparison *all, const char *device, int placement) {
    struct tally tally = {0};
    char cell[BE_NAME];
    for (size_t i = 0; i < all->results; i++) {
        if (!be_overview_is_first(all, i)) {
            continue;
        }
        const int answer = be_overview_cell(all, &all->result[i], device, placement, cell);
        tally.ahead +=
            answer == BE_EVEN_ALWAYS || answer == BE_EVEN_FROM || answer == BE_OVERVIEW_ABOUT;
        tally.open += answer == BE_EVEN_CLOSE;
        tally.all += answer != BE_OVERVIEW_MISSING;
    }
    return tally;
}

static void say_tally(struct be_text *line, const struct tally *tally, const char *when) {
    be_text_add(line, "in %d of %d %s", tally->ahead, tally->all, when);
    if (tally->open) {
        be_text_add(line, " (%d too close to call)", tally->open);
    }
}

static void say_machine(struct be_text *out, const struct be_device_info *info,
                        const struct tally *tally) {
    struct be_text line = {0};
    be_text_add(&line, "%s (%s, %s): ahead ", info->id, info->name,
                info->origin == BE_ORIGIN_PREDICTED ? "predicted" : info->driver);
    say_tally(&line, &tally[0], "where the data stay there");
    be_text_add(&line, ", ");
    say_tally(&line, &tally[1], "with copies in every call");
    be_lines_wrap(out, "  ", line.data ? line.data : "", 4);
    be_text_free(&line);
}

/* On the machine with fewest, and on the one with most. */
struct range {
    int fewest, most, all;
};

static void say_range(struct be_text *line, const struct range *range) {
    if (range->fewest == range->most) {
        be_text_add(line, "for %d", range->most);
    } else {
        be_text_add(line, "for %d to %d", range->fewest, range->most);
    }
}

static void say_all(struct be_text *out, const struct range range[PARTS]) {
    struct be_text line = {0};
    be_text_add(&line, "So a GPU pays ");
    say_range(&line, &range[0]);
    be_text_add(&line, " of these %d workloads where their data stay on it, and ", range[0].all);
    say_range(&line, &range[1]);
    be_text_add(&line,
                " with copies in every call. Which one is like your code? docs/workloads.md");
    be_lines_wrap(out, "", line.data ? line.data : "", 2);
    be_text_free(&line);
}

void be_overview_words(const struct be_comparison *all, struct be_text *out) {
    int machine[BE_DEVICES_MAX];
    const int machines = find_machines(all, machine);
    struct range range[PARTS] = {{0}};
    bool gpu = false, predicted = false;
    for (int d = 0; d < all->machine.devices; d++) {
        const struct be_device_info *info = &all->machine.device[d];
        gpu |= info->kind == BE_KIND_GPU && info->origin == BE_ORIGIN_HERE;
        predicted |= info->origin == BE_ORIGIN_PREDICTED;
    }
    if (machines == 0) {
        return;
    }
    be_text_add(out, "\nWorth a GPU? At the largest size measured here%s, it is\n",
                gpu ? "" : ", where there is none");
    for (int m = 0; m < machines; m++) {
        const struct be_device_info *info = &all->machine.device[machine[m]];
        struct tally tally[PARTS];
        for (int p = 0; p < PARTS; p++) {
            tally[p] = count(all, info->id, (int)part[p].placement);
            range[p].fewest =
                m == 0 || tally[p].ahead < range[p].fewest ? tally[p].ahead : range[p].fewest;
            range[p].most = tally[p].ahead > range[p].most ? tally[p].ahead : range[p].most;
            range[p].all = tally[p].all > range[p].all ? tally[p].all : range[p].all;
        }
        say_machine(out, info, tally);
    }
    if (predicted) {
        be_lines_wrap(out, "  ",
                      "A predicted time may be 0.35 to 2.75 times as long (0.55 to 1.4 times "
                      "where memory is the limit): docs/prediction.md. The answers count that.",
                      2);
    }
    say_all(out, range);
}
