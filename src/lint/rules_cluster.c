/* Rules that ask the catalogue what a cluster has. Without --cluster they are silent. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "lint/rules.h"

static const struct be_script_option *given(const struct be_lint *lint, const char *name) {
    const struct be_script_option *option = be_script_option(lint->script, -1, name);
    return option && option->text && !be_sbatch_refuses(option->option, option->text) ? option
                                                                                      : NULL;
}

/* The one partition that is named; NULL: none, several, or one that the catalogue does not have.
 * The components of a heterogeneous job have one each. */
static const struct be_cluster_partition *partition_of(const struct be_lint *lint) {
    const struct be_cluster *cluster = lint->options->cluster;
    const struct be_script_option *option = given(lint, "partition");
    return cluster && option && !lint->script->heterogeneous
               ? be_cluster_partition(cluster, option->text)
               : NULL;
}

/* Could the job run there? With no partition named anywhere, since sites choose by what is asked for. */
static bool in_reach(const struct be_lint *lint, const struct be_cluster_node *node) {
    const struct be_cluster_partition *partition = partition_of(lint);
    return !partition || be_cluster_partition_has(partition, node);
}

/* "breakeven", or "partition cpu of breakeven". */
static const char *place(const struct be_lint *lint, char *to, size_t capacity) {
    const struct be_cluster_partition *partition = partition_of(lint);
    const char *cluster = lint->options->cluster->name;
    if (partition && partition->nodes > 0) {
        snprintf(to, capacity, "partition %s of %s", partition->name, cluster);
    } else {
        be_copy_text(to, capacity, cluster);
    }
    return to;
}

void be_check_partition(struct be_lint *lint) {
    const struct be_cluster *cluster = lint->options->cluster;
    const struct be_script_option *option = given(lint, "partition");
    if (!cluster || !option || cluster->partitions == 0 || !*option->text) {
        return;
    }
    for (const char *at = option->text; *at;) {
        char name[BE_NAME], list[BE_NOTE];
        size_t length = strcspn(at, ",");
        be_copy_text(name, length < sizeof name ? length + 1 : sizeof name, at);
        if (*name && !be_cluster_partition(cluster, name)) {
            be_cluster_partitions(cluster, list, sizeof list);
            be_lint_advise(be_lint_add(lint, BE_ERROR, option->value,
                                       "%s has no partition \"%s\", as far as the catalogue knows",
                                       cluster->name, name),
                           "it has %.200s", list);
        }
        at += length + (at[length] == ',');
    }
}

void be_check_specifier(struct be_lint *lint) {
    static const char *const names[] = {"gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket",
                                        "gres"};
    const struct be_cluster *cluster = lint->options->cluster;
    for (size_t i = 0; cluster && i < BE_COUNT(names); i++) {
        const struct be_script_option *option = given(lint, names[i]);
        struct be_sbatch_gpus gpus = {0};
        char types[BE_NOTE];
        if (!option || !be_sbatch_gpus(option->option, option->text, &gpus) || !*gpus.type ||
            be_cluster_gpu(cluster, gpus.type)) {
            continue;
        }
        be_cluster_types(cluster, types, sizeof types);
        be_lint_advise(be_lint_add(lint, BE_ERROR, option->value, "%s has no GPU \"%s\"",
                                   cluster->name, gpus.type),
                       "its specifiers: %.250s", types);
    }
}

/* The most GPUs that one node in reach has, of a type or of any; 0: none, or not known. */
static int max_gpus(const struct be_lint *lint, const char *type) {
    const struct be_cluster *cluster = lint->options->cluster;
    const struct be_cluster_gpu *gpu = *type ? be_cluster_gpu(cluster, type) : NULL;
    const struct be_cluster_node *of = gpu ? be_cluster_node_of(cluster, gpu, NULL) : NULL;
    int max = 0;
    if (gpu && *gpu->of) {
        return 0; /* slices: how many fit is not in the catalogue */
    }
    for (size_t i = 0; i < cluster->nodes; i++) {
        if ((gpu && of && strcmp(cluster->node[i].gpu, gpu->type) != 0) ||
            !in_reach(lint, &cluster->node[i])) {
            continue;
        }
        max = cluster->node[i].gpus > max ? cluster->node[i].gpus : max;
    }
    return max;
}

/* Is it known that no node in reach has a GPU? */
static bool has_no_gpu(const struct be_lint *lint) {
    const struct be_cluster *cluster = lint->options->cluster;
    bool any = false;
    for (size_t i = 0; i < cluster->nodes; i++) {
        const struct be_cluster_node *node = &cluster->node[i];
        if (in_reach(lint, node)) {
            any = true;
            if (node->gpus > 0 || node->slices > 0 || *node->gpu) {
                return false;
            }
        }
    }
    return any;
}

void be_check_gpu_count(struct be_lint *lint) {
    const struct be_cluster *cluster = lint->options->cluster;
    struct be_lint_job job;
    char where[2 * BE_NAME + 32];
    be_lint_read_job(lint, &job);
    if (!cluster || !job.gpus || lint->script->heterogeneous) {
        return;
    }
    bool each = strcmp(job.gpus_by->option->name, "gpus") != 0 &&
                strcmp(job.gpus_by->option->name, "gpus-per-task") != 0;
    int max = max_gpus(lint, job.gpu_type);
    if (has_no_gpu(lint)) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(job.gpus_by), "%s has no GPU",
                                   place(lint, where, sizeof where)),
                       "name a partition that has some: breakeven clusters %s", cluster->name);
        return;
    }
    if (each && max > 0 && job.gpus / job.nodes > max) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(job.gpus_by),
                                   "%lld GPUs of one node; nodes of %s have %d",
                                   (long long)(job.gpus / job.nodes),
                                   place(lint, where, sizeof where), max),
                       "take more nodes, with %d each", max);
    }
    const struct be_cluster_gpu *gpu = *job.gpu_type ? be_cluster_gpu(cluster, job.gpu_type) : NULL;
    if (gpu && gpu->max > 0 && job.gpus > gpu->max) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(job.gpus_by),
                                   "%lld of \"%s\"; %s allows %d in one job", (long long)job.gpus,
                                   gpu->type, cluster->name, gpu->max),
                       "ask for a whole GPU");
    }
    const struct be_cluster_partition *in = partition_of(lint);
    if (in && in->max_gpus > 0 && job.gpus > in->max_gpus) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(job.gpus_by),
                                   "%lld GPUs; partition %s allows %d in one job",
                                   (long long)job.gpus, in->name, in->max_gpus),
                       "take fewer, or another partition");
    }
}

/* The resources of the nodes in reach; 0 and NAN: not known of all. */
struct reach {
    int64_t nodes, cores; /* of all, cores as far as the partition gives them */
    int min_cores, max_cores;
    double min_mib, max_mib;
};

static struct reach reach_of(const struct be_lint *lint) {
    const struct be_cluster *cluster = lint->options->cluster;
    const struct be_cluster_partition *in = partition_of(lint);
    const int given_cores = in && in->max_cores > 0 ? in->max_cores : INT_MAX;
    struct reach of = {.min_mib = NAN, .max_mib = NAN};
    bool any = false, counted = true, cores = true, memory = true;
    for (size_t i = 0; cluster && i < cluster->nodes; i++) {
        const struct be_cluster_node *node = &cluster->node[i];
        if (!in_reach(lint, node)) {
            continue;
        }
        counted &= node->count > 0;
        cores &= node->cores > 0;
        memory &= isfinite(node->memory_mib);
        of.nodes += node->count;
        of.cores += (int64_t)node->count * (node->cores < given_cores ? node->cores : given_cores);
        of.min_cores = any && of.min_cores < node->cores ? of.min_cores : node->cores;
        of.max_cores = of.max_cores > node->cores ? of.max_cores : node->cores;
        of.min_mib = fmin(of.min_mib, node->memory_mib);
        of.max_mib = fmax(of.max_mib, node->memory_mib);
        any = true;
    }
    of.nodes = counted ? of.nodes : 0;
    of.cores = counted && cores ? of.cores : 0;
    if (!cores) {
        of.min_cores = of.max_cores = 0;
    }
    if (!memory) {
        of.min_mib = of.max_mib = NAN;
    }
    return of;
}

static void check_length(struct be_lint *lint, const struct be_script_option *option) {
    const struct be_cluster_partition *partition = partition_of(lint);
    const struct be_script_option *named = given(lint, "qos");
    const struct be_cluster_qos *qos =
        named ? be_cluster_qos(lint->options->cluster, named->text) : NULL;
    bool own = partition && isfinite(partition->limit_s), by_qos = qos && isfinite(qos->limit_s);
    double limit_s = own ? partition->limit_s : lint->options->cluster->limit_s, seconds = 0;
    limit_s = by_qos ? qos->limit_s : limit_s; /* it holds in the place of the partition's */
    if (option && be_sbatch_duration(option->text, &seconds) && isfinite(limit_s) &&
        seconds > limit_s) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(option),
                                   "longer than %s allows: %g hour%s",
                                   by_qos ? "the QOS"
                                   : own  ? "the partition"
                                          : lint->options->cluster->name,
                                   limit_s / 3600, limit_s > 3600 ? "s" : ""),
                       "shorten it, and save the state often enough to go on in another job");
    }
}

void be_check_limit(struct be_lint *lint) {
    if (!lint->options->cluster) {
        return;
    }
    check_length(lint, given(lint, "time"));
    check_length(lint, given(lint, "time-min"));
    const struct be_cluster_partition *partition = partition_of(lint);
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    if (partition && partition->max_nodes > 0 && job.nodes > partition->max_nodes) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(job.nodes_by),
                                   "%lld nodes; the partition allows %d in one job",
                                   (long long)job.nodes, partition->max_nodes),
                       "take fewer");
        return;
    }
    const int64_t there = reach_of(lint).nodes;
    if (there > 0 && job.nodes > there && job.nodes_by && !lint->script->heterogeneous) {
        char where[2 * BE_NAME + 32];
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(job.nodes_by),
                                   "%lld nodes; %s has %lld", (long long)job.nodes,
                                   place(lint, where, sizeof where), (long long)there),
                       "take fewer");
    }
}

/* Cores of one node that the job needs whatever nodes it gets; `*by`: what says so. */
static int64_t cores_of_node(const struct be_lint *lint, const struct be_script_option **by) {
    const struct be_script_option *nodes = given(lint, "nodes");
    struct be_lint_job job;
    int64_t min = 0, up_to = 0;
    be_lint_read_job(lint, &job);
    *by = job.cpus_by;
    bool fixed = nodes && be_sbatch_nodes(nodes->text, &min, &up_to) && min == up_to;
    bool each = job.tasks_by && strcmp(job.tasks_by->option->name, "ntasks-per-node") == 0;
    if (!job.tasks_by || job.tasks <= job.nodes || !(each || fixed) ||
        lint->script->heterogeneous || be_script_option(lint->script, -1, "overcommit")) {
        return job.cpus;
    }
    *by = job.tasks_by;
    return (job.tasks * job.cpus + job.nodes - 1) / job.nodes;
}

/* A partition may give its jobs less of a node than it has; NULL: it is not known to. */
static const struct be_cluster_partition *gives_fewer_cores(const struct be_lint *lint, int max) {
    const struct be_cluster_partition *in = partition_of(lint);
    return in && in->max_cores > 0 && (max == 0 || in->max_cores < max) ? in : NULL;
}

/* "no node of narval has more than 64", "partition short gives 16 of a node". */
static void cores_text(const struct be_lint *lint, int max, char *to, size_t capacity) {
    const struct be_cluster_partition *in = gives_fewer_cores(lint, max);
    char where[2 * BE_NAME + 32];
    if (in) {
        snprintf(to, capacity, "partition %s gives %d of a node", in->name, in->max_cores);
    } else {
        snprintf(to, capacity, "no node of %s has more than %d", place(lint, where, sizeof where),
                 max);
    }
}

/* With --exclusive the job gets all cores of its nodes or does not start, in 22.05 with any kind of it
 * (cons_common.c of Slurm 22.05: "Total cpu count greater than max_cpus_per_node on exclusive job"). */
static void check_exclusive(struct be_lint *lint, int min) {
    const struct be_cluster_partition *in = gives_fewer_cores(lint, min);
    const struct be_script_option *option = be_script_option(lint->script, -1, "exclusive");
    /* 24.11.5 gives a job that shares its nodes with its own kind only what it asks for. */
    const bool refused = be_lint_whole_node(lint) || be_lint_holds(lint, NULL, "22.05") == BE_HOLDS;
    if (min > 0 && in && option && refused) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(option),
                                   "whole nodes, of %d cores or more; partition %s gives %d of a "
                                   "node",
                                   min, in->name, in->max_cores),
                       "leave it out, or name another partition");
    }
}

/* More than all nodes have together? */
static bool check_all_cores(struct be_lint *lint, const struct be_lint_job *job, int64_t there) {
    char where[2 * BE_NAME + 32];
    if (there == 0 || !job->tasks_by || job->tasks * job->cpus <= there ||
        lint->script->heterogeneous || be_script_option(lint->script, -1, "overcommit")) {
        return false;
    }
    be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(job->tasks_by),
                               "%lld cores in all; %s has %lld",
                               (long long)(job->tasks * job->cpus),
                               place(lint, where, sizeof where), (long long)there),
                   "take fewer tasks");
    return true;
}

void be_check_cores(struct be_lint *lint) {
    const struct be_script_option *by = NULL;
    struct be_lint_job job;
    char have[4 * BE_NAME];
    struct reach reach = reach_of(lint);
    const struct be_cluster_partition *in = gives_fewer_cores(lint, reach.max_cores);
    int max = in ? in->max_cores : reach.max_cores;
    int64_t each = cores_of_node(lint, &by);
    be_lint_read_job(lint, &job);
    if (max == 0) {
        return;
    }
    cores_text(lint, reach.max_cores, have, sizeof have);
    if (job.cpus > max && job.cpus_by) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(job.cpus_by),
                                   "%lld cores for a task; %s", (long long)job.cpus, have),
                       "a task stays on one node");
    } else if (each > max && by) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(by), "%lld cores on a node; %s",
                                   (long long)each, have),
                       "take more nodes, or fewer tasks");
    } else if (!check_all_cores(lint, &job, reach.cores)) {
        check_exclusive(lint, reach.min_cores);
    }
}

/* The memory that a job asks for on one node. */
struct memory {
    const struct be_script_option *by;
    double mib;    /* NAN: it does not say */
    int64_t cores; /* that share it, of --mem-per-cpu; 0: of --mem */
};

static struct memory memory_of_node(const struct be_lint *lint, const struct reach *reach) {
    struct memory asked = {.by = given(lint, "mem"), .mib = NAN};
    const struct be_script_option *by = NULL;
    double bytes = 0;
    if (asked.by && be_sbatch_memory(asked.by->text, &bytes)) {
        asked.mib = bytes > 0 ? bytes / 1048576 : reach->min_mib; /* 0: all of it */
        return asked;
    }
    asked.by = given(lint, "mem-per-cpu");
    if (asked.by && be_sbatch_memory(asked.by->text, &bytes)) {
        asked.cores = lint->script->heterogeneous ? 1 : cores_of_node(lint, &by);
        asked.mib = bytes / 1048576 * (double)asked.cores;
    }
    return asked;
}

static void advise_memory(struct be_lint_finding *finding, const struct memory *asked,
                          double max_mib, const char *also) {
    if (asked->cores) {
        be_lint_advise(finding, "--mem-per-cpu=%.0fM at most%s",
                       floor(max_mib / (double)asked->cores),
                       asked->cores > 1 ? ", with as many cores of a node" : "");
    } else {
        be_lint_advise(finding, "--mem=%.0fM at most%s", max_mib, also);
    }
}

/* More than the partition gives Slurm takes, and holds the job (MaxMemPerLimit), unless the site has
 * EnforcePartLimits. */
void be_check_host_memory(struct be_lint *lint) {
    const struct be_cluster *cluster = lint->options->cluster;
    const struct be_cluster_partition *in = partition_of(lint);
    const struct reach reach = reach_of(lint);
    const struct memory asked = memory_of_node(lint, &reach);
    char where[2 * BE_NAME + 32];
    if (!cluster || !asked.by) {
        return;
    }
    if (cluster->fixed_memory && !asked.cores) {
        be_lint_advise(be_lint_add(lint, BE_ADVICE, be_lint_span(asked.by),
                                   "on %s memory comes with the GPU or the node", cluster->name),
                       "leave it out");
    } else if (asked.mib > reach.max_mib) {
        advise_memory(be_lint_add(lint, BE_ERROR, be_lint_span(asked.by),
                                  "more memory than a node of %s has: %.0f MiB",
                                  place(lint, where, sizeof where), reach.max_mib),
                      &asked, reach.max_mib, "; --mem=0 is all of a node");
    } else if (in && asked.mib > in->max_memory_mib) {
        advise_memory(be_lint_add(lint, BE_WARNING, be_lint_span(asked.by),
                                  "%.0f MiB of a node; partition %s gives a job %.0f MiB",
                                  asked.mib, in->name, in->max_memory_mib),
                      &asked, in->max_memory_mib, "");
    }
}

void be_check_account(struct be_lint *lint) {
    const struct be_cluster *cluster = lint->options->cluster;
    if (cluster && cluster->needs_account && lint->script->options > 0 &&
        !be_script_option(lint->script, -1, "account")) {
        be_lint_advise(be_lint_add(lint, BE_ADVICE, lint->script->option[0].name,
                                   "%s wants an account: without one a job may be refused or "
                                   "charged to another",
                                   cluster->name),
                       "#SBATCH --account=..");
    }
}

void be_check_request_way(struct be_lint *lint) {
    const struct be_cluster *cluster = lint->options->cluster;
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    if (!cluster || !job.gpus) {
        return;
    }
    const struct be_script_option *partition = be_script_option(lint->script, -1, "partition");
    if (*cluster->gpu_partition && !partition) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(job.gpus_by),
                                   "GPU jobs of %s must name a partition", cluster->name),
                       "#SBATCH --partition=%s", cluster->gpu_partition);
    }
    if (cluster->request == BE_REQUEST_NODE) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(job.gpus_by),
                                   "on %s a GPU comes with its node and is not asked for",
                                   cluster->name),
                       "leave it out, and name the partition %s", cluster->gpu_partition);
    }
}
