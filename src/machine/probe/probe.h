/*
 * The steps of a probe. A step measures one kind of thing on one target and adds figures, facts and
 * remarks to the profile; it knows nothing of other steps. Adding one is a function and a line in a
 * table of probe.c.
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
