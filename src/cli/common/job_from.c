/* `breakeven job --from=FILE`. */
#include "cli/common/job_from.h"

#include <math.h>

#include "base/error.h"
#include "breakeven_profile.h"
#include "observe/rules/look.h"
#include "observe/usage.h"
#include "report/saved.h"

/* The memory of one of several tasks is its own: what a job of all of them needs is not taken from
 * it. */
static double memory_of(const struct be_trace *trace) {
    const char *how;
    return trace->limits.tasks_here > 1 ? be_trace_memory_used(trace, &how)
                                        : be_trace_memory_of_job(trace);
}

static struct be_job_used used_by(const struct be_trace *trace) {
    const double nearly_always = 0.95;
    bool known = true;
    for (int i = 0; i < trace->gpus; i++) {
        known &= be_look_used(trace, i) >= 0;
    }
    int gpus = be_look_gpus_used(trace);
    return (struct be_job_used){
        .elapsed_s = trace->elapsed_s,
        .cores = fmax(be_trace_cores_used(trace, nearly_always), be_look_demand(trace)),
        .memory_bytes = memory_of(trace),
        .mean = trace->ticks <= 1,
        .spread = be_look_spread(trace),
        .cores_had = trace->limits.cpus,
        .tasks = trace->limits.tasks,
        .tasks_here = trace->limits.tasks_here,
        .gpus = gpus > 0 || known ? gpus : -1,
        .gpus_had = trace->gpus > 0,
        .ended = trace->end == BE_END_EXITED && trace->code == 0,
        .out_of_memory = be_trace_max(trace, BE_GROUP_OOM_KILLS, 0) > 0,
    };
}

static enum be_status take(const struct be_saved *saved, const char *file, const char *workload,
                           struct be_job_request *request, char why[BE_NOTE],
                           struct be_error *error) {
    if (saved->is_profile) {
        return be_fail(error, BE_USAGE,
                       "%s: holds the profile of a machine; --from takes what "
                       "`compare --json=FILE` or `run --json=FILE` wrote",
                       file);
    }
    if (!saved->trace) {
        return be_job_from(&saved->comparison, workload, request, why, error);
    }
    if (workload) {
        return be_fail(error, BE_USAGE,
                       "--workload %.60s: %.200s holds a run, which has none; leave it out",
                       workload, file);
    }
    const struct be_job_used used = used_by(saved->trace);
    be_job_from_run(&used, request, why);
    request->basis = why;
    return BE_OK;
}

enum be_status be_cli_job_from(const char *file, const char *workload,
                               struct be_job_request *request, char why[BE_NOTE],
                               struct be_error *error) {
    struct be_saved saved = {0};
    enum be_status status = be_saved_load(file, &saved, error);
    status = status == BE_OK ? take(&saved, file, workload, request, why, error) : status;
    be_saved_free(&saved);
    return status;
}
