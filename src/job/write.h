/* Parts of writing a script, in files write_NAME.c; job.h has the whole. */
#ifndef BE_JOB_WRITE_H
#define BE_JOB_WRITE_H

#include "job/job.h"

/* The words that stand after the directives, for either scheduler. */
struct be_job_words {
    const char *index;  /* the shell's word for the index of the array: "$SLURM_ARRAY_TASK_ID" */
    const char *cpus;   /* for the CPUs of a task */
    const char *launch; /* before the command where there are several tasks */
};
void be_job_write_body(const struct be_job_plan *plan, const struct be_job_words *words,
                       struct be_text *text);
void be_job_write_slurm(const struct be_job_plan *plan, struct be_text *text);
void be_job_write_lsf(const struct be_job_plan *plan, struct be_text *text);

#endif
