/*
 * A saved result -> what a job is to ask for.
 */
#ifndef BE_CLI_COMMON_JOB_FROM_H
#define BE_CLI_COMMON_JOB_FROM_H

#include "job/job.h"

/* Fills what the request leaves open from a comparison, or the trace of a run;
 * `why` says what it rests on, and request->basis points to it where it may stand in a script. */
enum be_status be_cli_job_from(const char *file, const char *workload,
                               struct be_job_request *request, char why[BE_NOTE],
                               struct be_error *error);

#endif
