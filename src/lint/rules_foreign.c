/* Variables that are empty in a job: those of other batch systems (`cd $PBS_O_WORKDIR` goes home), those of
 * Slurm that are misspelt, and those that it sets only where an option is given. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "lint/rules.h"

/* Variables that have an equal in Slurm (SchedMD, Rosetta Stone of Workload Managers). Names that a
 * script may well have for something of its own (JOB_ID, NCPUS) are not here. */
static const struct {
    const char *name, *write;
} others[] = {
    {"PBS_O_WORKDIR", "leave it out: a Slurm job begins there; its name is $SLURM_SUBMIT_DIR"},
    {"PBS_JOBID", "write $SLURM_JOB_ID"},
    {"PBS_JOBNAME", "write $SLURM_JOB_NAME"},
    {"PBS_ARRAYID", "write $SLURM_ARRAY_TASK_ID"},
    {"PBS_ARRAY_INDEX", "write $SLURM_ARRAY_TASK_ID"},
    {"PBS_NODEFILE", "srun needs no file; the names: scontrol show hostnames"},
    {"PBS_NP", "write $SLURM_NTASKS"},
    {"PBS_NUM_PPN", "write $SLURM_NTASKS_PER_NODE, where --ntasks-per-node is given"},
    {"PBS_NUM_NODES", "write $SLURM_JOB_NUM_NODES"},
    {"PBS_O_HOST", "write $SLURM_SUBMIT_HOST"},
    {"PBS_QUEUE", "write $SLURM_JOB_PARTITION"},
    {"SGE_TASK_ID", "write $SLURM_ARRAY_TASK_ID"},
    {"SGE_O_WORKDIR", "leave it out: a Slurm job begins there; its name is $SLURM_SUBMIT_DIR"},
    {"NSLOTS", "write $SLURM_NTASKS, or $SLURM_CPUS_PER_TASK for threads"},
    {"PE_HOSTFILE", "srun needs no file; the names: scontrol show hostnames"},
    {"LSB_JOBID", "write $SLURM_JOB_ID"},
    {"LSB_JOBNAME", "write $SLURM_JOB_NAME"},
    {"LSB_JOBINDEX", "write $SLURM_ARRAY_TASK_ID"},
    {"LSB_DJOB_NUMPROC", "write $SLURM_NTASKS"},
    {"LSB_DJOB_HOSTFILE", "srun needs no file; the names: scontrol show hostnames"},
    {"LSB_HOSTS", "the names: scontrol show hostnames"},
    {"LS_SUBCWD", "leave it out: a Slurm job begins there; its name is $SLURM_SUBMIT_DIR"},
};

static bool is_lsf(const char *name) {
    return strncmp(name, "LS", 2) == 0;
}

/* Is what stands before `at` a test whether a variable is set: -n, -z or -v? */
static bool is_tested(const char *code, const char *at) {
    while (at > code && strchr(" \t\"{$", at[-1])) {
        at--;
    }
    bool asks = at - code >= 2 && at[-2] == '-' && strchr("nzv", at[-1]);
    /* mpirun -n $N is no test. */
    for (at -= 2; asks && at > code && !strchr("\n;", at[-1]); at--) {
        if (at[-1] == '[' ||
            (at - code >= 4 && strncmp(at - 4, "test", 4) == 0 &&
             (at - code == 4 || isspace((unsigned char)at[-5]) || strchr("!&|(", at[-5])))) {
            return true;
        }
    }
    return false;
}

struct uses {
    const char *first; /* where its value is taken; NULL: nowhere */
    bool cared_for;    /* asked whether it is set, or another value stands ready */
};

/* Is it a line that only prints? Not a long one. */
static bool prints(const struct be_script *script, size_t line) {
    char text[BE_NOTE];
    const struct be_span span = script->line[line].span;
    if (span.length >= sizeof text) {
        return false;
    }
    be_copy_text(text, span.length + 1, script->code + span.at);
    const char *at = text + strspn(text, " \t");
    return (strncmp(at, "echo ", 5) == 0 || strncmp(at, "printf ", 7) == 0) &&
           !strpbrk(at, "|`>;&(");
}

static struct uses uses_of(const struct be_script *script, const char *name, bool printed) {
    struct uses uses = {0};
    size_t length = strlen(name);
    for (const char *at = script->code; (at = strstr(at, name)); at += length) {
        char next = at[length];
        if (isalnum((unsigned char)next) || next == '_' || at == script->code ||
            isalnum((unsigned char)at[-1]) || at[-1] == '_') {
            continue;
        }
        size_t line = be_script_line_at(script, (size_t)(at - script->code));
        bool braces = at[-1] == '{' && at - script->code >= 2 && at[-2] == '$';
        uses.cared_for |= is_tested(script->code, at) || (braces && strchr(":-+=?", next));
        if (!uses.first && (braces || at[-1] == '$') &&
            script->line[line].kind == BE_LINE_COMMAND && (printed || !prints(script, line))) {
            uses.first = at - (braces ? 2 : 1);
        }
    }
    return uses;
}

void be_check_foreign_variable(struct be_lint *lint) {
    const struct be_script *script = lint->script;
    for (size_t i = 0; script->shell && i < BE_COUNT(others); i++) {
        const char *name = others[i].name;
        struct uses uses = uses_of(script, name, true);
        if (!uses.first || uses.cared_for || be_script_sets(script, name) ||
            (lint->options->lsf && is_lsf(name))) {
            continue;
        }
        size_t at = (size_t)(uses.first - script->code);
        bool braces = uses.first[1] == '{';
        be_lint_advise(be_lint_add(lint, BE_WARNING,
                                   (struct be_span){at, strlen(name) + (braces ? 3 : 1)},
                                   "Slurm sets no %s: it is empty in the job", name),
                       "%s", others[i].write);
    }
}

/* ---- Slurm's own ------------------------------------------------------------------------------- */

/* The variables that a batch script has (sbatch(1), OUTPUT ENVIRONMENT VARIABLES, of 22.05 and later), and those that
 * many sites add. `options`: it is there only where one of these is given, with blanks around each; seen with
 * 22.05.8. */
static const struct {
    const char *name, *options;
} own[] = {
    {"SLURM_CPUS_PER_TASK", " cpus-per-task cpus-per-gpu tres-per-task "},
    {"SLURM_NTASKS", " ntasks ntasks-per-node ntasks-per-gpu ntasks-per-core ntasks-per-socket "},
    {"SLURM_NPROCS", " ntasks ntasks-per-node ntasks-per-gpu ntasks-per-core ntasks-per-socket "},
    {"SLURM_NTASKS_PER_NODE", " ntasks-per-node "},
    {"SLURM_NTASKS_PER_CORE", " ntasks-per-core "},
    {"SLURM_NTASKS_PER_SOCKET", " ntasks-per-socket "},
    {"SLURM_NTASKS_PER_GPU", " ntasks-per-gpu "},
    {"SLURM_NTASKS_PER_TRES", NULL},
    {"SLURM_TRES_PER_TASK", NULL},
    {"SLURM_CPUS_PER_GPU", " cpus-per-gpu "},
    {"SLURM_MEM_PER_CPU", NULL},
    {"SLURM_MEM_PER_NODE", NULL},
    {"SLURM_MEM_PER_GPU", NULL},
    {"SLURM_CPUS_ON_NODE", NULL},
    {"SLURM_GPUS", NULL},
    {"SLURM_GPUS_ON_NODE", NULL},
    {"SLURM_GPUS_PER_NODE", NULL},
    {"SLURM_GPUS_PER_TASK", NULL},
    {"SLURM_GPUS_PER_SOCKET", NULL},
    {"SLURM_GPU_BIND", NULL},
    {"SLURM_GPU_FREQ", NULL},
    {"SLURM_GTIDS", NULL},
    {"SLURM_JOB_GPUS", NULL},
    {"SLURM_STEP_GPUS", NULL},
    {"SLURM_ARRAY_TASK_ID", NULL},
    {"SLURM_ARRAY_TASK_COUNT", NULL},
    {"SLURM_ARRAY_TASK_MAX", NULL},
    {"SLURM_ARRAY_TASK_MIN", NULL},
    {"SLURM_ARRAY_TASK_STEP", NULL},
    {"SLURM_ARRAY_JOB_ID", NULL},
    {"SLURM_JOB_ID", NULL},
    {"SLURM_JOBID", NULL},
    {"SLURM_JOB_NAME", NULL},
    {"SLURM_JOB_USER", NULL},
    {"SLURM_JOB_UID", NULL},
    {"SLURM_JOB_GID", NULL},
    {"SLURM_JOB_GROUP", NULL},
    {"SLURM_JOB_ACCOUNT", NULL},
    {"SLURM_JOB_QOS", NULL},
    {"SLURM_JOB_PARTITION", NULL},
    {"SLURM_JOB_RESERVATION", NULL},
    {"SLURM_JOB_DEPENDENCY", NULL},
    {"SLURM_JOB_CONSTRAINTS", NULL},
    {"SLURM_JOB_COMMENT", NULL},
    {"SLURM_JOB_LICENSES", NULL},
    {"SLURM_JOB_START_TIME", NULL},
    {"SLURM_JOB_END_TIME", NULL},
    {"SLURM_JOB_NODELIST", NULL},
    {"SLURM_JOB_NUM_NODES", NULL},
    {"SLURM_JOB_CPUS_PER_NODE", NULL},
    {"SLURM_JOB_EXIT_CODE", NULL},
    {"SLURM_JOB_TMP", NULL},
    {"SLURM_JOB_TMPDIR", NULL},
    {"SLURM_JOB_SCRATCH", NULL},
    {"SLURM_NODELIST", NULL},
    {"SLURM_NNODES", NULL},
    {"SLURM_NODEID", NULL},
    {"SLURM_NODENAME", NULL},
    {"SLURMD_NODENAME", NULL},
    {"SLURM_NODE_ALIASES", NULL},
    {"SLURM_TASKS_PER_NODE", NULL},
    {"SLURM_TASK_PID", NULL},
    {"SLURM_LOCALID", NULL},
    {"SLURM_PROCID", NULL},
    {"SLURM_STEP_ID", NULL},
    {"SLURM_STEPID", NULL},
    {"SLURM_STEP_NUM_TASKS", NULL},
    {"SLURM_STEP_NUM_NODES", NULL},
    {"SLURM_STEP_NODELIST", NULL},
    {"SLURM_STEP_TASKS_PER_NODE", NULL},
    {"SLURM_SUBMIT_DIR", NULL},
    {"SLURM_SUBMIT_HOST", NULL},
    {"SLURM_CLUSTER_NAME", NULL},
    {"SLURM_CONF", NULL},
    {"SLURM_DISTRIBUTION", NULL},
    {"SLURM_DIST_PLANESIZE", NULL},
    {"SLURM_EXPORT_ENV", NULL},
    {"SLURM_HINT", NULL},
    {"SLURM_CPU_BIND", NULL},
    {"SLURM_CPU_BIND_LIST", NULL},
    {"SLURM_CPU_BIND_TYPE", NULL},
    {"SLURM_CPU_BIND_VERBOSE", NULL},
    {"SLURM_MEM_BIND", NULL},
    {"SLURM_MEM_BIND_LIST", NULL},
    {"SLURM_MEM_BIND_TYPE", NULL},
    {"SLURM_CPU_FREQ_REQ", NULL},
    {"SLURM_OVERCOMMIT", NULL},
    {"SLURM_PRIO_PROCESS", NULL},
    {"SLURM_PROFILE", NULL},
    {"SLURM_RESTART_COUNT", NULL},
    {"SLURM_SHARDS_ON_NODE", NULL},
    {"SLURM_THREADS_PER_CORE", NULL},
    {"SLURM_TOPOLOGY_ADDR", NULL},
    {"SLURM_TOPOLOGY_ADDR_PATTERN", NULL},
    {"SLURM_HET_SIZE", NULL},
    {"SLURM_CONTAINER", NULL},
    {"SLURM_CONTAINER_ID", NULL},
    {"SLURM_JOB_SEGMENT_SIZE", NULL},
    {"SLURM_NETWORK", NULL},
    {"SLURM_OOMKILLSTEP", NULL},
    {"SLURM_UMASK", NULL},
    {"SLURM_TMPDIR", NULL},
    {"SLURM_SCRATCH", NULL},
    {"SLURM_VERSION", NULL},
};

static bool is_own(const char *name) {
    for (size_t i = 0; i < BE_COUNT(own); i++) {
        if (strcmp(own[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static const char *nearest_own(const char *name) {
    const char *nearest = NULL;
    size_t min = be_near_limit(strlen(name));
    for (size_t i = 0; i < BE_COUNT(own); i++) {
        nearest = be_is_nearer(name, strlen(name), own[i].name, &min) ? own[i].name : nearest;
    }
    return nearest;
}

/* Is one of the options in the list given? Some may be meant for the command line: there are directives. */
static bool has_option(const struct be_script *script, const char *list) {
    char name[BE_NAME];
    for (size_t i = 0; i < script->options; i++) {
        const struct be_sbatch_option *option = script->option[i].option;
        snprintf(name, sizeof name, " %s ", option->same ? option->same : option->name);
        if (strstr(list, name)) {
            return true;
        }
    }
    return false;
}

static void say_unset(struct be_lint *lint, const char *name, const char *first, const char *why,
                      const char *write) {
    size_t at = (size_t)(first - lint->script->code);
    bool braces = first[1] == '{';
    be_lint_advise(be_lint_add(lint, BE_WARNING,
                               (struct be_span){at, strlen(name) + (braces ? 3 : 1)},
                               "%s is empty here: %s", name, why),
                   "%s", write);
}

/* true: it is none of Slurm's. */
static bool check_misspelt(struct be_lint *lint, const char *at) {
    char name[BE_NAME], write[BE_NOTE];
    size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    if (length >= sizeof name || isalnum((unsigned char)at[length])) {
        return false;
    }
    be_copy_text(name, length + 1, at);
    if (is_own(name)) {
        return false;
    }
    const char *nearest = nearest_own(name);
    struct uses uses = nearest ? uses_of(lint->script, name, true) : (struct uses){0};
    bool first = uses.first && uses.first + 1 + (uses.first[1] == '{') == at;
    if (first && !uses.cared_for && !be_script_sets(lint->script, name)) {
        snprintf(write, sizeof write, "is $%s meant?", nearest);
        say_unset(lint, name, uses.first, "Slurm sets no such variable", write);
    }
    return true;
}

void be_check_unset_variable(struct be_lint *lint) {
    const struct be_script *script = lint->script;
    if (!script->shell || lint->options->lsf) {
        return;
    }
    int looks = 50; /* each goes through all names, and the whole script */
    for (const char *at = script->code; looks > 0 && (at = strstr(at, "SLURM_"));
         at += strlen("SLURM_")) {
        bool begins = at > script->code && strchr("${", at[-1]);
        looks -= begins && check_misspelt(lint, at);
    }
    for (size_t i = 0; i < BE_COUNT(own); i++) {
        const char *list = own[i].options;
        if (!list || script->options == 0 || script->heterogeneous || has_option(script, list)) {
            continue;
        }
        struct uses uses = uses_of(script, own[i].name, false);
        if (uses.first && !uses.cared_for && !be_script_sets(script, own[i].name)) {
            char why[BE_NOTE], option[BE_NAME];
            be_copy_text(option, 1 + strcspn(list + 1, " "), list + 1);
            snprintf(why, sizeof why, "Slurm sets it where --%s is given", option);
            snprintf(option + strlen(option), sizeof option - strlen(option), "=..");
            char write[BE_NOTE];
            snprintf(write, sizeof write, "#SBATCH --%s, or ${%s:-1}", option, own[i].name);
            say_unset(lint, own[i].name, uses.first, why, write);
        }
    }
}
