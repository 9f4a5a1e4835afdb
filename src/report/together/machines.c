/* Machines side by side: figures of each, and which is the fastest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/common/page.h"
#include "report/profile/profile.h"
#include "report/together/together.h"

enum { MACHINES_MAX = 8 };

/* The figures that are held side by side. */
static const struct quantity {
    const char *name, *what, *dtype;
    bool gpu;
    const char *other; /* where `what` is not known; NULL: none */
} quantities[] = {
    {"CPU: float64 arithmetic", "fma", "float64", false, NULL},
    {"CPU: float32 arithmetic", "fma", "float32", false, NULL},
    {"CPU: memory", "triad", NULL, false, NULL},
    {"GPU: float64 arithmetic", "fma", "float64", true, NULL},
    {"GPU: float32 arithmetic", "fma", "float32", true, NULL},
    {"GPU: matrix products, float16", "matmul", "float16", true, NULL},
    {"GPU: memory", "triad", NULL, true, "read"},
    {"GPU: copies to it, pinned", "bus_in_pinned", NULL, true, NULL},
    {"GPU: copies from it, pinned", "bus_out_pinned", NULL, true, NULL},
    {"GPU: launch and wait", "launch_wait", NULL, true, NULL},
};

enum { QUANTITIES = (int)BE_COUNT(quantities), HEADLINES = 3 };

struct machines {
    const struct be_profile *profile[MACHINES_MAX];
    const struct be_figure *figure[QUANTITIES][MACHINES_MAX];
    int machines;
};

static bool is_of(const struct be_device_info *info, bool gpu) {
    return gpu ? info->kind == BE_KIND_GPU
               : strcmp(info->backend, "cpu") == 0 || strcmp(info->id, "cpu") == 0;
}

/* The first GPU that has it, or the CPU. */
static const struct be_figure *find(const struct be_profile *profile,
                                    const struct quantity *quantity) {
    const struct be_figure *figure = NULL;
    for (int i = 0; i < profile->machine.devices && !figure; i++) {
        const struct be_device_info *info = &profile->machine.device[i];
        if (!is_of(info, quantity->gpu)) {
            continue;
        }
        figure = be_profile_largest(profile, info->id, quantity->what, quantity->dtype, NULL);
        if (!figure && quantity->other) {
            figure = be_profile_largest(profile, info->id, quantity->other, quantity->dtype, NULL);
        }
    }
    return figure;
}

static void take(const struct be_together *t, struct machines *m) {
    for (int i = 0; i < t->count && m->machines < MACHINES_MAX; i++) {
        if (!t->saved[i].is_profile) {
            continue;
        }
        m->profile[m->machines] = &t->saved[i].profile;
        for (int q = 0; q < QUANTITIES; q++) {
            m->figure[q][m->machines] = find(m->profile[m->machines], &quantities[q]);
        }
        m->machines++;
    }
}

/* Times are better where they are short. */
static double score(const struct be_figure *figure) {
    return !figure || !(figure->value > 0)   ? NAN
           : figure->unit == BE_UNIT_SECONDS ? 1 / figure->value
                                             : figure->value;
}

/* The best and the worst of a row; -1: there are not two. */
static void find_ends(const struct machines *m, int q, int *best, int *worst) {
    int known = 0;
    *best = *worst = -1;
    for (int i = 0; i < m->machines; i++) {
        const double one = score(m->figure[q][i]);
        if (isnan(one)) {
            continue;
        }
        known++;
        *best = *best < 0 || one > score(m->figure[q][*best]) ? i : *best;
        *worst = *worst < 0 || one < score(m->figure[q][*worst]) ? i : *worst;
    }
    if (known < 2) {
        *best = *worst = -1;
    }
}

/* The first few quantities that two of them have, a GPU's before the CPU's. */
static void add_verdict(const struct machines *m, struct be_text *out) {
    static const int headline[] = {4, 6, 7, 1, 2};
    int said = 0;
    for (size_t i = 0; i < BE_COUNT(headline) && said < HEADLINES; i++) {
        const int q = headline[i];
        int best, worst;
        char ratio[BE_WORD];
        find_ends(m, q, &best, &worst);
        if (best < 0) {
            continue;
        }
        be_text_add(out, "%s%s: %s is fastest, %s x %s", said ? "; " : "", quantities[q].name,
                    m->profile[best]->name,
                    be_format_ratio(ratio, sizeof ratio,
                                    score(m->figure[q][best]) / score(m->figure[q][worst]), "?"),
                    m->profile[worst]->name);
        said++;
    }
    be_text_add(out, "%s", said ? "." : "No figure is known of two of these machines.");
}

static int add_bars_of(const struct machines *m, int q, struct be_bar *bar) {
    int best, worst, bars = 1;
    find_ends(m, q, &best, &worst);
    if (best < 0) {
        return 0;
    }
    bar[0] = (struct be_bar){.heading = true};
    snprintf(bar[0].label, sizeof bar[0].label, "%s", quantities[q].name);
    for (int i = 0; i < m->machines; i++) {
        const struct be_figure *figure = m->figure[q][i];
        if (!figure) {
            continue;
        }
        const bool sheet = figure->source == BE_SOURCE_DATA_SHEET;
        char value[BE_WORD];
        bar[bars] = (struct be_bar){.from = {0, NAN},
                                    .to = {score(figure) / score(m->figure[q][best]), NAN},
                                    .class = {sheet ? "k2 f" : "k2 s", NULL}};
        snprintf(bar[bars].label, sizeof bar[bars].label, "%s", m->profile[i]->name);
        snprintf(bar[bars].words, sizeof bar[bars].words, "%s%s",
                 be_format_figure(value, sizeof value, figure->value, figure->unit),
                 sheet ? ", data sheet" : "");
        bars++;
    }
    return bars;
}

static const char *share_word(char *to, size_t capacity, double value) {
    snprintf(to, capacity, "%.0f %%", 100 * value);
    return to;
}

static void add_picture(const struct machines *m, const char *words, struct be_text *out) {
    struct be_bar *bar = calloc((size_t)QUANTITIES * (MACHINES_MAX + 1), sizeof *bar);
    const struct be_plot axis = {
        .x = {0, 1, BE_AXIS_LINEAR}, .x_word = share_word, .x_name = "of the fastest of them"};
    struct be_text drawing = {0};
    int bars = 0;
    for (int q = 0; bar && q < QUANTITIES; q++) {
        bars += add_bars_of(m, q, bar + bars);
    }
    if (bars) {
        be_bars_svg("Speed, beside the fastest", words, bar, bars, &axis, &drawing);
        be_page_drawing(out, &drawing,
                        "Each bar is a share of the fastest of these machines. Pale: by data "
                        "sheet, nobody measured it.");
    }
    out->failed |= !bar || drawing.failed;
    be_text_free(&drawing);
    free(bar);
}

static void add_table(const struct machines *m, struct be_text *out) {
    const char *head[MACHINES_MAX + 1] = {"quantity"}, *cell[MACHINES_MAX + 1];
    char value[MACHINES_MAX][BE_CELL];
    for (int i = 0; i < m->machines; i++) {
        head[i + 1] = m->profile[i]->name;
    }
    be_page_heading(out, "Machines");
    be_page_table_begin(out, "Figures, with their intervals where those are wide", head,
                        m->machines + 1);
    for (int q = 0; q < QUANTITIES; q++) {
        cell[0] = quantities[q].name;
        for (int i = 0; i < m->machines; i++) {
            cell[i + 1] = be_format_cell(value[i], m->figure[q][i]);
        }
        be_page_row(out, cell, m->machines + 1);
    }
    cell[0] = "CPU";
    for (int i = 0; i < m->machines; i++) {
        cell[i + 1] = m->profile[i]->machine.cpu;
    }
    be_page_row(out, cell, m->machines + 1);
    be_page_table_end(out);
}

void be_together_machines(const struct be_together *together, struct be_text *out) {
    struct machines machines = {.machines = 0};
    struct be_text line = {0};
    take(together, &machines);
    if (machines.machines) {
        add_verdict(&machines, &line);
        be_page_verdict(out, line.data ? line.data : "");
        add_picture(&machines, line.data ? line.data : "", out);
        add_table(&machines, out);
    }
    out->failed |= line.failed;
    be_text_free(&line);
}
