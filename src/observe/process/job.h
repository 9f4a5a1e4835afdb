/*
 * The processes of a batch job on this machine: by the name of their control group (Slurm, LSF), or, where that
 * names no job, by what their environment says (Slurm, LSF, PBS), which only their owner may read.
 *
 * An id is "12"; of a task of an array "12_3" (Slurm) or "12[3]" (LSF); of a step "12.0", "12.batch".
 *
 * Where Slurm names groups by SLUID (job_group.h), a group of the job tells which SLUID that is: by the title
 * "slurmstepd: [12.0]" of Slurm's own process in it, which everybody may read, or by the environment of another.
 */
#ifndef BE_OBSERVE_PROCESS_JOB_H
#define BE_OBSERVE_PROCESS_JOB_H

#include "breakeven.h"
#include "observe/process/job_group.h"
#include "observe/process/watched.h"

struct be_job_wanted {
    const char *id;
    char sluid
        [BE_JOB_SLUID]; /* by which Slurm's groups name the job; empty: by its number, or not known */
};

/* Does the process belong to the job? */
bool be_job_has(const char *files, pid_t pid, const struct be_job_wanted *wanted);

/* The first process of the job, one whose environment may be read if there is such. Finds wanted->sluid where
 * it is empty. BE_ABSENT: it has none here; `unnamed`: there are groups with a SLUID, of which some do not tell
 * whose they are. */
enum be_status be_job_find(const char *files, struct be_job_wanted *wanted, pid_t *pid,
                           bool *unnamed, struct be_error *error);

/* be_watched.also, its context a struct be_job_wanted. */
bool be_job_also(const struct be_watched *watched, pid_t pid);

#endif
