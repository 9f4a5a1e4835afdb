/*
 * steps: each step a function of the one before, in independent chains. Nothing of a chain can be regrouped, so one
 * chain takes the latency of its operations, one after the other, on any machine; a GPU pays for many chains at once.
 *
 * A chain is an item: its numbers at the start, a parameter of its own, its numbers at the end. step.h has the maps and
 * the rounding of each operation, which is part of what is computed: maps are chaotic, and a bit that differs is another
 * result some steps on.
 *
 * Operations a step, as step.h has them. logistic: a product, a fused multiply-add. lorenz: four slopes of 7, nine
 * fused multiply-adds between them, twelve of the result. metropolis: the proposal 2, its density 4, the product that is
 * compared; random words are integers, and making numbers of them is not counted. Dependent ones: those of a step
 * that wait for one another, from one state to the next; a fused multiply-add is one. metropolis: none, since a processor
 * may guess whether a proposal is taken, and go on.
 */
#include "workload/steps/steps.h"

#include <stdio.h>
#include <string.h>

#include "kernel_programs.h"
#include "workload/numbers.h"

static const char *const kind_of_map[] = {"logistic", "lorenz", "metropolis"};

static const struct map {
    size_t values;                /* numbers of a chain */
    double operations, dependent; /* a step */
    struct {
        double from, to;
    } start[BE_STEPS_VALUES], parameter; /* inputs are uniform in these */
} maps[BE_STEPS_MAPS] = {
    [BE_STEPS_LOGISTIC] = {1, 3, 2, {{0.1, 0.9}}, {2.5, 4}},
    [BE_STEPS_LORENZ] = {3, 4 * 7 + 2 * (9 + 12), 12, {{1, 2}, {1, 2}, {20, 30}}, {20, 30}},
    [BE_STEPS_METROPOLIS] = {1, 2 + 4 + 1, 0, {{-1, 1}}, {0.5, 4.5}},
};

static const struct be_parameter parameter[] = {
    {.name = "chains",
     .what = "chains, each independent of the others",
     .preset = 10000,
     .min = 1,
     .max = 100000000,
     .from = 1,
     .to = 1000000,
     .look = {1, 1000, 100000}},
    {.name = "steps",
     .what = "steps of each chain, one after the other",
     .preset = 1000,
     .min = 1,
     .max = 100000000,
     .from = 10,
     .to = 100000,
     .look = {100, 1000, 10000}},
    {.name = "map",
     .what = "what a step does: logistic, lorenz (Runge-Kutta), metropolis (MCMC)",
     .preset = BE_STEPS_LOGISTIC,
     .min = 0,
     .max = BE_STEPS_MAPS - 1,
     .kind = kind_of_map},
};

static const char *const array[] = {"start", "parameter", "end"};

static const struct map *map_of(const struct be_problem *problem) {
    return &maps[problem->value[BE_STEPS_MAP]];
}

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    enum { TOGETHER = 1 << 18 }; /* chains that fill the largest GPU: 132 x 2048 lanes */
    const struct map *map = map_of(problem);
    const size_t real = be_real_bytes(problem->real);
    const double chains = (double)problem->value[BE_STEPS_CHAINS];
    const double steps = (double)problem->value[BE_STEPS_STEPS];
    *shape = (struct be_shape){.items = (size_t)problem->value[BE_STEPS_CHAINS],
                               .item_bytes = {map->values * real, real, map->values * real},
                               .reference = map->values,
                               .together = TOGETHER,
                               .operations = chains * steps * map->operations,
                               .dependent = steps * map->dependent,
                               .bytes = chains * (double)(real * (2 * map->values + 1)),
                               .tolerance = 0};
}

static void fill(const struct be_work *work, uint64_t seed) {
    const enum be_real real = work->problem->real;
    const struct map *map = map_of(work->problem);
    size_t first;
    size_t count;
    be_work_share(work, 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        const double p = be_number_random(real, seed + 1, i);
        be_number_set(real, work->array[BE_STEPS_PARAMETER], i,
                      map->parameter.from + (map->parameter.to - map->parameter.from) * p);
        for (size_t k = 0; k < map->values; k++) {
            const double s = be_number_random(real, seed, i * map->values + k);
            be_number_set(real, work->array[BE_STEPS_START], i * map->values + k,
                          map->start[k].from + (map->start[k].to - map->start[k].from) * s);
        }
    }
}

/* ---- on the CPU ------------------------------------------------------------------------------ */

/* This member's chains. */
static struct be_steps_chains chains_of(const struct be_work *work) {
    struct be_steps_chains chains = {
        .map = (enum be_steps_map)work->problem->value[BE_STEPS_MAP],
        .values = map_of(work->problem)->values,
        .start = work->array[BE_STEPS_START],
        .parameter = work->array[BE_STEPS_PARAMETER],
        .end = work->array[BE_STEPS_END],
        .all = (size_t)work->problem->value[BE_STEPS_CHAINS],
    };
    be_work_share(work, 1, &chains.first, &chains.n);
    return chains;
}

static uint64_t steps_of(const struct be_problem *problem) {
    return problem->value[BE_STEPS_STEPS];
}

static void begin_at_start(const struct be_work *work, const struct be_steps_chains *chains) {
    const size_t bytes = chains->values * be_real_bytes(work->problem->real);
    memcpy((char *)chains->end + chains->first * bytes,
           (const char *)chains->start + chains->first * bytes, chains->n * bytes);
}

static void host_vectors(const struct be_work *work) {
    const struct be_steps_chains chains = chains_of(work);
    be_steps_run *run = work->problem->real == BE_REAL64 ? BE_SIMD_BEST(be_steps64_vectors)
                                                         : BE_SIMD_BEST(be_steps32_vectors);
    run(&chains, steps_of(work->problem));
}

/* Few chains one after the other, in registers; many step by step, of which the compiler makes vectors. */
static void host_plain(const struct be_work *work) {
    enum { FEW = 8 };
    const struct be_steps_chains chains = chains_of(work);
    const bool wide = work->problem->real == BE_REAL64;
    if (chains.n <= FEW) {
        (wide ? BE_SIMD_BEST(be_steps64_alone)
              : BE_SIMD_BEST(be_steps32_alone))(&chains, steps_of(work->problem));
        return;
    }
    be_steps_pass *pass = wide ? BE_SIMD_BEST(be_steps64_pass) : BE_SIMD_BEST(be_steps32_pass);
    begin_at_start(work, &chains);
    for (uint64_t k = 0; k < steps_of(work->problem); k++) {
        pass(&chains, k);
    }
}

/* A loop over all chains for each step, which all threads end together, as a parallel loop in a script does. */
static void host_looped(const struct be_work *work) {
    const struct be_steps_chains chains = chains_of(work);
    be_steps_pass *pass = work->problem->real == BE_REAL64 ? BE_SIMD_BEST(be_steps64_pass)
                                                           : BE_SIMD_BEST(be_steps32_pass);
    begin_at_start(work, &chains);
    for (uint64_t k = 0; k < steps_of(work->problem); k++) {
        pass(&chains, k);
        be_team_barrier(work->team);
    }
}

/* ---- reference -------------------------------------------------------------------------------- */

/* One chain after the other, each operation rounded as step.h says, in the problem's own type: in another one a chaotic
 * map ends elsewhere. tests/unit/test_steps.c holds the maps against double precision and against what is known of
 * them. */
static void reference(const struct be_work *work, double *reference) {
    enum { BLOCK = 128 };
    double end[BLOCK * BE_STEPS_VALUES];
    const struct be_steps_chains mine = chains_of(work);
    const size_t real = be_real_bytes(work->problem->real);
    be_steps_run *run = work->problem->real == BE_REAL64 ? BE_SIMD_BEST(be_steps64_alone)
                                                         : BE_SIMD_BEST(be_steps32_alone);
    for (size_t at = mine.first; at < mine.first + mine.n; at += BLOCK) {
        struct be_steps_chains some = mine;
        some.first = at;
        some.n = mine.first + mine.n - at < BLOCK ? mine.first + mine.n - at : BLOCK;
        some.end = (char *)end - at * some.values * real;
        run(&some, steps_of(work->problem));
        for (size_t i = 0; i < some.n * some.values; i++) {
            reference[at * some.values + i] = be_number(work->problem->real, end, i);
        }
    }
}

/* Not distances but chains that end elsewhere, and all. */
static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const struct be_steps_chains mine = chains_of(work);
    size_t differ = 0;
    for (size_t i = mine.first * mine.values; i < (mine.first + mine.n) * mine.values; i++) {
        differ += be_number(work->problem->real, mine.end, i) != reference[i];
    }
    *difference += (double)differ;
    *norm += (double)(mine.n * mine.values);
}

/* ---- on a device ------------------------------------------------------------------------------ */

enum { ALL_STEPS, ONE_STEP }; /* kernels */
enum { LANES = 64 };          /* a group: few, so that some thousand chains reach all cores */

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_steps", "k_step", NULL};
    char defines[2 * BE_NAME];
    snprintf(defines, sizeof defines, "#define MAP %s\n#define VALUES %zu\n",
             kind_of_map[problem->value[BE_STEPS_MAP]], map_of(problem)->values);
    return be_prepare_kernels(device, problem, &be_program_steps, defines, names, prepared, error);
}

/* k_steps makes so many steps; k_step makes the one of that number. */
static enum be_status put(const struct be_launch *launch, int kernel, int from, uint64_t steps,
                          struct be_error *error) {
    const struct be_argument argument[] = {
        BE_BUFFER(&launch->buffer[from]),
        BE_BUFFER(&launch->buffer[BE_STEPS_PARAMETER]),
        BE_BUFFER(&launch->buffer[BE_STEPS_END]),
        BE_LONG(steps),
        BE_LONG(launch->first),
        BE_LONG(launch->items),
        BE_LONG(launch->problem->value[BE_STEPS_CHAINS]),
    };
    return be_launch_kernel(launch, kernel, (launch->items + LANES - 1) / LANES, LANES, argument, 7,
                            error);
}

static enum be_status enqueue_plain(const struct be_launch *launch, struct be_error *error) {
    return put(launch, ALL_STEPS, BE_STEPS_START, steps_of(launch->problem), error);
}

static enum be_status enqueue_looped(const struct be_launch *launch, struct be_error *error) {
    enum be_status status = put(launch, ONE_STEP, BE_STEPS_START, 0, error);
    for (uint64_t k = 1; status == BE_OK && k < steps_of(launch->problem); k++) {
        status = put(launch, ONE_STEP, BE_STEPS_END, k, error);
    }
    return status;
}

static const struct be_variant variant[] = {
    {.name = "plain",
     .summary = "a loop over the steps; on a device a lane a chain, all steps in one launch",
     .host_code = BE_CODE_PLAIN,
     .device_code = BE_CODE_PLAIN,
     .host = host_plain,
     .prepare = prepare,
     .enqueue = enqueue_plain,
     .discard = be_discard_kernels},
    {.name = "looped",
     .summary = "a parallel loop, or a launch, for each step, as frameworks do",
     .host_code = BE_CODE_PLAIN,
     .device_code = BE_CODE_PLAIN,
     .as_written = true,
     .host = host_looped,
     .prepare = prepare,
     .enqueue = enqueue_looped,
     .discard = be_discard_kernels},
    {.name = "vectors",
     .summary = "several vectors of chains at a time, in registers (CPU)",
     .host = host_vectors},
};

const struct be_workload be_workload_steps = {
    .name = "steps",
    .title = "x <- f(x), step after step",
    .summary = "independent chains of steps, each a function of the step before",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .inputs = 2,
    .outputs = 1,
    .grain = 1,
    .host_grain = 1,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
