#include "cli/run/node_rates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/decide/gpu_profile.h"
#include "machine/profile.h"
#include "predict/predict.h"
#include "report/store.h"

/* Cores of other machines with a CPU of the same name differ by their clocks and by who else is there. */
static const double off_same = 1.25;

/* Usual cores: between those of a server of 2015 with AVX2 at 2.2 GHz (70 GFLOP/s in float32) and of 2023 with AVX-512 at
 * 3.3 GHz (217 GFLOP/s; share/profiles/cpu-2.json), the geometric mean, and so far off it either way. A node's memory gives
 * a core 9 GB/s where all are at work (share/profiles/h200.json), its last cache 25. */
static const double off_usual = 1.8;
static const struct be_core_rates usual_one = {123e9, 62e9, 15e9, 35e9},
                                  usual_more = {123e9, 62e9, 9e9, 25e9};

/* ---- the CPU -------------------------------------------------------------------------------- */

static struct be_core_rates take_place(const struct be_predict_place *place) {
    const struct be_ceilings *c = &place->limit;
    return (struct be_core_rates){
        .float32 = c->operations[BE_PLAIN32],
        .float64 = c->operations[BE_PLAIN64],
        .memory = c->memory[c->points - 1].rate,
        .cache = be_ceilings_memory(c, c->cache_bytes / 2, false, false),
    };
}

static bool take_cpu(const struct be_profile *profile, struct be_trace_rates *rates) {
    struct be_predictor predictor = {0};
    struct be_error error;
    if (be_predict_cpu_places(profile, &predictor, &error) != BE_OK || predictor.teams < 1) {
        return false;
    }
    rates->one = take_place(&predictor.cpu[0]);
    rates->all = take_place(&predictor.cpu[predictor.teams - 1]);
    rates->cores = predictor.cpu[predictor.teams - 1].threads;
    rates->cache_bytes = profile->machine.cache_bytes;
    return rates->one.float32 > 0 && rates->one.memory > 0;
}

static void take_usual(int cores, struct be_trace_rates *rates) {
    const double more = cores > 1 ? cores - 1 : 0;
    rates->one = usual_one;
    rates->all = (struct be_core_rates){
        .float32 = usual_one.float32 + more * usual_more.float32,
        .float64 = usual_one.float64 + more * usual_more.float64,
        .memory = usual_one.memory + more * usual_more.memory,
        .cache = usual_one.cache + more * usual_more.cache,
    };
    rates->cores = cores > 1 ? cores : 1;
    rates->cache_bytes = 0;
    rates->off = off_usual;
    be_copy_text(rates->cpu, sizeof rates->cpu,
                 "those of usual cores: this CPU was not measured (`breakeven probe` does)");
}

/* The better one has the same host; of those alike the one with more cores. */
static int alike(const struct be_stored *stored, const struct be_trace *trace) {
    const struct be_machine *machine = &stored->profile.machine;
    if (stored->status != BE_OK || stored->profile.source != BE_SOURCE_MEASURED || !trace->cpu[0] ||
        strcmp(machine->cpu, trace->cpu) != 0) {
        return 0;
    }
    const bool here = trace->host[0] && strcmp(machine->host, trace->host) == 0;
    return here ? 1 << 20 : machine->cores_allowed;
}

static void find_cpu(const struct be_store *store, struct be_trace *trace) {
    struct be_trace_rates *rates = &trace->rates;
    int best = 0;
    take_usual(trace->limits.cpus, rates);
    for (size_t i = 0; i < store->count; i++) {
        const struct be_profile *profile = &store->stored[i].profile;
        const int now = alike(&store->stored[i], trace);
        struct be_trace_rates these = *rates;
        if (now > best && take_cpu(profile, &these)) {
            best = now;
            *rates = these;
            const bool here = now == 1 << 20;
            rates->off = here ? 1 : off_same;
            snprintf(rates->cpu, sizeof rates->cpu,
                     here ? "measured here (%.100s)" : "of the same CPU model, by profile %.100s",
                     profile->name);
        }
    }
}

/* ---- the GPU -------------------------------------------------------------------------------- */

static double sheet(const struct be_profile *profile, const char *id, const char *what,
                    const char *dtype) {
    return be_profile_highest(profile, id, what, dtype, false);
}

static void take_gpu(const struct be_profile *profile, struct be_trace_rates *rates) {
    const struct be_device_info *gpu = be_profile_gpu(profile);
    const char *id = gpu->id;
    rates->gpu32 = sheet(profile, id, "fma", "float32");
    rates->gpu64 = sheet(profile, id, "fma", "float64");
    rates->gpu_half =
        fmax(sheet(profile, id, "matmul", "bfloat16"), sheet(profile, id, "matmul", "float16"));
    rates->gpu_matrix64 = sheet(profile, id, "matmul", "float64");
    rates->gpu_memory = fmax(sheet(profile, id, "read", NULL), sheet(profile, id, "copy", NULL));
    rates->gpu_bus = sheet(profile, id, "bus_in_pinned", NULL);
    rates->units = gpu->units;
    rates->clock_hz = gpu->clock_hz;
    be_copy_text(rates->gpu, sizeof rates->gpu, profile->name);
}

/* GPUs that clusters have beside the largest, the smaller ones first: those whose last cache is about as large as an H100's,
 * so that the traffic of memory is about the same. */
static const struct {
    const char *profile, *name;
} smaller[BE_CARDS_MAX] = {{"datasheet-l4", "L4"}, {"datasheet-a100-40", "A100 (40 GB)"}};

static void take_cards(const struct be_store *store, struct be_trace_rates *rates) {
    for (size_t i = 0; i < BE_COUNT(smaller); i++) {
        const struct be_stored *found = be_store_find(store, smaller[i].profile);
        const struct be_device_info *gpu = found ? be_profile_gpu(&found->profile) : NULL;
        struct be_predict_place place;
        struct be_error error;
        if (gpu && be_predict_gpu_place(&found->profile, &place, &error) == BE_OK) {
            struct be_trace_rates as = {0};
            take_gpu(&found->profile, &as);
            rates->card[rates->cards] = (struct be_card_rates){
                .gpu32 = as.gpu32,
                .gpu64 = as.gpu64,
                .gpu_half = as.gpu_half,
                .gpu_matrix64 = as.gpu_matrix64,
                .gpu_memory = as.gpu_memory,
                .units = as.units,
                .clock_hz = as.clock_hz,
                .memory_bytes = gpu->memory_bytes,
                .clock_share = place.clock_share,
            };
            struct be_card_rates *card = &rates->card[rates->cards++];
            be_copy_text(card->name, sizeof card->name, smaller[i].name);
        }
    }
}

void be_node_rates(struct be_trace *trace) {
    struct be_store store;
    struct be_error error;
    struct be_profile profile = {0};
    const bool known = trace->rates.cpu[0], cards = trace->rates.cards > 0;
    if (!trace->gpus || (known && cards) || be_store_open(&store, &error) != BE_OK) {
        return;
    }
    if (!known) {
        find_cpu(&store, trace);
    }
    if (!cards) {
        take_cards(&store, &trace->rates);
    }
    be_store_close(&store);
    if (!known && be_cli_gpu_profile(trace->gpu[0].name, trace->gpu[0].memory_bytes, &profile)) {
        take_gpu(&profile, &trace->rates);
    }
    be_profile_free(&profile);
}
