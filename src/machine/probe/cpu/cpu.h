/*
 * The parts that the probe's steps on the CPU share: the thread counts, arrays whose parts lie near the threads that
 * use them, chains of dependent loads, sizes of caches.
 */
#ifndef BE_MACHINE_PROBE_CPU_CPU_H
#define BE_MACHINE_PROBE_CPU_CPU_H

#include "machine/probe/probe.h"

/* With 1, 2, 4, .., all cores; quick: 1 and all. */
enum be_status be_probe_each_count(struct be_probe *probe, const struct be_target *target,
                                   enum be_status (*measure)(struct be_probe *,
                                                             const struct be_target *, int threads,
                                                             struct be_error *),
                                   struct be_error *error);

/* A key with dtype (may be ""), threads and bytes (may be NAN). */
struct be_figure be_cpu_key(const struct be_target *target, const char *what, const char *dtype,
                            int threads, double bytes);

/* Least of `bytes` and a quarter of the memory that is free. */
double be_probe_memory_share(double bytes);

/* numa_triad and numa_latency of node `from`'s cores on node `to`'s memory. Nothing where no core
 * of ours is of that node; a remark where memory cannot be had there. */
enum be_status be_probe_numa_pair(struct be_probe *probe, const struct be_target *target, int from,
                                  int to, struct be_error *error);

/* The steps. */
be_probe_step_run be_probe_cpu_rates;   /* fma, clock: 1 core .. all */
be_probe_step_run be_probe_cpu_matmul;  /* matmul through the BLAS in use */
be_probe_step_run be_probe_cpu_memory;  /* triad, copy, working_set, update_set */
be_probe_step_run be_probe_cpu_latency; /* latency of each cache and of memory */
be_probe_step_run be_probe_cpu_threads; /* fork_join */
be_probe_step_run be_probe_cpu_pages;   /* page_fault */
be_probe_step_run be_probe_cpu_numa;    /* numa_triad, numa_latency where there are several nodes */
be_probe_step_run be_probe_cpu_disk;    /* disk_read, when a folder was given */

#endif
