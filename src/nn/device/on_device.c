#include "nn/device/on_device.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "nn/device/parts.h"
#include "nn/dropout.h"

/* One pass on its way: after a failure nothing more is put into the queue. */
struct run {
    struct be_nn_on_device *net;
    const struct be_nn_pass *pass;
    int64_t images, chunk, chunks; /* chunk: images of one */
    enum be_status status;
    struct be_error *error;
};

static struct be_argument buffer(const struct be_buffer *at) {
    return (struct be_argument){.kind = BE_ARGUMENT_BUFFER, .buffer = at};
}

static struct be_argument whole(int64_t value) {
    return (struct be_argument){.kind = BE_ARGUMENT_LONG, .integer = value};
}

static struct be_argument small(int64_t value) {
    return (struct be_argument){.kind = BE_ARGUMENT_INT, .integer = value};
}

static struct be_argument real(double value) {
    return (struct be_argument){.kind = BE_ARGUMENT_FLOAT, .real = (float)value};
}

static void launch_groups(struct run *run, const struct be_kernel *kernel, size_t groups,
                          size_t lanes, const struct be_argument *argument, int count) {
    struct be_device *device = run->net->device;
    if (run->status == BE_OK) {
        run->status = device->ops->program->launch(device, BE_QUEUE_WORK, kernel, groups, lanes,
                                                   argument, count, run->error);
    }
}

/* A lane for each of `items`. */
static void launch(struct run *run, const struct be_kernel *kernel, int64_t items,
                   const struct be_argument *argument, int count) {
    launch_groups(run, kernel, ((size_t)items + BE_NN_LANES - 1) / BE_NN_LANES, BE_NN_LANES,
                  argument, count);
}

static void mark(struct run *run, int phase) {
    struct be_device *device = run->net->device;
    if (run->status == BE_OK) {
        run->status =
            device->ops->queue->record(device, BE_QUEUE_WORK, &run->net->mark[phase], run->error);
    }
}

static void multiply(struct run *run, const struct be_gemm *gemm) {
    if (run->status == BE_OK) {
        run->status = be_gemm_enqueue(run->net->device, &run->net->product, gemm, run->error);
    }
}

/* ---- forward -------------------------------------------------------------------------------- */

static const struct be_buffer *input_of(const struct be_nn_on_device *net, int convolution) {
    return convolution > 0 ? &net->convolution[convolution - 1].out : &net->images;
}

static void convolve(struct run *run, int i) {
    const struct be_nn_stage *stage = &run->net->stages.convolution[i];
    const struct be_nn_device_convolution *at = &run->net->convolution[i];
    const struct be_nn_place *p = stage->main;
    const int down = stage->pool ? stage->height : (p->out_height + 1) / 2;
    const int across = stage->pool ? stage->width : (p->out_width + 1) / 2;
    const struct be_argument argument[] = {buffer(input_of(run->net, i)),
                                           buffer(&run->net->weights),
                                           buffer(&at->out),
                                           buffer(&at->from),
                                           whole(run->images),
                                           small(run->pass->training),
                                           whole((int64_t)run->pass->seed),
                                           small(run->pass->step)};
    launch(run, &at->forward, run->images * (p->out_channels / at->outputs) * down * across,
           argument, BE_COUNT(argument));
}

/* The numbers that a dense layer takes, an image after the other, and the gradient by them. */
static const struct be_buffer *dense_input(const struct be_nn_on_device *net, int i, bool back) {
    const int last = net->stages.convolutions - 1;
    if (i > 0) {
        return back ? &net->dense[i - 1].back : &net->dense[i - 1].out;
    }
    return back ? &net->convolution[last].back : &net->convolution[last].out;
}

static void dense_forward(struct run *run, int i) {
    const struct be_nn_on_device *net = run->net;
    const struct be_nn_stage *stage = &net->stages.layer[i];
    const struct be_nn_place *p = stage->main;
    const int64_t in = (int64_t)p->in;
    const int64_t out = (int64_t)p->out;
    const bool drops = stage->drop > 0 && run->pass->training;
    const struct be_gemm gemm = {.precision = BE_FLOAT32,
                                 .transpose_a = true,
                                 .m = out,
                                 .n = run->images,
                                 .k = in,
                                 .alpha = 1,
                                 .a = {&net->weights, p->weight * sizeof(float), in},
                                 .b = {dense_input(net, i, false), 0, in},
                                 .c = {&net->dense[i].out, 0, out}};
    const struct be_argument argument[] = {
        buffer(&net->dense[i].out),
        buffer(&net->weights),
        whole((int64_t)p->bias),
        whole(out),
        whole(run->images),
        small(p->layer.relu),
        small(drops ? (int32_t)be_nn_drop_below(stage->drop) : 0),
        real(drops ? 1 / (1 - (double)stage->drop) : 1),
        small(stage->drop_layer),
        whole((int64_t)run->pass->seed),
        small(run->pass->step)};
    multiply(run, &gemm);
    launch(run, &net->kernel[BE_NN_FINISH], out * run->images, argument, BE_COUNT(argument));
}

static void find_loss(struct run *run) {
    struct be_nn_on_device *net = run->net;
    const struct be_nn_device_dense *last = &net->dense[net->stages.dense - 1];
    const struct be_argument argument[] = {buffer(&last->out),    buffer(&net->labels),
                                           buffer(&last->back),   buffer(&net->loss),
                                           buffer(&net->correct), whole(run->images)};
    const struct be_argument sums[] = {buffer(&net->loss), buffer(&net->correct),
                                       buffer(&net->total), whole(run->images)};
    launch(run, &net->kernel[BE_NN_LOSS], run->images, argument, BE_COUNT(argument));
    launch_groups(run, &net->kernel[BE_NN_TOTAL], 1, 256, sums, BE_COUNT(sums));
}

/* ---- backward ------------------------------------------------------------------------------- */

static void add_parts(struct run *run, size_t first, size_t count) {
    const struct be_argument argument[] = {buffer(&run->net->parts), buffer(&run->net->gradients),
                                           whole((int64_t)first), whole((int64_t)count),
                                           whole(run->chunks)};
    launch(run, &run->net->kernel[BE_NN_ADD_PARTS], (int64_t)count, argument, BE_COUNT(argument));
}

static void dense_backward(struct run *run, int i) {
    const struct be_nn_on_device *net = run->net;
    const struct be_nn_stage *stage = &net->stages.layer[i];
    const struct be_nn_place *p = stage->main;
    const int64_t in = (int64_t)p->in;
    const int64_t out = (int64_t)p->out;
    const struct be_matrix back = {&net->dense[i].back, 0, out};
    const struct be_argument opens[] = {buffer(&net->dense[i].back), buffer(&net->dense[i].out),
                                        whole(out * run->images), small(p->layer.relu),
                                        real(stage->drop > 0 ? 1 / (1 - (double)stage->drop) : 1)};
    const struct be_argument columns[] = {
        buffer(&net->dense[i].back), buffer(&net->parts), whole(out),
        whole(run->images),          whole(run->chunk),   whole(run->chunks)};
    const struct be_gemm by_weights = {.precision = BE_FLOAT32,
                                       .transpose_b = true,
                                       .m = in,
                                       .n = out,
                                       .k = run->images,
                                       .alpha = 1,
                                       .a = {dense_input(net, i, false), 0, in},
                                       .b = back,
                                       .c = {&net->gradients, p->weight * sizeof(float), in}};
    const struct be_gemm by_input = {.precision = BE_FLOAT32,
                                     .m = in,
                                     .n = run->images,
                                     .k = out,
                                     .alpha = 1,
                                     .a = {&net->weights, p->weight * sizeof(float), in},
                                     .b = back,
                                     .c = {dense_input(net, i, true), 0, in}};
    if (p->layer.relu || stage->drop > 0) {
        launch(run, &net->kernel[BE_NN_OPEN], out * run->images, opens, BE_COUNT(opens));
    }
    launch(run, &net->kernel[BE_NN_COLUMNS], out * run->chunks, columns, BE_COUNT(columns));
    add_parts(run, p->bias, p->out);
    multiply(run, &by_weights);
    multiply(run, &by_input);
}

static void convolve_back(struct run *run, int i) {
    const struct be_nn_on_device *net = run->net;
    const struct be_nn_device_convolution *at = &net->convolution[i];
    const struct be_nn_place *p = net->stages.convolution[i].main;
    const int64_t outputs = p->out_channels / at->outputs;
    const struct be_argument opens[] = {buffer(&at->back), buffer(&at->out), buffer(&at->from),
                                        buffer(&at->opened), whole(run->images)};
    const struct be_argument slopes[] = {buffer(input_of(net, i)), buffer(&at->opened),
                                         buffer(&net->parts), whole(run->images),
                                         whole(run->chunk)};
    launch(run, &at->open, run->images * (int64_t)p->out, opens, BE_COUNT(opens));
    launch_groups(run, &at->slopes, (size_t)(run->chunks * outputs * p->channels * p->layer.size),
                  BE_NN_LANES, slopes, BE_COUNT(slopes));
    add_parts(run, p->weight, p->weights + (size_t)p->out_channels);
    if (i > 0) {
        const struct be_argument inputs[] = {buffer(&at->opened), buffer(&net->weights),
                                             buffer(&net->convolution[i - 1].back),
                                             whole(run->images)};
        const int64_t blocks = ((p->height + 1) / 2) * ((p->width + 1) / 2);
        launch(run, &at->input, run->images * (p->channels / at->inputs) * blocks, inputs,
               BE_COUNT(inputs));
    }
}

/* ---- update --------------------------------------------------------------------------------- */

static void update_weights(struct run *run, const struct be_nn_update *update) {
    const struct be_nn_on_device *net = run->net;
    const struct be_nn_rule *rule = update->rule;
    const double steps = (double)update->step;
    const int64_t count = (int64_t)net->shape->parameters;
    const struct be_argument sgd[] = {
        buffer(&net->weights), buffer(&net->gradients), buffer(&net->state[0]), buffer(&net->total),
        whole(count),          real(update->rate),      real(rule->momentum)};
    const struct be_argument adadelta[] = {buffer(&net->weights),    buffer(&net->gradients),
                                           buffer(&net->state[0]),   buffer(&net->state[1]),
                                           buffer(&net->total),      whole(count),
                                           real(update->rate),       real(rule->momentum),
                                           real(1 - rule->momentum), real(rule->epsilon)};
    const struct be_argument adam[] = {buffer(&net->weights),
                                       buffer(&net->gradients),
                                       buffer(&net->state[0]),
                                       buffer(&net->state[1]),
                                       buffer(&net->total),
                                       whole(count),
                                       real(update->rate / (1 - pow(rule->momentum, steps))),
                                       real(rule->momentum),
                                       real(1 - rule->momentum),
                                       real(rule->second),
                                       real(1 - rule->second),
                                       real(sqrt(1 - pow(rule->second, steps))),
                                       real(rule->epsilon)};
    const struct {
        const struct be_argument *argument;
        int count;
    } rules[] = {[BE_NN_SGD] = {sgd, BE_COUNT(sgd)},
                 [BE_NN_ADADELTA] = {adadelta, BE_COUNT(adadelta)},
                 [BE_NN_ADAM] = {adam, BE_COUNT(adam)}};
    launch(run, &net->kernel[BE_NN_RULE], count, rules[rule->optimiser].argument,
           rules[rule->optimiser].count);
}

/* ---- to the device and back ----------------------------------------------------------------- */

static void put(struct run *run, const struct be_buffer *to, const void *from, size_t bytes,
                size_t at) {
    struct be_device *device = run->net->device;
    char *staged = (char *)run->net->staging.host + at;
    if (run->status == BE_OK) {
        memcpy(staged, from, bytes);
        run->status =
            device->ops->queue->write(device, BE_QUEUE_WORK, to, 0, staged, bytes, run->error);
    }
}

static void drain(struct run *run) {
    struct be_device *device = run->net->device;
    if (run->status == BE_OK) {
        run->status = device->ops->queue->drain(device, BE_QUEUE_WORK, run->error);
    }
}

static void get(struct run *run, void *to, const struct be_buffer *from, size_t bytes) {
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

enum be_status be_nn_on_device_put(struct be_nn_on_device *net, const struct be_nn_arrays *from,
                                   struct be_error *error) {
    struct run run = {.net = net, .status = BE_OK, .error = error};
    const struct {
        const float *from;
        const struct be_buffer *to;
    } arrays[] = {{from->weights, &net->weights},
                  {from->gradients, &net->gradients},
                  {from->state[0], &net->state[0]},
                  {from->state[1], &net->state[1]}};
    for (size_t i = 0; i < BE_COUNT(arrays); i++) {
        if (arrays[i].from && arrays[i].to->bytes) {
            put(&run, arrays[i].to, arrays[i].from, net->shape->parameters * sizeof(float), 0);
            drain(&run); /* the staging memory is one */
        }
    }
    return run.status;
}

enum be_status be_nn_on_device_get(struct be_nn_on_device *net, const struct be_nn_arrays *to,
                                   struct be_error *error) {
    struct run run = {.net = net, .status = BE_OK, .error = error};
    const struct {
        float *to;
        const struct be_buffer *from;
    } arrays[] = {{to->weights, &net->weights},
                  {to->gradients, &net->gradients},
                  {to->state[0], &net->state[0]},
                  {to->state[1], &net->state[1]}};
    for (size_t i = 0; i < BE_COUNT(arrays); i++) {
        if (arrays[i].to && arrays[i].from->bytes) {
            get(&run, arrays[i].to, arrays[i].from, net->shape->parameters * sizeof(float));
        }
    }
    return run.status;
}

/* ---- a pass --------------------------------------------------------------------------------- */

static double seconds_of(struct run *run, int phase) {
    struct be_device *device = run->net->device;
    double seconds = 0;
    if (run->status == BE_OK) {
        run->status = device->ops->queue->elapsed(device, &run->net->mark[phase],
                                                  &run->net->mark[phase + 1], &seconds, run->error);
    }
    return seconds;
}

static void finish(struct run *run, bool updated) {
    struct be_net_step *result = run->pass->result;
    float total[2] = {0, 0};
    get(run, total, &run->net->total, sizeof total);
    *result = (struct be_net_step){.loss = (double)total[0] / (double)run->images,
                                   .correct = (size_t)total[1]};
    result->forward_s = seconds_of(run, 0);
    result->loss_s = seconds_of(run, 1);
    result->backward_s = run->pass->training ? seconds_of(run, 2) : 0;
    result->update_s = updated ? seconds_of(run, 3) : 0;
}

enum be_status be_nn_on_device_pass(struct be_nn_on_device *net, const struct be_nn_pass *pass,
                                    const struct be_nn_update *update, struct be_error *error) {
    struct run run = {
        .net = net, .pass = pass, .images = (int64_t)pass->count, .status = BE_OK, .error = error};
    const size_t pixels = net->shape->pixels * pass->count * sizeof(float);
    run.chunk = (run.images + BE_NN_CHUNKS - 1) / BE_NN_CHUNKS;
    run.chunks = (run.images + run.chunk - 1) / run.chunk;
    if (pass->images) {
        put(&run, &net->images, pass->images, pixels, 0);
        put(&run, &net->labels, pass->labels, pass->count, pixels);
    }
    mark(&run, 0);
    for (int i = 0; i < net->stages.convolutions; i++) {
        convolve(&run, i);
    }
    for (int i = 0; i < net->stages.dense; i++) {
        dense_forward(&run, i);
    }
    mark(&run, 1);
    find_loss(&run);
    mark(&run, 2);
    for (int i = net->stages.dense - 1; pass->training && i >= 0; i--) {
        dense_backward(&run, i);
    }
    for (int i = net->stages.convolutions - 1; pass->training && i >= 0; i--) {
        convolve_back(&run, i);
    }
    mark(&run, 3);
    if (update) {
        update_weights(&run, update);
    }
    mark(&run, 4);
    finish(&run, update != NULL);
    return run.status;
}
