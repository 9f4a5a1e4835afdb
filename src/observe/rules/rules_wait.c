/* Waits of a GPU: for the bus, launches, being waited for, other GPUs. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "observe/rules/words.h"

/* ---- 9: the bus -------------------------------------------------------------------------------- */

static bool bus_full(const struct be_trace *trace, const struct be_gpu_look *look,
                     struct be_run_finding *finding) {
    char rate[BE_WORD], link[BE_WORD];
    double max = trace->gpu[finding->gpu].bus_bytes_s;
    double larger = fmax(look->bus_in, look->bus_out);
    if (!(larger / max >= be_t(BE_T_BUS)) || !(look->sm < be_t(BE_T_BUS_SM))) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, look->length_s * (1 - look->sm));
    be_found_evidence(
        finding, "the bus decides: %s %s of the link's %s, while SM activity is %.0f %%.",
        be_format_rate(rate, sizeof rate, larger, ""), look->bus_in >= look->bus_out ? "in" : "out",
        be_format_rate(link, sizeof link, max, ""), 100 * look->sm);
    return true;
}

bool be_check_bus_bound(const struct be_trace *trace, struct be_run_finding *finding) {
    struct be_gpu_look look;
    be_look_gpu(trace, finding->gpu, &look);
    bool held = bus_full(trace, &look, finding);
    if (!held && look.copies >= be_t(BE_T_COPIES)) {
        held = true;
        be_found(finding, BE_WEIGHT_COST, look.length_s * fmin(look.copies, 1));
        be_found_evidence(finding, "copies between host and GPU take %.0f %% of the time.",
                          100 * fmin(look.copies, 1));
    }
    if (held) {
        be_found_advice(finding,
                        "keep on the GPU what is used again: copy it once, before the loop");
    }
    return held;
}

/* The way that takes most of the time is slower than pinned memory ever is. The memory copied the other way may well be
 * pinned, and so may half of the bytes be. */
static bool slow_way(const struct be_trace *trace, const struct be_gpu_look *look, int gpu) {
    double rate = look->copy_in > look->copy_out ? look->copy_in_rate : look->copy_out_rate;
    return rate < be_t(BE_T_BUS) * trace->gpu[gpu].bus_bytes_s;
}

bool be_check_pageable(const struct be_trace *trace, struct be_run_finding *finding) {
    char words[BE_NOTE];
    struct be_gpu_look look;
    be_look_gpu(trace, finding->gpu, &look);
    bool max = look.pageable >= be_t(BE_T_PAGEABLE);
    bool some = look.pageable >= be_t(BE_T_PAGEABLE_SOME) && slow_way(trace, &look, finding->gpu);
    if ((!max && !some) || !(look.copies >= be_t(BE_T_PAGEABLE_TIME))) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, look.length_s * fmin(look.copies, 1) / 2);
    be_found_evidence(
        finding,
        "copies from ordinary memory: %.0f %% of the bytes are not pinned, and copies "
        "take %.0f %% of the time.",
        100 * look.pageable, 100 * fmin(look.copies, 1));
    be_found_advice(finding, "%s", be_words(trace, BE_SAY_PINNED, 0, words));
    return true;
}

/* ---- 10: launches -------------------------------------------------------------------------------- */

/* Then small kernels, not long pauses, mean launches. */
static bool looks_launch_bound(const struct be_trace *trace, const struct be_gpu_look *look,
                               int gpu) {
    double stalled = be_look_stalled(trace, gpu, look->from_s, look->to_s, 0);
    double mean;
    return be_look_fed_by_one(trace, look, gpu) && look->sm < be_t(BE_T_EMPTY) * look->running &&
           stalled < be_t(BE_T_STALLED_TIME) &&
           be_look_workers(trace, look->from_s, look->to_s, be_t(BE_T_WORKER), &mean) == 0;
}

/* So many launches that they take a good part of one thread's time; or so many kernels, with so short a
 * pause before each, that launching is what fills the pauses. */
static bool launching(const struct be_gpu_look *look) {
    double pauses = look->gap_s < be_t(BE_T_LAUNCH_GAP) ? look->kernels * look->gap_s : 0;
    return look->kernels * be_t(BE_T_SHORT_KERNEL) >= be_t(BE_T_LAUNCHING) ||
           pauses >= be_t(BE_T_LAUNCH_PAUSES);
}

bool be_check_launch_bound(const struct be_trace *trace, struct be_run_finding *finding) {
    char median[BE_WORD], words[BE_NOTE];
    struct be_gpu_look look;
    be_look_gpu(trace, finding->gpu, &look);
    bool traced = look.kernel_s < be_t(BE_T_SHORT_KERNEL) && launching(&look) &&
                  look.sm_max < be_t(BE_T_SM_LOW);
    if (!traced && !looks_launch_bound(trace, &look, finding->gpu)) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST,
             look.length_s * (1 - (traced ? look.kernel_share : look.running)));
    if (traced) {
        be_found_evidence(
            finding,
            "launches decide: %.0f kernels a second, half of them shorter than %s: no "
            "longer than it takes to launch one.",
            look.kernels, be_format_seconds(median, sizeof median, look.kernel_s, ""));
    } else {
        be_found_evidence(finding,
                          "launches decide: one thread is at %.0f %% of a core, and SM activity at "
                          "%.0f %% without long pauses.",
                          100 * look.thread, 100 * look.sm);
    }
    be_found_advice(finding, "%s", be_words(trace, BE_SAY_LAUNCHES, 0, words));
    return true;
}

/* ---- 12: the program waits for the GPU --------------------------------------------------------------- */

bool be_check_wait_bound(const struct be_trace *trace, struct be_run_finding *finding) {
    char each[BE_WORD], words[BE_NOTE];
    struct be_gpu_look look;
    be_look_gpu(trace, finding->gpu, &look);
    double idle_s = look.sync_gap / look.syncs;
    if (!(look.sync_gap >= be_t(BE_T_SYNC_GAPS)) || !(idle_s < be_t(BE_T_SYNC_IDLE))) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, look.length_s * look.sync_gap);
    be_found_evidence(
        finding,
        "the program waits for the GPU %.0f times a second, and each time the GPU then "
        "stands for %s: %.0f %% of the time.",
        look.syncs, be_format_seconds(each, sizeof each, idle_s, ""), 100 * look.sync_gap);
    be_found_advice(finding, "%s", be_words(trace, BE_SAY_FETCH, 0, words));
    return true;
}

/* ---- 17: other GPUs ------------------------------------------------------------------------------------ */

bool be_check_communication(const struct be_trace *trace, struct be_run_finding *finding) {
    char rate[BE_WORD], words[BE_NOTE];
    struct be_gpu_look look;
    be_look_gpu(trace, finding->gpu, &look);
    if (look.nccl >= be_t(BE_T_NCCL)) {
        be_found(finding, BE_WEIGHT_COST, look.length_s * look.nccl);
        be_found_evidence(finding,
                          "communication between GPUs takes %.0f %% of the time (kernels of "
                          "NCCL).",
                          100 * look.nccl);
    } else if (look.link >= be_t(BE_T_LINK) && look.sm < be_t(BE_T_SM_LOW)) {
        be_found(finding, BE_WEIGHT_COST, look.length_s * (1 - look.sm));
        be_found_evidence(finding,
                          "communication between GPUs: %s over their links, while SM activity is "
                          "%.0f %%.",
                          be_format_rate(rate, sizeof rate, look.link, ""), 100 * look.sm);
    } else {
        return false;
    }
    be_found_advice(finding, "%s", be_words(trace, BE_SAY_EXCHANGE, 0, words));
    return true;
}
