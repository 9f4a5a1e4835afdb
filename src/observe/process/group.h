/*
 * Control groups, version 1 and 2 and both together: where a process's groups are, what they limit,
 * what they count. Knows nothing of signals. Files and fields: the kernel's
 * Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/.
 */
#ifndef BE_OBSERVE_PROCESS_GROUP_H
#define BE_OBSERVE_PROCESS_GROUP_H

#include "breakeven.h"

enum be_group_part {
    BE_GROUP_PART_CPU,
    BE_GROUP_PART_ACCOUNT,
    BE_GROUP_PART_MEMORY,
    BE_GROUP_PART_IO,
    BE_GROUP_PART_PRESSURE,
    BE_GROUP_PARTS
};

enum { BE_GROUP_PATH = 2304 };

struct be_group {
    struct {
        char mount[128];          /* "/sys/fs/cgroup/memory" under `files`; empty: none */
        char path[BE_GROUP_PATH]; /* of the group below it: "/slurm/job_7"; "": the mount itself */
        bool v2;
    } part[BE_GROUP_PARTS];
    const char *files;
};

/* The groups of process `pid` (0: our own); BE_ABSENT: no control groups can be seen. */
enum be_status be_group_find(const char *files, int pid, struct be_group *group,
                             struct be_error *error);
/* Is it the same group, as far as CPU time and memory go? */
bool be_group_is(const struct be_group *group, const struct be_group *other);
/* "v2 at /slurm/job_7", "v1 at /, the whole machine" */
void be_group_describe(const struct be_group *group, char *to, size_t capacity);

/* The values that a group counts. */
enum be_group_value {
    BE_GROUP_VALUE_CPU,       /* seconds */
    BE_GROUP_VALUE_THROTTLED, /* seconds */
    BE_GROUP_VALUE_PERIODS,
    BE_GROUP_VALUE_THROTTLED_PERIODS, /* counts */
    BE_GROUP_VALUE_MEMORY, /* bytes that cannot be dropped: neither file pages nor caches */
    BE_GROUP_VALUE_PEAK,   /* bytes at most so far, file pages too */
    BE_GROUP_VALUE_READ,
    BE_GROUP_VALUE_WRITTEN, /* bytes */
    BE_GROUP_VALUE_OOM_KILLS,
    BE_GROUP_VALUE_REFAULTS, /* pages */
    BE_GROUP_VALUE_PRESSURE_CPU,
    BE_GROUP_VALUE_PRESSURE_MEMORY,
    BE_GROUP_VALUE_PRESSURE_IO, /* s */
    BE_GROUP_VALUES
};
/* All of them; NAN: it is not told here. */
void be_group_values(const struct be_group *group, double value[BE_GROUP_VALUES]);
double be_group_value(const struct be_group *group, enum be_group_value value); /* one of them */

/* CPUs' worth of time that the group and those above it allow; NAN: as many as there are. */
double be_group_cpus(const struct be_group *group);
/* Bytes that the group and those above it allow; NAN: no limit. */
double be_group_memory(const struct be_group *group);

#endif
