/*
 * A probe at work: what is measured, with what, and how steps put figures, facts and remarks into the
 * profile. Knows nothing of which steps there are.
 */
#ifndef BE_MACHINE_PROBE_RECORD_H
#define BE_MACHINE_PROBE_RECORD_H

#include "base/clock.h"
#include "host/cores.h"
#include "host/team.h"
#include "device/device.h"
#include "machine/figure_kinds.h"
#include "stat/stat.h"

/* The state that a device reported between samples. */
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

/* The thing that is measured: the CPU (device NULL) or a device, opened. */
struct be_target {
    const struct be_device_info *info;
    struct be_device *device;
    struct be_team *team; /* all cores; copies for a device */
};

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

/* Tells the caller of the probe what is measured now: `what` of device `id`, "" for the step itself. */
void be_probe_show(const struct be_probe *probe, const char *id, const char *what);

#endif
