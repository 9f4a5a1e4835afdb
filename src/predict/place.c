/* The rates and latencies of a CPU or a GPU, from its profile or data sheet. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "machine/profile.h"
#include "predict/predict.h"

/* Cycles from one dependent operation to the next: 4 of a multiply-add on Skylake and Zen 2 or newer, and on GPUs since
 * Volta (Jia et al., "Dissecting the NVIDIA Volta GPU architecture via microbenchmarking", 2018), 6 before. Additions
 * may take 2 on CPUs (Intel's Golden Cove): no chain is faster than that. */
static const double step_cycles = 4, cpu_least_cycles = 2;

/* Latencies that no data sheet has, as measured on an H200 (share/profiles/h200.json): the least of launches in a row, one with
 * its wait, a copy's latency, context and code. Launch and wait through PyTorch took 18.9 us there. A start through a
 * framework loads its libraries as well. */
static const struct be_predict_time launch_known = {2.8e-6, 8.1e-6, 18.9e-6};
static const struct be_predict_time start_known = {0.2909, 0.3035, 0.6};
static const double copy_known = 6.2e-6;

/* Pageable memory crosses the bus at so much less than page-locked memory (fits of the same profile: 54.2 against
 * 14.6 GB/s). */
static const double pageable_share = 0.27;

static double or_else(double known, double otherwise) {
    return known > 0 ? known : otherwise;
}

/* ---- the CPU -------------------------------------------------------------------------------- */

int be_predict_threads(const struct be_profile *profile) {
    int most = 0;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->device, "cpu") == 0 && strcmp(f->what, "fma") == 0 && f->threads > most) {
            most = f->threads;
        }
    }
    return most;
}

enum be_status be_predict_cpu_place(const struct be_profile *profile, int threads,
                                    struct be_predict_place *place, struct be_error *error) {
    *place = (struct be_predict_place){.threads = threads, .thin64 = NAN, .memory_bytes = NAN};
    enum be_status status = be_profile_ceilings(profile, "cpu", threads, &place->limit, error);
    /* Rates of updates in place, which older profiles lack, are not asked for here. */
    const bool suffices = status == BE_ABSENT && place->limit.points > 0;
    if (status && !suffices) {
        return be_context(error, "profile %.60s, the CPU with %d threads", profile->name, threads);
    }
    const struct be_figure *join =
        be_profile_figure(profile, "cpu", "fork_join", NULL, threads, NAN, NULL);
    const struct be_figure *clock =
        be_profile_figure(profile, "cpu", "clock", NULL, threads, NAN, NULL);
    const double join_s = threads > 1 && join ? join->value : 0;
    place->reached = place->limit;
    place->launch = (struct be_predict_time){join_s, join_s, join_s};
    place->step_s = clock ? step_cycles / clock->value : NAN;
    place->cycle_s = clock ? 1 / clock->value : NAN;
    place->least_step_s = clock ? cpu_least_cycles / clock->value : NAN;
    be_predict_take_learned(profile, "cpu", place);
    return BE_OK;
}

/* ---- the GPU -------------------------------------------------------------------------------- */

/* Memory as two steps: what fits the cache, and what does not. */
static void take_memory(const struct be_profile *profile, const struct be_device_info *gpu,
                        bool reached, struct be_ceilings *c) {
    const double memory = fmax(fmax(be_profile_highest(profile, gpu->id, "read", NULL, reached),
                                    be_profile_highest(profile, gpu->id, "copy", NULL, reached)),
                               be_profile_highest(profile, gpu->id, "triad", NULL, reached));
    const double cache = fmax(be_profile_highest(profile, gpu->id, "cache_read", NULL, reached),
                              be_profile_cache_rate(gpu));
    c->cache_bytes = gpu->cache_bytes;
    if (cache > memory && gpu->cache_bytes > 0) {
        c->memory[c->points].bytes = 1;
        c->memory[c->points++].rate = cache;
    }
    c->memory[c->points].bytes = c->points ? gpu->cache_bytes : 1;
    c->memory[c->points++].rate = memory;
}

static void take_operations(const struct be_profile *profile, const char *id, bool reached,
                            double *rate) {
    const double plain64 = be_profile_highest(profile, id, "fma", "float64", reached);
    rate[BE_PLAIN32] = be_profile_highest(profile, id, "fma", "float32", reached);
    rate[BE_PLAIN64] = plain64;
    rate[BE_MATRIX32] = rate[BE_PLAIN32]; /* no matrix units multiply float32 as it is */
    rate[BE_MATRIX64] =
        fmax(be_profile_highest(profile, id, "matmul", "float64", reached), plain64);
}

static void take_bus(const struct be_profile *profile, const char *id,
                     struct be_predict_place *place) {
    const struct be_fit *fit = be_profile_fit(profile, id, "bus_in_pinned", NULL);
    place->bus = fmin(be_profile_highest(profile, id, "bus_in_pinned", NULL, true),
                      be_profile_highest(profile, id, "bus_out_pinned", NULL, true));
    place->bus_limit = be_profile_highest(profile, id, "bus_in_pinned", NULL, false) +
                       be_profile_highest(profile, id, "bus_out_pinned", NULL, false); /* at once */
    place->bus_slow = or_else(fmin(be_profile_highest(profile, id, "bus_in_pageable", NULL, true),
                                   be_profile_highest(profile, id, "bus_out_pageable", NULL, true)),
                              pageable_share * place->bus);
    place->copy_s = fit ? fit->latency_s : copy_known;
}

static void take_latencies(const struct be_profile *profile, const struct be_device_info *gpu,
                           struct be_predict_place *place) {
    const double wait_s = be_profile_highest(profile, gpu->id, "launch_wait", NULL, true);
    const double rate = be_profile_highest(profile, gpu->id, "launch_rate", NULL, true);
    const double typical_s = or_else(wait_s, launch_known.typical_s);
    place->launch = (struct be_predict_time){
        .lo_s = fmin(rate > 0 ? 1 / rate : launch_known.lo_s, typical_s),
        .typical_s = typical_s,
        .hi_s = typical_s * launch_known.hi_s / launch_known.typical_s,
    };
    const double context_s = be_profile_highest(profile, gpu->id, "first_context", NULL, true);
    const double module_s = be_profile_highest(profile, gpu->id, "first_module", NULL, true);
    place->start =
        context_s > 0 && module_s > 0
            ? (struct be_predict_time){context_s, context_s + module_s, 2 * (context_s + module_s)}
            : start_known;
    place->step_s = gpu->clock_hz > 0 ? step_cycles / gpu->clock_hz : NAN;
    place->least_step_s = place->step_s;
}

static void take_shapes(const struct be_profile *profile, const struct be_device_info *gpu,
                        struct be_predict_place *place) {
    const double *rate = place->limit.operations;
    const double memory = place->limit.memory[place->limit.points - 1].rate;
    const struct be_fact *watt = be_profile_fact(profile, gpu->id, "power_limit_max_w");
    const struct be_fact *capability = be_profile_fact(profile, gpu->id, "compute_capability");
    place->units = gpu->units;
    /* A multiprocessor does 256 float32 operations a cycle, and rarely half of that. */
    place->unit_rate = gpu->clock_hz > 0 ? gpu->units * gpu->clock_hz : rate[BE_PLAIN32] / 256;
    place->locks = capability && capability->number < 5;
    place->clock_share = be_predict_clock_share(rate[BE_PLAIN32], watt ? watt->number : NAN);
    place->stream = profile->source == BE_SOURCE_DATA_SHEET
                        ? memory * be_predict_stream_share(rate[BE_PLAIN32], rate[BE_PLAIN64])
                        : place->reached.memory[place->reached.points - 1].rate;
}

enum be_status be_predict_gpu_place(const struct be_profile *profile,
                                    struct be_predict_place *place, struct be_error *error) {
    const struct be_device_info *gpu = be_profile_gpu(profile);
    *place = (struct be_predict_place){0};
    if (!gpu) {
        return be_fail(
            error, BE_ABSENT,
            "profile %.60s has no GPU: name a machine that has one (`breakeven machines` "
            "lists them)",
            profile->name);
    }
    take_memory(profile, gpu, true, &place->reached);
    take_memory(profile, gpu, false, &place->limit);
    take_operations(profile, gpu->id, true, place->reached.operations);
    take_operations(profile, gpu->id, false, place->limit.operations);
    take_bus(profile, gpu->id, place);
    take_latencies(profile, gpu, place);
    take_shapes(profile, gpu, place);
    place->memory_bytes = gpu->memory_bytes;
    place->thin64 = place->limit.operations[BE_PLAIN32] / place->limit.operations[BE_PLAIN64];
    be_predict_take_learned(profile, gpu->id, place);
    if (!(place->reached.memory[place->reached.points - 1].rate > 0)) {
        return be_fail(error, BE_ABSENT,
                       "profile %.60s does not say the memory bandwidth of its GPU: nothing can be "
                       "foretold for it",
                       profile->name);
    }
    return BE_OK;
}
