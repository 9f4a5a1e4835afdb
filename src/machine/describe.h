/*
 * The machine and its surroundings, which go with every number. Reads, never changes anything.
 */
#ifndef BE_MACHINE_DESCRIBE_H
#define BE_MACHINE_DESCRIBE_H

#include "breakeven.h"
#include "host/cores.h"

/* Fills the machine; `cores` receives which cores may be used. */
enum be_status be_machine_find(struct be_machine *machine, struct be_cores *cores,
                               struct be_error *error);

struct be_device;

/* Opens the devices that are called so here, for as long as the caller likes: "cuda:0"; "cuda:0,cuda:1"; "cuda" for all of a
 * kind. One may be there twice. `title` says which they are: "cuda:0, NVIDIA H100"; "cuda:0, cuda:1: NVIDIA H100".
 * BE_USAGE, BE_ABSENT: none is called so, the text lists those that are; or they are more than `most`. */
enum be_status be_machine_open_devices(const char *names, struct be_device **device, int most,
                                       int *count, char title[BE_NOTE], struct be_error *error);
void be_machine_close_devices(struct be_device *const *device, int count);

/* All but seed, order, simd and steal, which the run knows. */
void be_environment_find(const struct be_cores *cores, struct be_environment *environment);

/* CPU time of the whole machine since it started, all and stolen by the hypervisor, in ticks. */
struct be_cpu_time {
    double all, stolen; /* NAN: not shown here */
};
struct be_cpu_time be_cpu_time_now(void);

/* Share stolen between two moments; NAN when not known. */
double be_cpu_time_steal(struct be_cpu_time from, struct be_cpu_time to);

#endif
