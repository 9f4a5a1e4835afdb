/* Rules about the size of a job. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/rules.h"

static bool judges_commands(const struct be_lint *lint) {
    return lint->script->shell && lint->script->commands > 0 && !lint->script->heterogeneous &&
           !lint->options->lsf;
}

static bool says_threads(const struct be_lint *lint) {
    bool says = be_script_sets(lint->script, "OMP_NUM_THREADS") ||
                be_script_mentions(lint->script, "SLURM_CPUS_ON_NODE", false) ||
                be_script_mentions(lint->script, "taskset", false) || /* bound to several cores */
                be_script_mentions(lint->script, "numactl", false) ||
                be_script_mentions(lint->script, "nproc", false);
    for (size_t i = 0; i < lint->script->commands && !says; i++) {
        says = be_lint_says_threads(&lint->script->command[i]);
    }
    return says;
}

/* One process at a time, as far as can be seen: srun may start it, where it says nothing of how many. */
static bool one_process(const struct be_lint *lint, const struct be_lint_job *job) {
    static const char *const several[] = {"-n", "-N", "--nt", "--no", "--multi-prog", "-m"};
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        bool srun = strcmp(command->word[0], "srun") == 0;
        for (int k = 1; srun && k < command->words; k++) {
            for (size_t j = 0; j < BE_COUNT(several); j++) {
                if (strncmp(command->word[k], several[j], strlen(several[j])) == 0) {
                    return false;
                }
            }
        }
    }
    return job->tasks == 1 && !lint->script->background.length &&
           !be_lint_launches_besides_srun(lint);
}

/* GPUs of the nodes that a job with GPUs goes to; 0: not known. */
static int gpus_of_node(const struct be_lint *lint, const struct be_lint_job *job) {
    const struct be_cluster *cluster = lint->options->cluster;
    const struct be_cluster_gpu *gpu =
        cluster && *job->gpu_type ? be_cluster_gpu(cluster, job->gpu_type) : NULL;
    const struct be_script_option *name = be_lint_valued(lint, "partition");
    const struct be_cluster_partition *in =
        cluster && name ? be_cluster_partition(cluster, name->text) : NULL;
    const struct be_cluster_node *node = gpu ? be_cluster_node_of(cluster, gpu, in) : NULL;
    return node ? node->gpus : 0;
}

/* With --exclusive a job gets all GPUs of its nodes, and all cores (sbatch(1), --exclusive). */
static void check_other_gpus(struct be_lint *lint, const struct be_lint_job *job,
                             const struct be_script_option *exclusive) {
    int there = gpus_of_node(lint, job);
    if (there > job->gpus) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(exclusive),
                                   "a whole node of %d GPUs, and one process for %lld of them",
                                   there, (long long)job->gpus),
                       "leave out --exclusive: the others could have the rest");
    } else if (there == 0 && job->gpus == 1) {
        be_lint_advise(be_lint_add(lint, BE_ADVICE, be_lint_span(exclusive),
                                   "all cores and GPUs of a node, and one process for 1 GPU: the "
                                   "rest stands idle"),
                       "leave out --exclusive, unless nobody may be beside it");
    }
}

/* Where the site gives whole nodes: one process, for less than half of the cores. */
static void check_given_whole(struct be_lint *lint, const struct be_lint_job *job) {
    int cores = job->gpus || be_lint_asks_gpu(lint) ? 0 : be_lint_whole_cores(lint);
    if (2 * job->cpus > cores || !one_process(lint, job) || (!job->cpus_by && says_threads(lint))) {
        return;
    }
    be_lint_advise(be_lint_add(lint, BE_ADVICE,
                               job->cpus_by ? be_lint_span(job->cpus_by) : be_lint_commands(lint),
                               "a whole node of %d cores on %s, and one process for %lld", cores,
                               lint->options->cluster->name, (long long)job->cpus),
                   "run several at once, or take a cluster that shares its nodes");
}

void be_check_whole_nodes(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    if (!judges_commands(lint) || be_lint_calls_scripts(lint)) {
        return;
    }
    if (job.nodes > 1 && job.tasks <= job.nodes && !job.tasks_by && !be_lint_launches(lint)) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(job.nodes_by),
                                   "%lld nodes, and one process that runs on the first of them",
                                   (long long)job.nodes),
                       "--nodes=1, or start the program with srun");
        return;
    }
    check_given_whole(lint, &job);
    const struct be_script_option *exclusive = be_script_option(lint->script, 0, "exclusive");
    if (!exclusive || !be_lint_of_sbatch(exclusive) || !be_lint_whole_node(lint) ||
        !one_process(lint, &job)) {
        return;
    }
    if (job.gpus) {
        check_other_gpus(lint, &job, exclusive);
        return;
    }
    if (!job.cpus_by && !says_threads(lint)) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(exclusive),
                                   "a whole node, and one program without a number of threads"),
                       "leave out --exclusive, or say how many cores are used: --cpus-per-task");
    }
}

void be_check_fewer_tasks(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    const struct be_script_option *tasks = be_lint_valued(lint, "ntasks");
    if (tasks && job.nodes_by && job.tasks < job.nodes && !lint->script->heterogeneous) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(job.nodes_by),
                                   "%lld nodes for %lld task%s: sbatch takes %lld of them",
                                   (long long)job.nodes, (long long)job.tasks,
                                   job.tasks == 1 ? "" : "s", (long long)job.tasks),
                       "a node needs a task at least: --nodes=%lld", (long long)job.tasks);
    }
}

void be_check_no_time(struct be_lint *lint) {
    const struct be_script *script = lint->script;
    bool directives = script->options > 0;
    size_t last = 0;
    for (size_t i = 0; i < script->lines && script->line[i].read; i++) {
        bool lsf = lint->options->lsf && script->line[i].kind == BE_LINE_LSF;
        directives = directives || lsf;
        last = script->line[i].kind == BE_LINE_SBATCH || lsf || i == 0 ? i : last;
    }
    if (!directives || be_script_option(script, -1, "time")) {
        return;
    }
    struct be_lint_finding *finding = be_lint_add(
        lint, BE_ADVICE, script->line[last].span,
        lint->options->lsf
            ? "no time limit: the queue's counts"
            : "no time limit: the partition's preset counts (DefaultTime), which may be "
              "too short, or its longest where it has none");
    be_lint_advise(finding, "%s, a little more than it needs",
                   lint->options->lsf ? "#BSUB -W 1:00" : "#SBATCH --time=1:00:00");
}

/* ---- arrays ------------------------------------------------------------------------------------- */

void be_check_array_unused(struct be_lint *lint) {
    static const char *const names[] = {"SLURM_ARRAY", "PBS_ARRAY", "LSB_JOBINDEX", "%a"};
    const struct be_script_option *array = be_script_option(lint->script, -1, "array");
    int64_t tasks = 0, at_once = 0;
    if (!array || !array->text || !be_sbatch_array(array->text, &tasks, &at_once) || tasks < 2 ||
        (lint->script->shell && lint->script->commands == 0)) {
        return;
    }
    for (size_t i = 0; i + 1 < BE_COUNT(names); i++) {
        if (be_script_mentions(lint->script, names[i], true)) {
            return;
        }
    }
    if (be_lint_calls_scripts(lint)) {
        return; /* they have it in their environment */
    }
    be_lint_advise(be_lint_add(lint, BE_ADVICE, be_lint_span(array),
                               "%lld array tasks run the same commands: all do the same, unless "
                               "the program itself reads SLURM_ARRAY_TASK_ID",
                               (long long)tasks),
                   "give it to the program: \"$SLURM_ARRAY_TASK_ID\"");
}

/* "--mem=16 GB": another rule has it. */
static bool has_unit_apart(const struct be_lint *lint, const struct be_script_option *option) {
    const char *after = lint->script->text + option->value.at + option->value.length;
    const char *unit = after + strspn(after, " \t");
    return unit > after && isalpha((unsigned char)*unit);
}

/* A day in minutes is rare, a day of hours is not. */
void be_check_minutes(struct be_lint *lint) {
    static const char *const hours[] = {"24",    "48",    "72",    "96",    "168",
                                        "24:00", "48:00", "72:00", "96:00", "168:00"};
    const struct be_script_option *option = be_lint_valued(lint, "time");
    for (size_t i = 0; option && i < BE_COUNT(hours); i++) {
        if (strcmp(option->text, hours[i]) == 0 && !has_unit_apart(lint, option) &&
            be_lint_of_sbatch(option)) {
            be_lint_advise(be_lint_add(lint, BE_ADVICE, be_lint_span(option),
                                       "--time=%s is %d minutes", hours[i], atoi(hours[i])),
                           "--time=%d:00:00, if hours are meant", atoi(hours[i]));
        }
    }
}

/* "--mem=4" is 4 MB: no program that is worth a job runs in so little, but 4 GB are often meant. */
void be_check_megabytes(struct be_lint *lint) {
    static const char *const names[] = {"mem", "mem-per-cpu", "mem-per-gpu"};
    const double min_bytes = 32 * 1048576.0;
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        const struct be_script_option *option = be_lint_valued(lint, names[i]);
        double bytes = 0;
        if (option && option->text[strspn(option->text, "0123456789")] == '\0' &&
            !has_unit_apart(lint, option) && be_sbatch_memory(option->text, &bytes) && bytes > 0 &&
            bytes < min_bytes) {
            be_lint_advise(
                be_lint_add(lint, BE_WARNING, be_lint_span(option),
                            "%s without a unit is %s MB: too little for nearly any program",
                            option->text, option->text),
                "--%s=%sG, if gigabytes are meant", names[i], option->text);
        }
    }
}
