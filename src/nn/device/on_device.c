#include "nn/device/on_device.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "nn/device/kept.h"
#include "nn/device/residual.h"
#include "nn/device/work.h"

void be_nn_mark(struct be_nn_run *run, enum be_nn_phase phase) {
    struct be_device *device = run->net->device;
    if (run->status == BE_OK) {
        run->status =
            device->ops->queue->record(device, BE_QUEUE_WORK, &run->net->mark[phase], run->error);
    }
}

/* ---- to the device and back ----------------------------------------------------------------- */

static void put(struct be_nn_run *run, const struct be_buffer *to, const void *from, size_t bytes,
                size_t at) {
    struct be_device *device = run->net->device;
    char *staged = (char *)run->net->staging.host + at;
    if (run->status == BE_OK) {
        memcpy(staged, from, bytes);
        run->status =
            device->ops->queue->write(device, BE_QUEUE_WORK, to, 0, staged, bytes, run->error);
    }
}

static void drain(struct be_nn_run *run) {
    struct be_device *device = run->net->device;
    if (run->status == BE_OK) {
        run->status = device->ops->queue->drain(device, BE_QUEUE_WORK, run->error);
    }
}

static void get(struct be_nn_run *run, void *to, const struct be_buffer *from, size_t bytes) {
    struct be_device *device = run->net->device;
    if (run->status == BE_OK) {
        run->status = device->ops->queue->read(device, BE_QUEUE_WORK, run->net->staging.host, from,
                                               0, bytes, run->error);
    }
    drain(run);
    if (run->status == BE_OK) {
        memcpy(to, run->net->staging.host, bytes);
    }
}

enum { ARRAYS = 3 + BE_NN_STATES };

struct array {
    float *here;
    const struct be_buffer *there;
    size_t bytes;
};

/* Those that both sides have. */
static int arrays_of(const struct be_nn_on_device *net, const struct be_nn_arrays *arrays,
                     struct array array[ARRAYS]) {
    const size_t parameters = net->shape->parameters * sizeof(float);
    const struct array all[ARRAYS] = {
        {arrays->weights, &net->weights, parameters},
        {arrays->gradients, &net->gradients, parameters},
        {arrays->state[0], &net->state[0], parameters},
        {arrays->state[1], &net->state[1], parameters},
        {net->residual ? arrays->statistics : NULL,
         net->residual ? &net->residual->statistics : NULL, net->shape->statistics * sizeof(float)},
    };
    int count = 0;
    for (int i = 0; i < ARRAYS; i++) {
        if (all[i].here && all[i].there->bytes) {
            array[count++] = all[i];
        }
    }
    return count;
}

enum be_status be_nn_on_device_put(struct be_nn_on_device *net, const struct be_nn_arrays *from,
                                   struct be_error *error) {
    struct be_nn_run run = {.net = net, .status = BE_OK, .error = error};
    struct array array[ARRAYS];
    const int count = arrays_of(net, from, array);
    for (int i = 0; i < count; i++) {
        put(&run, array[i].there, array[i].here, array[i].bytes, 0);
        drain(&run); /* the staging memory is one */
    }
    return run.status;
}

enum be_status be_nn_on_device_get(struct be_nn_on_device *net, const struct be_nn_arrays *to,
                                   struct be_error *error) {
    struct be_nn_run run = {.net = net, .status = BE_OK, .error = error};
    struct array array[ARRAYS];
    const int count = arrays_of(net, to, array);
    for (int i = 0; i < count; i++) {
        get(&run, array[i].here, array[i].there, array[i].bytes);
    }
    return run.status;
}

/* ---- a pass --------------------------------------------------------------------------------- */

/* From the beginning of a phase to that of another, or to the end. */
static double seconds_of(struct be_nn_run *run, enum be_nn_phase from, enum be_nn_phase to) {
    struct be_device *device = run->net->device;
    double seconds = 0;
    if (run->status == BE_OK) {
        run->status = device->ops->queue->elapsed(device, &run->net->mark[from],
                                                  &run->net->mark[to], &seconds, run->error);
    }
    return seconds;
}

void be_nn_finish(struct be_nn_run *run, float total[2]) {
    struct be_net_step *result = run->pass->result;
    const enum be_nn_phase changing = run->summed ? BE_NN_UPDATED : BE_NN_SUM;
    *result = (struct be_net_step){0};
    if (total) {
        get(run, total, &run->net->total, 2 * sizeof *total);
        result->loss = (double)total[0] / (double)run->whole;
        result->correct = (size_t)total[1];
    } else {
        drain(run);
    }
    result->forward_s = seconds_of(run, BE_NN_FORWARD, BE_NN_LOSS_FOUND);
    result->loss_s = seconds_of(run, BE_NN_LOSS_FOUND, BE_NN_BACKWARD);
    if (run->pass->training) {
        result->backward_s = seconds_of(run, BE_NN_BACKWARD, BE_NN_SUM);
    }
    if (run->update) {
        result->sum_s = run->summed ? seconds_of(run, BE_NN_SUM, changing) : 0;
        result->update_s = seconds_of(run, changing, BE_NN_PHASES);
    }
}

static void begin_timing(struct be_nn_run *run) {
    struct be_nn_timing *timing = run->net->timing;
    struct be_device *device = run->net->device;
    if (timing && run->status == BE_OK) {
        run->status =
            device->ops->queue->record(device, BE_QUEUE_WORK, &timing->event[0], run->error);
    }
}

/* The numbers that differ from step to step, to the device. */
static void put_turn(struct be_nn_run *run) {
    const struct be_nn_on_device *net = run->net;
    const uint32_t before = (uint32_t)run->pass->before;
    float turn[BE_NN_TURN] = {0};
    memcpy(turn, &run->pass->step, sizeof run->pass->step);
    if (run->update) {
        const struct be_nn_rule *rule = run->update->rule;
        const bool adam = rule->optimiser == BE_NN_ADAM;
        const double steps = (double)run->update->step;
        const double rate = run->update->rate;
        turn[1] = (float)(adam ? rate / (1 - pow(rule->momentum, steps)) : rate);
        turn[2] = (float)(adam ? sqrt(1 - pow(rule->second, steps)) : 0);
    }
    memcpy(&turn[3], &before, sizeof before);
    put(run, &net->turn, turn, sizeof turn, net->turn_at);
}

struct be_nn_run be_nn_run_of(struct be_nn_on_device *net, const struct be_nn_pass *pass,
                              const struct be_nn_update *update, struct be_error *error) {
    const int64_t images = (int64_t)pass->count;
    const int64_t chunk = (images + BE_NN_CHUNKS - 1) / BE_NN_CHUNKS;
    return (struct be_nn_run){.net = net,
                              .pass = pass,
                              .update = update,
                              .images = images,
                              .whole = pass->whole ? (int64_t)pass->whole : images,
                              .chunk = chunk,
                              .chunks = images ? (images + chunk - 1) / chunk : 0,
                              .status = BE_OK,
                              .error = error};
}

/* A device that has no image of a batch adds zeros to the sums of the others. */
static void put_zeros(struct be_nn_run *run) {
    const struct be_nn_on_device *net = run->net;
    const struct be_buffer *all[] = {&net->gradients, &net->total};
    for (size_t i = 0; run->status == BE_OK && i < BE_COUNT(all); i++) {
        run->status = net->device->ops->queue->fill(net->device, BE_QUEUE_WORK, all[i], 0, 0,
                                                    all[i]->bytes, run->error);
    }
}

static void put_images(struct be_nn_run *run) {
    const struct be_nn_on_device *net = run->net;
    const struct be_nn_pass *pass = run->pass;
    const size_t pixels = net->shape->pixels * pass->count * sizeof(float);
    if (pass->images) {
        put(run, &net->images, pass->images, pixels, 0);
        put(run, &net->labels, pass->labels, pass->count, pixels);
    }
}

void be_nn_put_pass(struct be_nn_run *run) {
    struct be_nn_on_device *net = run->net;
    const bool has = run->images > 0;
    if (has) {
        put_images(run);
    }
    put_turn(run);
    be_nn_mark(run, BE_NN_FORWARD);
    begin_timing(run);
    if (has) {
        be_nn_put_kept(run, &net->forward,
                       net->residual ? be_nn_residual_put_forward : be_nn_put_forward);
    }
    be_nn_mark(run, BE_NN_LOSS_FOUND);
    (has ? be_nn_put_loss : put_zeros)(run);
    be_nn_mark(run, BE_NN_BACKWARD);
    if (has && run->pass->training) {
        be_nn_put_kept(run, &net->backward,
                       net->residual ? be_nn_residual_put_backward : be_nn_put_backward);
    }
    be_nn_mark(run, BE_NN_SUM);
}

void be_nn_put_change(struct be_nn_run *run) {
    if (run->update) {
        be_nn_put_update(run, run->update->rule);
    }
    if (run->update && run->net->residual && run->images > 0) {
        be_nn_residual_put_statistics(run);
    }
    be_nn_mark(run, BE_NN_PHASES);
}

enum be_status be_nn_on_device_pass(struct be_nn_on_device *net, const struct be_nn_pass *pass,
                                    const struct be_nn_update *update, struct be_error *error) {
    struct be_nn_run run = be_nn_run_of(net, pass, update, error);
    float total[2] = {0, 0};
    be_nn_put_pass(&run);
    be_nn_put_change(&run);
    be_nn_finish(&run, total);
    return run.status;
}

/* ---- launches one by one -------------------------------------------------------------------- */

enum be_status be_nn_on_device_launches(struct be_nn_on_device *net, const struct be_nn_pass *pass,
                                        const struct be_nn_update *update,
                                        struct be_nn_launch launch[BE_NN_LAUNCHES], int *count,
                                        struct be_error *error) {
    const struct be_queue_ops *queue = net->device->ops->queue;
    struct be_nn_timing timing = {0};
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i <= BE_NN_LAUNCHES; i++) {
        status = queue->make_event(net->device, &timing.event[i], error);
    }
    if (status == BE_OK) {
        net->timing = &timing;
        status = be_nn_on_device_pass(net, pass, update, error);
        net->timing = NULL;
    }
    *count = timing.count;
    for (int i = 0; status == BE_OK && i < timing.count; i++) {
        launch[i] = timing.launch[i];
        status = queue->elapsed(net->device, &timing.event[i], &timing.event[i + 1],
                                &launch[i].seconds, error);
    }
    for (int i = 0; i <= BE_NN_LAUNCHES; i++) {
        queue->forget_event(net->device, &timing.event[i]);
    }
    return status;
}
