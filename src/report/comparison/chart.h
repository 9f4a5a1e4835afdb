/*
 * Time over size as a chart: the best CPU code and one device in each placement, the least times that the hardware
 * allows, and where the device gets ahead. One panel a device; those of a workload share their axes. A chart shows
 * what the comparison holds, and measures and decides nothing.
 */
#ifndef BE_REPORT_COMPARISON_CHART_H
#define BE_REPORT_COMPARISON_CHART_H

#include "base/text.h"
#include "breakeven.h"
#include "report/common/plot.h"

/* unicode: the terminal can show more than ASCII. */
void be_chart_text(const struct be_comparison *comparison, bool unicode, struct be_text *out);
void be_chart_svg(const struct be_comparison *comparison, struct be_text *out);

/* ---- for the two above ---------------------------------------------------------------------- */

/* The fastest case of one size; its interval, and the least time that the hardware allows it (NAN: not known). */
struct be_chart_point {
    double size, s, lo_s, hi_s, limit_s;
};

struct be_chart_curve {
    enum be_placement placement; /* BE_HOST: the best CPU code */
    struct be_chart_point *point;
    int points;                      /* by ascending size */
    const struct be_breakeven *even; /* NULL: there is none */
};

struct be_chart_panel {
    const struct be_comparison *all;
    const struct be_result *like;      /* workload, type, what the size is */
    const char *device;                /* id; NULL: the CPU alone */
    const struct be_device_info *info; /* NULL: the machine does not list it */
    enum be_cache cache;
    struct be_chart_curve curve[BE_PLACEMENTS];
    int curves; /* the CPU's is the first, and may have no point */
};

/* The panels of one workload. */
struct be_chart_row {
    struct be_chart_panel panel[BE_DEVICES_MAX];
    int panels;
    struct be_axis size, time;
};

/* All of a comparison. */
struct be_chart {
    struct be_chart_row *row; /* workloads that have a time, in their order */
    int rows, panels;
    int columns; /* panels of the row that has most */
    bool failed; /* memory ran out: it is not whole */
};

/* *chart owns memory: be_chart_free. */
void be_chart_of(const struct be_comparison *comparison, struct be_chart *chart);
void be_chart_free(struct be_chart *chart);

/* A curve's time at a size, on straight lines between its points; NAN beyond them. */
double be_chart_time_at(const struct be_chart_curve *curve, double size);
/* The same of the least times. */
double be_chart_limit_at(const struct be_chart_curve *curve, double size);

/* A stretch of sizes in which a device is ahead for certain, and one in which it gets there; NAN: there is none. */
struct be_chart_ahead {
    double from, to;         /* ahead beyond doubt */
    double doubt, doubt_end; /* the interval of where it gets ahead, or falls behind */
    double at;               /* where it most likely does */
};
struct be_chart_ahead be_chart_ahead_of(const struct be_breakeven *even);

/* "power: z = x^y, float32", and "h100: NVIDIA H100, measured elsewhere, ..." */
void be_chart_title(const struct be_chart_panel *panel, struct be_text *out);
void be_chart_device(const struct be_chart_panel *panel, struct be_text *out);

/* "~6e4 (1e4-1e6)", as the overview has it. */
void be_chart_answer(const struct be_chart_panel *panel, enum be_placement placement,
                     char words[BE_NAME]);

#endif
