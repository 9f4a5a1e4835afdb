#include "observe/process/job.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "observe/process/job_group.h"
#include "observe/process/pids.h"
#include "observe/process/proc_text.h"

enum { PROCESSES_MAX = 1 << 17 };

/* BE_ABSENT: they are no batch job's, or cannot be read. */
static enum be_status group_of(const char *files, pid_t pid, struct be_job_group *group) {
    char text[8192];
    bool named = be_small_file(text, sizeof text, "%s/proc/%d/cgroup", files, (int)pid) > 0 &&
                 be_job_group_read(text, group);
    return named ? BE_OK : BE_ABSENT;
}

/* PBS takes "12" for "12.server", as qstat does. */
static bool is_pbs(const char *const *environment, const char *id) {
    const char *job = be_variable(environment, "PBS_JOBID");
    size_t length = strlen(id);
    return job && length && strncmp(job, id, length) == 0 && job[length] == '.';
}

/* "12"; of an array "12_3" (Slurm) and "12[3]" (LSF); of a step "12.0". */
static bool says_so(const char *const *environment, const char *id) {
    static const struct {
        const char *job, *between, *part, *after;
    } words[] = {
        {"SLURM_JOB_ID", "", NULL, ""},
        {"LSB_JOBID", "", NULL, ""},
        {"PBS_JOBID", "", NULL, ""},
        {"SLURM_ARRAY_JOB_ID", "_", "SLURM_ARRAY_TASK_ID", ""},
        {"SLURM_JOB_ID", ".", "SLURM_STEP_ID", ""},
        {"LSB_JOBID", "[", "LSB_JOBINDEX", "]"},
    };
    for (size_t i = 0; environment && i < BE_COUNT(words); i++) {
        char whole[2 * BE_NAME];
        const char *job = be_variable(environment, words[i].job);
        const char *part = words[i].part ? be_variable(environment, words[i].part) : "";
        if (job && part) {
            snprintf(whole, sizeof whole, "%s%s%s%s", job, words[i].between, part, words[i].after);
            if (strcmp(whole, id) == 0) {
                return true;
            }
        }
    }
    return environment && is_pbs(environment, id);
}

/* The number or SLUID of a job in an id: without the step. */
static size_t job_length(const char *id) {
    return strcspn(id, ".");
}

/* The step that was asked for, "" for all. PBS has "12.server". */
static const char *step_of(const char *id) {
    const char *point = strchr(id, '.');
    return point ? point + 1 : "";
}

static bool is_of_group(const struct be_job_group *group, const struct be_job_wanted *wanted) {
    const char *step = step_of(wanted->id);
    return be_job_group_is(group, wanted->id) ||
           (wanted->sluid[0] && strcmp(group->job, wanted->sluid) == 0 &&
            (!*step || strcmp(group->step, step) == 0));
}

/* Is the group another job's than the environment's? A SLUID that is not known to be the job's speaks for itself
 * where the environment has one too. */
static bool is_of_another(const struct be_job_group *group, const char *const *environment,
                          const struct be_job_wanted *wanted) {
    if (be_job_is_sluid(group->job)) {
        const char *sluid = be_variable(environment, "SLURM_JOB_SLUID");
        return sluid ? strcmp(sluid, group->job) != 0
                     : wanted->sluid[0] && strcmp(wanted->sluid, group->job) != 0;
    }
    const char *own = be_variable(environment, "SLURM_JOB_ID");
    own = own ? own : be_variable(environment, "LSB_JOBID");
    size_t length = own ? strlen(own) : 0;
    return !own || strncmp(group->job, own, length) != 0 ||
           isdigit((unsigned char)group->job[length]);
}

/* Control groups decide where they name a job: a variable may be left from another. But a task of an array
 * has a number of its own there, and only its environment knows both. */
static bool belongs(const char *files, pid_t pid, const char *const *environment,
                    const struct be_job_wanted *wanted) {
    struct be_job_group group;
    bool grouped = group_of(files, pid, &group) == BE_OK;
    if (grouped && is_of_group(&group, wanted)) {
        return true;
    }
    return environment && !(grouped && is_of_another(&group, environment, wanted)) &&
           says_so(environment, wanted->id);
}

bool be_job_has(const char *files, pid_t pid, const struct be_job_wanted *wanted) {
    struct be_job_group group;
    if (group_of(files, pid, &group) == BE_OK && is_of_group(&group, wanted)) {
        return true; /* no need for its environment, which may be long */
    }
    const char **environment = be_process_environment(files, pid);
    bool ours = belongs(files, pid, environment, wanted);
    free(environment);
    return ours;
}

bool be_job_also(const struct be_watched *watched, pid_t pid) {
    return be_job_has(watched->files, pid, watched->context);
}

/* ---- the SLUID of a job ---------------------------------------------------------------------- */

/* The owner of a group with a SLUID, by a process in it. */
enum owner { UNKNOWN, OTHERS, OURS };

/* Slurm's process that started a step has the title "slurmstepd: [12.0]". A task of an array has another number
 * there than the one it is asked for by. */
static enum owner owner_by_title(const char *files, pid_t pid, const char *id) {
    static const char before[] = "slurmstepd: [";
    char title[256];
    if (be_small_file(title, sizeof title, "%s/proc/%d/cmdline", files, (int)pid) <= 0 ||
        strncmp(title, before, sizeof before - 1) != 0) {
        return UNKNOWN;
    }
    const char *job = title + sizeof before - 1;
    size_t length = job_length(id);
    if (strspn(id, "0123456789") < length) {
        return UNKNOWN;
    }
    return strncmp(job, id, length) == 0 && strchr(".]", job[length]) ? OURS : OTHERS;
}

/* A step's number is in its environment and in its group; the job alone is asked for here. */
static enum owner owner_by_environment(const char *files, pid_t pid,
                                       const struct be_job_group *group, const char *id) {
    char job[BE_NAME];
    const char **environment = be_process_environment(files, pid);
    const char *sluid = be_variable(environment, "SLURM_JOB_SLUID");
    bool left = !environment || (sluid && strcmp(sluid, group->job) != 0);
    snprintf(job, sizeof job, "%.*s", (int)job_length(id), id);
    enum owner owner = left                                       ? UNKNOWN
                       : says_so(environment, job)                ? OURS
                       : be_variable(environment, "SLURM_JOB_ID") ? OTHERS
                                                                  : UNKNOWN;
    free(environment);
    return owner;
}

/* False: there are groups of which this cannot be told. A title counts before an environment: that may be
 * another job's, from which somebody has come over. */
static bool find_sluid(const char *files, const struct be_pids *pids,
                       struct be_job_wanted *wanted) {
    char by_environment[BE_JOB_SLUID] = "";
    bool told = true;
    for (int i = 0; i < pids->count; i++) {
        struct be_job_group group;
        if (group_of(files, pids->pid[i], &group) != BE_OK || !be_job_is_sluid(group.job)) {
            continue;
        }
        enum owner owner = owner_by_title(files, pids->pid[i], wanted->id);
        if (owner == OURS) {
            be_copy_text(wanted->sluid, sizeof wanted->sluid, group.job);
            return true;
        }
        owner =
            owner == OTHERS ? owner : owner_by_environment(files, pids->pid[i], &group, wanted->id);
        told &= owner != UNKNOWN;
        if (owner == OURS && !by_environment[0]) {
            be_copy_text(by_environment, sizeof by_environment, group.job);
        }
    }
    be_copy_text(wanted->sluid, sizeof wanted->sluid, by_environment);
    return told || by_environment[0];
}

/* ---- all of it ------------------------------------------------------------------------------- */

enum be_status be_job_find(const char *files, struct be_job_wanted *wanted, pid_t *pid,
                           bool *unnamed, struct be_error *error) {
    struct be_pids pids = {0};
    char folder[4200];
    const char *id = wanted->id;
    int first = 0, readable = 0;
    snprintf(folder, sizeof folder, "%s/proc", files);
    if (!be_pids_list(&pids, PROCESSES_MAX, folder)) {
        return be_fail(error, BE_ABSENT, "%s cannot be read", folder);
    }
    *unnamed = !wanted->sluid[0] && !find_sluid(files, &pids, wanted);
    for (int i = 0; i < pids.count && !readable; i++) {
        const char **environment = be_process_environment(files, pids.pid[i]);
        bool ours = belongs(files, pids.pid[i], environment, wanted);
        first = ours && !first ? pids.pid[i] : first;
        readable = ours && environment ? pids.pid[i] : 0;
        free(environment);
    }
    be_pids_free(&pids);
    *pid = readable ? readable : first;
    if (!*pid) {
        return be_fail(
            error, BE_ABSENT,
            "--job %s: no process of it is seen on this machine. Watch where it runs: srun "
            "--jobid=%s --overlap --pty breakeven watch --job %s",
            id, id, id);
    }
    return BE_OK;
}
