/*
 * Which CPUs a program's threads may use: their affinity. Threads that do not work tell nothing: a shell that
 * waits may use all cores while its command is bound to one. So each set of CPUs counts by the time in which
 * threads that have it ran or waited for a core.
 */
#ifndef BE_OBSERVE_PROCESS_ALLOWED_H
#define BE_OBSERVE_PROCESS_ALLOWED_H

#include <stdbool.h>
#include <stdint.h>

enum { BE_CPUS_MAX = 4096, BE_CPU_WORDS = BE_CPUS_MAX / 64, BE_CPU_SETS_MAX = 512 };

struct be_cpus {
    uint64_t word[BE_CPU_WORDS];
};

/* "0-3,8": the list of the kernel; what is beyond BE_CPUS_MAX is left out. False: it is none. */
bool be_cpus_read(const char *list, struct be_cpus *cpus);
int be_cpus_count(const struct be_cpus *cpus);
void be_cpus_join(struct be_cpus *cpus, const struct be_cpus *more);
/* The CPUs that a thread, or a process's first thread, may use; false: it has ended. */
bool be_cpus_of(const char *files, int pid, int tid, struct be_cpus *cpus);

/* Joins those of all threads of a process. */
void be_cpus_join_all(const char *files, int pid, struct be_cpus *cpus);

struct be_allowed {
    struct be_cpus *cpus; /* sets that were seen */
    double *wanted_s;     /* of each */
    int sets;
};

/* The number of that set; -1: there is no room. */
int be_allowed_set(struct be_allowed *allowed, const struct be_cpus *cpus);
void be_allowed_wanted(struct be_allowed *allowed, int set, double wanted_s);
/* CPUs of all sets that worked for a part of the time that is worth counting, `length_s` until now: what a
 * program does before it binds its threads is none. 0: none did. */
int be_allowed_count(const struct be_allowed *allowed, double length_s);
void be_allowed_free(struct be_allowed *allowed); /* accepts a zeroed one */

#endif
