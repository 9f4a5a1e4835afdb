#include "observe/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "observe/limits.h"
#include "observe/pids.h"
#include "observe/proc_text.h"

enum { ENVIRONMENT_MAX = 128 << 10, PROCESSES_MAX = 1 << 17 };

const char **be_process_environment(const char *files, pid_t pid) {
    char *text = malloc(ENVIRONMENT_MAX);
    int length =
        text ? be_small_file(text, ENVIRONMENT_MAX, "%s/proc/%d/environ", files, (int)pid) : -1;
    if (length <= 0) {
        free(text);
        return NULL;
    }
    size_t count = 0;
    for (int i = 0; i <= length; i++) { /* it is terminated beyond its length */
        count += text[i] == '\0';
    }
    const char **list = malloc((count + 1) * sizeof *list + (size_t)length + 1);
    if (list) {
        char *copy = memcpy((char *)(list + count + 1), text, (size_t)length + 1);
        count = 0;
        for (int at = 0; at < length; at += (int)strlen(copy + at) + 1) {
            list[count++] = copy + at;
        }
        list[count] = NULL;
    }
    free(text);
    return list;
}

/* "/slurm/uid_1000/job_12/step_0", "/system.slice/slurmstepd.scope/job_12/step_0/user/task_0" */
static bool in_group(const char *files, pid_t pid, const char *id) {
    char text[8192], part[BE_NAME];
    snprintf(part, sizeof part, "/job_%.48s", id);
    if (be_small_file(text, sizeof text, "%s/proc/%d/cgroup", files, (int)pid) <= 0) {
        return false;
    }
    size_t length = strlen(part);
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) {
        if (at[length] == '/' || at[length] == '\n' || at[length] == '\0') {
            return true;
        }
    }
    return false;
}

static bool says_so(const char *const *environment, const char *id) {
    static const char *const names[] = {"SLURM_JOB_ID", "LSB_JOBID", "PBS_JOBID"};
    for (size_t i = 0; environment && i < BE_COUNT(names); i++) {
        const char *value = be_variable(environment, names[i]);
        if (value && strcmp(value, id) == 0) {
            return true;
        }
    }
    return false;
}

bool be_job_has(const char *files, pid_t pid, const char *id) {
    if (in_group(files, pid, id)) {
        return true;
    }
    const char **environment = be_process_environment(files, pid);
    bool ours = says_so(environment, id);
    free(environment);
    return ours;
}

bool be_job_also(const struct be_watched *watched, pid_t pid) {
    return be_job_has(watched->files, pid, watched->context);
}

enum be_status be_job_find(const char *files, const char *id, pid_t *pid, struct be_error *error) {
    struct be_pids pids = {0};
    char folder[4200];
    int first = 0, readable = 0;
    snprintf(folder, sizeof folder, "%s/proc", files);
    if (!be_pids_list(&pids, PROCESSES_MAX, folder)) {
        return be_fail(error, BE_ABSENT, "%s cannot be read", folder);
    }
    for (int i = 0; i < pids.count && !readable; i++) {
        const char **environment = be_process_environment(files, pids.pid[i]);
        bool ours = says_so(environment, id) || in_group(files, pids.pid[i], id);
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
