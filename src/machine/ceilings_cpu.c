/* The CPU's ceilings for a team: bandwidth of working sets, and multiply-adds. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "machine/ceilings.h"
#include "machine/cpu_arrays.h"
#include "machine/cpu_rates.h"

enum { TRIES = 9 };

/* Seconds for each way of going over a working set: 16 sets, five ways, some 2.5 s a team. */
static const double SET_S = 30e-3;

struct multiply_add {
    long rounds;
    double operations; /* of one member; all do the same */
};

static void multiply_add_share(void *context, int member, int members) {
    struct multiply_add *m = context;
    (void)members;
    float sink = 0;
    double operations = be_cpu_rates()->multiply_add(m->rounds, &sink);
    if (member == 0) {
        m->operations = sink == 12345.0f ? 0 : operations; /* keeps the loop alive */
    }
}

static double multiply_add_rate(struct be_team *team, const struct be_clock *clock) {
    struct multiply_add m = {.rounds = 100000}; /* about 1 ms */
    double best = 0;
    for (int attempt = 0; attempt < TRIES; attempt++) {
        double start = be_now(clock);
        be_team_run(team, multiply_add_share, &m);
        double seconds = be_now(clock) - start;
        double rate = m.operations * be_team_size(team) / seconds;
        best = rate > best ? rate : best;
    }
    return best;
}

/* Working set `i`: a geometric row of small ones, then close together around the last-level cache
 * and beyond, where bandwidth falls and a limit must not be taken from far off. */
static double working_set(int i, double largest) {
    static const double beyond[] = {0.5, 0.75, 1, 1.5, 2, 3, 4.5, 6}; /* times the cache */
    const int small = BE_CEILING_POINTS - (int)BE_COUNT(beyond);
    const double smallest = 12.0 * BE_CPU_GRAIN * 16;
    double cache = largest / BE_CPU_CACHES;
    return i < small ? smallest * pow(beyond[0] * cache / smallest, (double)i / small)
                     : beyond[i - small] * cache;
}

/* A sample takes about 1 ms: a longer one would be cut by the scheduler on a busy machine, every
 * time, and show a ceiling that is too low. */
static enum be_status sample_set(struct be_team *team, const struct be_cpu_arrays *arrays,
                                 double bytes, const struct be_cpu_pass *kind, double budget_s,
                                 struct be_ceiling_samples *got, struct be_error *error) {
    const struct be_clock clock = be_clock_host();
    const struct be_stop_rule rule = {
        .precision = 0, .least = TRIES, .budget_s = budget_s, .patience = 100};
    struct be_cpu_pass pass = *kind;
    pass.run_s = 1e-3;
    const double item = be_cpu_pass_arrays(pass.kind) * (double)sizeof(float);
    pass.n = (size_t)(bytes / item) / BE_CPU_GRAIN * BE_CPU_GRAIN;
    got->stores = pass.stores;
    got->set_bytes = item * (double)pass.n;
    return be_cpu_arrays_sample(team, arrays, &pass, &clock, &rule, &got->seconds, &got->bytes,
                                error);
}

static double best_rate(const struct be_ceiling_samples *samples) {
    return samples->bytes / be_summarize(&samples->seconds, BE_STOP_NONE).min_s;
}

/* Hands on the samples of what was fastest at best. */
static enum be_status measure_set(struct be_team *team, const struct be_cpu_arrays *arrays,
                                  double bytes, double budget_s, be_ceiling_take *take,
                                  void *context, struct be_error *error) {
    static const struct be_cpu_pass kind[] = {
        {.kind = BE_PASS_TRIAD, .stores = BE_STORES_PLAIN},
        {.kind = BE_PASS_TRIAD, .stores = BE_STORES_AHEAD},
        {.kind = BE_PASS_TRIAD, .stores = BE_STORES_PAST},
        {.kind = BE_PASS_SCALE}, /* from here on none has stores to choose */
        {.kind = BE_PASS_SUM},
    };
    struct be_ceiling_samples got[BE_COUNT(kind)] = {0};
    struct be_ceiling_samples *best = &got[0];
    enum be_status status = BE_OK;
    for (size_t i = 0; i < BE_COUNT(kind) && status == BE_OK; i++) {
        if (bytes > be_cpu_pass_arrays(kind[i].kind) * (double)sizeof(float) * (double)arrays->n) {
            continue; /* two of three arrays are not as much */
        }
        status = sample_set(team, arrays, bytes, &kind[i], budget_s, &got[i], error);
        if (kind[i].kind != BE_PASS_TRIAD) {
            got[i].stores = best->stores;
        }
        if (status == BE_OK && i > 0 && best_rate(&got[i]) > best_rate(best)) {
            best = &got[i];
        }
    }
    status = status == BE_OK ? take(context, best, error) : status;
    for (size_t i = 0; i < BE_COUNT(kind); i++) {
        be_samples_free(&got[i].seconds);
    }
    return status;
}

enum be_status be_ceilings_cpu_sets(struct be_team *team, double cache_bytes, double budget_s,
                                    be_ceiling_take *take, void *context, struct be_error *error) {
    const double largest = be_cpu_arrays_beyond(cache_bytes);
    struct be_cpu_arrays arrays;
    enum be_status status = be_cpu_arrays_open(team, largest, &arrays, error);
    if (status != BE_OK) {
        (void)be_context(error, "measuring the CPU's bandwidth");
        return status;
    }
    for (int i = 0; i < BE_CEILING_POINTS && status == BE_OK; i++) {
        status =
            measure_set(team, &arrays, working_set(i, largest), budget_s, take, context, error);
    }
    be_cpu_arrays_close(&arrays);
    return status;
}

struct kept {
    struct be_ceilings *ceilings;
    const struct be_cancel *cancel;
};

/* BE_TIMEOUT: no more of them. */
static enum be_status keep_best(void *context, const struct be_ceiling_samples *samples,
                                struct be_error *error) {
    const struct kept *kept = context;
    struct be_ceilings *ceilings = kept->ceilings;
    (void)error;
    ceilings->memory[ceilings->points].bytes = samples->set_bytes;
    ceilings->memory[ceilings->points].stores = samples->stores;
    ceilings->memory[ceilings->points++].rate = best_rate(samples);
    return be_cancel_asked(kept->cancel) ? BE_TIMEOUT : BE_OK;
}

enum be_status be_ceilings_cpu(struct be_team *team, double cache_bytes, struct be_cancel cancel,
                               struct be_ceilings *ceilings, struct be_error *error) {
    const struct be_clock clock = be_clock_host();
    *ceilings = (struct be_ceilings){
        .cache_bytes = cache_bytes, .bus_in = NAN, .bus_out = NAN, .launch_s = NAN};
    be_ceilings_set_operations(ceilings, NAN, true);
    if (be_cancel_asked(&cancel)) {
        return BE_OK;
    }
    struct kept kept = {.ceilings = ceilings, .cancel = &cancel};
    enum be_status status = be_ceilings_cpu_sets(team, cache_bytes, SET_S, keep_best, &kept, error);
    if (status == BE_TIMEOUT) {
        return BE_OK;
    }
    if (status == BE_OK) {
        be_ceilings_set_operations(ceilings, multiply_add_rate(team, &clock), true);
    }
    return status;
}
