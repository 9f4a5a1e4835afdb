/*
 * How many chunks of a call have their work put into the queue as one range, a slice. Copies overlap with work best
 * where slices are small; but a slice that does not fill the device takes about as long as one that does. It follows
 * from times that are measured, not from what a workload says: so it also holds for a library's code and for a
 * user's. It knows neither devices nor clocks.
 */
#ifndef BE_BENCH_CASE_CUT_H
#define BE_BENCH_CASE_CUT_H

#include "base/error.h"

struct be_cut {
    size_t chunks; /* of the whole call: 1 at least */
    double in_s,
        out_s; /* least times of all copies, seconds; NAN: not known, which counts as none */
    /* The seconds that the work of so many chunks takes, as one range. */
    enum be_status (*time)(void *context, size_t chunks, double *seconds, struct be_error *error);
    void *context;
};

/* Tries slices of 1, 2, 4 ... chunks until one is no better than the one before, the copies take longer than the
 * work, or all is one. */
enum be_status be_cut_choose(const struct be_cut *cut, size_t *at_a_time, struct be_error *error);

#endif
