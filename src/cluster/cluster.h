/*
 * The offer of a cluster as data: partitions, kinds of nodes, GPUs and how they are asked for, limits, billing,
 * and the source of each fact. It does not know queues or job scripts.
 *
 * A number that the sources do not state is NAN, or 0 where it counts things. Nothing here is guessed. Memory of
 * nodes is in MiB, as Slurm counts it.
 */
#ifndef BE_CLUSTER_CLUSTER_H
#define BE_CLUSTER_CLUSTER_H

#include <stdio.h>

#include "base/text.h"
#include "breakeven.h"

enum { BE_ALIASES_MAX = 6, BE_COUNTS_MAX = 8, BE_KINDS_MAX = 16, BE_WORDS_MAX = 8 };

enum be_scheduler { BE_SCHEDULER_SLURM, BE_SCHEDULER_LSF, BE_SCHEDULERS };

/* How a cluster wants GPUs to be asked for. */
enum be_gpu_request {
    BE_REQUEST_PER_NODE, /* --gpus-per-node=a100:2 */
    BE_REQUEST_GPUS,     /* --gpus=2, of the whole job */
    BE_REQUEST_GRES,     /* --gres=gpu:v100:2, of each node */
    BE_REQUEST_NODE,     /* nothing: who gets the node has its GPUs */
    BE_REQUEST_LSF,      /* -R "rusage[ngpus_excl_p=2]" */
    BE_REQUEST_NONE,     /* there are none, or it is not known how */
    BE_REQUESTS
};

/* The unit in which an hour of a job is counted. */
enum be_billing {
    BE_BILLING_UNKNOWN,
    BE_BILLING_BUNDLE, /* GPUs, cores and memory in units of one GPU with its share; the largest
                          counts, times the GPU's charge */
    BE_BILLING_SHARE,  /* the largest share of a node's GPUs, cores and memory, times its charge */
    BE_BILLING_NODE,   /* whole nodes, times the node's charge */
    BE_BILLINGS
};

/* A GPU, or a slice of one (MIG). */
struct be_cluster_gpu {
    char type[BE_NAME];  /* the specifier: "a100", "a100_1g.5gb"; empty: asked for without one */
    char model[BE_NAME]; /* "NVIDIA A100 40 GB" */
    char of[BE_NAME];    /* of a slice: type of the GPU it is cut from; empty: a whole one */
    char alias[BE_ALIASES_MAX][BE_NAME]; /* other specifiers that Slurm takes for it */
    int aliases;
    double memory_bytes; /* its own; NAN not known */
    double share;        /* of a whole GPU: 1; of a slice 1/7 .. */
    int cores;           /* that go with it, as the site advises; 0: what the node gives */
    double memory_mib;   /* of the host, likewise; NAN */
    int max;             /* in one job; 0: no limit known */
    double charge; /* for an hour of it with its share of a node, in the cluster's unit; NAN */
};

/* Nodes that are alike. */
struct be_cluster_node {
    char name[BE_NAME]; /* ours: "gpu", "cpu", "large" */
    int count;          /* 0: not known */
    int cores;          /* a node; 0: not known */
    double memory_mib;  /* a node, for jobs; NAN not known */
    double disk_bytes;  /* local, for jobs; NAN: none, or not known */
    char gpu[BE_NAME];  /* type of its GPUs; empty: none, or one without a specifier */
    int gpus;           /* a node; 0: none */
    char slice[BE_ALIASES_MAX][BE_NAME]; /* types of slices that are known to be on these nodes */
    int slices;
    int counts; /* GPUs of one node that may be asked for: those listed, or any */
    int count_of[BE_COUNTS_MAX];
    bool whole;               /* a job has them whole, whatever it asks for */
    char constraint[BE_NAME]; /* "gpu&hbm80g": what leads a job there; empty: nothing */
    char reminder[BE_NOTE];   /* what a job for them needs besides: "from a GPU login node" */
    double charge;            /* for an hour of the whole node, in the cluster's unit; NAN */
    char network[BE_NAME];    /* to other nodes: "hdr100", "4xslingshot-11"; empty: not known */
};

struct be_cluster_partition {
    char name[BE_NAME];
    char node[BE_KINDS_MAX][BE_NAME]; /* kinds of nodes it has; none: not known */
    int nodes;
    bool preset;           /* where a job goes that names none */
    double limit_s;        /* longest job; NAN: the cluster's, or not known */
    int max_nodes;         /* of one job; 0: no limit known */
    int max_gpus;          /* of one job; 0: no limit known */
    int max_cores;         /* of a node, for all its jobs together; 0: the node's */
    double max_memory_mib; /* of a node, for one job; NAN: the node's */
    char note[BE_NOTE];
};

/* A quality of service that users may name. */
struct be_cluster_qos {
    char name[BE_NAME];
    bool preset;    /* that of jobs which name none */
    bool usual;     /* that production jobs name, where they have to name one */
    double limit_s; /* longest job; NAN: the partition's, or not known */
    int max_nodes;  /* of one job; 0: no limit known */
    char note[BE_NOTE];
};

struct be_cluster_source {
    char what[BE_NOTE]; /* what was read there */
    char name[BE_NOTE]; /* "Alliance docs, Narval" */
    char date[BE_NAME]; /* ISO 8601: when it was read, or what it is of */
};

struct be_cluster {
    char name[BE_NAME];  /* "narval" */
    char title[BE_NOTE]; /* "Narval, Digital Research Alliance of Canada" */
    char date[BE_NAME];  /* ISO 8601: of the newest fact */
    char ended[BE_NAME]; /* ISO 8601: end of service; empty: in service */
    char successor[BE_NAME];
    enum be_scheduler scheduler;
    char slurm[BE_NAME]; /* its version, "24.05" or "23.11.10"; empty: not known */
    enum be_gpu_request request;
    char gpu_partition[BE_NAME]; /* that a GPU job must name; empty: none */
    bool needs_account;          /* jobs without --account are refused, or go to the wrong one */
    bool fixed_memory;           /* memory comes with the GPU or the node: --mem is not used */
    double limit_s;              /* longest job anywhere; NAN */
    double min_s;                /* shortest job that the site wants; NAN */
    int max_jobs;                /* of one user, waiting and running; 0 */
    enum be_billing billing;
    char unit[BE_NAME];       /* "RGU h", "AU"; empty: not known */
    char local_disk[BE_NAME]; /* variable that names local disk in a job: "SLURM_TMPDIR" */
    char required[BE_WORDS_MAX][BE_NAME]; /* options of sbatch that each job names: "qos" */
    int requireds;
    char licence[BE_WORDS_MAX][BE_NAME]; /* that jobs name for what they use: "scratch" */
    int licences;
    char reminder[BE_NOTE]; /* what to do when submitting, whatever the job */
    struct be_cluster_gpu *gpu;
    struct be_cluster_node *node;
    struct be_cluster_partition *partition;
    struct be_cluster_qos *qos;
    struct be_cluster_source *source;
    size_t gpus, nodes, partitions, qoses, sources;
    char (*remark)[BE_NOTE]; /* what else a user should know */
    size_t remarks;
};

void be_cluster_free(struct be_cluster *cluster); /* accepts a zeroed one */

/* ---- looking things up: NULL where there is no such thing ------------------------------------ */

/* The GPU of that specifier, or of another that Slurm takes for it; letters of either case. */
const struct be_cluster_gpu *be_cluster_gpu(const struct be_cluster *cluster, const char *type);
const struct be_cluster_node *be_cluster_node(const struct be_cluster *cluster, const char *name);
const struct be_cluster_partition *be_cluster_partition(const struct be_cluster *cluster,
                                                        const char *name);
const struct be_cluster_qos *be_cluster_qos(const struct be_cluster *cluster, const char *name);
/* Does each job there name this option of sbatch? */
bool be_cluster_requires(const struct be_cluster *cluster, const char *option);
/* "regular, debug": the qualities of service, or "none". */
void be_cluster_qoses(const struct be_cluster *cluster, char *text, size_t capacity);
/* Does the partition have such nodes? One that lists none has every kind. */
bool be_cluster_partition_has(const struct be_cluster_partition *partition,
                              const struct be_cluster_node *node);

/* The nodes that have this GPU, in `partition` unless that is NULL: of several those with most GPUs in all. For a slice
 * that no node is known to have it is the nodes with the GPU that the slice is cut from. */
const struct be_cluster_node *be_cluster_node_of(const struct be_cluster *cluster,
                                                 const struct be_cluster_gpu *gpu,
                                                 const struct be_cluster_partition *partition);

/* Cores and MiB of the host that go with one GPU of a node; 0 and NAN: not known. */
int be_cluster_cores_each(const struct be_cluster_gpu *gpu, const struct be_cluster_node *node);
double be_cluster_mib_each(const struct be_cluster_gpu *gpu, const struct be_cluster_node *node);

/* "a100, a100_1g.5gb": the specifiers, or "none". */
void be_cluster_types(const struct be_cluster *cluster, char *text, size_t capacity);
/* "gpu, medium": the partitions, or "none". */
void be_cluster_partitions(const struct be_cluster *cluster, char *text, size_t capacity);

/* ---- JSON in and out: docs/json.md ----------------------------------------------------------- */

/* The contents of one file. */
struct be_clusters {
    struct be_cluster *cluster;
    size_t count;
    char (*remark)[BE_NOTE]; /* keys that were passed over, one line each */
    size_t remarks;
};

/* BE_USAGE: "fir.json: clusters[0].gpus[2].share: a number from 0 to 1 is needed, not a string".
 * Keys not known here are passed over and remarked. *clusters owns memory. */
enum be_status be_clusters_read(FILE *in, const char *name, struct be_clusters *clusters,
                                struct be_error *error);
void be_clusters_free(struct be_clusters *clusters); /* accepts a zeroed one */

/* As a file of the catalogue; `text` remembers when memory ran out. */
void be_clusters_write(const struct be_cluster *const *cluster, size_t count, struct be_text *text);

#endif
