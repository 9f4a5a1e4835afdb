/*
 * The steps of a probe. A step measures one kind of thing on one target and adds figures, facts and
 * remarks to the profile; it knows nothing of other steps. Adding one is a function, declared in
 * cpu/cpu.h or devices/device.h, and a line in a table of steps/probe.c.
 */
#ifndef BE_MACHINE_PROBE_PROBE_H
#define BE_MACHINE_PROBE_PROBE_H

#include "machine/probe/record.h"

typedef enum be_status be_probe_step_run(struct be_probe *probe, const struct be_target *target,
                                         struct be_error *error);

struct be_probe_step {
    const char *name; /* "memory": for the progress line and for remarks */
    double seconds;   /* about what it takes */
    be_probe_step_run *run;
};

/* The value that k_random_* write for seed + i, with 24, 8, 11 bits: z[i] = be_probe_random(seed + i, bits). */
float be_probe_random(unsigned int i, int bits);

#endif
