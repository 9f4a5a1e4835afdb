/* Roofline and copies of a profile as SVG. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/figure_kinds.h"
#include "machine/profile.h"
#include "report/common/plot.h"
#include "report/common/svg.h"
#include "report/profile/profile.h"
#include "report/profile/roofline.h"

enum { WIDTH = 760, HIGH = 280, LEFT = 84, RIGHT = 20, TOP = 40, BELOW = 48, LINE = 20 };

static const char *rate_word(char *to, size_t capacity, double value) {
    return be_format_flops(to, capacity, value, "");
}

static const char *bytes_rate_word(char *to, size_t capacity, double value) {
    return be_format_rate(to, capacity, value, "");
}

static const char *bytes_word(char *to, size_t capacity, double value) {
    return be_format_bytes(to, capacity, value, "");
}

static const char *plain_word(char *to, size_t capacity, double value) {
    snprintf(to, capacity, "%g", value);
    return to;
}

static void add_key(struct be_text *out, int i, double top, bool dashed, const char *words) {
    char class[BE_WORD];
    const double y = top + LINE * i;
    snprintf(class, sizeof class, "k%d %s", i % BE_SVG_COLOURS, dashed ? "d" : "l");
    be_svg_line(out, class, LEFT, y, LEFT + 24, y);
    be_svg_label(out, LEFT + 32, y + 4, "start", "q", words);
}

/* ---- roofline -------------------------------------------------------------------------------- */

static void find_range(const struct be_roof *roof, int roofs, struct be_plot *plot) {
    double left = INFINITY, right = 0, most = 0, least = INFINITY;
    for (int i = 0; i < roofs; i++) {
        left = fmin(left, be_roof_ridge(&roof[i]));
        right = fmax(right, be_roof_ridge(&roof[i]));
        most = fmax(most, roof[i].flop_s);
    }
    plot->x = be_axis_around(fmin(left / 10, 0.1), fmax(right * 2, 1000), BE_AXIS_LOG);
    for (int i = 0; i < roofs; i++) {
        least = fmin(least, roof[i].bytes_s * pow(10, plot->x.from));
    }
    plot->y = be_axis_around(least, most * 1.2, BE_AXIS_LOG);
}

static void draw_roof(const struct be_plot *plot, const struct be_roof *roof, int i) {
    const double ridge = be_roof_ridge(roof), from = pow(10, plot->x.from);
    const double x[] = {from, ridge, pow(10, plot->x.to)};
    const double y[] = {from * roof->bytes_s, roof->flop_s, roof->flop_s};
    char class[BE_WORD], flops[BE_WORD], bytes[BE_WORD], bend[BE_WORD], words[6 * BE_NAME];
    snprintf(class, sizeof class, "k%d %s", i % BE_SVG_COLOURS, roof->data_sheet ? "d" : "l");
    be_plot_curve(plot, class, x, y, 3);
    snprintf(class, sizeof class, "k%d r", i % BE_SVG_COLOURS);
    be_text_add(plot->out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n", class,
                be_plot_x_within(plot, ridge), be_plot_y_within(plot, roof->flop_s));
    snprintf(words, sizeof words, "%.120s: %s, memory %s, bends at %s FLOP/byte%s", roof->label,
             be_format_flops(flops, sizeof flops, roof->flop_s, "-"),
             be_format_rate(bytes, sizeof bytes, roof->bytes_s, "-"),
             be_format_ratio(bend, sizeof bend, ridge, "-"),
             roof->data_sheet ? " (data sheet)" : "");
    add_key(plot->out, i, plot->top + plot->height + BELOW, roof->data_sheet, words);
}

void be_roofline_svg(const struct be_profile *profile, struct be_text *out) {
    static const char title[] = "Roofline: operations a second over operations a byte";
    struct be_roof roof[BE_ROOFS_MAX];
    const int roofs = be_roofs_of(profile, roof);
    struct be_plot plot = {.out = out,
                           .left = LEFT,
                           .top = TOP,
                           .width = WIDTH - LEFT - RIGHT,
                           .height = HIGH,
                           .x_word = plain_word,
                           .y_word = rate_word,
                           .x_name = "floating-point operations for each byte of memory"};
    if (!roofs) {
        return;
    }
    find_range(roof, roofs, &plot);
    be_svg_begin(out, WIDTH, TOP + HIGH + BELOW + LINE * roofs, title,
                 "Each line rises with the memory's rate up to the most that the device computes. "
                 "A ring marks where it bends: with fewer operations a byte, memory is the limit.");
    be_svg_label(out, 12, 22, "start", "h", title);
    be_plot_frame(&plot, 0);
    for (int i = 0; i < roofs; i++) {
        draw_roof(&plot, &roof[i], i);
    }
    be_svg_end(out);
}

/* ---- copies ---------------------------------------------------------------------------------- */

enum { CURVES_MAX = BE_SVG_COLOURS, POINTS_MAX = 64 };

struct curve {
    const char *device, *what;
    double bytes[POINTS_MAX], rate[POINTS_MAX];
    int points;
};

static struct curve *curve_of(struct curve *curve, int *curves, const struct be_figure *figure) {
    for (int i = 0; i < *curves; i++) {
        if (strcmp(curve[i].device, figure->device) == 0 &&
            strcmp(curve[i].what, figure->what) == 0) {
            return &curve[i];
        }
    }
    if (*curves == CURVES_MAX) {
        return NULL;
    }
    curve[*curves] = (struct curve){.device = figure->device, .what = figure->what};
    return &curve[(*curves)++];
}

/* The same GPU through another driver. */
static bool is_shown_before(const struct be_profile *profile, const char *device) {
    for (int i = 0; i < profile->machine.devices; i++) {
        if (strcmp(profile->machine.device[i].id, device) == 0) {
            return be_profile_shown_before(profile, &profile->machine.device[i]);
        }
    }
    return false;
}

/* Copies one way, over their size, with the sizes as the profile has them: ascending. */
static int find_curves(const struct be_profile *profile, struct curve *curve) {
    static const char *const shown[] = {"bus_in_pinned", "bus_out_pinned", "bus_in_pageable",
                                        "bus_out_pageable", "bus_in_staged"};
    int curves = 0;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        bool is = false;
        if (is_shown_before(profile, f->device)) {
            continue;
        }
        for (size_t k = 0; k < BE_COUNT(shown); k++) {
            is |= strcmp(f->what, shown[k]) == 0;
        }
        struct curve *one =
            is && f->bytes > 0 && f->value > 0 && !*f->peer ? curve_of(curve, &curves, f) : NULL;
        if (one && one->points < POINTS_MAX) {
            one->bytes[one->points] = f->bytes;
            one->rate[one->points++] = f->value;
        }
    }
    return curves;
}

static void draw_curves(struct curve *curve, int curves, struct be_text *out) {
    static const char title[] = "Copies between host and device: rate over size";
    double least = INFINITY, most = 0, slow = INFINITY, fast = 0;
    for (int i = 0; i < curves; i++) {
        for (int k = 0; k < curve[i].points; k++) {
            least = fmin(least, curve[i].bytes[k]);
            most = fmax(most, curve[i].bytes[k]);
            slow = fmin(slow, curve[i].rate[k]);
            fast = fmax(fast, curve[i].rate[k]);
        }
    }
    const struct be_plot plot = {.out = out,
                                 .left = LEFT,
                                 .top = TOP,
                                 .width = WIDTH - LEFT - RIGHT,
                                 .height = HIGH - 40,
                                 .x = be_axis_around(least, most, BE_AXIS_LOG),
                                 .y = be_axis_around(slow, fast, BE_AXIS_LOG),
                                 .x_word = bytes_word,
                                 .y_word = bytes_rate_word,
                                 .x_name = "bytes of a copy"};
    be_svg_begin(out, WIDTH, TOP + plot.height + BELOW + LINE * curves, title,
                 "Small copies are slow, since starting one takes longer than moving its bytes. "
                 "Each kind of copy has its line; the table has the largest.");
    be_svg_label(out, 12, 22, "start", "h", title);
    be_plot_frame(&plot, 0);
    for (int i = 0; i < curves; i++) {
        const struct be_figure_kind *kind = be_figure_kind(curve[i].what);
        char class[BE_WORD], words[3 * BE_NAME];
        snprintf(class, sizeof class, "k%d l", i % BE_SVG_COLOURS);
        be_plot_curve(&plot, class, curve[i].bytes, curve[i].rate, curve[i].points);
        snprintf(words, sizeof words, "%s: %s", curve[i].device,
                 kind ? kind->title : curve[i].what);
        add_key(out, i, plot.top + plot.height + BELOW, false, words);
    }
    be_svg_end(out);
}

void be_bus_svg(const struct be_profile *profile, struct be_text *out) {
    struct curve *curve = calloc(CURVES_MAX, sizeof *curve);
    const int curves = curve ? find_curves(profile, curve) : 0;
    if (curves) {
        draw_curves(curve, curves, out);
    }
    out->failed |= !curve;
    free(curve);
}
