/* Rules about what srun and torchrun start: how many, when, and with which environment and input. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "lint/everyday.h"

/* Is what the job has known from its directives alone? */
static bool judges(const struct be_lint *lint) {
    return lint->script->shell && lint->script->options > 0 && !lint->script->heterogeneous &&
           !lint->options->lsf;
}

/* Tasks of a step; 0: not known. */
static int64_t tasks_of(const struct be_script_command *command, const struct be_lint_job *job) {
    static const char *const tasks[] = {"-n", "--ntasks", NULL},
                             *const each[] = {"--ntasks-per-node", "--tasks-per-node", NULL},
                             *const nodes[] = {"-N", "--nodes", NULL};
    const int end = be_lint_started(command);
    const char *n = be_lint_value(command, end, tasks);
    if (n) {
        bool all = strstr(n, "SLURM_NTASKS") || strstr(n, "SLURM_NPROCS");
        return all ? job->tasks : be_lint_number(n);
    }
    return be_lint_has(command, end, each) || be_lint_has(command, end, nodes) ? 0 : job->tasks;
}

/* ---- torchrun ------------------------------------------------------------------------------------ */

/* The word from `from` on that has torchrun, alone, as a module or in a line for a shell; command->words: none. */
static int torchrun_word(const struct be_script_command *command, int from) {
    static const char *const names[] = {"torchrun"};
    for (int i = from; i < command->words; i++) {
        const char *word = command->word[i];
        bool line = i > from && strcmp(command->word[i - 1], "-c") == 0;
        if (be_lint_is_one_of(word, names, BE_COUNT(names)) ||
            strcmp(word, "torch.distributed.run") == 0 ||
            strcmp(word, "torch.distributed.launch") == 0 || (line && strstr(word, "torchrun "))) {
            return i;
        }
    }
    return command->words;
}

/* Does torchrun start several processes on a node? */
static bool is_several(const char *value) {
    return be_lint_number(value) > 1 || strcmp(value, "gpu") == 0 || strcmp(value, "auto") == 0 ||
           (value[0] == '$' && (strcasestr(value, "GPU") || strstr(value, "NTASKS_PER_NODE")));
}

static bool starts_several(const struct be_script_command *command, int from) {
    static const char *const names[] = {"nproc_per_node", "nproc-per-node"};
    for (int i = from; i < command->words; i++) {
        for (size_t k = 0; k < BE_COUNT(names); k++) {
            const char *at = strstr(command->word[i], names[k]);
            if (!at) {
                continue;
            }
            at += strlen(names[k]);
            at = *at ? at + 1 : (i + 1 < command->words ? command->word[i + 1] : "");
            char value[BE_NAME];
            size_t length = strcspn(at, " \t\n\\\"'");
            be_copy_text(value, length + 1 < sizeof value ? length + 1 : sizeof value, at);
            return is_several(value);
        }
    }
    return false;
}

/* May something else start the commands on the other nodes? */
static bool reaches_nodes(const struct be_lint *lint) {
    static const char *const others[] = {"ssh",     "pdsh",  "clush",    "mpirun",
                                         "mpiexec", "ibrun", "parallel", "pbsdsh",
                                         "aprun",   "xargs", "orterun"};
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const int at = be_lint_is_srun(command) ? be_lint_started(command) : 0;
        const char *word = at && at < command->words ? command->word[at] : "";
        bool again = strncmp(word, "$0", 2) == 0 || strstr(word, "BASH_SOURCE");
        if (again || be_lint_is_one_of(command->word[0], others, BE_COUNT(others))) {
            return true;
        }
    }
    return false;
}

void be_check_torchrun_one_node(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    if (!judges(lint) || job.nodes < 2 || reaches_nodes(lint)) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        static const char *const starts[] = {"torchrun", "python", "python3"};
        const int at = be_lint_program(command);
        if (be_lint_is_srun(command) ||
            !be_lint_is_one_of(command->word[at], starts, BE_COUNT(starts)) ||
            torchrun_word(command, at) > at + 3) {
            continue;
        }
        if (torchrun_word(command, at) < command->words) {
            be_lint_advise(be_lint_add(lint, BE_WARNING, command->span,
                                       "torchrun runs on the first of %lld nodes alone, and with "
                                       "--nnodes=%lld waits there for the others",
                                       (long long)job.nodes, (long long)job.nodes),
                           "srun --ntasks-per-node=1 torchrun ..: one torchrun on each node");
            return;
        }
    }
}

void be_check_torchrun_tasks(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    for (size_t i = 0; judges(lint) && job.tasks_by && i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const int at = be_lint_started(command);
        if (!be_lint_is_srun(command) || torchrun_word(command, at) >= command->words ||
            !starts_several(command, torchrun_word(command, at))) {
            continue;
        }
        const int64_t tasks = tasks_of(command, &job);
        if (tasks > job.nodes) {
            be_lint_advise(be_lint_add(lint, BE_WARNING, command->span,
                                       "srun starts torchrun %lld times on %lld node%s, and each "
                                       "starts a process for every GPU",
                                       (long long)tasks, (long long)job.nodes,
                                       job.nodes == 1 ? "" : "s"),
                           "srun --ntasks=%lld --ntasks-per-node=1 torchrun ..: one on each node",
                           (long long)job.nodes);
        }
    }
}

/* ---- steps beside each other --------------------------------------------------------------------- */

static bool overlaps(const struct be_script_command *command) {
    static const char *const options[] = {"--overlap",  "-w",        "--nodelist",  "-r",
                                          "--relative", "--jobid",   "--het-group", "--pack-group",
                                          "-x",         "--exclude", NULL};
    return be_lint_has(command, be_lint_started(command), options);
}

/* Does a step take no more cores than it asks for? */
static bool is_exact(const struct be_script_command *command) {
    static const char *const options[] = {"--exact", "--exclusive", "-c", "--cpus-per-task", NULL};
    return be_lint_has(command, be_lint_started(command), options);
}

static bool says_memory(const struct be_script_command *command) {
    static const char *const options[] = {"--mem", "--mem-per-cpu", "--mem-per-gpu", NULL};
    return be_lint_has(command, be_lint_started(command), options);
}

/* Does a step without --mem take all memory of the job? */
static bool takes_memory(const struct be_lint *lint) {
    const struct be_script_option *mem = be_lint_valued(lint, "mem");
    double bytes = 0;
    return mem && be_sbatch_memory(mem->text, &bytes) && bytes > 0;
}

/* Does one wait for the other's end? */
static bool excludes(const struct be_lint *lint, const struct be_script_command *one,
                     const struct be_script_command *other) {
    if (overlaps(one) || overlaps(other)) {
        return false;
    }
    return !is_exact(one) || !is_exact(other) ||
           (takes_memory(lint) && (!says_memory(one) || !says_memory(other)));
}

/* The step that has to wait for the one at `from`, itself where that is in a loop; NULL: none. */
static const struct be_script_command *waiting(const struct be_lint *lint, size_t from) {
    const struct be_script *script = lint->script;
    const struct be_script_command *first = &script->command[from];
    bool waited = false;
    for (size_t i = from + 1; i < script->commands; i++) {
        const struct be_script_command *command = &script->command[i];
        bool same_loop = command->loops >= first->loops;
        waited = waited || (same_loop && strcmp(command->word[0], "wait") == 0);
        if (!waited && be_lint_is_srun(command) && be_lint_started(command) < command->words &&
            excludes(lint, first, command)) {
            return command;
        }
    }
    return first->loops > 0 && !waited && excludes(lint, first, first) ? first : NULL;
}

static void say_wait(struct be_lint *lint, const struct be_lint_job *job,
                     const struct be_script_command *first,
                     const struct be_script_command *second) {
    const int64_t both = first == second ? 0 : tasks_of(first, job) + tasks_of(second, job);
    const bool cores = !is_exact(first) || !is_exact(second);
    struct be_lint_finding *finding =
        be_lint_add(lint, BE_WARNING, second->span, "waits until the step before it has ended: %s",
                    cores ? "without --exact a step takes all cores of its nodes that the job has"
                          : "without --mem a step takes all memory of the job");
    if (both > job->tasks && job->tasks_by) {
        be_lint_advise(finding, "#SBATCH --ntasks=%lld, and srun --exact -n .. --mem=.. for each",
                       (long long)both);
    } else {
        be_lint_advise(finding, "srun --exact -n .. -c .. --mem=..: what each step needs; "
                                "--overlap for one that only watches");
    }
}

void be_check_steps_wait(struct be_lint *lint) {
    const double first_version = 20.11; /* before it steps shared what the job has */
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    const char *version = lint->options->slurm;
    if (!judges(lint) || job.nodes > 1 ||
        (version && strtod(version, NULL) < first_version - 0.005)) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (!command->background || !be_lint_is_srun(command) ||
            be_lint_started(command) >= command->words) {
            continue;
        }
        const struct be_script_command *second = waiting(lint, i);
        if (second) {
            say_wait(lint, &job, command, second);
            return; /* the others wait likewise */
        }
    }
}

/* ---- input --------------------------------------------------------------------------------------- */

/* Does a command read all of standard input, whatever it runs? */
static bool eats_input(const struct be_script_command *command) {
    static const char *const programs[] = {"srun", "mpirun", "mpiexec", "orterun", "ssh"};
    static const char *const spared[] = {"-i", "--input", "-stdin", "--stdin", NULL},
                             *const of_ssh[] = {"-n", "-f", "-nf", "-fn", NULL};
    bool ssh = strcmp(command->word[0], "ssh") == 0;
    return be_lint_is_one_of(command->word[0], programs, BE_COUNT(programs)) && !command->fed &&
           !command->piped && !command->background &&
           !be_lint_has(command, ssh ? command->words : be_lint_started(command),
                        ssh ? of_ssh : spared);
}

/* Does it head a loop over the lines of standard input? */
static bool loops_over_lines(const struct be_lint *lint, const struct be_script_command *command) {
    static const char *const other[] = {"-u", NULL};
    const char *text = lint->script->text + command->span.at;
    return strcmp(command->word[0], "read") == 0 && !command->fed &&
           (strncmp(text, "while", 5) == 0 || strncmp(text, "until", 5) == 0) &&
           !be_lint_has(command, command->words, other);
}

void be_check_loop_input(struct be_lint *lint) {
    const struct be_script *script = lint->script;
    for (size_t i = 0; script->shell && i < script->commands; i++) {
        const struct be_script_command *head = &script->command[i];
        bool entered = false;
        for (size_t k = i + 1; loops_over_lines(lint, head) && k < script->commands; k++) {
            const struct be_script_command *command = &script->command[k];
            entered = entered || command->loops > head->loops;
            if (entered && command->loops <= head->loops) {
                break;
            }
            if (entered && eats_input(command)) {
                be_lint_advise(be_lint_add(lint, BE_WARNING, command->span,
                                           "%s reads the rest of what the loop reads: there is "
                                           "one turn, and no other",
                                           command->word[0]),
                               "%s .. </dev/null", command->word[0]);
                break;
            }
        }
    }
}

/* ---- environment --------------------------------------------------------------------------------- */

/* Does srun, too, start its programs without the environment of the script? */
static bool is_without(const char *text) {
    if (strcasecmp(text, "NONE") == 0 || strcasecmp(text, "NIL") == 0) {
        return true;
    }
    return !strcasestr(text, "ALL") && !strstr(text, "PATH");
}

void be_check_export_none(struct be_lint *lint) {
    static const char *const own[] = {"--export", "--export-file", NULL};
    const struct be_script_option *option = be_lint_valued(lint, "export");
    if (!judges(lint) || !option || !is_without(option->text) ||
        be_script_mentions(lint->script, "SLURM_EXPORT_ENV", false)) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const int end = be_lint_started(command);
        if (be_lint_is_srun(command) && end < command->words && !be_lint_has(command, end, own)) {
            be_lint_advise(be_lint_add(lint, BE_WARNING, command->span,
                                       "--export=%s holds for srun, too: the program starts "
                                       "without PATH, modules and variables of this script",
                                       option->text),
                           "srun --export=ALL .., or before it: export SLURM_EXPORT_ENV=ALL");
            return;
        }
    }
}

/* ---- a terminal ---------------------------------------------------------------------------------- */

void be_check_pty(struct be_lint *lint) {
    static const char *const shells[] = {"bash", "sh", "zsh", "tcsh", "csh", "$SHELL", "${SHELL}"};
    static const char *const pty[] = {"--pty", NULL};
    for (size_t i = 0; judges(lint) && i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const int at = be_lint_started(command);
        bool plain = at + 1 >= command->words ||
                     (at + 2 >= command->words && command->word[at + 1][0] == '-');
        if (be_lint_is_srun(command) && be_lint_has(command, at, pty) && at < command->words &&
            plain && !command->fed && !command->piped &&
            be_lint_is_one_of(command->word[at], shells, BE_COUNT(shells))) {
            be_lint_advise(be_lint_add(lint, BE_WARNING, command->span,
                                       "a job script has no terminal: this shell ends at once"),
                           "give the command to the login node's shell: srun --pty .. bash, or "
                           "salloc; in a script run the program");
        }
    }
}
