#include "cluster/cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

void be_cluster_free(struct be_cluster *cluster) {
    free(cluster->gpu);
    free(cluster->node);
    free(cluster->partition);
    free(cluster->qos);
    free(cluster->source);
    free(cluster->remark);
    *cluster = (struct be_cluster){0};
}

void be_clusters_free(struct be_clusters *clusters) {
    for (size_t i = 0; i < clusters->count; i++) {
        be_cluster_free(&clusters->cluster[i]);
    }
    free(clusters->cluster);
    free(clusters->remark);
    *clusters = (struct be_clusters){0};
}

/* ---- looking things up ----------------------------------------------------------------------- */

const struct be_cluster_gpu *be_cluster_gpu(const struct be_cluster *cluster, const char *type) {
    for (size_t i = 0; i < cluster->gpus; i++) {
        const struct be_cluster_gpu *gpu = &cluster->gpu[i];
        if (strcasecmp(gpu->type, type) == 0) {
            return gpu;
        }
        for (int k = 0; k < gpu->aliases; k++) {
            if (strcasecmp(gpu->alias[k], type) == 0) {
                return gpu;
            }
        }
    }
    return NULL;
}

const struct be_cluster_node *be_cluster_node(const struct be_cluster *cluster, const char *name) {
    for (size_t i = 0; i < cluster->nodes; i++) {
        if (strcmp(cluster->node[i].name, name) == 0) {
            return &cluster->node[i];
        }
    }
    return NULL;
}

const struct be_cluster_partition *be_cluster_partition(const struct be_cluster *cluster,
                                                        const char *name) {
    for (size_t i = 0; i < cluster->partitions; i++) {
        if (strcmp(cluster->partition[i].name, name) == 0) {
            return &cluster->partition[i];
        }
    }
    return NULL;
}

const struct be_cluster_qos *be_cluster_qos(const struct be_cluster *cluster, const char *name) {
    for (size_t i = 0; i < cluster->qoses; i++) {
        if (strcmp(cluster->qos[i].name, name) == 0) {
            return &cluster->qos[i];
        }
    }
    return NULL;
}

bool be_cluster_requires(const struct be_cluster *cluster, const char *option) {
    for (int i = 0; i < cluster->requireds; i++) {
        if (strcmp(cluster->required[i], option) == 0) {
            return true;
        }
    }
    return false;
}

bool be_cluster_partition_has(const struct be_cluster_partition *partition,
                              const struct be_cluster_node *node) {
    for (int i = 0; i < partition->nodes; i++) {
        if (strcmp(partition->node[i], node->name) == 0) {
            return true;
        }
    }
    return partition->nodes == 0;
}

static bool node_has(const struct be_cluster_node *node, const char *type) {
    for (int i = 0; i < node->slices; i++) {
        if (strcmp(node->slice[i], type) == 0) {
            return true;
        }
    }
    return node->gpus > 0 && strcmp(node->gpu, type) == 0;
}

static const struct be_cluster_node *max_of(const struct be_cluster *cluster, const char *type,
                                            const struct be_cluster_partition *partition) {
    const struct be_cluster_node *best = NULL;
    for (size_t i = 0; i < cluster->nodes; i++) {
        const struct be_cluster_node *node = &cluster->node[i];
        bool has =
            node_has(node, type) && (!partition || be_cluster_partition_has(partition, node));
        if (has && (!best || (long)node->count * node->gpus > (long)best->count * best->gpus)) {
            best = node;
        }
    }
    return best;
}

const struct be_cluster_node *be_cluster_node_of(const struct be_cluster *cluster,
                                                 const struct be_cluster_gpu *gpu,
                                                 const struct be_cluster_partition *partition) {
    const struct be_cluster_node *node = max_of(cluster, gpu->type, partition);
    return node || !*gpu->of ? node : max_of(cluster, gpu->of, partition);
}

int be_cluster_cores_each(const struct be_cluster_gpu *gpu, const struct be_cluster_node *node) {
    if (gpu->cores > 0) {
        return gpu->cores;
    }
    return node && node->gpus > 0 && !*gpu->of ? node->cores / node->gpus : 0;
}

double be_cluster_mib_each(const struct be_cluster_gpu *gpu, const struct be_cluster_node *node) {
    if (!isnan(gpu->memory_mib)) {
        return gpu->memory_mib;
    }
    return node && node->gpus > 0 && !*gpu->of ? floor(node->memory_mib / node->gpus) : NAN;
}

/* ---- lists for messages ---------------------------------------------------------------------- */

/* A name that does not fit is left out, and " ..." says so. */
static void add_name(char *text, size_t capacity, const char *name) {
    static const char more[] = " ...";
    size_t used = strlen(text), left = capacity - used;
    if (used >= sizeof more && strcmp(text + used + 1 - sizeof more, more) == 0) {
        return;
    }
    bool fits = strlen(name) + 2 + sizeof more <= left;
    snprintf(text + used, left, "%s%s", fits && used ? ", " : "", fits ? name : more);
}

void be_cluster_types(const struct be_cluster *cluster, char *text, size_t capacity) {
    *text = '\0';
    for (size_t i = 0; i < cluster->gpus; i++) {
        if (*cluster->gpu[i].type) {
            add_name(text, capacity, cluster->gpu[i].type);
        }
    }
    if (!*text) {
        be_copy_text(text, capacity, "none");
    }
}

void be_cluster_qoses(const struct be_cluster *cluster, char *text, size_t capacity) {
    *text = '\0';
    for (size_t i = 0; i < cluster->qoses; i++) {
        add_name(text, capacity, cluster->qos[i].name);
    }
    if (!*text) {
        be_copy_text(text, capacity, "none");
    }
}

void be_cluster_partitions(const struct be_cluster *cluster, char *text, size_t capacity) {
    *text = '\0';
    for (size_t i = 0; i < cluster->partitions; i++) {
        add_name(text, capacity, cluster->partition[i].name);
    }
    if (!*text) {
        be_copy_text(text, capacity, "none");
    }
}
