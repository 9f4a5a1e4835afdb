/*
 * The files that processes have mapped as code, as the kernel's records tell. A file is the same for all processes. It
 * does not know what is in a file.
 */
#ifndef BE_SAMPLE_PROCESSES_H
#define BE_SAMPLE_PROCESSES_H

#include "sample/events.h"
#include "sample/sample.h"

enum { BE_SAMPLE_KERNEL = 0 }; /* the index of "[kernel]" */

struct be_mapped_file {
    struct be_sample_file shown;
    uint64_t inode;
    bool memory; /* code without a file */
    bool sampled;
    int descriptor; /* open since its first sample, where that was possible; -1 */
};

struct be_processes {
    struct be_mapped_file *file;
    int files, file_room;
    struct be_process **chain; /* by pid */
    size_t processes;
};

enum be_status be_processes_open(struct be_processes *processes, struct be_error *error);
void be_processes_close(struct be_processes *processes); /* accepts a zeroed one */

/* A map, a fork or an exec. */
void be_processes_take(struct be_processes *processes, const struct be_event *event,
                       const char *path);

/* The file in which that instruction lies, and its offset there; 0 of code without a file. -1: no memory. */
int be_processes_find(struct be_processes *processes, int pid, uint64_t address, uint64_t *offset);

#endif
