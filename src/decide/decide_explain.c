#include <math.h>
#include <string.h>

#include "decide/decide.h"

/* Below this probability that the first is done before the other, they are too close to call. */
static const double sure_enough = 0.6;
/* A chance of meeting the deadline that is better by so much decides, whatever the medians say. */
static const double better_chance = 0.05;
/* Work is tried from a thousandth to a thousand times of what was asked about. */
static const double widest = 1000, step = 1.1;

static bool has_gpu(const struct be_deciding *deciding, const struct be_decide_row *row) {
    return deciding->place[row->place].gpus > 0;
}

static bool counts(const struct be_deciding *deciding, const struct be_decide_row *row) {
    return !deciding->waits || !isnan(row->result.q50_s);
}

/* The best of the other kind, since "a GPU or cores?" is the question; without one the next. -1: there is none. */
static int next_of(const struct be_deciding *deciding, const struct be_decision *decision) {
    for (int i = 1; i < decision->rows; i++) {
        if (counts(deciding, &decision->row[i]) &&
            has_gpu(deciding, &decision->row[i]) != has_gpu(deciding, &decision->row[0])) {
            return i;
        }
    }
    return decision->rows > 1 && counts(deciding, &decision->row[1]) ? 1 : -1;
}

/* The difference of the medians, first - next, at so much work. */
static double ahead_at(const struct be_deciding *deciding, int first, int next, double factor) {
    double *scratch = deciding->scratch;
    be_draws_total(&deciding->draws[first], factor, deciding->waits, scratch);
    be_draws_total(&deciding->draws[next], factor, deciding->waits, scratch + BE_DRAWS);
    return be_draws_quantile(scratch, 0.5) - be_draws_quantile(scratch + BE_DRAWS, 0.5);
}

static double bisect(const struct be_deciding *deciding, int first, int next, double from,
                     double to) {
    for (int i = 0; i < 12; i++) {
        const double middle = sqrt(from * to);
        *(ahead_at(deciding, first, next, middle) < 0 ? &from : &to) = middle;
    }
    return to;
}

/* The nearest work at which the other is ahead, in either direction. */
static double turning(const struct be_deciding *deciding, int first, int next) {
    double up = 1, down = 1;
    if (ahead_at(deciding, first, next, 1) >= 0) {
        return NAN; /* the deadline ranked them, not the medians */
    }
    while (up < widest) {
        if (ahead_at(deciding, first, next, up * step) >= 0) {
            return bisect(deciding, first, next, up, up * step);
        }
        if (ahead_at(deciding, first, next, down / step) >= 0) {
            return bisect(deciding, first, next, down, down / step);
        }
        up *= step;
        down /= step;
    }
    return NAN;
}

/* How probable it is that the first is done before the other. */
static double sooner(const struct be_deciding *deciding, int first, int next) {
    double *a = deciding->scratch, *b = a + BE_DRAWS;
    int wins = 0;
    be_draws_total(&deciding->draws[first], 1, deciding->waits, a);
    be_draws_total(&deciding->draws[next], 1, deciding->waits, b);
    for (int d = 0; d < BE_DRAWS; d++) {
        wins += a[d] < b[d];
    }
    return (double)wins / BE_DRAWS;
}

static enum be_decide_reason reason_of(const struct be_deciding *deciding,
                                       const struct be_decision *decision) {
    const struct be_decide_row *first = &decision->row[0], *next = &decision->row[decision->next];
    const bool surer = first->p_deadline - next->p_deadline >= better_chance;
    if (surer && first->result.q50_s > next->result.q50_s) {
        return BE_REASON_DEADLINE;
    }
    if (!surer && sooner(deciding, first->place, next->place) < sure_enough) {
        return BE_REASON_CLOSE;
    }
    if (!deciding->waits) {
        return BE_REASON_NO_WAITS;
    }
    return first->busy.q50_s > next->busy.q50_s   ? BE_REASON_WAITS
           : first->wait_q50_s > next->wait_q50_s ? BE_REASON_DESPITE
                                                  : BE_REASON_COMPUTES;
}

/* The place of unknown wait that has most time left for it. */
static void look_at_unknown(const struct be_deciding *deciding, struct be_decision *decision) {
    decision->unknown = -1;
    decision->unknown_wait_s = NAN;
    for (int i = 1; i < decision->rows && deciding->waits; i++) {
        const struct be_decide_row *row = &decision->row[i];
        const double left_s = decision->row[0].result.q50_s - row->busy.q50_s;
        if (isnan(row->result.q50_s) && left_s > 0 && !(decision->unknown_wait_s >= left_s)) {
            decision->unknown = i;
            decision->unknown_wait_s = left_s;
        }
    }
}

void be_decide_explain(const struct be_deciding *deciding, struct be_decision *decision) {
    decision->faster = decision->turns_at = decision->turns_first_s = decision->extra_wait_s = NAN;
    look_at_unknown(deciding, decision);
    decision->next = next_of(deciding, decision);
    if (decision->next < 0) {
        decision->reason = BE_REASON_ONLY;
        return;
    }
    const struct be_decide_row *first = &decision->row[0], *next = &decision->row[decision->next];
    decision->reason = reason_of(deciding, decision);
    decision->faster = next->busy.q50_s / first->busy.q50_s;
    decision->turns_at = turning(deciding, first->place, next->place);
    if (!isnan(decision->turns_at)) {
        be_draws_total(&deciding->draws[first->place], decision->turns_at, false,
                       deciding->scratch);
        decision->turns_first_s = be_draws_quantile(deciding->scratch, 0.5);
    }
    if (!deciding->waits) {
        decision->extra_wait_s = next->busy.q50_s - first->busy.q50_s;
    }
}
