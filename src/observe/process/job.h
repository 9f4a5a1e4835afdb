/*
 * The processes of a batch job on this machine: by the name of their control group (Slurm, LSF), or, where that
 * names no job, by what their environment says (Slurm, LSF, PBS), which only their owner may read.
 *
 * An id is "12"; of a task of an array "12_3" (Slurm) or "12[3]" (LSF); of a step "12.0", "12.batch".
 */
#ifndef BE_OBSERVE_PROCESS_JOB_H
#define BE_OBSERVE_PROCESS_JOB_H

#include "breakeven.h"
#include "observe/process/watched.h"

/* Does the process belong to job `id`? */
bool be_job_has(const char *files, pid_t pid, const char *id);

/* The first process of the job, one whose environment may be read if there is such. BE_ABSENT: it has
 * none here. */
enum be_status be_job_find(const char *files, const char *id, pid_t *pid, struct be_error *error);

/* be_watched.also, its context the job's id. */
bool be_job_also(const struct be_watched *watched, pid_t pid);

/* The environment of a process as execve takes it, in one block of memory for free(); NULL: it may not
 * be read. */
const char **be_process_environment(const char *files, pid_t pid);

#endif
