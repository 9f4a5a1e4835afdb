/* Forecasts of several jobs as SVG: a bar a job, from the time of half of them to that of nine in ten. */
#include <math.h>
#include <stdio.h>

#include "report/common/plot.h"
#include "report/common/svg.h"
#include "report/queue/queue.h"

enum { WIDTH = 760, LEFT = 300, RIGHT = 20, TOP = 44, BELOW = 48, LINE = 26, BAR = 12 };

static const char *wait_word(char *to, size_t capacity, double wait_s) {
    return be_format_wait(to, capacity, wait_s, "");
}

static const char *no_word(char *to, size_t capacity, double value) {
    (void)value;
    snprintf(to, capacity, "%s", "");
    return to;
}

static void draw_job(const struct be_plot *plot, const struct be_forecast *f, int number) {
    const struct be_forecast_row *row = be_forecast_likely(f);
    const double y = plot->top + LINE * number + (LINE - BAR) / 2.0;
    char half[BE_WORD], high[BE_WORD], tip[BE_NAME + 6 * BE_WORD];
    struct be_text job = {0};
    be_forecast_job_words(&f->wish, &job);
    be_text_add(&job, "%s%s%s", row ? ": " : ": not enough data", row ? row->partition : "",
                row && row->beyond ? " ?" : "");
    be_svg_label_in(plot->out, 12, y + BAR - 2, LEFT - 24, "q", job.data ? job.data : "");
    if (row) {
        const double from = be_plot_x_within(plot, fmax(row->q50_s, 1)); /* less lies at the edge */
        const double to = be_plot_x_within(plot, fmax(row->q90_s, 1));
        snprintf(tip, sizeof tip, "half start within %s, nine in ten within %s%s",
                 be_format_wait(half, sizeof half, row->q50_s, "?"),
                 be_format_wait(high, sizeof high, row->q90_s, "?"),
                 row->beyond ? "; no job so large has started there" : "");
        be_svg_bar(plot->out, "k0 u", from, y, fmax(to - from, 2), BAR, tip);
        be_svg_line(plot->out, "k0 l", from, y - 3, from, y + BAR + 3);
    }
    plot->out->failed |= job.failed;
    be_text_free(&job);
}

void be_forecast_grid_svg(const struct be_forecast_grid *grid, struct be_text *out) {
    static const char title[] = "Time to a start, by job";
    double most_s = 600;
    for (int i = 0; i < grid->jobs; i++) {
        const struct be_forecast_row *row = be_forecast_likely(&grid->forecast[i]);
        most_s = row ? fmax(most_s, row->q90_s) : most_s;
    }
    const double high = LINE * grid->jobs;
    const struct be_plot plot = {.out = out,
                                 .left = LEFT,
                                 .top = TOP,
                                 .width = WIDTH - LEFT - RIGHT,
                                 .height = high,
                                 .x = be_axis_around(1, most_s, BE_AXIS_LOG_TIME),
                                 .y = {0, 1, BE_AXIS_LINEAR},
                                 .x_word = wait_word,
                                 .y_word = no_word,
                                 .x_name = "time since submission, logarithmic"};
    be_svg_begin(out, WIDTH, TOP + high + BELOW, title,
                 "A bar a job, where it starts soonest: from the time within which half of such "
                 "jobs start to that of nine in ten");
    be_svg_label(out, 12, 22, "start", "h", title);
    be_plot_frame(&plot, 0);
    for (int i = 0; i < grid->jobs; i++) {
        draw_job(&plot, &grid->forecast[i], i);
    }
    be_svg_end(out);
}
