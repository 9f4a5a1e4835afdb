/*
 * Job scripts: a request and a cluster's record become a plan that the cluster can do, and the plan becomes a
 * script for Slurm or LSF. It does not know queues, and it submits nothing.
 */
#ifndef BE_JOB_JOB_H
#define BE_JOB_JOB_H

#include "cluster/cluster.h"

enum { BE_STAGED_MAX = 64, BE_JOB_NOTES_MAX = 16 };

/* The wishes of the user. Zero-initialise, with be_job_nothing for the numbers; texts may be
 * NULL. */
struct be_job_request {
    const char *const *word; /* the command and its arguments */
    int words;
    const char *gpu;       /* type, or another specifier of it; NULL: the cluster's first */
    int gpus;              /* in all; 0: none */
    bool gpus_given;       /* what a result says of GPUs does not count */
    int cpus;              /* of each task; 0: the GPU's share, or 1 */
    double memory_mib;     /* of each node; 0: all; NAN: the share of GPUs or cores */
    double min_mib;        /* each node needs at least this, if memory_mib is NAN; NAN: not known */
    double time_s;         /* NAN: an hour */
    int tasks;             /* 0: one */
    int nodes;             /* 0: one */
    const char *array;     /* "0-99%10", as --array takes it */
    const char *partition; /* the queue, for LSF */
    const char *account;   /* the project, for LSF */
    const char *constraint; /* features of its nodes, as --constraint takes them */
    const char *qos;
    bool exclusive;        /* whole nodes, whatever is asked for */
    const char *time_text; /* the time as it was written, of which time_s was read; NULL: not */
    const char *name;      /* of the job */
    const char *output;    /* where what it prints goes: "%x-%j.out" */
    const char *staged[BE_STAGED_MAX]; /* files and folders copied to local disk first */
    int stages;
    bool watch; /* `breakeven run --` around the command */
    const char
        *basis; /* what the numbers rest on, for a comment: one line of our own; NULL: none */
};
struct be_job_request be_job_nothing(void);

/* The job that is planned. Texts point into the request and the cluster. */
struct be_job_plan {
    const struct be_job_request *request;
    const struct be_cluster *cluster;
    const struct be_cluster_gpu *gpu;      /* NULL: none */
    const struct be_cluster_node *node;    /* where it runs; NULL: not known */
    const char *partition;                 /* named in the script; NULL: none */
    const char *constraint, *qos;          /* likewise */
    const struct be_cluster_partition *in; /* where it goes, named or not; NULL: not known */
    char name[BE_NAME];
    int nodes, tasks, cpus;        /* cpus: of each task */
    int gpus_each;                 /* of a node */
    double memory_mib;             /* of each node; NAN: left to the cluster */
    bool all_memory;               /* of each node: --mem=0 */
    bool share_cpus, share_memory; /* not asked for: what goes with the GPUs or cores */
    double time_s;
    int64_t array_tasks;                  /* 0: no array */
    double charge;                        /* for an hour of one task of the array; NAN not known */
    double charge_min;                    /* for its GPUs alone; NAN not known */
    const char *charge_by;                /* what decides it: "GPUs", "cores", "memory", "nodes" */
    char note[BE_JOB_NOTES_MAX][BE_NOTE]; /* what the user should know before submitting */
    int notes;
};

/* BE_USAGE: the cluster cannot do it; the text names the limit. BE_ABSENT: it is out of service.
 * The plan points at both arguments. */
enum be_status be_job_plan(const struct be_job_request *request, const struct be_cluster *cluster,
                           struct be_job_plan *plan, struct be_error *error);

/* The charge for an hour of so much, in the cluster's unit; NAN not known. `by` (may be NULL): what
 * decides it. cpus and memory_mib: of each node; gpu NULL: none. */
double be_job_charge(const struct be_cluster *cluster, const struct be_cluster_gpu *gpu,
                     const struct be_cluster_node *node, int nodes, int gpus_each, int cpus,
                     double memory_mib, const char **by);

/* The script, by the cluster's scheduler; `text` remembers when memory ran out. `file`: what it is
 * called in the line that says how to submit it; NULL: not known. */
void be_job_write(const struct be_job_plan *plan, const char *file, struct be_text *text);

/* A cluster of which nothing is known but its scheduler: no limits are checked. */
struct be_cluster be_cluster_unknown(enum be_scheduler scheduler);

/*
 * Takes from a saved comparison what suits a job like it: GPU or CPU, threads, and memory where the
 * bytes of its data are known. Fills gpus, cpus and least_mib where they are not set, and says in
 * `why` what it rests on. Times of GPUs elsewhere and predicted ones count where there are none from here, and are
 * called so. `workload` NULL: the only one there is. BE_USAGE: it does not say; so where it has no GPU and the
 * request does not say either.
 */
enum be_status be_job_from(const struct be_comparison *comparison, const char *workload,
                           struct be_job_request *request, char why[BE_NOTE],
                           struct be_error *error);

/* The resources that a run of it took. */
struct be_job_used {
    double elapsed_s;    /* NAN not known, here and below */
    double cores;        /* enough for nearly all of the time; */
    bool mean;           /* or nothing but their mean, as accounting has it */
    bool spread;         /* over several nodes */
    double memory_bytes; /* at most */
    int cores_had;       /* 0: not known, */
    int tasks;           /* and of so many tasks; 0: not known */
    int tasks_here;      /* it was one of so many on its node; 0: not known */
    int gpus;            /* that it used; -1: not known */
    bool gpus_had;       /* it had some */
    bool ended;          /* by itself, in success; else it may take more of everything */
    bool out_of_memory;  /* something was killed for memory */
};

/*
 * Asks for as much as a run took, with room: half as much time again, a quarter more memory (twice as much where it ran
 * out), the cores and GPUs it used. Fills what is not set; cores and memory only for as many tasks on one node as the
 * run had there, memory not from one of several tasks that shared it. `why`: what it rests on, one line without foreign
 * words.
 */
void be_job_from_run(const struct be_job_used *used, struct be_job_request *request,
                     char why[BE_NOTE]);

#endif
