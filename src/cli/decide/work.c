#include "cli/decide/work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/predict/here.h"
#include "cli/decide/work_run.h"
#include "machine/profile.h"
#include "predict/predict.h"

/* Cores of another machine: a core of a cluster's nodes is between so many times as slow and as fast as one here.
 * Single cores of 2017 to 2025 differ by about that much. */
static const double slower_elsewhere = 1.7, faster_elsewhere = 1.6;
/* Parts of a GPU of another model: rates of programs follow memory or operations, whichever; beyond both by so much. */
static const double beyond_rates = 1.25;

static struct be_predict_time scaled(struct be_predict_time time, double lo, double typical,
                                     double hi) {
    return (struct be_predict_time){time.lo_s * lo, time.typical_s * typical, time.hi_s * hi};
}

/* ---- from numbers --------------------------------------------------------------------------- */

/* Fits the rule of cores through one core and all cores of the profile. */
static void fit_cores(const struct be_predictor *p, const struct be_predict_work *numbers,
                      struct be_cli_work *work) {
    struct be_predict_side one, all;
    be_predict_on(&p->cpu[0], numbers, &one);
    be_predict_on(&p->cpu[p->teams - 1], numbers, &all);
    const double c = all.threads, t1 = one.time.typical_s, tc = all.time.typical_s;
    /* t1 = serial + parallel, tc = serial + parallel / c */
    const double parallel = c > 1 ? fmin(fmax((t1 - tc) / (1 - 1 / c), 0), t1) : t1;
    work->parallel_s = parallel;
    work->serial_s = t1 - parallel;
    work->lo = one.time.lo_s / t1;
    work->hi = one.time.hi_s / t1;
    work->measured_cores = (int)c;
    work->scales = c > 1;
}

static enum be_status open_numbers(struct be_cli_work *work, struct be_error *error) {
    const struct be_cli_work_asked *asked = &work->asked;
    struct be_predictor *predictor = NULL;
    struct be_predict_work whole;
    const bool here = !asked->cpu || strcmp(asked->cpu, "here") == 0;
    enum be_status status = be_formulas_at(asked->formulas, asked->n, &work->numbers, error);
    status = status ? status
             : here ? be_cli_here_open(&work->here, asked->quiet, error)
                    : be_profile_named(asked->cpu, &work->cpu_profile, error);
    const struct be_profile *cpu = here ? &work->here.profile : &work->cpu_profile;
    if (!status) {
        /* The CPU alone is asked here: any GPU will do for the other side. */
        struct be_profile any = {0};
        status = be_profile_named("t4", &any, error);
        status = status ? status : be_predictor_open(cpu, &any, &predictor, error);
        be_profile_free(&any);
    }
    status = status ? status : be_predict_check(&work->numbers, &whole, error);
    if (!status) {
        fit_cores(predictor, &whole, work);
        snprintf(
            work->text, sizeof work->text,
            "Computed from numbers (--flops, --bytes, ...), by the rule of `predict`. CPU: %s.",
            cpu->machine.cpu);
    }
    be_predictor_close(predictor);
    return status;
}

static enum be_status gpu_by_numbers(const struct be_cli_work *work, const struct be_profile *gpu,
                                     struct be_decide_place *place, struct be_error *error) {
    struct be_predict_place on;
    struct be_predict_side side;
    struct be_predict_work whole;
    enum be_status status = be_predict_gpu_place(gpu, &on, error);
    status = status ? status : be_predict_check(&work->numbers, &whole, error);
    if (status) {
        return status;
    }
    be_predict_on(&on, &whole, &side);
    if (!(side.time.typical_s > 0)) {
        return be_fail(error, BE_ABSENT, "its profile lacks a rate that decides");
    }
    /* The interval of the sum is not that of its parts: what is no copy and no start is computing. */
    const struct be_predict_time *bus = &side.term[BE_TERM_BUS];
    place->transfer = *bus;
    place->compute = (struct be_predict_time){fmax(side.time.lo_s - bus->lo_s, 1e-9),
                                              fmax(side.time.typical_s - bus->typical_s, 1e-9),
                                              fmax(side.time.hi_s - bus->hi_s, 1e-9)};
    place->basis = BE_BASIS_GPU;
    return BE_OK;
}

/* ---- from runs ------------------------------------------------------------------------------ */

static double highest(const struct be_profile *profile, const char *what) {
    const struct be_device_info *gpu = be_profile_gpu(profile);
    return be_profile_highest(profile, gpu->id, what, strcmp(what, "fma") == 0 ? "float32" : NULL,
                              true);
}

static double memory_rate(const struct be_profile *profile) {
    return fmax(fmax(highest(profile, "read"), highest(profile, "copy")),
                highest(profile, "triad"));
}

/* The time there over the time on the GPU that the run had, by memory and by operations: it lies between them. */
static bool ratio_of(const struct be_profile *had, const struct be_profile *there, double *lo,
                     double *hi) {
    const double memory = memory_rate(had) / memory_rate(there);
    const double operations = highest(had, "fma") / highest(there, "fma");
    const bool same = fabs(memory - 1) < 0.02 && fabs(operations - 1) < 0.02;
    *lo = fmin(memory, operations) / (same ? 1 : beyond_rates);
    *hi = fmax(memory, operations) * (same ? 1 : beyond_rates);
    return *lo > 0 && isfinite(*hi);
}

static enum be_status gpu_by_run(const struct be_cli_work *work, const struct be_profile *gpu,
                                 struct be_decide_place *place, struct be_error *error) {
    double lo = 1, hi = 1;
    if (work->gpu_known && !ratio_of(&work->gpu_profile, gpu, &lo, &hi)) {
        return be_fail(error, BE_ABSENT, "rates of it or of the GPU of the run are not known");
    }
    place->compute = scaled(work->gpu, lo, sqrt(lo * hi), hi);
    place->basis = BE_BASIS_GPU_RUN;
    place->extrapolated = lo < hi;
    place->power_w = work->gpu_known && !(lo < hi) ? work->gpu_w : 0;
    place->runs = work->gpu_runs.varies                            ? &work->gpu_runs.spread
                  : !work->gpu_runs.runs && work->core_runs.varies ? &work->core_runs.spread
                                                                   : NULL;
    return BE_OK;
}

/* ---- both ----------------------------------------------------------------------------------- */

enum be_status be_cli_work_open(const struct be_cli_work_asked *asked, struct be_cli_work *work,
                                struct be_error *error) {
    work->asked = *asked;
    enum be_status status = asked->runs ? be_cli_work_run(work, error) : open_numbers(work, error);
    return status || !asked->gpu_runs ? status : be_cli_work_gpu_run(work, error);
}

void be_cli_work_close(struct be_cli_work *work) {
    be_profile_free(&work->here.profile);
    be_profile_free(&work->cpu_profile);
    be_profile_free(&work->gpu_profile);
}

static void add_load(const struct be_cli_work *work, struct be_decide_place *place) {
    const double s = work->asked.load_s;
    place->load = (struct be_predict_time){s, s, s};
}

static double seconds_on(const struct be_cli_work *work, int cores) {
    return work->still_s + work->serial_s + work->parallel_s / cores + work->talk_s * log2(cores);
}

double be_cli_work_gain(const struct be_cli_work *work, int few, int more) {
    return seconds_on(work, few) / seconds_on(work, more);
}

enum be_status be_cli_work_on_cores(const struct be_cli_work *work, int cores, bool elsewhere,
                                    struct be_decide_place *place, struct be_error *error) {
    const double typical = seconds_on(work, cores);
    const double least = work->lo / (elsewhere ? faster_elsewhere : 1);
    const double most = work->hi * (elsewhere ? slower_elsewhere : 1);
    if (!(typical > 0)) {
        return be_fail(error, BE_ABSENT, "the CPU's rates do not suffice for this computation");
    }
    place->compute = (struct be_predict_time){typical * least, typical, typical * most};
    place->basis = BE_BASIS_CPU;
    place->cores = cores;
    place->extrapolated = cores > work->measured_cores;
    place->runs = work->core_runs.varies ? &work->core_runs.spread : NULL;
    add_load(work, place);
    return BE_OK;
}

bool be_cli_work_has_gpu(const struct be_cli_work *work) {
    return !work->asked.runs || work->gpu.typical_s > 0;
}

/* ---- several GPUs --------------------------------------------------------------------------- */

bool be_cli_work_gpus_scale(const struct be_cli_work *work) {
    return work->gpu_runs.scales || work->asked.parallel > 0;
}

static int gpus_at(const struct be_cli_work *work) {
    return work->gpu_at > 0 ? work->gpu_at : 1;
}

static int gpus_measured(const struct be_cli_work *work) {
    return work->gpu_runs.runs ? (int)work->gpu_runs.scaling.most : gpus_at(work);
}

int be_cli_work_gpu_counts(const struct be_cli_work *work, int count[BE_CLI_GPU_COUNTS]) {
    const int most = work->asked.gpus > 0 ? work->asked.gpus : gpus_measured(work);
    int counts = 0;
    if (!be_cli_work_gpus_scale(work)) {
        count[0] = gpus_at(work);
        return 1;
    }
    for (int n = 1; n < most && counts < BE_CLI_GPU_COUNTS - 1; n *= 2) {
        count[counts++] = n;
    }
    count[counts++] = most;
    return counts;
}

/* The time on so many over the time that the work has, by runs on several or by Amdahl's rule; NAN: not known. */
static double over_gpus(const struct be_cli_work *work, int gpus) {
    const double serial = 1 - work->asked.parallel, at = gpus_at(work);
    if (work->gpu_runs.scales) {
        return be_scaling_at(&work->gpu_runs.scaling, gpus) /
               be_scaling_at(&work->gpu_runs.scaling, at);
    }
    return gpus == at ? 1
           : work->asked.parallel > 0
               ? (serial + (1 - serial) / gpus) / (serial + (1 - serial) / at)
               : NAN;
}

/* Beyond the numbers that were measured it takes from the time by the rule up to that on the most that were measured. */
static enum be_status share_out(const struct be_cli_work *work, int gpus,
                                struct be_decide_place *place, struct be_error *error) {
    const double by = over_gpus(work, gpus), most = over_gpus(work, gpus_measured(work));
    const bool beyond = gpus > gpus_measured(work) ||
                        (work->gpu_runs.scales && gpus < work->gpu_runs.scaling.least);
    if (isnan(by)) {
        return be_fail(
            error, BE_USAGE,
            "how it uses %d GPUs is not known (--parallel=SHARE, or --gpu-run of runs on "
            "several)",
            gpus);
    }
    place->compute = scaled(place->compute, by, by, beyond ? fmax(by, most) : by);
    place->transfer = scaled(place->transfer, 1.0 / gpus, 1.0 / gpus, 1.0 / gpus);
    place->extrapolated |= beyond || (gpus != gpus_at(work) && !work->gpu_runs.scales);
    return BE_OK;
}

enum be_status be_cli_work_on_gpu(const struct be_cli_work *work, const struct be_profile *gpu,
                                  int gpus, double share, struct be_decide_place *place,
                                  struct be_error *error) {
    enum be_status status = work->asked.runs || work->gpu_runs.runs
                                ? gpu_by_run(work, gpu, place, error)
                                : gpu_by_numbers(work, gpu, place, error);
    status = status ? status : share_out(work, gpus, place, error);
    if (status) {
        return status;
    }
    place->power_w *= gpus;
    if (share > 0 && share < 1) {
        /* Work that leaves most of a GPU idle loses nothing on a part of it. */
        place->compute = scaled(place->compute, 1, 1 / share, 1 / share);
        place->extrapolated = true;
        place->power_w = 0; /* nobody measured a part */
    }
    add_load(work, place);
    return BE_OK;
}
