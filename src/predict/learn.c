/* A profile is corrected by times that were measured on its machine: what code there reaches of its rates, and what a
 * launch takes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/profile.h"
#include "predict/predict.h"

/* The four numbers that are learned: seconds, and shares of what the profile says. */
enum { LAUNCH, OPERATIONS, MEMORY, CACHE, NUMBERS };

/* A time, with what the profile says of its parts on each place of the side. */
struct sample {
    const struct be_result *of;
    int workload;  /* samples of one workload have one number */
    double weight; /* all samples of a workload have 1 together */
    double measured_s;
    double operations_s[BE_PREDICT_TEAMS], memory_s[BE_PREDICT_TEAMS];
    bool cached;
};

struct samples {
    struct sample *sample;
    size_t count;
    int workloads, teams;
    bool launches[BE_PREDICT_TEAMS]; /* this place has a launch */
    double *scratch;                 /* room for `count` numbers */
};

/* ---- what is learned from ------------------------------------------------------------------- */

static bool is_taken(const struct be_result *r, const char *device) {
    return r->status == BE_RESULT_OK && strcmp(r->device, device) == 0 && r->cache != BE_COLD &&
           r->placement == (strcmp(device, "cpu") == 0 ? BE_HOST : BE_RESIDENT) &&
           (strcmp(r->dtype, "float32") == 0 || strcmp(r->dtype, "float64") == 0) && r->bytes > 0 &&
           r->phase[BE_TOTAL].median_s > 0 && strcmp(r->variant, BE_AS_PUBLISHED) != 0;
}

static bool same_case(const struct be_result *a, const struct be_result *b) {
    return a->size == b->size && strcmp(a->workload, b->workload) == 0 &&
           strcmp(a->dtype, b->dtype) == 0 && strcmp(a->parameters, b->parameters) == 0;
}

static int workload_of(const struct samples *all, const struct be_result *r) {
    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(all->sample[i].of->workload, r->workload) == 0) {
            return all->sample[i].workload;
        }
    }
    return all->workloads;
}

static void fill_parts(const struct be_predict_place *place, int team, const struct be_result *r,
                       struct sample *s) {
    const bool wide = strcmp(r->dtype, "float64") == 0;
    const double flops = r->operations > 0 ? r->operations : 0;
    const double rate = place->reached.operations[wide ? BE_PLAIN64 : BE_PLAIN32];
    s->operations_s[team] = flops > 0 ? flops / rate : 0;
    s->memory_s[team] = r->bytes / be_ceilings_memory(&place->reached, r->bytes, false, false);
    s->cached = r->bytes <= place->limit.cache_bytes;
}

/* The fastest code of each case counts. */
static void add_sample(const struct be_predict_place *place, const struct be_result *r,
                       struct samples *all) {
    for (size_t i = 0; i < all->count; i++) {
        struct sample *s = &all->sample[i];
        if (same_case(s->of, r)) {
            s->measured_s = fmin(s->measured_s, r->phase[BE_TOTAL].median_s);
            return;
        }
    }
    struct sample s = {
        .of = r, .workload = workload_of(all, r), .measured_s = r->phase[BE_TOTAL].median_s};
    for (int team = 0; team < all->teams; team++) {
        fill_parts(&place[team], team, r, &s);
    }
    if (isfinite(s.operations_s[0]) && isfinite(s.memory_s[0])) {
        all->workloads += s.workload == all->workloads;
        all->sample[all->count++] = s;
    }
}

static int times_of(const struct samples *all, int workload) {
    int count = 0;
    for (size_t i = 0; i < all->count; i++) {
        count += all->sample[i].workload == workload;
    }
    return count;
}

static enum be_status take_samples(const struct be_predict_place *place, int teams,
                                   const char *device, const struct be_result *result,
                                   size_t results, struct samples *all, struct be_error *error) {
    *all = (struct samples){.teams = teams};
    all->sample = calloc(results + 1, sizeof *all->sample);
    all->scratch = calloc(results + 1, sizeof *all->scratch);
    if (!all->sample || !all->scratch) {
        return be_fail(error, BE_NOMEM, "no host memory for %zu times", results);
    }
    for (int team = 0; team < teams; team++) {
        all->launches[team] = place[team].launch.typical_s > 0;
    }
    for (size_t i = 0; i < results; i++) {
        if (is_taken(&result[i], device)) {
            add_sample(place, &result[i], all);
        }
    }
    for (size_t i = 0; i < all->count; i++) {
        all->sample[i].weight = 1.0 / times_of(all, all->sample[i].workload);
    }
    return BE_OK;
}

/* ---- the fit -------------------------------------------------------------------------------- */

static double foretold_s(const struct samples *all, const struct sample *s,
                         const double number[NUMBERS]) {
    double least = INFINITY;
    for (int team = 0; team < all->teams; team++) {
        const double work_s = fmax(s->operations_s[team] / number[OPERATIONS],
                                   s->memory_s[team] / number[s->cached ? CACHE : MEMORY]);
        least = fmin(least, work_s + (all->launches[team] ? number[LAUNCH] : 0));
    }
    return least;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The mean distance in log time; each workload counts alike, and one that is far off no more than its distance.
 * `without`: one that does not count; -1: all do. */
static double loss(const struct samples *all, int without, const double number[NUMBERS]) {
    double sum = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct sample *s = &all->sample[i];
        if (s->workload != without) {
            sum += fabs(log(foretold_s(all, s, number) / s->measured_s)) * s->weight;
        }
    }
    return sum;
}

/* Steps along each number, halved where none helps. */
static void fit(const struct samples *all, int without, double number[NUMBERS]) {
    double best = loss(all, without, number);
    for (double step = 0.4; step > 0.01;) {
        bool moved = false;
        for (int i = 0; i < 2 * NUMBERS; i++) {
            double tried[NUMBERS];
            memcpy(tried, number, sizeof tried);
            tried[i / 2] *= exp(i % 2 ? step : -step);
            const double now = loss(all, without, tried);
            if (now < best) {
                memcpy(number, tried, sizeof tried);
                best = now;
                moved = true;
            }
        }
        step = moved ? step : step / 2;
    }
}

static double median_off(const struct samples *all, const double number[NUMBERS]) {
    for (size_t i = 0; i < all->count; i++) {
        const struct sample *s = &all->sample[i];
        all->scratch[i] = fabs(foretold_s(all, s, number) / s->measured_s - 1);
    }
    return be_median(all->scratch, (int)all->count);
}

/* ---- workloads that are left out ------------------------------------------------------------- */

struct weighted {
    double value, weight;
};

static int by_value(const void *a, const void *b) {
    return ascending(&((const struct weighted *)a)->value, &((const struct weighted *)b)->value);
}

/* `list` is sorted and has weight 1 in all. */
static double quantile(const struct weighted *list, size_t count, double share) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += list[i].weight;
        if (sum >= share) {
            return list[i].value;
        }
    }
    return list[count - 1].value;
}

/* Each workload by numbers that were learned from the others. */
static enum be_status leave_out(const struct samples *all, const double first[NUMBERS],
                                struct be_learned_side *side, struct be_error *error) {
    struct weighted *off = calloc(all->count, sizeof *off);
    if (!off) {
        return be_fail(error, BE_NOMEM, "no host memory for %zu times", all->count);
    }
    size_t count = 0;
    for (int w = 0; w < all->workloads; w++) {
        double number[NUMBERS];
        memcpy(number, first, sizeof number);
        fit(all, w, number);
        for (size_t i = 0; i < all->count; i++) {
            const struct sample *s = &all->sample[i];
            if (s->workload == w) {
                off[count].value = s->measured_s / foretold_s(all, s, number);
                off[count++].weight = s->weight / all->workloads;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        all->scratch[i] = fabs(1 / off[i].value - 1);
    }
    side->off_left_out = be_median(all->scratch, (int)count);
    qsort(off, count, sizeof *off, by_value);
    side->lo = fmin(quantile(off, count, 0.05), 1);
    side->hi = fmax(quantile(off, count, 0.95), 1);
    free(off);
    return BE_OK;
}

/* ---- one side ------------------------------------------------------------------------------- */

/* As the profile says it, with what code takes over its rates. */
static void begin(const struct be_predict_place *place, int teams, double number[NUMBERS]) {
    const struct be_predict_place *last = &place[teams - 1];
    const double launch_s = last->launch.typical_s;
    number[LAUNCH] = launch_s > 0 ? launch_s : 1e-6;
    number[OPERATIONS] = 1 / be_predict_usual(last, BE_TERM_OPERATIONS);
    number[MEMORY] = number[CACHE] = 1 / be_predict_usual(last, BE_TERM_MEMORY);
}

static enum be_status learn_side(struct be_profile *profile, const char *in_profile,
                                 const struct be_predict_place *place, int teams,
                                 const struct samples *all, struct be_learned_side *side,
                                 struct be_error *error) {
    double first[NUMBERS], number[NUMBERS];
    begin(place, teams, first);
    memcpy(number, first, sizeof number);
    side->times = (int)all->count;
    side->workloads = all->workloads;
    if (all->workloads < BE_LEARN_FEWEST) {
        return BE_OK;
    }
    side->off_before = median_off(all, first);
    fit(all, -1, number);
    side->off_after = median_off(all, number);
    side->launch_s = number[LAUNCH];
    side->operations = number[OPERATIONS];
    side->memory = number[MEMORY];
    side->cache = number[CACHE];
    enum be_status status = leave_out(all, first, side, error);
    side->learned = status == BE_OK;
    return status ? status : be_predict_keep_learned(profile, in_profile, side, error);
}

static enum be_status learn(struct be_profile *profile, const char *in_profile,
                            const char *in_results, const struct be_predict_place *place, int teams,
                            const struct be_result *result, size_t results,
                            struct be_learned_side *side, struct be_error *error) {
    struct samples all;
    if (be_predict_has_learned(profile, in_profile)) {
        return be_fail(error, BE_USAGE,
                       "profile %.60s has learned from a run before: give the one that it was made "
                       "from",
                       profile->name);
    }
    enum be_status status = take_samples(place, teams, in_results, result, results, &all, error);
    status = status ? status : learn_side(profile, in_profile, place, teams, &all, side, error);
    free(all.sample);
    free(all.scratch);
    return status;
}

/* The device of the results that is this GPU; NULL: none is. */
static const struct be_device_info *same_gpu(const struct be_machine *machine,
                                             const struct be_device_info *gpu) {
    for (int i = 0; gpu && i < machine->devices; i++) {
        const struct be_device_info *info = &machine->device[i];
        if (info->kind == BE_KIND_GPU && strcmp(info->name, gpu->name) == 0) {
            return info;
        }
    }
    return NULL;
}

enum be_status be_profile_learn(struct be_profile *profile, const struct be_machine *machine,
                                const struct be_result *result, size_t results,
                                struct be_learned *learned, struct be_error *error) {
    struct be_predictor rule = {.teams = 0};
    struct be_error why;
    enum be_status status = BE_OK;
    *learned = (struct be_learned){0};
    const struct be_device_info *gpu = be_profile_gpu(profile);
    const struct be_device_info *there = same_gpu(machine, gpu);
    const bool same_cpu = strcmp(machine->cpu, profile->machine.cpu) == 0 &&
                          machine->cores_allowed == profile->machine.cores_allowed;
    if (same_cpu && be_predict_cpu_places(profile, &rule, &why) == BE_OK) {
        status = learn(profile, "cpu", "cpu", rule.cpu, rule.teams, result, results, &learned->cpu,
                       error);
    }
    if (!status && there && be_predict_gpu_place(profile, &rule.gpu, &why) == BE_OK) {
        status =
            learn(profile, gpu->id, there->id, &rule.gpu, 1, result, results, &learned->gpu, error);
    }
    if (!status && !learned->cpu.learned && !learned->gpu.learned) {
        status = be_fail(
            error, BE_USAGE,
            "profile %.60s: the results have no times of its CPU (%.60s, %d cores) or GPU "
            "(%.60s), of at least %d workloads: give the profile of the machine that was measured",
            profile->name, *profile->machine.cpu ? profile->machine.cpu : "none",
            profile->machine.cores_allowed, gpu ? gpu->name : "none", BE_LEARN_FEWEST);
    }
    return status;
}
