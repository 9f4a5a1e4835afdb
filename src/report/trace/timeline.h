/*
 * The quantities of a trace over time: which are shown, and their values in equal parts of a run. It does not know
 * findings.
 */
#ifndef BE_REPORT_TRACE_TIMELINE_H
#define BE_REPORT_TRACE_TIMELINE_H

#include "observe/rules/finding.h"
#include "base/text.h"

enum { BE_LANES_MAX = 16, BE_LANE_GPUS_MAX = 4 };

/* One quantity over time. */
struct be_lane {
    char name[2 * BE_NAME]; /* "GPU 0: running kernels" */
    enum be_signal signal;
    int of;
    double full; /* the value at the top: all cores, all memory; never 0 */
    bool gpu;
};

/* Those with a value, at most BE_LANES_MAX; how many. */
int be_timeline_lanes(const struct be_trace *trace, struct be_lane lane[BE_LANES_MAX]);
/* A value of a lane in words: "3.2 cores", "12 GB". */
const char *be_lane_word(char *to, size_t capacity, const struct be_lane *lane, double value);

/* The value in from_s..to_s: the mean by time, or of what must not be exceeded the maximum. NAN: not measured. */
double be_timeline_value(const struct be_trace *trace, const struct be_signal_series *series,
                         double from_s, double to_s);

/* All lanes, and the findings below them, as SVG. Nothing where there are fewer than two ticks. */
void be_timeline_svg(const struct be_trace *trace, const struct be_run_finding *found, int count,
                     struct be_text *out);

#endif
