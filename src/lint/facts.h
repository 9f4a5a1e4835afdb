/* The resources that a job asks for. */
#ifndef BE_LINT_FACTS_H
#define BE_LINT_FACTS_H

#include "lint/record.h"

/* Of a job with one component; numbers as sbatch counts them. */
struct be_lint_job {
    int64_t nodes, tasks, cpus; /* at least; cpus: of one task */
    int64_t gpus;               /* in all; 0: none */
    char gpu_type[64];          /* as asked for; empty: any */
    bool whole_gpu_node;        /* the site's GPU jobs get all GPUs of a node */
    const struct be_script_option *nodes_by, *tasks_by, *cpus_by, *gpus_by;
};
void be_lint_read_job(const struct be_lint *lint, struct be_lint_job *job);
/* Are all cores of its nodes the job's own? With --exclusive=user and =mcs it gets what it asks
 * for, and only certain others get the rest. */
bool be_lint_whole_node(const struct be_lint *lint);

/* Is there such an option, in any component? */
bool be_lint_given(const struct be_lint *lint, const char *name);
/* That of the first component; NULL too where sbatch takes no such value. */
const struct be_script_option *be_lint_valued(const struct be_lint *lint, const char *name);
/* Does the job ask for GPUs in a way that counts none: a share, the partition? */
bool be_lint_asks_gpu(const struct be_lint *lint);

#endif
