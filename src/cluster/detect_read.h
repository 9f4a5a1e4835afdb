/* The output of scontrol and sinfo, before it is grouped into kinds of nodes. */
#ifndef BE_CLUSTER_DETECT_READ_H
#define BE_CLUSTER_DETECT_READ_H

#include "cluster/detect.h"

enum { BE_GRES_MAX = 8 };

struct be_seen_gpu {
    char type[BE_NAME];
    int count;
};

struct be_seen_node {
    char name[BE_NAME];
    int cores;
    double memory_mib, disk_bytes;
    struct be_seen_gpu gpu[BE_GRES_MAX]; /* the whole ones first */
    int gpus;
    char *partitions; /* "gpu,all" */
    int kind;         /* filled when grouped */
};

struct be_seen_partition {
    char name[BE_NAME];
    bool preset, down;
    double limit_s;
    int max_nodes, max_cores;
    double max_memory_mib, max_mib_each; /* of a node, of a core */
    char weights[BE_NOTE];               /* TRESBillingWeights */
};

/* The nodes and partitions that were seen, as Slurm reported them. */
struct be_seen {
    struct be_seen_node *node;
    struct be_seen_partition *partition;
    size_t nodes, partitions;
    char cluster[BE_NAME], version[BE_NAME];
    bool tres; /* select/cons_tres: --gpus-per-node is understood */
    bool failed;
};

/* Adds what one output says; false: it is none of the commands'. */
bool be_detect_read(const char *text, struct be_seen *seen);
void be_seen_free(struct be_seen *seen);

/* "1g.5gb" at the end of a type: its share of a GPU and its memory; false: not a slice. */
bool be_detect_slice(const char *type, double *share, double *memory_bytes, size_t *whole);

#endif
