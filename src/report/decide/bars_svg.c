/* Places as bars of the time to a result: wait, load, transfer, compute. */
#include <math.h>
#include <stdio.h>

#include "report/common/plot.h"
#include "report/common/svg.h"
#include "report/decide/decide.h"
#include "report/queue/queue.h"

enum {
    WIDTH = 920,
    LEFT = 214,
    RIGHT = 212, /* the answers have their room there */
    TOP = 62,
    ROW = 30,
    BAR = 16,
    BOTTOM = 46,
    ROWS_MAX = 14,
    LEADERS = 3 /* the axis is theirs; bars of others may end at its edge */
};

enum part { WAIT, LOAD, TRANSFER, COMPUTE, NETWORK, PARTS };

static const struct {
    const char *name, *class;
} parts[PARTS] = {{"wait", "k6 f"},
                  {"load", "k5 s"},
                  {"transfer", "k1 s"},
                  {"compute", "k2 s"},
                  {"network", "k3 s"}};

/* The end of a row's bar: the median of the result, or without a wait that of the rest. */
static double end_of(const struct be_decide_row *row) {
    return isnan(row->result.q50_s) ? row->busy.q50_s : row->result.q50_s;
}

static double axis_end(const struct be_decision *d, int rows) {
    double most = 0, leaders = 0;
    for (int i = 0; i < rows; i++) {
        const double q90_s =
            isnan(d->row[i].result.q90_s) ? d->row[i].busy.q90_s : d->row[i].result.q90_s;
        most = fmax(most, q90_s);
        leaders = i < LEADERS ? fmax(leaders, end_of(&d->row[i])) : leaders;
    }
    const double first =
        isnan(d->row[0].result.q90_s) ? d->row[0].busy.q90_s : d->row[0].result.q90_s;
    return fmax(fmin(most, fmax(2.5 * leaders, 1.1 * first)), 1e-9);
}

static void draw_parts(const struct be_plot *plot, const struct be_decide_place *place,
                       const struct be_decide_row *row, double y) {
    const double length[PARTS] = {row->wait_q50_s > 0 ? row->wait_q50_s : 0, place->load.typical_s,
                                  place->transfer.typical_s, place->compute.typical_s,
                                  place->network.typical_s};
    double sum = 0, from = 0;
    char tip[BE_NAME], word[BE_WORD];
    for (int i = 0; i < PARTS; i++) {
        sum += length[i];
    }
    for (int i = 0; i < PARTS && sum > 0; i++) {
        const double to = from + length[i] / sum * end_of(row);
        const double x = be_plot_x_within(plot, from);
        snprintf(tip, sizeof tip, "%s: %s", parts[i].name,
                 be_format_wait(word, sizeof word, length[i], "not known"));
        if (length[i] > 0) {
            be_svg_bar(plot->out, parts[i].class, x, y, be_plot_x_within(plot, to) - x, BAR, tip);
        }
        from = to;
    }
}

/* From the time within which one in ten results is there to that of nine in ten. */
static void draw_interval(const struct be_plot *plot, const struct be_decide_spread *spread,
                          double y) {
    if (isfinite(spread->q10_s) && isfinite(spread->q90_s)) {
        const double lo = be_plot_x_within(plot, spread->q10_s);
        const double hi = be_plot_x_within(plot, spread->q90_s);
        be_svg_line(plot->out, "k0 w", lo, y, hi, y);
        be_svg_line(plot->out, "k0 w", lo, y - 4, lo, y + 4);
        if (spread->q90_s <= plot->x.to) {
            be_svg_line(plot->out, "k0 w", hi, y - 4, hi, y + 4);
        }
    }
}

static void draw_row(const struct be_decide_table *table, int i, const struct be_plot *plot) {
    const struct be_decide_row *row = &table->decision.row[i];
    const struct be_decide_place *place = &table->place[row->place];
    const bool known = isfinite(row->result.q50_s);
    const double y = TOP + ROW * i + (ROW - BAR) / 2.0, foot = y + BAR - 4;
    char name[3 * BE_NAME + 8], half[BE_WORD], high[BE_WORD], answer[4 * BE_WORD];
    char chance[BE_WORD] = "";
    be_decide_name(place, name, sizeof name);
    be_svg_label_in(plot->out, 12, foot, LEFT - 12, i ? "q" : "h", name);
    draw_parts(plot, place, row, y);
    if (end_of(row) > plot->x.to) {
        be_svg_label(plot->out, plot->left + plot->width - 4, foot, "end", "e", "longer >");
    }
    if (end_of(row) <= plot->x.to) {
        draw_interval(plot, known ? &row->result : &row->busy, y + BAR / 2.0);
    }
    be_format_wait(half, sizeof half, end_of(row), "?");
    be_format_wait(high, sizeof high, row->result.q90_s, "?");
    if (isfinite(row->p_deadline)) {
        snprintf(chance, sizeof chance, ", in time: %.0f %%", 100 * row->p_deadline);
    }
    if (known) {
        snprintf(answer, sizeof answer, "%s, 90 %%: %s%s", half, high, chance);
    } else {
        snprintf(answer, sizeof answer, "%s + unknown wait", half);
    }
    be_svg_label(plot->out, plot->left + plot->width + 8, foot, "start", "q", answer);
}

static void draw_deadline(const struct be_plot *plot, double deadline_s) {
    if (deadline_s > 0 && deadline_s <= plot->x.to) {
        const double x = be_plot_x(plot, deadline_s);
        be_svg_line(plot->out, "k1 d", x, plot->top - 4, x, plot->top + plot->height);
        be_svg_label(plot->out, x, plot->top - 8, "middle", "q", "deadline");
    }
}

static void draw_legend(struct be_text *out) {
    double x = LEFT;
    for (int i = 0; i < PARTS; i++) {
        be_svg_bar(out, parts[i].class, x, 32, 12, 12, NULL);
        be_svg_label(out, x + 18, 42, "start", "q", parts[i].name);
        x += 90;
    }
    be_svg_line(out, "k0 w", x, 38, x + 20, 38);
    be_svg_label(out, x + 26, 42, "start", "q", "8 in 10 results");
}

void be_decide_svg(const struct be_decide_table *table, struct be_text *out) {
    const struct be_decision *d = &table->decision;
    const int rows = d->rows < ROWS_MAX ? d->rows : ROWS_MAX;
    struct be_text sentence = {0};
    const struct be_plot plot = {.out = out,
                                 .left = LEFT,
                                 .top = TOP,
                                 .width = WIDTH - LEFT - RIGHT,
                                 .height = ROW * rows,
                                 .x = be_axis_around(0, axis_end(d, rows), BE_AXIS_TIME),
                                 .x_word = be_plot_duration,
                                 .x_name = "time to the result"};
    be_decide_sentence(table, &sentence);
    be_svg_begin(out, WIDTH, TOP + ROW * rows + BOTTOM, "Time to the result, by place",
                 sentence.data ? sentence.data : "");
    be_svg_label(out, 12, 20, "start", "h", "Time to the result, best place first");
    draw_legend(out);
    be_plot_frame(&plot, 0);
    for (int i = 0; i < rows; i++) {
        draw_row(table, i, &plot);
    }
    draw_deadline(&plot, d->deadline_s);
    be_svg_end(out);
    out->failed |= sentence.failed;
    be_text_free(&sentence);
}
