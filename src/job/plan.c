/* The request and the cluster's resources -> the resources of the job. */
#include "job/job.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "job/plan.h"
#include "job/words.h"
#include "script/sbatch_values.h"

struct be_job_request be_job_nothing(void) {
    return (struct be_job_request){.memory_mib = NAN, .min_mib = NAN, .time_s = NAN};
}

struct be_cluster be_cluster_unknown(enum be_scheduler scheduler) {
    return (struct be_cluster){
        .scheduler = scheduler,
        .request = scheduler == BE_SCHEDULER_LSF ? BE_REQUEST_LSF : BE_REQUEST_PER_NODE,
        .limit_s = NAN,
        .min_s = NAN,
    };
}

/* ---- GPU, node, partition -------------------------------------------------------------------- */

static enum be_status choose_gpu(struct be_job_plan *plan, struct be_error *error) {
    static const struct be_cluster_gpu any = {.share = 1, .memory_mib = NAN, .charge = NAN};
    const struct be_cluster *cluster = plan->cluster;
    const char *type = plan->request->gpu;
    char known[BE_NOTE];
    if (plan->request->gpus == 0) {
        return BE_OK;
    }
    if (!*cluster->name) {
        plan->gpu = &any;
        return BE_OK;
    }
    if (cluster->gpus == 0) {
        return be_fail(error, BE_USAGE, "%s: has no GPUs, as far as is known here", cluster->name);
    }
    plan->gpu = type ? be_cluster_gpu(cluster, type) : &cluster->gpu[0];
    if (plan->gpu) {
        return BE_OK;
    }
    be_cluster_types(cluster, known, sizeof known);
    return strcmp(known, "none") == 0
               ? be_fail(error, BE_USAGE,
                         "GPU %.60s: %s takes no type of GPU, only their number (leave it away)",
                         type, cluster->name)
               : be_fail(error, BE_USAGE, "GPU %.60s: %s has no such type; it has: %s", type,
                         cluster->name, known);
}

/* The node of CPU jobs: the most common kind that suffices; where none does, the largest. */
static const struct be_cluster_node *plain_node(const struct be_job_plan *plan,
                                                const struct be_cluster_partition *in) {
    const struct be_cluster_node *fits = NULL, *largest = NULL;
    int cpus = be_job_cpus_each(plan);
    double mib = plan->request->memory_mib;
    for (int with_gpus = 0; with_gpus < 2 && !largest; with_gpus++) {
        for (size_t i = 0; i < plan->cluster->nodes; i++) {
            const struct be_cluster_node *node = &plan->cluster->node[i];
            if ((node->gpus > 0) != with_gpus || (in && !be_cluster_partition_has(in, node))) {
                continue;
            }
            bool enough = (node->cores == 0 || node->cores >= cpus) &&
                          !(mib > node->memory_mib); /* either may be unknown */
            fits = enough && (!fits || node->count > fits->count) ? node : fits;
            bool larger = !largest || node->cores > largest->cores ||
                          (node->cores == largest->cores && node->memory_mib > largest->memory_mib);
            largest = larger ? node : largest;
        }
    }
    return fits ? fits : largest;
}

static enum be_status choose_node(struct be_job_plan *plan, struct be_error *error) {
    plan->node = be_job_constrained_node(plan);
    if (!plan->node) {
        plan->node = plan->gpu ? be_cluster_node_of(plan->cluster, plan->gpu, plan->in)
                               : plain_node(plan, plan->in);
    }
    if (plan->node || !plan->gpu || !plan->in || plan->in->nodes == 0) {
        return BE_OK;
    }
    return be_fail(error, BE_USAGE, "partition %s of %s has no nodes with %s", plan->in->name,
                   plan->cluster->name, *plan->gpu->type ? plan->gpu->type : "GPUs");
}

static enum be_status take_partition(struct be_job_plan *plan, const char *name,
                                     struct be_error *error) {
    char known[BE_NOTE];
    plan->partition = name;
    plan->in = be_cluster_partition(plan->cluster, name);
    if (plan->in || plan->cluster->partitions == 0) {
        return BE_OK;
    }
    be_cluster_partitions(plan->cluster, known, sizeof known);
    return be_fail(error, BE_USAGE, "partition %.60s: %s has no such one; it has: %s", name,
                   plan->cluster->name, known);
}

/* Does a partition give what is asked for of a node, and so many nodes? */
static bool gives(const struct be_job_plan *plan, const struct be_cluster_partition *one) {
    return !(one->max_nodes > 0 && plan->nodes > one->max_nodes) &&
           !(one->max_cores > 0 && be_job_cpus_each(plan) > one->max_cores) &&
           !(plan->request->memory_mib > one->max_memory_mib);
}

/* Where nobody named one: where the cluster would put it, unless that cannot hold it. */
static void choose_partition(struct be_job_plan *plan) {
    const struct be_cluster *cluster = plan->cluster;
    const struct be_cluster_partition *preset = NULL, *fits = NULL;
    for (size_t i = 0; i < cluster->partitions; i++) {
        const struct be_cluster_partition *one = &cluster->partition[i];
        preset = one->preset ? one : preset;
        bool holds = (!plan->node || be_cluster_partition_has(one, plan->node)) &&
                     !(plan->time_s > one->limit_s) && gives(plan, one);
        fits = holds && (!fits || one->preset) ? one : fits;
    }
    if (!preset && fits && be_cluster_requires(cluster, "partition")) {
        plan->in = fits;
        plan->partition = fits->name;
        be_job_note(plan, "partition %s, because %s wants one to be named; it has others",
                    fits->name, cluster->name);
        return;
    }
    plan->in = preset && fits ? fits : preset;
    plan->partition = preset && fits && fits != preset ? fits->name : NULL;
    if (plan->partition) {
        be_job_note(plan, "partition %s, because the cluster's default (%s) %s", plan->partition,
                    preset->name,
                    plan->node && !be_cluster_partition_has(preset, plan->node)
                        ? "has no such nodes"
                    : !gives(plan, preset) ? "gives less of a node"
                                           : "ends jobs earlier");
    }
}

static enum be_status choose_place(struct be_job_plan *plan, struct be_error *error) {
    const char *name = plan->request->partition;
    enum be_status status = choose_gpu(plan, error);
    if (status == BE_OK && !name && plan->gpu && *plan->cluster->gpu_partition) {
        name = plan->cluster->gpu_partition;
    }
    if (status == BE_OK && name) {
        status = take_partition(plan, name, error);
    }
    status = status == BE_OK ? choose_node(plan, error) : status;
    if (status == BE_OK && !name) {
        choose_partition(plan);
    }
    return status == BE_OK ? be_job_terms(plan, error) : status;
}

/* ---- amounts --------------------------------------------------------------------------------- */

static enum be_status count_gpus(struct be_job_plan *plan, struct be_error *error) {
    if (plan->request->gpus % plan->nodes != 0) {
        return be_fail(error, BE_USAGE,
                       "%d GPU%s on %d nodes: each node gets as many, so the number must be a "
                       "multiple of %d",
                       plan->request->gpus, plan->request->gpus > 1 ? "s" : "", plan->nodes,
                       plan->nodes);
    }
    plan->gpus_each = plan->request->gpus / plan->nodes;
    return BE_OK;
}

/* Cores, where none were asked for: those that go with the GPUs. */
static void default_cpus(struct be_job_plan *plan) {
    plan->share_cpus = plan->request->cpus == 0;
    plan->cpus = plan->request->cpus;
    if (!plan->share_cpus) {
        return;
    }
    int cores = plan->gpu ? be_cluster_cores_each(plan->gpu, plan->node) * plan->gpus_each : 0;
    if (plan->request->exclusive && plan->node && plan->node->cores > 0) {
        cores = plan->node->cores;
    }
    if (plan->in && plan->in->max_cores > 0 && plan->in->max_cores < cores) {
        cores = plan->in->max_cores;
    }
    plan->cpus = cores / be_job_tasks_each(plan);
    if (plan->cpus < 1) {
        plan->cpus = 1;
        if (plan->gpu && cores == 0) {
            be_job_note(plan, "one CPU, because it is not known here how many go with a GPU of "
                              "this cluster: a GPU with one CPU often waits for it; --cpus=N");
        }
    }
}

static void default_memory(struct be_job_plan *plan) {
    const struct be_job_request *request = plan->request;
    plan->share_memory = isnan(request->memory_mib);
    plan->memory_mib = request->memory_mib;
    /* A job alone on its nodes gets their cores, but no more memory than it asks for. */
    plan->all_memory = request->memory_mib <= 0 || (request->exclusive && plan->share_memory);
    if (plan->all_memory) {
        plan->memory_mib = plan->node ? plan->node->memory_mib : NAN;
        return;
    }
    if (!plan->share_memory) {
        return;
    }
    if (plan->gpu) {
        plan->memory_mib = be_cluster_mib_each(plan->gpu, plan->node) * plan->gpus_each;
    } else if (plan->node && plan->node->cores > 0) {
        plan->memory_mib =
            floor(plan->node->memory_mib / plan->node->cores * be_job_cpus_each(plan));
    }
    if (plan->in && plan->in->max_memory_mib < plan->memory_mib) {
        plan->memory_mib = plan->in->max_memory_mib;
    }
    if (request->min_mib > plan->memory_mib || isnan(plan->memory_mib)) {
        plan->memory_mib = request->min_mib;
    }
    if (isnan(plan->memory_mib) && !plan->cluster->fixed_memory) {
        be_job_note(plan, "no memory is asked for, because it is not known here how much goes with "
                          "what you asked for: the cluster's default may be small; --mem=SIZE");
    }
}

/* "python3 run/train.py" -> "train". */
static void default_name(struct be_job_plan *plan) {
    static const char *const interpreters[] = {"python", "bash",   "sh",  "Rscript",
                                               "julia",  "matlab", "perl"};
    static const char fit[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    const struct be_job_request *request = plan->request;
    const char *word = request->words ? request->word[0] : "job", *base = NULL;
    for (int i = 0; i < 2 && i < request->words; i++) {
        bool runs = false;
        base = strrchr(request->word[i], '/');
        base = base ? base + 1 : request->word[i];
        for (size_t k = 0; k < BE_COUNT(interpreters); k++) {
            runs |= strncmp(base, interpreters[k], strlen(interpreters[k])) == 0;
        }
        word = *base && *base != '-' ? base : word;
        if (!runs) {
            break;
        }
    }
    size_t length = 0;
    for (; length < 40 && word[length]; length++) {
        plan->name[length] = strchr(fit, word[length]) ? word[length] : '_';
    }
    plan->name[length] = '\0';
    char *dot = strrchr(plan->name, '.');
    if (dot && dot > plan->name) {
        *dot = '\0';
    }
    if (*plan->name == '-' || !*plan->name) {
        be_copy_text(plan->name, sizeof plan->name, "job");
    }
}

/* Words that go into directives as they are: within quotes, where no sign ends them. */
static enum be_status check_words(const struct be_job_request *request, struct be_error *error) {
    const struct {
        const char *option, *text;
        bool blanks; /* may have some */
    } words[] = {{"--partition", request->partition, false},
                 {"--account", request->account, false},
                 {"--constraint", request->constraint, false},
                 {"--qos", request->qos, false},
                 {"--name", request->name, true},
                 {"--output-file", request->output, true}};
    for (size_t i = 0; i < BE_COUNT(words); i++) {
        const char *text = words[i].text;
        bool wrong = text && (!*text || *text == '-' || strlen(text) > 1000);
        for (const char *at = text; at && *at; at++) {
            wrong |= (unsigned char)*at < ' ' || *at == 0x7F || strchr("\"'\\`$#!", *at) ||
                     (*at == ' ' && !words[i].blanks);
        }
        if (wrong) {
            return be_fail(error, BE_USAGE,
                           "%s: a directive cannot carry this text safely: no quotes, $, #, !, "
                           "backslash or line end%s, not empty, not beginning with -",
                           words[i].option, words[i].blanks ? "" : ", no blank");
        }
    }
    for (int i = 0; i < request->stages; i++) {
        if (!*request->staged[i] || *request->staged[i] == '-') {
            return be_fail(error, BE_USAGE,
                           "--stage: the name of a file or folder is needed, "
                           "not beginning with - (./-x is fine)");
        }
    }
    if (request->words == 0 || !*request->word[0]) {
        return be_fail(error, BE_USAGE, "which command? it stands last, after --: -- python x.py");
    }
    return BE_OK;
}

static enum be_status count_array(struct be_job_plan *plan, struct be_error *error) {
    int64_t at_once = 0;
    const char *array = plan->request->array;
    /* sbatch takes anything behind the limit; a directive does not carry it. */
    bool plain = array && array[strspn(array, "0123456789,:%-")] == '\0';
    if (array && (!plain || !be_sbatch_array(array, &plan->array_tasks, &at_once))) {
        return be_fail(error, BE_USAGE,
                       "--array %.60s: indices are needed, as 0-99, 1,3,5, 0-15:4 or 0-99%%10",
                       array);
    }
    if (array && plan->cluster->scheduler == BE_SCHEDULER_LSF && *array == '0') {
        return be_fail(error, BE_USAGE, "--array %.60s: LSF counts from 1", array);
    }
    return BE_OK;
}

static const char *last_part(const char *path, size_t *length) {
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/') {
        begin--;
    }
    *length = end - begin;
    return path + begin;
}

/* Copies of the same name would lie on each other. */
static enum be_status check_stages(const struct be_job_plan *plan, struct be_error *error) {
    const struct be_job_request *request = plan->request;
    if (request->stages > 0 && plan->nodes > 1 && plan->cluster->scheduler == BE_SCHEDULER_LSF) {
        return be_fail(error, BE_USAGE, "--stage: under LSF only on one node");
    }
    for (int i = 0; i < request->stages; i++) {
        size_t length = 0, other = 0;
        const char *name = last_part(request->staged[i], &length);
        if (length == 0 || (*name == '.' && (length == 1 || (length == 2 && name[1] == '.')))) {
            return be_fail(error, BE_USAGE, "--stage %.60s: has no name of its own to be copied to",
                           request->staged[i]);
        }
        for (int k = 0; k < i; k++) {
            const char *earlier = last_part(request->staged[k], &other);
            if (length == other && memcmp(name, earlier, length) == 0) {
                return be_fail(error, BE_USAGE, "--stage: two of the name %.*s", (int)length, name);
            }
        }
    }
    return BE_OK;
}

/* ---- the plan -------------------------------------------------------------------------------- */

static enum be_status count_tasks(struct be_job_plan *plan, struct be_error *error) {
    const struct be_job_request *request = plan->request;
    plan->nodes = request->nodes > 0 ? request->nodes : 1;
    plan->tasks = request->tasks > 0 ? request->tasks : plan->nodes;
    plan->cpus = request->cpus > 0 ? request->cpus : 1;
    const int64_t cores_max = 100000000;
    if ((int64_t)plan->tasks * plan->cpus > cores_max) {
        return be_fail(error, BE_USAGE, "%d tasks of %d cores: no cluster has so many", plan->tasks,
                       plan->cpus);
    }
    return plan->tasks >= plan->nodes
               ? BE_OK
               : be_fail(error, BE_USAGE, "%d tasks on %d nodes: at least one for each node",
                         plan->tasks, plan->nodes);
}

static void say_charge(struct be_job_plan *plan) {
    const char *unit = *plan->cluster->unit ? plan->cluster->unit : "units";
    int cpus = be_job_cpus_each(plan);
    const bool whole = plan->request->exclusive && plan->node;
    plan->charge = be_job_charge(plan->cluster, plan->gpu, plan->node, plan->nodes,
                                 whole && plan->gpu ? plan->node->gpus : plan->gpus_each,
                                 whole && plan->node->cores > cpus ? plan->node->cores : cpus,
                                 plan->memory_mib, &plan->charge_by);
    plan->charge_min = plan->gpu ? be_job_charge(plan->cluster, plan->gpu, plan->node, plan->nodes,
                                                 plan->gpus_each, 0, 0, NULL)
                                 : NAN;
    int cores = plan->gpu ? be_cluster_cores_each(plan->gpu, plan->node) * plan->gpus_each : 0;
    double mib = plan->gpu ? be_cluster_mib_each(plan->gpu, plan->node) * plan->gpus_each : NAN;
    char asked[BE_WORD], share[BE_WORD], cost[BE_NOTE] = "";
    if (plan->charge > 1.005 * plan->charge_min) {
        snprintf(cost, sizeof cost, ": an hour counts %.4g %s, not %.4g", plan->charge, unit,
                 plan->charge_min);
    }
    const char *with = plan->gpus_each > 1 ? "these GPUs" : "this GPU";
    if (plan->request->exclusive) { /* all of it was asked for */
        if (*cost) {
            be_job_note(plan, "whole nodes%s", cost);
        }
        return;
    }
    if (cores > 0 && cpus > cores) {
        be_job_note(plan, "%d cores are more than the %d that go with %s%s", cpus, cores, with,
                    cost);
    }
    if (plan->memory_mib > mib) {
        be_mib_text(plan->memory_mib, asked);
        be_mib_text(mib, share);
        be_job_note(plan, "%s of memory is more than the %s that goes with %s%s", asked, share,
                    with, cost);
    }
}

static void say_rest(struct be_job_plan *plan) {
    const struct be_cluster *cluster = plan->cluster;
    char limit[BE_WORD];
    be_job_say_terms(plan);
    if (isnan(plan->request->time_s)) {
        be_job_note(plan, "an hour is asked for, because no --time was given: the job is ended "
                          "when it is over");
    }
    if (plan->time_s < cluster->min_s) {
        be_slurm_time_text(cluster->min_s, limit);
        be_job_note(plan, "%s wants jobs of at least %s, but for tests", cluster->name, limit);
    }
    if (cluster->needs_account && !plan->request->account) {
        be_job_note(plan, "%s wants to know who pays: --account=NAME (`sshare -U` lists yours)",
                    cluster->name);
    }
    if (cluster->fixed_memory && !plan->share_memory) {
        be_job_note(plan, "--mem is left out: on %s memory goes with the GPU or the node",
                    cluster->name);
    }
    if (plan->node && plan->node->whole && be_job_cpus_each(plan) < plan->node->cores) {
        be_job_note(plan, "a job gets these nodes of %s whole: %d of %d cores are asked for",
                    cluster->name, be_job_cpus_each(plan), plan->node->cores);
    }
    if (plan->request->array) {
        bool used = false;
        for (int i = 0; i < plan->request->words; i++) {
            used |= strstr(plan->request->word[i], "{index}") != NULL;
        }
        if (!used) {
            be_job_note(plan, "every task of the array runs the same command, unless it reads the "
                              "index itself: {index} in an argument becomes the task's index");
        }
    }
}

enum be_status be_job_plan(const struct be_job_request *request, const struct be_cluster *cluster,
                           struct be_job_plan *plan, struct be_error *error) {
    *plan = (struct be_job_plan){.request = request,
                                 .cluster = cluster,
                                 .time_s = isnan(request->time_s) ? 3600 : request->time_s,
                                 .memory_mib = NAN,
                                 .charge = NAN,
                                 .charge_min = NAN};
    enum be_status status = check_words(request, error);
    status = status == BE_OK ? be_job_terms_lsf(request, cluster, error) : status;
    if (status == BE_OK && *cluster->ended) {
        return be_fail(error, BE_ABSENT, "%s has been out of service since %s%s%s", cluster->name,
                       cluster->ended, *cluster->successor ? "; its successor is " : "",
                       cluster->successor);
    }
    status = status == BE_OK ? count_tasks(plan, error) : status;
    status = status == BE_OK ? be_job_launcher(plan, error) : status;
    status = status == BE_OK ? count_array(plan, error) : status;
    status = status == BE_OK ? check_stages(plan, error) : status;
    status = status == BE_OK ? choose_place(plan, error) : status;
    status = status == BE_OK && plan->gpu ? count_gpus(plan, error) : status;
    if (status != BE_OK) {
        return status;
    }
    default_cpus(plan);
    default_memory(plan);
    if (request->name) {
        be_copy_text(plan->name, sizeof plan->name, request->name);
    } else {
        default_name(plan);
    }
    status = be_job_limits(plan, error);
    if (status == BE_OK) {
        say_charge(plan);
        say_rest(plan);
    }
    return status;
}
