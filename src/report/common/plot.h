/*
 * Axes, and a plot between two of them as SVG. It does not know what is drawn. A value that has no place on an axis
 * (NAN, or 0 on a logarithmic one) is left out: a curve has a gap there.
 */
#ifndef BE_REPORT_COMMON_PLOT_H
#define BE_REPORT_COMMON_PLOT_H

#include "base/text.h"

enum be_axis_kind {
    BE_AXIS_LOG,      /* from and to are logarithms to base 10 */
    BE_AXIS_LOG_TIME, /* the same, of seconds: marks at a minute, an hour, a day */
    BE_AXIS_LINEAR,
    BE_AXIS_TIME /* linear, in seconds: marks at whole minutes, hours, days */
};

struct be_axis {
    double from, to;
    enum be_axis_kind kind;
};

/* Around both values, to whole decades where it is logarithmic; never empty. */
struct be_axis be_axis_around(double least, double most, enum be_axis_kind kind);
/* 0 .. 1 within the axis; NAN where the value has no place on it. */
double be_axis_share(const struct be_axis *axis, double value);
/* Number i of the marks on an axis that has room for `most`: powers of ten, or 1, 2, 5 of them, or round times; NAN: no
 * more. */
double be_axis_mark(const struct be_axis *axis, int most, int i);

struct be_plot {
    struct be_text *out;
    double left, top, width, height; /* pixels of the sheet */
    struct be_axis x, y;
    /* A mark's value in words, and the name of an axis; NULL: none. */
    const char *(*x_word)(char *to, size_t capacity, double value);
    const char *(*y_word)(char *to, size_t capacity, double value);
    const char *x_name, *y_name;
};

double be_plot_x(const struct be_plot *plot, double value);
double be_plot_y(const struct be_plot *plot, double value);
/* The same, but never outside the plot. */
double be_plot_x_within(const struct be_plot *plot, double value);
double be_plot_y_within(const struct be_plot *plot, double value);

/* Grid, marks with their values, frame and names. Lines down end `below` pixels under the plot, where the marks of x
 * stand. */
void be_plot_frame(const struct be_plot *plot, double below);
/* The same without the frame. */
void be_plot_marks(const struct be_plot *plot, double below);
/* A line through the points; `class` as of svg.h. */
void be_plot_curve(const struct be_plot *plot, const char *class, const double *x, const double *y,
                   int points);
/* A value for each stretch between two edges, of which there is one more: the area below, with its edge. */
void be_plot_steps(const struct be_plot *plot, const char *class, const double *edge,
                   const double *value, int stretches);
/* The area between two curves; points where one of them has no place are left out. */
void be_plot_band(const struct be_plot *plot, const char *class, const double *x, const double *lo,
                  const double *hi, int points);

/* Values of marks in words. */
const char *be_plot_seconds(char *to, size_t capacity, double value);
const char *be_plot_duration(char *to, size_t capacity, double value); /* "90 s", "1.5 h" */
const char *be_plot_size(char *to, size_t capacity, double value);

#endif
