/*
 * Least times: what a call demands of the hardware, and the ceilings of the place where it runs -> the least time that
 * the hardware allows it. Pure functions; they know nothing of workloads, and measure nothing.
 */
#ifndef BE_MODEL_LIMIT_H
#define BE_MODEL_LIMIT_H

#include "machine/ceilings.h"

/* The least that a call must do. */
struct be_demand {
    double bytes;   /* through memory: each read and each write counts */
    double updated; /* those of them that go to arrays that are written where they were read */
    double
        working_set; /* distinct bytes that are touched in turn: decides which cache can serve them */
    double again, again_set; /* bytes that are touched again; distinct ones among them */
    bool write;              /* hardly any of them is read */
    double operations;
    enum be_arithmetic arithmetic;
    double
        narrow; /* operations beside those that may be float32 or float64, as products of matrices, whichever is
                      faster */
    double dependent;       /* operations in a row, each of which needs the one before */
    double bus_in, bus_out; /* bytes over the bus; both directions can run at once */
};

/* Least time, seconds, and what sets it. NAN and BE_BY_NONE: not known, since nothing is, or since the rate of the term
 * that may decide is not. Matrix units whose rate is not known are at least as fast as plain arithmetic: where
 * that would not decide, they do not either.
 *
 * Memory takes what each kind of traffic would take by itself: an update needs no more lines than a read, and its
 * bytes count twice, so its rate is another. */
double be_limit_seconds(const struct be_ceilings *ceilings, const struct be_demand *demand,
                        enum be_limit *by);

#endif
