/*
 * A built-in workload's time on a CPU and on a GPU, without running it: as it was measured there, between two sizes
 * that were measured, scaled from another GPU's times, or else by the rule of predict from the workload's own counts
 * of operations and bytes, where it has such counts. It opens no file and measures nothing.
 */
#ifndef BE_ELSEWHERE_FORETELL_H
#define BE_ELSEWHERE_FORETELL_H

#include "elsewhere/elsewhere.h"
#include "predict/predict.h"
#include "workload/workload.h"

/* A CPU and a GPU, ready to be asked. It keeps pointers to both machines. */
struct be_foretell {
    const struct be_there *cpu, *gpu;
    struct be_predictor rule; /* teams 0: no profile of the CPU */
    bool gpu_known;           /* the rule knows the GPU */
};

/* BE_ABSENT: one of them has neither times nor rates of that side. */
enum be_status be_foretell_open(const struct be_there *cpu, const struct be_there *gpu,
                                struct be_foretell *foretell, struct be_error *error);

/* One call of the problem. A side of which nothing is known has NAN and BE_PREDICTED_UNKNOWN. `changes` are not
 * looked for. BE_USAGE: its numbers overflow. BE_ABSENT: it has no counts that a time follows from, and no times. */
enum be_status be_foretell_at(const struct be_foretell *foretell, const struct be_problem *problem,
                              enum be_placement placement, struct be_prediction *prediction,
                              struct be_error *error);

/* The problem by numbers: one call, as one kernel. */
struct be_predict_work be_foretell_work(const struct be_problem *problem,
                                        enum be_placement placement);

#endif
