/* Rules about GPUs, and the cores and the memory that go with them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/rules.h"

/* ---- used but not asked for ---------------------------------------------------------------------- */

/* A word that says "GPU" beyond doubt. */
static bool argument_is_gpu(const struct be_script_command *command, int i) {
    static const char *const options[] = {"--cuda", "--use-cuda", "--use_cuda",
                                          "--gpu",  "--use-gpu",  "--use_gpu"};
    static const char *const containers[] = {"singularity", "apptainer"};
    static const char *const kinds[] = {
        "-nb",       "-pme",       "-bonded", "-update",   "--accelerator",        "--device",
        "--backend", "--platform", "-device", "--devices", "--trainer.accelerator"};
    const char *word = command->word[i];
    const char *value = strchr(word, '=') ? strchr(word, '=') + 1 : word;
    if (strcmp(value, "gpu") == 0) { /* gmx mdrun -nb gpu, --accelerator=gpu */
        char name[BE_NAME];
        be_copy_text(name, sizeof name, value > word ? word : command->word[i - 1]);
        name[strcspn(name, "=")] = '\0';
        return be_lint_is_one_of(name, kinds, BE_COUNT(kinds));
    }
    return strcmp(value, "cuda") == 0 || strncmp(value, "cuda:", 5) == 0 ||
           be_lint_is_one_of(word, options, BE_COUNT(options)) ||
           (strcmp(word, "--nv") == 0 &&
            be_lint_is_one_of(command->word[0], containers, BE_COUNT(containers)));
}

/* Does "||" follow, which says what to do where the command fails? */
static bool may_fail(const struct be_script *script, const struct be_script_command *command) {
    const char *after = script->code + command->span.at + command->span.length;
    return strncmp(after + strspn(after, " \t"), "||", 2) == 0;
}

/* The first command that works on a GPU; *word: what shows it. */
static const struct be_script_command *gpu_command(const struct be_lint *lint, const char **word) {
    static const char *const programs[] = {
        "nvidia-smi", "nsys", "ncu", "compute-sanitizer", "cuda-memcheck", "rocm-smi", "gpustat"};
    static const char *const prints[] = {"echo", "printf", "module", "ml", "conda", "pip", "grep"};
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (be_lint_is_one_of(command->word[0], prints, BE_COUNT(prints)) ||
            may_fail(lint->script, command)) {
            continue;
        }
        *word = command->word[0];
        if (be_lint_is_one_of(*word, programs, BE_COUNT(programs))) {
            return command;
        }
        for (int k = 1; k < command->words; k++) {
            *word = command->word[k];
            if (argument_is_gpu(command, k)) {
                return command;
            }
        }
    }
    return NULL;
}

void be_check_gpu_not_asked(struct be_lint *lint) {
    const char *word = "";
    if (!lint->script->shell || be_lint_asks_gpu(lint)) {
        return;
    }
    const struct be_script_command *command = gpu_command(lint, &word);
    const struct be_script_assignment *visible =
        be_script_sets(lint->script, "CUDA_VISIBLE_DEVICES");
    if (!command && visible && *visible->value && strcmp(visible->value, "-1") != 0) {
        be_lint_advise(be_lint_add(lint, BE_ADVICE, visible->span,
                                   "CUDA_VISIBLE_DEVICES names a GPU, and the job asks for none"),
                       "#SBATCH --gpus-per-node=1, or leave it out");
        return;
    }
    if (!command) {
        return;
    }
    be_lint_advise(be_lint_add(lint, BE_WARNING, command->span,
                               "\"%.60s\" wants a GPU, and the job asks for none", word),
                   "#SBATCH --gpus-per-node=1, or as the site wants it");
}

/* ---- asked for but not used ----------------------------------------------------------------------- */

/* Programs that compute, and have no code for a GPU. */
static bool is_of_cpu(const struct be_script_command *command) {
    static const char *const programs[] = {
        "samtools", "bcftools", "bedtools", "vcftools", "bwa",      "bowtie2",
        "STAR",     "salmon",   "kallisto", "fastqc",   "multiqc",  "blastn",
        "blastp",   "plink",    "plink2",   "pigz",     "stata-mp", "trimmomatic"};
    return be_lint_is_one_of(command->word[be_lint_program(command)], programs, BE_COUNT(programs));
}

void be_check_gpu_not_used(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    if (!job.gpus || !lint->script->shell || lint->script->commands == 0 ||
        lint->script->heterogeneous) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        if (!is_of_cpu(&lint->script->command[i]) && !be_lint_is_plain(&lint->script->command[i])) {
            return;
        }
    }
    for (size_t i = 0; i < lint->script->assignments; i++) {
        if (!be_lint_runs_plain(lint->script->assignment[i].value)) {
            return;
        }
    }
    be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(job.gpus_by),
                               "a GPU is asked for, and none of the commands can use one"),
                   "leave it out: the job waits less and costs less");
}

/* ---- what goes with a GPU --------------------------------------------------------------------------- */

/* Sites that give cores or memory with each GPU, told by what only their jobs have: Jean Zay (IDRIS) accounts of the
 * form "abc@v100", Berzelius (NSC) its two kinds of node. */
static bool comes_with_gpus(const struct be_lint *lint) {
    static const char *const nodes[] = {"thin", "fat"};
    const struct be_script_option *account = be_script_option(lint->script, 0, "account");
    const struct be_script_option *node = be_script_option(lint->script, 0, "constraint");
    return (account && account->text && strchr(account->text, '@')) ||
           (node && node->text && be_lint_is_one_of(node->text, nodes, BE_COUNT(nodes)));
}

/* Does srun start more tasks than the job asked for? Then the site gives more than that: whole nodes, mostly. */
static bool has_more_than_asked(const struct be_lint *lint, const struct be_lint_job *job) {
    static const char *const tasks[] = {"-n", "--ntasks", NULL};
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (be_lint_is_srun(command) &&
            be_lint_number(be_lint_value(command, be_lint_started(command), tasks)) > job->tasks) {
            return true;
        }
    }
    return false;
}

/* Programs of an environment, that of conda or pip, are mostly of a language, though their names do not say so. */
static bool has_environment(const struct be_lint *lint) {
    static const char *const words[] = {"activate", "conda", "pip", "uv", "poetry"};
    for (size_t i = 0; i < BE_COUNT(words); i++) {
        if (be_script_mentions(lint->script, words[i], false)) {
            return true;
        }
    }
    return false;
}

/* May a command prepare data on the CPU? A program that was compiled mostly needs one core for a GPU. */
static bool may_prepare(const struct be_lint *lint) {
    static const char *const others[] = {"make", "nvcc", "gcc",    "g++",   "cmake",     "hipcc",
                                         "nsys", "ncu",  "nvprof", "gpumd", "pmemd.cuda"};
    static const char *const cores[] = {"gmx",         "gmx_mpi", "namd2",  "namd3",  "apptainer",
                                        "singularity", "docker",  "podman", "shifter"};
    const bool environment = has_environment(lint);
    bool runs = false;
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const int at = be_lint_launched(command);
        const char *program = at < command->words ? command->word[at] : "";
        const bool setup = be_lint_is_setup(command);
        const bool other = be_lint_is_one_of(program, others, BE_COUNT(others));
        if (be_lint_in_language(command) || be_lint_is_one_of(program, cores, BE_COUNT(cores)) ||
            (environment && !setup && !other && !strchr(program, '/'))) {
            return true;
        }
        runs = runs || !setup;
    }
    return !runs || be_lint_calls_scripts(lint) || !lint->script->shell;
}

void be_check_gpu_one_cpu(struct be_lint *lint) {
    static const char *const names[] = {"ntasks",         "ntasks-per-node", "cpus-per-task",
                                        "cpus-per-gpu",   "mincpus",         "extra-node-info",
                                        "ntasks-per-gpu", "tres-per-task"};
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    if (!job.gpus || job.whole_gpu_node || be_lint_whole_node(lint) ||
        be_lint_whole_by_name(lint) || comes_with_gpus(lint) || has_more_than_asked(lint, &job) ||
        lint->script->heterogeneous || !may_prepare(lint)) {
        return;
    }
    if (be_lint_given(lint, "gpus-per-task") && !job.tasks_by) {
        return; /* Slurm makes a task of each GPU, and each has a core */
    }
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        const struct be_script_option *option = be_script_option(lint->script, -1, names[i]);
        bool one_task = i < 2 && job.tasks <= 1;
        if (option && !one_task) {
            return;
        }
    }
    const struct be_cluster *cluster = lint->options->cluster;
    const struct be_cluster_gpu *gpu =
        cluster && *job.gpu_type ? be_cluster_gpu(cluster, job.gpu_type) : NULL;
    const struct be_cluster_node *node = gpu ? be_cluster_node_of(cluster, gpu, NULL) : NULL;
    int cores = gpu && node ? be_cluster_cores_each(gpu, node) : 0;
    struct be_lint_finding *finding =
        be_lint_add(lint, BE_ADVICE, be_lint_span(job.gpus_by),
                    "one core for %lld GPU%s, unless the site gives more: a program that prepares "
                    "data on the CPU keeps %s waiting",
                    (long long)job.gpus, job.gpus == 1 ? "" : "s", job.gpus == 1 ? "it" : "them");
    if (cores > 0) {
        be_lint_advise(finding, "on %s, %d cores go with one such GPU: --cpus-per-task=%lld",
                       cluster->name, cores, (long long)(cores * job.gpus / job.tasks));
    } else {
        be_lint_advise(finding, "--cpus-per-task: the node's cores divided by its GPUs");
    }
}

/* Presets are mostly of a core: with several for each GPU one cannot tell that it is too little. */
static bool several_cores(const struct be_lint_job *job) {
    enum { SEVERAL = 2 };
    return job->gpus && job->cpus * job->tasks >= SEVERAL * job->gpus;
}

void be_check_gpu_no_memory(struct be_lint *lint) {
    static const char *const names[] = {"mem", "mem-per-cpu", "mem-per-gpu"};
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    const struct be_cluster *cluster = lint->options->cluster;
    bool given_by_site = job.whole_gpu_node || be_lint_whole_node(lint) || several_cores(&job) ||
                         be_lint_whole_by_name(lint) || comes_with_gpus(lint) ||
                         has_more_than_asked(lint, &job) || (cluster && cluster->fixed_memory);
    for (size_t i = 0; i < BE_COUNT(names) && !given_by_site; i++) {
        given_by_site = be_lint_given(lint, names[i]);
    }
    if (job.gpus && !given_by_site && !lint->script->heterogeneous) {
        be_lint_advise(be_lint_add(lint, BE_ADVICE, be_lint_span(job.gpus_by),
                                   "no memory is asked for: the site's preset, often that of a "
                                   "core, is little for a job with a GPU"),
                       "--mem, at least what the GPU's own memory holds");
    }
}
