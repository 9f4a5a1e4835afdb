/* A run over time, one lane a quantity, with its findings below: each where it held. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "report/common/plot.h"
#include "report/common/svg.h"
#include "report/trace/timeline.h"

enum {
    WIDTH = 860,
    LEFT = 84,
    RIGHT = 16,
    TOP = 40,
    LANE = 46,    /* height of its plot */
    BETWEEN = 22, /* above each, with its name */
    ROW = 20,     /* a finding */
    BOTTOM = 48,
    COLUMNS = 380 /* parts of the run that are drawn */
};

static const char *const finding_class[BE_WEIGHTS] = {
    [BE_WEIGHT_GOOD] = "k3 s", [BE_WEIGHT_NOTE] = "k5 s", [BE_WEIGHT_COST] = "k1 s"};

static double length_of(const struct be_trace *trace) {
    return trace->ticks ? trace->end_s[trace->ticks - 1] : 0;
}

static struct be_plot plot_at(const struct be_trace *trace, double top, double height, double full,
                              struct be_text *out) {
    return (struct be_plot){.out = out,
                            .left = LEFT,
                            .top = top,
                            .width = WIDTH - LEFT - RIGHT,
                            .height = height,
                            .x = be_axis_around(0, length_of(trace), BE_AXIS_TIME),
                            .y = be_axis_around(0, full, BE_AXIS_LINEAR)};
}

static void draw_lane(const struct be_trace *trace, const struct be_lane *lane, double top,
                      struct be_text *out) {
    const struct be_signal_series *series = be_trace_series(trace, lane->signal, lane->of);
    const struct be_plot plot = plot_at(trace, top, LANE, lane->full, out);
    const int columns = trace->ticks < COLUMNS ? trace->ticks : COLUMNS;
    const double step_s = length_of(trace) / columns;
    double edge[COLUMNS + 1] = {0}, value[COLUMNS];
    char word[BE_WORD];
    for (int i = 0; i < columns; i++) {
        edge[i + 1] = (i + 1) * step_s;
        value[i] = fmin(be_timeline_value(trace, series, edge[i], edge[i + 1]), lane->full);
    }
    be_svg_label(out, LEFT, top - 5, "start", "q", lane->name);
    be_svg_label(out, LEFT - 6, top + 9, "end", "q",
                 be_lane_word(word, sizeof word, lane, lane->full));
    be_svg_label(out, LEFT - 6, top + LANE, "end", "q", "0");
    be_plot_frame(&plot, 0);
    be_plot_steps(&plot, lane->gpu ? "k3 u" : "k2 u", edge, value, columns);
}

static void draw_finding(const struct be_trace *trace, const struct be_run_finding *one, int number,
                         double top, struct be_text *out) {
    const struct be_plot plot = plot_at(trace, top, ROW, 1, out);
    const bool placed = one->to_s > one->from_s;
    const double from = be_plot_x_within(&plot, placed ? one->from_s : 0);
    const double to = be_plot_x_within(&plot, placed ? one->to_s : length_of(trace));
    char text[BE_NAME + BE_WORD], mark[BE_WORD];
    snprintf(text, sizeof text, "%s", one->name);
    snprintf(mark, sizeof mark, "finding %d", number);
    be_svg_label(out, LEFT - 6, top + 12, "end", "q", mark);
    be_svg_bar(out, finding_class[one->weight], from, top, fmax(to - from, 2), ROW - 4,
               one->evidence);
    const double room = to - from;
    if (room > BE_SVG_LETTER * 20) {
        be_svg_label(out, from + 6, top + 12, "start", "e", text);
    } else {
        const bool right = to < LEFT + plot.width / 2;
        be_svg_label(out, right ? to + 4 : from - 4, top + 12, right ? "start" : "end", "q", text);
    }
}

static void add_words(const struct be_trace *trace, const struct be_lane *lane, int lanes,
                      const struct be_run_finding *found, int count, struct be_text *words) {
    char mean[BE_WORD], max[BE_WORD];
    for (int i = 0; i < lanes; i++) {
        be_text_add(words, "%s: %s in the mean, %s at most. ", lane[i].name,
                    be_lane_word(mean, sizeof mean, &lane[i],
                                 be_trace_mean(trace, lane[i].signal, lane[i].of)),
                    be_lane_word(max, sizeof max, &lane[i],
                                 be_trace_max(trace, lane[i].signal, lane[i].of)));
    }
    be_text_add(words, "%s", count ? "Findings:" : "No finding.");
    for (int i = 0; i < count; i++) {
        be_text_add(words, " %s", found[i].name);
    }
}

void be_timeline_svg(const struct be_trace *trace, const struct be_run_finding *found, int count,
                     struct be_text *out) {
    struct be_lane lane[BE_LANES_MAX];
    struct be_text words = {0};
    char word[BE_WORD], title[3 * BE_WORD];
    const int lanes = be_timeline_lanes(trace, lane);
    const double under = TOP + (LANE + BETWEEN) * lanes + (count ? 4 : 0);
    if (trace->ticks < 2 || !lanes) {
        return;
    }
    add_words(trace, lane, lanes, found, count, &words);
    snprintf(title, sizeof title, "The run over its time, %s",
             be_format_duration(word, sizeof word, length_of(trace)));
    be_svg_begin(out, WIDTH, under + ROW * count + BOTTOM, title, words.data ? words.data : "");
    be_svg_label(out, LEFT, 20, "start", "h", title);
    struct be_plot axis = plot_at(trace, TOP, under + ROW * count - TOP, 1, out);
    axis.x_word = be_plot_duration;
    axis.x_name = "time since the start";
    be_plot_marks(&axis, 0);
    for (int i = 0; i < lanes; i++) {
        draw_lane(trace, &lane[i], TOP + BETWEEN + (LANE + BETWEEN) * i, out);
    }
    for (int i = 0; i < count; i++) {
        draw_finding(trace, &found[i], i + 1, under + ROW * i, out);
    }
    be_svg_end(out);
    out->failed |= words.failed;
    be_text_free(&words);
}
