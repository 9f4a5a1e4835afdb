/* Graphs of characters. */
#include <math.h>

#include "base/error.h"
#include "report/live/live.h"

const double be_live_zoom_s[BE_LIVE_ZOOMS] = {1, 2, 5, 10, 30, 60, 300, 1800};

static const char *const fine[] = {" ",
                                   "\xe2\x96\x81",
                                   "\xe2\x96\x82",
                                   "\xe2\x96\x83",
                                   "\xe2\x96\x84",
                                   "\xe2\x96\x85",
                                   "\xe2\x96\x86",
                                   "\xe2\x96\x87",
                                   "\xe2\x96\x88"};
static const char *const coarse[] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};

enum { LEVELS = BE_COUNT(fine) - 1 };

/* A value that is measured as nothing still shows that it was measured. */
static int level_of(double value, double full, int rows, int row) {
    if (isnan(value) || !(full > 0)) {
        return 0;
    }
    int whole = (int)round(fmin(fmax(value / full, 0), 1) * rows * LEVELS);
    int level = whole - (rows - 1 - row) * LEVELS;
    int min = row == rows - 1 ? 1 : 0;
    return level < min ? min : level > LEVELS ? LEVELS : level;
}

void be_live_graph(const struct be_trace *trace, const struct be_live_figure *figure, int columns,
                   double column_s, int rows, int row, bool unicode, struct be_text *out) {
    double end_s = trace->ticks ? trace->end_s[trace->ticks - 1] : 0;
    /* Columns begin at multiples of their time: what was drawn stays as it is and moves left. */
    double last_s = ceil(end_s / column_s) * column_s;
    double full = figure->full;
    if (!(full > 0)) {
        full = be_trace_max(trace, figure->signal, figure->of);
    }
    for (int i = 0; i < columns; i++) {
        double from_s = last_s - (columns - i) * column_s;
        double mean = be_live_figure_mean(trace, figure, from_s, from_s + column_s);
        int level = level_of(mean, full, rows, row);
        be_text_add(out, "%s", unicode ? fine[level] : coarse[level]);
    }
}
