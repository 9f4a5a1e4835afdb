/* Energy a call, below the verdict: of each place the fastest way, as the table has it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/common/lines.h"
#include "report/common/names.h"
#include "report/comparison/block.h"
#include "report/comparison/comparison.h"

static const double sharp = 0.05; /* what two digits say by themselves */
static const double slower = 1.05;

struct energies {
    const struct be_block *block;
    uint64_t size;
    bool cold;                                    /* the data were in no cache before a call */
    const struct be_result *place[BE_PLACEMENTS]; /* the fastest; NULL: none was right */
};

static bool is_known(const struct be_result *result) {
    return result && isfinite(result->joules);
}

/* With what the CPU takes beside a device, as far as that is known. */
static double whole(const struct be_result *result) {
    return result->joules + (isfinite(result->host_joules) ? result->host_joules : 0);
}

/* Uncertainty from the steps of its counter, as a share. */
static double open_share(const struct be_result *result) {
    return (result->joules_hi - result->joules_lo) / 2 / whole(result);
}

/* Without an interval, in a file, nobody knows what a second digit is worth. */
static int digits_of(const struct be_result *result) {
    return isfinite(open_share(result)) ? 2 : 1;
}

/* The largest at which it is known of the device or, of the CPU alone, of the CPU. */
static uint64_t find_size(const struct be_block *block) {
    const struct be_comparison *all = block->comparison;
    uint64_t of_device = 0, of_any = 0;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        if (be_block_shows(block, r) && r->status == BE_RESULT_OK && is_known(r)) {
            of_any = r->size > of_any ? r->size : of_any;
            of_device = r->placement != BE_HOST && r->size > of_device ? r->size : of_device;
        }
    }
    return of_device ? of_device : of_any;
}

/* As the first row of a size: cold only where nothing else is there. */
static void find_places(struct energies *e) {
    const struct be_comparison *all = e->block->comparison;
    e->cold = be_block_cold(e->block, e->size);
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        const struct be_result **best = &e->place[r->placement];
        if (be_block_shows(e->block, r) && r->status == BE_RESULT_OK && r->size == e->size &&
            (r->cache == BE_COLD) == e->cold &&
            (!*best || r->phase[BE_TOTAL].median_s < (*best)->phase[BE_TOTAL].median_s)) {
            *best = r;
        }
    }
}

/* The power of each hardware alone, as data sheets have it: "12 J (610 W, CPU 90 W)". */
static void add_power(struct be_text *line, const struct be_result *r) {
    char watts[BE_WORD];
    if (!(is_known(r) && r->energy_s > 0)) {
        return;
    }
    be_text_add(line, " (%s",
                be_format_watts(watts, sizeof watts, r->joules / r->energy_s, digits_of(r), "?"));
    if (isfinite(r->host_joules)) {
        be_text_add(
            line, ", CPU %s",
            be_format_watts(watts, sizeof watts, r->host_joules / r->energy_s, digits_of(r), "?"));
    }
    be_text_add(line, ")");
}

static void add_name(struct be_text *line, const struct be_result *r) {
    if (r->placement == BE_HOST) {
        be_text_add(line, "%d core%s", r->threads, r->threads == 1 ? "" : "s");
    } else {
        be_text_add(line, "%s", be_names_word(&be_names_placement, (int)r->placement));
    }
}

/* "16 cores 5.1 J (240 W), copy not known (too few updates ...), resident 270 mJ +-8 % (690 W)" */
static void add_places(struct be_text *line, const struct energies *e) {
    const char *between = "", *said = "";
    for (int i = 0; i < BE_PLACEMENTS; i++) {
        const struct be_result *r = e->place[i];
        char joules[BE_WORD];
        if (!r) {
            continue;
        }
        be_format_joules(joules, sizeof joules, whole(r), digits_of(r), "not known");
        be_text_add(line, "%s", between);
        add_name(line, r);
        be_text_add(line, " %s", joules);
        if (is_known(r) && open_share(r) > sharp) {
            be_text_add(line, " +-%.0f %%", ceil(100 * open_share(r)));
        }
        add_power(line, r);
        if (!is_known(r) && *r->energy_note) {
            be_text_add(line, " (%s)",
                        strcmp(r->energy_note, said) == 0 ? "likewise" : r->energy_note);
            said = r->energy_note;
        }
        between = ", ";
    }
}

/* In two digits: neither side has more. */
static const char *ratio_text(char to[BE_WORD], double ratio) {
    const double step = pow(10, floor(log10(ratio)) - 1);
    const double rounded = round(ratio / step) * step;
    if (rounded < 9.95 && rounded > 0.95) {
        const int tenths = (int)lround(10 * rounded);
        snprintf(to, BE_WORD, "%d.%d", tenths / 10, tenths % 10);
        return to;
    }
    return rounded > 1 ? be_format_size(to, BE_WORD, rounded, "?")
                       : be_format_ratio(to, BE_WORD, rounded, "?");
}

/* "1/14", "0.72", "1.9" */
static void add_share(struct be_text *line, double ratio, bool part) {
    char number[BE_WORD];
    be_text_add(line, "%s%s", part ? "1/" : "", ratio_text(number, part ? 1 / ratio : ratio));
}

/* "; resident takes 1/19 of the CPU's", with the interval where two digits do not say it. */
static void add_ratio(struct be_text *line, const struct energies *e) {
    const struct be_result *min = NULL, *cpu = e->place[BE_HOST];
    for (int i = BE_COPY; i < BE_PLACEMENTS; i++) {
        const struct be_result *r = e->place[i];
        min = is_known(r) && (!min || whole(r) < whole(min)) ? r : min;
    }
    if (!min || !is_known(cpu) || !(whole(min) > 0) || !(cpu->joules > 0)) {
        return;
    }
    const double ratio = whole(min) / cpu->joules;
    const double lo = (1 - open_share(min)) / (1 + open_share(cpu)) * ratio;
    const double hi = (1 + open_share(min)) / (1 - open_share(cpu)) * ratio;
    const bool part = ratio <= 0.5;
    const char *name = be_names_word(&be_names_placement, (int)min->placement);
    if (lo <= 1 && hi >= 1) {
        be_text_add(line, "; too close to call whether %s takes less than the CPU", name);
        return;
    }
    if (ratio > 0.95 && ratio < 1.05) {
        be_text_add(line, "; %s takes as much as the CPU, within 5 %%", name);
        return;
    }
    be_text_add(line, "; %s takes ", name);
    add_share(line, ratio, part);
    if (!isfinite(lo) || !isfinite(hi)) {
        be_text_add(line, " (interval not known)");
    } else if (hi / lo > (1 + sharp) / (1 - sharp)) {
        be_text_add(line, " (");
        add_share(line, lo, part);
        be_text_add(line, " - ");
        add_share(line, hi, part);
        be_text_add(line, ")");
    }
    be_text_add(line, "%s the CPU's", ratio < 1 ? " of" : " times");
}

/* Is what the CPU takes meanwhile in all figures of the device? */
static bool has_host(const struct energies *e) {
    bool all = true;
    for (int i = BE_COPY; i < BE_PLACEMENTS; i++) {
        all &= !is_known(e->place[i]) || isfinite(e->place[i]->host_joules);
    }
    return all;
}

/* The counters, each once, and what each counted. */
static void add_sources(struct be_text *line, const struct energies *e) {
    const char *said = "";
    for (int i = 0; i < BE_PLACEMENTS; i++) {
        const struct be_result *r = e->place[i];
        if (is_known(r) && strcmp(r->energy_source, said) != 0) {
            be_text_add(line, "%s%s", *said ? " and " : "counted by ", r->energy_source);
            said = r->energy_source;
        }
    }
    be_text_add(line, "%sall that this hardware takes, idle and for others too", *said ? ": " : "");
    if (e->block->device && !(e->block->info && e->block->info->kind == BE_KIND_CPU)) {
        be_text_add(line, "; of a call on the device %s what the CPU takes meanwhile",
                    has_host(e) ? "with" : "without");
    }
}

/* "resident 1.12 x, copy 1.07 x" */
static void add_slower(struct be_text *line, const struct energies *e) {
    const char *between = "";
    for (int i = 0; i < BE_PLACEMENTS; i++) {
        const struct be_result *r = e->place[i];
        const double ratio = is_known(r) ? r->energy_s / r->phase[BE_TOTAL].median_s : NAN;
        if (is_known(r) && ratio > slower) {
            char number[BE_WORD];
            be_text_add(line, "%s", between);
            add_name(line, r);
            be_text_add(line, " %s x", be_format_ratio(number, sizeof number, ratio, "?"));
            between = ", ";
        }
    }
}

void be_report_energy(const struct be_block *block, struct be_text *out) {
    struct energies e = {.block = block, .size = find_size(block)};
    struct be_text line = {0};
    char size[BE_WORD], head[BE_WORD * 2];
    if (e.size == 0) {
        return;
    }
    find_places(&e);
    snprintf(head, sizeof head,
             "energy a call, n = %s%s: ", be_format_n(size, sizeof size, (double)e.size),
             e.cold ? " cold" : "");
    add_places(&line, &e);
    add_ratio(&line, &e);
    be_text_add(out, "\n");
    be_lines_wrap(out, head, line.data ? line.data : "", 2);
    be_text_free(&line);
    add_sources(&line, &e);
    be_lines_wrap(out, "  ", line.data ? line.data : "", 2);
    be_text_free(&line);
    add_slower(&line, &e);
    if (line.data) {
        be_text_add(&line, " (clocks may fall under lasting load)");
        be_lines_wrap(out, "  while counted, calls took longer than in the table: ", line.data, 2);
    }
    be_text_free(&line);
}
