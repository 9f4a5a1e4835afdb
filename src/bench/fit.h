/*
 * Which sizes of a plan can be measured: those that some variant takes, and whose data the host can hold. Asked before
 * anything is opened, and again when it is known where the comparison runs.
 */
#ifndef BE_BENCH_FIT_H
#define BE_BENCH_FIT_H

#include "bench/session.h"

struct be_fit {
    const struct be_compare_options *options;
    const struct be_session_run *run; /* NULL: no place is open yet */
};

static inline int be_fit_places(const struct be_fit *fit) {
    return fit->run ? fit->run->places : 0;
}

/* How many of the problem the host can hold. */
double be_fit_copies(const struct be_fit *fit, const struct be_problem *problem);

/* Leaves out of a range the sizes that no variant takes. BE_USAGE: sizes named one by one are taken by none. */
enum be_status be_fit_taken(struct be_plan *plan, struct be_error *error);
/* Leaves out of a range the sizes that do not fit; *left_out: the first of them, 0: none. BE_NOMEM: sizes named one by
 * one do not fit, or none does. */
enum be_status be_fit_keep(const struct be_fit *fit, struct be_plan *plan, uint64_t *left_out,
                           struct be_error *error);

/* Finds the plans that the options name, before anything is opened or measured: workloads that there are, sizes that
 * make sense and fit the host. */
enum be_status be_fit_plans(const struct be_compare_options *options, const struct be_known *known,
                            struct be_plan *plan, int *plans, struct be_error *error);

#endif
