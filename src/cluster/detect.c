/* A cluster as Slurm describes it -> its record: nodes that are alike become one kind. */
#include "cluster/detect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cluster/check.h"
#include "cluster/detect_read.h"

/* NAN is like NAN. */
static bool same_number(double a, double b) {
    return (isnan(a) && isnan(b)) || (a >= b && a <= b);
}

/* ---- GPUs ------------------------------------------------------------------------------------ */

static struct be_cluster_gpu gpu_of(const char *type) {
    struct be_cluster_gpu gpu = {.memory_bytes = NAN, .share = 1, .memory_mib = NAN, .charge = NAN};
    size_t whole = 0;
    be_copy_text(gpu.type, sizeof gpu.type, type);
    be_detect_slice(type, &gpu.share, &gpu.memory_bytes, &whole);
    return gpu;
}

/* The GPU that a slice is cut from, if the cluster has one of a name like it: a100 of a100_1g.5gb,
 * h100 of nvidia_h100_80gb_hbm3_1g.10gb. */
static void find_whole(const struct be_cluster *cluster, struct be_cluster_gpu *slice) {
    double share = 0, memory = 0;
    size_t length = 0;
    if (!be_detect_slice(slice->type, &share, &memory, &length)) {
        return;
    }
    for (size_t i = 0; i < cluster->gpus; i++) {
        const struct be_cluster_gpu *one = &cluster->gpu[i];
        const char *at = one->share >= 1 && *one->type ? strstr(slice->type, one->type) : NULL;
        if (at && (size_t)(at - slice->type) < length) {
            be_copy_text(slice->of, sizeof slice->of, one->type);
        }
    }
}

/* All types, whole ones first. */
static bool collect_gpus(const struct be_seen *seen, struct be_cluster *cluster) {
    for (int slices = 0; slices < 2; slices++) {
        for (size_t i = 0; i < seen->nodes; i++) {
            for (int k = 0; k < seen->node[i].gpus; k++) {
                struct be_cluster_gpu gpu = gpu_of(seen->node[i].gpu[k].type);
                bool known = false;
                for (size_t j = 0; j < cluster->gpus; j++) {
                    known |= strcmp(cluster->gpu[j].type, gpu.type) == 0;
                }
                if (known || (gpu.share < 1) != slices) {
                    continue;
                }
                void *more = realloc(cluster->gpu, (cluster->gpus + 1) * sizeof *cluster->gpu);
                if (!more) {
                    return false;
                }
                cluster->gpu = more;
                cluster->gpu[cluster->gpus++] = gpu;
            }
        }
    }
    for (size_t i = 0; i < cluster->gpus; i++) {
        find_whole(cluster, &cluster->gpu[i]);
    }
    return true;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool alike(const struct be_seen_node *a, const struct be_seen_node *b) {
    bool same = a->cores == b->cores && same_number(a->memory_mib, b->memory_mib) &&
                same_number(a->disk_bytes, b->disk_bytes) && a->gpus == b->gpus;
    for (int i = 0; same && i < a->gpus; i++) {
        same = a->gpu[i].count == b->gpu[i].count && strcmp(a->gpu[i].type, b->gpu[i].type) == 0;
    }
    return same;
}

/* The first type is that of the nodes; what else they have are slices. */
static void take_gpus(const struct be_seen_node *node, struct be_cluster_node *made) {
    double share = 0, memory = 0;
    size_t whole = 0;
    if (node->gpus > 0) {
        be_copy_text(made->gpu, sizeof made->gpu, node->gpu[0].type);
        made->gpus = node->gpu[0].count;
    }
    for (int i = 1; i < node->gpus && made->slices < BE_ALIASES_MAX; i++) {
        if (be_detect_slice(node->gpu[i].type, &share, &memory, &whole)) {
            be_copy_text(made->slice[made->slices++], BE_NAME, node->gpu[i].type);
        }
    }
}

/* "cpu", "gpu", "mig", or the type of its GPUs; "cpu-2" where there is one already. */
static void name_kind(const struct be_cluster *cluster, const struct be_seen_node *node,
                      char name[BE_NAME]) {
    double share = 0, memory = 0;
    size_t whole = 0;
    const char *type = node->gpus > 0 ? node->gpu[0].type : "";
    const char *base = node->gpus == 0                                  ? "cpu"
                       : !*type                                         ? "gpu"
                       : be_detect_slice(type, &share, &memory, &whole) ? "mig"
                                                                        : type;
    snprintf(name, BE_NAME, "%.50s", base);
    for (int i = 2; be_cluster_node(cluster, name); i++) {
        snprintf(name, BE_NAME, "%.50s-%d", base, i);
    }
}

static bool collect_nodes(const struct be_seen *seen, struct be_cluster *cluster) {
    size_t *first = calloc(seen->nodes + 1, sizeof *first); /* of each kind */
    for (size_t i = 0; first && i < seen->nodes; i++) {
        struct be_seen_node *node = &seen->node[i];
        size_t kind = 0;
        while (kind < cluster->nodes && !alike(&seen->node[first[kind]], node)) {
            kind++;
        }
        if (kind == cluster->nodes) {
            void *more = realloc(cluster->node, (kind + 1) * sizeof *cluster->node);
            if (!more) {
                free(first);
                return false;
            }
            cluster->node = more;
            struct be_cluster_node made = {.cores = node->cores,
                                           .memory_mib = node->memory_mib,
                                           .disk_bytes = node->disk_bytes,
                                           .charge = NAN};
            take_gpus(node, &made);
            name_kind(cluster, node, made.name);
            cluster->node[cluster->nodes++] = made;
            first[kind] = i;
        }
        cluster->node[kind].count++;
        node->kind = (int)kind;
    }
    bool done = first != NULL;
    free(first);
    return done;
}

/* ---- partitions ------------------------------------------------------------------------------ */

/* Is `name` in "gpu,all"? */
static bool listed(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',') {
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static void find_kinds(const struct be_seen *seen, const struct be_cluster *cluster,
                       struct be_cluster_partition *partition) {
    bool all = true;
    for (size_t kind = 0; kind < cluster->nodes; kind++) {
        bool has = false;
        for (size_t i = 0; i < seen->nodes && !has; i++) {
            has = seen->node[i].kind == (int)kind &&
                  listed(seen->node[i].partitions, partition->name);
        }
        all &= !has || partition->nodes < BE_KINDS_MAX;
        if (has && partition->nodes < BE_KINDS_MAX) {
            be_copy_text(partition->node[partition->nodes++], BE_NAME, cluster->node[kind].name);
        }
    }
    if (!all) { /* none listed stands for every kind */
        partition->nodes = 0;
    }
}

/* Slurm does not refuse memory above MaxMemPerCPU: it counts more cores to the job. */
static void make_note(const struct be_seen_partition *from, char note[BE_NOTE]) {
    char memory[BE_NAME] = "";
    if (isfinite(from->max_mib_each)) {
        snprintf(memory, sizeof memory, "a core for each %.0f MiB", from->max_mib_each);
    }
    const char *const part[] = {from->down ? "not up when this was read" : "", memory,
                                *from->weights ? "billing weights " : ""};
    size_t used = 0;
    *note = '\0';
    for (size_t i = 0; i < BE_COUNT(part); i++) {
        if (*part[i]) {
            used +=
                (size_t)snprintf(note + used, BE_NOTE - used, "%s%s", used ? "; " : "", part[i]);
        }
    }
    snprintf(note + used, BE_NOTE - used, "%.200s", from->weights);
}

static bool collect_partitions(const struct be_seen *seen, struct be_cluster *cluster) {
    cluster->partition = calloc(seen->partitions + 1, sizeof *cluster->partition);
    if (!cluster->partition) {
        return false;
    }
    double longest = 0;
    for (size_t i = 0; i < seen->partitions; i++) {
        const struct be_seen_partition *from = &seen->partition[i];
        struct be_cluster_partition *to = &cluster->partition[cluster->partitions++];
        *to = (struct be_cluster_partition){.preset = from->preset,
                                            .limit_s = from->limit_s,
                                            .max_nodes = from->max_nodes,
                                            .max_cores = from->max_cores,
                                            .max_memory_mib = from->max_memory_mib};
        be_copy_text(to->name, sizeof to->name, from->name);
        find_kinds(seen, cluster, to);
        make_note(from, to->note);
        longest = isnan(from->limit_s) || isnan(longest) ? NAN : fmax(longest, from->limit_s);
    }
    cluster->limit_s = longest > 0 ? longest : NAN;
    return true;
}

/* ---- the record ------------------------------------------------------------------------------ */

static bool add_source(const char *date, struct be_cluster *cluster) {
    cluster->source = calloc(1, sizeof *cluster->source);
    cluster->remark = calloc(1, sizeof *cluster->remark);
    if (!cluster->source || !cluster->remark) {
        return false;
    }
    cluster->sources = cluster->remarks = 1;
    be_copy_text(cluster->source->name, BE_NOTE, "scontrol and sinfo on the cluster");
    be_copy_text(cluster->source->what, BE_NOTE, "partitions, nodes, GPUs, limits");
    be_copy_text(cluster->source->date, BE_NAME, date);
    be_copy_text(cluster->remark[0], BE_NOTE,
                 "Not seen by Slurm: what the site charges, whether an account must be named, what "
                 "names local disk.");
    return true;
}

static enum be_status make(const struct be_seen *seen, const char *cluster_name, const char *date,
                           struct be_cluster *cluster, struct be_error *error) {
    char key[BE_NAME], what[BE_NOTE];
    *cluster = (struct be_cluster){.scheduler = BE_SCHEDULER_SLURM,
                                   .request = seen->tres ? BE_REQUEST_PER_NODE : BE_REQUEST_GRES,
                                   .limit_s = NAN,
                                   .min_s = NAN};
    const char *name = cluster_name ? cluster_name : *seen->cluster ? seen->cluster : "detected";
    be_copy_text(cluster->slurm, BE_NAME, seen->version);
    if (strlen(name) >= sizeof cluster->name) {
        return be_fail(error, BE_USAGE, "cluster %.40s...: the name is too long", name);
    }
    be_copy_text(cluster->name, sizeof cluster->name, name);
    snprintf(cluster->title, sizeof cluster->title, "%s, as its Slurm says", name);
    be_copy_text(cluster->date, sizeof cluster->date, date);
    if (!collect_gpus(seen, cluster) || !collect_nodes(seen, cluster) ||
        !collect_partitions(seen, cluster) || !add_source(date, cluster)) {
        return be_fail(error, BE_NOMEM, "detect: no host memory");
    }
    if (cluster->gpus == 0) {
        cluster->request = BE_REQUEST_NONE;
    }
    return be_cluster_check(cluster, key, what)
               ? BE_OK
               : be_fail(error, BE_USAGE, "detected: %s: %s", key, what);
}

enum be_status be_cluster_detect(const struct be_text *output, const char *const *name,
                                 size_t outputs, const char *cluster_name, const char *date,
                                 struct be_cluster *cluster, struct be_error *error) {
    struct be_seen seen = {0};
    enum be_status status = BE_OK;
    *cluster = (struct be_cluster){0};
    for (size_t i = 0; status == BE_OK && i < outputs; i++) {
        if (!output[i].data || !be_detect_read(output[i].data, &seen)) {
            status = be_fail(error, BE_USAGE,
                             "%s: not the output of scontrol show partition, node or config, nor "
                             "of sinfo -N -h -o '%s'",
                             name[i], BE_DETECT_SINFO);
        }
    }
    if (status == BE_OK && seen.failed) {
        status = be_fail(error, BE_NOMEM, "detect: no host memory");
    }
    if (status == BE_OK && (seen.nodes == 0 || seen.partitions == 0)) {
        status = be_fail(error, BE_USAGE, "detect: no %s: scontrol show %s says %s",
                         seen.nodes ? "partition" : "node", seen.nodes ? "partition" : "node",
                         seen.nodes ? "which there are" : "what there is");
    }
    status = status == BE_OK ? make(&seen, cluster_name, date, cluster, error) : status;
    if (status != BE_OK) {
        be_cluster_free(cluster);
    }
    be_seen_free(&seen);
    return status;
}
