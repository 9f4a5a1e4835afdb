/* be_measure: any function, timed as a case is. It knows nothing of what is timed. */
#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "breakeven_workload.h"
#include "bench/case/case.h"

struct timed {
    void (*run)(void *payload);
    void (*wait)(void *payload);
    void *payload;
    struct be_clock clock;
};

static double time_calls(const struct timed *t, long calls) {
    const double start = be_now(&t->clock);
    for (long i = 0; i < calls; i++) {
        t->run(t->payload);
    }
    if (t->wait) {
        t->wait(t->payload);
    }
    return (be_now(&t->clock) - start) / (double)calls;
}

/* Calls that make a sample. Twice: the first guess rests on calls that may still be warming up. */
static long batch_of(const struct timed *t) {
    enum { CALLS_MAX = 1000000 };
    const double min = fmax(BE_SAMPLE_MIN_S, BE_CLOCK_STEPS_A_SAMPLE * t->clock.step_s);
    long batch = 1;
    double seconds = time_calls(t, 1);
    for (int i = 0; i < 2 && seconds < BE_LONG_CALL_S; i++) {
        const double calls = seconds > 0 ? ceil(min / seconds) : CALLS_MAX;
        batch = calls < 1 ? 1 : calls > CALLS_MAX ? CALLS_MAX : (long)calls;
        seconds = time_calls(t, batch);
    }
    return batch;
}

enum be_status be_measure(void (*run)(void *payload), void *payload,
                          const struct be_measure_options *options, struct be_summary *result,
                          struct be_error *error) {
    static const struct be_measure_options defaults = {0};
    const struct be_measure_options *o = options ? options : &defaults;
    *result = be_summarize(&(struct be_samples){0}, BE_STOP_NONE);
    if (!run) {
        return be_fail(error, BE_USAGE, "be_measure: there is no function to run");
    }
    const struct be_stop_rule rule = {.precision = o->precision > 0 ? o->precision : 0.02,
                                      .min = 10,
                                      .budget_s = o->budget_s > 0 ? o->budget_s : 0.25,
                                      .patience = 20};
    const struct timed t = {
        .run = run, .wait = o->wait, .payload = payload, .clock = be_clock_host()};
    struct be_samples samples = {0};
    enum be_stop stop = BE_STOP_NONE;
    enum be_status status = BE_OK;
    const long batch = batch_of(&t);
    const double start = be_now(&t.clock);
    while (status == BE_OK && stop == BE_STOP_NONE) {
        status = be_samples_add(&samples, time_calls(&t, batch), error);
        stop = be_stop_check(&samples, be_now(&t.clock) - start, &rule);
    }
    *result = be_summarize(&samples, stop);
    be_samples_free(&samples);
    if (status == BE_OK && o->limit_s > 0 && result->median_s < BE_POSSIBLE * o->limit_s) {
        return be_fail(error, BE_WRONG,
                       "be_measure: %.3g s a call is faster than the hardware allows (%.3g s): the "
                       "clock stopped "
                       "before the work did: does it need `wait`?",
                       result->median_s, o->limit_s);
    }
    return status;
}
