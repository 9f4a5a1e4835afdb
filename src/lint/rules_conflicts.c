/* Rules about options that do not go together; sbatch 22.05.8 and 24.11.5 refuse each of these unless said. Each
 * component of a heterogeneous job is asked for itself. */
#include <string.h>

#include "base/error.h"
#include "lint/rules.h"

/* These hold in the components after theirs, too. */
static const char *const lasting[BE_LASTING] = {"mem", "time", "time-min"};

/* The option as the component at hand gives it. */
static const struct be_script_option *given(const struct be_lint *lint, const char *name) {
    const struct be_script_option *found = be_script_option(lint->script, lint->component, name);
    for (size_t i = 0; !found && i < BE_COUNT(lasting); i++) {
        found = strcmp(lasting[i], name) == 0 ? lint->lasting[i] : NULL;
    }
    return found;
}

/* Two options of which one at least is this component's: else an earlier one has the finding. */
static bool meet_here(const struct be_lint *lint, const struct be_script_option *one,
                      const struct be_script_option *other) {
    return one && other &&
           (one->component == lint->component || other->component == lint->component);
}

static void each_component(struct be_lint *lint, be_lint_check *check) {
    memset(lint->lasting, 0, sizeof lint->lasting);
    for (lint->component = 0; lint->component < lint->script->components; lint->component++) {
        check(lint);
        for (size_t i = 0; i < BE_COUNT(lasting); i++) {
            const struct be_script_option *own =
                be_script_option(lint->script, lint->component, lasting[i]);
            lint->lasting[i] = own ? own : lint->lasting[i];
        }
    }
    lint->component = 0;
    memset(lint->lasting, 0, sizeof lint->lasting);
}

static int64_t count_of(const struct be_script_option *option) {
    int64_t count = 0;
    return option && option->text && be_sbatch_count(option->text, &count) ? count : 0;
}

/* GPUs of one option; false: it is not given, or no value sbatch takes. */
static bool gpus_of(const struct be_script_option *option, struct be_sbatch_gpus *gpus) {
    return option && option->text && be_sbatch_gpus(option->option, option->text, gpus);
}

static void clash(struct be_lint *lint, const struct be_script_option *one,
                  const struct be_script_option *other, const char *advice) {
    /* The later option is shown: the first one is more often meant. */
    const struct be_script_option *last = one->name.at > other->name.at ? one : other;
    be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(last),
                               "--%s and --%s exclude each other: sbatch refuses both",
                               one->option->name, other->option->name),
                   "%s", advice);
}

static void memory_twice(struct be_lint *lint) {
    static const char *const names[] = {"mem", "mem-per-cpu", "mem-per-gpu"};
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        for (size_t k = i + 1; k < BE_COUNT(names); k++) {
            if (meet_here(lint, given(lint, names[i]), given(lint, names[k]))) {
                clash(lint, given(lint, names[i]), given(lint, names[k]),
                      "keep one: --mem is of a node, the others are of a CPU or a GPU");
            }
        }
    }
}

void be_check_memory_twice(struct be_lint *lint) {
    each_component(lint, memory_twice);
}

static void cpus_twice(struct be_lint *lint) {
    if (given(lint, "cpus-per-gpu") && given(lint, "cpus-per-task")) {
        clash(lint, given(lint, "cpus-per-gpu"), given(lint, "cpus-per-task"), "keep one of them");
    }
}

void be_check_cpus_twice(struct be_lint *lint) {
    each_component(lint, cpus_twice);
}

static void spec_twice(struct be_lint *lint) {
    if (given(lint, "core-spec") && given(lint, "thread-spec")) {
        clash(lint, given(lint, "core-spec"), given(lint, "thread-spec"), "keep one of them");
    }
}

void be_check_spec_twice(struct be_lint *lint) {
    each_component(lint, spec_twice);
}

static void tasks_per_gpu(struct be_lint *lint) {
    static const char *const names[] = {"ntasks-per-node", "gpus-per-task", "gpus-per-socket"};
    const struct be_script_option *per_gpu = given(lint, "ntasks-per-gpu");
    for (size_t i = 0; per_gpu && i < BE_COUNT(names); i++) {
        if (given(lint, names[i])) {
            clash(lint, per_gpu, given(lint, names[i]), "keep one of them");
        }
    }
    const struct be_script_option *alone = per_gpu ? per_gpu : given(lint, "ntasks-per-tres");
    struct be_sbatch_gpus gpus = {0};
    bool some = gpus_of(given(lint, "gpus"), &gpus) || gpus_of(given(lint, "gres"), &gpus) ||
                gpus_of(given(lint, "gpus-per-node"), &gpus) || given(lint, "ntasks") ||
                given(lint, "nodes") || given(lint, "gpus-per-socket") ||
                given(lint, "gpus-per-task");
    if (alone && !some) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(alone),
                                   "--%s without GPUs or tasks: sbatch refuses it",
                                   alone->option->name),
                       "add --gpus or --ntasks");
    }
}

void be_check_tasks_per_gpu(struct be_lint *lint) {
    each_component(lint, tasks_per_gpu);
}

static const char *const gpu_options[] = {"gres", "gpus", "gpus-per-node", "gpus-per-task",
                                          "gpus-per-socket"};

/* Slurm counts GPUs of a type apart from those of any. */
static void gpu_types(struct be_lint *lint) {
    const struct be_script_option *seen = NULL;
    struct be_sbatch_gpus gpus = {0}, first = {0};
    for (size_t i = 0; i < BE_COUNT(gpu_options); i++) {
        const struct be_script_option *one = given(lint, gpu_options[i]);
        if (!gpus_of(one, &gpus) || gpus.count == 0) {
            continue;
        }
        if (gpus.mixed) {
            be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(one),
                                       "--%s has GPUs with a type and without: sbatch refuses it",
                                       gpu_options[i]),
                           "name the type of each, or of none");
        } else if (seen && !*gpus.type != !*first.type) {
            be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(one),
                                       "--%s and --%s, one with a type and one without: sbatch "
                                       "refuses both",
                                       seen->option->name, gpu_options[i]),
                           "name the type in both");
        }
        first = seen ? first : gpus;
        seen = seen ? seen : one;
    }
}

void be_check_gpu_types(struct be_lint *lint) {
    each_component(lint, gpu_types);
}

/* Nodes asked for, of which sbatch drops those without a task, of a range, too; false: none, or no value it takes. */
static bool nodes_of(const struct be_lint *lint, int64_t *min, int64_t *max) {
    const struct be_script_option *nodes = given(lint, "nodes");
    int64_t tasks = count_of(given(lint, "ntasks"));
    if (!nodes || !nodes->text || !be_sbatch_nodes(nodes->text, min, max)) {
        return false;
    }
    if (tasks > 0) {
        *min = tasks < *min ? tasks : *min;
        *max = tasks < *max ? tasks : *max;
    }
    return true;
}

/* Are GPUs of the whole job as many as there can be with those of each node? */
static bool job_agrees(const struct be_lint *lint, const struct be_sbatch_gpus *job,
                       const struct be_sbatch_gpus *node) {
    int64_t min = 0, max = 0, nodes = job->count / node->count;
    bool known = nodes_of(lint, &min, &max);
    return strcmp(job->type, node->type) == 0 && nodes > 0 && job->count % node->count == 0 &&
           (!known || (nodes >= min && nodes <= max));
}

/* Both are of each node: sbatch joins them to one list, and of two entries of one type the controller takes
 * the last, which is that of --gres. Entries of different types add up. */
static void node_twice(struct be_lint *lint, const struct be_script_option *gres,
                       const struct be_sbatch_gpus *of_gres, const struct be_sbatch_gpus *gpus) {
    bool plain = of_gres->items == 1 && gpus->items == 1;
    if (plain && strcmp(of_gres->type, gpus->type) != 0) {
        return;
    }
    struct be_lint_finding *finding =
        !plain ? be_lint_add(lint, BE_WARNING, be_lint_span(gres),
                             "--gres=gpu and --gpus-per-node are both of each node: of a type in "
                             "both, the number of --gres counts")
        : of_gres->count == gpus->count
            ? be_lint_add(lint, BE_ADVICE, be_lint_span(gres),
                          "--gres=gpu and --gpus-per-node say the same twice")
            : be_lint_add(
                  lint, BE_WARNING, be_lint_span(gres),
                  "--gpus-per-node has %lld GPU%s for a node and --gres %lld: --gres counts",
                  (long long)gpus->count, gpus->count == 1 ? "" : "s", (long long)of_gres->count);
    be_lint_advise(finding, "keep one of them");
}

/* Two ways to ask for GPUs. */
static void gpus_twice(struct be_lint *lint) {
    static const char *const of[] = {NULL, "the whole job", NULL, "each task", "each socket"};
    const struct be_script_option *gres = given(lint, "gres");
    struct be_sbatch_gpus of_gres = {0}, gpus = {0};
    if (!gpus_of(gres, &of_gres) || of_gres.count == 0) {
        return;
    }
    for (size_t i = 1; i < BE_COUNT(gpu_options); i++) {
        const char *name = gpu_options[i];
        if (!gpus_of(given(lint, name), &gpus) || gpus.count == 0 ||
            (strcmp(name, "gpus") == 0 && job_agrees(lint, &gpus, &of_gres))) {
            continue;
        }
        if (!of[i]) {
            node_twice(lint, gres, &of_gres, &gpus);
            continue;
        }
        be_lint_advise(be_lint_add(lint, BE_WARNING, be_lint_span(gres),
                                   "--gres=gpu is of each node, and --%s of %s", name, of[i]),
                       "keep one of them");
    }
}

void be_check_gpus_twice(struct be_lint *lint) {
    each_component(lint, gpus_twice);
}

/* Tasks that sbatch asks for: said, or from a number of nodes that is no range; 0: none. */
static int64_t tasks_of(const struct be_lint *lint) {
    const struct be_script_option *each = given(lint, "ntasks-per-node");
    int64_t min = 1, max = 1, tasks = count_of(given(lint, "ntasks"));
    bool known = nodes_of(lint, &min, &max);
    if (tasks > 0 || min != max || !(known || each)) {
        return tasks;
    }
    return min * (each ? count_of(each) : 1);
}

static void gpus_alone(struct be_lint *lint) {
    struct be_sbatch_gpus gpus = {0};
    const struct be_script_option *task = given(lint, "gpus-per-task");
    const struct be_script_option *socket = given(lint, "gpus-per-socket");
    const struct be_script_option *layout = given(lint, "extra-node-info"); /* *: any sockets */
    bool sockets =
        given(lint, "sockets-per-node") || (layout && layout->text && *layout->text != '*');
    if (gpus_of(task, &gpus) && gpus.count > 0 && !given(lint, "gpus") && tasks_of(lint) == 0) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(task),
                                   "--gpus-per-task without --ntasks or --gpus: sbatch refuses it"),
                       "add --ntasks");
    }
    if (gpus_of(socket, &gpus) && gpus.count > 0 && !sockets) {
        be_lint_advise(
            be_lint_add(lint, BE_ERROR, be_lint_span(socket),
                        "--gpus-per-socket without --sockets-per-node: sbatch refuses it"),
            "add --sockets-per-node, or ask with --gpus-per-node");
    }
}

void be_check_gpus_alone(struct be_lint *lint) {
    each_component(lint, gpus_alone);
}

/* GPUs of one kind that an option asks for: 0 where it does not, or for several kinds. */
static int64_t gpus_counted(const struct be_script_option *option, struct be_sbatch_gpus *gpus) {
    return gpus_of(option, gpus) && gpus->items == 1 ? gpus->count : 0;
}

/* Checks that the number for the whole is that of a part, or a multiple of it. */
static void whole_and_part(struct be_lint *lint, const struct be_script_option *whole,
                           const struct be_script_option *part) {
    struct be_sbatch_gpus of_whole = {0}, of_part = {0};
    int64_t more = gpus_counted(whole, &of_whole), less = gpus_counted(part, &of_part);
    if (more == 0 || less == 0 || strcmp(of_whole.type, of_part.type) != 0) {
        return;
    }
    const char *name = whole->option->name, *other = part->option->name;
    if (more < less) {
        bool job = strcmp(name, "gpus") == 0;
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(whole),
                                   job ? "--%s=%lld is of the whole job, and less than --%s: "
                                         "sbatch refuses both"
                                       : "--%s with %lld is less than --%s: sbatch refuses both",
                                   name, (long long)more, other),
                       "keep one of them");
    } else if (more % less != 0 && !(strcmp(name, "gpus") == 0 &&
                                     strcmp(other, "gpus-per-socket") == 0)) { /* it takes that */
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(whole),
                                   "the %lld of --%s are no multiple of the %lld of --%s: sbatch "
                                   "refuses both",
                                   (long long)more, name, (long long)less, other),
                       "keep one of them");
    }
}

/* A whole by its part: so many nodes, sockets or tasks, and not others. least 0: none asked for. */
static void whole_and_number(struct be_lint *lint, const struct be_script_option *whole,
                             const struct be_script_option *part, const char *things, int64_t min,
                             int64_t max) {
    struct be_sbatch_gpus of_whole = {0}, of_part = {0};
    int64_t more = gpus_counted(whole, &of_whole), less = gpus_counted(part, &of_part);
    if (more == 0 || less == 0 || more % less != 0 || min == 0 ||
        (more / less >= min && more / less <= max)) {
        return;
    }
    be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(whole),
                               "--%s with %lld and --%s with %lld are %lld %s, and %lld are asked "
                               "for: sbatch refuses it",
                               whole->option->name, (long long)more, part->option->name,
                               (long long)less, (long long)(more / less), things,
                               (long long)(more / less < min ? min : max)),
                   "leave --%s out, or ask for as many %s", whole->option->name, things);
}

/* Nodes asked for, or those that the tasks need at least. */
static bool nodes_needed(const struct be_lint *lint, int64_t *min, int64_t *max) {
    const int64_t tasks = count_of(given(lint, "ntasks"));
    const int64_t each = count_of(given(lint, "ntasks-per-node"));
    if (nodes_of(lint, min, max)) {
        return true;
    }
    *min = each > 0 ? (tasks + each - 1) / each : 0;
    *max = BE_SBATCH_MAX;
    return *min > 0;
}

static void gpus_by_number(struct be_lint *lint, const struct be_script_option *node) {
    const struct be_script_option *all = given(lint, "gpus"), *task = given(lint, "gpus-per-task");
    int64_t min = 0, max = 0, tasks = tasks_of(lint);
    int64_t each = count_of(given(lint, "ntasks-per-node"));
    int64_t sockets = count_of(given(lint, "sockets-per-node"));
    bool known = nodes_needed(lint, &min, &max);
    whole_and_number(lint, all, node, "nodes", known ? min : 0, max);
    whole_and_number(lint, all, task, "tasks", tasks, tasks);
    whole_and_number(lint, node, task, "tasks on a node", each, each);
    whole_and_number(lint, node, given(lint, "gpus-per-socket"), "sockets", sockets, sockets);
}

static void gpus_order(struct be_lint *lint) {
    const struct be_script_option *all = given(lint, "gpus");
    const struct be_script_option *node = given(lint, "gres"); /* it counts where both are given */
    struct be_sbatch_gpus gpus = {0};
    node = gpus_counted(node, &gpus) ? node : given(lint, "gpus-per-node");
    const struct be_script_option *const level[] = {all, node, given(lint, "gpus-per-socket"),
                                                    given(lint, "gpus-per-task")};
    for (size_t i = 0; i < BE_COUNT(level); i++) {
        for (size_t k = i + 1; k < BE_COUNT(level); k++) {
            whole_and_part(lint, level[i], level[k]);
        }
    }
    int64_t min = 0, max = 0, count = gpus_counted(all, &gpus);
    if (nodes_needed(lint, &min, &max) && count > 0 && count < min) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(all),
                                   "--gpus=%lld is of the whole job, and less than its %lld nodes: "
                                   "Slurm refuses it",
                                   (long long)count, (long long)min),
                       "ask with --gpus-per-node");
        return;
    }
    gpus_by_number(lint, node);
}

void be_check_gpus_order(struct be_lint *lint) {
    each_component(lint, gpus_order);
}

/* Finds an option that asks for something for each GPU, where there is none. */
static void of_no_gpu(struct be_lint *lint, const struct be_script_option *asked,
                      enum be_severity severity, const char *refuses, const char *instead) {
    static const char *const names[] = {"gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket",
                                        "gres"};
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        struct be_sbatch_gpus gpus = {0};
        if (gpus_of(given(lint, names[i]), &gpus) && gpus.count > 0) {
            return;
        }
    }
    const struct be_script_option *tres = given(lint, "tres-per-task");
    if (!(tres && tres->text && strstr(tres->text, "gpu"))) {
        be_lint_advise(be_lint_add(lint, severity, be_lint_span(asked), "--%s without a GPU: %s",
                                   asked->option->name, refuses),
                       "ask for a GPU, or write --%s", instead);
    }
}

static void gpu_memory_alone(struct be_lint *lint) {
    const struct be_script_option *memory = given(lint, "mem-per-gpu");
    const struct be_script_option *cores = given(lint, "cpus-per-gpu");
    double bytes = 0;
    if (memory && memory->text && be_sbatch_memory(memory->text, &bytes) && bytes > 0) {
        of_no_gpu(lint, memory, BE_ERROR, "sbatch refuses it", "mem");
    }
    if (count_of(cores) > 0) {
        /* 22.05.8 takes it, and passes over it, where the partition has GPUs. */
        const enum be_severity severity = be_lint_refuses(lint, "22.05", "24.11");
        of_no_gpu(lint, cores, severity,
                  severity == BE_ERROR ? "sbatch refuses it" : "Slurm 24.11 and newer refuse it",
                  "cpus-per-task");
    }
}

void be_check_gpu_memory_alone(struct be_lint *lint) {
    each_component(lint, gpu_memory_alone);
}

static void time_min(struct be_lint *lint) {
    const struct be_script_option *max = given(lint, "time"), *min = given(lint, "time-min");
    double limit_s = 0, min_s = 0;
    if (meet_here(lint, max, min) && max->text && min->text &&
        be_sbatch_duration(max->text, &limit_s) && be_sbatch_duration(min->text, &min_s) &&
        min_s > limit_s) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(min),
                                   "--time-min is longer than --time: Slurm refuses the job"),
                       "--time-min is the least that is enough, --time the most");
    }
}

void be_check_time_min(struct be_lint *lint) {
    each_component(lint, time_min);
}

static void arbitrary(struct be_lint *lint) {
    const struct be_script_option *layout = given(lint, "distribution");
    if (layout && layout->text && strncmp(layout->text, "arbitrary", 9) == 0 &&
        !given(lint, "nodelist") && !given(lint, "nodefile")) {
        be_lint_advise(
            be_lint_add(lint, BE_ERROR, be_lint_span(layout),
                        "--distribution=arbitrary without --nodelist: sbatch refuses it"),
            "name the nodes");
    }
}

void be_check_arbitrary(struct be_lint *lint) {
    each_component(lint, arbitrary);
}

void be_check_array_hetjob(struct be_lint *lint) {
    const struct be_script_option *array = be_script_option(lint->script, -1, "array");
    if (array && lint->script->heterogeneous) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(array),
                                   "a heterogeneous job cannot be an array: Slurm refuses it"),
                       "leave out --array, or hetjob");
    }
}

/* More tasks than the nodes may have, where the number of nodes is fixed. */
void be_check_tasks_fit(struct be_lint *lint) {
    const struct be_script_option *nodes = given(lint, "nodes");
    int64_t tasks = count_of(given(lint, "ntasks")), min = 0, max = 0;
    int64_t each = count_of(given(lint, "ntasks-per-node"));
    if (!nodes || !nodes->text || !be_sbatch_nodes(nodes->text, &min, &max) || max <= 0 ||
        tasks == 0 || each == 0 || lint->script->heterogeneous) {
        return;
    }
    if ((double)tasks > (double)max * (double)each) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(given(lint, "ntasks")),
                                   "%lld tasks, but %lld node%s with %lld each: Slurm refuses the "
                                   "job",
                                   (long long)tasks, (long long)max, max == 1 ? "" : "s",
                                   (long long)each),
                       "leave out --ntasks, or let the three agree");
    }
}

/* "0-2", "0": sbatch takes it, but not with these. */
static void no_nodes(struct be_lint *lint) {
    const struct be_script_option *nodes = given(lint, "nodes"),
                                  *layout = given(lint, "distribution");
    int64_t min = 0, max = 0;
    if (!nodes || !nodes->text || !be_sbatch_nodes(nodes->text, &min, &max) || min > 0) {
        return;
    }
    bool plane = layout && layout->text && strncmp(layout->text, "plane", 5) == 0;
    bool array = be_script_option(lint->script, -1, "array");
    bool refused = array || plane || lint->component > 0;
    be_lint_advise(be_lint_add(lint, refused ? BE_ERROR : BE_WARNING, be_lint_span(nodes),
                               refused ? "no node at least, %s: Slurm refuses the job"
                                       : "a job needs a node at least",
                               plane   ? "and --distribution=plane"
                               : array ? "and --array"
                                       : "in a component after the first"),
                   "--nodes=1");
}

void be_check_no_nodes(struct be_lint *lint) {
    each_component(lint, no_nodes);
}
