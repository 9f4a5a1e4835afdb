/*
 * A probe at work: what everything shares that measures figures for a profile. A step measures one
 * kind of thing on one target and adds figures, facts and remarks to the profile; it knows nothing
 * of other steps. Adding one is a function and a line in a table of probe.c.
 */
#ifndef BE_MACHINE_PROBE_PROBE_H
#define BE_MACHINE_PROBE_PROBE_H

#include "base/clock.h"
#include "host/cores.h"
#include "host/team.h"
#include "device/device.h"
#include "machine/figure_kinds.h"
#include "stat/stat.h"

/* What a device said of itself between samples. */
struct be_load {
    int readings;
    double clock_min_hz, clock_max_hz, temperature_c; /* NAN: not told */
    uint64_t throttle;                                /* NVML's clock-event reason bits */
    double at_s;                                      /* when it was last asked */
};

struct be_probe {
    const struct be_probe_options *options;
    struct be_profile *profile;
    struct be_cores cores;
    struct be_clock clock;
    struct be_stop_rule rule;
    double started_s;
    double expected_s, done_s; /* of all steps, as their tables guess: for the progress line */
    const char *at;            /* step that runs now */
    struct be_load load;       /* of the device at hand */
};

/* What is measured: the CPU (device NULL) or a device, opened. */
struct be_target {
    const struct be_device_info *info;
    struct be_device *device;
    struct be_team *team; /* all cores; copies for a device */
};

struct be_probe_step {
    const char *name; /* "memory": for the progress line and for remarks */
    double seconds;   /* about what it takes */
    enum be_status (*run)(struct be_probe *probe, const struct be_target *target,
                          struct be_error *error);
};

/* ---- for steps ------------------------------------------------------------------------------ */

/* Does the thing `times` times, one after the other, and returns when all are done. */
typedef enum be_status be_probe_run(void *context, long times, struct be_error *error);

/* Samples `run` until the stop rule ends it, in batches of at least 1 ms, after one that warms up;
 * adds the figure that `key` says (device, what, dtype, threads, bytes, peer, note: the rest is
 * filled in here). `work`: bytes or operations of one time where the figure is a rate; ignored
 * where it is a time. BE_STOPPED when the caller asked to stop. */
enum be_status be_probe_measure(struct be_probe *probe, const struct be_target *target,
                                const struct be_figure *key, double work, be_probe_run *run,
                                void *context, struct be_error *error);

/* Adds the figure from samples taken elsewhere: seconds for `work`. */
enum be_status be_probe_add(struct be_probe *probe, const struct be_figure *key, double work,
                            const struct be_samples *seconds, struct be_error *error);

/* A thing that happens once by its nature (first call, opening): n is 1 and there is no interval.
 * In the unit of the figure. */
enum be_status be_probe_once(struct be_probe *probe, const struct be_figure *key, double value,
                             struct be_error *error);

void be_probe_fact(struct be_probe *probe, const char *device, const char *name, const char *text,
                   double number);
void be_probe_remark(struct be_probe *probe, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* BE_STOPPED with a text when the caller asked to stop, else BE_OK. To be asked now and then in
 * what takes long. */
enum be_status be_probe_pause(struct be_probe *probe, struct be_error *error);

/* Key of a figure without dtype, threads, bytes (NAN) and peer. */
struct be_figure be_figure_key(const struct be_target *target, const char *what);

/* ---- steps: probe_cpu_*.c and probe_device_*.c ---------------------------------------------- */

typedef enum be_status be_probe_step_run(struct be_probe *probe, const struct be_target *target,
                                         struct be_error *error);

be_probe_step_run be_probe_cpu_rates;   /* fma, clock: 1 core .. all */
be_probe_step_run be_probe_cpu_matmul;  /* matmul through the BLAS in use */
be_probe_step_run be_probe_cpu_memory;  /* triad, copy, working_set, update_set */
be_probe_step_run be_probe_cpu_latency; /* latency of each cache and of memory */
be_probe_step_run be_probe_cpu_threads; /* fork_join */
be_probe_step_run be_probe_cpu_pages;   /* page_fault */
be_probe_step_run be_probe_cpu_numa;    /* numa_triad, numa_latency where there are several nodes */
be_probe_step_run be_probe_cpu_disk;    /* disk_read, when a folder was given */

be_probe_step_run be_probe_device_facts;
be_probe_step_run be_probe_device_rates;   /* fma */
be_probe_step_run be_probe_device_memory;  /* read, write, copy, triad, working_set, cache_read */
be_probe_step_run be_probe_device_launch;  /* launch, launch_wait, launch_rate, graph_node */
be_probe_step_run be_probe_device_alloc;   /* alloc, release */
be_probe_step_run be_probe_device_first;   /* first_context, first_module, first_library */
be_probe_step_run be_probe_device_matmul;  /* matmul through the vendor's library */
be_probe_step_run be_probe_device_bus;     /* bus_*: figures over sizes, and their fits */
be_probe_step_run be_probe_device_numa;    /* bus_in_node, bus_out_node: several NUMA nodes */
be_probe_step_run be_probe_device_unified; /* unified_fault */
be_probe_step_run be_probe_device_peer;    /* peer_copy */
be_probe_step_run be_probe_device_load;    /* facts: what was seen while all this ran */

#endif
