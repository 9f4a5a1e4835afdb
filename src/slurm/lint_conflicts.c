/* Rules about options that do not go together; sbatch 22.05.8 refuses each of these unless said. Each
 * component of a heterogeneous job is asked for itself. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "slurm/lint_parts.h"

/* Of the component at hand. A few options hold in the components after theirs, too. */
static const struct be_script_option *given(const struct be_lint *lint, const char *name) {
    static const char *const lasting[] = {"mem", "time", "time-min"};
    const struct be_script_option *found = be_script_option(lint->script, lint->component, name);
    for (size_t i = 0; i < BE_COUNT(lasting); i++) {
        for (int k = lint->component; strcmp(lasting[i], name) == 0 && !found && k-- > 0;) {
            found = be_script_option(lint->script, k, name);
        }
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
    for (lint->component = 0; lint->component < lint->script->components; lint->component++) {
        check(lint);
    }
    lint->component = 0;
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
    /* What comes later is shown: what stands first is more often meant. */
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
    static const char *const names[] = {"ntasks-per-node", "gpus-per-task"};
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

/* Two ways to ask for GPUs. sbatch 22.05 takes both where they agree; later ones do not. */
static void gpus_twice(struct be_lint *lint) {
    static const char *const names[] = {"gpus", "gpus-per-node", "gpus-per-task",
                                        "gpus-per-socket"};
    const struct be_script_option *gres = given(lint, "gres");
    struct be_sbatch_gpus of_gres = {0}, gpus = {0};
    if (!gpus_of(gres, &of_gres) || of_gres.count == 0) {
        return;
    }
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        const struct be_script_option *other = given(lint, names[i]);
        if (!gpus_of(other, &gpus) || gpus.count == 0) {
            continue;
        }
        bool types_differ = !*gpus.type != !*of_gres.type;
        struct be_lint_finding *finding = be_lint_add(
            lint, types_differ ? BE_ERROR : BE_WARNING, be_lint_span(gres),
            types_differ ? "--gres and --%s, one with a type and one without: sbatch refuses both"
                         : "--gres=gpu and --%s say the same twice; newer Slurm refuses both",
            names[i]);
        be_lint_advise(finding, "keep one of them");
    }
}

void be_check_gpus_twice(struct be_lint *lint) {
    each_component(lint, gpus_twice);
}

static void gpus_alone(struct be_lint *lint) {
    struct be_sbatch_gpus gpus = {0};
    const struct be_script_option *task = given(lint, "gpus-per-task");
    const struct be_script_option *socket = given(lint, "gpus-per-socket");
    if (gpus_of(task, &gpus) && gpus.count > 0 && !given(lint, "ntasks") && !given(lint, "gpus") &&
        !(given(lint, "nodes") && given(lint, "ntasks-per-node"))) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(task),
                                   "--gpus-per-task without --ntasks or --gpus: sbatch refuses it"),
                       "add --ntasks");
    }
    if (gpus_of(socket, &gpus) && gpus.count > 0 && !given(lint, "sockets-per-node") &&
        !given(lint, "extra-node-info")) {
        be_lint_advise(
            be_lint_add(lint, BE_ERROR, be_lint_span(socket),
                        "--gpus-per-socket without --sockets-per-node: sbatch refuses it"),
            "add --sockets-per-node, or ask with --gpus-per-node");
    }
}

void be_check_gpus_alone(struct be_lint *lint) {
    each_component(lint, gpus_alone);
}

/* --gpus is of the whole job: it cannot be less than a part of it. */
static void gpus_order(struct be_lint *lint) {
    static const char *const parts[] = {"gpus-per-node", "gres", "gpus-per-task",
                                        "gpus-per-socket"};
    const struct be_script_option *all = given(lint, "gpus");
    struct be_sbatch_gpus whole = {0}, part = {0};
    if (!gpus_of(all, &whole) || whole.count == 0) {
        return;
    }
    for (size_t i = 0; i < BE_COUNT(parts); i++) {
        if (gpus_of(given(lint, parts[i]), &part) && part.count > whole.count) {
            be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(all),
                                       "--gpus=%lld is of the whole job, and less than --%s: "
                                       "sbatch refuses both",
                                       (long long)whole.count, parts[i]),
                           "keep one of them");
        }
    }
}

void be_check_gpus_order(struct be_lint *lint) {
    each_component(lint, gpus_order);
}

static void gpu_memory_alone(struct be_lint *lint) {
    static const char *const names[] = {"gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket",
                                        "gres"};
    const struct be_script_option *memory = given(lint, "mem-per-gpu");
    double bytes = 0;
    if (!memory || !memory->text || !be_sbatch_memory(memory->text, &bytes) || bytes <= 0) {
        return;
    }
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        struct be_sbatch_gpus gpus = {0};
        if (gpus_of(given(lint, names[i]), &gpus) && gpus.count > 0) {
            return;
        }
    }
    be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(memory),
                               "--mem-per-gpu without a GPU: sbatch refuses it"),
                   "ask for a GPU, or write --mem");
}

void be_check_gpu_memory_alone(struct be_lint *lint) {
    each_component(lint, gpu_memory_alone);
}

static void time_min(struct be_lint *lint) {
    const struct be_script_option *most = given(lint, "time"), *least = given(lint, "time-min");
    double limit_s = 0, least_s = 0;
    if (meet_here(lint, most, least) && most->text && least->text &&
        be_sbatch_duration(most->text, &limit_s) && be_sbatch_duration(least->text, &least_s) &&
        least_s > limit_s) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(least),
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
    int64_t tasks = count_of(given(lint, "ntasks")), least = 0, most = 0;
    int64_t each = count_of(given(lint, "ntasks-per-node"));
    if (!nodes || !nodes->text || !be_sbatch_nodes(nodes->text, &least, &most) || most <= 0 ||
        tasks == 0 || each == 0 || lint->script->heterogeneous) {
        return;
    }
    if ((double)tasks > (double)most * (double)each) {
        be_lint_advise(be_lint_add(lint, BE_ERROR, be_lint_span(given(lint, "ntasks")),
                                   "%lld tasks, but %lld node%s with %lld each: Slurm refuses the "
                                   "job",
                                   (long long)tasks, (long long)most, most == 1 ? "" : "s",
                                   (long long)each),
                       "leave out --ntasks, or let the three agree");
    }
}

/* "0-2", "0": sbatch takes it, but not with these. */
static void no_nodes(struct be_lint *lint) {
    const struct be_script_option *nodes = given(lint, "nodes"),
                                  *layout = given(lint, "distribution");
    int64_t least = 0, most = 0;
    if (!nodes || !nodes->text || !be_sbatch_nodes(nodes->text, &least, &most) || least > 0) {
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
