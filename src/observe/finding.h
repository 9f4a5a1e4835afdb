/*
 * What follows from a trace: rules, each a pure function from a trace to at most one finding.
 * Knows nothing of sources, clocks or how findings are shown.
 */
#ifndef BE_OBSERVE_FINDING_H
#define BE_OBSERVE_FINDING_H

#include "observe/trace.h"

enum { BE_RUN_FINDINGS_MAX = 32 };

enum be_weight {
    BE_WEIGHT_GOOD, /* healthy, and worth saying */
    BE_WEIGHT_NOTE, /* worth knowing */
    BE_WEIGHT_COST, /* costs time or resources */
    BE_WEIGHTS
};

/* A rule that held. (struct be_finding is the one of machine profiles.) */
struct be_run_finding {
    int number;         /* of the rule, as in docs/run.md */
    char name[BE_NAME]; /* of the rule: "gpu-unused" */
    enum be_weight weight;
    int gpu;                /* index in the trace; -1: of the whole run */
    char evidence[BE_NOTE]; /* what was seen, with its numbers */
    double cost_s;          /* of the run's wall time; NAN: not known, or none */
    char advice[BE_NOTE];   /* a command, or a line of code; may be empty */
};

/* A number that a rule goes by, with where it is from. */
struct be_threshold {
    const char *name;
    double value;
    const char *unit;
    const char *source; /* "ours" where nobody else states it */
};

struct be_rule {
    int number;
    const char *name;
    const char *signals; /* what it looks at, in words; --explain prints these four */
    const char *rule;
    const char *source;
    const struct be_threshold *threshold; /* ends with a NULL name; may be NULL */
    /* True: it held, and *finding is filled but for number and name. Must answer for every trace,
     * an empty one too: what was not measured never holds. */
    bool (*check)(const struct be_trace *trace, struct be_run_finding *finding);
};

extern const struct be_rule *const be_rules[]; /* NULL-terminated, in the order they are shown */

const struct be_rule *be_rule_find(const char *name); /* NULL: there is none */

/* All that hold; how many. Too short a trace (be_trace_too_short) has none. */
int be_trace_findings(const struct be_trace *trace,
                      struct be_run_finding list[BE_RUN_FINDINGS_MAX]);

/* Fewer than 10 samples: nothing can be said of how well it ran. */
bool be_trace_too_short(const struct be_trace *trace);

#endif
