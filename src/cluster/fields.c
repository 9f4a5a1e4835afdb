#include "cluster/fields.h"

#include "base/error.h"
#include "cluster/cluster.h"

/* ---- words ----------------------------------------------------------------------------------- */

static const char *const schedulers[] = {
    [BE_SCHEDULER_SLURM] = "slurm",
    [BE_SCHEDULER_LSF] = "lsf",
};

static const char *const requests[] = {
    [BE_REQUEST_PER_NODE] = "gpus-per-node",
    [BE_REQUEST_GPUS] = "gpus",
    [BE_REQUEST_GRES] = "gres",
    [BE_REQUEST_NODE] = "whole node",
    [BE_REQUEST_LSF] = "ngpus_excl_p",
    [BE_REQUEST_NONE] = "none",
};

static const char *const billings[] = {
    [BE_BILLING_UNKNOWN] = "unknown",
    [BE_BILLING_BUNDLE] = "bundle",
    [BE_BILLING_SHARE] = "largest share",
    [BE_BILLING_NODE] = "whole node",
};

static const char *scheduler_word(int value) {
    return (size_t)value < BE_COUNT(schedulers) ? schedulers[value] : "?";
}

static const char *request_word(int value) {
    return (size_t)value < BE_COUNT(requests) ? requests[value] : "?";
}

static const char *billing_word(int value) {
    return (size_t)value < BE_COUNT(billings) ? billings[value] : "?";
}

/* ---- keys ------------------------------------------------------------------------------------ */

#define PLACE(type, member) .at = offsetof(type, member), .capacity = sizeof(((type *)0)->member)
#define TEXT(type, member)                                                                         \
    { .name = #member, .kind = BE_KEY_TEXT, PLACE(type, member) }
#define NEEDED(type, member)                                                                       \
    { .name = #member, .kind = BE_KEY_TEXT, .needed = true, PLACE(type, member) }
#define REAL(type, member, lo, hi)                                                                 \
    { .name = #member, .kind = BE_KEY_REAL, PLACE(type, member), .min = (lo), .max = (hi) }
/* A key that keeps its name in files, whatever the member is called. */
#define REAL_AS(type, key, member, lo, hi)                                                         \
    { .name = (key), .kind = BE_KEY_REAL, PLACE(type, member), .min = (lo), .max = (hi) }
#define INT_AS(type, key, member, hi)                                                              \
    { .name = (key), .kind = BE_KEY_INT, PLACE(type, member), .min = 0, .max = (hi) }
#define INT(type, member, hi)                                                                      \
    { .name = #member, .kind = BE_KEY_INT, PLACE(type, member), .min = 0, .max = (hi) }
#define TRUTH(type, member)                                                                        \
    { .name = #member, .kind = BE_KEY_TRUTH, PLACE(type, member) }
#define WORD(type, member, function, words)                                                        \
    {                                                                                              \
        .name = #member, .kind = BE_KEY_WORD, PLACE(type, member), .count = (words),               \
        .word = (function)                                                                         \
    }
#define TEXTS(type, title, member, many, max)                                                      \
    {                                                                                              \
        .name = (title), .kind = BE_KEY_TEXTS, .at = offsetof(type, member), .capacity = BE_NAME,  \
        .many_at = offsetof(type, many), .count = (max)                                            \
    }

/* No cluster has so much: a larger number is a slip of the pen, or damage. */
enum { COUNT_MAX = 10000000, HOURS_MAX = 100000 };
#define BYTES_MAX 1e18
#define SECONDS_MAX (3600.0 * HOURS_MAX)

static const struct be_key cluster[] = {
    NEEDED(struct be_cluster, name),
    TEXT(struct be_cluster, title),
    NEEDED(struct be_cluster, date),
    TEXT(struct be_cluster, ended),
    TEXT(struct be_cluster, successor),
    WORD(struct be_cluster, scheduler, scheduler_word, BE_SCHEDULERS),
    TEXT(struct be_cluster, slurm),
    WORD(struct be_cluster, request, request_word, BE_REQUESTS),
    TEXT(struct be_cluster, gpu_partition),
    TRUTH(struct be_cluster, needs_account),
    TRUTH(struct be_cluster, fixed_memory),
    REAL(struct be_cluster, limit_s, 1, SECONDS_MAX),
    REAL_AS(struct be_cluster, "least_s", min_s, 0, SECONDS_MAX),
    INT_AS(struct be_cluster, "most_jobs", max_jobs, COUNT_MAX),
    WORD(struct be_cluster, billing, billing_word, BE_BILLINGS),
    TEXT(struct be_cluster, unit),
    TEXT(struct be_cluster, local_disk),
    TEXTS(struct be_cluster, "required", required, requireds, BE_WORDS_MAX),
    TEXTS(struct be_cluster, "licenses", licence, licences, BE_WORDS_MAX),
    TEXT(struct be_cluster, reminder),
};

static const struct be_key gpu[] = {
    TEXT(struct be_cluster_gpu, type),
    TEXT(struct be_cluster_gpu, model),
    TEXT(struct be_cluster_gpu, of),
    TEXTS(struct be_cluster_gpu, "aliases", alias, aliases, BE_ALIASES_MAX),
    REAL(struct be_cluster_gpu, memory_bytes, 1, BYTES_MAX),
    REAL(struct be_cluster_gpu, share, 0, 1),
    INT(struct be_cluster_gpu, cores, COUNT_MAX),
    REAL(struct be_cluster_gpu, memory_mib, 1, BYTES_MAX),
    INT_AS(struct be_cluster_gpu, "most", max, COUNT_MAX),
    REAL(struct be_cluster_gpu, charge, 0, BYTES_MAX),
};

static const struct be_key node[] = {
    NEEDED(struct be_cluster_node, name),
    INT(struct be_cluster_node, count, COUNT_MAX),
    INT(struct be_cluster_node, cores, COUNT_MAX),
    REAL(struct be_cluster_node, memory_mib, 1, BYTES_MAX),
    REAL(struct be_cluster_node, disk_bytes, 0, BYTES_MAX),
    TEXT(struct be_cluster_node, gpu),
    INT(struct be_cluster_node, gpus, 1024),
    TEXTS(struct be_cluster_node, "slices", slice, slices, BE_ALIASES_MAX),
    {.name = "counts",
     .kind = BE_KEY_INTS,
     .at = offsetof(struct be_cluster_node, count_of),
     .many_at = offsetof(struct be_cluster_node, counts),
     .count = BE_COUNTS_MAX,
     .min = 1,
     .max = 1024},
    TRUTH(struct be_cluster_node, whole),
    TEXT(struct be_cluster_node, constraint),
    TEXT(struct be_cluster_node, reminder),
    REAL(struct be_cluster_node, charge, 0, BYTES_MAX),
    TEXT(struct be_cluster_node, network),
};

static const struct be_key partition[] = {
    NEEDED(struct be_cluster_partition, name),
    TEXTS(struct be_cluster_partition, "nodes", node, nodes, BE_KINDS_MAX),
    {.name = "default", .kind = BE_KEY_TRUTH, PLACE(struct be_cluster_partition, preset)},
    REAL(struct be_cluster_partition, limit_s, 1, SECONDS_MAX),
    INT_AS(struct be_cluster_partition, "most_nodes", max_nodes, COUNT_MAX),
    INT_AS(struct be_cluster_partition, "most_gpus", max_gpus, COUNT_MAX),
    INT_AS(struct be_cluster_partition, "most_cores", max_cores, COUNT_MAX),
    REAL_AS(struct be_cluster_partition, "most_memory_mib", max_memory_mib, 1, BYTES_MAX),
    TEXT(struct be_cluster_partition, note),
};

static const struct be_key qos[] = {
    NEEDED(struct be_cluster_qos, name),
    {.name = "default", .kind = BE_KEY_TRUTH, PLACE(struct be_cluster_qos, preset)},
    TRUTH(struct be_cluster_qos, usual),
    REAL(struct be_cluster_qos, limit_s, 1, SECONDS_MAX),
    INT_AS(struct be_cluster_qos, "most_nodes", max_nodes, COUNT_MAX),
    TEXT(struct be_cluster_qos, note),
};

static const struct be_key source[] = {
    NEEDED(struct be_cluster_source, name),
    TEXT(struct be_cluster_source, what),
    NEEDED(struct be_cluster_source, date),
};

const struct be_keys be_keys_cluster = {
    .key = cluster, .count = BE_COUNT(cluster), .record = sizeof(struct be_cluster)};

#define LIST(of, record_type, lists, counts) LIST_AS(#counts, of, record_type, lists, counts)
#define LIST_AS(title, of, record_type, lists, counts)                                             \
    {                                                                                              \
        .name = (title), .key = (of), .count = BE_COUNT(of), .record = sizeof(struct record_type), \
        .list_at = offsetof(struct be_cluster, lists),                                             \
        .in_at = offsetof(struct be_cluster, counts)                                               \
    }

const struct be_keys be_keys_lists[] = {
    LIST(gpu, be_cluster_gpu, gpu, gpus),
    LIST(node, be_cluster_node, node, nodes),
    LIST(partition, be_cluster_partition, partition, partitions),
    LIST_AS("qos", qos, be_cluster_qos, qos, qoses),
    LIST(source, be_cluster_source, source, sources),
    {0},
};
