#include "ask/gpu_worth.h"

#include <math.h>

#include "ask/gpu_rest.h"
#include "ask/gpu_smaller.h"
#include "ask/usual_code.h"
#include "base/error.h"
#include "observe/rules/look.h"

const char *const be_gpu_cause_words[BE_GPU_CAUSES] = {
    [BE_GPU_BY_WORK] = "work",
    [BE_GPU_BY_SHORTNESS] = "short",
    [BE_GPU_BY_OTHERS] = "others",
    [BE_GPU_BY_MODEL] = "no-data-sheet",
    [BE_GPU_BY_COUNTERS] = "no-counters",
    [BE_GPU_BY_IDLENESS] = "idle",
};

/* ---- the verdict ---------------------------------------------------------------------------- */

/* Both are seldom at the same end, but for `together` at the upper one. A typical time that is not known leaves the ends as
 * they are. */
static struct be_worth_time sum_of(const struct be_worth_time *a, const struct be_worth_time *b,
                                   bool together) {
    const double sum_s = a->typical_s + b->typical_s;
    if (isnan(sum_s)) {
        return (struct be_worth_time){a->lo_s + b->lo_s, NAN, a->hi_s + b->hi_s};
    }
    return (struct be_worth_time){
        .lo_s = sum_s - hypot(a->typical_s - a->lo_s, b->typical_s - b->lo_s),
        .typical_s = sum_s,
        .hi_s = together ? a->hi_s + b->hi_s
                         : sum_s + hypot(a->hi_s - a->typical_s, b->hi_s - b->typical_s),
    };
}

static void judge(const struct be_trace *trace, const struct be_gpu_work *work,
                  struct be_gpu_worth *worth) {
    const double elapsed_s = trace->elapsed_s - trace->stopped_s;
    const struct be_cpu_side *side = be_cpu_side_of(trace->libraries);
    struct be_gpu_rest rest;
    be_gpu_rest_of(trace, work, &rest);
    /* A team of threads on small calls makes calls and work slow alike, where a library takes all cores for each. */
    const bool together = side->all_cores && rest.launching;
    worth->well = sum_of(&rest.without, &worth->all, together);
    worth->run = worth->well;
    if (side->one_core && work->counted) {
        const struct be_worth_time one = sum_of(&rest.without, &worth->one, together);
        worth->run.typical_s = side->all_cores ? worth->well.typical_s : one.typical_s;
        worth->run.hi_s = fmax(worth->well.hi_s, one.hi_s);
        be_copy_text(worth->one_core, sizeof worth->one_core, side->name[0] ? side->name : "-");
    }
    worth->gain = worth->run.typical_s / elapsed_s;
    worth->gain_lo = worth->run.lo_s / elapsed_s;
    worth->gain_hi = worth->run.hi_s / elapsed_s;
    if (worth->gain_hi < be_ask_worth) {
        worth->verdict = BE_ASK_NO;
    } else if (!work->counted) {
        worth->verdict = BE_ASK_UNKNOWN;
        worth->cause = work->seldom ? BE_GPU_BY_SHORTNESS : BE_GPU_BY_COUNTERS;
    } else {
        worth->verdict = worth->gain_lo > be_ask_worth ? BE_ASK_YES : BE_ASK_CLOSE;
    }
}

/* A file may say anything. */
static bool are_rates(const struct be_trace_rates *rates) {
    const struct be_core_rates *one = &rates->one, *all = &rates->all;
    return rates->gpu[0] && rates->off >= 1 && one->float32 > 0 && one->float64 > 0 &&
           one->memory > 0 && all->float32 > 0 && all->float64 > 0 && all->memory > 0 &&
           rates->gpu32 > 0 && rates->gpu_memory > 0;
}

/* True: nothing can be said, for the cause given. */
static bool is_withheld(const struct be_trace *trace, struct be_gpu_worth *worth) {
    bool foreign = false;
    for (int i = 0; i < trace->gpus; i++) {
        foreign |= be_look_foreign(trace, i) && be_look_used(trace, i) != 0;
    }
    worth->cause = be_trace_too_short(trace)   ? BE_GPU_BY_SHORTNESS
                   : foreign                   ? BE_GPU_BY_OTHERS
                   : !are_rates(&trace->rates) ? BE_GPU_BY_MODEL
                                               : BE_GPU_BY_WORK;
    return worth->cause != BE_GPU_BY_WORK;
}

/* In a run that is too short for more, a process of its own on it, or anything that ran, is a sign. */
static bool is_used(const struct be_trace *trace, int gpu) {
    const int used = be_look_used(trace, gpu);
    return used == 1 || (used < 0 && (be_trace_max(trace, BE_GPU_OWN_PROCESSES, gpu) > 0.5 ||
                                      be_trace_max(trace, BE_GPU_BUSY, gpu) > be_t(BE_T_IDLE)));
}

/* The program had memory on it, and next to nothing ran. */
static bool is_held(const struct be_trace *trace, int gpu) {
    return be_look_used(trace, gpu) == 0 && be_trace_max(trace, BE_GPU_OWN_MEMORY, gpu) > 0;
}

static void find_held(const struct be_trace *trace, struct be_gpu_worth *worth) {
    for (int i = 0; i < trace->gpus; i++) {
        if (is_held(trace, i)) {
            const double ran = fmax(be_trace_mean(trace, BE_GPU_BUSY, i),
                                    be_trace_mean(trace, BE_GPU_GRAPHICS, i));
            const double held = be_trace_max(trace, BE_GPU_OWN_MEMORY, i);
            worth->used = true;
            worth->verdict = BE_ASK_NO;
            worth->cause = BE_GPU_BY_IDLENESS;
            worth->gpus++;
            worth->gpu_s = fmax(worth->gpu_s, ran * trace->elapsed_s);
            worth->held_bytes = fmax(worth->held_bytes, held);
        }
    }
}

void be_gpu_worth_of(const struct be_trace *trace, struct be_gpu_worth *worth) {
    const struct be_trace_rates *rates = &trace->rates;
    const struct be_worth_time none = {NAN, NAN, NAN};
    struct be_gpu_work work = {.counted = true, .from_s = NAN, .to_s = NAN};
    int only = -1;
    *worth = (struct be_gpu_worth){.all = none, .one = none, .well = none, .run = none};
    worth->gpu_s = worth->kernels = worth->operations = worth->bytes = worth->smaller_longer = NAN;
    worth->held_bytes = NAN;
    worth->gain = worth->gain_lo = worth->gain_hi = NAN;
    for (int i = 0; i < trace->gpus; i++) {
        if (is_used(trace, i)) {
            only = i;
            worth->gpus++;
            be_gpu_work_add(trace, i, &work);
        }
    }
    worth->used = worth->gpus > 0;
    worth->cores = trace->limits.cpus ? trace->limits.cpus : rates->cores;
    if (!worth->used) {
        find_held(trace, worth);
        return;
    }
    if (is_withheld(trace, worth)) {
        return;
    }
    worth->gpu_s = work.gpu_s;
    worth->kernels = work.kernels;
    if (work.counted) {
        worth->operations = work.plain32 + work.plain64 + work.half + work.matrix64;
        worth->bytes = work.bytes;
        worth->all = be_gpu_work_on_cores(rates, &work, worth->cores);
        worth->one = be_gpu_work_as_arrays(rates, &work, worth->cores);
    } else {
        worth->all = be_gpu_work_at_most(rates, work.gpu_s, worth->gpus, worth->cores);
        worth->one = be_gpu_work_at_most(rates, work.gpu_s, worth->gpus, 1);
    }
    judge(trace, &work, worth);
    if (worth->verdict != BE_ASK_NO && worth->gpus == 1 && work.counted) {
        be_gpu_part(trace, only, worth);
        be_gpu_cards(trace, only, &work, worth);
    }
}
