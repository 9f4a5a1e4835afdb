/*
 * Energy counters: joules used since some moment, of the CPU's packages or of a GPU. Each counts all
 * that its hardware uses, for whomever, idle or not. Knows nothing of calls and of what is made of
 * the joules.
 */
#ifndef BE_MACHINE_ENERGY_H
#define BE_MACHINE_ENERGY_H

#include "breakeven.h"

struct be_energy;

/* A counter of energy, for some devices. */
struct be_energy_source {
    bool (*counts)(const struct be_device_info *info); /* may it know of such a device? */
    /* Leaves what it needs in `own`, and in `name` what is counted. BE_ABSENT: no counter of this
     * device, or no right to read it. */
    enum be_status (*open)(const struct be_device_info *info, struct be_energy *energy,
                           struct be_error *error);
    enum be_status (*read)(struct be_energy *energy, double *joules, struct be_error *error);
    void (*close)(struct be_energy *energy);
};

/* Zeroed: there is none. */
struct be_energy {
    const struct be_energy_source *source;
    const char *files; /* stands for the machine's root folder; "" it is that */
    void *own;
    char name[BE_NAME]; /* "powercap (2 packages, 2 dram)" */
    double limit_w;     /* its hardware is held to that; NAN: not known */
};

/* The counter of the hardware that the device is. `files`: "", or a folder that stands for the
 * root of the machine's /sys, and outlives the counter. */
enum be_status be_energy_open(const struct be_device_info *info, const char *files,
                              struct be_energy *energy, struct be_error *error);
/* Joules since it was opened or, of a GPU, since the driver was loaded: never less than before. */
enum be_status be_energy_read(struct be_energy *energy, double *joules, struct be_error *error);
void be_energy_close(struct be_energy *energy); /* accepts a zeroed one */

/* machine/energy_powercap.c: CPU packages and their memory, from the kernel. */
extern const struct be_energy_source be_energy_powercap;
/* machine/energy_gpu.c: NVIDIA's management library, and AMD's. */
extern const struct be_energy_source be_energy_nvml, be_energy_rocm;

#endif
