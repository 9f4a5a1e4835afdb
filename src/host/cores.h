/*
 * The cores that this process may use: the minimum of affinity, cgroup quota and SLURM_CPUS_PER_TASK.
 * One entry a physical core, so that threads do not share one. Knows nothing of devices.
 */
#ifndef BE_HOST_CORES_H
#define BE_HOST_CORES_H

#include "breakeven_error.h"

enum { BE_CORES_MAX = 1024 };

struct be_cores {
    int count;             /* cores to use */
    int cpu[BE_CORES_MAX]; /* operating-system CPU number of one hardware thread of each */
    int machine;           /* cores of the whole machine */
    int numa_nodes;
    double cache_bytes; /* last-level caches that belong to the cores, added up; NAN unknown */
    double first_cache_bytes; /* the smallest first-level data cache of a core; NAN unknown */
    char name[2 * BE_NAME];   /* CPU model */
    char limited_by[BE_NAME];
};

enum be_status be_cores_find(struct be_cores *cores, struct be_error *error);

/* CPUs' worth of time a cgroup allows, from the text of cpu.max (v2: "150000 100000" or
 * "max 100000") or of cfs_quota_us and cfs_period_us (v1); 0: no limit. */
double be_cores_quota_v2(const char *cpu_max);
double be_cores_quota_v1(const char *quota_us, const char *period_us);

/* The minimum of the three, at least 1; quota and slurm 0: no limit. `by` receives the name. */
int be_cores_min(int affinity, double quota, int slurm, char by[BE_NAME]);

/* Memory that can be allocated now without swapping, bytes: the minimum of MemAvailable and what
 * the cgroup leaves; NAN when neither can be read. */
double be_memory_available(void);

#endif
