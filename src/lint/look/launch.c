#include "lint/look/launch.h"

#include <string.h>

#include "base/error.h"
#include "lint/look/command.h"

/* Words that start several processes, or stand for a program that does. */
static const char *const launchers[] = {"srun",
                                        "torchrun",
                                        "accelerate",
                                        "deepspeed",
                                        "horovodrun",
                                        "parallel",
                                        "xargs",
                                        "dask",
                                        "ray",
                                        "prun",
                                        "orterun",
                                        "ibrun",
                                        "aprun",
                                        "jsrun",
                                        "charmrun",
                                        "pdsh",
                                        "ssh",
                                        "snakemake",
                                        "greasy",
                                        "jobfarm",
                                        "disBatch",
                                        "disbatch",
                                        "paramrun",
                                        "pylauncher",
                                        "hq", /* HyperQueue */
                                        "nextflow",
                                        "pbsdsh",
                                        "mpprun",
                                        "yhrun",
                                        "ccc_mprun",
                                        "lrun",
                                        "poe",
                                        "flux",
                                        "runjob",
                                        "GFDL_BASE", /* Isca starts mpirun */
                                        "distributed",
                                        "SLURM_NTASKS",
                                        "SLURM_NPROCS",
                                        "lightning",
                                        "SLURM_NNODES",
                                        "SLURM_TASKS_PER_NODE",
                                        "SLURM_NTASKS_PER_NODE",
                                        "SLURM_PROCID",
                                        "SLURM_LOCALID",
                                        "sbcast",
                                        "abaqus",
                                        "comsol",
                                        "ansys",
                                        "fluent",
                                        "nodelist",
                                        "SLURM_JOB_NODELIST",
                                        "SLURM_NODELIST",
                                        "SLURM_JOB_NUM_NODES",
                                        "hostfile",
                                        "nodefile",
                                        "SLURM_NODEFILE",
                                        "machinefile",
                                        "machine-file"};

/* Does a word name something of MPI: mpirun, gmx_mpi, $MPI_LAUNCHER? "compiler" and "empirical" do not. */
static bool names_mpi(const char *word) {
    for (const char *at = word; (at = strcasestr(at, "mpi")); at += 3) {
        if (at == word || !strchr("oOeE", at[-1])) {
            return true;
        }
    }
    return false;
}

/* A command that only sets up, prints or builds starts nothing, whatever its words are. */
static bool only_sets_up(const struct be_script_command *command) {
    static const char *const sets_up[] = {"module", "ml",    "source", ".",      "spack",  "echo",
                                          "printf", "conda", "mamba",  "pip",    "cd",     "mkdir",
                                          "unset",  "cp",    "mv",     "rm",     "ls",     "cat",
                                          "make",   "cmake", "mpicc",  "mpicxx", "mpif90", "which"};
    return be_lint_is_one_of(command->word[0], sets_up, BE_COUNT(sets_up));
}

/* Does the command write into a file, or to another command, which may start what stands there? */
static bool passes_on(const struct be_script *script, const struct be_script_command *command) {
    const char *from = script->code + command->span.at;
    const char *line = from + command->span.length;
    const size_t length = (size_t)(line - from) + strcspn(line, "\n");
    return memchr(from, '>', length) || memchr(from, '|', length);
}

/* Does the word stand where it may start something: not in a module's name, in what is printed, or as a folder? */
static bool is_used(const struct be_script *script, const char *word) {
    const char *at = script->code;
    size_t next = 0;
    while ((at = be_script_mentions_from(script, (size_t)(at - script->code), word, false))) {
        const size_t place = (size_t)(at - script->code);
        while (next < script->commands &&
               script->command[next].span.at + script->command[next].span.length <= place) {
            next++;
        }
        const struct be_script_command *in =
            next < script->commands && script->command[next].span.at <= place
                ? &script->command[next]
                : NULL;
        at += strlen(word);
        if (*at != '/' && !(in && only_sets_up(in) && !passes_on(script, in))) {
            return true;
        }
    }
    return false;
}

/* Does a command have such a word? */
static bool runs_mpi(const struct be_script *script) {
    for (size_t i = 0; i < script->commands; i++) {
        const struct be_script_command *command = &script->command[i];
        bool skipped = only_sets_up(command);
        for (int k = 0; !skipped && k < command->words; k++) {
            if (names_mpi(command->word[k])) {
                return true;
            }
        }
    }
    for (size_t i = 0; i < script->assignments; i++) { /* RUN="mpirun -n 4", out=$(mpiexec ..) */
        const char *value = script->assignment[i].value;
        if (strstr(value, "mpirun") || strstr(value, "mpiexec")) {
            return true;
        }
    }
    return !script->shell &&
           (be_script_mentions(script, "mpi", true) || be_script_mentions(script, "MPI", true));
}

bool be_lint_loads_mpi(const struct be_lint *lint) {
    static const char *const loads[] = {"module", "ml", "spack"};
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        bool mpi = be_lint_is_one_of(command->word[0], loads, BE_COUNT(loads));
        for (int k = 1; mpi && k < command->words; k++) {
            if (names_mpi(command->word[k])) {
                return true;
            }
        }
    }
    return false;
}

/* Those from `first` on; 1: any but srun. */
static bool launches_from(const struct be_lint *lint, size_t first) {
    for (size_t i = first; i < BE_COUNT(launchers); i++) {
        if (is_used(lint->script, launchers[i])) {
            return true;
        }
    }
    /* several commands at once, and a wait for them */
    return runs_mpi(lint->script) || (be_script_mentions(lint->script, "wait", false) &&
                                      be_script_mentions(lint->script, "&", true));
}

bool be_lint_launches(const struct be_lint *lint) {
    return launches_from(lint, 0);
}

bool be_lint_launches_besides_srun(const struct be_lint *lint) {
    return launches_from(lint, 1);
}

/* ---- what is not seen --------------------------------------------------------------------------- */

/* Is a file that is sourced, or a text that is evaluated, there to set variables and paths? */
static bool sets_up_only(const char *word) {
    static const char *const parts[] = {
        "activate", "bashrc",  "profile", "conda",  "mamba",    "setvars", "modules", "lmod",
        "env",      "init.sh", "setup",   "module", "thisroot", "vars.sh", "config",  "ssh-agent"};
    for (size_t i = 0; i < BE_COUNT(parts); i++) {
        if (strcasestr(word, parts[i])) {
            return true;
        }
    }
    return false;
}

static bool is_shell_file(const char *word) {
    static const char *const ends[] = {".sh", ".bash", ".csh", ".tcsh", ".ksh", ".zsh"};
    const char *end = strrchr(word, '.');
    for (size_t i = 0; end > word && i < BE_COUNT(ends); i++) {
        if (strcmp(end, ends[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool be_lint_calls_scripts(const struct be_lint *lint) {
    static const char *const runners[] = {"bash", "sh",  "source", ".",   "eval",
                                          "zsh",  "csh", "tcsh",   "ksh", "dash"};
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (command->word[0][0] == '$' || is_shell_file(command->word[0])) {
            return true;
        }
        for (size_t k = 0; k < BE_COUNT(runners); k++) {
            bool sets_up = k >= 2 && k <= 4 && command->words > 1 && sets_up_only(command->word[1]);
            bool reads = command->words > 1 || command->piped || command->fed;
            if (strcmp(command->word[0], runners[k]) == 0 && reads && !sets_up) {
                return true;
            }
        }
    }
    return false;
}

/* ---- what starts others ------------------------------------------------------------------------ */

bool be_lint_is_submission(const struct be_script_command *command) {
    static const char *const programs[] = {"sbatch", "qsub", "bsub"};
    return be_lint_is_one_of(command->word[0], programs, BE_COUNT(programs));
}

/* Programs that start processes as they are told elsewhere: in a file of their own, in their input. */
static bool starts_by_itself(const char *word) {
    static const char *const programs[] = {"make",
                                           "gmake",
                                           "ninja",
                                           "ctest",
                                           "cmake",
                                           "scons",
                                           "bazel",
                                           "cargo",
                                           "pytest",
                                           "tox",
                                           "ant",
                                           "mvn",
                                           "gradle",
                                           "rake",
                                           "luigi",
                                           "toil",
                                           "cromwell",
                                           "cwltool",
                                           "wandb",
                                           "dakota",
                                           "orca",
                                           "g09",
                                           "g16",
                                           "molpro",
                                           "qchem",
                                           "ams",
                                           "adf",
                                           "pymolcas",
                                           "molcas",
                                           "runcrystal",
                                           "run_lapw",
                                           "jobex",
                                           "ridft",
                                           "dscf",
                                           "ricc2",
                                           "escf",
                                           "starccm+",
                                           "cfx5solve",
                                           "lsdyna",
                                           "mcnp6",
                                           "foamJob",
                                           "runParallel",
                                           "spark-submit",
                                           "ipcluster",
                                           "papermill",
                                           "cryosparcm",
                                           "colossalai",
                                           "composer",
                                           "llamafactory-cli",
                                           "axolotl",
                                           "vllm",
                                           "fairseq-train",
                                           "maker",
                                           "mpi4py"};
    return be_lint_is_one_of(word, programs, BE_COUNT(programs));
}

/* Is a file called after starting others: ./run_all, launch.py, submit-jobs.R? The name "run.py" says nothing: the
 * program itself is often called so. */
static bool is_called_driver(const char *word) {
    static const char *const parts[] = {
        "launch",   "submit", "parallel", "distrib", "multiproc",  "ddp",  "driver", "workflow",
        "pipeline", "sweep",  "ensemble", "tests",   "experiment", "run_", "run-",   "farm"};
    static const char *const begins[] = {"run", "all", "job",
                                         "do_"}; /* of files without an ending */
    static const char *const workflows[] = {".nf", ".smk", ".wdl", ".cwl"};
    const char *name = strrchr(word, '/') ? strrchr(word, '/') + 1 : word;
    const char *end = strrchr(name, '.');
    const bool ended = end != NULL;
    if (ended && be_lint_is_one_of(end, workflows, BE_COUNT(workflows))) {
        return true;
    }
    for (size_t i = 0; name[0] != '-' && i < BE_COUNT(parts); i++) {
        if (strcasestr(name, parts[i])) {
            return true;
        }
    }
    for (size_t i = 0; !ended && name > word && i < BE_COUNT(begins); i++) {
        if (strncasecmp(name, begins[i], strlen(begins[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Is it a container's own start, which stands in its image? */
static bool is_container_run(const struct be_script_command *command) {
    static const char *const programs[] = {"singularity", "apptainer",  "docker",
                                           "podman",      "podman-hpc", "shifter"};
    return command->words > 1 &&
           be_lint_is_one_of(command->word[0], programs, BE_COUNT(programs)) &&
           strcmp(command->word[1], "run") == 0;
}

bool be_lint_starts_unseen(const struct be_script_command *command) {
    static const char *const before[] = {"python", "python3", "julia", "Rscript", "perl", "ruby",
                                         "time",   "nohup",   "exec",  "nice",    "node", "php"};
    int at = be_lint_program(command);
    while (at + 1 < command->words &&
           (be_lint_is_one_of(command->word[at], before, BE_COUNT(before)) ||
            command->word[at][0] == '-')) {
        if (starts_by_itself(command->word[at + 1])) {
            return true;
        }
        at++;
    }
    return is_container_run(command) || starts_by_itself(command->word[at]) ||
           is_called_driver(command->word[at]);
}
