/* Words and amounts of plans and scripts. */
#ifndef BE_JOB_WORDS_H
#define BE_JOB_WORDS_H

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

/* "4 GiB", "32000 MiB"; "2:00:00", "1-12:00:00", as sbatch takes them after --mem and --time. */
void be_mib_text(double mib, char text[BE_WORD]);
void be_slurm_memory_text(double mib, char text[BE_WORD]);
void be_slurm_time_text(double seconds, char text[BE_WORD]);

/* "# words", on as many lines as a terminal needs. */
void be_job_comment(struct be_text *text, const char *words);

#endif
