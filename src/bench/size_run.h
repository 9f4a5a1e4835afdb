/*
 * One size of a problem, ready to be measured: its cases, and the data, buffers and code that they need.
 * Knows nothing of when and how often they are called (bench/session_measure.c).
 */
#ifndef BE_BENCH_SIZE_RUN_H
#define BE_BENCH_SIZE_RUN_H

#include "bench/case/arrays.h"
#include "bench/session.h"

/* Zeroed fields are released as nothing. */
struct be_size_run {
    struct be_session *session;
    struct be_problem problem;
    const struct be_filter *filter;
    struct be_data data[BE_PLACES_MAX]; /* of place i, where it has data of its own */
    bool own_data[BE_PLACES_MAX];
    struct be_arrays arrays[BE_PLACES_MAX];
    struct be_scratch scratch[BE_PLACES_MAX][BE_VARIANTS];
    struct be_case *c;
    int cases;
};

/* Every case that the filter lets through; those that cannot run have that, and why, as their status. BE_NOMEM: the
 * host has no room for the data. The run is to be closed also after an error. */
enum be_status be_size_run_open(struct be_session *session, const struct be_problem *problem,
                                const struct be_filter *filter, struct be_size_run **opened,
                                struct be_error *error);
void be_size_run_close(struct be_size_run *run); /* NULL: nothing happens */

#endif
