/* Would a GPU pay that is not here? Machines side by side, and the answer in words. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/common/names.h"
#include "report/comparison/block.h"
#include "report/comparison/overview.h"

enum { MACHINES = 3 }; /* that 80 columns have room for */

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
    int placement;
};

static void add_table(struct be_text *out, const struct table *table, const char *heading,
                      unsigned *seen) {
    const struct be_comparison *all = table->all;
    be_text_add(out, "\n%s\n%-*s", heading, BE_OVERVIEW_NAME, "workload, its size");
    for (int m = 0; m < table->machines; m++) {
        be_text_add(out, "%*.*s", BE_OVERVIEW_CELL, BE_OVERVIEW_CELL - 1,
                    all->machine.device[table->machine[m]].id);
    }
    be_text_end_line(out);
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        char name[3 * BE_NAME], cell[BE_NAME];
        if (!be_overview_is_first(all, i)) {
            continue;
        }
        snprintf(name, sizeof name, "%s, %s", r->workload, be_size_words(r));
        be_lines_cell(out, name, BE_OVERVIEW_NAME);
        for (int m = 0; m < table->machines; m++) {
            *seen |= 1u << be_overview_cell(all, r, all->machine.device[table->machine[m]].id,
                                            table->placement, cell);
            be_text_add(out, "%*s", BE_OVERVIEW_CELL, cell);
        }
        be_text_end_line(out);
    }
}

/* ---- in words ------------------------------------------------------------------------------- */

struct tally {
    int ahead, behind, open, all;
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
        tally.behind += answer == BE_EVEN_NEVER || answer == BE_EVEN_BETWEEN;
        tally.open += answer == BE_EVEN_CLOSE;
        tally.all += answer != BE_OVERVIEW_MISSING;
    }
    return tally;
}

static void say_tally(struct be_text *line, const struct tally *tally, const char *when) {
    be_text_add(line, "%s it is ahead in %d of %d, behind in %d", when, tally->ahead, tally->all,
                tally->behind);
    if (tally->open) {
        be_text_add(line, ", too close to call in %d", tally->open);
    }
}

static void say_machine(struct be_text *out, const struct be_comparison *all, int machine) {
    const struct be_device_info *info = &all->machine.device[machine];
    const struct tally there = count(all, info->id, BE_RESIDENT);
    const struct tally copied = count(all, info->id, BE_COPY);
    struct be_text line = {0};
    be_text_add(&line, "%s (%s, %s): ", info->id, info->name, info->driver);
    say_tally(&line, &there, "where the data stay there");
    say_tally(&line, &copied, "; with copies in every call");
    be_text_add(&line, ".");
    be_lines_wrap(out, "  ", line.data ? line.data : "", 4);
    be_text_free(&line);
}

static void say_words(struct be_text *out, const struct be_comparison *all, const int *machine,
                      int machines) {
    bool gpu = false, predicted = false;
    for (int d = 0; d < all->machine.devices; d++) {
        const struct be_device_info *info = &all->machine.device[d];
        gpu |= info->kind == BE_KIND_GPU && info->origin == BE_ORIGIN_HERE;
        predicted |= info->origin == BE_ORIGIN_PREDICTED;
    }
    be_text_add(out, "\nWorth a GPU? At the largest size measured here%s:\n",
                gpu ? "" : ", where there is none");
    for (int m = 0; m < machines; m++) {
        say_machine(out, all, machine[m]);
    }
    if (predicted) {
        be_lines_wrap(out, "  ",
                      "A predicted time may be 0.35 to 2.75 times as long (0.55 to 1.4 times "
                      "where memory is the limit): docs/prediction.md. The answers count that.",
                      2);
    }
}

void be_overview_elsewhere(const struct be_comparison *all, unsigned *seen, struct be_text *out) {
    static const struct {
        enum be_placement placement;
        const char *words;
    } part[] = {{BE_RESIDENT, "where the data stay on the GPU"},
                {BE_COPY, "where the data go there and back in every call"}};
    int machine[BE_DEVICES_MAX];
    const int machines = find_machines(all, machine);
    for (size_t p = 0; p < BE_COUNT(part); p++) {
        for (int first = 0; first < machines; first += MACHINES) {
            const struct table table = {.all = all,
                                        .machine = machine + first,
                                        .machines = machines - first < MACHINES ? machines - first
                                                                                : MACHINES,
                                        .placement = (int)part[p].placement};
            char heading[BE_NOTE];
            snprintf(heading, sizeof heading,
                     "From which size a GPU elsewhere stays ahead of the CPU here,\n  %s",
                     part[p].words);
            add_table(out, &table, heading, seen);
        }
    }
    if (machines) {
        say_words(out, all, machine, machines);
    }
}
