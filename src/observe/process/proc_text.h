/*
 * The texts of /proc, /sys and of batch systems' variables -> numbers. Pure functions of a text,
 * and one that reads a small file. Formats: proc(5), the kernel's Documentation/accounting/psi.rst
 * and Documentation/scheduler/sched-stats.rst.
 */
#ifndef BE_OBSERVE_PROCESS_PROC_TEXT_H
#define BE_OBSERVE_PROCESS_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "breakeven.h"

/* Reads at most room - 1 bytes; the text is terminated. Bytes read; -1: it cannot be read. */
int be_small_file(char *text, size_t capacity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* /proc/PID/stat, of a process or a thread. Times in clock ticks (sysconf(_SC_CLK_TCK)). */
struct be_proc_stat {
    int pid, parent;
    char name[16]; /* foreign text */
    char state;    /* R S D T t Z X I */
    double minor_faults, major_faults, child_minor_faults, child_major_faults;
    double user, system, child_user, child_system;
    int threads;
    double start;    /* since the machine's */
    double resident; /* pages */
};
bool be_proc_stat_read(const char *text, struct be_proc_stat *stat);

/* /proc/PID/schedstat: nanoseconds run and waited for a core, times it was given one. */
struct be_schedstat {
    double run_ns, wait_ns, slices;
};
bool be_schedstat_read(const char *text, struct be_schedstat *stat);

/* The number in the line that begins with `name` and a blank, tab or colon; NAN: there is none. */
double be_named_value(const char *text, const char *name);

/* total of "some" in a pressure file, seconds; NAN: there is none. */
double be_pressure_total(const char *text);

/* "max", "150000" -> bytes; NAN: no limit, or none that is one (v1 writes about 2^63). */
double be_group_limit(const char *text);

/* The path behind `controller` in the text of /proc/PID/cgroup; "" for v2. */
bool be_group_path(const char *text, const char *controller, char *path, size_t capacity);

/* CPUs of one node in "16(x2),8": the first number; 0: none. */
int be_cpus_a_node(const char *text);

/* Value of `name` in an environment as execve takes it; NULL: none. */
const char *be_variable(const char *const *environment, const char *name);

/* The environment of a process as execve takes it, in one block of memory for free(); NULL: it may not
 * be read. */
const char **be_process_environment(const char *files, pid_t pid);

#endif
