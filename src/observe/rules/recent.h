/*
 * The findings of the last part of a growing trace, and since when they hold, so that a fault that begins late or
 * ends is seen. It does not know a clock: now is the end of the trace.
 *
 * The window is the last minutes as a trace of its own, which every rule can look at. Some rules hold a request
 * against the maximum use, or look at the beginning. They have be_rule.whole and are asked about the whole trace.
 */
#ifndef BE_OBSERVE_RULES_RECENT_H
#define BE_OBSERVE_RULES_RECENT_H

#include "observe/rules/finding.h"

/* ---- the last part of a trace --------------------------------------------------------------- */

enum { BE_WINDOW_SAMPLES = 30, BE_WINDOW_TICKS = 8 }; /* fewer are not enough for a verdict */

/* The last `length_s` of `whole`, longer where that has fewer samples or ticks than the above; all of
 * it if it is shorter. Returns when it begins, seconds since the start of `whole`, from which times in
 * it count. Sums are those of its ticks; what only the kernel sums up over a whole run is NAN. Values
 * are those of `whole`: it must outlive the window and get no tick meanwhile. */
enum be_status be_window_open(const struct be_trace *whole, double length_s,
                              struct be_trace *window, double *from_s, struct be_error *error);
void be_window_close(struct be_trace *window); /* accepts a zeroed one */

/* Findings of now: each rule asked of the window, or of the whole. As be_trace_findings, from which it
 * differs in from_s; of too short a trace there are none. `length_s` 0: all of the whole. */
int be_findings_now(const struct be_trace *whole, double length_s,
                    struct be_run_finding list[BE_RUN_FINDINGS_MAX]);

/* ---- findings over time --------------------------------------------------------------------- */

/* One that has not held for so long is over: means near a threshold come and go. */
extern const double be_recent_over_s;

enum be_news { BE_NEWS_NONE, BE_NEWS_BEGAN, BE_NEWS_ENDED };

/* A rule that held at some time. By name, not by GPU: which GPU it is worst for changes by chance. */
struct be_recent_one {
    struct be_run_finding finding; /* as it last held; number 0: it never did */
    double since_s; /* the first look at which it held, of the last time that it did */
    double last_s;  /* the last look at which it held */
    bool over;
    enum be_news news; /* of the last look */
};

struct be_recent {
    struct be_recent_one one[BE_RUN_FINDINGS_MAX]; /* by number of the rule */
};

/* Takes in what held in a look at `now_s`. */
void be_recent_take(struct be_recent *recent, const struct be_run_finding *list, int count,
                    double now_s);

#endif
