#include "decide/decide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Probabilities of meeting the deadline that differ by less are taken as equal: the draws leave as much open. */
static const double same_chance = 0.01;

static bool is_time(const struct be_predict_time *time, bool needed) {
    const double t = time->typical_s;
    return needed ? t > 0 && isfinite(t) : t >= 0 && isfinite(t);
}

static enum be_status check(const struct be_decide_place *place, int places,
                            struct be_error *error) {
    if (places < 1 || places > BE_DECIDE_PLACES_MAX) {
        return be_fail(error, BE_USAGE, "%d places: 1 to %d can be ranked", places,
                       BE_DECIDE_PLACES_MAX);
    }
    for (int i = 0; i < places; i++) {
        if (!is_time(&place[i].compute, true) || !is_time(&place[i].load, false) ||
            !is_time(&place[i].transfer, false) || !is_time(&place[i].network, false)) {
            return be_fail(error, BE_USAGE, "%s, %s: its computing time is not known",
                           place[i].where, place[i].name);
        }
    }
    return BE_OK;
}

static bool is_waited_for(const struct be_decide_place *place) {
    return place->here || place->wait;
}

static struct be_decide_spread spread_of(const struct be_draws *draws, bool with_wait,
                                         double *scratch) {
    be_draws_total(draws, 1, with_wait, scratch);
    const double q50 = be_draws_quantile(scratch, 0.5);
    return (struct be_decide_spread){be_draws_quantile(scratch, 0.1), q50,
                                     be_draws_quantile(scratch, 0.9)};
}

static double share_within(const double *value, double limit) {
    int within = 0;
    for (int d = 0; d < BE_DRAWS; d++) {
        within += value[d] <= limit;
    }
    return (double)within / BE_DRAWS;
}

static void judge(const struct be_deciding *deciding, double deadline_s,
                  struct be_decide_row *row) {
    const struct be_decide_place *place = &deciding->place[row->place];
    const struct be_draws *draws = &deciding->draws[row->place];
    double *scratch = deciding->scratch;
    row->busy = spread_of(draws, false, scratch);
    row->p_limit = place->limit_s > 0 ? share_within(scratch, place->limit_s) : NAN;
    row->result = (struct be_decide_spread){NAN, NAN, NAN};
    row->p_deadline = row->wait_q50_s = NAN;
    if (is_waited_for(place)) {
        row->result = spread_of(draws, true, scratch);
        row->p_deadline = deadline_s > 0 ? share_within(scratch, deadline_s) : NAN;
        row->wait_q50_s = place->here ? 0 : place->wait->wait_s[(BE_ODDS_POINTS - 1) / 2];
    }
    const double hours = row->busy.q50_s / 3600;
    row->core_hours = place->cores * hours;
    row->gpu_hours = place->gpus * (place->gpu_share > 0 ? place->gpu_share : 1) * hours;
    row->cost = place->charge * hours;
    row->energy_j = place->power_w > 0 ? place->power_w * row->busy.q50_s : NAN;
}

/* How often each is done first, among those that are compared. */
static void count_firsts(const struct be_deciding *deciding, struct be_decide_row *row) {
    int first[BE_DECIDE_PLACES_MAX] = {0};
    for (int d = 0; d < BE_DRAWS; d++) {
        double best = INFINITY;
        int of = 0;
        for (int i = 0; i < deciding->places; i++) {
            const struct be_draws *draws = &deciding->draws[i];
            const double total =
                draws->load[d] + draws->work[d] + (deciding->waits ? draws->wait[d] : 0);
            if (total < best) { /* false where the wait is not known */
                best = total;
                of = i;
            }
        }
        first[of]++;
    }
    for (int i = 0; i < deciding->places; i++) {
        const bool counts = !deciding->waits || is_waited_for(&deciding->place[i]);
        row[i].p_first = counts ? (double)first[i] / BE_DRAWS : NAN;
    }
}

static double median_of(const struct be_decide_row *row) {
    return isnan(row->result.q50_s) ? row->busy.q50_s : row->result.q50_s;
}

static int by_rank(const void *a, const void *b) {
    const struct be_decide_row *x = a, *y = b;
    const bool x_known = !isnan(x->result.q50_s), y_known = !isnan(y->result.q50_s);
    if (x_known != y_known) {
        return x_known ? -1 : 1;
    }
    if (fabs(x->p_deadline - y->p_deadline) >= same_chance) { /* false where there is none */
        return x->p_deadline > y->p_deadline ? -1 : 1;
    }
    const double by = median_of(x) - median_of(y);
    return by < 0 ? -1 : by > 0 ? 1 : x->place - y->place;
}

static void rank(struct be_deciding *deciding, double deadline_s, struct be_decision *decision) {
    decision->rows = deciding->places;
    decision->deadline_s = deadline_s > 0 ? deadline_s : NAN;
    for (int i = 0; i < deciding->places; i++) {
        deciding->waits |= is_waited_for(&deciding->place[i]);
    }
    for (int i = 0; i < deciding->places; i++) {
        decision->row[i] = (struct be_decide_row){.place = i};
        be_draws_make(&deciding->place[i], &deciding->draws[i]);
        judge(deciding, deadline_s, &decision->row[i]);
    }
    count_firsts(deciding, decision->row);
    qsort(decision->row, (size_t)decision->rows, sizeof *decision->row, by_rank);
    be_decide_explain(deciding, decision);
}

enum be_status be_decide(const struct be_decide_place *place, int places, double deadline_s,
                         struct be_decision *decision, struct be_error *error) {
    enum be_status status = check(place, places, error);
    if (status) {
        return status;
    }
    *decision = (struct be_decision){0};
    struct be_draws draws[BE_DECIDE_PLACES_MAX];
    double *memory = malloc(((size_t)places * 3 + 2) * BE_DRAWS * sizeof *memory);
    if (!memory) {
        return be_fail(error, BE_NOMEM, "no host memory for %d places", places);
    }
    for (int i = 0; i < places; i++) {
        double *at = memory + (size_t)i * 3 * BE_DRAWS;
        draws[i] = (struct be_draws){at, at + BE_DRAWS, at + (size_t)2 * BE_DRAWS};
    }
    struct be_deciding deciding = {place, places, draws, false,
                                   memory + (size_t)places * 3 * BE_DRAWS};
    rank(&deciding, deadline_s, decision);
    free(memory);
    return BE_OK;
}
