/*
 * The counters in /proc that only grow, of one process with its children that were waited for. It does not know other
 * processes.
 */
#ifndef BE_OBSERVE_PROCESS_TOTALS_H
#define BE_OBSERVE_PROCESS_TOTALS_H

#include "observe/process/proc_text.h"

enum be_grown {
    BE_GROWN_USER,   /* seconds */
    BE_GROWN_SYSTEM, /* seconds */
    BE_GROWN_MINOR,
    BE_GROWN_MAJOR,
    BE_INHERITED, /* so many of them are told apart by who used it: a process or its children */
    BE_GROWN_READ = BE_INHERITED, /* bytes, from here on */
    BE_GROWN_WRITTEN,
    BE_GROWN_READ_CALLS,
    BE_GROWN_WRITE_CALLS,
    BE_GROWNS
};

/* `files`: where /proc is looked for. False: there is no such process. */
bool be_grown_stat(const char *files, int pid, struct be_proc_stat *stat);
/* The first BE_INHERITED; without `own` its children's part alone. */
void be_grown_count(const struct be_proc_stat *stat, bool own, double grown[BE_GROWNS]);
/* The others; NAN: they may not be read. */
void be_grown_io(const char *files, int pid, double grown[BE_GROWNS]);

#endif
