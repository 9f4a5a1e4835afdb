#include "report/common/plot.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "report/common/svg.h"

enum { PIXELS_OF_MARK = 46, PIXELS_OF_LINE = 26 };

/* ---- axes ----------------------------------------------------------------------------------- */

static bool is_log(const struct be_axis *axis) {
    return axis->kind == BE_AXIS_LOG || axis->kind == BE_AXIS_LOG_TIME;
}

struct be_axis be_axis_around(double least, double most, enum be_axis_kind kind) {
    struct be_axis axis = {least, most, kind};
    if (kind == BE_AXIS_LOG_TIME) {
        axis.from = least > 0 ? log10(least) : 0;
        axis.to = most > 0 ? log10(most) : 1;
    } else if (kind == BE_AXIS_LOG) {
        axis.from = least > 0 ? floor(log10(least)) : -1;
        axis.to = most > 0 ? ceil(log10(most)) : axis.from + 1;
    }
    axis.from = isfinite(axis.from) ? axis.from : 0;
    axis.to = isfinite(axis.to) && axis.to > axis.from ? axis.to : axis.from + 1;
    return axis;
}

double be_axis_share(const struct be_axis *axis, double value) {
    const double at = !is_log(axis) ? value : value > 0 ? log10(value) : NAN;
    return isfinite(at) ? (at - axis->from) / (axis->to - axis->from) : NAN;
}

static double mark_of_decades(const struct be_axis *axis, int most, int i) {
    static const double part[] = {1, 2, 5};
    const int from = (int)floor(axis->from), to = (int)ceil(axis->to);
    const int decades = (int)floor(axis->to) - (int)ceil(axis->from) + 1;
    const bool parts = decades < 3;
    const int step = decades > most ? (decades + most - 1) / most : 1;
    for (int decade = from, seen = 0; decade <= to; decade++) {
        for (size_t k = 0; k < (parts ? BE_COUNT(part) : 1); k++) {
            const double at = decade + log10(part[k]), value = part[k] * pow(10, decade);
            if (at < axis->from || at > axis->to || decade % step != 0 || !isnormal(value)) {
                continue;
            }
            if (seen++ == i) {
                return value;
            }
        }
    }
    return NAN;
}

/* Times that people know. */
static double mark_of_waits(const struct be_axis *axis, int most, int i) {
    static const double mark_s[] = {1, 10, 60, 600, 3600, 21600, 86400, 604800, 2592000};
    const double wide = 0.6 * (axis->to - axis->from) / fmax(most, 1); /* they are uneven */
    double last = -INFINITY;
    for (size_t k = 0; k < BE_COUNT(mark_s); k++) {
        const double at = log10(mark_s[k]);
        if (at >= axis->from - 1e-9 && at <= axis->to + 1e-9 && at - last >= wide) {
            last = at;
            if (i-- == 0) {
                return mark_s[k];
            }
        }
    }
    return NAN;
}

/* 1, 2 or 5 times a power of ten. */
static double round_step(double least) {
    const double power = pow(10, floor(log10(least)));
    return power * (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10);
}

static double time_step(double least) {
    static const double step_s[] = {60,        120,   300,       600,      1200,
                                    1800,      3600,  7200,      3 * 3600, 6 * 3600,
                                    12 * 3600, 86400, 2 * 86400, 7 * 86400};
    if (least <= 30) {
        return round_step(least);
    }
    for (size_t i = 0; i < BE_COUNT(step_s); i++) {
        if (step_s[i] >= least) {
            return step_s[i];
        }
    }
    return 86400 * round_step(least / 86400);
}

double be_axis_mark(const struct be_axis *axis, int most, int i) {
    if (is_log(axis)) {
        return axis->kind == BE_AXIS_LOG ? mark_of_decades(axis, most, i)
                                         : mark_of_waits(axis, most, i);
    }
    const double least = (axis->to - axis->from) / fmax(most, 1);
    const double step = axis->kind == BE_AXIS_TIME ? time_step(least) : round_step(least);
    const double value = (ceil(axis->from / step - 1e-9) + i) * step;
    return value <= axis->to + 1e-9 * step ? value : NAN;
}

/* ---- a plot --------------------------------------------------------------------------------- */

double be_plot_x(const struct be_plot *plot, double value) {
    return plot->left + plot->width * be_axis_share(&plot->x, value);
}

double be_plot_y(const struct be_plot *plot, double value) {
    return plot->top + plot->height * (1 - be_axis_share(&plot->y, value));
}

double be_plot_x_within(const struct be_plot *plot, double value) {
    return fmin(fmax(be_plot_x(plot, value), plot->left), plot->left + plot->width);
}

double be_plot_y_within(const struct be_plot *plot, double value) {
    return fmin(fmax(be_plot_y(plot, value), plot->top), plot->top + plot->height);
}

void be_plot_marks(const struct be_plot *plot, double below) {
    const double bottom = plot->top + plot->height, foot = bottom + below;
    char word[BE_WORD];
    double value;
    for (int i = 0; plot->x_word &&
                    isfinite(value = be_axis_mark(&plot->x, (int)plot->width / PIXELS_OF_MARK, i));
         i++) {
        const double x = be_plot_x(plot, value);
        be_svg_line(plot->out, "g", x, plot->top, x, foot);
        be_svg_label(plot->out, x, foot + 14, "middle", "q",
                     plot->x_word(word, sizeof word, value));
    }
    for (int i = 0; plot->y_word &&
                    isfinite(value = be_axis_mark(&plot->y, (int)plot->height / PIXELS_OF_LINE, i));
         i++) {
        const double y = be_plot_y(plot, value);
        be_svg_line(plot->out, "g", plot->left, y, plot->left + plot->width, y);
        be_svg_label(plot->out, plot->left - 6, y + 4, "end", "q",
                     plot->y_word(word, sizeof word, value));
    }
    if (plot->x_name) {
        be_svg_label(plot->out, plot->left + plot->width / 2, foot + 29, "middle", "q",
                     plot->x_name);
    }
    if (plot->y_name) {
        be_svg_label(plot->out, plot->left, plot->top - 6, "start", "q", plot->y_name);
    }
}

void be_plot_frame(const struct be_plot *plot, double below) {
    be_plot_marks(plot, below);
    be_svg_bar(plot->out, "a", plot->left, plot->top, plot->width, plot->height, NULL);
}

void be_plot_curve(const struct be_plot *plot, const char *class, const double *x, const double *y,
                   int points) {
    bool pen = false;
    be_text_add(plot->out, "<path class=\"%s\" d=\"", class);
    for (int i = 0; i < points; i++) {
        const double at = be_plot_x(plot, x[i]), high = be_plot_y(plot, y[i]);
        const bool there = isfinite(at) && isfinite(high);
        if (there) {
            be_text_add(plot->out, "%c%.1f %.1f", pen ? 'L' : 'M', at, high);
        }
        pen = there;
    }
    be_text_add(plot->out, "\"/>\n");
}

void be_plot_steps(const struct be_plot *plot, const char *class, const double *edge,
                   const double *value, int stretches) {
    const double ground = plot->top + plot->height;
    bool pen = false;
    double last = NAN;
    be_text_add(plot->out, "<path class=\"%s\" d=\"", class);
    for (int i = 0; i < stretches; i++) {
        const double y = be_plot_y(plot, value[i]), x = be_plot_x(plot, edge[i]);
        if (!isfinite(y)) {
            be_text_add(plot->out, "%s", pen ? "Z" : "");
            pen = false;
            continue;
        }
        if (!pen) {
            be_text_add(plot->out, "M%.1f %.1f", x, ground);
        }
        if (!pen || fabs(y - last) >= 0.05) { /* less is not seen */
            be_text_add(plot->out, "H%.1fV%.1f", x, y);
            last = y;
        }
        pen = true;
        if (i + 1 == stretches || !isfinite(be_plot_y(plot, value[i + 1]))) {
            be_text_add(plot->out, "H%.1fV%.1f", be_plot_x(plot, edge[i + 1]), ground);
        }
    }
    be_text_add(plot->out, "%s\"/>\n", pen ? "Z" : "");
}

void be_plot_band(const struct be_plot *plot, const char *class, const double *x, const double *lo,
                  const double *hi, int points) {
    const char *command = "M";
    be_text_add(plot->out, "<path class=\"%s\" d=\"", class);
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < points; k++) {
            const int i = side ? points - 1 - k : k;
            const double at = be_plot_x(plot, x[i]);
            const double low = be_plot_y(plot, lo[i]), high = be_plot_y(plot, hi[i]);
            if (isfinite(at) && isfinite(low) && isfinite(high)) {
                be_text_add(plot->out, "%s%.1f %.1f", command, at, side ? low : high);
                command = "L";
            }
        }
    }
    be_text_add(plot->out, "%s\"/>\n", *command == 'L' ? "Z" : "");
}

/* ---- words ---------------------------------------------------------------------------------- */

const char *be_plot_seconds(char *to, size_t capacity, double value) {
    return be_format_seconds(to, capacity, value, "");
}

const char *be_plot_duration(char *to, size_t capacity, double value) {
    static const struct {
        double unit_s;
        const char *name;
    } unit[] = {{86400, "d"}, {3600, "h"}, {60, "min"}};
    for (size_t i = 0; i < BE_COUNT(unit); i++) {
        if (value >= unit[i].unit_s - 1e-9) {
            snprintf(to, capacity, "%.3g %s", value / unit[i].unit_s, unit[i].name);
            return to;
        }
    }
    snprintf(to, capacity, value > 0 ? "%.3g s" : "0", value);
    return to;
}

const char *be_plot_size(char *to, size_t capacity, double value) {
    return be_format_n(to, capacity, value);
}
