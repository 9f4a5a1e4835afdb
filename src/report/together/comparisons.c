/* Comparisons side by side: from which size a GPU is ahead, file by file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/common/names.h"
#include "report/common/page.h"
#include "report/comparison/chart.h"
#include "report/comparison/comparison.h"
#include "report/comparison/overview.h"
#include "report/together/together.h"

enum { BARS_MAX = 40 };

static bool is_comparison(const struct be_saved *saved) {
    return !saved->trace && !saved->is_profile;
}

/* The best code of both sides: as the overview has it. */
static bool is_plain(const struct be_breakeven *even) {
    return !even->as_written && !even->callable;
}

static void add_verdicts(const struct be_together *t, struct be_text *out) {
    for (int i = 0; i < t->count; i++) {
        if (is_comparison(&t->saved[i])) {
            char head[4 * BE_NAME];
            snprintf(head, sizeof head, "%s (%s)", t->name[i], t->saved[i].comparison.machine.cpu);
            be_page_subheading(out, head);
            be_report_html_verdict(&t->saved[i].comparison, out);
        }
    }
}

/* ---- bars of the sizes at which a device is ahead --------------------------------------------- */

static int add_bars_of(const struct be_together *t, int file, struct be_bar *bar, int bars,
                       struct be_text *words) {
    const struct be_comparison *all = &t->saved[file].comparison;
    if (all->breakevens && bars < BARS_MAX) {
        bar[bars] = (struct be_bar){.heading = true};
        be_copy_text(bar[bars++].label, BE_NAME, t->name[file]);
        be_text_add(words, "%s: ", t->name[file]);
    }
    for (size_t i = 0; i < all->breakevens && bars < BARS_MAX; i++) {
        const struct be_breakeven *even = &all->breakeven[i];
        if (!is_plain(even)) {
            continue;
        }
        const struct be_chart_ahead ahead = be_chart_ahead_of(even);
        char from[BE_WORD];
        struct be_bar *one = &bar[bars++];
        *one = (struct be_bar){.from = {ahead.doubt, ahead.from},
                               .to = {ahead.doubt_end, ahead.to},
                               .class = {"k3 f", "k3 s"}};
        snprintf(one->label, sizeof one->label, "%.30s, %.20s%s", even->workload,
                 be_names_word(&be_names_placement, (int)even->placement),
                 even->cache == BE_COLD ? ", cold" : "");
        if (even->status == BE_EVEN_FROM) {
            snprintf(one->words, sizeof one->words, "%.20s: from %s", even->device,
                     be_format_size(from, sizeof from, even->from, "?"));
        } else {
            snprintf(one->words, sizeof one->words, "%.20s: %s", even->device,
                     be_names_word(&be_names_breakeven, (int)even->status));
        }
        be_text_add(words, "%s: %s. ", one->label, one->words);
    }
    return bars;
}

static void add_picture(const struct be_together *t, struct be_text *out) {
    struct be_bar *bar = calloc(BARS_MAX, sizeof *bar);
    struct be_text words = {0}, drawing = {0};
    double least = INFINITY, most = 0;
    int bars = 0;
    for (int i = 0; bar && i < t->count; i++) {
        const struct be_comparison *all = &t->saved[i].comparison;
        for (size_t k = 0; is_comparison(&t->saved[i]) && k < all->breakevens; k++) {
            least =
                all->breakeven[k].smallest > 0 ? fmin(least, all->breakeven[k].smallest) : least;
            most = fmax(most, all->breakeven[k].largest);
        }
        bars = is_comparison(&t->saved[i]) ? add_bars_of(t, i, bar, bars, &words) : bars;
    }
    const struct be_plot axis = {.x = be_axis_around(least, most, BE_AXIS_LOG),
                                 .x_word = be_plot_size,
                                 .x_name = "size, as its workload counts it"};
    if (bars) {
        be_bars_svg("Sizes at which the device is ahead of the CPU", words.data ? words.data : "",
                    bar, bars, &axis, &drawing);
        be_page_drawing(out, &drawing,
                        "Solid: ahead beyond doubt. Pale: the interval of where it gets ahead.");
    }
    out->failed |= !bar || words.failed || drawing.failed;
    be_text_free(&words);
    be_text_free(&drawing);
    free(bar);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void add_rows(const char *name, const struct be_comparison *all, struct be_text *out) {
    for (int d = 0; d < all->machine.devices; d++) {
        const struct be_device_info *info = &all->machine.device[d];
        for (size_t i = 0; i < all->results; i++) {
            char cell[3][BE_NAME];
            bool any = false;
            if (!be_overview_is_first(all, i)) {
                continue;
            }
            for (int p = 0; p < 3; p++) {
                static const enum be_placement placement[] = {BE_COPY, BE_PRELOAD, BE_RESIDENT};
                any |= be_overview_cell(all, &all->result[i], info->id, (int)placement[p],
                                        cell[p]) != BE_OVERVIEW_MISSING;
            }
            if (any) {
                be_page_row(out,
                            (const char *[]){name, all->result[i].workload, info->name, cell[0],
                                             cell[1], cell[2]},
                            6);
            }
        }
    }
}

static void add_table(const struct be_together *t, struct be_text *out) {
    static const char *const head[] = {
        "file", "workload", "device", "copied in each call", "inputs there", "all stays there"};
    be_page_heading(out, "From which size it stays ahead of the best CPU code");
    be_page_table_begin(out,
                        "~n (a-b): ahead from a size in a..b on, about n. never to n: at no size "
                        "measured, up to n. close at n: too close to call",
                        head, 6);
    for (int i = 0; i < t->count; i++) {
        if (is_comparison(&t->saved[i])) {
            add_rows(t->name[i], &t->saved[i].comparison, out);
        }
    }
    be_page_table_end(out);
}

void be_together_comparisons(const struct be_together *together, struct be_text *out) {
    bool any = false;
    for (int i = 0; i < together->count; i++) {
        any |= is_comparison(&together->saved[i]);
    }
    if (any) {
        add_verdicts(together, out);
        add_picture(together, out);
        add_table(together, out);
    }
}
