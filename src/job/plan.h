/* Parts of planning, in files plan_NAME.c; job.h has the whole. */
#ifndef BE_JOB_PLAN_H
#define BE_JOB_PLAN_H

#include "job/job.h"

/* Does the command not start again what the script starts for each task? A note where that may be. */
enum be_status be_job_launcher(struct be_job_plan *plan, struct be_error *error);

/* Are time, nodes, cores, memory and array within what cluster, partition and nodes have? */
enum be_status be_job_limits(struct be_job_plan *plan, struct be_error *error);

#endif
