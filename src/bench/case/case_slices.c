/* The slices of a case's calls, by times of its work. */
#include <math.h>

#include "base/error.h"
#include "bench/case/case.h"
#include "bench/case/cut.h"

struct slices {
    struct be_case *c;
    const struct be_clock *clock;
    struct be_stage_plan plan;
    size_t chunk; /* items of one */
};

static enum be_status time_once(const struct slices *s, size_t items, double *seconds,
                                struct be_error *error) {
    struct be_device *device = s->c->place->device;
    const double start = be_now(s->clock);
    enum be_status status =
        be_case_enqueue(s->c, BE_QUEUE_WORK, s->c->instance * s->c->data->stride, items, error);
    const enum be_status drained =
        device->ops->queue->drain(device, BE_QUEUE_WORK, status == BE_OK ? error : NULL);
    *seconds = be_now(s->clock) - start;
    return status == BE_OK ? drained : status;
}

/* The least of some times, since the first may warm up; a long one is not repeated. */
static enum be_status time_slice(void *context, size_t chunks, double *seconds,
                                 struct be_error *error) {
    enum { TIMES = 3 };
    const struct slices *s = context;
    const size_t items = chunks * s->chunk < s->plan.items ? chunks * s->chunk : s->plan.items;
    enum be_status status = time_once(s, items, seconds, error);
    for (int i = 1; status == BE_OK && i < TIMES && *seconds < BE_LONG_CALL_S; i++) {
        double again_s;
        status = time_once(s, items, &again_s, error);
        *seconds = fmin(*seconds, again_s);
    }
    return status;
}

enum be_status be_case_slice(struct be_case *c, const struct be_clock *clock,
                             struct be_error *error) {
    const enum be_placement placement = c->result.placement;
    if (!c->place->device || c->window || be_case_made_on_host(c) ||
        (placement != BE_COPY && placement != BE_PRELOAD)) {
        return BE_OK;
    }
    struct slices s = {
        .c = c, .clock = clock, .plan = be_case_plan(c, placement == BE_COPY, true, true)};
    enum be_limit by;
    s.chunk = be_stage_chunk(&s.plan);
    const struct be_cut cut = {
        .chunks = (s.plan.items + s.chunk - 1) / s.chunk,
        .in_s = placement == BE_COPY ? be_case_limit(c, true, false, false, &by) : 0,
        .out_s = be_case_limit(c, false, false, true, &by),
        .time = time_slice,
        .context = &s,
    };
    return cut.chunks > 1 ? be_cut_choose(&cut, &c->at_a_time, error) : BE_OK;
}
