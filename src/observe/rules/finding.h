/*
 * The findings of a trace: rules, each a pure function from a trace to at most one finding, and the numbers that
 * they use. It does not know sources, clocks or how findings are shown.
 *
 * A signal that was not measured, or for fewer than 10 samples, never makes a finding.
 */
#ifndef BE_OBSERVE_RULES_FINDING_H
#define BE_OBSERVE_RULES_FINDING_H

#include "observe/rules/thresholds.h"
#include "observe/trace.h"

enum { BE_RUN_FINDINGS_MAX = 48 };

enum be_weight {
    BE_WEIGHT_GOOD, /* healthy, and worth saying */
    BE_WEIGHT_NOTE, /* worth knowing */
    BE_WEIGHT_COST, /* costs time or resources */
    BE_WEIGHTS
};

/* A rule that held. (struct be_finding is the one of machine profiles.) */
struct be_run_finding {
    int number;         /* of the rule, as in docs/findings.md */
    char name[BE_NAME]; /* of the rule: "gpu-unused" */
    enum be_weight weight;
    int gpu;                /* index in the trace; -1: of the whole run */
    char evidence[BE_NOTE]; /* what was seen, with its numbers: a sentence */
    double cost_s;          /* of the run's wall time, at most: lost, or what was reserved lay idle;
                               NAN: not known, or none */
    char advice[BE_NOTE];   /* a command, or a line of code, or what to try; may be empty */
    double from_s, to_s;    /* the time that it is about, since the start of the trace */
};

/* ---- rules ----------------------------------------------------------------------------------- */

enum { BE_RULE_THRESHOLDS = 10 };

struct be_rule {
    int number;
    const char *name;
    const char *signals; /* what it looks at, in words; --explain prints these four */
    const char *rule;
    const char *source;
    enum be_threshold_id threshold[BE_RULE_THRESHOLDS]; /* ends with BE_T_NONE */
    const char *unless; /* names of rules, each with a blank behind it: what they say explains this
                           one, which is then not said; NULL: none */
    bool each_gpu;      /* asked for each GPU that only the program uses; finding->gpu says which */
    /* True: it held, and *finding is filled but for number and name. Must answer for every trace,
     * an empty one too: what was not measured never holds. */
    bool (*check)(const struct be_trace *trace, struct be_run_finding *finding);
    bool
        whole; /* of the last part of a trace it would say nothing: what was asked for is held against
                   the most that was ever used, and a beginning is over once */
    /* The same fault without a GPU, with each_gpu: asked of the whole program where no GPU has it. NULL: there is none. */
    bool (*check_cpu)(const struct be_trace *trace, struct be_run_finding *finding);
};

extern const struct be_rule be_rules[]; /* ends with a NULL name, by number */

const struct be_rule *be_rule_find(const char *name); /* NULL: there is none */

/* All that hold; how many. Those that cost come first, the dearest before the others; then what is
 * worth knowing; then what is healthy. A trace that is too short has only the last kind. */
int be_trace_findings(const struct be_trace *trace,
                      struct be_run_finding list[BE_RUN_FINDINGS_MAX]);

/* The same of a trace and its last part, which begins at from_s (recent.h): each rule is asked of the
 * one that it is for. */
int be_findings_of(const struct be_trace *whole, const struct be_trace *window, double from_s,
                   struct be_run_finding list[BE_RUN_FINDINGS_MAX]);

#endif
