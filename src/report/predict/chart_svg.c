/* Predicted times as a drawing: of several sizes a panel a machine, time over size with bands and where the GPU gets ahead;
 * of one size a line a place. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/common/plot.h"
#include "report/common/svg.h"
#include "report/predict/predict.h"

enum {
    PANEL = 330, /* width of a plot */
    HIGH = 210,
    LEFT = 66,
    GAP = 34, /* behind a plot */
    HEAD = 64,
    TITLES = 44,
    BELOW = 46,
    COLUMNS = 2,
    PANELS_MAX = 12,
    ROW = 28,
    NAMES = 210, /* of places, where there is one size */
    WIDTH_ONE = 820,
    WIDTH_LEAST = 560 /* of the legend */
};

/* ---- the range ------------------------------------------------------------------------------- */

struct range {
    double least_s, most_s;
};

static void take(struct range *range, const struct be_predict_time *time) {
    if (time->lo_s > 0 && isfinite(time->hi_s)) {
        range->least_s = fmin(range->least_s, time->lo_s);
        range->most_s = fmax(range->most_s, time->hi_s);
    }
}

static struct be_axis time_axis(const struct be_predict_table *table) {
    struct range range = {INFINITY, 0};
    for (size_t m = 0; m < table->machines; m++) {
        for (size_t i = 0; i < table->sizes; i++) {
            take(&range, &table->machine[m].row[i].cpu.time);
            take(&range, &table->machine[m].row[i].gpu.time);
        }
    }
    return range.most_s > 0 ? be_axis_around(range.least_s, range.most_s, BE_AXIS_LOG)
                            : be_axis_around(1e-6, 1, BE_AXIS_LOG);
}

/* ---- one machine over sizes ------------------------------------------------------------------ */

/* A mark at each size; where a pointer rests on it, its times. */
static void draw_marks(const struct be_plot *plot, const struct be_predict_table *table,
                       const struct be_predict_machine *machine, bool gpu) {
    for (size_t i = 0; i < table->sizes; i++) {
        const struct be_predict_side *side = gpu ? &machine->row[i].gpu : &machine->row[i].cpu;
        const double x = be_plot_x(plot, table->n[i]);
        const double y = be_plot_y(plot, side->time.typical_s);
        char span[BE_PREDICT_SPAN], size[BE_WORD], tip[2 * BE_PREDICT_SPAN];
        if (isfinite(x) && isfinite(y)) {
            snprintf(tip, sizeof tip, "%s at %s: %s", gpu ? "GPU" : "CPU",
                     be_format_n(size, sizeof size, table->n[i]),
                     be_predict_span(span, &side->time));
            be_svg_bar(plot->out, gpu ? "k3 s" : "k0 s", x - 2.5, y - 2.5, 5, 5, tip);
        }
    }
}

/* A side's times over size: its band, and a line through its typical times. */
static void draw_side(const struct be_plot *plot, const struct be_predict_table *table,
                      const struct be_predict_machine *machine, bool gpu) {
    const size_t n = table->sizes;
    double *lo = calloc(3 * n, sizeof *lo), *typical = lo + n, *hi = typical + n;
    for (size_t i = 0; lo && i < n; i++) {
        const struct be_predict_side *side = gpu ? &machine->row[i].gpu : &machine->row[i].cpu;
        lo[i] = side->time.lo_s;
        typical[i] = side->time.typical_s;
        hi[i] = side->time.hi_s;
    }
    if (lo) {
        be_plot_band(plot, gpu ? "k3 i" : "k0 i", table->n, lo, hi, (int)n);
        be_plot_curve(plot, gpu ? "k3 l" : "k0 l", table->n, typical, (int)n);
        draw_marks(plot, table, machine, gpu);
    }
    plot->out->failed |= !lo;
    free(lo);
}

static void draw_crossing(const struct be_plot *plot, double n, const char *class,
                          const char *words, double y) {
    char word[BE_WORD], label[2 * BE_NAME];
    const double x = be_plot_x(plot, n);
    if (x >= plot->left &&
        x <= plot->left + plot->width) { /* or it lies before the sizes asked for */
        const bool right = x < plot->left + plot->width / 2;
        snprintf(label, sizeof label, "%s %s", words, be_format_size(word, sizeof word, n, "-"));
        be_svg_line(plot->out, class, x, plot->top, x, plot->top + plot->height);
        be_svg_label(plot->out, right ? x + 4 : x - 4, y, right ? "start" : "end", "q", label);
    }
}

static void draw_panel(const struct be_predict_table *table, size_t number,
                       const struct be_axis *time, struct be_text *out) {
    const struct be_predict_machine *machine = &table->machine[number];
    char title[5 * BE_NAME];
    const struct be_plot plot = {
        .out = out,
        .left = LEFT + (double)(number % COLUMNS) * (LEFT + PANEL + GAP),
        .top = HEAD + TITLES + (double)(number / COLUMNS) * (TITLES + HIGH + BELOW),
        .width = PANEL,
        .height = HIGH,
        .x = {log10(table->n[0]), log10(table->n[table->sizes - 1]), BE_AXIS_LOG},
        .y = *time,
        .x_word = be_plot_size,
        .y_word = be_plot_seconds,
        .x_name = be_predict_size_word(table)};
    be_predict_title(machine, title, sizeof title);
    be_svg_label_in(out, plot.left, plot.top - 10, PANEL + GAP, "h", title);
    be_plot_frame(&plot, 0);
    draw_side(&plot, table, machine, false);
    draw_side(&plot, table, machine, true);
    draw_crossing(&plot, machine->worth.likely_from, "k3 d", "likely from", plot.top + 14);
    draw_crossing(&plot, machine->worth.sure_from, "k3 w", "for sure from", plot.top + 28);
}

static void draw_legend(struct be_text *out) {
    static const struct {
        const char *line, *band, *name;
    } side[] = {{"k0 l", "k0 i", "CPU"}, {"k3 l", "k3 i", "GPU"}};
    for (int i = 0; i < 2; i++) {
        const double x = 12 + 80 * i;
        be_svg_bar(out, side[i].band, x, 36, 22, 12, NULL);
        be_svg_line(out, side[i].line, x, 42, x + 22, 42);
        be_svg_label(out, x + 28, 46, "start", "q", side[i].name);
    }
    be_svg_label(out, 180, 46, "start", "q",
                 "bands: intervals of the times; down: where the GPU gets ahead");
}

/* ---- one size -------------------------------------------------------------------------------- */

static void draw_place(const struct be_plot *plot, int number, const char *name,
                       const struct be_predict_time *time, const char *colour) {
    const double y = plot->top + ROW * (number + 0.5);
    char class[BE_WORD], word[BE_WORD];
    be_svg_label_in(plot->out, 12, y + 4, NAMES - 12, "q", name);
    if (!isfinite(time->typical_s)) {
        be_svg_label(plot->out, plot->left + 8, y + 4, "start", "q", "not known");
        return;
    }
    const double at = be_plot_x_within(plot, time->typical_s);
    snprintf(class, sizeof class, "%s f", colour);
    be_svg_bar(plot->out, class, be_plot_x_within(plot, time->lo_s), y - 7,
               be_plot_x_within(plot, time->hi_s) - be_plot_x_within(plot, time->lo_s), 14, name);
    snprintf(class, sizeof class, "%s s", colour);
    be_svg_bar(plot->out, class, at - 2, y - 9, 4, 18, NULL);
    be_svg_label(plot->out, plot->left + plot->width + 8, y + 4, "start", "q",
                 be_format_seconds(word, sizeof word, time->typical_s, "-"));
}

static void draw_one_size(const struct be_predict_table *table, const char *title,
                          const char *words, struct be_text *out) {
    const int rows = 1 + (int)table->machines;
    const struct be_plot plot = {.out = out,
                                 .left = NAMES,
                                 .top = 40,
                                 .width = WIDTH_ONE - NAMES - 90,
                                 .height = ROW * rows,
                                 .x = time_axis(table),
                                 .x_word = be_plot_seconds,
                                 .x_name = "time, logarithmic; a mark is the usual time, a bar its "
                                           "interval"};
    be_svg_begin(out, WIDTH_ONE, 40 + ROW * rows + BELOW, title, words);
    be_svg_label(out, 12, 22, "start", "h", title);
    be_plot_frame(&plot, 0);
    draw_place(&plot, 0, "CPU", &table->machine[0].row[0].cpu.time, "k0");
    for (size_t m = 0; m < table->machines; m++) {
        char name[5 * BE_NAME];
        be_predict_title(&table->machine[m], name, sizeof name);
        draw_place(&plot, 1 + (int)m, name, &table->machine[m].row[0].gpu.time, "k3");
    }
    be_svg_end(out);
}

void be_predict_svg(const struct be_predict_table *table, struct be_text *out) {
    static const char title[] = "Predicted time on CPU and GPU";
    const size_t panels = table->machines < PANELS_MAX ? table->machines : PANELS_MAX;
    const double lines = (double)((panels + COLUMNS - 1) / COLUMNS);
    struct be_text words = {0};
    for (size_t m = 0; m < table->machines; m++) {
        be_predict_sentence(table, &table->machine[m], &words);
        be_text_add(&words, " ");
    }
    if (table->sizes == 1 && panels) {
        draw_one_size(table, title, words.data ? words.data : "", out);
    } else {
        const struct be_axis time = time_axis(table);
        be_svg_begin(out, fmax(fmin((double)panels, COLUMNS) * (LEFT + PANEL + GAP), WIDTH_LEAST),
                     HEAD + lines * (TITLES + HIGH + BELOW), title, words.data ? words.data : "");
        be_svg_label(out, 12, 22, "start", "h", title);
        draw_legend(out);
        for (size_t m = 0; m < panels; m++) {
            draw_panel(table, m, &time, out);
        }
        be_svg_end(out);
    }
    out->failed |= words.failed;
    be_text_free(&words);
}
