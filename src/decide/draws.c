#include "decide/draws.h"

#include <math.h>

#include "base/random.h"

/* Streams of random numbers. A basis is added to COMPUTE. */
enum stream { LOAD = 1, TRANSFER, COMPUTE, NETWORK = 40, RUNS = 50, WAIT = 100 };

static double uniform(uint64_t stream, uint64_t draw) {
    return ((double)(be_random_bits(stream, draw) >> 11) + 0.5) * 0x1p-53;
}

/* A standard normal number (Box and Muller 1958). */
static double normal(uint64_t stream, uint64_t draw) {
    return sqrt(-2 * log(uniform(stream, 2 * draw))) *
           cos(2 * acos(-1) * uniform(stream, 2 * draw + 1));
}

/* The time whose logarithm is z standard deviations from the middle; each side has its own. */
static double time_at(const struct be_predict_time *time, double z) {
    const double sides = 1.6448536269514722; /* standard deviations to the ends of 90 % */
    const double end = z < 0 ? time->lo_s : time->hi_s;
    if (!(time->typical_s > 0) || !(end > 0)) {
        return time->typical_s > 0 ? time->typical_s : 0;
    }
    return time->typical_s * exp(fabs(z) / sides * log(end / time->typical_s));
}

static double odds_at(const struct be_wait_odds *odds, double share) {
    const double at = share * (BE_ODDS_POINTS - 1);
    const int below = (int)at < BE_ODDS_POINTS - 2 ? (int)at : BE_ODDS_POINTS - 2;
    const double from = odds->wait_s[below], to = odds->wait_s[below + 1];
    return from + (to - from) * (at - below);
}

/* One stream a partition of a cluster. */
static uint64_t stream_of(const struct be_decide_place *place) {
    uint64_t hash = 1469598103934665603u; /* FNV-1a */
    for (const char *c = place->where; *c; c++) {
        hash = (hash ^ (uint8_t)*c) * 1099511628211u;
    }
    hash = (hash ^ '/') * 1099511628211u;
    for (const char *c = place->partition; *c; c++) {
        hash = (hash ^ (uint8_t)*c) * 1099511628211u;
    }
    return WAIT + (hash >> 8);
}

void be_draws_make(const struct be_decide_place *place, struct be_draws *draws) {
    const uint64_t queue = stream_of(place), basis = COMPUTE + (uint64_t)place->basis;
    for (uint64_t d = 0; d < BE_DRAWS; d++) {
        draws->wait[d] = place->here   ? 0
                         : place->wait ? odds_at(place->wait, uniform(queue, d))
                                       : NAN;
        draws->load[d] = time_at(&place->load, normal(LOAD, d));
        const double times = place->runs ? odds_at(place->runs, uniform(RUNS, d)) : 1;
        draws->work[d] = time_at(&place->transfer, normal(TRANSFER, d)) +
                         times * time_at(&place->compute, normal(basis, d)) +
                         time_at(&place->network, normal(NETWORK, d));
    }
}

void be_draws_total(const struct be_draws *draws, double factor, bool with_wait, double *total) {
    for (int d = 0; d < BE_DRAWS; d++) {
        total[d] = (with_wait ? draws->wait[d] : 0) + draws->load[d] + factor * draws->work[d];
    }
}

/* Hoare's selection: afterwards nothing before `at` is larger than it, and nothing behind it smaller. */
static void select_at(double *value, int count, int at) {
    int from = 0, to = count - 1;
    while (from < to) {
        const double pivot = value[from + (to - from) / 2];
        int i = from, k = to;
        while (i <= k) {
            for (; value[i] < pivot; i++) {
            }
            for (; value[k] > pivot; k--) {
            }
            if (i <= k) {
                const double swapped = value[i];
                value[i++] = value[k];
                value[k--] = swapped;
            }
        }
        if (at <= k) {
            to = k;
        } else if (at >= i) {
            from = i;
        } else {
            return;
        }
    }
}

double be_draws_quantile(double *value, double share) {
    const int at = (int)(share * (BE_DRAWS - 1) + 0.5);
    select_at(value, BE_DRAWS, at);
    return value[at];
}
