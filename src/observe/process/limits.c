/* The resources that the program may use. */
#include "observe/process/limits.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/process/allowed.h"
#include "observe/process/group.h"
#include "observe/process/proc_text.h"
#include "observe/process/tree.h"

/* ---- CPUs ----------------------------------------------------------------------------------- */

/* `needs`: a variable that must be there too, for this one to be about the program. */
static const struct {
    const char *variable, *needs;
} cpu_variables[] = {
    {"SLURM_CPUS_PER_TASK", "SLURM_STEP_NUM_TASKS"}, /* srun has started it as a task */
    {"SLURM_CPUS_ON_NODE", NULL},
    {"LSB_DJOB_NUMPROC", NULL},
    {"NCPUS", "PBS_JOBID"},
};

static void lower_cpus(struct be_trace_limits *limits, int cpus, const char *by) {
    if (cpus > 0 && cpus < limits->cpus) {
        limits->cpus = cpus;
        be_copy_text(limits->cpus_by, sizeof limits->cpus_by, by);
    }
}

static void find_cpus(struct be_trace_limits *limits, const char *const *environment) {
    if (limits->cpus_quota > 0) {
        lower_cpus(limits, (int)ceil(limits->cpus_quota), "cgroup quota");
    }
    for (size_t i = 0; i < BE_COUNT(cpu_variables); i++) {
        const char *text = be_variable(environment, cpu_variables[i].variable);
        const char *needs = cpu_variables[i].needs;
        if (text && (!needs || be_variable(environment, needs))) {
            lower_cpus(limits, be_cpus_a_node(text), cpu_variables[i].variable);
            limits->asked = true;
        }
    }
}

/* The largest number on a node, for "4(x2),3" as for a number alone: the text does not say which of
 * them is ours. */
static int max_on_a_node(const char *text) {
    int max = 0;
    while (*text) {
        int here = be_cpus_a_node(text);
        max = here > max ? here : max;
        text += strcspn(text, ",");
        text += *text == ',';
    }
    return max;
}

/* Finds the launcher that has started it as one of several, and says how many of them are on the
 * node. */
static void find_tasks_here(struct be_trace_limits *limits, const char *const *environment) {
    static const char *const variables[] = {
        "SLURM_STEP_TASKS_PER_NODE",  /* srun */
        "OMPI_COMM_WORLD_LOCAL_SIZE", /* mpirun: Open MPI, */
        "MPI_LOCALNRANKS",            /* MPICH and Intel MPI, */
        "MV2_COMM_WORLD_LOCAL_SIZE",  /* MVAPICH2 */
    };
    for (size_t i = 0; i < BE_COUNT(variables); i++) {
        const char *text = be_variable(environment, variables[i]);
        int here = text ? max_on_a_node(text) : 0;
        limits->tasks_here = here > limits->tasks_here ? here : limits->tasks_here;
    }
}

/* Slurm says how many tasks it was asked for, and how they stand on the nodes: "4(x2),3". A program
 * that srun has started is one of them. */
static void find_tasks(struct be_trace_limits *limits, const char *const *environment) {
    const char *all = be_variable(environment, "SLURM_NTASKS");
    const char *here = be_variable(environment, "SLURM_TASKS_PER_NODE");
    if (be_variable(environment, "SLURM_STEP_NUM_TASKS")) {
        limits->tasks = 1;
    } else if (all && here) {
        limits->tasks = be_cpus_a_node(here);
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

static void lower_memory(struct be_trace_limits *limits, double bytes, const char *by) {
    if (bytes > 0 && !(bytes >= limits->memory_bytes)) { /* also where there was none */
        limits->memory_bytes = bytes;
        be_copy_text(limits->memory_by, sizeof limits->memory_by, by);
    }
}

/* Slurm counts in MiB; 0 is all there is. */
static void find_memory(struct be_trace_limits *limits, const char *const *environment) {
    const double mib = 1024.0 * 1024.0;
    const char *node = be_variable(environment, "SLURM_MEM_PER_NODE");
    const char *cpu = be_variable(environment, "SLURM_MEM_PER_CPU");
    const char *cpus = be_variable(environment, "SLURM_CPUS_ON_NODE");
    if (node) {
        lower_memory(limits, mib * strtod(node, NULL), "SLURM_MEM_PER_NODE");
    }
    if (cpu && cpus) {
        lower_memory(limits, mib * strtod(cpu, NULL) * be_cpus_a_node(cpus), "SLURM_MEM_PER_CPU");
    }
    limits->asked |= node || cpu;
}

void be_limits_lower(struct be_trace_limits *limits, double cpus_quota, double memory_bytes) {
    if (cpus_quota > 0 && !(cpus_quota >= limits->cpus_quota)) { /* also where there was none */
        limits->cpus_quota = cpus_quota;
        lower_cpus(limits, (int)ceil(cpus_quota), "cgroup quota");
    }
    if (!(memory_bytes >= limits->memory_machine_bytes)) { /* above it, it limits nothing */
        lower_memory(limits, memory_bytes, "cgroup");
    }
}

struct be_trace_limits be_limits(const struct be_watched *watched, int affinity, int machine) {
    struct be_trace_limits limits = {.cpus = affinity,
                                     .cpus_machine = machine,
                                     .cpus_quota = NAN,
                                     .memory_bytes = NAN,
                                     .memory_machine_bytes = NAN};
    char text[4096];
    struct be_group group;
    be_copy_text(limits.cpus_by, sizeof limits.cpus_by,
                 affinity < machine ? "affinity" : "machine");
    be_copy_text(limits.memory_by, sizeof limits.memory_by, "machine");
    if (be_small_file(text, sizeof text, "%s/proc/meminfo", watched->files) > 0) {
        limits.memory_machine_bytes = 1024 * be_named_value(text, "MemTotal");
    }
    if (be_group_find(watched->files, watched->node ? 1 : watched->root, &group, NULL) == BE_OK) {
        limits.cpus_quota = be_group_cpus(&group);
        double bytes = be_group_memory(&group);
        if (!(bytes >= limits.memory_machine_bytes)) { /* above it, it limits nothing */
            lower_memory(&limits, bytes, "cgroup");
        }
    }
    find_cpus(&limits, watched->environment);
    find_tasks(&limits, watched->environment);
    find_tasks_here(&limits, watched->environment);
    find_memory(&limits, watched->environment);
    return limits;
}

/* ---- who and where -------------------------------------------------------------------------- */

void be_job_name(const char *const *environment, char *to, size_t capacity) {
    static const struct {
        const char *variable, *system;
    } jobs[] = {
        {"SLURM_JOB_ID", "slurm"},
        {"LSB_JOBID", "lsf"},
        {"PBS_JOBID", "pbs"},
    };
    to[0] = '\0';
    for (size_t i = 0; i < BE_COUNT(jobs) && !to[0]; i++) {
        const char *id = be_variable(environment, jobs[i].variable);
        if (id && *id) {
            snprintf(to, capacity, "%s %.40s", jobs[i].system, id);
        }
    }
}

/* The launcher sets these variables. Slurm's own come last: it may have started what then starts the ranks. In a batch
 * script it says that it is the first of as many as were asked for, and no step has begun. */
struct be_rank be_rank_of(const char *const *environment) {
    static const struct {
        const char *rank, *ranks;
    } variables[] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, /* Open MPI */
        {"PMI_RANK", "PMI_SIZE"},                         /* MPICH, Intel MPI */
        {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},   /* MVAPICH2 */
        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},         /* srun */
    };
    for (size_t i = 0; i < BE_COUNT(variables); i++) {
        const char *rank = be_variable(environment, variables[i].rank);
        const char *ranks = be_variable(environment, variables[i].ranks);
        struct be_rank of = {rank ? atoi(rank) : -1, ranks ? atoi(ranks) : 0};
        if (of.rank >= 0 && of.rank < of.ranks) {
            return of;
        }
    }
    return (struct be_rank){0, 0};
}

static void find_model(const char *files, char *to, size_t capacity) {
    char text[4096];
    to[0] = '\0';
    if (be_small_file(text, sizeof text, "%s/proc/cpuinfo", files) <= 0) {
        return;
    }
    const char *line = strstr(text, "model name");
    const char *colon = line ? strchr(line, ':') : NULL;
    if (colon) {
        colon += 1 + strspn(colon + 1, " \t");
        size_t length = strcspn(colon, "\n");
        snprintf(to, capacity, "%.*s", (int)(length < capacity ? length : capacity - 1), colon);
    }
}

/* CPUs that all threads of what is watched may use, together: its first thread is often bound to one. A run's
 * are those that it begins with, which are our own. 0: not known. */
static int affinity_of(const struct be_watched *watched) {
    struct be_cpus all = {0};
    int members = 0;
    const struct be_member *member = watched->tree && watched->with_root && !watched->node
                                         ? be_tree_members(watched->tree, &members)
                                         : NULL;
    for (int i = 0; i < members; i++) {
        be_cpus_join_all(watched->files, member[i].stat.pid, &all);
    }
    cpu_set_t set;
    int count = be_cpus_count(&all);
    return count ? count : sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

void be_trace_describe(struct be_trace *trace, const struct be_watched *watched) {
    if (gethostname(trace->host, sizeof trace->host) != 0) {
        trace->host[0] = '\0';
    }
    trace->host[sizeof trace->host - 1] = '\0';
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts)) {
        strftime(trace->date, sizeof trace->date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    }
    find_model(watched->files, trace->cpu, sizeof trace->cpu);
    int machine = (int)sysconf(_SC_NPROCESSORS_ONLN);
    int affinity = affinity_of(watched);
    trace->node = watched->node;
    struct be_rank rank = be_rank_of(watched->environment);
    trace->rank = rank.rank;
    trace->ranks = rank.ranks;
    trace->limits = be_limits(watched, affinity > 0 ? affinity : machine, machine);
    be_job_name(watched->environment, trace->job, sizeof trace->job);
}
