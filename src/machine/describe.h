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

/* Opens the device that is called so here ("cuda:0"), for as long as the caller likes; `title`, if it is not NULL, says which it
 * is ("cuda:0, NVIDIA H100"). BE_USAGE: none is, the text lists those that are. Closed by device->ops->close. */
enum be_status be_machine_open_device(const char *name, struct be_device **device,
                                      char title[BE_NOTE], struct be_error *error);

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
