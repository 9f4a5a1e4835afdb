#include "machine/cpu_arrays.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "machine/cpu_rates.h"

struct work {
    const struct be_cpu_arrays *arrays;
    struct be_cpu_pass pass;
    long rounds;   /* times over, where a piece is everything */
    size_t pieces; /* that every member's part is cut into */
    size_t at;     /* piece that is next */
};

/* Elements [first, first + count), once. */
static void pass_once(const struct work *w, size_t first, size_t count) {
    const struct be_cpu_rates *rates = be_cpu_rates();
    float *const x = w->arrays->x + first;
    float *const y = w->arrays->y + first;
    float *const z = w->arrays->z + first;
    volatile float sum; /* or else it is not computed */
    switch (w->pass.kind) {
    case BE_PASS_TRIAD:
        rates->triad(x, y, z, count, w->pass.stores);
        break;
    case BE_PASS_COPY:
        rates->copy(x, z, count);
        break;
    case BE_PASS_SCALE:
        rates->triad(x, x, z, count, w->pass.stores);
        break;
    case BE_PASS_SUM:
        sum = rates->sum(x, count) + rates->sum(y, count) + rates->sum(z, count);
        (void)sum;
        break;
    case BE_PASS_UPDATE:
        rates->update(x, count, w->pass.stores);
        break;
    case BE_PASS_UPDATE_ALL:
        rates->update(x, count, w->pass.stores);
        rates->update(y, count, w->pass.stores);
        rates->update(z, count, w->pass.stores);
        break;
    case BE_PASSES:
        break;
    }
}

static void pass_share(void *context, int member, int members) {
    const struct work *w = context;
    size_t first;
    size_t count;
    size_t part;
    size_t skip;
    be_team_share(w->pass.n, BE_CPU_GRAIN, member, members, &skip, &part);
    be_team_share(w->arrays->n, BE_CPU_GRAIN, member, members, &first, &count);
    be_team_share(part, BE_CPU_GRAIN, (int)w->at, (int)w->pieces, &skip, &count);
    for (long round = 0; round < w->rounds; round++) {
        pass_once(w, first + skip, count);
    }
}

static void touch_share(void *context, int member, int members) {
    const struct be_cpu_arrays *a = context;
    size_t first;
    size_t count;
    be_team_share(a->n, BE_CPU_GRAIN, member, members, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        a->x[i] = 0.5f + (float)(i % 7);
        a->y[i] = 0.25f + (float)(i % 5);
        a->z[i] = 1.0f;
    }
}

static const struct {
    double arrays, moved;
} pass_size[BE_PASSES] = {
    [BE_PASS_TRIAD] = {3, 3}, [BE_PASS_COPY] = {2, 2},   [BE_PASS_SCALE] = {2, 2},
    [BE_PASS_SUM] = {3, 3},   [BE_PASS_UPDATE] = {1, 2}, [BE_PASS_UPDATE_ALL] = {3, 6}};

double be_cpu_pass_lies(enum be_cpu_pass_kind kind) {
    return pass_size[kind].arrays * (double)sizeof(float);
}

double be_cpu_pass_moves(enum be_cpu_pass_kind kind) {
    return pass_size[kind].moved * (double)sizeof(float);
}

double be_cpu_arrays_beyond(double cache_bytes) {
    double bytes = isnan(cache_bytes) ? 768e6 : BE_CPU_CACHES * cache_bytes;
    return fmin(fmax(bytes, 192e6), be_memory_available() / 4); /* fmin: not known is no bound */
}

void be_cpu_arrays_lay(struct be_team *team, float *memory, size_t n,
                       struct be_cpu_arrays *arrays) {
    arrays->n = n;
    arrays->x = memory;
    arrays->y = memory + n;
    arrays->z = memory + 2 * n;
    be_team_run(team, touch_share, arrays);
}

enum be_status be_cpu_arrays_open(struct be_team *team, double bytes, struct be_cpu_arrays *arrays,
                                  struct be_error *error) {
    *arrays = (struct be_cpu_arrays){0};
    size_t n = (size_t)(bytes / (3 * sizeof(float))) / BE_CPU_GRAIN * BE_CPU_GRAIN;
    enum be_status status = be_pages_get(3 * n * sizeof(float), &arrays->pages, error);
    if (status == BE_OK) {
        be_cpu_arrays_lay(team, arrays->pages.memory, n, arrays);
    }
    return status;
}

void be_cpu_arrays_close(struct be_cpu_arrays *arrays) {
    be_pages_give_back(&arrays->pages);
    *arrays = (struct be_cpu_arrays){0};
}

static double time_piece(struct be_team *team, struct work *w, const struct be_clock *clock) {
    w->at = w->at + 1 < w->pieces ? w->at + 1 : 0;
    double start = be_now(clock);
    be_team_run(team, pass_share, w);
    return be_now(clock) - start;
}

/* A piece has at least PIECE grains a member, so that all pieces are nearly as long. Passes over
 * fewer than LITTLE grains a member cost next to nothing. */
enum { PIECE = 256, LITTLE = 4096 };

/* Rounds or pieces, so that one run takes about run_s. The first runs are slow, and on a busy
 * machine any may be: no single one is believed where another is cheap. */
static void set_length(struct be_team *team, struct work *w, const struct be_clock *clock) {
    const double run_s = w->pass.run_s;
    const size_t grains = w->pass.n / BE_CPU_GRAIN / (size_t)be_team_size(team);
    double seconds = time_piece(team, w, clock);
    for (int i = 0; i < 2 && grains < LITTLE; i++) {
        seconds = fmin(seconds, time_piece(team, w, clock));
    }
    for (int i = 0; i < 3 && seconds < run_s / 2; i++) {
        double scale = seconds > 0 ? run_s / seconds : 100;
        w->rounds = (long)((double)w->rounds * fmin(scale, 100)) + 1;
        seconds = time_piece(team, w, clock);
    }
    if (seconds > 2 * run_s && w->rounds == 1) {
        const size_t max = grains / PIECE;
        w->pieces = (size_t)fmax(1, fmin(seconds / run_s, (double)max));
    }
}

enum be_status be_cpu_arrays_sample(struct be_team *team, const struct be_cpu_arrays *arrays,
                                    const struct be_cpu_pass *pass, const struct be_clock *clock,
                                    const struct be_stop_rule *rule, struct be_samples *seconds,
                                    double *bytes, struct be_error *error) {
    struct work w = {.arrays = arrays, .pass = *pass, .rounds = 1, .pieces = 1};
    set_length(team, &w, clock);
    const double of_all = be_cpu_pass_moves(pass->kind) * (double)pass->n;
    *bytes = of_all * (double)w.rounds / (double)w.pieces;
    enum be_status status = BE_OK;
    enum be_stop stop = BE_STOP_NONE;
    double begun = be_now(clock);
    while (status == BE_OK && stop == BE_STOP_NONE) {
        status = be_samples_add(seconds, time_piece(team, &w, clock), error);
        stop = be_stop_check(seconds, be_now(clock) - begun, rule);
    }
    return status;
}
