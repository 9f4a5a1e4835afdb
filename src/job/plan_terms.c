/* On which terms a job runs: constraint, QOS, whole nodes, and what each job of a site names. */
#include <string.h>

#include "base/error.h"
#include "cluster/text.h"
#include "job/plan.h"
#include "job/words.h"

enum be_status be_job_terms_lsf(const struct be_job_request *request,
                                const struct be_cluster *cluster, struct be_error *error) {
    const char *option = request->constraint        ? "--constraint"
                         : request->qos             ? "--qos"
                         : request->memory_mib <= 0 ? "--mem=0"
                                                    : NULL;
    return option && cluster->scheduler == BE_SCHEDULER_LSF
               ? be_fail(error, BE_USAGE, "%s: is of Slurm; bsub has nothing like it", option)
               : BE_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------- */

const struct be_cluster_node *be_job_constrained_node(const struct be_job_plan *plan) {
    const char *constraint = plan->request->constraint;
    for (size_t i = 0; constraint && i < plan->cluster->nodes; i++) {
        const struct be_cluster_node *node = &plan->cluster->node[i];
        if (strcmp(node->constraint, constraint) == 0 && (node->gpus > 0) == (plan->gpu != NULL) &&
            (!plan->in || be_cluster_partition_has(plan->in, node))) {
            return node;
        }
    }
    return NULL;
}

/* ---- QOS --------------------------------------------------------------------------------------- */

/* The QOS that is asked for; else, where each job names one, what production jobs name. */
static void choose_qos(struct be_job_plan *plan) {
    const struct be_cluster *cluster = plan->cluster;
    char known[BE_NOTE];
    plan->qos = plan->request->qos;
    if (plan->qos && cluster->qoses > 0 && !be_cluster_qos(cluster, plan->qos)) {
        be_cluster_qoses(cluster, known, sizeof known);
        be_job_note(plan, "QOS %.60s is not known here; %s has, as far as is known: %s", plan->qos,
                    cluster->name, known);
    }
    const bool needed = be_cluster_requires(cluster, "qos");
    for (size_t i = 0; needed && !plan->qos && i < cluster->qoses; i++) {
        plan->qos = cluster->qos[i].usual ? cluster->qos[i].name : NULL;
    }
}

enum be_status be_job_terms(struct be_job_plan *plan, struct be_error *error) {
    plan->constraint = plan->request->constraint;
    if (!plan->constraint && plan->node && *plan->node->constraint) {
        plan->constraint = plan->node->constraint;
    }
    choose_qos(plan);
    const struct be_cluster_qos *qos = plan->qos ? be_cluster_qos(plan->cluster, plan->qos) : NULL;
    if (qos && qos->max_nodes > 0 && plan->nodes > qos->max_nodes) {
        return be_fail(error, BE_USAGE, "%d nodes: QOS %s gives a job %d at most", plan->nodes,
                       qos->name, qos->max_nodes);
    }
    if (qos && plan->time_s > qos->limit_s) {
        char asked[BE_WORD], max[BE_WORD];
        be_slurm_time_text(plan->time_s, asked);
        be_limit_text(qos->limit_s, max);
        return be_fail(error, BE_USAGE, "--time %s: the longest job of QOS %s is %s", asked,
                       qos->name, max);
    }
    return BE_OK;
}

/* ---- what to say ------------------------------------------------------------------------------- */

/* Slurm reads one colon as minutes and seconds, bsub as hours and minutes. */
static void say_time(struct be_job_plan *plan) {
    const char *text = plan->request->time_text;
    const char *colon = text ? strchr(text, ':') : NULL;
    if (plan->cluster->scheduler == BE_SCHEDULER_LSF && colon && !strchr(colon + 1, ':') &&
        !strchr(text, '-')) {
        be_job_note(plan,
                    "--time %.40s is read as minutes and seconds, as Slurm reads it; bsub -W %.40s "
                    "would be hours and minutes: for these write --time %.40s:00",
                    text, text, text);
    }
}

void be_job_say_terms(struct be_job_plan *plan) {
    const struct be_cluster *cluster = plan->cluster;
    char known[BE_NOTE];
    say_time(plan);
    if (be_cluster_requires(cluster, "qos") && !plan->qos) {
        be_cluster_qoses(cluster, known, sizeof known);
        be_job_note(plan, "%s wants a QOS to be named: --qos=NAME%s%s", cluster->name,
                    cluster->qoses ? ", of " : "", cluster->qoses ? known : "");
    }
    if (be_cluster_requires(cluster, "constraint") && !plan->constraint) {
        be_job_note(plan, "%s wants a constraint to be named: --constraint=FEATURES",
                    cluster->name);
    }
    if (*cluster->reminder) {
        be_job_note(plan, "%s", cluster->reminder);
    }
    const bool meant = plan->node && (plan->node->gpus > 0) == (plan->gpu != NULL);
    if (meant && *plan->node->reminder) {
        be_job_note(plan, "%s", plan->node->reminder);
    }
}
