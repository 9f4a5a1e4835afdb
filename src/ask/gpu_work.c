#include "ask/gpu_work.h"

#include <math.h>

#include "ask/usual_code.h"
#include "base/error.h"
#include "observe/rules/look.h"

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

/* Memory that the driver takes for itself. */
static const double context_bytes = 6e8;

/* ---- the work of the GPUs ------------------------------------------------------------------- */

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
                        struct be_gpu_work *work) {
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

void be_gpu_work_add(const struct be_trace *trace, int gpu, struct be_gpu_work *work) {
    struct be_gpu_look look;
    be_look_gpu(trace, gpu, &look);
    const double own = be_trace_max(trace, BE_GPU_OWN_MEMORY, gpu);
    const double bytes = own > 0 ? own : be_trace_max(trace, BE_GPU_MEMORY, gpu);
    /* With several GPUs, from the first use to the last. */
    work->from_s = work->from_s <= look.from_s ? work->from_s : look.from_s;
    work->to_s = work->to_s >= look.to_s ? work->to_s : look.to_s;
    work->set_bytes += fmax(0, bytes - context_bytes);
    /* Traced kernels tell more exactly when any ran. A share that is not known may be all of the time. */
    work->gpu_s = fmax(work->gpu_s, fmin(fmin(look.running, look.kernel_share), 1) * look.length_s);
    work->kernels += look.kernels * look.length_s;
    /* A unit that nobody counted may have done any work: dcgm-exporter has those that it is told. */
    work->counted &= !isnan(look.sm) && !isnan(look.dram) && !isnan(look.fp32) &&
                     !isnan(look.fp64) && !isnan(look.tensor);
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

/* The work on so many cores at their rates: arithmetic but for products; products; memory at worst and at best; and
 * instructions that no counter names. */
struct seconds {
    double plain, products, memory, cached, issued;
};

static struct seconds at_rates(const struct be_trace_rates *rates, const struct be_gpu_work *work,
                               double cores) {
    const struct be_core_rates r = rates_of(rates, cores);
    const double memory_s = work->bytes / r.memory;
    return (struct seconds){
        .plain = work->plain32 / r.float32 + work->plain64 / r.float64,
        .products = work->half / r.float32 + work->matrix64 / r.float64,
        .memory = memory_s,
        .cached = work->set_bytes <= rates->cache_bytes ? fmin(work->bytes / r.cache, memory_s)
                                                        : memory_s,
        .issued = work->issued / (r.float32 / 2) * be_code_operations.typical,
    };
}

static double cores_with_work(const struct be_gpu_work *work, double cores) {
    const double parallel = work->threads > 0 ? work->threads / threads_a_core : INFINITY;
    return fmin(fmax(parallel, 1), cores);
}

struct be_worth_time be_gpu_work_on_cores(const struct be_trace_rates *rates,
                                          const struct be_gpu_work *work, double cores) {
    const struct be_over_rates *ops = &be_code_operations, *mem = &be_code_memory,
                               *products = &be_code_products;
    const struct seconds s = at_rates(rates, work, cores_with_work(work, cores));
    return (struct be_worth_time){
        .lo_s =
            longest(s.plain * ops->lo + s.products * products->lo, s.cached * mem->lo) / rates->off,
        .typical_s = longest(s.plain * ops->typical + s.products * products->typical,
                             s.memory * mem->typical),
        .hi_s = rates->off *
                longest(longest(s.plain * ops->hi + s.products * products->hi, s.memory * mem->hi),
                        s.issued),
    };
}

/* A call on whole arrays that are beyond the GPU's caches does at most so many operations a byte: a power, of which the GPU
 * makes some 80, reads and writes twelve bytes. More is products, or one kernel for several calls. */
static const double operations_a_byte = 10, beyond_caches = 1e8;

/* The share of arithmetic outside the units for matrices that may be calls on whole arrays. */
static double share_of_calls(const struct be_gpu_work *work) {
    const double plain = work->plain32 + work->plain64;
    return work->set_bytes > beyond_caches && plain > 0
               ? fmin(1, operations_a_byte * work->bytes / plain)
               : 1;
}

/* Products are of a library, which takes all cores; the rest is calls on whole arrays, on one. */
struct be_worth_time be_gpu_work_as_arrays(const struct be_trace_rates *rates,
                                           const struct be_gpu_work *work, double cores) {
    const struct be_over_rates *arrays = &be_code_arrays, *products = &be_code_products;
    const struct seconds one = at_rates(rates, work, 1);
    const struct seconds all = at_rates(rates, work, cores_with_work(work, cores));
    const double calls = share_of_calls(work), products_s = all.products;
    const double library_s = products_s + (1 - calls) * all.plain;
    const double calls_s = longest(calls * one.plain, one.memory);
    const double rest_s = longest(one.plain, one.memory);
    return (struct be_worth_time){
        .lo_s =
            longest(longest(calls * one.plain, one.cached) * arrays->lo, library_s * products->lo) /
            rates->off,
        .typical_s = longest(calls_s * arrays->typical, library_s * products->typical),
        .hi_s = rates->off *
                longest(longest(rest_s * arrays->hi, products_s * products->hi), one.issued),
    };
}

/* Nothing but the time of use is known: at most it was at its maximum all that time. */
struct be_worth_time be_gpu_work_at_most(const struct be_trace_rates *rates, double gpu_s, int gpus,
                                         double cores) {
    const struct be_core_rates r = rates_of(rates, cores);
    const double s = gpu_s * gpus * rates->off;
    const double plain_s = s * fmax(rates->gpu32 / r.float32, or_none(rates->gpu64) / r.float64);
    const double matrix_s =
        s * fmax(or_none(rates->gpu_half) / r.float32, or_none(rates->gpu_matrix64) / r.float64);
    return (struct be_worth_time){
        .lo_s = 0,
        .typical_s = NAN,
        .hi_s = fmax(fmax(plain_s * be_code_operations.hi, matrix_s * be_code_products.hi),
                     s * rates->gpu_memory / r.memory * be_code_memory.hi),
    };
}
