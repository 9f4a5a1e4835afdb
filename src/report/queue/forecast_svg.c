/* A forecast as SVG: the probability of a start over the time that a job waits, a line a partition. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "report/common/plot.h"
#include "report/common/svg.h"
#include "report/queue/queue.h"

enum {
    WIDTH = 760,
    HIGH = 260,
    LEFT = 64,
    RIGHT = 20,
    TOP = 44,
    BELOW = 48,
    LINE = 20,
    LINES_MAX = 6
};

static const char *wait_word(char *to, size_t capacity, double wait_s) {
    return be_format_wait(to, capacity, wait_s, "");
}

static const char *percent_word(char *to, size_t capacity, double share) {
    snprintf(to, capacity, "%.0f %%", 100 * share);
    return to;
}

/* The first rows with enough data are the best. */
static int find_rows(const struct be_forecast *f, const struct be_forecast_row *row[LINES_MAX]) {
    int rows = 0;
    for (int i = 0; i < f->rows && rows < LINES_MAX; i++) {
        if (f->row[i].enough) {
            row[rows++] = &f->row[i];
        }
    }
    return rows;
}

static void draw_row(const struct be_plot *plot, const struct be_forecast_row *row, int number) {
    double wait_s[BE_ODDS_POINTS], share[BE_ODDS_POINTS];
    char class[BE_WORD], half[BE_WORD], high[BE_WORD], words[BE_NAME + 4 * BE_WORD];
    for (int i = 0; i < BE_ODDS_POINTS; i++) {
        wait_s[i] = fmax(row->odds.wait_s[i], 1); /* a wait of less lies at the edge */
        share[i] = (double)i / (BE_ODDS_POINTS - 1);
    }
    snprintf(class, sizeof class, "k%d l", number % BE_SVG_COLOURS);
    be_plot_curve(plot, class, wait_s, share, BE_ODDS_POINTS);
    snprintf(words, sizeof words, "%s: half start within %s, nine in ten within %s", row->partition,
             be_format_wait(half, sizeof half, row->q50_s, "?"),
             be_format_wait(high, sizeof high, row->q90_s, "?"));
    const double y = plot->top + plot->height + BELOW + LINE * number;
    be_svg_line(plot->out, class, LEFT, y, LEFT + 24, y);
    be_svg_label(plot->out, LEFT + 32, y + 4, "start", "q", words);
}

void be_forecast_svg(const struct be_forecast *f, struct be_text *out) {
    static const char title[] = "Probability of a start, over the time since submission";
    const struct be_forecast_row *row[LINES_MAX];
    const int rows = find_rows(f, row);
    double most_s = 600;
    struct be_text words = {0};
    for (int i = 0; i < rows; i++) {
        most_s = fmax(most_s, row[i]->odds.wait_s[BE_ODDS_POINTS - 1]);
    }
    if (!rows) {
        return;
    }
    const struct be_plot plot = {.out = out,
                                 .left = LEFT,
                                 .top = TOP,
                                 .width = WIDTH - LEFT - RIGHT,
                                 .height = HIGH,
                                 .x = be_axis_around(1, most_s, BE_AXIS_LOG_TIME),
                                 .y = {0, 1, BE_AXIS_LINEAR},
                                 .x_word = wait_word,
                                 .y_word = percent_word,
                                 .x_name = "time since submission, logarithmic"};
    be_forecast_sentence(f, &words);
    be_svg_begin(out, WIDTH, TOP + HIGH + BELOW + LINE * rows, title, words.data ? words.data : "");
    be_svg_label(out, 12, 22, "start", "h", title);
    be_plot_frame(&plot, 0);
    for (int i = 0; i < rows; i++) {
        draw_row(&plot, row[i], i);
    }
    if (f->deadline_in_s > 0 && f->deadline_in_s < most_s) {
        const double x = be_plot_x_within(&plot, f->deadline_in_s);
        be_svg_line(out, "k1 d", x, TOP, x, TOP + HIGH);
        be_svg_label(out, x, TOP - 4, "middle", "q", "deadline");
    }
    be_svg_end(out);
    out->failed |= words.failed;
    be_text_free(&words);
}
