#include "device/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/copy.h"
#include "base/error.h"

/*
 * A chunk is what one step of the pipeline moves each way; the ring holds DEPTH of them each
 * way. A step's fixed cost (waking the team, some driver calls) is about 20 us, so large runs
 * take large chunks; smaller ones are cut into STEPS, so that the ends, where nothing overlaps,
 * stay short. docs/measurements/staging.md has the sizes tried.
 */
enum { CHUNK = 16 << 20, CHUNK_MIN = 1 << 20, DEPTH = 4, STEPS = 6, ALIGN = 256, HALVES = 2 };

/* Results larger than this are written around the caches: they would not stay there anyway. */
enum { NONTEMPORAL_CACHE = 8 << 20 };

struct slot {
    struct be_pinned in, out;
    struct be_event in_done, work_done, out_done;
};

struct be_stage {
    struct be_device *device;
    struct be_team *team;
    struct slot slot[DEPTH];
};

/* One run: the plan and what follows from it. */
struct run {
    struct be_stage *stage;
    const struct be_stage_plan *plan;
    size_t chunk_items, chunks;
    size_t at_a_time; /* chunks whose work is one range */
    size_t halves;    /* chunks that the output buffers have room for; 0: for all */
    bool beyond_cache;
};

void be_stage_close(struct be_stage *stage) {
    if (!stage) {
        return;
    }
    struct be_device *device = stage->device;
    const struct be_device_ops *ops = device->ops;
    for (int i = 0; i < DEPTH; i++) {
        struct slot *slot = &stage->slot[i];
        ops->queue->forget_event(device, &slot->out_done);
        ops->queue->forget_event(device, &slot->work_done);
        ops->queue->forget_event(device, &slot->in_done);
        ops->memory->unpin(device, &slot->out);
        ops->memory->unpin(device, &slot->in);
    }
    free(stage);
}

enum be_status be_stage_open(struct be_device *device, struct be_team *team,
                             struct be_stage **stage, struct be_error *error) {
    *stage = NULL;
    struct be_stage *new = calloc(1, sizeof *new);
    if (!new) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", device->info.id);
    }
    new->device = device;
    new->team = team;
    const struct be_device_ops *ops = device->ops;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < DEPTH; i++) {
        struct slot *slot = &new->slot[i];
        struct be_event *event[] = {&slot->in_done, &slot->work_done, &slot->out_done};
        status = ops->memory->pin(device, CHUNK, &slot->in, error);
        if (status == BE_OK) {
            status = ops->memory->pin(device, CHUNK, &slot->out, error);
        }
        for (size_t m = 0; status == BE_OK && m < BE_COUNT(event); m++) {
            status = ops->queue->make_event(device, event[m], error);
        }
    }
    if (status != BE_OK) {
        be_stage_close(new);
        return be_context(error, "%s: page-locked buffers for copies", device->info.id);
    }
    *stage = new;
    return BE_OK;
}

static size_t aligned(size_t bytes) {
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static size_t item_bytes(const struct be_stage_array *array, int arrays) {
    size_t bytes = 0;
    for (int i = 0; i < arrays; i++) {
        bytes += array[i].item_bytes;
    }
    return bytes;
}

/* ---- a plan that fits one chunk: one queue, in order, nothing to overlap -------------------- */

static enum be_status run_at_once(struct be_stage *stage, const struct be_stage_plan *plan,
                                  struct be_error *error) {
    struct be_device *device = stage->device;
    const struct be_device_ops *ops = device->ops;
    struct be_copy piece[BE_STAGE_ARRAYS];
    enum be_status status = BE_OK;
    size_t at = 0;
    for (int i = 0; i < plan->ins; i++) {
        const struct be_stage_array *a = &plan->in[i];
        piece[i] = (struct be_copy){.to = (char *)stage->slot[0].in.host + at,
                                    .from = (char *)a->host + plan->first * a->item_bytes,
                                    .bytes = plan->items * a->item_bytes};
        at += aligned(piece[i].bytes);
    }
    be_copy_pieces(stage->team, piece, plan->ins);
    for (int i = 0; status == BE_OK && i < plan->ins; i++) {
        status = ops->queue->write(device, BE_QUEUE_WORK, plan->in[i].buffer,
                                   plan->first * plan->in[i].item_bytes, piece[i].to,
                                   piece[i].bytes, error);
    }
    if (status == BE_OK && plan->work) {
        status = plan->work(plan->context, BE_QUEUE_WORK, plan->first, plan->items, error);
    }
    at = 0;
    for (int i = 0; i < plan->outs; i++) {
        const struct be_stage_array *a = &plan->out[i];
        char *pinned = (char *)stage->slot[0].out.host + at;
        piece[i] = (struct be_copy){.to = (char *)a->host + plan->first * a->item_bytes,
                                    .from = pinned,
                                    .bytes = plan->items * a->item_bytes};
        at += aligned(piece[i].bytes);
        if (status == BE_OK) {
            status = ops->queue->read(device, BE_QUEUE_WORK, pinned, a->buffer,
                                      plan->first * a->item_bytes, piece[i].bytes, error);
        }
    }
    enum be_status drained =
        ops->queue->drain(device, BE_QUEUE_WORK, status == BE_OK ? error : NULL);
    status = status == BE_OK ? drained : status;
    if (status == BE_OK) {
        be_copy_pieces(stage->team, piece, plan->outs);
    }
    return status;
}

/* ---- the pipeline --------------------------------------------------------------------------- */

static size_t chunk_first(const struct run *run, size_t chunk) {
    return run->plan->first + chunk * run->chunk_items;
}

static size_t chunk_count(const struct run *run, size_t chunk) {
    size_t left = run->plan->items - chunk * run->chunk_items;
    return left < run->chunk_items ? left : run->chunk_items;
}

/* The item of an output buffer where a chunk begins. */
static size_t chunk_at(const struct run *run, size_t chunk) {
    return run->halves ? chunk % run->halves * run->chunk_items : chunk_first(run, chunk);
}

/* Where each array's part of a chunk stands in ordinary and in page-locked memory. */
static int lay_out(const struct run *run, const struct be_stage_array *array, int arrays,
                   size_t chunk, const struct be_pinned *pinned, bool in, struct be_copy *piece) {
    size_t at = 0;
    for (int i = 0; i < arrays; i++) {
        char *ordinary = (char *)array[i].host + chunk_first(run, chunk) * array[i].item_bytes;
        char *locked = (char *)pinned->host + at;
        piece[i].bytes = chunk_count(run, chunk) * array[i].item_bytes;
        piece[i].to = in ? locked : ordinary;
        piece[i].from = in ? ordinary : locked;
        piece[i].beyond_cache = !in && run->beyond_cache;
        at += aligned(piece[i].bytes);
    }
    return arrays;
}

/* Results of a chunk are on their way when the work of all chunks that go with it is in the queue. */
static size_t lag_of(const struct run *run) {
    return run->at_a_time - 1;
}

/* Host side of one step: the newest chunk in, the oldest chunk out, in one call of the team. */
static enum be_status copy_step(const struct run *run, size_t step, struct be_error *error) {
    const struct be_stage_plan *plan = run->plan;
    struct be_stage *stage = run->stage;
    const struct be_device_ops *ops = stage->device->ops;
    const size_t oldest = step - DEPTH - lag_of(run); /* far beyond all chunks: none yet */
    struct slot *slot = &stage->slot[step % DEPTH];
    struct be_copy piece[2 * BE_STAGE_ARRAYS];
    enum be_status status = BE_OK;
    int pieces = 0;
    /* Where results come in the same step, the slot's inputs are done before them. */
    if (step >= DEPTH && step < run->chunks && plan->ins && (!plan->outs || lag_of(run))) {
        status = ops->queue->wait(stage->device, &slot->in_done, error);
    }
    if (status == BE_OK && plan->outs && oldest < run->chunks) {
        struct slot *done = &stage->slot[oldest % DEPTH];
        status = ops->queue->wait(stage->device, &done->out_done, error);
        pieces += lay_out(run, plan->out, plan->outs, oldest, &done->out, false, piece);
    }
    if (step < run->chunks) {
        pieces += lay_out(run, plan->in, plan->ins, step, &slot->in, true, piece + pieces);
    }
    if (status == BE_OK) {
        be_copy_pieces(stage->team, piece, pieces);
    }
    return status;
}

static enum be_status submit_in(const struct run *run, size_t chunk, struct slot *slot,
                                struct be_error *error) {
    const struct be_stage_plan *plan = run->plan;
    struct be_device *device = run->stage->device;
    struct be_copy piece[BE_STAGE_ARRAYS];
    enum be_status status = BE_OK;
    lay_out(run, plan->in, plan->ins, chunk, &slot->in, true, piece);
    for (int i = 0; status == BE_OK && i < plan->ins; i++) {
        status = device->ops->queue->write(device, BE_QUEUE_IN, plan->in[i].buffer,
                                           chunk_first(run, chunk) * plan->in[i].item_bytes,
                                           piece[i].to, piece[i].bytes, error);
    }
    if (status == BE_OK && plan->ins) {
        status = device->ops->queue->record(device, BE_QUEUE_IN, &slot->in_done, error);
    }
    if (status == BE_OK && plan->ins && plan->work) {
        status = device->ops->queue->follow(device, BE_QUEUE_WORK, &slot->in_done, error);
    }
    return status;
}

/* The last chunk of those whose work is one range. */
static size_t last_of(const struct run *run, size_t chunk) {
    const size_t last = chunk - chunk % run->at_a_time + lag_of(run);
    return last < run->chunks ? last : run->chunks - 1;
}

/* The queue of results waits for the work, once for all chunks that go together. */
static enum be_status follow_work(const struct run *run, size_t chunk, struct be_error *error) {
    const struct be_stage_plan *plan = run->plan;
    struct be_device *device = run->stage->device;
    const struct slot *slot = &run->stage->slot[last_of(run, chunk) % DEPTH];
    const struct be_event *before = plan->work  ? &slot->work_done
                                    : plan->ins ? &slot->in_done
                                                : NULL;
    return before && chunk % run->at_a_time == 0
               ? device->ops->queue->follow(device, BE_QUEUE_OUT, before, error)
               : BE_OK;
}

static enum be_status submit_out(const struct run *run, size_t chunk, struct be_error *error) {
    const struct be_stage_plan *plan = run->plan;
    struct be_device *device = run->stage->device;
    struct slot *slot = &run->stage->slot[chunk % DEPTH];
    struct be_copy piece[BE_STAGE_ARRAYS] = {0};
    enum be_status status = follow_work(run, chunk, error);
    lay_out(run, plan->out, plan->outs, chunk, &slot->out, false, piece);
    for (int i = 0; status == BE_OK && i < plan->outs; i++) {
        /* The page-locked side of the piece is where the device writes to. */
        char *locked =
            (char *)slot->out.host + ((const char *)piece[i].from - (const char *)slot->out.host);
        status = device->ops->queue->read(device, BE_QUEUE_OUT, locked, plan->out[i].buffer,
                                          chunk_at(run, chunk) * plan->out[i].item_bytes,
                                          piece[i].bytes, error);
    }
    return status == BE_OK
               ? device->ops->queue->record(device, BE_QUEUE_OUT, &slot->out_done, error)
               : status;
}

/* The work of a chunk, and of those before it that go with it. That of a window waits until the earlier contents of the
 * window are on the host. */
static enum be_status submit_work(const struct run *run, size_t chunk, struct be_error *error) {
    const struct be_stage_plan *plan = run->plan;
    struct be_device *device = run->stage->device;
    const size_t from = chunk - chunk % run->at_a_time;
    enum be_status status = BE_OK;
    if (chunk != last_of(run, chunk)) {
        return BE_OK;
    }
    if (run->halves && chunk >= run->halves) {
        const struct slot *before = &run->stage->slot[(chunk - run->halves) % DEPTH];
        status = device->ops->queue->follow(device, BE_QUEUE_WORK, &before->out_done, error);
    }
    if (status == BE_OK) {
        const size_t first = chunk_first(run, from);
        const size_t end = chunk_first(run, chunk) + chunk_count(run, chunk);
        status = plan->work(plan->context, BE_QUEUE_WORK, first, end - first, error);
    }
    return status == BE_OK && plan->outs
               ? device->ops->queue->record(device, BE_QUEUE_WORK,
                                            &run->stage->slot[chunk % DEPTH].work_done, error)
               : status;
}

static enum be_status run_pipeline(const struct run *run, struct be_error *error) {
    const struct be_stage_plan *plan = run->plan;
    enum be_status status = BE_OK;
    const size_t lag = lag_of(run);
    const size_t steps = run->chunks + (plan->outs ? lag + DEPTH : 0);
    for (size_t step = 0; status == BE_OK && step < steps; step++) {
        const bool fill = step < run->chunks;
        if (fill || step >= DEPTH + lag) {
            status = copy_step(run, step, error);
        }
        if (status == BE_OK && fill) {
            status = submit_in(run, step, &run->stage->slot[step % DEPTH], error);
        }
        if (status == BE_OK && fill && plan->work) {
            status = submit_work(run, step, error);
        }
        if (status == BE_OK && plan->outs && step >= lag && step - lag < run->chunks) {
            status = submit_out(run, step - lag, error);
        }
    }
    return status;
}

static enum be_status drain_all(struct be_stage *stage, enum be_status status,
                                struct be_error *error) {
    for (int queue = 0; queue < BE_QUEUES; queue++) {
        enum be_status drained = stage->device->ops->queue->drain(
            stage->device, (enum be_queue)queue, status == BE_OK ? error : NULL);
        status = status == BE_OK ? drained : status;
    }
    return status;
}

/* Items that one chunk holds, in whole grains; 0: not even one grain fits. */
static size_t items_a_chunk(const struct be_stage_plan *plan, size_t grain) {
    size_t in = item_bytes(plan->in, plan->ins);
    size_t out = item_bytes(plan->out, plan->outs);
    size_t max = in > out ? in : out;
    size_t bytes = max * plan->items / STEPS;
    bytes = bytes < CHUNK_MIN ? CHUNK_MIN : bytes > CHUNK ? CHUNK : bytes;
    size_t items = (bytes - BE_STAGE_ARRAYS * ALIGN) / max;
    return items - items % grain;
}

static enum be_status run_cut(struct be_stage *stage, const struct be_stage_plan *plan,
                              size_t chunk_items, struct be_error *error) {
    struct run run = {.stage = stage, .plan = plan, .chunk_items = chunk_items};
    run.chunks = (plan->items + chunk_items - 1) / chunk_items;
    run.at_a_time = plan->work && plan->at_a_time > 1 ? plan->at_a_time : 1;
    run.at_a_time = run.at_a_time < run.chunks ? run.at_a_time : run.chunks;
    run.halves = plan->window ? HALVES : 0;
    run.beyond_cache = item_bytes(plan->out, plan->outs) * plan->items > NONTEMPORAL_CACHE;
    enum be_status status = run_pipeline(&run, error);
    return drain_all(stage, status, error);
}

/* Copies without work, array by array as plain bytes: items may be larger than a chunk. */
static enum be_status run_bytes(struct be_stage *stage, const struct be_stage_plan *plan,
                                const struct be_stage_array *array, bool in,
                                struct be_error *error) {
    struct be_stage_plan bytes = {.first = plan->first * array->item_bytes,
                                  .items = plan->items * array->item_bytes,
                                  .ins = in,
                                  .outs = !in};
    struct be_stage_array *one = in ? bytes.in : bytes.out;
    *one = *array;
    one->item_bytes = 1;
    return run_cut(stage, &bytes, items_a_chunk(&bytes, 1), error);
}

/* Copy in, compute, copy out, one after the other: the work cannot be cut. */
static enum be_status run_apart(struct be_stage *stage, const struct be_stage_plan *plan,
                                struct be_error *error) {
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < plan->ins; i++) {
        status = run_bytes(stage, plan, &plan->in[i], true, error);
    }
    if (status == BE_OK && plan->work) {
        status = plan->work(plan->context, BE_QUEUE_WORK, plan->first, plan->items, error);
    }
    status = drain_all(stage, status, error);
    for (int i = 0; status == BE_OK && i < plan->outs; i++) {
        status = run_bytes(stage, plan, &plan->out[i], false, error);
    }
    return status;
}

size_t be_stage_window(size_t item_bytes, double capacity) {
    const size_t max = (CHUNK - BE_STAGE_ARRAYS * ALIGN) / item_bytes;
    const double fit = capacity / ((double)HALVES * (double)item_bytes);
    const size_t half = fit >= (double)max ? max : fit >= 1 ? (size_t)fit : 0;
    return HALVES * half;
}

static enum be_status run_window(struct be_stage *stage, const struct be_stage_plan *plan,
                                 struct be_error *error) {
    const size_t chunk = plan->window / HALVES;
    const size_t out = item_bytes(plan->out, plan->outs);
    if (plan->ins || !plan->outs || out == 0 || chunk == 0 || plan->window % HALVES ||
        plan->window > be_stage_window(out, INFINITY)) {
        return be_fail(error, BE_USAGE, "%s: a window of %zu items of %zu bytes",
                       stage->device->info.id, plan->window, out);
    }
    return run_cut(stage, plan, chunk, error);
}

/* 0: all in one chunk, but too much of it for one. */
static size_t chunk_of(const struct be_stage_plan *plan) {
    const size_t in = item_bytes(plan->in, plan->ins) * plan->items;
    const size_t out = item_bytes(plan->out, plan->outs) * plan->items;
    const size_t grain = plan->work ? plan->grain : 1;
    if (in <= CHUNK_MIN && out <= CHUNK_MIN) {
        return plan->items;
    }
    return grain ? items_a_chunk(plan, grain) : 0;
}

size_t be_stage_chunk(const struct be_stage_plan *plan) {
    const size_t items = chunk_of(plan);
    return items && items < plan->items ? items : plan->items;
}

enum be_status be_stage_run(struct be_stage *stage, const struct be_stage_plan *plan,
                            struct be_error *error) {
    if (plan->window) {
        return run_window(stage, plan, error);
    }
    const size_t in = item_bytes(plan->in, plan->ins) * plan->items;
    const size_t out = item_bytes(plan->out, plan->outs) * plan->items;
    if (in <= CHUNK_MIN && out <= CHUNK_MIN) {
        return run_at_once(stage, plan, error);
    }
    const size_t items = chunk_of(plan);
    return items ? run_cut(stage, plan, items, error) : run_apart(stage, plan, error);
}
