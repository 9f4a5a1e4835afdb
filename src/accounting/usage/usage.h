/*
 * The usage of many jobs: what they were billed and did not use, and the kinds of waste in them; tasks of an array, jobs
 * of a user or of an account may be one row. Pure: it asks nobody.
 */
#ifndef BE_ACCOUNTING_USAGE_H
#define BE_ACCOUNTING_USAGE_H

#include "accounting/account.h"

/* Kinds of waste and of trouble, the worst first. */
enum be_usage_kind {
    BE_USAGE_GPU_UNUSED,
    BE_USAGE_CPU_UNUSED,
    BE_USAGE_GPU_LOW,
    BE_USAGE_GPU_TOO_LARGE,
    BE_USAGE_ONE_CORE,
    BE_USAGE_CPU_LOW,
    BE_USAGE_GPUS_SCATTERED,
    BE_USAGE_NODES_SCATTERED,
    BE_USAGE_CORES_PER_GPU,
    BE_USAGE_MEMORY_PER_GPU,
    BE_USAGE_MEMORY_EXCESS,
    BE_USAGE_TIME_EXCESS,
    BE_USAGE_OUT_OF_MEMORY,
    BE_USAGE_TIMEOUT,
    BE_USAGE_FAILED,
    BE_USAGE_KINDS
};
const char *be_usage_kind_name(enum be_usage_kind kind);  /* "gpu-unused" */
const char *be_usage_kind_title(enum be_usage_kind kind); /* in one clause, with its threshold */

/* A job, or several as one. Sums are of those jobs alone that the value is known of. */
struct be_usage {
    char id[BE_NOTE]; /* "4711", "4711 x12" (tasks), a user, an account, a partition */
    char name[BE_NOTE], user[BE_NAME], account[BE_NAME], partition[BE_NAME];
    char state[BE_NAME]; /* of one job, or of the first */
    int jobs;
    int cpus, nodes;  /* the most of a job */
    double gpus;      /* likewise */
    double elapsed_s; /* in all */
    double core_s, cpu_s;
    double gpu_s, gpu_used_s;
    double memory_asked_byte_s,
        memory_used_byte_s; /* bytes times seconds; the peak counts as used all the time */
    double cpu_efficiency, memory_efficiency, gpu_efficiency; /* 0..1; NAN: not known */
    double billed_s;                                          /* Slurm's billing times the time */
    double billed_known_s; /* of the jobs that unused_s is known of */
    double unused_s; /* less the share with work of the GPUs, else of the cores; NAN: not known */
    int of_kind[BE_USAGE_KINDS]; /* jobs of each kind */
    char kinds[BE_NOTE];         /* their names, the worst first */
};

struct be_usage_list {
    struct be_usage *row;
    size_t rows, room;
    struct be_usage total;
};

enum be_usage_by { BE_BY_ARRAY, BE_BY_JOB, BE_BY_USER, BE_BY_ACCOUNT, BE_BY_PARTITION };

/* Adds a job; one that never ran has no usage and is passed over. BE_NOMEM. */
enum be_status be_usage_add(struct be_usage_list *list, const struct be_account *account,
                            struct be_error *error);
/* Makes rows of what was added, the one with most unused first, and their total. To be called once. */
void be_usage_finish(struct be_usage_list *list, enum be_usage_by by);
void be_usage_free(struct be_usage_list *list); /* accepts a zeroed one */

#endif
