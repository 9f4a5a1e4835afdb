/*
 * Energy a call: a case is repeated back to back, and a counter is looked at in between. Counters move
 * in steps, so how often this one does is measured first, and what its steps leave open is said.
 */
#ifndef BE_BENCH_CASE_ENERGY_H
#define BE_BENCH_CASE_ENERGY_H

#include "bench/case/case.h"
#include "machine/energy.h"

/* A counter and how it moves. */
struct be_meter {
    struct be_energy energy; /* zeroed: there is none, and why says the reason */
    double step_s;           /* from one change to the next */
    double read_s;           /* a look at it takes */
    char why[BE_NOTE];
};

/* Opens the counter of the hardware that the device is; `files` as in machine/energy.h. Watches the
 * counter for two seconds at most. A counter that is absent is a reason, not an error. */
void be_meter_open(struct be_meter *meter, const struct be_device_info *info, const char *files,
                   const struct be_clock *clock);
void be_meter_close(struct be_meter *meter); /* accepts a zeroed one */

/* Repeats a case that is right for about a second, longer where the counter's steps or the calls are
 * long, and sets the joules and seconds a call of its result, or the reason why there are none. Not begun where
 * it would not be done at until_s. `host`: of the CPU, where the case is of a device that is none;
 * may be NULL. */
void be_case_energy(struct be_case *c, struct be_meter *meter, struct be_meter *host,
                    const struct be_clock *clock, double until_s, const struct be_cancel *cancel);

#endif
