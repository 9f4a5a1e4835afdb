/* The CPU's ceilings for a team: bandwidth of working sets, and multiply-adds. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "machine/ceilings.h"
#include "machine/cpu_arrays.h"
#include "machine/cpu_rates.h"

enum { TRIES = 9, KINDS = 5 /* at most, that one is the best of */, UPDATES = 2 };

/* Seconds for each way of going over a working set: 16 sets, seven ways, some 3 s a team. */
static const double SET_S = 25e-3;

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

/* The least latency of an operation, on the caller's core: sums, products and multiply-adds may differ, and no code
 * beats the shortest. */
static double latency(const struct be_clock *clock) {
    enum { ROUNDS = 16000 }; /* about 0.3 ms */
    double best = INFINITY;
    for (int attempt = 0; attempt < TRIES; attempt++) {
        for (int operation = 0; operation < BE_CPU_OPERATIONS; operation++) {
            float sink = 0;
            const double start = be_now(clock);
            const double operations =
                be_cpu_rates()->in_a_row((enum be_cpu_operation)operation, ROUNDS, &sink);
            const double each = (be_now(clock) - start) / operations;
            best = each < best && sink != 12345.0F ? each : best; /* keeps the loop alive */
        }
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
                                 double bytes, const struct be_cpu_pass *kind,
                                 const struct be_stop_rule *rule, struct be_ceiling_samples *got,
                                 struct be_error *error) {
    const struct be_clock clock = be_clock_host();
    struct be_cpu_pass pass = *kind;
    pass.run_s = 1e-3;
    const double lies = be_cpu_pass_lies(pass.kind);
    pass.n = (size_t)(bytes / lies) / BE_CPU_GRAIN * BE_CPU_GRAIN;
    got->update = pass.kind == BE_PASS_UPDATE || pass.kind == BE_PASS_UPDATE_ALL;
    got->stores = pass.stores;
    got->set_bytes = lies * (double)pass.n;
    return be_cpu_arrays_sample(team, arrays, &pass, &clock, rule, &got->seconds, &got->bytes,
                                error);
}

static double best_rate(const struct be_ceiling_samples *samples) {
    return samples->bytes / be_summarize(&samples->seconds, BE_STOP_NONE).min_s;
}

/* Where and how working sets are measured, and who is told. */
struct sets {
    struct be_team *team;
    struct be_cpu_arrays arrays;
    struct be_clock clock;
    double budget_s;
    double limit_s, end_s; /* when all is to be done; INFINITY: whenever it is */
    int ways, left;        /* all, and those that are still to be measured */
    struct be_cancel cancel;
    be_ceiling_take *take;
    void *context;
    struct {
        int apart, update;
    } fastest; /* ways of the set before */
};

static bool is_late(const struct sets *sets) {
    return be_now(&sets->clock) >= sets->end_s;
}

/* Did the ways until now take more than their part of the time? (No limit: INFINITY - INFINITY is never less.) */
static bool is_behind(const struct sets *sets) {
    const double part = (double)sets->left / (double)sets->ways;
    return be_now(&sets->clock) > sets->end_s - part * sets->limit_s;
}

/* Each way has its part of the time that is left. With no limit a slow way is still sampled TRIES times. */
static struct be_stop_rule next_rule(struct sets *sets) {
    const double share_s =
        fmax(0, sets->end_s - be_now(&sets->clock)) / (sets->left > 0 ? sets->left : 1);
    sets->left--;
    return (struct be_stop_rule){.precision = 0,
                                 .min = TRIES,
                                 .budget_s = fmin(sets->budget_s, share_s),
                                 .patience = isinf(sets->end_s) ? 100 : 1};
}

/* Hands on the samples of what was fastest at best of these. *fastest: which of them it was; it is the first to be
 * measured, and where the time is short the only one. */
static enum be_status measure_best(struct sets *sets, double bytes, const struct be_cpu_pass *kind,
                                   int kinds, int *fastest, struct be_error *error) {
    struct be_ceiling_samples got[KINDS] = {0};
    struct be_ceiling_samples *best = NULL;
    enum be_status status = BE_OK;
    const int before = *fastest;
    for (int way = 0; way < kinds && status == BE_OK && !(best && is_behind(sets)); way++) {
        const int i = (before + way) % kinds;
        if (bytes > be_cpu_pass_lies(kind[i].kind) * (double)sets->arrays.n) {
            continue; /* one or two of three arrays are not as much */
        }
        const struct be_stop_rule rule = next_rule(sets);
        status = be_cancel_asked(&sets->cancel) ? BE_TIMEOUT
                                                : sample_set(sets->team, &sets->arrays, bytes,
                                                             &kind[i], &rule, &got[i], error);
        if (best && (kind[i].kind == BE_PASS_SCALE || kind[i].kind == BE_PASS_SUM)) {
            got[i].stores = best->stores; /* they have none to choose */
        }
        if (status == BE_OK && (!best || best_rate(&got[i]) > best_rate(best))) {
            best = &got[i];
            *fastest = i;
        }
    }
    if (status == BE_OK) {
        status = best ? sets->take(sets->context, best, error)
                      : be_fail(error, BE_NOMEM,
                                "too little memory is free to measure %.0f bytes: end other "
                                "programs, or ask for more",
                                bytes);
    }
    for (int i = 0; i < kinds; i++) {
        be_samples_free(&got[i].seconds);
    }
    return status;
}

static enum be_status measure_set(struct sets *sets, double bytes, struct be_error *error) {
    static const struct be_cpu_pass apart[] = {
        {.kind = BE_PASS_TRIAD, .stores = BE_STORES_PLAIN},
        {.kind = BE_PASS_TRIAD, .stores = BE_STORES_AHEAD},
        {.kind = BE_PASS_TRIAD, .stores = BE_STORES_NONTEMPORAL},
        {.kind = BE_PASS_SCALE},
        {.kind = BE_PASS_SUM},
    };
    /* Past the caches goes nothing that was just read from them. */
    static const struct be_cpu_pass update[] = {
        {.kind = BE_PASS_UPDATE, .stores = BE_STORES_PLAIN},
        {.kind = BE_PASS_UPDATE, .stores = BE_STORES_AHEAD},
    };
    static const struct be_cpu_pass update_all[] = {
        {.kind = BE_PASS_UPDATE_ALL, .stores = BE_STORES_PLAIN},
        {.kind = BE_PASS_UPDATE_ALL, .stores = BE_STORES_AHEAD},
    };
    const bool one = bytes <= be_cpu_pass_lies(BE_PASS_UPDATE) * (double)sets->arrays.n;
    enum be_status status =
        measure_best(sets, bytes, apart, (int)BE_COUNT(apart), &sets->fastest.apart, error);
    return status == BE_OK ? measure_best(sets, bytes, one ? update : update_all, UPDATES,
                                          &sets->fastest.update, error)
                           : status;
}

static struct sets sets_of(struct be_team *team, double budget_s, double limit_s, int points) {
    const struct be_clock clock = be_clock_host();
    const int ways = points * (KINDS + UPDATES);
    return (struct sets){.team = team,
                         .clock = clock,
                         .budget_s = budget_s,
                         .limit_s = limit_s,
                         .end_s = be_now(&clock) + limit_s,
                         .ways = ways,
                         .left = ways};
}

static enum be_status open_sets(struct sets *sets, double bytes, struct be_error *error) {
    const enum be_status status = be_cpu_arrays_open(sets->team, bytes, &sets->arrays, error);
    return status == BE_OK ? status : be_context(error, "measuring the CPU's bandwidth");
}

enum be_status be_ceilings_cpu_sets(struct be_team *team, double cache_bytes, double budget_s,
                                    double limit_s, struct be_cancel cancel, be_ceiling_take *take,
                                    void *context, struct be_error *error) {
    struct sets sets = sets_of(team, budget_s, limit_s, BE_CEILING_POINTS);
    sets.cancel = cancel;
    sets.take = take;
    sets.context = context;
    enum be_status status = open_sets(&sets, be_cpu_arrays_beyond(cache_bytes), error);
    /* A share of the memory that there is, which is somewhat less: the largest set has to lie in
     * it. */
    const double whole = be_cpu_pass_lies(BE_PASS_TRIAD) * (double)sets.arrays.n;
    for (int i = 0; i < BE_CEILING_POINTS && status == BE_OK; i++) {
        const bool needed = i == 0 || i + 1 == BE_CEILING_POINTS; /* the last is memory */
        if (needed || !is_late(&sets)) {
            status = measure_set(&sets, working_set(i, whole), error);
        }
        sets.left = (BE_CEILING_POINTS - 1 - i) * (KINDS + UPDATES);
    }
    be_cpu_arrays_close(&sets.arrays);
    return status;
}

static enum be_status keep_best(void *context, const struct be_ceiling_samples *samples,
                                struct be_error *error) {
    struct be_ceilings *ceilings = context;
    (void)error;
    if (samples->update) { /* of the set before */
        ceilings->memory[ceilings->points - 1].update = best_rate(samples);
        ceilings->memory[ceilings->points - 1].update_stores = samples->stores;
        return BE_OK;
    }
    ceilings->memory[ceilings->points].update = 0;
    ceilings->memory[ceilings->points].bytes = samples->set_bytes;
    ceilings->memory[ceilings->points].stores = samples->stores;
    ceilings->memory[ceilings->points++].rate = best_rate(samples);
    return BE_OK;
}

static struct be_ceilings nothing_known(double cache_bytes) {
    struct be_ceilings ceilings = {.cache_bytes = cache_bytes,
                                   .bus_in = NAN,
                                   .bus_out = NAN,
                                   .latency_s = NAN,
                                   .launch_s = NAN};
    be_ceilings_set_operations(&ceilings, NAN, true);
    return ceilings;
}

/* After the sets; told to end there, the rest is not known. */
static enum be_status measure_arithmetic(struct be_team *team, enum be_status sets,
                                         struct be_ceilings *ceilings) {
    const struct be_clock clock = be_clock_host();
    if (sets == BE_OK) {
        be_ceilings_set_operations(ceilings, multiply_add_rate(team, &clock), true);
        ceilings->latency_s = latency(&clock);
    }
    return sets == BE_TIMEOUT ? BE_OK : sets;
}

enum be_status be_ceilings_cpu(struct be_team *team, double cache_bytes, double limit_s,
                               struct be_cancel cancel, struct be_ceilings *ceilings,
                               struct be_error *error) {
    *ceilings = nothing_known(cache_bytes);
    const enum be_status status =
        be_ceilings_cpu_sets(team, cache_bytes, SET_S, limit_s, cancel, keep_best, ceilings, error);
    return measure_arithmetic(team, status, ceilings);
}

enum be_status be_ceilings_cpu_again(struct be_team *team, const struct be_ceilings *known,
                                     double working_set, struct be_cancel cancel,
                                     struct be_ceilings *again, struct be_error *error) {
    *again = nothing_known(known->cache_bytes);
    struct sets sets = sets_of(team, SET_S, (KINDS + UPDATES) * SET_S, 1);
    enum be_status status = BE_OK;
    sets.cancel = cancel;
    sets.take = keep_best;
    sets.context = again;
    if (known->points > 0) {
        const double bytes = known->memory[be_ceilings_set(known, working_set)].bytes;
        const double lies = be_cpu_pass_lies(BE_PASS_TRIAD);
        /* A grain more, since rounding must not make it a smaller set; and room for an update of a single array. */
        const double set = bytes + lies * BE_CPU_GRAIN;
        const double room = fmin(3 * set, be_cpu_arrays_beyond(known->cache_bytes));
        status = open_sets(&sets, fmax(room, set + lies * BE_CPU_GRAIN), error);
        status = status == BE_OK ? measure_set(&sets, set, error) : status;
        be_cpu_arrays_close(&sets.arrays);
    }
    return measure_arithmetic(team, status, again);
}
