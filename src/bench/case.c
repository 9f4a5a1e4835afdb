#include "bench/case.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

static const double clock_steps_a_sample = 1000;

/* On a shared machine a ceiling may have been measured in a bad moment: so often it is measured
 * again before a result is called impossible. */
enum { DOUBTS = 5 };

/* How often the device is asked for its clock: asking costs more than a short sample. */
static const double state_every_s = 0.05;

void be_case_init(struct be_case *c, struct be_place *place, struct be_data *data,
                  struct be_buffer *buffer, struct be_scratch *scratch, int variant,
                  enum be_placement placement, enum be_cache cache) {
    const struct be_workload *workload = data->problem.workload;
    memset(c, 0, sizeof *c);
    c->variant = variant;
    c->scratch = scratch;
    c->place = place;
    c->data = data;
    c->buffer = buffer;
    c->batch = 1;
    struct be_result *r = &c->result;
    be_copy_text(r->workload, sizeof r->workload, workload->name);
    be_copy_text(r->title, sizeof r->title, workload->title);
    be_copy_text(r->variant, sizeof r->variant, workload->variant[variant].name);
    be_copy_text(r->dtype, sizeof r->dtype,
                 workload->dtype ? workload->dtype : be_real_name(data->problem.real));
    be_copy_text(r->size_name, sizeof r->size_name, workload->parameter[data->problem.swept].name);
    be_problem_text(&data->problem, r->parameters, sizeof r->parameters);
    r->as_written = workload->variant[variant].as_written;
    be_copy_text(r->device, sizeof r->device, place->info.id);
    r->size = be_problem_size(&data->problem);
    r->threads = place->threads;
    r->placement = placement;
    r->cache = cache;
    r->tolerance = data->shape.tolerance;
    r->bytes = data->shape.bytes;
    r->operations = data->shape.operations;
    r->residual = r->limit_s = r->clock_hz = r->temperature_c = NAN;
    r->joules = r->joules_lo = r->joules_hi = r->host_joules = r->energy_s = NAN;
    for (int i = 0; i < BE_PHASES; i++) {
        r->phase[i] = be_summarize(&(struct be_samples){0}, BE_STOP_NONE);
    }
}

void be_case_free(struct be_case *c) {
    be_samples_free(&c->total);
    be_samples_free(&c->clock);
}

/* ---- one call ------------------------------------------------------------------------------- */

static bool in_place(const struct be_case *c) {
    return c->data->problem.workload->variant[c->variant].in_place;
}

/* Bytes that a call finds or leaves in memory: what is updated in place is moved twice. */
static double touched(const struct be_case *c) {
    return in_place(c) ? c->result.bytes / 2 : c->result.bytes;
}

static void host_share(void *context, int member, int members) {
    const struct be_case *c = context;
    const struct be_data *data = c->data;
    struct be_work work = {.problem = &data->problem,
                           .array = data->array,
                           .first = c->instance * data->stride,
                           .items = data->items,
                           .member = member,
                           .members = members,
                           .team = c->place->team,
                           .scratch = c->scratch->host.memory,
                           .library = c->place->library};
    /* Results larger than the cache will not be there anyway: write around it. */
    work.past_cache = touched(c) > c->place->ceilings.cache_bytes;
    work.cold = work.past_cache || c->result.cache == BE_COLD;
    work.stores = be_ceilings_stores(&c->place->ceilings, touched(c), in_place(c));
    data->problem.workload->variant[c->variant].host(&work);
}

static struct be_launch launch_of(struct be_case *c, enum be_queue queue, size_t first,
                                  size_t items) {
    return (struct be_launch){.device = c->place->device,
                              .queue = queue,
                              .prepared = &c->place->prepared[c->variant].code,
                              .problem = &c->data->problem,
                              .buffer = c->buffer,
                              .scratch = &c->scratch->device,
                              .first = first,
                              .items = items};
}

/* Slices of the output of the instance whose turn it is. */
static enum be_status enqueue_slices(void *context, enum be_queue queue, size_t first, size_t count,
                                     struct be_error *error) {
    struct be_case *c = context;
    struct be_launch launch = launch_of(c, queue, c->instance * c->data->stride, c->data->items);
    launch.slice.first = first;
    launch.slice.count = count;
    launch.slice.at = first % c->window;
    return c->data->problem.workload->variant[c->variant].enqueue(&launch, error);
}

static struct be_slices slices_of(const struct be_case *c) {
    return c->data->problem.workload->variant[c->variant].slices(&c->data->problem);
}

enum be_status be_case_enqueue(void *context, enum be_queue queue, size_t first, size_t items,
                               struct be_error *error) {
    struct be_case *c = context;
    const struct be_launch launch = launch_of(c, queue, first, items);
    const size_t half = c->window / 2;
    if (!c->window) {
        return c->data->problem.workload->variant[c->variant].enqueue(&launch, error);
    }
    const size_t slices = slices_of(c).count;
    enum be_status status = BE_OK;
    for (size_t at = 0; status == BE_OK && at < slices; at += half) {
        status = enqueue_slices(c, queue, at, slices - at < half ? slices - at : half, error);
    }
    return status;
}

/* Which of them travel. onto: inputs go to where they will be updated. */
static void add_arrays(const struct be_case *c, struct be_stage_plan *plan, bool in, bool out,
                       bool onto) {
    const struct be_workload *w = c->data->problem.workload;
    for (int i = 0; i < w->inputs + w->outputs; i++) {
        const bool updated = onto && i < w->inputs && i < w->outputs;
        struct be_stage_array array = {
            .buffer = &c->buffer[updated ? w->inputs + i : i],
            .host = c->data->array[i],
            .item_bytes = c->data->shape.item_bytes[i],
        };
        if (i < w->inputs && in) {
            plan->in[plan->ins++] = array;
        } else if (i >= w->inputs && out) {
            plan->out[plan->outs++] = array;
        }
    }
}

/* The output goes through a window of slices; the inputs are there before it begins. */
static enum be_status run_window(struct be_case *c, bool in, bool work, bool out,
                                 struct be_error *error) {
    const int output = c->data->problem.workload->inputs;
    const struct be_slices slices = slices_of(c);
    const size_t first = c->instance * c->data->stride;
    struct be_stage_plan inputs = {.first = first, .items = c->data->items};
    struct be_stage_plan plan = {.items = slices.count,
                                 .window = c->window,
                                 .work = work ? enqueue_slices : NULL,
                                 .context = c,
                                 .outs = out};
    plan.out[0] = (struct be_stage_array){
        .buffer = &c->buffer[output],
        .host = (char *)c->data->array[output] + first * c->data->shape.item_bytes[output],
        .item_bytes = slices.bytes,
    };
    add_arrays(c, &inputs, in, false, false);
    enum be_status status = in ? be_stage_run(c->place->stage, &inputs, error) : BE_OK;
    return status == BE_OK && (work || out) ? be_stage_run(c->place->stage, &plan, error) : status;
}

enum be_status be_case_run(struct be_case *c, bool in, bool work, bool out,
                           struct be_error *error) {
    if (c->window) {
        return run_window(c, in, work, out, error);
    }
    const size_t together = c->data->shape.together;
    struct be_stage_plan plan = {.first = c->instance * c->data->stride,
                                 .items = c->data->items,
                                 .grain =
                                     c->data->problem.workload->grain * (together ? together : 1),
                                 .work = work ? be_case_enqueue : NULL,
                                 .context = c};
    add_arrays(c, &plan, in, out, in_place(c));
    return be_stage_run(c->place->stage, &plan, error);
}

enum be_status be_case_call(struct be_case *c, struct be_error *error) {
    if (!c->place->device) {
        be_team_run(c->place->team, host_share, c);
        return BE_OK;
    }
    enum be_placement placement = c->result.placement;
    return be_case_run(c, placement == BE_COPY, true, placement != BE_RESIDENT, error);
}

void be_case_turn(struct be_case *c) {
    if (c->result.cache == BE_COLD) {
        c->instance = (c->instance + 1) % c->data->instances;
    }
}

/* ---- check ---------------------------------------------------------------------------------- */

static void fail(struct be_case *c, enum be_result_status status, const char *text) {
    c->result.status = status;
    be_copy_text(c->result.note, sizeof c->result.note, text);
    c->stop = BE_STOP_ONCE;
}

double be_case_limit(const struct be_case *c, bool in, bool work, bool out, enum be_limit *by) {
    const struct be_workload *w = c->data->problem.workload;
    const struct be_result *r = &c->result;
    bool wide = c->data->problem.real == BE_REAL64;
    struct be_demand demand = {.working_set = touched(c), .update = in_place(c)};
    if (r->cache == BE_COLD) { /* what is walked through before a byte is touched again */
        demand.working_set *= (double)c->data->instances;
    }
    demand.bytes = work ? r->bytes : 0;
    demand.operations = work ? r->operations : 0;
    demand.arithmetic = w->matrix ? (wide ? BE_MATRIX64 : BE_MATRIX32)
                        : wide    ? BE_PLAIN64
                                  : BE_PLAIN32;
    for (int i = 0; i < w->inputs + w->outputs; i++) {
        double bytes = (double)c->data->shape.item_bytes[i] * (double)c->data->items;
        demand.bus_in += i < w->inputs && in ? bytes : 0;
        demand.bus_out += i >= w->inputs && out ? bytes : 0;
    }
    return be_ceilings_limit(&c->place->ceilings, &demand, by);
}

static void set_limit(struct be_case *c) {
    struct be_result *r = &c->result;
    r->limit_s = be_case_limit(c, r->placement == BE_COPY, true,
                               r->placement == BE_COPY || r->placement == BE_PRELOAD, &r->limit_by);
}

enum be_status be_case_upload(struct be_case *c, struct be_error *error) {
    struct be_stage_plan plan = {.items = c->data->stride * c->data->instances};
    add_arrays(c, &plan, true, false, false);
    return be_stage_run(c->place->stage, &plan, error);
}

/* The instance's outputs poisoned on both sides; for copy also its inputs on the device: that they
 * come with the call is part of what is checked. What is updated in place has no other inputs. */
static enum be_status poison(struct be_case *c, struct be_error *error) {
    const struct be_workload *w = c->data->problem.workload;
    be_data_poison(c->data, c->instance);
    if (!c->place->device) {
        return BE_OK;
    }
    const struct be_device_ops *ops = c->place->device->ops;
    enum be_status status = BE_OK;
    int first = c->result.placement == BE_COPY && !in_place(c) ? 0 : w->inputs;
    for (int i = first; status == BE_OK && i < w->inputs + w->outputs; i++) {
        const size_t item = c->data->shape.item_bytes[i];
        const bool part = c->window && i >= w->inputs;
        status = ops->fill(c->place->device, BE_QUEUE_WORK, &c->buffer[i],
                           part ? 0 : c->instance * c->data->stride * item, 0xff,
                           part ? c->buffer[i].bytes : c->data->items * item, error);
    }
    return status == BE_OK ? ops->drain(c->place->device, BE_QUEUE_WORK, error) : status;
}

/* Before the call that is checked; an update in place finds its inputs where the outputs will be, unless
 * they come with the call. */
static enum be_status begin(struct be_case *c, struct be_error *error) {
    const enum be_status status = poison(c, error);
    if (status != BE_OK || !in_place(c)) {
        return status;
    }
    if (!c->place->device) {
        be_data_begin(c->data, c->instance);
        return BE_OK;
    }
    return c->result.placement == BE_COPY ? BE_OK : be_case_run(c, true, false, false, error);
}

static struct be_summary once(double seconds) {
    struct be_samples samples = {.value = &seconds, .count = 1, .room = 1};
    return be_summarize(&samples, BE_STOP_ONCE);
}

void be_case_check(struct be_case *c, const struct be_clock *clock) {
    struct be_error error = {0};
    struct be_result *r = &c->result;
    set_limit(c);
    /* One in the middle of the walk: that offsets are right is checked too. */
    c->instance = r->cache == BE_COLD ? be_data_looked_at(c->data) : 0;
    enum be_status status = begin(c, &error);
    double start = be_now(clock);
    status = status == BE_OK ? be_case_call(c, &error) : status;
    c->call_s = be_now(clock) - start;
    r->phase[BE_FIRST] =
        once(c->place->open_s + c->place->prepared[c->variant].seconds + c->call_s);
    if (status == BE_OK && r->placement == BE_RESIDENT) {
        status = be_case_run(c, false, false, true, &error);
    }
    if (status == BE_OK) {
        r->residual = be_data_residual(c->data, c->instance);
    }
    if (status != BE_OK) {
        fail(c, BE_RESULT_FAILED, error.text);
    } else if (!(r->residual <= r->tolerance)) { /* NaN is not <= anything */
        char text[BE_NOTE];
        char why[BE_NOTE];
        be_data_explain(c->data, c->instance, why);
        snprintf(text, sizeof text,
                 "differs from the reference: residual %.2g, allowed %.2g%s%.200s", r->residual,
                 r->tolerance, *why ? ": " : "", why);
        fail(c, BE_RESULT_WRONG, text);
    }
    if (r->status != BE_RESULT_OK) { /* it has no time; others need the inputs that were poisoned */
        r->phase[BE_FIRST] = be_summarize(&(struct be_samples){0}, BE_STOP_NONE);
        if (r->placement == BE_COPY && !in_place(c)) {
            (void)be_case_upload(c, NULL);
        }
    }
}

/* ---- samples -------------------------------------------------------------------------------- */

static enum be_status time_batch(struct be_case *c, const struct be_clock *clock, double *seconds,
                                 struct be_error *error) {
    enum be_status status = BE_OK;
    /* The cases before this one took the cache. */
    if (c->result.cache == BE_HOT && c->call_s < BE_LONG_CALL_S) {
        status = be_case_call(c, error);
    }
    double start = be_now(clock);
    for (long i = 0; status == BE_OK && i < c->batch; i++) {
        be_case_turn(c);
        status = be_case_call(c, error);
    }
    *seconds = (be_now(clock) - start) / (double)c->batch;
    return status;
}

enum be_status be_case_calibrate(struct be_case *c, const struct be_clock *clock,
                                 struct be_error *error) {
    double least = clock_steps_a_sample * clock->step_s;
    least = least > BE_SAMPLE_LEAST_S ? least : BE_SAMPLE_LEAST_S;
    enum be_status status = BE_OK;
    if (c->call_s >= BE_LONG_CALL_S) {
        return BE_OK;
    }
    /* Twice: the first guess rests on calls that may still be warming up. */
    for (int i = 0; status == BE_OK && i < 2; i++) {
        double seconds = NAN;
        status = time_batch(c, clock, &seconds, error);
        double calls = seconds > 0 ? ceil(least / seconds) : 1e6;
        c->batch = calls < 1 ? 1 : calls > 1e6 ? 1000000 : (long)calls;
    }
    return status;
}

static void look_at_device(struct be_case *c, double now_s) {
    struct be_device *device = c->place->device;
    struct be_device_state state;
    if (!device || !device->ops->state ||
        (c->state_at_s > 0 && now_s - c->state_at_s < state_every_s)) {
        return;
    }
    struct be_result *r = &c->result;
    device->ops->state(device, &state);
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
        fail(c, BE_RESULT_FAILED, error.text);
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

/* Samples of now instead of those there are. */
static void sample_again(struct be_case *c, const struct be_clock *clock,
                         const struct be_stop_rule *rule) {
    struct be_result *r = &c->result;
    c->total.count = 0;
    c->spent_s = 0;
    c->stop = BE_STOP_NONE;
    do {
        be_case_sample(c, clock, rule);
    } while (c->stop == BE_STOP_NONE && !be_cancel_asked(&c->place->cancel));
    c->stop = c->stop == BE_STOP_NONE ? BE_STOP_CANCELLED : c->stop;
    r->phase[BE_TOTAL] = be_summarize(&c->total, c->stop);
}

/* Is it faster than the hardware allows? First doubt the ceiling. If it does not rise, the machine may
 * be slower by now, for a neighbour's sake: then the case is too, and is sampled anew. At last doubt the
 * result. */
static void judge(struct be_case *c, const struct be_clock *clock, const struct be_stop_rule *rule,
                  bool cancelled) {
    struct be_result *r = &c->result;
    for (int i = 0; i < DOUBTS && !cancelled && too_fast(c); i++) {
        be_place_raise_ceilings(c->place);
        set_limit(c);
        if (too_fast(c)) {
            sample_again(c, clock, rule);
        }
        cancelled = be_cancel_asked(&c->place->cancel);
    }
    if (r->status != BE_RESULT_OK || !too_fast(c)) {
        return;
    }
    if (cancelled) {
        fail(c, BE_RESULT_SKIPPED, "ended before it could be held against its limit");
    } else {
        char text[BE_NOTE];
        snprintf(text, sizeof text, "%.3g s is faster than the hardware allows (%.3g s): %s",
                 r->phase[BE_TOTAL].median_s, r->limit_s,
                 c->place->device ? "the clock stopped before the work did"
                                  : "this machine was slower when its limits were measured");
        fail(c, BE_RESULT_IMPOSSIBLE, text);
    }
}

void be_case_finish(struct be_case *c, const struct be_clock *clock,
                    const struct be_stop_rule *rule, bool cancelled) {
    struct be_result *r = &c->result;
    r->phase[BE_TOTAL] = be_summarize(&c->total, c->stop);
    if (c->clock.count > 0) { /* of readings -> of samples */
        r->slow_clock = (int)lround((double)r->slow_clock * c->total.count / c->clock.count);
    }
    r->clock_hz = be_median(c->clock.value, c->clock.count);
    if (r->status != BE_RESULT_OK) {
        return;
    }
    if (c->total.count == 0) {
        fail(c, BE_RESULT_SKIPPED, "ended before it was measured");
        return;
    }
    judge(c, clock, rule, cancelled);
    struct be_stop_rule brief = *rule;
    brief.budget_s /= 5;
    if (!cancelled && r->status == BE_RESULT_OK) {
        be_case_phases(c, clock, &brief);
    }
}

/* ---- as published --------------------------------------------------------------------------- */

/* What stands in the queue is waited for, after an error too. */
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
            device->ops->drain(device, BE_QUEUE_WORK, status == BE_OK ? error : NULL);
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
