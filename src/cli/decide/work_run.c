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

/* A trace, as a run: its time without that for which others had its cores, and the cores. */
struct seen {
    double alone_s, elapsed_s, kept, had, waited;
};

static struct seen see(const struct be_trace *trace) {
    const double had = be_trace_cores_had(trace), got = be_look_got(trace);
    const double waited = be_look_kept_waiting(trace); /* for cores that others had */
    const double alone_s = trace->elapsed_s * (1 - (waited > 0 ? fmin(waited, 0.99) : 0));
    const double kept = isfinite(got) ? got * trace->elapsed_s / alone_s : 1;
    return (struct seen){alone_s, trace->elapsed_s, kept, had > 0 ? had : 1, waited};
}

/* Runs on several numbers of cores say themselves how it scales. */
static void take_scaling(struct be_cli_work *work) {
    const struct be_scaling *s = &work->core_runs.scaling;
    work->still_s = 0;
    work->serial_s = s->fixed_s;
    work->parallel_s = s->shared_s;
    work->talk_s = s->talk_s;
    work->measured_cores = (int)s->most;
    work->scales = true;
}

static void take_speedup(struct be_cli_work *work, double run_s) {
    const struct be_cli_work_asked *asked = &work->asked;
    if (asked->speedup_lo > 0) {
        work->gpu = (struct be_predict_time){run_s / asked->speedup_hi,
                                             run_s / sqrt(asked->speedup_lo * asked->speedup_hi),
                                             run_s / asked->speedup_lo};
        work->gpu_at = 1;
    }
}

static void tell_one(struct be_cli_work *work, const struct seen *run) {
    char took[BE_WORD];
    be_format_seconds(took, sizeof took, run->elapsed_s, "?");
    snprintf(work->text, sizeof work->text,
             "A run took %s%s and kept %.1f of %.0f cores at work%s.", took,
             run->waited > 0.02 ? " (waiting for cores that others had is not counted)" : "",
             run->kept, run->had,
             work->scales ? "" : "; how it would use more cores is not known (--parallel=SHARE)");
}

static void tell_all(struct be_cli_work *work) {
    char runs[BE_NOTE / 2], took[BE_WORD];
    const double p = work->core_runs.scaling.most;
    be_cli_runs_text(&work->core_runs, "core", runs, sizeof runs);
    be_format_seconds(took, sizeof took, be_cli_runs_typical(&work->core_runs, p), "?");
    snprintf(work->text, sizeof work->text, "%s; %s on %g core%s%s.", runs, took, p,
             p == 1 ? "" : "s",
             work->core_runs.scales ? ""
             : work->scales         ? "; of other numbers by the cores that it kept at work"
                            : "; how it would use more cores is not known (--parallel=SHARE)");
}

enum be_status be_cli_work_run(struct be_cli_work *work, struct be_error *error) {
    const struct be_cli_work_asked *asked = &work->asked;
    struct be_cli_runs *runs = &work->core_runs;
    struct seen run = {0};
    double kept = 0;
    enum be_status status = BE_OK;
    for (int i = 0; i < asked->runs && !status; i++) {
        struct be_saved saved = {0};
        status = load(asked->run[i], &saved, error);
        if (!status) {
            run = see(saved.trace);
            kept += run.kept / asked->runs;
            status = be_cli_runs_add(runs, run.had, run.alone_s, error);
        }
        be_saved_free(&saved);
    }
    status = status ? status : be_cli_runs_end(runs, error);
    if (status) {
        return status;
    }
    const double typical_s = be_cli_runs_typical(runs, run.had);
    split(work, typical_s, kept, run.had);
    work->measured_cores = (int)fmax(ceil(kept), 1);
    if (runs->scales) {
        take_scaling(work);
    }
    work->lo = runs->varies ? 1 : shortest;
    work->hi = runs->varies ? 1 : longest;
    take_speedup(work, typical_s);
    if (asked->runs == 1) {
        tell_one(work, &run);
    } else {
        tell_all(work);
    }
    return BE_OK;
}

/* ---- the version for GPUs ------------------------------------------------------------------- */

static void find_profile(struct be_cli_work *work, const struct be_trace *trace) {
    for (int i = 0; i < trace->gpus && !work->gpu_known; i++) {
        const struct be_trace_gpu *gpu = &trace->gpu[i];
        if (be_look_used(trace, i) > 0) {
            work->gpu_known = be_cli_gpu_profile(gpu->name, gpu->memory_bytes, &work->gpu_profile);
        }
    }
}

/* Mean power of a GPU that was used; NAN: of one it was not measured. */
static double power_of(const struct be_trace *trace) {
    double sum_w = 0;
    int used = 0;
    for (int i = 0; i < trace->gpus; i++) {
        if (be_look_used(trace, i) > 0) {
            sum_w += be_trace_mean(trace, BE_GPU_POWER, i);
            used++;
        }
    }
    return used ? sum_w / used : NAN;
}

static enum be_status take_gpu_run(struct be_cli_work *work, const char *file,
                                   struct be_error *error) {
    struct be_saved saved = {0};
    enum be_status status = load(file, &saved, error);
    const int used = status ? 0 : be_look_gpus_used(saved.trace);
    if (!status && used < 1) {
        status = be_fail(error, BE_USAGE, "%.200s: that run used no GPU", file);
    }
    if (!status) {
        find_profile(work, saved.trace);
        work->gpu_w += power_of(saved.trace) / work->asked.gpu_runs;
        status = work->gpu_known
                     ? be_cli_runs_add(&work->gpu_runs, used, saved.trace->elapsed_s, error)
                     : be_fail(error, BE_ABSENT,
                               "%.200s: no profile or data sheet of its GPU is known "
                               "(`breakeven machines` lists them)",
                               file);
    }
    be_saved_free(&saved);
    return status;
}

enum be_status be_cli_work_gpu_run(struct be_cli_work *work, struct be_error *error) {
    struct be_cli_runs *runs = &work->gpu_runs;
    enum be_status status = BE_OK;
    for (int i = 0; i < work->asked.gpu_runs && !status; i++) {
        status = take_gpu_run(work, work->asked.gpu_run[i], error);
    }
    status = status ? status : be_cli_runs_end(runs, error);
    if (!status) {
        work->gpu_at = (int)runs->scaling.least;
        const double t = be_cli_runs_typical(runs, work->gpu_at);
        work->gpu = (struct be_predict_time){t * (runs->varies ? 1 : shortest), t,
                                             t * (runs->varies ? 1 : longest)};
    }
    return status;
}
