/*
 * The time of a whole comparison, shared among the work that is left: each workload gets its part of the time that
 * is left, and each of its sizes gets its part of that. Time that one workload does not need is there for the later
 * ones. Time that one workload takes too much is taken from all later ones alike, so that the last are not
 * starved. It does not know a clock: it is told the time, in seconds since any moment.
 */
#ifndef BE_BENCH_TIME_BUDGET_H
#define BE_BENCH_TIME_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "breakeven.h"

struct be_due {
    double total_s;                /* of everything; INFINITY: it takes what it takes */
    double all_s;                  /* moments when it is to be done: everything, */
    double workload_s, size_s;     /* the workload, and the size, that is being measured */
    bool first;                    /* the size is measured whatever time it is: a row has one */
    bool over;                     /* the size was given up for lack of time */
    bool brief;                    /* the workload was sampled for less time than usual */
    char left_out[BE_NOTE];        /* "sort from 3e7, nbody from 65536" */
    char sampled_briefly[BE_NOTE]; /* "solve, distance" */
};

/* From now on. */
struct be_due be_due_from(double now_s, double total_s);

/* When a part of what is left until `end_s` is to be done, where all that is left is `whole`, in
 * any unit: never after end_s, and not before now_s. */
double be_due_share(double now_s, double end_s, double part, double whole);

/* The sampling time of each of `cases` until end_s: at most the usual one, and at least a tenth of it,
 * since fewer samples would say nothing. */
double be_due_budget(double now_s, double end_s, int cases, double usual_s);

/* A workload begins: `part` of the `whole` that is left, itself included. */
void be_due_workload(struct be_due *due, double now_s, double part, double whole);

/* Its size number `size` of `sizes` begins, counted from 0. false: it would take `seconds` (NAN:
 * nobody knows), and there is no time for that; the first is measured in any case. */
bool be_due_size(struct be_due *due, double now_s, int size, int sizes, double seconds);

/* Is there time to go on with this size? Notes it in `over` when there is not. */
bool be_due_goes_on(struct be_due *due, double now_s);

/* Notes for the end of the comparison. */
void be_due_note_left_out(struct be_due *due, const char *workload, uint64_t size);
void be_due_note_brief(struct be_due *due, const char *workload);

#endif
