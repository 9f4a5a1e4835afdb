/* The limits of a cluster, and the charge of an hour within them. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cluster/text.h"
#include "job/plan.h"
#include "job/words.h"

/* ---- limits ---------------------------------------------------------------------------------- */

/* "the nodes of narval with a100" */
static void nodes_text(const struct be_job_plan *plan, char text[BE_NOTE]) {
    const struct be_cluster_partition *in = plan->partition ? plan->in : NULL;
    bool typed = plan->gpu && *plan->gpu->type;
    snprintf(text, BE_NOTE, "the nodes of %s%s%s%s%s", plan->cluster->name,
             in ? ", partition " : "", in ? in->name : "",
             typed       ? " with "
             : plan->gpu ? " with GPUs"
                         : "",
             typed ? plan->gpu->type : "");
}

static enum be_status check_time(const struct be_job_plan *plan, struct be_error *error) {
    const struct be_cluster *cluster = plan->cluster;
    const struct be_cluster_qos *qos = plan->qos ? be_cluster_qos(cluster, plan->qos) : NULL;
    if (qos && qos->limit_s > 0) {
        return BE_OK; /* it holds in the place of the partition's, and was checked with the QOS */
    }
    bool by_partition = plan->in && plan->in->limit_s > 0;
    double limit_s = by_partition ? plan->in->limit_s : cluster->limit_s;
    char asked[BE_WORD], max[BE_WORD];
    if (!(plan->time_s > limit_s)) {
        return BE_OK;
    }
    be_slurm_time_text(plan->time_s, asked);
    be_limit_text(limit_s, max);
    return be_fail(error, BE_USAGE, "--time %s: the longest job %s%s%s is %s", asked,
                   by_partition ? "of partition " : "of ",
                   by_partition ? plan->in->name : cluster->name, by_partition ? "" : "", max);
}

/* How many GPUs of one node may be asked for: "1 or 4". */
static bool count_allowed(const struct be_cluster_node *node, int gpus, char text[BE_NOTE]) {
    bool allowed = node->counts == 0;
    *text = '\0';
    for (int i = 0; i < node->counts; i++) {
        size_t used = strlen(text);
        snprintf(text + used, BE_NOTE - used, "%s%d", i ? " or " : "", node->count_of[i]);
        allowed |= node->count_of[i] == gpus;
    }
    return allowed;
}

static enum be_status check_gpus(const struct be_job_plan *plan, struct be_error *error) {
    const struct be_cluster_gpu *gpu = plan->gpu;
    const struct be_cluster_node *node = plan->node;
    char nodes[BE_NOTE], allowed[BE_NOTE];
    if (!gpu) {
        return BE_OK;
    }
    nodes_text(plan, nodes);
    int all = plan->gpus_each * plan->nodes;
    if (gpu->max > 0 && all > gpu->max) {
        return be_fail(error, BE_USAGE, "%d of %s: %s gives a job %d at most", all, gpu->type,
                       plan->cluster->name, gpu->max);
    }
    if (plan->in && plan->in->max_gpus > 0 && all > plan->in->max_gpus) {
        return be_fail(error, BE_USAGE, "%d GPUs: partition %s gives a job %d at most", all,
                       plan->in->name, plan->in->max_gpus);
    }
    if (!node || *gpu->of) { /* of slices it is not known how a GPU is cut */
        return BE_OK;
    }
    if (plan->gpus_each > node->gpus) {
        return be_fail(
            error, BE_USAGE,
            "%d GPUs on one node: %s have %d (--nodes=%d --tasks=N spreads them, if your "
            "program can use several nodes)",
            plan->gpus_each, nodes, node->gpus, (all + node->gpus - 1) / node->gpus);
    }
    if (plan->cluster->request == BE_REQUEST_NODE && plan->gpus_each < node->gpus) {
        return be_fail(error, BE_USAGE, "%d GPUs on one node: %s come whole, with %d",
                       plan->gpus_each, nodes, node->gpus);
    }
    return count_allowed(node, plan->gpus_each, allowed)
               ? BE_OK
               : be_fail(error, BE_USAGE, "%d GPU%s on one node: %s are given by %s",
                         plan->gpus_each, plan->gpus_each > 1 ? "s" : "", nodes, allowed);
}

/* Nodes that could be among those of the job; 0: not known. */
static int nodes_there(const struct be_job_plan *plan) {
    int there = 0;
    if (plan->gpu) {
        return plan->node->count;
    }
    for (size_t i = 0; i < plan->cluster->nodes; i++) {
        const struct be_cluster_node *node = &plan->cluster->node[i];
        if (plan->in && !be_cluster_partition_has(plan->in, node)) {
            continue;
        }
        if (node->count == 0) {
            return 0;
        }
        there += node->count;
    }
    return there;
}

/* Checks the limits that the partition puts on a job; its nodes may have more. */
static enum be_status check_partition(const struct be_job_plan *plan, struct be_error *error) {
    const struct be_cluster_partition *in = plan->in;
    int cpus = be_job_cpus_each(plan);
    char asked[BE_WORD], max[BE_WORD];
    if (in && in->max_nodes > 0 && plan->nodes > in->max_nodes) {
        return be_fail(error, BE_USAGE, "%d nodes: partition %s gives a job %d at most",
                       plan->nodes, in->name, in->max_nodes);
    }
    if (in && in->max_cores > 0 && cpus > in->max_cores) {
        return be_fail(error, BE_USAGE,
                       "%d cores on one node (%d task%s of %d): partition %s gives %d of a node%s",
                       cpus, be_job_tasks_each(plan), be_job_tasks_each(plan) > 1 ? "s" : "",
                       plan->cpus, in->name, in->max_cores,
                       plan->tasks > plan->nodes ? "; --nodes spreads tasks over several" : "");
    }
    if (in && plan->memory_mib > in->max_memory_mib) {
        be_mib_text(plan->memory_mib, asked);
        be_mib_text(in->max_memory_mib, max);
        return be_fail(error, BE_USAGE, "%s of memory on one node: partition %s gives a job %s%s",
                       asked, in->name, max,
                       plan->share_memory ? " (what the saved comparison's data need)" : "");
    }
    return BE_OK;
}

static enum be_status check_node(const struct be_job_plan *plan, struct be_error *error) {
    const struct be_cluster_node *node = plan->node;
    int cpus = be_job_cpus_each(plan);
    char nodes[BE_NOTE], asked[BE_WORD], max[BE_WORD];
    nodes_text(plan, nodes);
    if (!node) {
        return BE_OK;
    }
    int there = nodes_there(plan);
    if (there > 0 && plan->nodes > there) {
        return be_fail(error, BE_USAGE, "%d nodes: of %s there are %d", plan->nodes, nodes, there);
    }
    if (node->cores > 0 && cpus > node->cores) {
        return be_fail(error, BE_USAGE, "%d cores on one node (%d task%s of %d): %s have %d%s",
                       cpus, be_job_tasks_each(plan), be_job_tasks_each(plan) > 1 ? "s" : "",
                       plan->cpus, nodes, node->cores,
                       plan->tasks > plan->nodes ? "; --nodes spreads tasks over several" : "");
    }
    double each = plan->gpu ? be_cluster_mib_each(plan->gpu, node) * plan->gpus_each : NAN;
    if (plan->cluster->fixed_memory && plan->memory_mib > each) {
        be_mib_text(plan->memory_mib, asked);
        be_mib_text(each, max);
        return be_fail(
            error, BE_USAGE, "%s of memory: on %s it goes with the GPUs, and %d of them bring%s %s",
            asked, plan->cluster->name, plan->gpus_each, plan->gpus_each == 1 ? "s" : "", max);
    }
    if (plan->memory_mib > node->memory_mib) {
        be_mib_text(plan->memory_mib, asked);
        be_mib_text(node->memory_mib, max);
        return be_fail(error, BE_USAGE, "%s of memory on one node: %s have %s for jobs%s", asked,
                       nodes, max,
                       plan->share_memory ? " (what the saved comparison's data need)" : "");
    }
    return BE_OK;
}

enum be_status be_job_limits(struct be_job_plan *plan, struct be_error *error) {
    const struct be_cluster *cluster = plan->cluster;
    if (!(plan->time_s >= 1) || isinf(plan->time_s)) {
        return be_fail(error, BE_USAGE, "--time: a limit is needed, as 30:00, 2:00:00 or 1-12");
    }
    enum be_status status = check_time(plan, error);
    status = status == BE_OK ? check_gpus(plan, error) : status;
    status = status == BE_OK ? check_partition(plan, error) : status;
    status = status == BE_OK ? check_node(plan, error) : status;
    if (status == BE_OK && cluster->max_jobs > 0 && plan->array_tasks > cluster->max_jobs) {
        status = be_fail(error, BE_USAGE,
                         "--array %.60s: %lld tasks; each counts as a job, and %s gives a user %d, "
                         "waiting and running",
                         plan->request->array, (long long)plan->array_tasks, cluster->name,
                         cluster->max_jobs);
    }
    return status;
}

/* ---- charges --------------------------------------------------------------------------------- */

/* The largest of three that are known, in `by` what it is of. */
static double largest(double gpus, double cores, double memory, const char **by) {
    double max = gpus;
    *by = "GPUs";
    if (cores > max || isnan(max)) {
        max = cores;
        *by = "cores";
    }
    if (memory > max || isnan(max)) {
        max = memory;
        *by = "memory";
    }
    return max;
}

double be_job_charge(const struct be_cluster *cluster, const struct be_cluster_gpu *gpu,
                     const struct be_cluster_node *node, int nodes, int gpus_each, int cpus,
                     double memory_mib, const char **by) {
    const char *unused = NULL;
    by = by ? by : &unused;
    *by = "nodes";
    if (cluster->billing == BE_BILLING_NODE && node) {
        return node->charge * nodes;
    }
    if (cluster->billing == BE_BILLING_SHARE && node) {
        double share = largest(node->gpus > 0 ? (double)gpus_each / node->gpus : NAN,
                               node->cores > 0 ? (double)cpus / node->cores : NAN,
                               memory_mib / node->memory_mib, by);
        return share * node->charge * nodes;
    }
    if (cluster->billing == BE_BILLING_BUNDLE && gpu) {
        int cores = be_cluster_cores_each(gpu, node);
        double units = largest(gpus_each, cores > 0 ? (double)cpus / cores : NAN,
                               memory_mib / be_cluster_mib_each(gpu, node), by);
        return units * gpu->charge * nodes;
    }
    return NAN;
}
