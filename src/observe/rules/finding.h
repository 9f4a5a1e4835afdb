/*
 * The findings of a trace: rules, each a pure function from a trace to at most one finding, and the numbers that
 * they use. It does not know sources, clocks or how findings are shown.
 *
 * A signal that was not measured, or for fewer than 10 samples, never makes a finding.
 */
#ifndef BE_OBSERVE_RULES_FINDING_H
#define BE_OBSERVE_RULES_FINDING_H

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

/* ---- thresholds ------------------------------------------------------------------------------ */

/* One line of thresholds.c each. */
enum be_threshold_id {
    BE_T_NONE, /* ends a rule's list */
    BE_T_SAMPLES,
    BE_T_IDLE,
    BE_T_EDGE,
    BE_T_EDGE_TICK,
    BE_T_SPREAD,
    BE_T_BUSY,
    BE_T_EMPTY,
    BE_T_SM_LOW,
    BE_T_SM_GOOD,
    BE_T_OCCUPANCY,
    BE_T_DRAM,
    BE_T_DRAM_NEAR,
    BE_T_TENSOR,
    BE_T_FP32,
    BE_T_FP64,
    BE_T_FP64_WEAK,
    BE_T_BUS,
    BE_T_BUS_SM,
    BE_T_BUS_LOW,
    BE_T_COPIES,
    BE_T_PAGEABLE,
    BE_T_PAGEABLE_SOME,
    BE_T_PAGEABLE_TIME,
    BE_T_ONE_THREAD,
    BE_T_SHORT_KERNEL,
    BE_T_LAUNCHING,
    BE_T_LAUNCH_PAUSES,
    BE_T_LAUNCH_GAP,
    BE_T_WORKER,
    BE_T_STALLED_GPU,
    BE_T_STALLED_TIME,
    BE_T_WAITING_GPU,
    BE_T_IO_WAIT,
    BE_T_SYNC_GAPS,
    BE_T_SYNC_IDLE,
    BE_T_RUN_WAIT,
    BE_T_QUOTA,
    BE_T_MACHINE_FULL,
    BE_T_OTHERS,
    BE_T_SERIAL_FROM,
    BE_T_SERIAL_TO,
    BE_T_TURNS,
    BE_T_LOCKED,
    BE_T_READY,
    BE_T_CPU_LOW,
    BE_T_NO_WORK,
    BE_T_SMALL_BUSY,
    BE_T_SMALL_BYTES,
    BE_T_MEMORY_FULL,
    BE_T_STARTUP,
    BE_T_STARTUP_S,
    BE_T_LINK,
    BE_T_NCCL,
    BE_T_HELD,
    BE_T_POWER_DRAWN,
    BE_T_CLOCK_LOW,
    BE_T_MEMORY_ASKED,
    BE_T_MEMORY_SPARE,
    BE_T_CORES_A_GPU,
    BE_THRESHOLDS
};

/* A number that rules go by, with where it is from. */
struct be_threshold {
    const char *name; /* "SM activity, good" */
    double value;
    const char *unit;   /* "share", "s", "bytes", "bytes/s", "samples", "cores" */
    const char *source; /* who states it; "ours: ..." with our reason where nobody else does */
};
extern const struct be_threshold be_thresholds[BE_THRESHOLDS];

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
};

extern const struct be_rule be_rules[]; /* ends with a NULL name, by number */

const struct be_rule *be_rule_find(const char *name); /* NULL: there is none */

/* All that hold; how many. Those that cost come first, the dearest before the others; then what is
 * worth knowing; then what is healthy. Of too short a trace there is only that. */
int be_trace_findings(const struct be_trace *trace,
                      struct be_run_finding list[BE_RUN_FINDINGS_MAX]);

/* The same of a trace and its last part, which begins at from_s (recent.h): each rule is asked of the
 * one that it is for. */
int be_findings_of(const struct be_trace *whole, const struct be_trace *window, double from_s,
                   struct be_run_finding list[BE_RUN_FINDINGS_MAX]);

/* Fewer than 10 samples: nothing can be said of how well it ran. */
bool be_trace_too_short(const struct be_trace *trace);

#endif
