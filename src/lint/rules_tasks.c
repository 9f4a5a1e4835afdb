/* Tasks that nothing starts. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/rules.h"

/* Is a variable that is called after processes or threads such a number: N_JOBS=16? */
static bool sets_number(const struct be_lint *lint, int64_t number) {
    static const char *const parts[] = {"job", "thread", "proc", "cpu", "core", "worker", "task"};
    for (size_t i = 0; i < lint->script->assignments; i++) {
        const struct be_script_assignment *set = &lint->script->assignment[i];
        for (size_t k = 0; be_lint_number(set->value) == number && k < BE_COUNT(parts); k++) {
            if (strcasestr(set->name, parts[k])) {
                return true;
            }
        }
    }
    return false;
}

/* Is a command told of as many processes or threads as there are tasks: -c 72, --procs=72? */
static bool names_number(const struct be_lint *lint, int64_t number) {
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        for (int k = 1; k < command->words; k++) {
            const char *word = command->word[k];
            const char *digits = word + strcspn(word, "0123456789");
            char *end = NULL;
            if (isdigit((unsigned char)*digits) && strtoll(digits, &end, 10) == number &&
                !end[strspn(end, ":,.")] &&
                (digits == word || strchr("=-", digits[-1]) || word[0] == '-')) {
                return true;
            }
        }
    }
    return false;
}

/* Are all tasks on the node that the script runs on? It has the cores of each of them. */
static bool on_one_node(const struct be_lint *lint, const struct be_lint_job *job) {
    const struct be_script_option *nodes = be_lint_valued(lint, "nodes");
    int64_t min = 0, max = 0;
    return nodes ? be_sbatch_nodes(nodes->text, &min, &max) && min == 1 && max <= 1
                 : strcmp(job->tasks_by->option->name, "ntasks-per-node") == 0;
}

static bool has_unseen(const struct be_lint *lint) {
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (!be_lint_is_setup(command) && be_lint_starts_unseen(command)) {
            return true;
        }
    }
    return false;
}

/* Does a program or its text make processes by itself, on the node that it runs on? */
static bool makes_processes(const struct be_lint *lint) {
    static const char *const parts[] = {"multiprocess", "joblib",     "concurrent", "n_jobs",
                                        "mclapply",     "doParallel", "parpool",    "num_proc",
                                        "nproc",        "workers",    "addprocs"};
    for (size_t i = 0; i < BE_COUNT(parts); i++) {
        if (be_script_mentions(lint->script, parts[i], true)) {
            return true;
        }
    }
    return false;
}

/* May a command call srun or mpirun by itself? Programs of a language often do, compiled ones do not. */
static bool any_may_start(const struct be_lint *lint) {
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (!be_lint_is_setup(command) && be_lint_in_language(command)) {
            return true;
        }
    }
    return false;
}

static bool is_nothing_else(const struct be_script_command *command) {
    (void)command;
    return false;
}

/* Both ways out: which one fits cannot be seen, since nothing is run. */
static void say_once(struct be_lint *lint, const struct be_lint_job *job, bool may_start,
                     bool one_node) {
    const long long tasks = (long long)job->tasks;
    struct be_lint_finding *finding =
        one_node
            ? be_lint_add(lint, BE_ADVICE, be_lint_span(job->tasks_by),
                          "%lld tasks on one node, and no command starts them: one program may "
                          "use their cores, if it has as many threads or processes",
                          tasks)
            : be_lint_add(lint, may_start ? BE_ADVICE : BE_WARNING, be_lint_span(job->tasks_by),
                          "%lld tasks are asked for, and no command starts them: a script runs "
                          "once, on the first node%s",
                          tasks,
                          may_start ? ", unless a program calls srun or mpirun by itself" : "");
    be_lint_advise(finding,
                   "%s--ntasks=1 --cpus-per-task=%lld for a program with threads or processes "
                   "of its own; srun before one that is made for MPI",
                   one_node ? "" : "--nodes=1 ",
                   (long long)(job->tasks * (job->cpus > 1 ? job->cpus : 1)));
}

void be_check_no_launcher(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    if (!lint->script->shell || lint->script->heterogeneous || lint->options->lsf ||
        !be_lint_runs_else(lint, is_nothing_else) || job.tasks < 2 || !job.tasks_by ||
        !be_lint_of_sbatch(job.tasks_by) || be_lint_launches(lint) || be_lint_calls_scripts(lint) ||
        has_unseen(lint) || names_number(lint, job.tasks) ||
        (job.nodes == 1 && sets_number(lint, job.tasks))) {
        return;
    }
    if (!be_lint_runs_else(lint, be_lint_is_submission)) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(job.tasks_by),
                                   "%lld tasks for a script that only submits other jobs: they "
                                   "stand idle",
                                   (long long)job.tasks),
                       "#SBATCH --ntasks=1 here: each of the others asks for its own");
        return;
    }
    const bool may_start = any_may_start(lint), one_node = on_one_node(lint, &job);
    if ((may_start && be_lint_loads_mpi(lint)) || (one_node && makes_processes(lint))) {
        return; /* a program that is not seen uses them, most likely */
    }
    say_once(lint, &job, may_start, one_node);
}
