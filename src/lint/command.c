#include "lint/command.h"

#include <ctype.h>
#include <string.h>

#include "base/error.h"

bool be_lint_is_one_of(const char *word, const char *const *words, size_t count) {
    const char *name = strrchr(word, '/') ? strrchr(word, '/') + 1 : word;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Programs that cannot use a GPU, whatever their arguments. */
static bool is_plain(const char *word) {
    static const char *const programs[] = {
        "echo",      "printf", "hostname", "date",   "sleep",  "ls",       "cd",     "pwd",
        "cp",        "mv",     "rm",       "mkdir",  "rmdir",  "cat",      "touch",  "export",
        "set",       "ulimit", "gzip",     "gunzip", "bzip2",  "xz",       "zip",    "unzip",
        "tar",       "rsync",  "scp",      "wget",   "curl",   "true",     "false",  "test",
        "[",         "[[",     "wait",     "exit",   "sort",   "uniq",     "awk",    "sed",
        "grep",      "cut",    "head",     "tail",   "wc",     "find",     "env",    "whoami",
        "id",        "uname",  "module",   "ml",     "unset",  "umask",    "trap",   "return",
        "shopt",     "du",     "df",       "chmod",  "ln",     "tee",      "git",    "md5sum",
        "sha256sum", "lscpu",  "nproc",    "free",   "uptime", "scontrol", "squeue", "sacct"};
    return be_lint_is_one_of(word, programs, BE_COUNT(programs));
}

bool be_lint_runs_plain(const char *text) {
    for (const char *at = strpbrk(text, "$`"); at; at = strpbrk(at + 1, "$`")) {
        char name[BE_NAME];
        bool opens = *at == '`' || at[1] == '(';
        const char *from = at + (*at == '`' ? 1 : 2);
        if (!opens || (*at == '$' && at[2] == '(')) {
            continue; /* a variable, or arithmetic */
        }
        from += strspn(from, " \t\n");
        size_t length = strcspn(from, " \t\n;&|()<>`\"");
        be_copy_text(name, length < sizeof name ? length + 1 : sizeof name, from);
        if (length && !is_plain(name)) {
            return false;
        }
    }
    return true;
}

int be_lint_program(const struct be_script_command *command) {
    int first =
        strcmp(command->word[0], "srun") == 0 && command->words > 1 && command->word[1][0] != '-'
            ? 1
            : 0;
    for (int i = first; strcmp(command->word[first], "env") == 0 && i < command->words; i++) {
        if (i > first && command->word[i][0] != '-' && !strchr(command->word[i], '=')) {
            return i;
        }
    }
    return first;
}

bool be_lint_is_plain(const struct be_script_command *command) {
    static const char *const runners[] = {"-exec", "-execdir", "-ok", "-okdir"}; /* of find */
    bool plain = is_plain(command->word[be_lint_program(command)]);
    for (int i = 0; i < command->words && plain; i++) {
        plain = be_lint_runs_plain(command->word[i]) &&
                !be_lint_is_one_of(command->word[i], runners, BE_COUNT(runners));
    }
    return plain;
}

bool be_lint_says_threads(const struct be_script_command *command) {
    static const char *const words[] = {"thread", "worker", "cores", "cpus",   "nproc",
                                        "jobs",   "procs",  "ncpu",  "parpool"};
    for (int i = 1; i < command->words; i++) {
        for (size_t k = 0; k < BE_COUNT(words); k++) {
            if (strcasestr(command->word[i], words[k])) {
                return true;
            }
        }
        if (command->word[i][0] == '-' && command->word[i][1] &&
            strchr("jtpn@", command->word[i][1]) &&
            (!command->word[i][2] || isdigit((unsigned char)command->word[i][2]))) {
            return true;
        }
    }
    return false;
}

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
                                        "nextflow",
                                        "pbsdsh",
                                        "mpprun",
                                        "distributed",
                                        "SLURM_NTASKS",
                                        "SLURM_NPROCS",
                                        "lightning",
                                        "SLURM_NNODES",
                                        "SLURM_TASKS_PER_NODE",
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

/* Does a command have such a word? What only sets up, prints or builds starts nothing. */
static bool runs_mpi(const struct be_script *script) {
    static const char *const sets_up[] = {"module", "ml",    "source", ".",      "spack",  "echo",
                                          "printf", "conda", "mamba",  "pip",    "cd",     "mkdir",
                                          "unset",  "cp",    "mv",     "rm",     "ls",     "cat",
                                          "make",   "cmake", "mpicc",  "mpicxx", "mpif90", "which"};
    for (size_t i = 0; i < script->commands; i++) {
        const struct be_script_command *command = &script->command[i];
        bool skipped = be_lint_is_one_of(command->word[0], sets_up, BE_COUNT(sets_up));
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

/* Those from `first` on; 1: any but srun. */
static bool launches_from(const struct be_lint *lint, size_t first) {
    for (size_t i = first; i < BE_COUNT(launchers); i++) {
        if (be_script_mentions(lint->script, launchers[i], false)) {
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
