/*
 * The process ids in a folder of /proc, and of a process the thread ids in its `task`: ascending.
 */
#ifndef BE_OBSERVE_PROCESS_PIDS_H
#define BE_OBSERVE_PROCESS_PIDS_H

#include <stdbool.h>

/* Zero-initialise. */
struct be_pids {
    int *pid;
    int count, capacity;
    bool cut; /* there were more than `most` */
};

/* False: the folder cannot be read, or there is no memory. At most `most`. */
bool be_pids_list(struct be_pids *pids, int max, const char *folder);
void be_pids_free(struct be_pids *pids);

/* Where `pid` is among `count` ascending ones `stride` bytes apart, or would be put. */
int be_pids_place(const void *first, int count, unsigned stride, int pid, bool *there);

#endif
