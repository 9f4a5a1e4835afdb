/* The CPU's ceilings for a team: triad bandwidth over working sets, and multiply-adds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pages.h"
#include "machine/ceilings.h"
#include "machine/cpu_rates.h"

enum { GRAIN = 64, TRIES = 9, CACHES = 6 /* how many times the cache is surely memory */ };

struct triad {
    float *x, *y, *z;
    size_t n;     /* floats an array */
    size_t piece; /* floats that one timed run does, from `at` on */
    size_t at;
    long rounds; /* times over, where a piece is everything */
    int past_cache;
};

static void triad_share(void *context, int member, int members) {
    const struct triad *t = context;
    size_t first;
    size_t count;
    be_team_share(t->piece, GRAIN, member, members, &first, &count);
    first += t->at;
    for (long round = 0; round < t->rounds; round++) {
        be_cpu_rates()->triad(t->x + first, t->y + first, t->z + first, count, t->past_cache);
    }
}

static void touch_share(void *context, int member, int members) {
    const struct triad *t = context;
    size_t first;
    size_t count;
    be_team_share(t->n, GRAIN, member, members, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        t->x[i] = 0.5f + (float)(i % 7);
        t->y[i] = 0.25f + (float)(i % 5);
        t->z[i] = 1.0f;
    }
}

static double time_piece(struct be_team *team, struct triad *t, const struct be_clock *clock) {
    t->at = t->at + 2 * t->piece <= t->n ? t->at + t->piece : 0;
    double start = be_now(clock);
    be_team_run(team, triad_share, t);
    return be_now(clock) - start;
}

/*
 * Best rate of runs of about 1 ms: short ones repeat the whole set, long ones walk through it piece
 * by piece. A longer run would be cut by the scheduler on a busy machine, every time, and show a
 * ceiling that is too low.
 */
static double triad_rate(struct be_team *team, const struct triad *set,
                         const struct be_clock *clock) {
    const double run_s = 1e-3;
    const double all_s = 60e-3;
    struct triad t = *set;
    t.piece = t.n;
    t.rounds = 1;
    double seconds = time_piece(team, &t, clock);
    for (int i = 0; i < 3 && seconds < run_s / 2;
         i++) { /* the first runs are slow: not one guess */
        double scale = seconds > 0 ? run_s / seconds : 100;
        t.rounds = (long)((double)t.rounds * (scale < 100 ? scale : 100)) + 1;
        seconds = time_piece(team, &t, clock);
    }
    if (seconds > 2 * run_s && t.rounds == 1) {
        t.piece = (size_t)((double)t.n * run_s / seconds) / GRAIN * GRAIN;
        t.piece = t.piece ? t.piece : GRAIN;
    }
    double best = 0;
    double begun = be_now(clock);
    for (int run = 0; run < TRIES || be_now(clock) - begun < all_s; run++) {
        double rate = 12.0 * (double)t.piece * (double)t.rounds / time_piece(team, &t, clock);
        best = rate > best ? rate : best;
        if (run >= TRIES && t.rounds > 1) {
            break;
        }
    }
    return best;
}

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
    const double smallest = 12.0 * GRAIN * 16;
    double cache = largest / CACHES;
    return i < small ? smallest * pow(beyond[0] * cache / smallest, (double)i / small)
                     : beyond[i - small] * cache;
}

enum be_status be_ceilings_cpu(struct be_team *team, double cache_bytes,
                               struct be_ceilings *ceilings, struct be_error *error) {
    const struct be_clock clock = be_clock_host();
    double largest = isnan(cache_bytes) ? 768e6 : CACHES * cache_bytes;
    largest = largest < 192e6 ? 192e6 : largest;
    double have = be_memory_available();
    largest = largest > have / 4 ? have / 4 : largest;
    *ceilings = (struct be_ceilings){
        .cache_bytes = cache_bytes, .bus_in = NAN, .bus_out = NAN, .launch_s = NAN};
    size_t n = (size_t)(largest / 12.0) / GRAIN * GRAIN;
    struct be_pages pages;
    enum be_status status = be_pages_get(3 * n * sizeof(float), &pages, error);
    if (status != BE_OK) {
        return be_context(error, "measuring the CPU's bandwidth");
    }
    struct triad all = {.n = n};
    all.x = pages.memory;
    all.y = all.x + n;
    all.z = all.y + n;
    be_team_run(team, touch_share, &all);
    for (int i = 0; i < BE_CEILING_POINTS; i++) {
        struct triad t = all;
        t.n = (size_t)(working_set(i, largest) / 12.0) / GRAIN * GRAIN;
        double rate = triad_rate(team, &t, &clock);
        t.past_cache = 1;
        double streamed = triad_rate(team, &t, &clock);
        ceilings->memory[i].bytes = 12.0 * (double)t.n;
        ceilings->memory[i].rate = rate > streamed ? rate : streamed;
    }
    ceilings->points = BE_CEILING_POINTS;
    ceilings->operations = multiply_add_rate(team, &clock);
    be_pages_give_back(&pages);
    return BE_OK;
}
