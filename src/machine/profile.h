/*
 * Profiles as data: growing a profile, looking up its figures, fitting lines, taking ceilings from it. It does not
 * know files, and it measures nothing. All functions are pure functions of their arguments.
 */
#ifndef BE_MACHINE_PROFILE_H
#define BE_MACHINE_PROFILE_H

#include "breakeven_profile.h"
#include "machine/ceilings.h"

/* Each adds a copy at the end. BE_NOMEM: the profile is as before. */
enum be_status be_profile_add_figure(struct be_profile *profile, const struct be_figure *figure,
                                     struct be_error *error);
enum be_status be_profile_add_fit(struct be_profile *profile, const struct be_fit *fit,
                                  struct be_error *error);
enum be_status be_profile_add_fact(struct be_profile *profile, const struct be_fact *fact,
                                   struct be_error *error);
enum be_status be_profile_add_finding(struct be_profile *profile, const struct be_finding *finding,
                                      struct be_error *error);
enum be_status be_profile_add_remark(struct be_profile *profile, const char *remark,
                                     struct be_error *error);

/* Figures in the order they are read: devices as the machine has them, kinds as figure_kinds.c, then
 * type, threads, bytes (none first) and the other end. */
void be_profile_sort(struct be_profile *profile);

/* The fact, or NULL. device "": of the machine. */
const struct be_fact *be_profile_fact(const struct be_profile *profile, const char *device,
                                      const char *name);
const struct be_fit *be_profile_fit(const struct be_profile *profile, const char *device,
                                    const char *what, const char *peer);

/* Its first GPU, or NULL. */
const struct be_device_info *be_profile_gpu(const struct be_profile *profile);

/* The highest figure of that kind, whatever its size; dtype NULL: of any type. reached: of a data sheet times what
 * programs reach of it, where that is known. NAN: there is none. */
double be_profile_highest(const struct be_profile *profile, const char *device, const char *what,
                          const char *dtype, bool reached);

/* Bytes a second that a GPU's last-level cache gives, by its multiprocessors and clock: data sheets do not say it. NAN: not
 * known. */
double be_profile_cache_rate(const struct be_device_info *gpu);

/* Is it hardware that this profile has figures of through another backend? */
bool be_profile_shown_before(const struct be_profile *profile, const struct be_device_info *device);

/* The latency and rate that fit seconds[i] for bytes[i] best, by least squares of the relative
 * error, neither below zero; BE_USAGE for fewer than three points of different size. Fills
 * latency_s, rate, smallest, largest, typical_off, worst_off, points. */
enum be_status be_fit_line(const double *bytes, const double *seconds, int n, struct be_fit *fit,
                           struct be_error *error);

/* Ceilings of a device (threads 0) or of the CPU with that many threads; BE_ABSENT with what is
 * missing when the profile does not have all that be_ceilings_cpu or _device would measure. */
enum be_status be_profile_ceilings(const struct be_profile *profile, const char *device,
                                   int threads, struct be_ceilings *ceilings,
                                   struct be_error *error);

/* Id in the profile of the device that is `info` here: the same PCI address or UUID and name where
 * both have one, else the same name and backend, alone with it; NULL: none, or several. */
const char *be_profile_device(const struct be_profile *profile, const struct be_device_info *info);

enum { BE_PROFILE_DAYS = 30 };

/* May limits be taken from it without being asked? Measured, whole, of this machine (host, CPU,
 * devices, drivers) and at most BE_PROFILE_DAYS old at `now` (ISO 8601). `why`: the reason where
 * not. */
bool be_profile_is_fresh(const struct be_profile *profile, const struct be_machine *machine,
                         const char *now, char why[BE_NOTE]);

/* Days from one ISO 8601 time to another; NAN where either is none. */
double be_days_between(const char *from, const char *to);

#endif
