/* A plan -> a script. Each line has its reason above it. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cluster/text.h"
#include "job/words.h"
#include "job/write.h"
#include "script/shell_quote.h"

void be_job_write(const struct be_job_plan *plan, const char *file, struct be_text *text) {
    const struct be_cluster *cluster = plan->cluster;
    bool lsf = cluster->scheduler == BE_SCHEDULER_LSF;
    be_text_add(text, "#!/bin/bash\n# Written by breakeven " BE_VERSION);
    if (*cluster->name) {
        be_text_add(text, " for %s, as known on %s", cluster->name, cluster->date);
    }
    be_text_add(text, ".\n");
    if (plan->request->basis) {
        char basis[BE_NOTE + 32];
        snprintf(basis, sizeof basis, "What is asked for: %s.", plan->request->basis);
        be_job_comment(text, basis);
    }
    if (file && file[strspn(file, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "_+./-")] == '\0') {
        be_text_add(text, "# Submit it with: %s%s\n", lsf ? "bsub < " : "sbatch ", file);
    }
    if (lsf) {
        be_job_write_lsf(plan, text);
    } else {
        be_job_write_slurm(plan, text);
    }
}

/* ---- Slurm's directives ---------------------------------------------------------------------- */

/* Blanks need quotes; other signs that do were refused. */
static void directive(struct be_text *text, const char *option, const char *value) {
    const char *quote = strpbrk(value, " ;&|<>()*?[]~") ? "\"" : "";
    be_text_add(text, "#SBATCH --%s=%s%s%s\n", option, quote, value, quote);
}

static void write_gpus(const struct be_job_plan *plan, struct be_text *text) {
    const struct be_cluster_gpu *gpu = plan->gpu;
    char count[BE_WORD], how[BE_NOTE];
    /* --gpus counts those of the whole job. */
    snprintf(count, sizeof count, "%d",
             plan->cluster->request == BE_REQUEST_GPUS ? plan->request->gpus : plan->gpus_each);
    be_gpu_request_text(plan->cluster, gpu, count, how, sizeof how);
    char words[2 * BE_NOTE];
    snprintf(words, sizeof words, "%d GPU%s%s%s%s%s", plan->gpus_each,
             plan->gpus_each > 1 ? "s" : "", plan->nodes > 1 ? " on each node" : "",
             *gpu->model ? ", " : "", gpu->model,
             !*how        ? ": they come with the node, this cluster has no option for them."
             : *gpu->type ? ", by the name that this cluster has for it."
                          : "; this cluster asks for a number only.");
    be_job_comment(text, words);
    be_text_add(text, *how ? "#SBATCH %s\n" : "%s", how);
}

static void write_tasks(const struct be_job_plan *plan, struct be_text *text) {
    bool several = plan->nodes > 1 || plan->tasks > 1;
    if (several || plan->request->gpus > 1) {
        be_text_add(text,
                    plan->nodes > 1
                        ? "# How many nodes; each has the GPUs and the memory asked for here.\n"
                        : "# All on one node.\n");
        be_text_add(text, "#SBATCH --nodes=%d\n", plan->nodes);
    }
    be_text_add(text, "# %s\n#SBATCH --ntasks=%d\n",
                several ? "Processes that srun starts." : "One process; threads share its cores.",
                plan->tasks);
    if (plan->nodes > 1) {
        be_text_add(text, "#SBATCH --ntasks-per-node=%d\n", be_job_tasks_each(plan));
    }
}

static void write_cpus(const struct be_job_plan *plan, struct be_text *text) {
    int cores = plan->gpu ? be_cluster_cores_each(plan->gpu, plan->node) * plan->gpus_each : 0;
    int cpus = be_job_cpus_each(plan);
    if (plan->request->exclusive && plan->share_cpus && plan->node) {
        be_text_add(text,
                    "# Cores of each process: all that the node has for it.\n"
                    "#SBATCH --cpus-per-task=%d\n",
                    plan->cpus);
        return;
    }
    be_text_add(text, "# Cores of each process%s",
                cores == 0      ? ""
                : cpus > cores  ? ": MORE"
                : cpus == cores ? ": all"
                                : "; up to");
    if (cores == 0) {
        be_text_add(text, plan->gpu ? "; how many go with a GPU here is not known.\n" : ".\n");
    } else if (cpus > cores) {
        be_text_add(text, " than the %d that go with the GPU%s.\n", cores,
                    plan->gpus_each > 1 ? "s" : "");
    } else if (cpus == cores) {
        be_text_add(text, " that go with the GPU%s, at no further cost.\n",
                    plan->gpus_each > 1 ? "s" : "");
    } else {
        be_text_add(text, " %d go with the GPU%s.\n", cores, plan->gpus_each > 1 ? "s" : "");
    }
    be_text_add(text, "#SBATCH --cpus-per-task=%d\n", plan->cpus);
}

static void write_memory(const struct be_job_plan *plan, struct be_text *text) {
    double mib = plan->gpu ? be_cluster_mib_each(plan->gpu, plan->node) * plan->gpus_each : NAN;
    char size[BE_WORD], share[BE_WORD];
    if (plan->all_memory && !plan->cluster->fixed_memory) {
        be_text_add(text, "# All RAM of each node; not the GPU's.\n#SBATCH --mem=0\n");
        return;
    }
    if (plan->cluster->fixed_memory) {
        be_text_add(text, "# Memory goes with the %s here: no --mem.\n",
                    plan->gpu ? "GPU" : "node");
        return;
    }
    if (isnan(plan->memory_mib)) {
        be_job_comment(text, "No --mem: how much goes with this is not known; add it if the job is "
                             "killed for memory.");
        return;
    }
    be_slurm_memory_text(plan->memory_mib, size);
    char words[BE_NOTE];
    if (isnan(mib)) {
        snprintf(words, sizeof words, "RAM of each node, not the GPU's%s",
                 plan->share_memory ? ": what goes with these cores." : ".");
    } else {
        be_mib_text(mib, share);
        snprintf(words, sizeof words, "RAM of each node, not the GPU's%s%s%s goes with the GPU%s.",
                 plan->memory_mib > mib   ? ": MORE than the "
                 : plan->memory_mib < mib ? "; up to "
                                          : ": the ",
                 share, plan->memory_mib < mib ? "" : " that", plan->gpus_each > 1 ? "s" : "");
    }
    be_job_comment(text, words);
    be_text_add(text, "#SBATCH --mem=%s\n", size);
}

static void write_charge(const struct be_job_plan *plan, struct be_text *text) {
    if (!isnan(plan->charge)) {
        be_text_add(text, "# An hour%s counts %.4g %s, decided by the %s.\n",
                    plan->array_tasks ? " of each task of the array" : "", plan->charge,
                    *plan->cluster->unit ? plan->cluster->unit : "units", plan->charge_by);
    }
}

/* Which nodes, and on which terms. */
static void write_terms(const struct be_job_plan *plan, struct be_text *text) {
    const struct be_cluster *cluster = plan->cluster;
    if (plan->constraint) {
        be_text_add(text, "# Features that its nodes must have.\n");
        directive(text, "constraint", plan->constraint);
    } else if (be_cluster_requires(cluster, "constraint")) {
        be_text_add(text, "# Which nodes: put features here and take one # away.\n"
                          "##SBATCH --constraint=FEATURES\n");
    }
    if (plan->qos) {
        be_text_add(text, "# The quality of service: its limits and its price.\n");
        directive(text, "qos", plan->qos);
    } else if (be_cluster_requires(cluster, "qos")) {
        be_text_add(text, "# The quality of service: put yours here and take one # away.\n"
                          "##SBATCH --qos=QOS\n");
    }
    if (cluster->licences) {
        be_text_add(text, "# What it uses: take one # away, and names that it does not use.\n"
                          "##SBATCH --licenses=");
    }
    for (int i = 0; i < cluster->licences; i++) {
        be_text_add(text, "%s%s", cluster->licence[i], i + 1 == cluster->licences ? "\n" : ",");
    }
    if (plan->request->exclusive) {
        be_text_add(text, "# Whole nodes: nobody else is on them, and all of them counts.\n"
                          "#SBATCH --exclusive\n");
    }
}

static void write_directives(const struct be_job_plan *plan, struct be_text *text) {
    const struct be_job_request *request = plan->request;
    char limit[BE_WORD];
    be_slurm_time_text(plan->time_s, limit);
    be_text_add(text, "\n");
    directive(text, "job-name", plan->name);
    be_text_add(text, "# Where what it prints goes: %s.\n",
                request->output ? "as you asked" : "%x is the name, %j the number of the job");
    directive(text, "output",
              request->output  ? request->output
              : request->array ? "%x-%A_%a.out"
                               : "%x-%j.out");
    if (request->account) {
        be_text_add(text, "# Who pays.\n");
        directive(text, "account", request->account);
    } else if (plan->cluster->needs_account) {
        be_text_add(text, "# Who pays: put your account here (`sshare -U` lists yours) and take "
                          "one # away.\n##SBATCH --account=ACCOUNT\n");
    }
    if (plan->partition) {
        be_text_add(text, "# The partition%s.\n",
                    request->partition ? ""
                    : plan->gpu        ? " that has these GPUs"
                                       : "");
        directive(text, "partition", plan->partition);
    }
    write_terms(plan, text);
    be_text_add(text,
                "# The job is ended after this; the shorter, the sooner it may start.\n"
                "#SBATCH --time=%s\n",
                limit);
    if (plan->gpu) {
        write_gpus(plan, text);
    }
    write_tasks(plan, text);
    write_cpus(plan, text);
    write_memory(plan, text);
    if (request->array) {
        be_text_add(text, "# The same job once for each index, in SLURM_ARRAY_TASK_ID.\n");
        directive(text, "array", request->array);
    }
    write_charge(plan, text);
}

void be_job_write_slurm(const struct be_job_plan *plan, struct be_text *text) {
    static const struct be_job_words words = {
        .index = "\"$SLURM_ARRAY_TASK_ID\"",
        .cpus = "${SLURM_CPUS_PER_TASK:-1}",
        /* Since 22.05 srun no longer takes the number from the job. */
        .launch = "srun --cpus-per-task=\"${SLURM_CPUS_PER_TASK:-1}\" ",
    };
    write_directives(plan, text);
    be_job_write_body(plan, &words, text);
}
