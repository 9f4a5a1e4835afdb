#include "cluster/check.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "script/sbatch_options.h"

struct check {
    char *key, *what;
};

static bool wrong(const struct check *check, const char *what, const char *key, ...)
    __attribute__((format(printf, 3, 4)));

static bool wrong(const struct check *check, const char *what, const char *key, ...) {
    va_list list;
    va_start(list, key);
    vsnprintf(check->key, BE_NAME, key, list);
    va_end(list);
    be_copy_text(check->what, BE_NOTE, what);
    return false;
}

/* Letters, digits and . _ + : - : what may stand in a directive as it is. */
static bool is_name(const char *text) {
    static const char fit[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+:-";
    return *text != '-' && text[strspn(text, fit)] == '\0';
}

/* Features with & | [ ] * ( ) , : between them, as --constraint takes them; within quotes they are what they say. */
static bool is_constraint(const char *text) {
    static const char fit[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+:-&|[]*(),";
    return *text != '-' && text[strspn(text, fit)] == '\0';
}

static bool is_variable(const char *text) {
    static const char fit[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return (*text < '0' || *text > '9') && text[strspn(text, fit)] == '\0';
}

/* 2026-11-21, or only its beginning. */
static bool is_date(const char *text) {
    static const char form[] = "dddd-dd-dd";
    size_t length = strlen(text);
    for (size_t i = 0; i < length && i < sizeof form - 1; i++) {
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != '-') {
            return false;
        }
    }
    return length == 4 || length == 7 || length == 10;
}

static const char not_a_name[] = "letters, digits and . _ + : - are allowed, not beginning with -";
static const char not_a_date[] = "a date is needed, as 2026-11-21, 2026-11 or 2026";

static bool check_gpus(struct be_cluster *cluster, const struct check *check) {
    for (size_t i = 0; i < cluster->gpus; i++) {
        struct be_cluster_gpu *gpu = &cluster->gpu[i];
        if (!is_name(gpu->type)) {
            return wrong(check, not_a_name, "gpus[%zu].type", i);
        }
        for (int k = 0; k < gpu->aliases; k++) {
            if (!is_name(gpu->alias[k]) || !*gpu->alias[k]) {
                return wrong(check, not_a_name, "gpus[%zu].aliases[%d]", i, k);
            }
        }
        for (size_t k = 0; k < i; k++) {
            if (strcmp(cluster->gpu[k].type, gpu->type) == 0) {
                return wrong(check, "is there twice", "gpus[%zu].type", i);
            }
        }
        if (*gpu->of && (!be_cluster_gpu(cluster, gpu->of) || strcmp(gpu->of, gpu->type) == 0)) {
            return wrong(check, "no other GPU has that type", "gpus[%zu].of", i);
        }
        gpu->share = isnan(gpu->share) && !*gpu->of ? 1 : gpu->share;
    }
    return true;
}

static bool check_nodes(const struct be_cluster *cluster, const struct check *check) {
    for (size_t i = 0; i < cluster->nodes; i++) {
        const struct be_cluster_node *node = &cluster->node[i];
        if (be_cluster_node(cluster, node->name) != node) {
            return wrong(check, "is there twice", "nodes[%zu].name", i);
        }
        if (node->gpus > 0 ? !be_cluster_gpu(cluster, node->gpu) : *node->gpu != '\0') {
            return wrong(check,
                         node->gpus > 0 ? "none of `gpus` has that type"
                                        : "`gpus` must say how many each of the nodes has",
                         "nodes[%zu].gpu", i);
        }
        if (!is_constraint(node->constraint)) {
            return wrong(check, "names of features are needed, with & or | between them",
                         "nodes[%zu].constraint", i);
        }
        for (int k = 0; k < node->slices; k++) {
            if (!be_cluster_gpu(cluster, node->slice[k])) {
                return wrong(check, "none of `gpus` has that type", "nodes[%zu].slices[%d]", i, k);
            }
        }
        for (int k = 0; k < node->counts; k++) {
            if (node->count_of[k] > node->gpus) {
                return wrong(check, "more GPUs than a node has", "nodes[%zu].counts[%d]", i, k);
            }
        }
    }
    return true;
}

static bool check_partitions(const struct be_cluster *cluster, const struct check *check) {
    const struct be_cluster_partition *preset = NULL;
    for (size_t i = 0; i < cluster->partitions; i++) {
        const struct be_cluster_partition *partition = &cluster->partition[i];
        if (!is_name(partition->name) || !*partition->name) {
            return wrong(check, not_a_name, "partitions[%zu].name", i);
        }
        if (be_cluster_partition(cluster, partition->name) != partition) {
            return wrong(check, "is there twice", "partitions[%zu].name", i);
        }
        for (int k = 0; k < partition->nodes; k++) {
            if (!be_cluster_node(cluster, partition->node[k])) {
                return wrong(check, "none of the cluster's `nodes` has that name",
                             "partitions[%zu].nodes[%d]", i, k);
            }
        }
        if (partition->preset && preset) {
            return wrong(check, "another partition is it already", "partitions[%zu].default", i);
        }
        preset = partition->preset ? partition : preset;
    }
    return true;
}

static bool check_words(const struct be_cluster *cluster, const struct check *check) {
    for (int i = 0; i < cluster->requireds; i++) {
        if (!be_sbatch_named(cluster->required[i])) {
            return wrong(check, "the name of an option of sbatch is needed, without hyphens",
                         "required[%d]", i);
        }
    }
    for (int i = 0; i < cluster->licences; i++) {
        if (!is_name(cluster->licence[i]) || !*cluster->licence[i]) {
            return wrong(check, not_a_name, "licenses[%d]", i);
        }
    }
    for (size_t i = 0; i < cluster->qoses; i++) {
        if (!is_name(cluster->qos[i].name) || !*cluster->qos[i].name) {
            return wrong(check, not_a_name, "qos[%zu].name", i);
        }
        if (be_cluster_qos(cluster, cluster->qos[i].name) != &cluster->qos[i]) {
            return wrong(check, "is there twice", "qos[%zu].name", i);
        }
    }
    return true;
}

bool be_cluster_check(struct be_cluster *cluster, char key[BE_NAME], char what[BE_NOTE]) {
    const struct check check = {key, what};
    if (!*cluster->name || !is_name(cluster->name) || *cluster->name == '.') {
        return wrong(&check, not_a_name, "name");
    }
    if (!is_date(cluster->date)) {
        return wrong(&check, not_a_date, "date");
    }
    if (*cluster->ended && !is_date(cluster->ended)) {
        return wrong(&check, not_a_date, "ended");
    }
    if (!is_variable(cluster->local_disk)) {
        return wrong(&check, "the name of a variable is needed, without $", "local_disk");
    }
    if (*cluster->gpu_partition && !be_cluster_partition(cluster, cluster->gpu_partition)) {
        return wrong(&check, "none of `partitions` has that name", "gpu_partition");
    }
    for (size_t i = 0; i < cluster->sources; i++) {
        if (!is_date(cluster->source[i].date)) {
            return wrong(&check, not_a_date, "sources[%zu].date", i);
        }
    }
    return check_gpus(cluster, &check) && check_nodes(cluster, &check) &&
           check_partitions(cluster, &check) && check_words(cluster, &check);
}
