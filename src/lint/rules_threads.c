/* Rules about threads: more than there are cores, or a number that nobody says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/rules.h"

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
                      {"cmake", "-j"},
                      {"cmake", "--parallel"},
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

/* Is a program told the number itself: main.py 8, --n_envs 8? */
static bool is_told(const struct be_script_command *command, int first, int64_t cores) {
    for (int k = first + 2; k < command->words; k++) {
        const char *word = command->word[k], *before = command->word[k - 1];
        const char *value = strchr(word, '=') ? strchr(word, '=') + 1 : word;
        const char *name = value > word ? word : before;
        if (be_lint_number(value) == cores && (name[0] != '-' || strcasestr(name, "env"))) {
            return true;
        }
    }
    return false;
}

/* The first word of a command that is such an interpreter at work, and is told nothing; -1: none is. */
static int untold(const struct be_script_command *command, int64_t cores) {
    static const char *const programs[] = {"python", "python3", "Rscript", "R",      "julia",
                                           "matlab", "octave",  "ipython", "jupyter"};
    int first = strcmp(command->word[0], "srun") == 0 ? 1 : 0;
    while (first && first < command->words && command->word[first][0] == '-') {
        first++;
    }
    return first < command->words &&
                   be_lint_is_one_of(command->word[first], programs, BE_COUNT(programs)) &&
                   !prepares(command, first) && !be_lint_says_threads(command) &&
                   !is_told(command, first, cores)
               ? first
               : -1;
}

/* Programs that run beside each other: all that are sent to the background, or 1. */
static int64_t side_by_side(const struct be_lint *lint, const struct be_script_command *command,
                            int64_t cores) {
    int64_t count = 0;
    for (size_t i = 0; command->background && i < lint->script->commands; i++) {
        const struct be_script_command *other = &lint->script->command[i];
        count += other->background && untold(other, cores) >= 0;
    }
    return count > 1 ? count : 1;
}

/* How the program is told; not every one reads OMP_NUM_THREADS. */
static void advise_threads(struct be_lint_finding *finding, const char *program, bool of_gpu) {
    static const struct {
        const char *program, *advice;
    } own[] = {
        {"matlab", "in MATLAB: maxNumCompThreads(str2double(getenv('%s')))"},
        {"julia", "julia --threads=$%s"},
    };
    const char *variable = of_gpu ? "SLURM_CPUS_ON_NODE" : "SLURM_CPUS_PER_TASK";
    for (size_t i = 0; i < BE_COUNT(own); i++) {
        if (be_lint_is_one_of(program, &own[i].program, 1)) {
            const char *at = strstr(own[i].advice, "%s");
            be_lint_advise(finding, "%.*s%s%s", (int)(at - own[i].advice), own[i].advice, variable,
                           at + 2);
            return;
        }
    }
    be_lint_advise(finding, "export OMP_NUM_THREADS=$%s", variable);
}

static void say_untold(struct be_lint *lint, const struct be_lint_job *job,
                       const struct be_script_command *command, int first) {
    const bool of_gpu = job->cpus_by && strcmp(job->cpus_by->option->name, "cpus-per-gpu") == 0;
    const int64_t beside = side_by_side(lint, command, job->cpus);
    if (beside > 1) {
        be_lint_advise(be_lint_add(lint, BE_ADVICE, command->span,
                                   "%lld cores for %lld programs at once, and nothing tells them: "
                                   "libraries may start a thread for each core in each of them",
                                   (long long)job->cpus, (long long)beside),
                       "export OMP_NUM_THREADS=%lld",
                       (long long)(job->cpus > beside ? job->cpus / beside : 1));
        return;
    }
    advise_threads(be_lint_add(lint, BE_ADVICE, command->span,
                               "%lld cores, and nothing tells the program: libraries may start a "
                               "thread for each core of the node, or one",
                               (long long)job->cpus),
                   command->word[first], of_gpu);
}

void be_check_no_threads(struct be_lint *lint) {
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
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const int first = untold(command, job.cpus);
        if (first >= 0 && command->background && command->loops > 0) {
            return; /* nobody knows how many there are */
        }
        if (first >= 0) {
            say_untold(lint, &job, command, first);
            return;
        }
    }
}
