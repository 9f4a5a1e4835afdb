/* A plan -> a script for LSF's bsub. LSF counts cores and memory by core, and has no tasks. */
#include <math.h>
#include <string.h>

#include "job/words.h"
#include "job/write.h"

/* "%x-%j.out" in LSF's letters. */
static void output_text(const struct be_job_plan *plan, struct be_text *text) {
    if (plan->request->output) {
        be_text_add(text, "%s", plan->request->output);
    } else {
        be_text_add(text, "%s-%s", plan->name, plan->array_tasks ? "%J_%I.out" : "%J.out");
    }
}

/* Memory and GPUs stand in one string, as sites show it. */
static void write_needs(const struct be_job_plan *plan, struct be_text *text) {
    bool memory = !isnan(plan->memory_mib);
    if (memory) {
        be_text_add(text, "# Memory is in MiB for each core: LSF multiplies it.\n");
    }
    if (plan->gpu) {
        be_text_add(text, "# GPUs%s, for this job alone.\n",
                    plan->nodes > 1 ? " of each node" : "");
    }
    if (memory || plan->gpu) {
        be_text_add(text, "#BSUB -R \"rusage[");
        if (memory) {
            be_text_add(text, "mem=%.0f%s", ceil(plan->memory_mib / be_job_cpus_each(plan)),
                        plan->gpu ? ", " : "");
        }
        if (plan->gpu) {
            be_text_add(text, "ngpus_excl_p=%d", plan->gpus_each);
        }
        be_text_add(text, "]\"\n");
    }
}

/* "0-99%10": the limit stands behind the bracket. */
static void write_name(const struct be_job_plan *plan, struct be_text *text) {
    const char *array = plan->request->array;
    be_text_add(text, "\n#BSUB -J \"%s", plan->name);
    if (array) {
        size_t length = strcspn(array, "%");
        be_text_add(text, "[%.*s]%s", (int)length, array, array + length);
    }
    be_text_add(text, "\"\n");
}

void be_job_write_lsf(const struct be_job_plan *plan, struct be_text *text) {
    static const struct be_job_words words = {
        .index = "\"$LSB_JOBINDEX\"",
        .launch = "mpirun ",
    };
    const struct be_job_request *request = plan->request;
    struct be_job_words own = words;
    char cpus[BE_WORD];
    snprintf(cpus, sizeof cpus, "%d", plan->cpus);
    own.cpus = cpus;
    int slots = plan->tasks * plan->cpus;
    long minutes = lround(ceil(plan->time_s / 60));
    write_name(plan, text);
    be_text_add(text, "# Where what it prints goes; %%J is the number of the job.\n#BSUB -o \"");
    output_text(plan, text);
    be_text_add(text, "\"\n");
    if (request->account) {
        be_text_add(text, "# Who pays.\n#BSUB -P %s\n", request->account);
    }
    if (plan->partition) {
        be_text_add(text, "# The queue.\n#BSUB -q %s\n", plan->partition);
    }
    be_text_add(text, "# The job is ended after this, in hours and minutes.\n#BSUB -W %ld:%02ld\n",
                minutes / 60, minutes % 60);
    be_text_add(text, "# Cores%s.\n#BSUB -n %d\n",
                plan->tasks > 1 ? " of all processes" : "; its threads share them", slots);
    be_text_add(text,
                plan->nodes > 1 ? "# As many on each node.\n#BSUB -R \"span[ptile=%d]\"\n"
                                : "# All on one node.\n#BSUB -R \"span[hosts=1]\"\n",
                slots / plan->nodes);
    if (request->exclusive) {
        be_text_add(text, "# Whole nodes: nobody else is on them.\n#BSUB -x\n");
    }
    write_needs(plan, text);
    be_job_write_body(plan, &own, text);
}
