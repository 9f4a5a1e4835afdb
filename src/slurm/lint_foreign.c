/* Variables of other batch systems: in a job of Slurm they are empty, and `cd $PBS_O_WORKDIR` goes home. */
#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "slurm/lint_parts.h"

/* What has the same in Slurm (SchedMD, Rosetta Stone of Workload Managers). Names that a script may
 * well have for something of its own (JOB_ID, NCPUS) are not here. */
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
    return at - code >= 2 && at[-2] == '-' && strchr("nzv", at[-1]);
}

struct uses {
    const char *first; /* where its value is taken; NULL: nowhere */
    bool cared_for;    /* asked whether it is set, or another value stands ready */
};

static struct uses uses_of(const struct be_script *script, const char *name) {
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
            script->line[line].kind == BE_LINE_COMMAND) {
            uses.first = at - (braces ? 2 : 1);
        }
    }
    return uses;
}

void be_check_foreign_variable(struct be_lint *lint) {
    const struct be_script *script = lint->script;
    for (size_t i = 0; script->shell && i < BE_COUNT(others); i++) {
        const char *name = others[i].name;
        struct uses uses = uses_of(script, name);
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
