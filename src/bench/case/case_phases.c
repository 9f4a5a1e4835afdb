/*
 * The parts of a call's time: the work on the device's own clock, the copies alone, passes. They only
 * break a time down; verdicts come from the whole call.
 */
#include <math.h>

#include "base/error.h"
#include "bench/case/case.h"

/*
 * Kernels shorter than a launch would be timed at the rate at which the host launches them. So the
 * queue is first given something long to do, a copy, while the host puts them behind it.
 */
static const double launch_s = 5e-6;  /* generous */
static const double copy_rate = 64e9; /* bytes/s: as fast as a bus of this decade */
enum { HOLD_BYTES = 16 << 20, LAUNCHES_MAX = 256 /* a queue holds about a thousand */ };

struct hold {
    struct be_buffer buffer;
    struct be_pinned pinned;
    int copies; /* 0: the queue need not be held */
};

static enum be_status open_hold(struct be_device *device, long launches, struct hold *hold) {
    enum be_status status = device->ops->memory->alloc(device, HOLD_BYTES, &hold->buffer, NULL);
    status = status == BE_OK ? device->ops->memory->pin(device, HOLD_BYTES, &hold->pinned, NULL)
                             : status;
    hold->copies = (int)ceil((double)launches * launch_s * copy_rate / HOLD_BYTES);
    return status;
}

static void close_hold(struct be_device *device, struct hold *hold) {
    device->ops->memory->unpin(device, &hold->pinned);
    device->ops->memory->release(device, &hold->buffer);
}

/* Device time of the work alone, from events in its queue around several launches. */
static enum be_status time_work(struct be_case *c, const struct hold *hold, struct be_event *from,
                                struct be_event *to, long launches, double *seconds,
                                struct be_error *error) {
    struct be_device *device = c->place->device;
    const struct be_device_ops *ops = device->ops;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < hold->copies; i++) {
        status = ops->queue->write(device, BE_QUEUE_WORK, &hold->buffer, 0, hold->pinned.host,
                                   HOLD_BYTES, error);
    }
    status = status == BE_OK ? ops->queue->record(device, BE_QUEUE_WORK, from, error) : status;
    for (long i = 0; status == BE_OK && i < launches; i++) {
        be_case_turn(c);
        status =
            be_case_enqueue(c, BE_QUEUE_WORK, c->instance * c->data->stride, c->data->items, error);
    }
    status = status == BE_OK ? ops->queue->record(device, BE_QUEUE_WORK, to, error) : status;
    enum be_status drained =
        ops->queue->drain(device, BE_QUEUE_WORK, status == BE_OK ? error : NULL);
    status = status == BE_OK ? drained : status;
    status = status == BE_OK ? ops->queue->elapsed(device, from, to, seconds, error) : status;
    *seconds /= (double)launches;
    return status;
}

/* How many launches make a sample, from the time that one took. */
static long launches_a_sample(double seconds) {
    double wanted = ceil(BE_SAMPLE_MIN_S / seconds);
    return !(wanted < LAUNCHES_MAX) ? LAUNCHES_MAX : wanted > 1 ? (long)wanted : 1;
}

static struct be_summary sample_work(struct be_case *c, const struct be_clock *clock,
                                     const struct be_stop_rule *rule) {
    struct be_device *device = c->place->device;
    struct be_samples samples = {0};
    struct be_event from = {0};
    struct be_event to = {0};
    struct hold hold = {0};
    enum be_stop stop = BE_STOP_NONE;
    double started = be_now(clock);
    double seconds = NAN;
    enum be_status status = device->ops->queue->make_event(device, &from, NULL);
    status = status == BE_OK ? device->ops->queue->make_event(device, &to, NULL) : status;
    status = status == BE_OK ? time_work(c, &hold, &from, &to, 1, &seconds, NULL) : status;
    long launches = launches_a_sample(seconds);
    if (status == BE_OK && launches > 1 && device->info.kind == BE_KIND_GPU) {
        status = open_hold(device, launches, &hold);
    }
    while (status == BE_OK && stop == BE_STOP_NONE && !isnan(seconds)) {
        status = time_work(c, &hold, &from, &to, launches, &seconds, NULL);
        status = status == BE_OK ? be_samples_add(&samples, seconds, NULL) : status;
        stop = be_stop_check(&samples, be_now(clock) - started, rule);
    }
    close_hold(device, &hold);
    device->ops->queue->forget_event(device, &to);
    device->ops->queue->forget_event(device, &from);
    struct be_summary summary = be_summarize(&samples, stop);
    be_samples_free(&samples);
    return summary;
}

static enum be_status copy_in(struct be_case *c) {
    return be_case_run(c, true, false, false, NULL);
}

static enum be_status copy_out(struct be_case *c) {
    return be_case_run(c, false, false, true, NULL);
}

static enum be_status call(struct be_case *c) {
    return be_case_call(c, NULL);
}

/* By the host's clock. */
static struct be_summary sample_calls(struct be_case *c, const struct be_clock *clock,
                                      const struct be_stop_rule *rule,
                                      enum be_status (*one)(struct be_case *)) {
    struct be_samples samples = {0};
    enum be_stop stop = BE_STOP_NONE;
    enum be_status status = BE_OK;
    double started = be_now(clock);
    while (status == BE_OK && stop == BE_STOP_NONE) {
        double start = be_now(clock);
        long calls = 0;
        double seconds = 0;
        do {
            be_case_turn(c);
            status = one(c);
            seconds = be_now(clock) - start;
            calls++;
        } while (status == BE_OK && seconds < BE_SAMPLE_MIN_S);
        status = status == BE_OK ? be_samples_add(&samples, seconds / (double)calls, NULL) : status;
        stop = be_stop_check(&samples, be_now(clock) - started, rule);
    }
    struct be_summary summary = be_summarize(&samples, stop);
    be_samples_free(&samples);
    return summary;
}

/* A part that is faster than the hardware allows did not happen as timed: not measured. */
static void keep_if_possible(const struct be_case *c, bool in, bool work, bool out,
                             struct be_summary *summary) {
    enum be_limit by;
    double limit_s = be_case_limit(c, in, work, out, &by);
    if (summary->median_s < BE_POSSIBLE * limit_s) {
        *summary = be_summarize(&(struct be_samples){0}, BE_STOP_NONE);
    }
}

/* Each pass alone, one after the other: they leave the others' results where they are. Where the data came from
 * and go to is not theirs, so once for the CPU and once for a device. */
static void sample_passes(struct be_case *c, const struct be_clock *clock,
                          const struct be_stop_rule *rule) {
    struct be_result *r = &c->result;
    const char *const *name = c->data->problem.workload->variant[c->variant].passes;
    const bool once = r->placement == BE_HOST || r->placement == BE_RESIDENT;
    for (int i = 0; name && name[i] && i < BE_PASSES_MAX && once && r->cache != BE_COLD; i++) {
        struct be_pass *pass = &r->pass[r->passes++];
        c->pass = i + 1;
        be_copy_text(pass->name, sizeof pass->name, name[i]);
        pass->time =
            c->place->device ? sample_work(c, clock, rule) : sample_calls(c, clock, rule, call);
    }
    c->pass = 0;
}

void be_case_phases(struct be_case *c, const struct be_clock *clock,
                    const struct be_stop_rule *rule) {
    struct be_result *r = &c->result;
    sample_passes(c, clock, rule);
    if (!c->place->device) {
        r->phase[BE_WORK] = r->phase[BE_TOTAL];
        return;
    }
    const bool made = be_case_made_on_host(c); /* nothing is computed there */
    if (!made) {
        r->phase[BE_WORK] = sample_work(c, clock, rule);
        keep_if_possible(c, false, true, false, &r->phase[BE_WORK]);
    }
    if (r->placement == BE_COPY || made) {
        r->phase[BE_IN] = sample_calls(c, clock, rule, copy_in);
        keep_if_possible(c, true, false, false, &r->phase[BE_IN]);
    }
    if (r->placement != BE_RESIDENT) {
        r->phase[BE_OUT] = sample_calls(c, clock, rule, copy_out);
        keep_if_possible(c, false, false, true, &r->phase[BE_OUT]);
    }
}
