/* Rules about GPUs, the cores and the memory that go with them, and threads. */
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

void be_check_gpu_one_cpu(struct be_lint *lint) {
    static const char *const names[] = {"ntasks",         "ntasks-per-node", "cpus-per-task",
                                        "cpus-per-gpu",   "mincpus",         "extra-node-info",
                                        "ntasks-per-gpu", "tres-per-task"};
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    if (!job.gpus || job.whole_gpu_node || be_lint_whole_node(lint) ||
        be_lint_whole_by_name(lint) || comes_with_gpus(lint) || lint->script->heterogeneous) {
        return;
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
                         (cluster && cluster->fixed_memory);
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

/* ---- threads -------------------------------------------------------------------------------------------- */

static const char *const thread_variables[] = {
    "OMP_NUM_THREADS",     "MKL_NUM_THREADS",   "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS", "JULIA_NUM_THREADS", "RAYON_NUM_THREADS",    "NUMBA_NUM_THREADS"};

/* Does a launcher say itself how many processes there are, or the cores of each? */
static bool divides_cores(const struct be_lint *lint) {
    static const char *const programs[] = {"srun",          "mpirun", "mpiexec",
                                           "mpiexec.hydra", "prun",   "orterun"};
    static const char *const options[] = {"-c",  "-n",       "-N",       "--cpus-per-task",
                                          "-np", "--ntasks", "--map-by", "-ppn"};
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        bool launches = be_lint_is_one_of(command->word[0], programs, BE_COUNT(programs));
        /* The first word that is neither an option nor the value of one is the program. */
        for (int k = 1; launches && k < command->words &&
                        (command->word[k][0] == '-' || command->word[k - 1][0] == '-');
             k++) {
            for (size_t j = 0; j < BE_COUNT(options); j++) {
                if (strncmp(command->word[k], options[j], strlen(options[j])) == 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Options of common programs that are a number of threads. */
static const struct {
    const char *program, *option;
} thread_options[] = {{"make", "-j"},
                      {"gmake", "-j"},
                      {"ninja", "-j"},
                      {"pigz", "-p"},
                      {"gmx", "-ntomp"},
                      {"samtools", "-@"},
                      {"bwa", "-t"},
                      {"bowtie2", "-p"},
                      {"STAR", "--runThreadN"},
                      {"blastn", "-num_threads"},
                      {"blastp", "-num_threads"},
                      {"minimap2", "-t"},
                      {"julia", "-t"},
                      {"fastqc", "-t"},
                      {"hmmsearch", "--cpu"},
                      {"python", "--num_workers"},
                      {"python", "--num-workers"},
                      {"python3", "--num_workers"},
                      {"python3", "--num-workers"}};

/* The number that follows `option` in a command; 0: it is not there, or no number. */
static int64_t threads_of(const struct be_script_command *command, const char *option) {
    const size_t length = strlen(option);
    for (int i = 1; i < command->words; i++) {
        const char *word = command->word[i];
        if (strncmp(word, option, length) != 0) {
            continue;
        }
        const char *number = word + length + (word[length] == '=');
        if (word[length] == '\0' && i + 1 < command->words) {
            number = command->word[i + 1];
        }
        size_t digits = strspn(number, "0123456789");
        if (digits && digits < 6 && !number[digits]) {
            return strtol(number, NULL, 10);
        }
    }
    return 0;
}

/* Options that are a number of threads or processes with nearly any program. */
static const char *const general_options[] = {
    "--threads",     "--num-threads", "--num_threads", "--nthreads", "--n_threads", "--n-threads",
    "--n_processes", "--num_workers", "--num-workers", "--n_jobs",   "--n-jobs"};

/* Does a program start its threads elsewhere, or as jobs of their own? */
static bool spreads(const struct be_script_command *command) {
    static const char *const programs[] = {"snakemake", "nextflow", "parallel", "srun",
                                           "mpirun",    "mpiexec",  "dask",     "echo"};
    return be_lint_is_one_of(command->word[0], programs, BE_COUNT(programs));
}

static void check_general_options(struct be_lint *lint, const struct be_lint_job *job) {
    const int64_t cores = job->cpus * job->tasks;
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        for (size_t k = 0; k < BE_COUNT(general_options) && !spreads(command); k++) {
            const bool worker = strstr(general_options[k], "worker");
            const bool python = strncmp(command->word[0], "python", 6) == 0;
            const int64_t threads = threads_of(command, general_options[k]);
            if (threads <= cores || (worker && python)) {
                continue; /* the table above has those of python */
            }
            be_lint_advise(be_lint_add(lint, BE_WARNING, command->span,
                                       "%s %lld, and the job has %lld core%s: they take turns",
                                       general_options[k], (long long)threads, (long long)cores,
                                       cores == 1 ? "" : "s"),
                           "#SBATCH --cpus-per-task=%lld, and $SLURM_CPUS_PER_TASK there",
                           (long long)threads);
        }
    }
}

static void check_thread_options(struct be_lint *lint, const struct be_lint_job *job) {
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        for (size_t k = 0; k < BE_COUNT(thread_options); k++) {
            const char *const program = thread_options[k].program;
            int64_t threads = be_lint_is_one_of(command->word[0], &program, 1)
                                  ? threads_of(command, thread_options[k].option)
                                  : 0;
            if (threads > job->cpus * job->tasks) {
                be_lint_advise(
                    be_lint_add(lint, BE_WARNING, command->span,
                                "%s %s %lld, and the job has %lld core%s: they take turns", program,
                                thread_options[k].option, (long long)threads,
                                (long long)(job->cpus * job->tasks),
                                job->cpus * job->tasks == 1 ? "" : "s"),
                    "#SBATCH --cpus-per-task=%lld, and $SLURM_CPUS_PER_TASK there",
                    (long long)threads);
            }
        }
    }
}

void be_check_threads_above(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    /* Tasks that were asked for as cores, and are given to fewer processes. */
    int64_t cores = divides_cores(lint) ? job.cpus * job.tasks : job.cpus;
    if (be_lint_whole_node(lint) || be_lint_given(lint, "mincpus") ||
        be_lint_given(lint, "extra-node-info") || be_lint_given(lint, "tres-per-task") ||
        lint->script->heterogeneous || lint->options->lsf || job.whole_gpu_node ||
        be_lint_whole_site(lint) || be_lint_whole_cores(lint) > 0) {
        return;
    }
    if (lint->script->options > 0) {
        check_thread_options(lint, &job);
        check_general_options(lint, &job);
    }
    for (size_t i = 0; i < BE_COUNT(thread_variables); i++) {
        const struct be_script_assignment *set = be_script_sets(lint->script, thread_variables[i]);
        char *end = NULL;
        long threads = set ? strtol(set->value, &end, 10) : 0;
        if (!set || end == set->value || *end || threads <= cores ||
            (job.tasks > 1 && threads <= job.tasks && !be_lint_launches(lint))) {
            continue;
        }
        be_lint_advise(be_lint_add(lint, BE_WARNING, set->span,
                                   "%ld threads on %lld core%s of a task: they take turns", threads,
                                   (long long)job.cpus, job.cpus == 1 ? "" : "s"),
                       "#SBATCH --cpus-per-task=%ld, and %s=$SLURM_CPUS_PER_TASK", threads,
                       thread_variables[i]);
    }
}

/* Does a file that is sourced perhaps set the number of threads? One that only activates an environment does not. */
static bool may_set_threads(const struct be_script_command *command) {
    static const char *const reads[] = {"source", "."};
    static const char *const others[] = {"activate", "bashrc", "profile", "conda", "modules",
                                         "mamba",    "venv",   "lmod",    "/etc/"};
    if (command->words < 2 || !be_lint_is_one_of(command->word[0], reads, BE_COUNT(reads))) {
        return false;
    }
    for (size_t i = 0; i < BE_COUNT(others); i++) {
        if (strcasestr(command->word[1], others[i])) {
            return false;
        }
    }
    return true;
}

/* Does an interpreter only prepare: python -m venv, -c "..", setup.py? */
static bool prepares(const struct be_script_command *command, int first) {
    static const char *const words[] = {"-c", "-V", "--version", "-h", "setup.py", "--help"};
    static const char *const modules[] = {"venv", "pip", "ensurepip", "virtualenv", "site"};
    const char *word = first + 1 < command->words ? command->word[first + 1] : "-V";
    return be_lint_is_one_of(word, words, BE_COUNT(words)) ||
           (strcmp(word, "-m") == 0 && first + 2 < command->words &&
            be_lint_is_one_of(command->word[first + 2], modules, BE_COUNT(modules)));
}

void be_check_no_threads(struct be_lint *lint) {
    static const char *const programs[] = {"python", "python3", "Rscript", "R",      "julia",
                                           "matlab", "octave",  "ipython", "jupyter"};
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    if (job.cpus < 2 || !lint->script->shell ||
        be_script_mentions(lint->script, "SLURM_CPUS", true) ||
        be_script_mentions(lint->script, "_NUM_THREADS", true) ||
        be_script_mentions(lint->script, "nproc", false) || lint->script->heterogeneous) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        if (may_set_threads(&lint->script->command[i])) {
            return;
        }
    }
    const bool of_gpu = job.cpus_by && strcmp(job.cpus_by->option->name, "cpus-per-gpu") == 0;
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        int first = strcmp(command->word[0], "srun") == 0 ? 1 : 0;
        while (first && first < command->words && command->word[first][0] == '-') {
            first++;
        }
        if (first < command->words &&
            be_lint_is_one_of(command->word[first], programs, BE_COUNT(programs)) &&
            !prepares(command, first) && !be_lint_says_threads(command)) {
            be_lint_advise(be_lint_add(lint, BE_ADVICE, command->span,
                                       "%lld cores, and nothing tells the program: libraries may "
                                       "start a thread for each core of the node, or one",
                                       (long long)job.cpus),
                           "export OMP_NUM_THREADS=$%s",
                           of_gpu ? "SLURM_CPUS_ON_NODE" : "SLURM_CPUS_PER_TASK");
            return;
        }
    }
}
