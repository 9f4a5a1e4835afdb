/* The resources that a job asks for. */
#ifndef BE_LINT_FACTS_H
#define BE_LINT_FACTS_H

#include "lint/look/record.h"

/* Is a fact true of the site's Slurm, which the command or the cluster names? */
enum be_lint_holds { BE_HOLDS_NOT, BE_HOLDS_MAYBE /* the version is not known */, BE_HOLDS };
/* since, until: the first and the last version that has it, "23.11"; NULL: no end is known. */
enum be_lint_holds be_lint_holds(const struct be_lint *lint, const char *since, const char *until);
/* How grave is it that a Slurm refuses what an older one takes? `takes`: the last version that was seen to take
 * it, `refuses`: the first that was seen, or is known, to refuse it. Between them, and where the site's is not
 * known, it is a warning; where the site's is older, advice. */
enum be_severity be_lint_refuses(const struct be_lint *lint, const char *takes,
                                 const char *refuses);
/* The site's version, 24.11; 0: not known. */
double be_lint_slurm(const struct be_lint_options *options);

/* The facts of a job with one component; numbers as sbatch counts them. */
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

/* Is it likely a machine that gives whole nodes, whatever a job asks for? By names that such sites have. */
bool be_lint_whole_by_name(const struct be_lint *lint);
/* Likewise, or by a script that asks for nodes and for neither tasks, cores nor memory. */
bool be_lint_whole_site(const struct be_lint *lint);
/* Cores of the smallest nodes that a job without GPUs may go to, where the cluster gives all of them whole; 0: it
 * does not, or it is not known. */
int be_lint_whole_cores(const struct be_lint *lint);

/* Is there such an option, in any component? */
bool be_lint_given(const struct be_lint *lint, const char *name);
/* That of the first component; NULL too where sbatch takes no such value. */
const struct be_script_option *be_lint_valued(const struct be_lint *lint, const char *name);
/* Does the job ask for GPUs in a way that counts none: a share, the partition? */
bool be_lint_asks_gpu(const struct be_lint *lint);

#endif
