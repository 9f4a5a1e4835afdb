/* The stop-loss limit: formula, number, and the region where the GPU loses as a picture. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/common/plot.h"
#include "report/common/svg.h"
#include "report/predict/predict.h"

void be_stop_loss_text(const struct be_predict_rates *rates, double operations,
                       struct be_text *out) {
    char c[BE_WORD], g[BE_WORD], b[BE_WORD], line[BE_NOTE];
    be_format_flops(c, sizeof c, rates->cpu_flop_s, "-");
    be_format_flops(g, sizeof g, rates->gpu_flop_s, "-");
    be_format_rate(b, sizeof b, rates->bus_bytes_s, "-");
    be_text_add(out, "CPU C = %s, GPU G = %s, bus B = %s, s = %.0f bytes a value\n\n", c, g, b,
                rates->value_bytes);
    be_lines_wrap(
        out, "",
        "A value crosses the bus once. Each of r calls does a operations with it. The CPU "
        "takes a r / C, the GPU s / B + a r / G.",
        0);
    if (isinf(operations)) {
        be_lines_wrap(
            out, "",
            "The GPU never pays: it does not do more operations a second than the CPU. No "
            "number of operations repays a copy.",
            0);
        return;
    }
    be_text_add(out, "\nThe GPU pays where a r > s C G / (B (G - C)).\n\n");
    snprintf(
        line, sizeof line,
        "The GPU pays from %.3g operations for each value that crosses the bus, or with fewer "
        "where calls use the value again: operations a value x calls has to reach this number. "
        "Values that come in and those that go out count alike.",
        operations);
    be_lines_wrap(out, "", line, 0);
    be_lines_wrap(
        out, "",
        "Only rates are in this limit: starting kernels and the copy's latency come on top "
        "(breakeven predict --flops ...).",
        0);
}

enum { WIDTH = 640, HEIGHT = 420, LEFT = 70, RIGHT = 24, TOP = 56, BOTTOM = 60, DECADES = 6 };

static const char *plain_word(char *to, size_t capacity, double value) {
    snprintf(to, capacity, "%g", value);
    return to;
}

/* Below the line a r = limit, which falls by a decade a decade. */
static void add_region(const struct be_plot *plot, double operations) {
    const double left = pow(10, plot->x.from), most = pow(10, DECADES), right = left * most;
    const double from = isinf(operations) ? right : fmax(operations / most, left);
    const double to = isinf(operations) ? right : fmin(fmax(operations, left), right);
    const double x[] = {left, left, from, to, to};
    const double y[] = {1, operations / left, operations / from, operations / to, 1};
    be_text_add(plot->out, "<path class=\"k1 f\" d=\"");
    for (size_t i = 0; i < BE_COUNT(x); i++) {
        be_text_add(plot->out, "%c%.1f %.1f", i ? 'L' : 'M', be_plot_x_within(plot, x[i]),
                    be_plot_y_within(plot, fmin(y[i], most)));
    }
    be_text_add(plot->out, "Z\"/>\n");
}

void be_stop_loss_svg(const struct be_predict_rates *rates, double operations,
                      struct be_text *out) {
    char c[BE_WORD], g[BE_WORD], b[BE_WORD], a[BE_WORD], rated[BE_NOTE], loses[BE_NOTE];
    const double first = isinf(operations) ? -2 : floor(log10(operations)) - 3;
    const struct be_plot plot = {.out = out,
                                 .left = LEFT,
                                 .top = TOP,
                                 .width = WIDTH - LEFT - RIGHT,
                                 .height = HEIGHT - TOP - BOTTOM,
                                 .x = {first, first + DECADES, BE_AXIS_LOG},
                                 .y = {0, DECADES, BE_AXIS_LOG},
                                 .x_word = plain_word,
                                 .y_word = plain_word,
                                 .x_name = "operations a transferred value and call",
                                 .y_name = "calls that use a value"};
    snprintf(rated, sizeof rated, "CPU %s, GPU %s, bus %s, %.0f bytes a value",
             be_format_flops(c, sizeof c, rates->cpu_flop_s, "-"),
             be_format_flops(g, sizeof g, rates->gpu_flop_s, "-"),
             be_format_rate(b, sizeof b, rates->bus_bytes_s, "-"), rates->value_bytes);
    be_format_ratio(a, sizeof a, operations, "-");
    snprintf(loses, sizeof loses, "Shaded: the GPU loses%s%s%s",
             isinf(operations) ? " everywhere" : " (operations x calls below ",
             isinf(operations) ? "" : a, isinf(operations) ? "" : ")");
    be_svg_begin(out, WIDTH, HEIGHT, "Where the GPU loses", loses);
    be_svg_label(out, LEFT, 18, "start", "q", rated);
    be_svg_label(out, LEFT, 34, "start", "q", loses);
    be_plot_frame(&plot, 0);
    add_region(&plot, operations);
    be_svg_end(out);
}
