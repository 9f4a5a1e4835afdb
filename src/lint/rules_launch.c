/* Rules about commands that start others: what they ask for beside what the job has. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/rules.h"

/* Is what the job has known from its directives alone? */
static bool judges_sizes(const struct be_lint *lint) {
    return lint->script->shell && !lint->script->heterogeneous && !lint->options->lsf &&
           !be_lint_whole_node(lint);
}

/* A whole number above 0; 0: it is none, or in a variable. */
static int64_t number_in(const char *text) {
    char *end = NULL;
    long number = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : 0;
    return number > 0 && number < 1000000 && *end == '\0' ? number : 0;
}

/* The value of the first of these options that a command has, as "-np 4", "--np=4" or, of one letter, "-n4" and
 * "-n$N"; NULL: none. */
static const char *value_of(const struct be_script_command *command, const char *const *names,
                            size_t count) {
    for (int i = 1; i < command->words; i++) {
        const char *word = command->word[i];
        for (size_t k = 0; k < count; k++) {
            size_t length = strlen(names[k]);
            bool letter = length == 2 && names[k][1] != '-';
            if (strncmp(word, names[k], length) != 0) {
                continue;
            }
            if (word[length] == '\0') {
                return i + 1 < command->words ? command->word[i + 1] : "";
            }
            if (word[length] == '=' || (letter && strchr("0123456789$", word[length]))) {
                return word + length + (word[length] == '=');
            }
        }
    }
    return NULL;
}

static bool has_word(const struct be_script_command *command, const char *part) {
    for (int i = 1; i < command->words; i++) {
        if (strcasestr(command->word[i], part)) {
            return true;
        }
    }
    return false;
}

/* ---- what nobody waits for --------------------------------------------------------------------- */

void be_check_no_wait(struct be_lint *lint) {
    static const char *const quick[] = {"echo", "printf", "date", "exit",
                                        "true", "disown", "jobs", "hostname"};
    const struct be_script *script = lint->script;
    const struct be_span sign = script->background;
    if (!script->shell || sign.length == 0 || be_script_mentions(script, "wait", false)) {
        return;
    }
    for (size_t i = 0; i < script->commands; i++) {
        const struct be_script_command *command = &script->command[i];
        if (command->span.at > sign.at &&
            !be_lint_is_one_of(command->word[0], quick, BE_COUNT(quick))) {
            return; /* which may take as long */
        }
    }
    be_lint_advise(be_lint_add(lint, BE_WARNING, sign,
                               "the script ends while this runs in the background: then the job "
                               "ends, and Slurm ends what still runs"),
                   "a line `wait` at the end, or no &");
}

/* ---- srun -------------------------------------------------------------------------------------- */

/* Does the next word belong to this option of srun? */
static bool takes_next(const char *option) {
    static const char *const alone[] = {
        "--exclusive",        "--exact",        "--overlap",   "--unbuffered", "--label",
        "--verbose",          "--quiet",        "--pty",       "--whole",      "--overcommit",
        "--kill-on-bad-exit", "--preserve-env", "--propagate", "--immediate"};
    bool letters = option[0] == '-' && option[1] && option[1] != '-';
    return option[0] == '-' && !strchr(option, '=') &&
           !be_lint_is_one_of(option, alone, BE_COUNT(alone)) &&
           !(letters && strspn(option + 1, "luvQKkHOEsX") == strlen(option + 1)) &&
           !(letters && option[2]); /* -n4 */
}

/* The words of srun itself, up to the program that it starts. */
static struct be_script_command own_words(const struct be_script_command *command) {
    struct be_script_command own = *command;
    own.words = 1;
    while (own.words < command->words) {
        const char *word = command->word[own.words], *before = command->word[own.words - 1];
        if (word[0] != '-' && !(own.words > 1 && takes_next(before))) {
            break;
        }
        own.words++;
    }
    return own;
}

void be_check_srun_cores(struct be_lint *lint) {
    static const char *const cores[] = {"-c", "--cpus-per-task", "--cpus-per-gpu"};
    static const char *const tasks[] = {"-n", "--ntasks"};
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    const char *version = lint->options->slurm;
    if (!judges_sizes(lint) || job.cpus < 2 || !job.cpus_by ||
        strcmp(job.cpus_by->option->name, "cpus-per-task") != 0 ||
        be_script_mentions(lint->script, "SRUN_CPUS_PER_TASK", false) ||
        (version && strtod(version, NULL) < 22.045)) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const struct be_script_command own = own_words(command);
        const char *many = value_of(&own, tasks, BE_COUNT(tasks));
        struct be_script_command run = {.word = command->word + own.words,
                                        .words = command->words - own.words};
        if (strcmp(command->word[0], "srun") != 0 || run.words < 1 || be_lint_is_plain(&run) ||
            value_of(&own, cores, BE_COUNT(cores)) || run.word[0][0] == '$' ||
            has_word(&own, "exclusive") || has_word(&own, "overlap") ||
            has_word(&own, "bind=no") || /* a step has all of the job's cores */
            (many && number_in(many) > job.tasks)) {
            continue;
        }
        be_lint_advise(be_lint_add(lint, BE_WARNING, command->span,
                                   "srun gives each task one core, not the job's %lld: since Slurm "
                                   "22.05 it does not take --cpus-per-task from the job",
                                   (long long)job.cpus),
                       "srun --cpus-per-task=$SLURM_CPUS_PER_TASK .., or before it: export "
                       "SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK");
        return;
    }
}

/* Cores may be of two threads, and then a job has twice the CPUs that it asked for. */
enum { THREADS = 2 };

/* What a step asks for above the job; empty: nothing. */
static void step_above(const struct be_lint *lint, const struct be_lint_job *job,
                       const struct be_script_command *own, char what[BE_NOTE]) {
    static const char *const tasks[] = {"-n", "--ntasks"}, *const nodes[] = {"-N", "--nodes"},
                             *const cores[] = {"-c", "--cpus-per-task"}, *const mem[] = {"--mem"};
    const char *n = value_of(own, tasks, BE_COUNT(tasks)),
               *c = value_of(own, cores, BE_COUNT(cores));
    const char *nodes_word = value_of(own, nodes, BE_COUNT(nodes)), *m = value_of(own, mem, 1);
    const struct be_script_option *host = be_script_option(lint->script, 0, "mem");
    double asked = 0, has = 0;
    const int64_t cpus = number_in(n ? n : "") * (c && number_in(c) ? number_in(c) : 1);
    *what = '\0';
    if (cpus > THREADS * job->tasks * job->cpus && (job->tasks_by || job->cpus_by) &&
        !has_word(own, "-O") && !has_word(own, "--overcommit")) {
        snprintf(what, BE_NOTE, "%lld CPUs, and the job %lld", (long long)cpus,
                 (long long)(job->tasks * job->cpus));
    } else if (nodes_word && job->nodes_by && number_in(nodes_word) > job->nodes) {
        snprintf(what, BE_NOTE, "%s nodes, and the job %lld", nodes_word, (long long)job->nodes);
    } else if (m && host && host->text && be_sbatch_memory(m, &asked) &&
               be_sbatch_memory(host->text, &has) && has > 0 && asked > has) {
        snprintf(what, BE_NOTE, "%s of memory, and the job %s", m, host->text);
    } else if ((has_word(own, "--gres=gpu") || has_word(own, "--gpus")) && !job->gpus &&
               !be_lint_asks_gpu(lint)) {
        snprintf(what, BE_NOTE, "a GPU, and the job for none");
    }
}

void be_check_step_above(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    for (size_t i = 0;
         judges_sizes(lint) && lint->script->options > 0 && i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        char what[BE_NOTE];
        if (strcmp(command->word[0], "srun") != 0) {
            continue;
        }
        const struct be_script_command own = own_words(command);
        step_above(lint, &job, &own, what);
        if (*what) {
            be_lint_advise(be_lint_add(lint, BE_WARNING, command->span,
                                       "srun asks for %s: a step has a part of its job, and Slurm "
                                       "refuses more",
                                       what),
                           "ask for it with #SBATCH, or leave it out here");
        }
    }
}

void be_check_launcher_twice(struct be_lint *lint) {
    static const char *const launchers[] = {"mpirun",  "mpiexec",        "mpiexec.hydra",
                                            "orterun", "mpirun.openmpi", "mpiexec.openmpi",
                                            "srun"};
    static const char *const tasks[] = {"-n", "--ntasks"};
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    for (size_t i = 0; judges_sizes(lint) && i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const struct be_script_command own = own_words(command);
        const char *n = value_of(&own, tasks, BE_COUNT(tasks));
        int64_t many = n ? number_in(n) : job.tasks;
        if (strcmp(command->word[0], "srun") == 0 && own.words < command->words && many > 1 &&
            be_lint_is_one_of(command->word[own.words], launchers, BE_COUNT(launchers))) {
            const char *inner = command->word[own.words];
            struct be_lint_finding *finding =
                be_lint_add(lint, BE_WARNING, command->span,
                            "srun starts %s %lld times, and each starts its own processes", inner,
                            (long long)many);
            if (strcmp(inner, "srun") == 0) {
                be_lint_advise(finding, "one srun is enough: it starts all tasks");
            } else {
                be_lint_advise(finding, "one of them: srun, or %s", inner);
            }
        }
    }
}

/* ---- mpirun ------------------------------------------------------------------------------------ */

void be_check_too_many_ranks(struct be_lint *lint) {
    static const char *const launchers[] = {"mpirun",          "mpiexec", "mpirun.openmpi",
                                            "mpiexec.openmpi", "orterun", "prun"};
    static const char *const ranks[] = {"-np", "--np", "-n"};
    static const char *const places[] = {"oversub", "host", "machinefile",
                                         "map-by",  ":",    "rankfile"};
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    bool known = job.tasks_by || (job.cpus_by && job.cpus > 1);
    for (size_t i = 0; judges_sizes(lint) && known && i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const char *text = be_lint_is_one_of(command->word[0], launchers, BE_COUNT(launchers))
                               ? value_of(command, ranks, BE_COUNT(ranks))
                               : NULL;
        int64_t many = text ? number_in(text) : 0;
        for (size_t k = 0; k < BE_COUNT(places); k++) {
            many = has_word(command, places[k]) ? 0 : many;
        }
        if (many <= job.tasks) {
            continue;
        }
        bool fit = many <= job.tasks * job.cpus;
        be_lint_advise(
            be_lint_add(lint, fit ? BE_ADVICE : BE_WARNING, command->span,
                        "%lld processes, and the job asks for %lld task%s: Open MPI refuses more "
                        "than there are tasks%s",
                        (long long)many, (long long)job.tasks, job.tasks == 1 ? "" : "s",
                        fit ? "" : ", with others they take turns on the cores"),
            "#SBATCH --ntasks=%lld, and %s without a number", (long long)many, command->word[0]);
    }
}

/* ---- GPUs -------------------------------------------------------------------------------------- */

/* What launchers of processes call their number, one a GPU. */
static const struct {
    const char *program, *option;
    bool job; /* of the whole job, not of a node */
} gpu_launchers[] = {
    {"torchrun", "--nproc_per_node", false},    {"torchrun", "--nproc-per-node", false},
    {"distributed", "--nproc_per_node", false}, {"distributed", "--nproc-per-node", false},
    {"accelerate", "--num_processes", true},    {"accelerate", "--num-processes", true},
    {"deepspeed", "--num_gpus", false},         {"vllm", "--tensor-parallel-size", true},
    {"vllm", "--tensor_parallel_size", true},   {"vllm", "-tp", true},
};

/* Does a command run that program, perhaps by srun or `python -m`? */
static bool runs(const struct be_script_command *command, const char *program) {
    for (int i = 0; i < command->words; i++) {
        const char *name = strrchr(command->word[i], '/');
        name = name ? name + 1 : command->word[i];
        bool module = i > 0 && strcmp(command->word[i - 1], "-m") == 0;
        if (strcmp(name, program) == 0 || (module && strstr(name, program))) {
            return true;
        }
    }
    return false;
}

static void say_gpus(struct be_lint *lint, struct be_span span, const char *what, int64_t has,
                     bool job) {
    be_lint_advise(be_lint_add(lint, BE_WARNING, span, "%s, and the job has %lld GPU%s%s", what,
                               (long long)has, has == 1 ? "" : "s", job ? "" : " on a node"),
                   "let both be the same; a node's number is in $SLURM_GPUS_ON_NODE");
}

/* The largest of "0,1,3"; -1: it is no such list. */
static int64_t largest_index(const char *list) {
    int64_t largest = -1;
    if (!isdigit((unsigned char)*list) || strlen(list) != strspn(list, "0123456789,")) {
        return -1;
    }
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        int64_t index = strtol(at, NULL, 10);
        largest = index > largest ? index : largest;
    }
    return largest;
}

void be_check_too_few_gpus(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    const int64_t each = job.gpus / job.nodes;
    char what[BE_NOTE];
    if (!judges_sizes(lint) || job.whole_gpu_node || each < 1) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        for (size_t k = 0; k < BE_COUNT(gpu_launchers); k++) {
            const char *const option = gpu_launchers[k].option;
            const char *text =
                runs(command, gpu_launchers[k].program) ? value_of(command, &option, 1) : NULL;
            int64_t has = gpu_launchers[k].job ? job.gpus : each;
            if (text && number_in(text) > has && !has_word(command, "gloo") &&
                !has_word(command, "--cpu")) {
                snprintf(what, sizeof what, "%s=%s is a process for each GPU", option, text);
                say_gpus(lint, command->span, what, has, gpu_launchers[k].job);
            }
        }
    }
    for (size_t i = 0; i < lint->script->assignments; i++) {
        const struct be_script_assignment *set = &lint->script->assignment[i];
        if (strcmp(set->name, "CUDA_VISIBLE_DEVICES") == 0 && largest_index(set->value) >= each) {
            snprintf(what, sizeof what, "GPU %lld, counted from 0",
                     (long long)largest_index(set->value));
            say_gpus(lint, set->span, what, each, false);
            return;
        }
    }
}
