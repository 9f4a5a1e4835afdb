/* A run that was watched -> the rule of its time over cores. */
#include "cli/decide/work_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/decide/gpu_profile.h"
#include "observe/rules/look.h"
#include "observe/usage.h"
#include "report/saved.h"

/* One run is one sample: another takes between these shares of its time, nine times in ten. */
static const double shortest = 0.9, longest = 1.15;
/* Beyond the cores that were measured nobody knows what becomes the limit. */
static const double least_cores = 1e-3;

static enum be_status load(const char *file, struct be_saved *saved, struct be_error *error) {
    enum be_status status = be_saved_load(file, saved, error);
    if (status) {
        return status;
    }
    const struct be_trace *trace = saved->trace;
    if (!trace) {
        return be_fail(error, BE_USAGE,
                       "%.200s: holds no run; `breakeven run --json=FILE -- COMMAND` writes one",
                       file);
    }
    if (trace->end != BE_END_EXITED || trace->code != 0) {
        return be_fail(error, BE_USAGE,
                       "%.200s: that run failed, so its time says nothing; run it again", file);
    }
    return trace->elapsed_s > 0 ? BE_OK
                                : be_fail(error, BE_USAGE, "%.200s: its time is not known", file);
}

/* Time that no core shortens (waiting for a disk, for a network); work in a row; work that cores share. On c cores a
 * program that kept k at work had 1/k = serial + (1 - serial)/c of Amdahl's rule. */
static void split(struct be_cli_work *work, double elapsed_s, double kept, double had) {
    const double given = work->asked.parallel;
    const double busy = fmax(kept, least_cores) * elapsed_s; /* core-seconds */
    work->still_s = kept < 1 ? (1 - kept) * elapsed_s : 0;
    work->scales = given > 0 || had > 1.5;
    double serial = 1;
    if (given > 0) {
        serial = 1 - given;
    } else if (had > 1 && kept > 1) {
        serial = fmin(fmax((1 / kept - 1 / had) / (1 - 1 / had), 0), 1);
    }
    work->serial_s = serial * busy;
    work->parallel_s = busy - work->serial_s;
}

enum be_status be_cli_work_run(struct be_cli_work *work, struct be_error *error) {
    struct be_saved saved = {0};
    const struct be_cli_work_asked *asked = &work->asked;
    enum be_status status = load(asked->run, &saved, error);
    if (!status) {
        const struct be_trace *trace = saved.trace;
        const double had = be_trace_cores_had(trace), got = be_look_got(trace);
        const double waited = be_look_kept_waiting(trace); /* for cores that others had */
        const double alone_s = trace->elapsed_s * (1 - (waited > 0 ? fmin(waited, 0.99) : 0));
        const double kept = isfinite(got) ? got * trace->elapsed_s / alone_s : 1;
        char took[BE_WORD];
        split(work, alone_s, kept, had > 0 ? had : 1);
        work->lo = shortest;
        work->hi = longest;
        work->measured_cores = (int)fmax(ceil(kept), 1);
        if (asked->speedup_lo > 0) {
            const double t = alone_s;
            work->gpu = (struct be_predict_time){t / asked->speedup_hi,
                                                 t / sqrt(asked->speedup_lo * asked->speedup_hi),
                                                 t / asked->speedup_lo};
        }
        be_format_seconds(took, sizeof took, trace->elapsed_s, "?");
        snprintf(
            work->text, sizeof work->text, "A run took %s%s and kept %.1f of %.0f cores at work%s.",
            took, waited > 0.02 ? " (waiting for cores that others had is not counted)" : "", kept,
            had > 0 ? had : 1,
            work->scales ? "" : "; how it would use more cores is not known (--parallel=SHARE)");
    }
    be_saved_free(&saved);
    return status;
}

enum be_status be_cli_work_gpu_run(struct be_cli_work *work, struct be_error *error) {
    struct be_saved saved = {0};
    enum be_status status = load(work->asked.gpu_run, &saved, error);
    if (!status && be_look_gpus_used(saved.trace) < 1) {
        status = be_fail(error, BE_USAGE, "%.200s: that run used no GPU", work->asked.gpu_run);
    }
    for (int i = 0; !status && i < saved.trace->gpus && !work->gpu_known; i++) {
        const struct be_trace_gpu *gpu = &saved.trace->gpu[i];
        if (be_look_used(saved.trace, i) > 0) {
            work->gpu_known = be_cli_gpu_profile(gpu->name, gpu->memory_bytes, &work->gpu_profile);
        }
    }
    if (!status && !work->gpu_known) {
        status = be_fail(error, BE_ABSENT,
                         "%.200s: no profile or data sheet of its GPU is known (`breakeven "
                         "machines` lists them)",
                         work->asked.gpu_run);
    }
    if (!status) {
        const double t = saved.trace->elapsed_s;
        work->gpu = (struct be_predict_time){t * shortest, t, t * longest};
    }
    be_saved_free(&saved);
    return status;
}
