/* be_time_in_turn: several ways of one computation, sampled side by side. It knows nothing of what is timed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "bench/case/case.h"
#include "breakeven_samples.h"

struct way {
    struct be_samples samples;
    double spent_s, call_s;
    long batch;
    enum be_stop stop;
    bool failed;
};

struct turns {
    double (*time_calls)(void *context, int way, long calls);
    const struct be_turn_options *options;
    struct be_stop_rule rule;
    struct be_clock clock;
    struct way *way;
    int ways;
};

/* Seconds a call; NAN: it failed, and the way is over. */
static double time_batch(struct turns *t, int i, long calls) {
    const double seconds = t->time_calls(t->options->context, i, calls);
    if (seconds >= 0) {
        return seconds / (double)calls;
    }
    t->way[i].failed = true;
    return NAN;
}

/* Calls that make a sample. Twice: the first guess rests on calls that may still be warming up. */
static void calibrate(struct turns *t, int i) {
    enum { CALLS_MAX = 1000000 };
    struct way *way = &t->way[i];
    const double min = fmax(BE_SAMPLE_MIN_S, BE_CLOCK_STEPS_A_SAMPLE * t->clock.step_s);
    way->batch = 1;
    way->call_s = time_batch(t, i, 1);
    for (int k = 0; k < 2 && way->call_s < BE_LONG_CALL_S; k++) {
        const double calls = way->call_s > 0 ? ceil(min / way->call_s) : CALLS_MAX;
        way->batch = calls < 1 ? 1 : calls > CALLS_MAX ? CALLS_MAX : (long)calls;
        way->call_s = time_batch(t, i, way->batch);
    }
}

/* The ways before this one took the cache: a short one gets a call that does not count. */
static enum be_status sample(struct turns *t, int i, struct be_error *error) {
    struct way *way = &t->way[i];
    const double start = be_now(&t->clock);
    if (t->ways > 1 && way->call_s < BE_LONG_CALL_S && isnan(time_batch(t, i, 1))) {
        return BE_OK;
    }
    const double seconds = time_batch(t, i, way->batch);
    if (isnan(seconds)) {
        return BE_OK;
    }
    const enum be_status status = be_samples_add(&way->samples, seconds, error);
    way->spent_s += be_now(&t->clock) - start;
    way->stop = be_stop_check(&way->samples, way->spent_s, &t->rule);
    return status;
}

static bool is_cancelled(const struct turns *t) {
    return t->options->cancelled && t->options->cancelled(t->options->context);
}

/* A B C C B A: what drifts, drifts for all, and the order of the ways changes. */
static enum be_status sample_all(struct turns *t, struct be_error *error) {
    enum be_status status = BE_OK;
    bool more = true;
    for (int round = 0; more && status == BE_OK; round++) {
        more = false;
        for (int k = 0; k < t->ways && status == BE_OK; k++) {
            const int i = round % 2 ? t->ways - 1 - k : k;
            struct way *way = &t->way[i];
            if (way->failed || way->stop != BE_STOP_NONE || is_cancelled(t)) {
                continue;
            }
            status = sample(t, i, error);
            more |= !way->failed && way->stop == BE_STOP_NONE;
        }
    }
    return status;
}

/* Takes over the samples. */
static void hand_over(struct turns *t, struct be_taken *taken) {
    const bool cancelled = is_cancelled(t);
    for (int i = 0; i < t->ways; i++) {
        struct way *way = &t->way[i];
        const bool cut = way->stop == BE_STOP_NONE && (cancelled || !way->failed);
        taken[i] = (struct be_taken){
            .seconds = way->samples.value,
            .samples = way->samples.count,
            .batch = way->batch,
            .failed = way->failed,
            .summary = be_summarize(&way->samples, cut ? BE_STOP_CANCELLED : way->stop)};
        way->samples = (struct be_samples){0};
    }
}

static double or_else(double asked, double preset) {
    return asked > 0 ? asked : preset;
}

enum be_status be_time_in_turn(double (*time_calls)(void *context, int way, long calls), int ways,
                               const struct be_turn_options *options, struct be_taken *taken,
                               struct be_error *error) {
    static const struct be_turn_options defaults = {0};
    const struct be_turn_options *o = options ? options : &defaults;
    if (!time_calls || ways < 1) {
        return be_fail(error, BE_USAGE,
                       "be_time_in_turn: there is no function to run: give one, and at least one "
                       "way of it");
    }
    memset(taken, 0, (size_t)ways * sizeof *taken);
    struct turns t = {.time_calls = time_calls,
                      .options = o,
                      .rule = {.precision = or_else(o->precision, 0.02),
                               .min = 10,
                               .budget_s = or_else(o->budget_s, 0.25),
                               .patience = or_else(o->patience, 20)},
                      .clock = be_clock_host(),
                      .way = calloc((size_t)ways, sizeof *t.way),
                      .ways = ways};
    enum be_status status =
        t.way ? BE_OK : be_fail(error, BE_NOMEM, "no host memory for %d ways", ways);
    for (int i = 0; status == BE_OK && i < ways && !is_cancelled(&t); i++) {
        calibrate(&t, i);
    }
    status = status == BE_OK ? sample_all(&t, error) : status;
    if (t.way) {
        hand_over(&t, taken);
    }
    free(t.way);
    if (status != BE_OK) {
        be_taken_free(taken, ways);
    }
    return status;
}

void be_taken_free(struct be_taken *taken, int ways) {
    for (int i = 0; i < ways; i++) {
        free(taken[i].seconds);
        taken[i] = (struct be_taken){0};
    }
}
