/*
 * What the files of job scripts share. Only for job_*.c.
 */
#ifndef BE_JOB_PARTS_H
#define BE_JOB_PARTS_H

#include "job/job.h"

/* Adds a note for the user; those past the last are dropped. */
void be_job_note(struct be_job_plan *plan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Tasks of the fullest node, and their CPUs. */
static inline int be_job_tasks_each(const struct be_job_plan *plan) {
    return (plan->tasks + plan->nodes - 1) / plan->nodes;
}

static inline int be_job_cpus_each(const struct be_job_plan *plan) {
    return be_job_tasks_each(plan) * plan->cpus;
}

/* Does the command not start again what the script starts for each task? A note where that may be. */
enum be_status be_job_launcher(struct be_job_plan *plan, struct be_error *error);

/* Are time, nodes, cores, memory and array within what cluster, partition and nodes have? */
enum be_status be_job_limits(struct be_job_plan *plan, struct be_error *error);

/* "4 GiB", "32000 MiB"; "2:00:00", "1-12:00:00", as sbatch takes them after --mem and --time. */
void be_mib_text(double mib, char text[BE_WORD]);
void be_slurm_memory_text(double mib, char text[BE_WORD]);
void be_slurm_time_text(double seconds, char text[BE_WORD]);

/* "# words", on as many lines as a terminal needs. */
void be_job_comment(struct be_text *text, const char *words);

/* What stands after the directives, for either scheduler. */
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
