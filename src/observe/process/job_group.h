/*
 * The batch job that a process's control groups name, from the text of /proc/PID/cgroup. Knows nothing of
 * processes.
 *
 *   Slurm, cgroup/v1   /slurm/uid_1000/job_12/step_0/task_0, /slurm_NODE/uid_1000/...
 *   Slurm, cgroup/v2   /system.slice/slurmstepd.scope/job_12/step_batch/user/task_0,
 *                      /system.slice/NODE_slurmstepd.scope/...
 *   Slurm 26.05, v2    /system.slice/slurmstepd.scope/s8FXKTA79XAR00/step_batch/user/task_0: the job's SLUID,
 *                      unless the site sets CgroupJobIdPaths=yes
 *   LSF                /lsf/CLUSTER/job.12.4711.1763739132, /lsf/CLUSTER/job.12[3].4711....
 *
 * Sources: Slurm's cgroup plugins (cgroup_v2.html, cgroup.conf.html), IBM's notes on LSF and Linux cgroups.
 */
#ifndef BE_OBSERVE_PROCESS_JOB_GROUP_H
#define BE_OBSERVE_PROCESS_JOB_GROUP_H

#include "breakeven.h"

enum { BE_JOB_SLUID = 15 }; /* "s" and 13 signs, with the end */

struct be_job_group {
    char job[BE_NAME];  /* "12", "12[3]", "s8FXKTA79XAR00" */
    char step[BE_NAME]; /* of Slurm: "0", "batch", "extern", "interactive"; empty: none is named */
};

/* False: they are no batch job's. */
bool be_job_group_read(const char *text, struct be_job_group *group);

/* Cuts the path of a group below a job's to that of the job: without step and task. Others stay: false. */
bool be_job_group_cut(char *path);

/* Is it the job, or the step of it, that was asked for: "12", "12.0", "12.batch", "12[3]"? */
bool be_job_group_is(const struct be_job_group *group, const char *id);

/* Does Slurm write its unique ids of jobs so: "s" and 13 digits or capitals? */
bool be_job_is_sluid(const char *text);

#endif
