/* The rows with most unused hours as bars: billed hours pale, those without work solid. */
#include <math.h>
#include <stdio.h>

#include "report/common/plot.h"
#include "report/common/svg.h"
#include "report/usage/usage.h"
#include "report/usage/words.h"

enum {
    WIDTH = 920,
    LEFT = 190,
    RIGHT = 240, /* the answers have their room there */
    TOP = 62,
    ROW = 28,
    BAR = 14,
    BOTTOM = 46,
    ROWS_MAX = 15
};

static const char *mark(char *to, size_t capacity, double hours) {
    snprintf(to, capacity, "%g", hours);
    return to;
}

static void draw_row(const struct be_usage *usage, int i, const struct be_plot *plot) {
    const double y = TOP + ROW * i + (ROW - BAR) / 2.0, foot = y + BAR - 2;
    const double x = be_plot_x(plot, 0), billed = usage->billed_known_s / 3600;
    char name[2 * BE_NOTE], jobs[BE_WORD], unused[BE_WORD], of[BE_WORD], tip[BE_NOTE];
    struct be_text answer = {0};
    be_usage_hours(unused, usage->unused_s);
    be_usage_hours(of, usage->billed_known_s);
    snprintf(name, sizeof name, "%s %s", usage->id, be_usage_whose(usage, jobs));
    snprintf(tip, sizeof tip, "%s of %s billed hours without work", unused, of);
    be_svg_label_in(plot->out, 12, foot, LEFT - 20, i ? "q" : "h", name);
    be_svg_bar(plot->out, "k6 f", x, y, be_plot_x_within(plot, billed) - x, BAR, tip);
    be_svg_bar(plot->out, "k1 s", x, y, be_plot_x_within(plot, usage->unused_s / 3600) - x, BAR,
               tip);
    be_text_add(&answer, "%s of %s,", unused, of);
    be_usage_kinds(usage, &answer);
    be_svg_label_in(plot->out, plot->left + plot->width + 10, foot, RIGHT - 20, "q",
                    answer.data ? answer.data : "");
    plot->out->failed |= answer.failed;
    be_text_free(&answer);
}

static void draw_legend(struct be_text *out) {
    be_svg_bar(out, "k1 s", LEFT, 32, 12, 12, NULL);
    be_svg_label(out, LEFT + 18, 42, "start", "q", "billed, without work");
    be_svg_bar(out, "k6 f", LEFT + 180, 32, 12, 12, NULL);
    be_svg_label(out, LEFT + 198, 42, "start", "q", "billed, with work");
}

void be_usage_svg(const struct be_usage_list *list, struct be_text *out) {
    int rows = 0;
    double most = 0;
    for (; rows < ROWS_MAX && (size_t)rows < list->rows && be_usage_is_drawn(&list->row[rows]);
         rows++) {
        most = fmax(most, list->row[rows].billed_known_s / 3600);
    }
    const struct be_plot plot = {.out = out,
                                 .left = LEFT,
                                 .top = TOP,
                                 .width = WIDTH - LEFT - RIGHT,
                                 .height = ROW * rows,
                                 .x = {0, fmax(most, 1e-3), BE_AXIS_LINEAR},
                                 .y = {0, 1, BE_AXIS_LINEAR},
                                 .x_word = mark,
                                 .x_name = "billed hours"};
    be_svg_begin(out, WIDTH, TOP + ROW * rows + BOTTOM, "Billed hours without work",
                 "The rows with most of them as bars; the table below has the numbers.");
    draw_legend(out);
    be_plot_marks(&plot, 0);
    for (int i = 0; i < rows; i++) {
        draw_row(&list->row[i], i, &plot);
    }
    be_svg_end(out);
}
