/*
 * The usage of one finished job, from its accounting: its steps are added up as seff (version 2.1, in Slurm's
 * contribs) does. It does not know findings.
 */
#ifndef BE_ACCOUNTING_ACCOUNT_H
#define BE_ACCOUNTING_ACCOUNT_H

#include "accounting/record.h"
#include "base/lines.h"

/* The columns that are asked for, by name; others may stand between them. */
#define BE_ACCOUNT_FIELDS                                                                          \
    "JobID,JobIDRaw,State,ExitCode,Submit,Start,End,ElapsedRaw,TotalCPU,SystemCPU,NCPUS,"          \
    "NNodes,ReqMem,AllocTRES,NodeList,MaxRSS,TRESUsageInTot,TRESUsageInAve,NTasks,User,Account,"   \
    "Partition,TimelimitRaw,AdminComment,JobName"

enum { BE_ACCOUNT_GPUS_MAX = 64 };

/* One GPU, as jobstats kept it; NAN: not known. */
struct be_account_gpu {
    char name[BE_NAME]; /* "node:number" */
    double busy;        /* 0..1 */
    double memory_bytes, of_bytes;
};

struct be_account {
    char id[BE_NAME];   /* "4711", "4711_3" */
    char raw[BE_NAME];  /* its number, of an array's task too */
    char name[BE_NOTE]; /* foreign text */
    char nodes[BE_NOTE];
    char user[BE_NAME], account[BE_NAME], partition[BE_NAME]; /* empty: not told */
    enum be_job_state state;
    int exit_code, signal;
    int64_t submit_s, start_s; /* BE_NO_TIME not known */
    double elapsed_s;
    double limit_s; /* NAN: none, or not told */
    double
        billing; /* Slurm's own weight of what it had: billing= of its TRES; its CPUs where that is not told */
    int cpus, node_count;
    double cpu_s;        /* of all steps; NAN not known, here and below */
    double system_s;     /* of it: in the kernel */
    double memory_bytes; /* the largest step's: peaks of its tasks added up */
    double asked_bytes;  /* of the whole job, as allocated */
    double gpus;
    char gpu_type[BE_NAME];
    double gpu_busy;   /* 0..1, mean over the GPUs of the step that used most CPU, or of all where
                          jobstats kept them; NAN not kept */
    double gpu_memory; /* bytes, likewise */
    bool jobstats;     /* it has left its figures in AdminComment */
    int jobstats_gpus;
    struct be_account_gpu jobstats_gpu[BE_ACCOUNT_GPUS_MAX];
    int steps;
    int tasks; /* of the step that used most CPU, which srun had started; 0 not known */
};

/* sacct's own words for `id`, read. BE_ABSENT: no sacct here. BE_USAGE: no such job, or it is an array
 * of several: the text says which. */
enum be_status be_account_ask(const char *id, struct be_account *account, struct be_error *error);
/* Reads lines as `sacct -P --format=BE_ACCOUNT_FIELDS` prints them. */
enum be_status be_account_read(struct be_lines *lines, const char *id, struct be_account *account,
                               struct be_error *error);

/* The jobs that are asked of sacct; texts as its options take them, NULL: all. */
struct be_account_query {
    const char *jobs, *users, *accounts, *partitions; /* lists with commas */
    const char *since, *until;                        /* "2026-11-20", "now-7days" */
    bool all_users; /* else the user's own, unless users are named */
};
/* Hands over each job with its steps added up, in sacct's order. The first status of `take` that is not BE_OK ends it.
 * BE_ABSENT: no sacct here. */
typedef enum be_status be_account_take(void *context, const struct be_account *account,
                                       struct be_error *error);
enum be_status be_account_each(const struct be_account_query *query, be_account_take *take,
                               void *context, struct be_error *error);

/* The SLUID by which Slurm 26.05 names the job's control groups, asked of sacct; BE_ABSENT: it does not know. */
enum be_status be_account_sluid(const char *id, char *sluid, size_t capacity,
                                struct be_error *error);
/* Takes what jobstats left: GPUs, and memory and CPU time where accounting has none. False: it left nothing. */
bool be_account_take_jobstats(struct be_slice comment, struct be_account *account);

/* It has not ended: what it uses comes to accounting step by step, as those end, and is not known yet. */
bool be_account_runs(const struct be_account *account);
/* CPU time over elapsed time times CPUs; memory over what was allocated. 0..1, NAN not known. */
double be_account_cpu_efficiency(const struct be_account *account);
double be_account_memory_efficiency(const struct be_account *account);

#endif
