/*
 * Code that busy threads are in: the share of their time in libraries that hand out work and wait for each other
 * (OpenMP, MPI), which wait in a loop. The kernel looks where a thread is each 20 ms of its CPU time, by an event of
 * its own clock (perf_event_open(2)), which needs no counter of the processor and no administrator's rights where
 * /proc/sys/kernel/perf_event_paranoid is at most 2. Only processes that have such a library mapped are looked at, and
 * of their threads only those that are seldom switched: an event costs each switch between threads some time. It does
 * not know signals.
 */
#ifndef BE_OBSERVE_SOURCES_WHERE_H
#define BE_OBSERVE_SOURCES_WHERE_H

#include <stdint.h>

#include "observe/process/threads.h"

enum { BE_WHERE_THREADS = 8 };

struct be_where;

/* Counts of looks of the kernel since the last call. */
struct be_where_sum {
    double looks;   /* in the program's own code, and not in the kernel's */
    double waiting; /* of them: in one of those libraries */
    int refused;    /* errno with which the kernel refused an event; 0: it did not */
};

/* NULL: no memory, or the machine is made up. */
struct be_where *be_where_open(const struct be_watched *watched);
void be_where_look(struct be_where *where, const struct be_tree *tree,
                   const struct be_threads_sum *threads, struct be_where_sum *sum);
void be_where_close(struct be_where *where); /* accepts NULL */

/* ---- its parts ------------------------------------------------------------------------------- */

/* Addresses of such libraries in one process. */
struct be_where_map {
    struct {
        uint64_t from, to;
    } code[8];
    int count;
};

/* Adds a line of /proc/PID/maps, where it is of one. */
void be_where_add(struct be_where_map *map, const char *line);
bool be_where_waits(const struct be_where_map *map, uint64_t address);

#endif
