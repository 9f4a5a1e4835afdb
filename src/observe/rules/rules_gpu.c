/* Which GPUs were used, how full they were, and what held them down. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "observe/rules/words.h"

static const char *name_of(const struct be_trace *trace, int gpu, char *to, size_t capacity) {
    if (trace->gpus == 1) {
        snprintf(to, capacity, "the GPU");
    } else {
        snprintf(to, capacity, "GPU %d", gpu);
    }
    return to;
}

bool be_check_gpu_shared(const struct be_trace *trace, struct be_run_finding *finding) {
    char name[BE_WORD];
    int shared = 0, first = -1;
    double others = 0;
    for (int i = 0; i < trace->gpus; i++) {
        if (be_look_foreign(trace, i) && be_look_used(trace, i) != 0) {
            first = shared++ ? first : i;
            others = fmax(others, be_trace_max(trace, BE_GPU_FOREIGN_PROCESSES, i));
        }
    }
    if (!shared) {
        return false;
    }
    be_found(finding, BE_WEIGHT_NOTE, NAN);
    finding->gpu = first;
    be_found_evidence(finding,
                      "not alone on %s%s: up to %.0f process%s of others; its counters are of all, "
                      "so nothing is said of how well it was used.",
                      name_of(trace, first, name, sizeof name), shared > 1 ? " and others" : "",
                      others, others > 1.5 ? "es" : "");
    be_found_advice(finding, "nvidia-smi lists who else is on it");
    return true;
}

/* ---- 1, 2 -------------------------------------------------------------------------------------- */

bool be_check_gpu_unused(const struct be_trace *trace, struct be_run_finding *finding) {
    char words[BE_NOTE];
    int unused = 0;
    for (int i = 0; i < trace->gpus; i++) {
        unused += be_look_used(trace, i) == 0;
    }
    if (!trace->gpus || unused < trace->gpus) {
        return false;
    }
    be_found(finding, trace->job[0] ? BE_WEIGHT_COST : BE_WEIGHT_NOTE, trace->elapsed_s);
    be_found_evidence(finding, "no GPU was used: no kernel ran on %s.",
                      trace->gpus == 1 ? "the one there is" : "any of those there are");
    be_found_advice(finding, "%s%s", be_words(trace, BE_SAY_SEES_GPU, 0, words),
                    trace->job[0] ? "; without need for one, ask for none" : "");
    return true;
}

bool be_check_gpus_uneven(const struct be_trace *trace, struct be_run_finding *finding) {
    char line[BE_NOTE], words[BE_NOTE];
    int idle = 0, used = 0, last_idle = 0;
    double min = INFINITY, max = 0;
    for (int i = 0; i < trace->gpus; i++) {
        struct be_gpu_look look;
        be_look_gpu(trace, i, &look);
        int known = be_look_used(trace, i);
        used += known == 1;
        idle += known == 0;
        last_idle = known == 0 ? i : last_idle;
        if (known == 1 && !isnan(look.sm) && !be_look_foreign(trace, i)) {
            min = fmin(min, look.sm);
            max = fmax(max, look.sm);
        }
    }
    if (used && idle) {
        be_found(finding, BE_WEIGHT_COST, trace->elapsed_s * idle / trace->gpus);
        be_found_evidence(finding, "%d of %d GPUs did nothing (GPU %d%s).", idle, trace->gpus,
                          last_idle, idle > 1 ? " and others" : "");
        be_found_advice(finding, "%.120s, or %.180s",
                        be_batch_line(trace, BE_BATCH_GPUS, used, line),
                        be_words(trace, BE_SAY_ALL_GPUS, trace->gpus, words));
        return true;
    }
    if (used > 1 && max - min > be_t(BE_T_SPREAD)) {
        be_found(finding, BE_WEIGHT_COST, trace->elapsed_s * (max - min));
        be_found_evidence(finding, "the GPUs do unequal work: SM activity from %.0f to %.0f %%.",
                          100 * min, 100 * max);
        be_found_advice(finding, "give each as much: %s", be_words(trace, BE_SAY_EVEN, 0, words));
        return true;
    }
    return false;
}

/* ---- 3, 4 -------------------------------------------------------------------------------------- */

bool be_check_gpu_empty(const struct be_trace *trace, struct be_run_finding *finding) {
    struct be_gpu_look look;
    be_look_gpu(trace, finding->gpu, &look);
    if (!(look.busy >= be_t(BE_T_BUSY)) || !(look.sm < be_t(BE_T_EMPTY))) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, look.length_s * (1 - look.sm));
    be_found_evidence(finding,
                      "busy but empty: kernels ran %.0f %% of the time, on %.0f %% of the "
                      "multiprocessors.",
                      100 * look.busy, 100 * look.sm);
    be_found_advice(finding,
                    "more work a kernel: a larger batch, or several at once (streams, MPS)");
    return true;
}

bool be_check_sm_low(const struct be_trace *trace, struct be_run_finding *finding) {
    struct be_gpu_look look;
    be_look_gpu(trace, finding->gpu, &look);
    if (!(look.sm < be_t(BE_T_SM_GOOD))) {
        return false;
    }
    bool low = look.sm < be_t(BE_T_SM_LOW);
    be_found(finding, low ? BE_WEIGHT_COST : BE_WEIGHT_NOTE, look.length_s * (1 - look.sm));
    be_found_evidence(finding,
                      "the GPU is %s used: SM activity %.0f %% while it was in use (good is %.0f "
                      "or more).",
                      low ? "little" : "partly", 100 * look.sm, 100 * be_t(BE_T_SM_GOOD));
    be_found_advice(finding, isnan(look.kernels)
                                 ? "breakeven run --trace -- COMMAND says what it waits for"
                                 : "a larger batch, or more work between two waits");
    return true;
}

/* ---- 15, 16, 18 --------------------------------------------------------------------------------- */

/* Frameworks that take their memory at once say nothing by how much they take. */
static bool taken_at_once(const struct be_trace *trace, int gpu) {
    const struct be_signal_series *series = be_trace_series(trace, BE_GPU_MEMORY, gpu);
    double max = be_trace_max(trace, BE_GPU_MEMORY, gpu), before = 0;
    for (int i = 0; series && i < trace->ticks; i++) {
        double value = (double)series->value[i];
        if (value >= 0.95 * max) {
            return before < 0.25 * max;
        }
        before = isnan(value) ? before : value;
    }
    return false;
}

bool be_check_gpu_too_big(const struct be_trace *trace, struct be_run_finding *finding) {
    char bytes[BE_WORD], whole[BE_WORD];
    struct be_gpu_look look;
    const struct be_trace_gpu *gpu = &trace->gpu[finding->gpu];
    be_look_gpu(trace, finding->gpu, &look);
    double max = be_trace_max(trace, BE_GPU_MEMORY, finding->gpu);
    if (!(look.running <= be_t(BE_T_SMALL_BUSY)) || !(max <= be_t(BE_T_SMALL_BYTES)) ||
        gpu->slice || !(gpu->memory_bytes > 2 * be_t(BE_T_SMALL_BYTES))) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, look.length_s * (1 - look.running));
    be_found_evidence(finding,
                      "a smaller GPU would do: kernels ran %.0f %% of the time, in %s of its %s.",
                      100 * look.running, be_format_bytes(bytes, sizeof bytes, max, ""),
                      be_format_bytes(whole, sizeof whole, gpu->memory_bytes, ""));
    be_found_advice(finding, "ask for a part of one (MIG, --gpus=1g.10gb:1) or an older one");
    return true;
}

bool be_check_gpu_memory_full(const struct be_trace *trace, struct be_run_finding *finding) {
    char bytes[BE_WORD], whole[BE_WORD], words[BE_NOTE];
    double max = be_trace_max(trace, BE_GPU_MEMORY, finding->gpu);
    double all = trace->gpu[finding->gpu].memory_bytes;
    if (be_look_used(trace, finding->gpu) != 1 || !(max / all > be_t(BE_T_MEMORY_FULL)) ||
        taken_at_once(trace, finding->gpu)) {
        return false;
    }
    be_found(finding, BE_WEIGHT_NOTE, NAN);
    be_found_evidence(finding,
                      "the GPU's memory is nearly full: %s of %s; a longer input may not fit.",
                      be_format_bytes(bytes, sizeof bytes, max, ""),
                      be_format_bytes(whole, sizeof whole, all, ""));
    be_found_advice(finding, "%s", be_words(trace, BE_SAY_GPU_MEMORY, 0, words));
    return true;
}

bool be_check_startup(const struct be_trace *trace, struct be_run_finding *finding) {
    char first[BE_WORD];
    struct be_gpu_look look;
    be_look_gpu(trace, finding->gpu, &look);
    if (!look.used || !(look.from_s >= be_t(BE_T_STARTUP_S)) ||
        !(look.from_s > be_t(BE_T_STARTUP) * trace->elapsed_s)) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, look.from_s);
    be_found_evidence(finding,
                      "start-up dominates: the first kernel ran after %s, %.0f %% of the run.",
                      be_format_seconds(first, sizeof first, look.from_s, ""),
                      100 * look.from_s / trace->elapsed_s);
    be_found_advice(finding, "prepare the data in a job of its own, without a GPU");
    return true;
}

static bool works(const struct be_trace *trace, int tick, const void *context) {
    int gpu = *(const int *)context;
    double active = be_trace_at(trace, BE_GPU_SM_ACTIVE, gpu, tick);
    return !((isnan(active) ? be_trace_at(trace, BE_GPU_BUSY, gpu, tick) : active) < 0.5);
}

/* While it works: why the clock is low is asked once a second, and still said when the GPU idles. */
static bool power_held(const struct be_trace *trace, int tick, const void *gpu) {
    return be_trace_at(trace, BE_GPU_THROTTLED_POWER, *(const int *)gpu, tick) >= 0.5 &&
           works(trace, tick, gpu);
}

/* Dense matrix work meets the limit before the average of the power shows it. */
static bool check_power(const struct be_trace *trace, const struct be_gpu_look *look,
                        struct be_run_finding *finding) {
    int gpu = finding->gpu;
    double works_s = 0;
    double held = be_trace_mean_where(trace, BE_GPU_THROTTLED_POWER, gpu, works, &gpu, &works_s);
    double watts = be_trace_mean_where(trace, BE_GPU_POWER, gpu, power_held, &gpu, NULL);
    double clock = be_trace_mean_where(trace, BE_GPU_CLOCK, gpu, power_held, &gpu, NULL);
    double limit = trace->gpu[gpu].power_limit_w;
    double highest = be_trace_max(trace, BE_GPU_CLOCK, gpu);
    double share = held * works_s / look->length_s;
    char hertz[BE_WORD], max[BE_WORD], watt[BE_NAME] = "";
    if (!(share >= be_t(BE_T_HELD))) {
        return false;
    }
    share = fmin(share, 1); /* it may have worked a little before and after the time looked at */
    bool full = isnan(watts / limit) || watts >= be_t(BE_T_POWER_DRAWN) * limit ||
                clock >= be_t(BE_T_CLOCK_LOW) * highest;
    if (!isnan(watts / limit)) {
        snprintf(watt, sizeof watt, ", %.0f W of %.0f", watts, limit);
    }
    be_found(finding, full ? BE_WEIGHT_GOOD : BE_WEIGHT_COST, full ? NAN : look->length_s * share);
    be_found_evidence(
        finding,
        "the power limit held its clock down %.0f %% of the time (clock then %s of %s%s)%s.",
        100 * share, be_format_hertz(hertz, sizeof hertz, clock, "not measured"),
        be_format_hertz(max, sizeof max, highest, "not measured"), watt,
        full ? ": it works as hard as it may" : "");
    return true;
}

bool be_check_throttled(const struct be_trace *trace, struct be_run_finding *finding) {
    struct be_gpu_look look;
    int gpu = finding->gpu;
    be_look_gpu(trace, gpu, &look);
    double heat = be_look_mean(trace, BE_GPU_THROTTLED_HEAT, gpu, look.from_s, look.to_s);
    double clock = be_look_mean(trace, BE_GPU_CLOCK, gpu, look.from_s, look.to_s);
    char hertz[BE_WORD];
    if (!(heat >= be_t(BE_T_HELD))) {
        return check_power(trace, &look, finding);
    }
    be_found(finding, BE_WEIGHT_COST, look.length_s * heat);
    be_found_evidence(finding,
                      "too hot: heat held its clock down %.0f %% of the time (mean clock %s).",
                      100 * heat, be_format_hertz(hertz, sizeof hertz, clock, "not measured"));
    be_found_advice(finding, "tell who runs the machine: nvidia-smi -q -d PERFORMANCE");
    return true;
}
