#include "bench/case/case.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/demand.h"

void be_case_init(struct be_case *c, struct be_place *place, struct be_data *data,
                  struct be_buffer *buffer, struct be_scratch *scratch, int variant,
                  enum be_placement placement, enum be_cache cache) {
    const struct be_workload *workload = data->problem.workload;
    memset(c, 0, sizeof *c);
    c->variant = variant;
    c->scratch = scratch;
    c->place = place;
    c->library = place->library;
    c->data = data;
    c->buffer = buffer;
    c->batch = 1;
    struct be_result *r = &c->result;
    be_copy_text(r->workload, sizeof r->workload, workload->name);
    be_copy_text(r->title, sizeof r->title, workload->title);
    be_copy_text(r->like, sizeof r->like, workload->like ? workload->like : "");
    be_copy_text(r->variant, sizeof r->variant, workload->variant[variant].name);
    be_copy_text(r->dtype, sizeof r->dtype,
                 workload->dtype ? workload->dtype : be_real_name(data->problem.real));
    be_copy_text(r->size_name, sizeof r->size_name, workload->parameter[data->problem.swept].name);
    be_problem_text(&data->problem, r->parameters, sizeof r->parameters);
    r->as_written = workload->variant[variant].as_written;
    r->code = place->device && !workload->variant[variant].made_on_host
                  ? workload->variant[variant].device_code
                  : workload->variant[variant].host_code;
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

static const struct be_variant *variant_of(const struct be_case *c) {
    return &c->data->problem.workload->variant[c->variant];
}

/* Some of the inputs, or all, are updated where they are. */
static bool in_place(const struct be_case *c) {
    return variant_of(c)->updates != 0;
}

bool be_case_made_on_host(const struct be_case *c) {
    return c->place->device && variant_of(c)->made_on_host;
}

bool be_case_takes(const struct be_variant *variant, enum be_placement placement) {
    return !variant->made_on_host || placement == BE_HOST || placement == BE_RESIDENT;
}

double be_case_touched(const struct be_case *c) {
    return be_demand_distinct(&c->data->problem, &c->data->shape, variant_of(c));
}

static void host_share(void *context, int member, int members) {
    const struct be_case *c = context;
    const struct be_data *data = c->data;
    const struct be_place *cpu = c->place->device ? c->place->maker : c->place;
    struct be_work work = {.problem = &data->problem,
                           .array = data->array,
                           .first = c->instance * data->stride,
                           .items = data->items,
                           .member = member,
                           .members = members,
                           .team = c->place->team,
                           .scratch = c->scratch->host.memory,
                           .library = c->library,
                           .pass = c->pass};
    if (cpu) {
        work.first_cache_bytes = cpu->first_cache_bytes;
        /* Results larger than the cache will not be there anyway: write around it. */
        work.beyond_cache = be_case_touched(c) > cpu->ceilings.cache_bytes;
        work.stores = be_ceilings_stores(&cpu->ceilings, be_case_touched(c), in_place(c));
    }
    work.cold = work.beyond_cache || c->result.cache == BE_COLD;
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
                              .items = items,
                              .pass = c->pass};
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

static struct be_stage_array array_of(const struct be_case *c, int i, int buffer) {
    return (struct be_stage_array){
        .buffer = &c->buffer[buffer],
        .host = c->data->array[i],
        .item_bytes = c->data->shape.item_bytes[i],
    };
}

/* Which of them travel. onto: inputs that will be updated go to where that is. */
static void add_arrays(const struct be_case *c, struct be_stage_plan *plan, bool in, bool out,
                       bool onto) {
    const struct be_workload *w = c->data->problem.workload;
    for (int i = 0; i < w->inputs + w->outputs; i++) {
        const bool updated = onto && i < w->inputs && be_variant_updates(variant_of(c), i);
        const struct be_stage_array array = array_of(c, i, updated ? w->inputs + i : i);
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

/* Made by the host's team, and then copied as they stand. */
static enum be_status run_made(struct be_case *c, bool in, bool work, bool out,
                               struct be_error *error) {
    const struct be_workload *w = c->data->problem.workload;
    struct be_stage_plan back = {.first = c->instance * c->data->stride, .items = c->data->items};
    struct be_stage_plan there = back;
    for (int i = w->inputs; i < w->inputs + w->outputs; i++) {
        there.in[there.ins++] = array_of(c, i, i);
    }
    add_arrays(c, &back, false, true, false);
    if (work) {
        be_team_run(c->place->team, host_share, c);
    }
    enum be_status status = in ? be_stage_run(c->place->stage, &there, error) : BE_OK;
    return status == BE_OK && out ? be_stage_run(c->place->stage, &back, error) : status;
}

struct be_stage_plan be_case_plan(struct be_case *c, bool in, bool work, bool out) {
    const size_t together = c->data->shape.together;
    struct be_stage_plan plan = {.first = c->instance * c->data->stride,
                                 .items = c->data->items,
                                 .grain =
                                     c->data->problem.workload->grain * (together ? together : 1),
                                 .at_a_time = c->at_a_time,
                                 .work = work ? be_case_enqueue : NULL,
                                 .context = c};
    add_arrays(c, &plan, in, out, in_place(c));
    return plan;
}

enum be_status be_case_run(struct be_case *c, bool in, bool work, bool out,
                           struct be_error *error) {
    if (be_case_made_on_host(c)) {
        return run_made(c, in, work, out, error);
    }
    if (c->window) {
        return run_window(c, in, work, out, error);
    }
    const struct be_stage_plan plan = be_case_plan(c, in, work, out);
    return be_stage_run(c->place->stage, &plan, error);
}

enum be_status be_case_call(struct be_case *c, struct be_error *error) {
    if (!c->place->device) {
        be_team_run(c->place->team, host_share, c);
        return BE_OK;
    }
    enum be_placement placement = c->result.placement;
    return be_case_run(c, placement == BE_COPY || be_case_made_on_host(c), true,
                       placement != BE_RESIDENT, error);
}

void be_case_turn(struct be_case *c) {
    if (c->result.cache == BE_COLD) {
        c->instance = (c->instance + 1) % c->data->instances;
    }
}

/* ---- check ---------------------------------------------------------------------------------- */

void be_case_fail(struct be_case *c, enum be_result_status status, const char *text) {
    c->result.status = status;
    be_copy_text(c->result.note, sizeof c->result.note, text);
    c->stop = BE_STOP_ONCE;
}

double be_case_limit(const struct be_case *c, bool in, bool work, bool out, enum be_limit *by) {
    const struct be_demand_call call = {
        .problem = &c->data->problem,
        .shape = &c->data->shape,
        .variant = variant_of(c),
        .items = c->data->items,
        .in = in,
        .work = work,
        .out = out,
        .made = be_case_made_on_host(c),
        .instances = c->result.cache == BE_COLD ? c->data->instances : 1,
    };
    const struct be_demand demand = be_demand_of(&call, c->result.operations);
    return be_limit_seconds(&c->place->ceilings, &demand, by);
}

void be_case_set_limit(struct be_case *c) {
    struct be_result *r = &c->result;
    r->limit_s = be_case_limit(c, r->placement == BE_COPY || be_case_made_on_host(c), true,
                               r->placement == BE_COPY || r->placement == BE_PRELOAD, &r->limit_by);
}

enum be_status be_case_upload(struct be_case *c, struct be_error *error) {
    struct be_stage_plan plan = {.items = c->data->stride * c->data->instances};
    add_arrays(c, &plan, true, false, false);
    return be_stage_run(c->place->stage, &plan, error);
}

/* The instance's outputs poisoned on both sides; for copy also its inputs on the device: that they
 * come with the call is part of what is checked. Those that are updated come to the outputs. */
static enum be_status poison(struct be_case *c, struct be_error *error) {
    const struct be_workload *w = c->data->problem.workload;
    be_data_poison(c->data, c->instance);
    if (!c->place->device) {
        return BE_OK;
    }
    const struct be_device_ops *ops = c->place->device->ops;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < w->inputs + w->outputs; i++) {
        if (i < w->inputs &&
            (c->result.placement != BE_COPY || be_variant_updates(variant_of(c), i))) {
            continue;
        }
        const size_t item = c->data->shape.item_bytes[i];
        const bool part = c->window && i >= w->inputs;
        status = ops->queue->fill(c->place->device, BE_QUEUE_WORK, &c->buffer[i],
                                  part ? 0 : c->instance * c->data->stride * item, 0xff,
                                  part ? c->buffer[i].bytes : c->data->items * item, error);
    }
    return status == BE_OK ? ops->queue->drain(c->place->device, BE_QUEUE_WORK, error) : status;
}

/* Before the call that is checked; an update in place finds its inputs where the outputs will be, unless
 * they come with the call. */
static enum be_status begin(struct be_case *c, struct be_error *error) {
    const enum be_status status = poison(c, error);
    if (status != BE_OK || !in_place(c)) {
        return status;
    }
    if (!c->place->device) {
        be_data_begin(c->data, variant_of(c)->updates, c->instance);
        return BE_OK;
    }
    return c->result.placement == BE_COPY ? BE_OK : be_case_run(c, true, false, false, error);
}

static struct be_summary once(double seconds) {
    struct be_samples samples = {.value = &seconds, .count = 1, .capacity = 1};
    return be_summarize(&samples, BE_STOP_ONCE);
}

/* One call on poisoned outputs, and its distance from the reference. */
static enum be_status call_checked(struct be_case *c, const struct be_clock *clock,
                                   struct be_error *error) {
    struct be_result *r = &c->result;
    /* One in the middle of the walk: that offsets are right is checked too. */
    c->instance = r->cache == BE_COLD ? be_data_looked_at(c->data) : 0;
    enum be_status status = begin(c, error);
    double start = be_now(clock);
    status = status == BE_OK ? be_case_call(c, error) : status;
    c->call_s = be_now(clock) - start;
    if (status == BE_OK && r->placement == BE_RESIDENT) {
        status = be_case_run(c, false, false, true, error);
    }
    if (status == BE_OK) {
        r->residual = be_data_residual(c->data, c->instance);
    }
    return status;
}

/* It failed, is not to be had here, or is wrong: `when` it was looked at. It has no time; others need the
 * inputs that were poisoned. */
static void take_back(struct be_case *c, const char *when, const struct be_error *error) {
    struct be_result *r = &c->result;
    if (error) {
        be_case_fail(c, error->status == BE_ABSENT ? BE_RESULT_ABSENT : BE_RESULT_FAILED,
                     error->text);
    } else {
        char text[BE_NOTE];
        char why[BE_NOTE];
        be_data_explain(c->data, c->instance, why);
        snprintf(text, sizeof text,
                 "differs from the reference%s: residual %.2g, allowed %.2g%s%.200s", when,
                 r->residual, r->tolerance, *why ? ": " : "", why);
        be_case_fail(c, BE_RESULT_WRONG, text);
    }
    for (int i = 0; i < BE_PHASES; i++) {
        r->phase[i] = be_summarize(&(struct be_samples){0}, BE_STOP_NONE);
    }
    if (r->placement == BE_COPY &&
        variant_of(c)->updates + 1 != 1U << c->data->problem.workload->inputs) {
        (void)be_case_upload(c, NULL);
    }
}

static bool is_right(const struct be_result *r) {
    return r->residual <= r->tolerance; /* NaN is not <= anything */
}

void be_case_check(struct be_case *c, const struct be_clock *clock) {
    struct be_error error = {0};
    be_case_set_limit(c);
    enum be_status status = call_checked(c, clock, &error);
    c->result.phase[BE_FIRST] =
        once(c->place->open_s + c->place->prepared[c->variant].seconds + c->call_s);
    if (status != BE_OK || !is_right(&c->result)) {
        take_back(c, "", status != BE_OK ? &error : NULL);
    }
}

void be_case_check_again(struct be_case *c, const struct be_clock *clock) {
    struct be_error error = {0};
    if (c->call_s >= BE_LONG_CALL_S) {
        return;
    }
    const double first = c->result.residual;
    enum be_status status = call_checked(c, clock, &error);
    if (status != BE_OK || !is_right(&c->result)) {
        take_back(c, " after it was timed, not before", status != BE_OK ? &error : NULL);
    } else {
        c->result.residual = fmax(first, c->result.residual);
    }
}
