/* Rules about commands that start others: what they ask for beside what the job has. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/rules.h"

/* Is it a job of one component, in a language that is read here? */
static bool judges_steps(const struct be_lint *lint) {
    return lint->script->shell && !lint->script->heterogeneous && !lint->options->lsf;
}

/* Is what the job has known from its directives alone? */
static bool judges_sizes(const struct be_lint *lint) {
    return judges_steps(lint) && !be_lint_whole_node(lint);
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

static const char *const step_tasks[] = {"-n", "--ntasks"};
static const char *const step_cores[] = {"-c", "--cpus-per-task", "--cpus-per-gpu"};

/* Did --cpus-per-task ask for several cores of a task? */
static bool asks_cores(const struct be_lint_job *job) {
    return job->cpus >= 2 && job->cpus_by &&
           strcmp(job->cpus_by->option->name, "cpus-per-task") == 0;
}

void be_check_srun_cores(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    if (!judges_sizes(lint) || be_lint_whole_site(lint) || !asks_cores(&job) ||
        be_script_mentions(lint->script, "SRUN_CPUS_PER_TASK", false)) {
        return;
    }
    const bool known = be_lint_slurm(lint->options) > 0;
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const struct be_script_command own = own_words(command);
        const char *many = value_of(&own, step_tasks, BE_COUNT(step_tasks));
        const int64_t tasks = many ? number_in(many) : job.tasks;
        struct be_script_command run = {.word = command->word + own.words,
                                        .words = command->words - own.words};
        if (strcmp(command->word[0], "srun") != 0 || run.words < 1 || be_lint_is_plain(&run) ||
            value_of(&own, step_cores, BE_COUNT(step_cores)) || run.word[0][0] == '$' ||
            has_word(&own, "exclusive") || has_word(&own, "overlap") ||
            has_word(&own, "bind=no") ||      /* a step has all of the job's cores */
            tasks < 2 || tasks > job.tasks) { /* one task has all cores of its step */
            continue;
        }
        be_lint_advise(be_lint_add(lint, known ? BE_WARNING : BE_ADVICE, command->span,
                                   "with Slurm 22.05 to 23.02 srun gives each of %lld tasks one "
                                   "core, not the job's %lld; later ones do as is meant",
                                   (long long)tasks, (long long)job.cpus),
                       "srun --cpus-per-task=$SLURM_CPUS_PER_TASK .., or before it: export "
                       "SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK");
        return;
    }
}

/* ---- several copies ----------------------------------------------------------------------------- */

/* CPUs of one node of the job, as far as they are known; 0: all of the node, which nobody names. */
static int64_t cpus_of_node(const struct be_lint *lint, const struct be_lint_job *job) {
    int cores = be_lint_whole_cores(lint);
    return cores > 0 ? cores : be_lint_whole_node(lint) || be_lint_whole_site(lint) ? 0 : job->cpus;
}

/* Tasks that srun starts on a node where nobody says how many; 0: one, or not known. */
static int64_t copies_of(const struct be_lint *lint, const struct be_lint_job *job, int64_t each) {
    enum { SMALL = 8 /* so few cores are less than half of any node */ };
    const int64_t there = cpus_of_node(lint, job);
    const bool whole = be_lint_whole_node(lint) || be_lint_whole_cores(lint) > 0;
    return there > 0 ? there / each : whole && each <= SMALL ? 2 : 0;
}

/* srun -c without -n fills what the job has: srun(1), --cpus-per-task. From Slurm 23.11 on srun takes -c from the
 * job, and a whole node has more cores than a job without --ntasks asked for. */
void be_check_several_copies(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    if (!judges_steps(lint) || job.tasks_by || lint->script->options == 0 ||
        be_script_sets(lint->script, "SLURM_NTASKS")) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        if (strcmp(command->word[0], "srun") != 0) {
            continue;
        }
        const struct be_script_command own = own_words(command);
        const char *c = value_of(&own, step_cores, 2);
        const bool jobs = asks_cores(&job) && (!c || strstr(c, "SLURM_CPUS_PER_TASK"));
        const int64_t each = jobs ? job.cpus : c ? number_in(c) : 0;
        const enum be_lint_holds later = c ? BE_HOLDS : be_lint_holds(lint, "23.11", NULL);
        const int64_t copies = each > 0 ? copies_of(lint, &job, each) : 0;
        if (copies < 2 || later == BE_HOLDS_NOT || has_word(&own, "-n") ||
            has_word(&own, "--pty") || own.words == command->words) {
            continue;
        }
        char many[BE_NAME] = "as many tasks as fit on the whole node";
        if (cpus_of_node(lint, &job) > 0) {
            snprintf(many, sizeof many, "%lld tasks", (long long)(copies * job.nodes));
        }
        be_lint_advise(be_lint_add(lint, BE_WARNING, command->span,
                                   "no number of tasks: %ssrun starts %s, of %lld core%s each",
                                   later == BE_HOLDS_MAYBE ? "with Slurm 23.11 and newer " : "",
                                   many, (long long)each, each == 1 ? "" : "s"),
                       "#SBATCH --ntasks=%lld, or srun --ntasks=.. as many as are meant",
                       (long long)job.nodes);
        return;
    }
}

/* ---- more than the job has ---------------------------------------------------------------------- */

/* Cores may be of two threads, and then a job has twice the CPUs that it asked for. */
enum { THREADS = 2 };

/* CPUs of a step above those of the job. Where nodes are given whole, a job has more than it asked for. From 23.11 on
 * srun takes the cores of a task from the job. */
static bool cpus_above(const struct be_lint *lint, const struct be_lint_job *job,
                       const struct be_script_command *own, char what[BE_NOTE]) {
    const char *n = value_of(own, step_tasks, BE_COUNT(step_tasks)),
               *c = value_of(own, step_cores, 2);
    const int64_t tasks = number_in(n ? n : ""), has = job->tasks * job->cpus;
    const int64_t cpus = tasks * (c && number_in(c) ? number_in(c) : 1);
    const enum be_lint_holds later =
        c || !asks_cores(job) || be_script_mentions(lint->script, "SLURM_CPUS_PER_TASK", false)
            ? BE_HOLDS_NOT
            : be_lint_holds(lint, "23.11", NULL);
    if (!(job->tasks_by || job->cpus_by) || be_lint_whole_site(lint) ||
        be_lint_whole_cores(lint) > 0 || has_word(own, "-O") || has_word(own, "--overcommit")) {
        return false;
    }
    if (cpus > THREADS * has) {
        snprintf(what, BE_NOTE, "%lld CPUs, and the job %lld", (long long)cpus, (long long)has);
        return true;
    }
    if (later != BE_HOLDS_NOT && tasks * job->cpus > THREADS * has) {
        snprintf(what, BE_NOTE, "%lld tasks, of %lld cores each as in the job%s, and the job %lld",
                 (long long)tasks, (long long)job->cpus,
                 later == BE_HOLDS_MAYBE ? " (Slurm 23.11 and newer)" : "", (long long)has);
        return true;
    }
    return false;
}

/* GPUs that a step asks for of each node, --gres=gpu:a100:2; or of all, --gpus=2; 0: it names no number. */
static int64_t step_gpus(const struct be_script_command *own, bool *of_node) {
    static const char *const gres[] = {"--gres"}, *const all[] = {"--gpus", "-G"};
    const char *each = value_of(own, gres, BE_COUNT(gres)),
               *sum = value_of(own, all, BE_COUNT(all));
    *of_node = each && strncmp(each, "gpu:", 4) == 0 && !strchr(each, ',');
    const char *text = *of_node ? each : sum;
    const char *last = text && strrchr(text, ':') ? strrchr(text, ':') + 1 : text;
    return last ? number_in(last) : 0;
}

static bool gpus_above(const struct be_lint_job *job, const struct be_script_command *own,
                       char what[BE_NOTE]) {
    bool of_node = false;
    const int64_t gpus = step_gpus(own, &of_node);
    const int64_t has = of_node ? job->gpus / job->nodes : job->gpus;
    if (has < 1 || gpus <= has || job->whole_gpu_node) {
        return false;
    }
    snprintf(what, BE_NOTE, "%lld GPUs%s, and the job %lld", (long long)gpus,
             of_node ? " on a node" : "", (long long)has);
    return true;
}

/* The resource of which a step asks for more than the job has; empty: none. */
static void step_above(const struct be_lint *lint, const struct be_lint_job *job,
                       const struct be_script_command *own, char what[BE_NOTE]) {
    static const char *const nodes[] = {"-N", "--nodes"}, *const mem[] = {"--mem"};
    const char *nodes_word = value_of(own, nodes, BE_COUNT(nodes)), *m = value_of(own, mem, 1);
    const struct be_script_option *host = be_script_option(lint->script, 0, "mem");
    double asked = 0, has = 0;
    *what = '\0';
    if (cpus_above(lint, job, own, what) || gpus_above(job, own, what)) {
        return;
    }
    if (nodes_word && job->nodes_by && number_in(nodes_word) > job->nodes) {
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
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    for (size_t i = 0; judges_sizes(lint) && i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const struct be_script_command own = own_words(command);
        const char *n = value_of(&own, step_tasks, BE_COUNT(step_tasks));
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

/* The words of mpirun itself, up to the program that it starts. */
static struct be_script_command mpirun_words(const struct be_script_command *command) {
    static const char *const alone[] = {"--oversubscribe",
                                        "-oversubscribe",
                                        "--report-bindings",
                                        "-report-bindings",
                                        "--allow-run-as-root",
                                        "-allow-run-as-root",
                                        "--display-map",
                                        "-display-map",
                                        "--tag-output",
                                        "-tag-output",
                                        "--bynode",
                                        "-bynode",
                                        "--bysocket",
                                        "-bysocket",
                                        "--bind-to-core",
                                        "-bind-to-core",
                                        "--nooversubscribe",
                                        "-nooversubscribe",
                                        "--verbose",
                                        "-verbose",
                                        "--quiet",
                                        "-quiet",
                                        "-prepend-rank",
                                        "-genvall",
                                        "-genvnone",
                                        "-l",
                                        "-v",
                                        "-q",
                                        "--use-hwthread-cpus",
                                        "-use-hwthread-cpus",
                                        "--nolocal",
                                        "-nolocal"};
    static const char *const pairs[] = {"--mca", "-mca", "--gmca", "-gmca", "-genv", "-env"};
    struct be_script_command own = *command;
    for (own.words = 1; own.words < command->words && command->word[own.words][0] == '-';) {
        const char *word = command->word[own.words];
        int more = strchr(word, '=') || be_lint_is_one_of(word, alone, BE_COUNT(alone)) ? 0
                   : be_lint_is_one_of(word, pairs, BE_COUNT(pairs))                    ? 2
                                                                                        : 1;
        own.words += 1 + more;
    }
    own.words = own.words < command->words ? own.words : command->words;
    return own;
}

void be_check_too_many_ranks(struct be_lint *lint) {
    static const char *const launchers[] = {"mpirun",          "mpiexec", "mpirun.openmpi",
                                            "mpiexec.openmpi", "orterun", "prun"};
    static const char *const ranks[] = {"-np", "--np", "-n"};
    static const char *const places[] = {"oversub", "host", "machinefile",
                                         "map-by",  ":",    "rankfile"};
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    bool known = job.tasks_by || (job.cpus_by && job.cpus > 1);
    known = known && judges_sizes(lint) && !be_lint_whole_site(lint);
    for (size_t i = 0; known && i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const struct be_script_command own = mpirun_words(command);
        const char *text = be_lint_is_one_of(command->word[0], launchers, BE_COUNT(launchers))
                               ? value_of(&own, ranks, BE_COUNT(ranks))
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

/* The options by which launchers take the number of processes, one a GPU. */
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
