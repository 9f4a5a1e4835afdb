/*
 * How much longer a CPU takes for a kind of work than a GPU does, call by call, from workloads that were measured on
 * both. It reads no file.
 */
#ifndef BE_ASK_SCALE_H
#define BE_ASK_SCALE_H

#include "ask/kinds.h"
#include "breakeven_results.h"
#include "predict/predict.h"

enum { BE_ASK_POINTS = 160 };

/* One size of one workload that does such work. Times are those of a call. */
struct be_ask_point {
    double cpu_s; /* on one core */
    double team; /* that over the time on all cores of that machine, at least 1; NAN not measured */
    double bytes; /* that the call moves at least; NAN not known */
    double stay;  /* GPU time / cpu_s, with data that stay on the GPU */
    double copy;  /* the same, with data that are copied with every call; NAN not measured */
};

struct be_ask_scale {
    char name[BE_NAME];        /* of the machine, as it was asked for */
    char gpu[BE_NAME * 2];     /* "NVIDIA A100-SXM4-80GB" */
    char scaled_from[BE_NAME]; /* of whose times these are scaled ones; empty: they were measured */
    struct be_ask_point point[BE_WORK_KINDS][BE_ASK_POINTS];
    int points[BE_WORK_KINDS];
    struct be_predict_place place; /* by its profile or data sheet */
    bool has_place;
    struct be_ask_start {
        double lo_s, typical_s, hi_s; /* the GPU's driver, and with the first call of usual code */
    } start;
};

/* `cpu`: times of one core and of all; `gpu`: times of that GPU, of the same workloads. Both may be the same. BE_ABSENT: they
 * share no workload. */
enum be_status be_ask_scale_of(const struct be_results *cpu, const struct be_results *gpu,
                               struct be_ask_scale *scale, struct be_error *error);

/* GPU time / CPU time of work of that kind. */
struct be_ask_ratio {
    double lo, typical, hi; /* NAN: no workload does such work */
    double copy_typical;    /* with copies; NAN not known */
};

/* That of calls whose length and size are not known but for their bounds: `least_s` of one call on one core, `most_bytes`
 * of its data (NAN: any); `threads` worked on the CPU at a time. The interval also has how far usual code is from the best
 * (docs/prediction.md). */
struct be_ask_ratio be_ask_ratio_of(const struct be_ask_scale *scale, enum be_work_kind kind,
                                    double threads, double least_s, double most_bytes);

/* The workloads of breakeven that do such work, with blanks between them; NULL: none. */
const char *be_ask_workloads(enum be_work_kind kind);

#endif
