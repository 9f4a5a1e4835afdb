/* be_measure: one function, timed as a way of a computation is. It knows nothing of what is timed. */
#include "base/clock.h"
#include "base/error.h"
#include "bench/case/case.h"
#include "breakeven_samples.h"
#include "breakeven_workload.h"

struct timed {
    void (*run)(void *payload);
    void (*wait)(void *payload);
    void *payload;
    struct be_clock clock;
};

static double time_calls(void *context, int way, long calls) {
    const struct timed *t = context;
    const double start = be_now(&t->clock);
    (void)way;
    for (long i = 0; i < calls; i++) {
        t->run(t->payload);
    }
    if (t->wait) {
        t->wait(t->payload);
    }
    return be_now(&t->clock) - start;
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
    struct timed t = {.run = run, .wait = o->wait, .payload = payload, .clock = be_clock_host()};
    const struct be_turn_options turns = {
        .budget_s = o->budget_s, .precision = o->precision, .context = &t};
    struct be_taken taken;
    const enum be_status status = be_time_in_turn(time_calls, 1, &turns, &taken, error);
    if (status == BE_OK) {
        *result = taken.summary;
        be_taken_free(&taken, 1);
    }
    if (status == BE_OK && o->limit_s > 0 && result->median_s < BE_POSSIBLE * o->limit_s) {
        return be_fail(error, BE_WRONG,
                       "be_measure: %.3g s a call is faster than the hardware allows (%.3g s): the "
                       "clock stopped "
                       "before the work did: does it need `wait`?",
                       result->median_s, o->limit_s);
    }
    return status;
}
