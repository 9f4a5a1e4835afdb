/* Rules about a GPU that waits: the bus, launches, data, the program itself, other GPUs. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "observe/rules/rules.h"

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

/* The way that takes most of the time is slower than pinned memory ever is. What is copied the other way
 * may well be pinned, and so may half of the bytes be. */
static bool slow_way(const struct be_trace *trace, const struct be_gpu_look *look, int gpu) {
    double rate = look->copy_in > look->copy_out ? look->copy_in_rate : look->copy_out_rate;
    return rate < be_t(BE_T_BUS) * trace->gpu[gpu].bus_bytes_s;
}

bool be_check_pageable(const struct be_trace *trace, struct be_run_finding *finding) {
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
    be_found_advice(finding, be_look_no_python(trace)
                                 ? "cudaMallocHost, or cudaHostRegister, for what is copied"
                                 : "DataLoader(..., pin_memory=True), x.to('cuda', "
                                   "non_blocking=True)");
    return true;
}

/* ---- 10: launches -------------------------------------------------------------------------------- */

/* Then it is not idle, though nothing runs. */
static bool copying(const struct be_trace *trace, const struct be_gpu_look *look, int gpu) {
    double bus = fmax(look->bus_in, look->bus_out) / trace->gpu[gpu].bus_bytes_s;
    return bus >= be_t(BE_T_BUS_LOW) || look->copies >= be_t(BE_T_PAGEABLE_TIME);
}

/* Without a trace: one thread at a full core, a quiet bus, and a GPU with pauses. */
static bool fed_by_one_thread(const struct be_trace *trace, const struct be_gpu_look *look,
                              int gpu) {
    return isnan(look->kernel_s) && look->thread >= be_t(BE_T_ONE_THREAD) &&
           look->running < be_t(BE_T_BUSY) && !copying(trace, look, gpu);
}

/* Then small kernels, not long pauses, mean launches. */
static bool looks_launch_bound(const struct be_trace *trace, const struct be_gpu_look *look,
                               int gpu) {
    double stalled = be_look_stalled(trace, gpu, look->from_s, look->to_s, 0);
    double mean;
    return fed_by_one_thread(trace, look, gpu) && look->sm < be_t(BE_T_EMPTY) * look->running &&
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
    char median[BE_WORD];
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
    be_found_advice(finding,
                    be_look_no_python(trace)
                        ? "more work a kernel, or launches recorded once: cudaGraphLaunch"
                        : "torch.compile(model, mode='reduce-overhead'), or a larger batch");
    return true;
}

/* ---- 11: data -------------------------------------------------------------------------------------- */

/* Processes that feed: more at work than there are processes on GPUs, which are ranks. */
static int feeding(const struct be_trace *trace, const struct be_gpu_look *look, double *mean) {
    int workers = be_look_workers(trace, look->from_s, look->to_s, be_t(BE_T_WORKER), mean);
    double own = 0;
    for (int i = 0; i < trace->gpus; i++) {
        own += fmax(0, be_trace_max(trace, BE_GPU_OWN_PROCESSES, i));
    }
    return own > 1.5 && workers <= own ? 0 : workers;
}

/* More of them: as many as would keep up, or as there are cores for beside the program, and what that would
 * bring if each does as much as now. */
static void advise_workers(const struct be_trace *trace, const struct be_gpu_look *look,
                           int workers, struct be_run_finding *finding) {
    enum { MAX_TIMES = 8 };
    const double full = 0.9; /* nobody keeps a GPU at work without a pause */
    const bool python = !be_look_no_python(trace);
    const int capacity = trace->limits.cpus ? trace->limits.cpus - 1 : INT_MAX;
    const int wanted = (int)ceil(workers * fmin(full / fmax(look->running, 0.01), MAX_TIMES));
    const int more = wanted < capacity ? wanted : capacity;
    const int named = more > workers ? more : wanted;
    char so_many[BE_NAME];
    if (python) {
        snprintf(so_many, sizeof so_many, "DataLoader(..., num_workers=%d)", named);
    } else {
        snprintf(so_many, sizeof so_many, "%d processes that prepare data", named);
    }
    if (more <= workers) {
        be_found_advice(finding, "cheaper steps in %s, or more cores for %s instead of %d",
                        python ? "the loader" : "them", so_many, workers);
        return;
    }
    be_found_advice(finding,
                    "%s instead of %d%s could keep it at work for about %.0f %% of the time%s",
                    so_many, workers, more < wanted ? ", as many as there are cores for," : "",
                    100 * fmin(full, look->running * more / workers),
                    more < wanted ? ""
                    : python      ? "; or cheaper steps in the loader"
                                  : "; or cheaper steps in them");
}

static bool worker_stall(const struct be_trace *trace, const struct be_gpu_look *look,
                         struct be_run_finding *finding) {
    double each;
    int workers = feeding(trace, look, &each);
    if (!workers || !(look->running < be_t(BE_T_WAITING_GPU))) {
        return false;
    }
    be_found_evidence(
        finding,
        "the GPU waits for data %.0f %% of the time: %d worker process%s at %.0f %% of "
        "a core while it idles.",
        100 * (1 - look->running), workers, workers == 1 ? "" : "es", 100 * each);
    advise_workers(trace, look, workers, finding);
    return true;
}

static bool main_stall(const struct be_trace *trace, const struct be_gpu_look *look,
                       struct be_run_finding *finding) {
    double stalled =
        be_look_stalled(trace, finding->gpu, look->from_s, look->to_s, be_t(BE_T_WORKER));
    bool busy_bus = copying(trace, look, finding->gpu);
    bool gaps = stalled >= be_t(BE_T_STALLED_TIME) && !busy_bus;
    /* Traced: a thread at a full core that is not launching. */
    bool traced = look->kernels * be_t(BE_T_SHORT_KERNEL) < be_t(BE_T_LAUNCHING) &&
                  look->thread >= be_t(BE_T_WORKER) && look->running < be_t(BE_T_WAITING_GPU) &&
                  !busy_bus && !(look->sync_gap / look->syncs < be_t(BE_T_SYNC_IDLE));
    /* Not traced: large kernels with pauses between. */
    bool untraced = fed_by_one_thread(trace, look, finding->gpu) &&
                    look->running < be_t(BE_T_WAITING_GPU) &&
                    look->sm >= be_t(BE_T_EMPTY) * look->running;
    if (!gaps && !traced && !untraced) {
        return false;
    }
    be_found_evidence(
        finding,
        "the GPU waits %.0f %% of the time for the program itself: one of its threads "
        "is at %.0f %% of a core.",
        100 * (1 - look->running), 100 * look->thread);
    be_found_advice(finding,
                    be_look_no_python(trace)
                        ? "does it prepare data? on %d threads, while the GPU computes%s"
                        : "does it prepare data? DataLoader(..., num_workers=%d)%s",
                    trace->limits.cpus > 2 ? (int)fmin(8, trace->limits.cpus - 1) : 1,
                    isnan(look->kernel_s) ? "; breakeven run --trace says more" : "");
    return true;
}

static bool storage_stall(const struct be_gpu_look *look, struct be_run_finding *finding) {
    double wait = fmax(look->io_pressure, look->blocked > 1 ? 1 : look->blocked);
    if (!(wait > be_t(BE_T_IO_WAIT)) || !(look->running < be_t(BE_T_WAITING_GPU))) {
        return false;
    }
    be_found_evidence(finding,
                      "the GPU waits for storage: threads of the program waited for it %.0f %% of "
                      "the time, and kernels ran %.0f %%.",
                      100 * wait, 100 * look->running);
    be_found_advice(finding, "copy the data to the node's own disk first (cp -r DATA $TMPDIR), or "
                             "fewer, larger files");
    return true;
}

bool be_check_loader_stall(const struct be_trace *trace, struct be_run_finding *finding) {
    struct be_gpu_look look;
    be_look_gpu(trace, finding->gpu, &look);
    bool held = storage_stall(&look, finding) || worker_stall(trace, &look, finding) ||
                main_stall(trace, &look, finding);
    if (held) {
        be_found(finding, BE_WEIGHT_COST, look.length_s * (1 - look.running));
    }
    return held;
}

/* ---- 12: the program waits for the GPU --------------------------------------------------------------- */

bool be_check_wait_bound(const struct be_trace *trace, struct be_run_finding *finding) {
    char each[BE_WORD];
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
    be_found_advice(finding, "no %s in every step: every hundredth is enough",
                    be_look_no_python(trace) ? "cudaDeviceSynchronize, and no result copied back,"
                                             : ".item(), .cpu() or print(loss)");
    return true;
}

/* ---- 17: other GPUs ------------------------------------------------------------------------------------ */

bool be_check_communication(const struct be_trace *trace, struct be_run_finding *finding) {
    char rate[BE_WORD];
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
    be_found_advice(finding, be_look_no_python(trace)
                                 ? "more work a GPU between two exchanges, or fewer bytes in each"
                                 : "a larger batch a GPU, or gradients in bfloat16 "
                                   "(torch.distributed.algorithms.ddp_comm_hooks)");
    return true;
}
