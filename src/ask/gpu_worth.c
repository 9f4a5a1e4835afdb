#include "ask/gpu_worth.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "observe/rules/look.h"

const char *const be_gpu_cause_words[BE_GPU_CAUSES] = {
    [BE_GPU_BY_WORK] = "work",
    [BE_GPU_BY_SHORTNESS] = "short",
    [BE_GPU_BY_OTHERS] = "others",
    [BE_GPU_BY_MODEL] = "no-data-sheet",
    [BE_GPU_BY_COUNTERS] = "no-counters",
};

/* Usual code of a CPU over its rates: 5 %, 50 % and 95 % (docs/prediction.md, "Your own computation"). */
static const struct be_worth_time operations = {1, 2.60, 6.77}, memory = {1, 2.45, 5.50};
/* Products come from a library, near the rate. A CPU with matrix units for 16 bits multiplies up to eight times as fast
 * as its float32 units do (AMX of Sapphire Rapids: 1024 against 128 operations a clock and core). */
static const struct be_worth_time products = {1.0 / 8, 1.3, 3.42};

/* A multiprocessor issues an instruction of a warp four times a clock, and one warp at most every fourth clock where each
 * instruction needs the one before it (predict/place.c, step_cycles). Work that no counter sees is within that. */
static const double issues = 4, step_cycles = 4, warps_most = 64, lanes = 32;
/* Where arithmetic of integers is counted, too, other instructions are at most two for each of all arithmetic: loads and
 * stores of elementwise work are a third of one (an addition of arrays, docs/run.md). Lanes of a multiprocessor since Volta
 * (CUDA C++ programming guide, arithmetic instructions: Hopper). */
static const double with_others = 3, int_lanes = 64, fp32_lanes = 128, fp64_lanes = 64;

/* So many threads on a GPU are worth a core: a few vectors each. Fewer have no work for several cores. */
static const double threads_a_core = 1024;

/* FP32 work alone shows as that part of it on the tensor units (docs/gpu-signals.md). */
static const double tensor_echo = 0.05;

/* The driver's start, which a run without a GPU lacks, and memory that it takes for itself. */
static const double start_s = 0.3, context_bytes = 6e8;

/* ---- the work of the GPUs ------------------------------------------------------------------- */

struct work {
    double plain32, plain64, half, matrix64; /* operations */
    double bytes, bus_s, set_bytes;
    double issued;  /* lanes of instructions, at most, of all units */
    double threads; /* on a GPU at a time, while kernels run */
    double gpu_s, kernels;
    bool counted, seldom; /* seldom: there are such counters, and too few readings of them */
};

static double or_none(double value) {
    return value > 0 ? value : 0;
}

static double clock_share(const struct be_trace *trace, int gpu, const struct be_gpu_look *look) {
    const double hertz = be_look_mean(trace, BE_GPU_CLOCK, gpu, look->from_s, look->to_s);
    const double share = hertz / trace->rates.clock_hz;
    return share > 0 ? fmin(share, 1) : 1;
}

/* Lanes of instructions of a multiprocessor a clock, at most. */
static double issued(const struct be_trace *trace, int gpu, const struct be_gpu_look *look) {
    const double by_warps = look->occupancy * warps_most / step_cycles;
    const double possible = lanes * fmin(issues * look->sm, isnan(by_warps) ? INFINITY : by_warps);
    const double integer = be_look_mean(trace, BE_GPU_INT, gpu, look->from_s, look->to_s);
    const double fp16 = be_look_mean(trace, BE_GPU_FP16, gpu, look->from_s, look->to_s);
    const double seen = integer * int_lanes + fp64_lanes * or_none(look->fp64) +
                        fp32_lanes * (or_none(look->fp32) + or_none(fp16));
    return isnan(seen) ? possible : fmin(possible, with_others * seen);
}

static void add_counted(const struct be_trace *trace, int gpu, const struct be_gpu_look *look,
                        struct work *work) {
    const struct be_trace_rates *rates = &trace->rates;
    const double s = look->length_s, clock_s = clock_share(trace, gpu, look) * s;
    const double fp16 = be_look_mean(trace, BE_GPU_FP16, gpu, look->from_s, look->to_s);
    const double bus = or_none(look->bus_in) + or_none(look->bus_out);
    const double half = look->tensor - or_none(look->tensor_fp64) - tensor_echo * look->fp32;
    /* The CPU computes in float32 what a GPU may in 16 bits. */
    work->plain32 += (or_none(look->fp32) + 2 * or_none(fp16)) * rates->gpu32 * clock_s;
    work->plain64 += or_none(look->fp64) * or_none(rates->gpu64) * clock_s;
    work->half += or_none(half) * or_none(rates->gpu_half) * clock_s;
    work->matrix64 += or_none(look->tensor_fp64) * or_none(rates->gpu_matrix64) * clock_s;
    /* Copies over the bus land in the GPU's memory, which is none of its work. */
    work->bytes += or_none(look->dram * rates->gpu_memory - bus) * s;
    work->bus_s += bus / rates->gpu_bus * s;
    work->issued += issued(trace, gpu, look) * rates->units * rates->clock_hz * clock_s;
    work->threads =
        fmax(work->threads, look->occupancy / look->running * warps_most * lanes * rates->units);
}

static void add_gpu(const struct be_trace *trace, int gpu, struct work *work) {
    struct be_gpu_look look;
    be_look_gpu(trace, gpu, &look);
    const double own = be_trace_max(trace, BE_GPU_OWN_MEMORY, gpu);
    const double bytes = own > 0 ? own : be_trace_max(trace, BE_GPU_MEMORY, gpu);
    work->set_bytes += fmax(0, bytes - context_bytes);
    /* Traced kernels tell more exactly when any ran. A share that is not known may be all of the time. */
    work->gpu_s = fmax(work->gpu_s, fmin(fmin(look.running, look.kernel_share), 1) * look.length_s);
    work->kernels += look.kernels * look.length_s;
    work->counted &= !isnan(look.sm) && !isnan(look.dram) && !isnan(look.fp32);
    work->seldom |= isnan(look.sm) && be_trace_series(trace, BE_GPU_SM_ACTIVE, gpu);
    add_counted(trace, gpu, &look, work);
}

/* ---- that work on cores --------------------------------------------------------------------- */

/* Between one core and all of those that were measured; the node's own number may be another one. */
static struct be_core_rates rates_of(const struct be_trace_rates *rates, double cores) {
    const double share = rates->cores > 1 ? (cores - 1) / (rates->cores - 1)
                         : cores > 1      ? cores - 1
                                          : 0;
    const struct be_core_rates *one = &rates->one, *all = &rates->all;
    return (struct be_core_rates){
        .float32 = one->float32 + share * (all->float32 - one->float32),
        .float64 = one->float64 + share * (all->float64 - one->float64),
        .memory = one->memory + share * (all->memory - one->memory),
        .cache = one->cache + share * (all->cache - one->cache),
    };
}

static double longest(double a, double b) {
    return a > b ? a : b;
}

static struct be_worth_time on_cores(const struct be_trace_rates *rates, const struct work *work,
                                     double cores) {
    const struct be_core_rates r = rates_of(rates, cores);
    const double plain_s = work->plain32 / r.float32 + work->plain64 / r.float64;
    const double matrix_s = work->half / r.float32 + work->matrix64 / r.float64;
    const double memory_s = work->bytes / r.memory;
    const double cached_s =
        work->set_bytes <= rates->cache_bytes ? work->bytes / r.cache : memory_s;
    const double issued_s = work->issued / (r.float32 / 2) * operations.typical_s;
    return (struct be_worth_time){
        .lo_s = longest(plain_s * operations.lo_s + matrix_s * products.lo_s,
                        fmin(memory_s, cached_s) * memory.lo_s) /
                rates->off,
        .typical_s = longest(plain_s * operations.typical_s + matrix_s * products.typical_s,
                             memory_s * memory.typical_s),
        .hi_s = rates->off * longest(longest(plain_s * operations.hi_s + matrix_s * products.hi_s,
                                             memory_s * memory.hi_s),
                                     issued_s),
    };
}

/* Nothing but the time of use is known: at most it was at its maximum all that time. */
static struct be_worth_time at_most(const struct be_trace_rates *rates, double gpu_s, int gpus,
                                    double cores) {
    const struct be_core_rates r = rates_of(rates, cores);
    const double s = gpu_s * gpus * rates->off;
    const double plain_s = s * fmax(rates->gpu32 / r.float32, or_none(rates->gpu64) / r.float64);
    const double matrix_s =
        s * fmax(or_none(rates->gpu_half) / r.float32, or_none(rates->gpu_matrix64) / r.float64);
    return (struct be_worth_time){
        .lo_s = 0,
        .typical_s = NAN,
        .hi_s = fmax(fmax(plain_s * operations.hi_s, matrix_s * products.hi_s),
                     s * rates->gpu_memory / r.memory * memory.hi_s),
    };
}

/* ---- a part of the GPU ---------------------------------------------------------------------- */

/* Parts of an A100, H100 or H200: of seven of its multiprocessors, of eight of its memory. */
static const struct {
    const char *name;
    double units, memory;
} part[] = {{"1g", 1.0 / 7, 1.0 / 8}, {"2g", 2.0 / 7, 2.0 / 8}, {"3g", 3.0 / 7, 4.0 / 8}};

static void find_smaller(const struct be_trace *trace, int gpu, struct be_gpu_worth *worth) {
    static const double much = 1.1, smallest_bytes = 4e10;
    struct be_gpu_look look;
    const double whole = trace->gpu[gpu].memory_bytes;
    const double used = be_trace_max(trace, BE_GPU_MEMORY, gpu);
    be_look_gpu(trace, gpu, &look);
    for (size_t i = 0; i < BE_COUNT(part); i++) {
        const double slower =
            fmax(fmax(look.sm / part[i].units, look.dram / part[i].memory) / look.running, 1);
        const double longer = 1 + worth->gpu_s * (slower - 1) / trace->elapsed_s;
        if (longer <= much && used < part[i].memory * whole && whole >= smallest_bytes &&
            !trace->gpu[gpu].slice) {
            be_copy_text(worth->smaller, sizeof worth->smaller, part[i].name);
            worth->smaller_longer = longer;
            return;
        }
    }
}

/* ---- the verdict ---------------------------------------------------------------------------- */

/* Both are seldom at the same end. A typical time that is not known leaves the ends as they are. */
static struct be_worth_time sum_of(const struct be_worth_time *a, const struct be_worth_time *b) {
    const double sum_s = a->typical_s + b->typical_s;
    if (isnan(sum_s)) {
        return (struct be_worth_time){a->lo_s + b->lo_s, NAN, a->hi_s + b->hi_s};
    }
    return (struct be_worth_time){
        .lo_s = sum_s - hypot(a->typical_s - a->lo_s, b->typical_s - b->lo_s),
        .typical_s = sum_s,
        .hi_s = sum_s + hypot(a->hi_s - a->typical_s, b->hi_s - b->typical_s),
    };
}

static void judge(const struct be_trace *trace, const struct work *work,
                  struct be_gpu_worth *worth) {
    const double elapsed_s = trace->elapsed_s - trace->stopped_s;
    const double rest_s = fmax(0, elapsed_s - work->gpu_s - work->bus_s);
    const struct be_worth_time rest = {
        .lo_s = fmax(0, rest_s - start_s),
        .typical_s = rest_s,
        .hi_s = elapsed_s, /* the host may have worked while the GPU did */
    };
    worth->run = sum_of(&rest, &worth->all);
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

void be_gpu_worth_of(const struct be_trace *trace, struct be_gpu_worth *worth) {
    const struct be_trace_rates *rates = &trace->rates;
    const struct be_worth_time none = {NAN, NAN, NAN};
    struct work work = {.counted = true};
    int only = -1;
    *worth = (struct be_gpu_worth){.all = none, .one = none, .run = none};
    worth->gpu_s = worth->kernels = worth->operations = worth->bytes = worth->smaller_longer = NAN;
    worth->gain = worth->gain_lo = worth->gain_hi = NAN;
    for (int i = 0; i < trace->gpus; i++) {
        if (is_used(trace, i)) {
            only = i;
            worth->gpus++;
            add_gpu(trace, i, &work);
        }
    }
    worth->used = worth->gpus > 0;
    worth->cores = trace->limits.cpus ? trace->limits.cpus : rates->cores;
    if (!worth->used || is_withheld(trace, worth)) {
        return;
    }
    worth->gpu_s = work.gpu_s;
    worth->kernels = work.kernels;
    if (work.counted) {
        const double parallel = work.threads > 0 ? work.threads / threads_a_core : INFINITY;
        const double useful = fmin(fmax(parallel, 1), worth->cores);
        worth->operations = work.plain32 + work.plain64 + work.half + work.matrix64;
        worth->bytes = work.bytes;
        worth->all = on_cores(rates, &work, useful);
        worth->one = on_cores(rates, &work, 1);
    } else {
        worth->all = at_most(rates, work.gpu_s, worth->gpus, worth->cores);
        worth->one = at_most(rates, work.gpu_s, worth->gpus, 1);
    }
    judge(trace, &work, worth);
    if (worth->verdict != BE_ASK_NO && worth->gpus == 1 && work.counted) {
        find_smaller(trace, only, worth);
    }
}
