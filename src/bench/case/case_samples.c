/* Samples of a case, one batch of calls each, and what becomes of them: a summary that the hardware could have
 * done, or none. */
#include <math.h>

#include "base/error.h"
#include "bench/case/case.h"

/* How often the device is asked for its clock: asking costs more than a short sample. */
static const double state_every_s = 0.05;

/* A working set of up to `stays` times the last cache leaves a part of itself there. */
static const double stays = 4;

/* The cases before this one took the cache: does a call of its own come first? */
static bool warms_up(const struct be_case *c) {
    const enum be_cache cache = c->result.cache;
    const bool some = be_case_touched(c) < stays * c->place->ceilings.cache_bytes;
    return c->call_s < BE_LONG_CALL_S && (cache == BE_HOT || (cache == BE_BEYOND && some));
}

static enum be_status time_batch(struct be_case *c, const struct be_clock *clock, double *seconds,
                                 struct be_error *error) {
    enum be_status status = warms_up(c) ? be_case_call(c, error) : BE_OK;
    double start = be_now(clock);
    for (long i = 0; status == BE_OK && i < c->batch; i++) {
        be_case_turn(c);
        status = be_case_call(c, error);
    }
    *seconds = (be_now(clock) - start) / (double)c->batch;
    return status;
}

/* The first call may have loaded code, or touched memory first. Were it not for that, would it be long? A second
 * one says so, where it does not take too long itself. */
static enum be_status look_again(struct be_case *c, const struct be_clock *clock,
                                 struct be_error *error) {
    if (c->call_s < BE_LONG_CALL_S || c->call_s >= BE_LONG_FOR_SURE_S) {
        return BE_OK;
    }
    be_case_turn(c);
    const double start = be_now(clock);
    const enum be_status status = be_case_call(c, error);
    c->call_s = fmin(c->call_s, be_now(clock) - start);
    return status;
}

enum be_status be_case_calibrate(struct be_case *c, const struct be_clock *clock,
                                 struct be_error *error) {
    double min = BE_CLOCK_STEPS_A_SAMPLE * clock->step_s;
    min = min > BE_SAMPLE_MIN_S ? min : BE_SAMPLE_MIN_S;
    enum be_status status = be_case_slice(c, clock, error);
    status = status == BE_OK ? look_again(c, clock, error) : status;
    if (status != BE_OK || c->call_s >= BE_LONG_CALL_S) {
        return status;
    }
    /* Twice: the first guess rests on calls that may still be warming up. */
    for (int i = 0; status == BE_OK && i < 2; i++) {
        double seconds = NAN;
        status = time_batch(c, clock, &seconds, error);
        double calls = seconds > 0 ? ceil(min / seconds) : 1e6;
        c->batch = calls < 1 ? 1 : calls > 1e6 ? 1000000 : (long)calls;
    }
    return status;
}

static void look_at_device(struct be_case *c, double now_s) {
    struct be_device *device = c->place->device;
    struct be_device_state state;
    if (!device || !device->ops->extras->state ||
        (c->state_at_s > 0 && now_s - c->state_at_s < state_every_s)) {
        return;
    }
    struct be_result *r = &c->result;
    device->ops->extras->state(device, &state);
    c->state_at_s = now_s;
    if (!isnan(state.clock_hz)) {
        (void)be_samples_add(&c->clock, state.clock_hz, NULL);
        r->slow_clock += state.clock_hz < 0.75 * state.clock_max_hz;
    }
    r->throttle |= state.throttle;
    r->temperature_c = isnan(r->temperature_c) || state.temperature_c > r->temperature_c
                           ? state.temperature_c
                           : r->temperature_c;
}

void be_case_sample(struct be_case *c, const struct be_clock *clock,
                    const struct be_stop_rule *rule) {
    struct be_error error = {0};
    double seconds;
    double start = be_now(clock);
    enum be_status status = time_batch(c, clock, &seconds, &error);
    double end = be_now(clock);
    status = status == BE_OK ? be_samples_add(&c->total, seconds, &error) : status;
    if (status != BE_OK) {
        be_case_fail(c, BE_RESULT_FAILED, error.text);
        return;
    }
    c->spent_s += end - start;
    c->stop = be_stop_check(&c->total, c->spent_s, rule);
    look_at_device(c, end);
}

/* ---- the end ------------------------------------------------------------------------------- */

static bool too_fast(const struct be_case *c) {
    return c->result.phase[BE_TOTAL].median_s < BE_POSSIBLE * c->result.limit_s;
}

static void summarize(struct be_case *c) {
    struct be_result *r = &c->result;
    r->phase[BE_TOTAL] = be_summarize(&c->total, c->stop);
    if (c->clock.count > 0) { /* of readings -> of samples */
        r->slow_clock = (int)lround((double)r->slow_clock * c->total.count / c->clock.count);
    }
    r->clock_hz = be_median(c->clock.value, c->clock.count);
}

bool be_case_is_doubted(struct be_case *c) {
    c->result.phase[BE_TOTAL] = be_summarize(&c->total, c->stop);
    if (too_fast(c)) { /* first doubt the ceilings; those of the place may have risen already */
        be_case_set_limit(c);
    }
    if (too_fast(c)) {
        be_place_raise_ceilings(c->place, be_case_touched(c));
        be_case_set_limit(c);
    }
    return too_fast(c);
}

void be_case_restart(struct be_case *c) {
    c->total.count = 0;
    c->clock.count = 0;
    c->result.slow_clock = 0;
    c->spent_s = 0;
    c->stop = BE_STOP_NONE;
}

bool be_cases_doubted(struct be_case *c, int cases) {
    bool doubted = false;
    for (int i = 0; i < cases; i++) {
        doubted |= c[i].result.status == BE_RESULT_OK && be_case_is_doubted(&c[i]);
    }
    for (int i = 0; doubted && i < cases; i++) {
        if (c[i].result.status == BE_RESULT_OK) {
            be_case_restart(&c[i]);
        }
    }
    return doubted;
}

/* Still faster than the hardware allows, after ceilings and samples were taken again. */
static void judge(struct be_case *c, bool cancelled) {
    struct be_result *r = &c->result;
    if (!too_fast(c)) {
        return;
    }
    if (cancelled) {
        be_case_fail(c, BE_RESULT_SKIPPED, "ended before it could be held against its limit");
    } else {
        char text[BE_NOTE];
        snprintf(text, sizeof text, "%.3g s is faster than the hardware allows (%.3g s): %s",
                 r->phase[BE_TOTAL].median_s, r->limit_s,
                 c->place->device
                     ? "the clock stopped before the work did, or this device was slower when its "
                       "limits were measured"
                     : "this machine was slower when its limits were measured");
        be_case_fail(c, BE_RESULT_IMPOSSIBLE, text);
    }
}

void be_case_finish(struct be_case *c, const struct be_clock *clock,
                    const struct be_stop_rule *rule, bool cancelled) {
    struct be_result *r = &c->result;
    summarize(c);
    if (r->status != BE_RESULT_OK) {
        return;
    }
    if (c->total.count == 0) {
        be_case_fail(c, BE_RESULT_SKIPPED, "ended before it was measured");
        return;
    }
    judge(c, cancelled);
    if (!cancelled && r->status == BE_RESULT_OK) {
        be_case_check_again(c, clock);
    }
    struct be_stop_rule brief = *rule;
    brief.budget_s /= 5;
    if (!cancelled && r->status == BE_RESULT_OK) {
        be_case_phases(c, clock, &brief);
    }
}

/* ---- as published --------------------------------------------------------------------------- */

/* The operations in the queue are waited for, after an error too. */
static enum be_status time_unwaited(struct be_case *c, const struct be_clock *clock,
                                    struct be_samples *samples, struct be_error *error) {
    enum { LOOPS = 10, TIMES = 11 }; /* ten loops, as the published benchmark has them */
    struct be_device *device = c->place->device;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < TIMES; i++) {
        double start = be_now(clock);
        for (int loop = 0; status == BE_OK && loop < LOOPS; loop++) {
            status = be_case_enqueue(c, BE_QUEUE_WORK, 0, c->data->items, error);
        }
        double seconds = (be_now(clock) - start) / LOOPS;
        enum be_status drained =
            device->ops->queue->drain(device, BE_QUEUE_WORK, status == BE_OK ? error : NULL);
        status = status == BE_OK ? drained : status;
        status = status == BE_OK ? be_samples_add(samples, seconds, error) : status;
    }
    return status;
}

void be_case_as_published(struct be_case *c, const struct be_clock *clock,
                          struct be_result *result) {
    struct be_samples samples = {0};
    struct be_error error = {0};
    *result = c->result;
    be_copy_text(result->variant, sizeof result->variant, BE_AS_PUBLISHED);
    result->passes = 0;
    result->residual = NAN; /* nothing was waited for, so nothing was checked */
    for (int i = 0; i < BE_PHASES; i++) {
        result->phase[i] = be_summarize(&(struct be_samples){0}, BE_STOP_NONE);
    }
    if (time_unwaited(c, clock, &samples, &error) != BE_OK) {
        be_samples_free(&samples);
        result->status = BE_RESULT_FAILED;
        be_copy_text(result->note, sizeof result->note, error.text);
        return;
    }
    result->phase[BE_TOTAL] = be_summarize(&samples, BE_STOP_NONE);
    be_samples_free(&samples);
    double rate = result->bytes / result->phase[BE_TOTAL].median_s;
    bool impossible = result->phase[BE_TOTAL].median_s < BE_POSSIBLE * result->limit_s;
    result->status = impossible ? BE_RESULT_IMPOSSIBLE : BE_RESULT_SKIPPED;
    snprintf(
        result->note, sizeof result->note,
        "clock read before the device was done: implies %.4g TB/s where the least time allowed "
        "is that of %.4g; never counted",
        rate / 1e12, result->bytes / result->limit_s / 1e12);
}
