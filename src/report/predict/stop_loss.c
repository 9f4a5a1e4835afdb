/* The stop-loss limit: formula, number, and the region where the GPU loses as a picture. */
#include <math.h>
#include <stdio.h>

#include "report/common/lines.h"
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

/* Operations a value from left to right, calls that use a value from below: six powers of ten each. */
struct scale {
    double first; /* exponent of ten at the left edge */
};

static double x_of(const struct scale *scale, double operations) {
    const double share = (log10(operations) - scale->first) / DECADES;
    return LEFT + fmin(fmax(share, 0), 1) * (WIDTH - LEFT - RIGHT);
}

static double y_of(double calls) {
    return HEIGHT - BOTTOM - fmin(fmax(log10(calls) / DECADES, 0), 1) * (HEIGHT - TOP - BOTTOM);
}

static void add_axes(struct be_text *out, const struct scale *scale) {
    for (int i = 0; i <= DECADES; i++) {
        const double x = x_of(scale, pow(10, scale->first + i)), y = y_of(pow(10, i));
        be_text_add(out, "<line class=\"g\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>\n", x, x,
                    TOP, HEIGHT - BOTTOM);
        be_text_add(out, "<line class=\"g\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n", LEFT,
                    WIDTH - RIGHT, y, y);
        be_text_add(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", x,
                    HEIGHT - BOTTOM + 18, pow(10, scale->first + i));
        be_text_add(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 8,
                    y + 4, pow(10, i));
    }
    be_text_add(out,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">operations a transferred value and "
                "call</text>\n<text transform=\"rotate(-90)\" x=\"%d\" y=\"18\" "
                "text-anchor=\"middle\">calls that use a value</text>\n",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18, -(TOP + HEIGHT - BOTTOM) / 2);
}

/* Below the line a r = limit, which falls by a decade a decade. */
static void add_region(struct be_text *out, const struct scale *scale, double operations) {
    const double left = pow(10, scale->first), most = pow(10, DECADES), right = left * most;
    const double from = isinf(operations) ? right : fmax(operations / most, left);
    const double to = isinf(operations) ? right : fmin(fmax(operations, left), right);
    be_text_add(out, "<path class=\"l\" d=\"M%.1f %.1f", x_of(scale, left), y_of(1));
    be_text_add(out, "L%.1f %.1f", x_of(scale, left), y_of(operations / left));
    be_text_add(out, "L%.1f %.1f", x_of(scale, from), y_of(operations / from));
    be_text_add(out, "L%.1f %.1fL%.1f %.1fZ\"/>\n", x_of(scale, to), y_of(operations / to),
                x_of(scale, to), y_of(1));
}

void be_stop_loss_svg(const struct be_predict_rates *rates, double operations,
                      struct be_text *out) {
    char c[BE_WORD], g[BE_WORD], b[BE_WORD], a[BE_WORD];
    const struct scale scale = {isinf(operations) ? -2 : floor(log10(operations)) - 3};
    be_text_add(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 "
        "%d %d\">\n<style>text{font:12px sans-serif;fill:#222}.g{stroke:#ddd}"
        ".l{fill:#ee6677;fill-opacity:0.35;stroke:#ee6677;stroke-width:2}</style>\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    be_text_add(out, "<text x=\"%d\" y=\"22\">CPU %s, GPU %s, bus %s, %.0f bytes a value</text>\n",
                LEFT, be_format_flops(c, sizeof c, rates->cpu_flop_s, "-"),
                be_format_flops(g, sizeof g, rates->gpu_flop_s, "-"),
                be_format_rate(b, sizeof b, rates->bus_bytes_s, "-"), rates->value_bytes);
    be_text_add(out, "<text x=\"%d\" y=\"40\">Shaded: the GPU loses%s%s%s</text>\n", LEFT,
                isinf(operations) ? " everywhere" : " (operations x calls below ",
                isinf(operations) ? "" : be_format_ratio(a, sizeof a, operations, "-"),
                isinf(operations) ? "" : ")");
    add_axes(out, &scale);
    add_region(out, &scale, operations);
    be_text_add(out, "</svg>\n");
}
