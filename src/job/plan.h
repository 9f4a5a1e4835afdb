/* Parts of planning, in files plan_NAME.c; job.h has the whole. */
#ifndef BE_JOB_PLAN_H
#define BE_JOB_PLAN_H

#include "job/job.h"

/* Does the command not start again what the script starts for each task? A note where that may be. */
enum be_status be_job_launcher(struct be_job_plan *plan, struct be_error *error);

/* Refuses the wishes that bsub has no option for. */
enum be_status be_job_terms_lsf(const struct be_job_request *request,
                                const struct be_cluster *cluster, struct be_error *error);
/* The nodes that the request's constraint leads to, where the catalogue has one like it; NULL: none. */
const struct be_cluster_node *be_job_constrained_node(const struct be_job_plan *plan);
/* Constraint and QOS, and their limits. */
enum be_status be_job_terms(struct be_job_plan *plan, struct be_error *error);
/* Notes about what each job names there, and what to do when submitting. */
void be_job_say_terms(struct be_job_plan *plan);

/* Are time, nodes, cores, memory and array within what cluster, partition and nodes have? */
enum be_status be_job_limits(struct be_job_plan *plan, struct be_error *error);

#endif
