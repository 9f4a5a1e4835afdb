#include "lint/look/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

double be_lint_slurm(const struct be_lint_options *options) {
    const char *own = options->cluster ? options->cluster->slurm : "";
    return strtod(options->slurm ? options->slurm : own, NULL);
}

enum be_lint_holds be_lint_holds(const struct be_lint *lint, const char *since, const char *until) {
    const double version = be_lint_slurm(lint->options);
    const double month = 0.01, half = month / 2; /* 24.05 and 24.11 are further apart */
    if (version <= 0) {
        return since || until ? BE_HOLDS_MAYBE : BE_HOLDS;
    }
    bool after = !since || version > strtod(since, NULL) - half;
    bool before = !until || version < strtod(until, NULL) + half;
    return after && before ? BE_HOLDS : BE_HOLDS_NOT;
}

enum be_severity be_lint_refuses(const struct be_lint *lint, const char *takes,
                                 const char *refuses) {
    return be_lint_holds(lint, NULL, takes) == BE_HOLDS     ? BE_ADVICE
           : be_lint_holds(lint, refuses, NULL) == BE_HOLDS ? BE_ERROR
                                                            : BE_WARNING;
}

const struct be_script_option *be_lint_valued(const struct be_lint *lint, const char *name) {
    const struct be_script_option *option = be_script_option(lint->script, 0, name);
    return option && option->text && !be_sbatch_refuses(option->option, option->text) ? option
                                                                                      : NULL;
}

/* Products of a few such numbers still fit. */
static int64_t at_max(int64_t count) {
    const int64_t max = 1000000;
    return count < max ? count : max;
}

static int64_t counted(const struct be_lint *lint, const char *name,
                       const struct be_script_option **by) {
    const struct be_script_option *option = be_lint_valued(lint, name);
    int64_t count = 0;
    if (option && be_sbatch_count(option->text, &count)) {
        *by = option;
    }
    return at_max(count);
}

/* Sockets of a node that the job asks for; 0: not known. */
static int64_t sockets_of(const struct be_lint *lint) {
    const struct be_script_option *by = NULL;
    const struct be_script_option *layout = be_lint_valued(lint, "extra-node-info");
    int64_t sockets = counted(lint, "sockets-per-node", &by);
    if (sockets || !layout) {
        return sockets;
    }
    char first[BE_NAME];
    size_t length = strcspn(layout->text, ":"); /* sockets:cores:threads, each perhaps * */
    be_copy_text(first, length < sizeof first ? length + 1 : sizeof first, layout->text);
    return be_sbatch_count(first, &sockets) ? at_max(sockets) : 0;
}

static void read_gpus(const struct be_lint *lint, struct be_lint_job *job) {
    const struct {
        const char *name;
        int64_t times;
    } ways[] = {{"gpus", 1},
                {"gpus-per-node", job->nodes},
                {"gres", job->nodes},
                {"gpus-per-task", job->tasks},
                {"gpus-per-socket", at_max(sockets_of(lint) * job->nodes)}};
    for (size_t i = 0; i < BE_COUNT(ways); i++) {
        const struct be_script_option *option = be_lint_valued(lint, ways[i].name);
        struct be_sbatch_gpus gpus = {0};
        if (option && be_sbatch_gpus(option->option, option->text, &gpus) && gpus.count > 0) {
            job->gpus = at_max(at_max(gpus.count) * ways[i].times);
            job->gpus_by = option;
            memcpy(job->gpu_type, gpus.type, sizeof job->gpu_type);
            return;
        }
    }
}

void be_lint_read_job(const struct be_lint *lint, struct be_lint_job *job) {
    *job = (struct be_lint_job){.nodes = 1, .tasks = 1, .cpus = 1};
    const struct be_script_option *nodes = be_lint_valued(lint, "nodes");
    int64_t min = 0, max = 0;
    if (nodes && be_sbatch_nodes(nodes->text, &min, &max) && min > 0) {
        job->nodes = at_max(min);
        job->nodes_by = nodes;
    }
    int64_t tasks = counted(lint, "ntasks", &job->tasks_by);
    if (!tasks) {
        int64_t each = counted(lint, "ntasks-per-node", &job->tasks_by);
        tasks = each ? at_max(each * job->nodes) : job->nodes;
    }
    job->tasks = tasks;
    int64_t cpus = counted(lint, "cpus-per-task", &job->cpus_by);
    job->cpus = cpus ? cpus : 1;
    read_gpus(lint, job);
    const struct be_script_option *by = NULL;
    int64_t each = counted(lint, "cpus-per-gpu", &by);
    if (each && job->gpus && !cpus) {
        int64_t shared = at_max(each * job->gpus / job->tasks);
        job->cpus = shared > 0 ? shared : 1;
        job->cpus_by = by;
    }
    int64_t per_gpu = counted(lint, "ntasks-per-gpu", &by);
    if (per_gpu && job->gpus && !job->tasks_by) {
        job->tasks = at_max(per_gpu * job->gpus);
        job->tasks_by = by;
    }
    const struct be_cluster *cluster = lint->options->cluster;
    job->whole_gpu_node = cluster && cluster->request == BE_REQUEST_NODE;
}

bool be_lint_whole_node(const struct be_lint *lint) {
    const struct be_script_option *exclusive = be_script_option(lint->script, -1, "exclusive");
    return exclusive && !(exclusive->text && (strcasecmp(exclusive->text, "user") == 0 ||
                                              strcasecmp(exclusive->text, "mcs") == 0));
}

int be_lint_whole_cores(const struct be_lint *lint) {
    const struct be_cluster *cluster = lint->options->cluster;
    const struct be_script_option *name = be_lint_valued(lint, "partition");
    const struct be_cluster_partition *in =
        cluster && name ? be_cluster_partition(cluster, name->text) : NULL;
    int min = 0;
    for (size_t i = 0; cluster && i < cluster->nodes; i++) {
        const struct be_cluster_node *node = &cluster->node[i];
        if (node->gpus > 0 || (in && !be_cluster_partition_has(in, node))) {
            continue;
        }
        if (!node->whole || node->cores == 0) {
            return 0;
        }
        min = min == 0 || node->cores < min ? node->cores : min;
    }
    return min;
}

/* Launchers and modules that only machines with whole nodes have: TACC's, and Crays'. */
static bool whole_by_launcher(const struct be_lint *lint) {
    return be_script_mentions(lint->script, "ibrun", false) ||
           be_script_mentions(lint->script, "aprun", false) ||
           be_script_mentions(lint->script, "TACC_", true) ||
           be_script_mentions(lint->script, "tacc_affinity", false);
}

/* Names that the machines of NERSC, OLCF, Jülich, TACC, CSC (LUMI) and EPCC (ARCHER2) have for what they give by
 * whole nodes. Other sites use some of them, too: there no claim is made either. */
bool be_lint_whole_by_name(const struct be_lint *lint) {
    static const struct {
        const char *option, *words; /* with blanks around each */
    } marks[] = {
        {"constraint", " knl haswell cpu gpu gpu&hbm40g gpu&hbm80g nvme knl,quad,cache "},
        {"qos", " regular premium debug overrun regular_0 regular_1 low flex "},
        {"partition", " batch booster develbooster devel develgpus gpus mem192 standard standard-g "
                      "regular debug normal development skx skx-normal skx-dev knl flat-quadrant "
                      "largemem rtx spr gg gh compute ecp "},
    };
    char word[BE_NAME + 2];
    if (lint->options->cluster) {
        return false; /* the catalogue says it */
    }
    for (size_t i = 0; i < BE_COUNT(marks); i++) {
        const struct be_script_option *option = be_script_option(lint->script, 0, marks[i].option);
        if (option && option->text && strlen(option->text) < BE_NAME) {
            snprintf(word, sizeof word, " %s ", option->text);
            if (strstr(marks[i].words, word)) {
                return true;
            }
        }
    }
    return whole_by_launcher(lint);
}

bool be_lint_whole_site(const struct be_lint *lint) {
    if (lint->options->cluster || be_lint_whole_by_name(lint)) {
        return !lint->options->cluster;
    }
    return be_lint_given(lint, "nodes") && !be_lint_given(lint, "ntasks") &&
           !be_lint_given(lint, "ntasks-per-node") && !be_lint_given(lint, "cpus-per-task") &&
           !be_lint_given(lint, "mem") && !be_lint_given(lint, "mem-per-cpu");
}

bool be_lint_given(const struct be_lint *lint, const char *name) {
    return be_script_option(lint->script, -1, name);
}

/* Some sites give whole nodes with GPUs by the partition, which is mostly called after them. */
static bool is_gpu_partition(const char *name) {
    static const char *const marks[] = {"gpu",  "cuda", "gtx",  "rtx",  "titan", "tesla",
                                        "v100", "a100", "h100", "h200", "$"};
    for (size_t i = 0; i < BE_COUNT(marks); i++) {
        if (strcasestr(name, marks[i])) {
            return true;
        }
    }
    return false;
}

bool be_lint_asks_gpu(const struct be_lint *lint) {
    const struct be_script_option *feature = be_script_option(lint->script, -1, "constraint");
    const struct be_script_option *gres = be_script_option(lint->script, -1, "gres");
    const struct be_script_option *partition = be_script_option(lint->script, -1, "partition");
    const struct be_cluster *cluster = lint->options->cluster;
    bool shared = gres && gres->text &&
                  (strstr(gres->text, "gpu") || strstr(gres->text, "mps") ||
                   strstr(gres->text, "shard") || strchr(gres->text, '$'));
    bool by_node = cluster && cluster->request == BE_REQUEST_NODE;
    bool gpu_partition = partition && partition->text && is_gpu_partition(partition->text);
    bool gpu_feature = feature && feature->text && strcasestr(feature->text, "gpu");
    return shared || by_node || gpu_feature || gpu_partition || be_lint_given(lint, "gpus") ||
           be_lint_given(lint, "gpus-per-node") || be_lint_given(lint, "gpus-per-task") ||
           be_lint_given(lint, "gpus-per-socket") || be_lint_given(lint, "tres-per-task") ||
           be_lint_whole_node(lint) ||
           (lint->options->lsf &&
            (strstr(lint->script->text, "ngpus") || strstr(lint->script->text, "-gpu")));
}
