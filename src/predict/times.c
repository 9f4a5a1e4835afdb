/* The time of all calls on one place, by its parts. */
#include <math.h>

#include "predict/predict.h"
#include "predict/usual.h"

/* Times of code over the time that rates which programs reach allow: 5 %, 50 % and 95 % of those that were measured
 * (docs/prediction.md, "Your own computation"). Those of GPUs are 15,516 operations on five GPUs; those of CPUs own
 * workloads on one host, few of them where operations decide: there the geometric mean of both ends is the typical. */
static const struct be_predict_spread gpu_operations = {1, 1.34, 4.62},
                                      gpu_memory = {1, 1.22, 3.07};
/* The same of shapes that are known, on a GPU left out of every fit ("Shapes"). */
static const struct be_predict_spread gpu_product = {0.84, 1.02, 1.64},
                                      gpu_stream = {0.93, 0.97, 1.04};
static const struct be_predict_spread cpu_operations = {1, 2.60, 6.77},
                                      cpu_memory = {1, 2.45, 5.50};

/* `passes`: usual code takes reached_s so many times, the best only once. */
static struct be_predict_time spread_over(double least_s, double reached_s, double passes,
                                          const struct be_predict_spread *by) {
    const double lo_s = fmax(reached_s * by->lo, least_s);
    return (struct be_predict_time){lo_s, fmax(reached_s * passes * by->typical, lo_s),
                                    fmax(reached_s * passes * by->hi, lo_s)};
}

/* Kernels that a call starts, and a pass more each: these follow one another without a wait in between, or are steps of
 * one kernel. */
static struct be_predict_time launches(struct be_predict_time one,
                                       const struct be_predict_work *work) {
    const double first = work->calls * work->launches;
    const double more = first * (work->passes - 1);
    return (struct be_predict_time){one.lo_s * first, one.typical_s * first + one.lo_s * more,
                                    one.hi_s * (first + more)};
}

/* 0 operations take no time, whatever the rate. */
static double per(double amount, double rate) {
    return amount > 0 ? amount / rate : 0;
}

/* The longest; a part that is not known makes it unknown. */
static double longest3(double a, double b, double c) {
    return isnan(a + b + c) ? NAN : fmax(a, fmax(b, c));
}

static enum be_arithmetic arithmetic_of(const struct be_predict_work *work) {
    return work->matrix ? (work->float64 ? BE_MATRIX64 : BE_MATRIX32)
                        : (work->float64 ? BE_PLAIN64 : BE_PLAIN32);
}

/* Bytes that lie in memory at a time, as far as they are said. */
static double set_of(const struct be_predict_work *work) {
    const double moved = work->once_bytes + work->each_bytes * work->batch;
    return work->memory_bytes > 0 ? work->memory_bytes : moved;
}

/* Bytes that memory has no room for: they cross the bus with every call. */
static double excess_of(const struct be_predict_place *place, const struct be_predict_work *work) {
    const double excess = set_of(work) - place->memory_bytes;
    return excess > 0 ? excess : 0; /* a size that is not known suffices */
}

static const struct be_predict_spread *spread_of(const struct be_predict_place *place,
                                                 enum be_predict_term term) {
    const bool gpu = place->threads == 0, operations = term == BE_TERM_OPERATIONS;
    return place->learned.typical > 0 ? &place->learned
           : gpu                      ? operations ? &gpu_operations : &gpu_memory
           : operations               ? &cpu_operations
                                      : &cpu_memory;
}

double be_predict_usual(const struct be_predict_place *place, enum be_predict_term term) {
    return spread_of(place, term)->typical;
}

static void fill_work(const struct be_predict_place *place, const struct be_predict_work *work,
                      struct be_predict_side *side) {
    const struct be_predict_spread *operations = spread_of(place, BE_TERM_OPERATIONS);
    const struct be_predict_spread *memory = spread_of(place, BE_TERM_MEMORY);
    const double flops = work->flops * work->batch * work->calls;
    const double bytes = work->bytes * work->batch * work->calls;
    const double touched = work->bytes * work->batch;
    const double set = work->memory_bytes > 0 ? fmin(work->memory_bytes, touched) : touched;
    const enum be_arithmetic arithmetic = arithmetic_of(work);
    const double steps = work->chain_flops * work->calls;
    const double least_chain_s = per(steps, 1 / place->least_step_s);
    const struct be_predict_spread chain = {place->least_step_s / place->step_s,
                                            gpu_operations.typical, gpu_operations.hi};
    const double least_flops_s = per(flops, place->limit.operations[arithmetic]);
    const double least_bytes_s = per(bytes, be_ceilings_memory(&place->limit, set, false, false));
    side->term[BE_TERM_OPERATIONS] = spread_over(
        least_flops_s, per(flops, place->reached.operations[arithmetic]), 1, operations);
    side->term[BE_TERM_MEMORY] = spread_over(
        least_bytes_s, per(bytes, be_ceilings_memory(&place->reached, set, false, false)),
        work->passes, memory);
    /* A chain takes one lane of one core; how much longer than its latency it takes was not measured. */
    side->term[BE_TERM_CHAIN] =
        spread_over(least_chain_s, per(steps, 1 / place->step_s), 1, &chain);
    side->limit_s = longest3(least_flops_s, least_bytes_s, least_chain_s);
}

static struct be_predict_time longer(struct be_predict_time a, struct be_predict_time b) {
    return (struct be_predict_time){fmax(a.lo_s, b.lo_s), fmax(a.typical_s, b.typical_s),
                                    fmax(a.hi_s, b.hi_s)};
}

static void fill_irregular(const struct be_predict_place *place, const struct be_predict_work *work,
                           struct be_predict_side *side) {
    enum be_predict_term term;
    const struct be_predict_time time = be_predict_irregular(place, work, &term);
    if (work->irregular) {
        side->term[term] = longer(side->term[term], time);
    }
}

/* Where the shape is known, it says more than rates do: tiles of a product, which partly run beside its memory traffic,
 * and the bandwidth that streams have beyond the cache. */
static void fill_shape(const struct be_predict_place *gpu, const struct be_predict_work *work,
                       struct be_predict_side *side) {
    const double bytes_s = per(work->bytes * work->batch * work->calls, gpu->stream);
    const bool cached = work->bytes * work->batch <= gpu->limit.cache_bytes;
    if (work->m > 0 && gpu->units > 0) {
        const double tiles_s = be_predict_tiles_s(gpu, work);
        const enum be_predict_term by = tiles_s >= bytes_s ? BE_TERM_OPERATIONS : BE_TERM_MEMORY;
        side->term[BE_TERM_OPERATIONS] =
            spread_over(side->limit_s, by == BE_TERM_MEMORY ? tiles_s : hypot(tiles_s, bytes_s), 1,
                        work->float64 ? &gpu_operations : &gpu_product);
        side->term[BE_TERM_MEMORY] =
            spread_over(side->limit_s, by == BE_TERM_MEMORY ? hypot(tiles_s, bytes_s) : bytes_s, 1,
                        &gpu_product);
    } else if (work->stream && !cached) {
        side->term[BE_TERM_MEMORY] = spread_over(side->limit_s, bytes_s, work->passes, &gpu_stream);
    }
}

/* Least bytes over the bus are both directions at once. */
static void fill_bus(const struct be_predict_place *place, const struct be_predict_work *work,
                     struct be_predict_side *side) {
    const double excess = excess_of(place, work);
    const double bytes = work->once_bytes + (work->each_bytes * work->batch + excess) * work->calls;
    const double copies =
        (work->once_bytes > 0 ? 2 : 0) + (work->each_bytes > 0 || excess > 0 ? 2 * work->calls : 0);
    const double least_s = per(bytes, place->bus_limit);
    side->overflows = excess > 0;
    side->limit_s = longest3(side->limit_s, least_s, 0);
    side->term[BE_TERM_BUS] = (struct be_predict_time){
        .lo_s = least_s,
        .typical_s = per(bytes, place->bus) + copies * place->copy_s,
        .hi_s = per(bytes, place->bus_slow) + copies * place->copy_s,
    };
}

static enum be_predict_term longest_of(const struct be_predict_side *side) {
    enum be_predict_term longest = BE_TERM_FIRST;
    for (int i = 1; i < BE_TERMS; i++) {
        if (side->term[i].typical_s > side->term[longest].typical_s) {
            longest = (enum be_predict_term)i;
        }
    }
    return longest;
}

static void add_up(struct be_predict_side *side) {
    const struct be_predict_time *t = side->term;
    const struct be_predict_time *o = &t[BE_TERM_OPERATIONS], *m = &t[BE_TERM_MEMORY],
                                 *c = &t[BE_TERM_CHAIN];
    const struct be_predict_time work = {longest3(o->lo_s, m->lo_s, c->lo_s),
                                         longest3(o->typical_s, m->typical_s, c->typical_s),
                                         longest3(o->hi_s, m->hi_s, c->hi_s)};
    const struct be_predict_time *first = &t[BE_TERM_FIRST], *bus = &t[BE_TERM_BUS],
                                 *launch = &t[BE_TERM_LAUNCH];
    side->time = (struct be_predict_time){
        /* At best kernels start while others work, and copies run beside both. */
        .lo_s = first->lo_s + longest3(launch->lo_s, work.lo_s, bus->lo_s),
        .typical_s = first->typical_s + launch->typical_s + work.typical_s + bus->typical_s,
        .hi_s = first->hi_s + launch->hi_s + work.hi_s + bus->hi_s,
    };
}

static struct be_predict_time sum(struct be_predict_time a, struct be_predict_time b) {
    return (struct be_predict_time){a.lo_s + b.lo_s, a.typical_s + b.typical_s, a.hi_s + b.hi_s};
}

/* A framework's call is made on the CPU for both sides. That which starts one kernel takes the time of a launch while the
 * kernel before it runs, so the longer of both counts. */
static struct be_predict_time launches_and_calls(const struct be_predict_place *place,
                                                 const struct be_predict_work *work) {
    const struct be_usual_calls calls = be_usual_calls(work);
    const struct be_predict_time start =
        place->threads == 0 ? longer(place->launch, calls.kernel) : place->launch;
    const struct be_predict_time started = launches(start, work),
                                 called = {calls.one.lo_s * calls.count,
                                           calls.one.typical_s * calls.count,
                                           calls.one.hi_s * calls.count};
    return place->threads == 0 && calls.each_kernel ? longer(started, called)
                                                    : sum(started, called);
}

void be_predict_on(const struct be_predict_place *place, const struct be_predict_work *work,
                   struct be_predict_side *side) {
    const struct be_predict_time none = {0};
    const bool gpu = place->threads == 0;
    *side = (struct be_predict_side){.threads = place->threads};
    fill_work(place, work, side);
    fill_irregular(place, work, side);
    if (gpu) {
        fill_shape(place, work, side);
        fill_bus(place, work, side);
    }
    side->term[BE_TERM_FIRST] = gpu && work->first_call ? place->start : none;
    side->term[BE_TERM_LAUNCH] = launches_and_calls(place, work);
    add_up(side);
    side->dominant = longest_of(side);
}
