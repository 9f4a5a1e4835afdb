#include "nn/device/work.h"

#include "base/error.h"
#include "nn/dropout.h"

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

/* Says what the launches from here on are, of the layer at `stage`; operations: of a layer, all images. */
static void label(struct be_nn_run *run, const char *what, int stage, double operations) {
    run->now = (struct be_nn_launch){what, stage, operations, 0};
}

/* An event behind a launch, where launches are timed. */
static void note(struct be_nn_run *run) {
    struct be_nn_timing *timing = run->net->timing;
    struct be_device *device = run->net->device;
    if (timing && run->status == BE_OK && timing->count < BE_NN_LAUNCHES) {
        timing->launch[timing->count++] = run->now;
        run->status = device->ops->queue->record(device, BE_QUEUE_WORK,
                                                 &timing->event[timing->count], run->error);
        run->now.operations = 0;
    }
}

static void launch_groups(struct be_nn_run *run, const struct be_kernel *kernel, size_t groups,
                          size_t lanes, const struct be_argument *argument, int count) {
    struct be_device *device = run->net->device;
    if (run->status == BE_OK) {
        run->status = device->ops->program->launch(device, BE_QUEUE_WORK, kernel, groups, lanes,
                                                   argument, count, run->error);
    }
    note(run);
}

/* Groups of `each` items for all of `items`. */
static size_t groups_of(int64_t items, int64_t each) {
    return ((size_t)items + (size_t)each - 1) / (size_t)each;
}

/* A lane for each of `items`. */
static void launch(struct be_nn_run *run, const struct be_kernel *kernel, int64_t items,
                   const struct be_argument *argument, int count) {
    launch_groups(run, kernel, groups_of(items, BE_NN_LANES), BE_NN_LANES, argument, count);
}

static void multiply(struct be_nn_run *run, const struct be_gemm *gemm) {
    if (run->status == BE_OK) {
        run->status = be_gemm_enqueue(run->net->device, &run->net->product, gemm, run->error);
    }
    note(run);
}

/* Products and sums of a layer, all images. */
static double operations_of(const struct be_nn_run *run, const struct be_nn_place *p) {
    const double spots = p->layer.kind == BE_NN_CONV ? (double)(p->out_height * p->out_width) : 1;
    return 2 * (double)run->images * (double)p->weights * spots;
}

/* ---- forward -------------------------------------------------------------------------------- */

static const struct be_buffer *input_of(const struct be_nn_on_device *net, int convolution) {
    return convolution > 0 ? &net->convolution[convolution - 1].out : &net->images;
}

static void convolve(struct be_nn_run *run, int i) {
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
                                           buffer(&run->net->turn)};
    label(run, "convolution", i, operations_of(run, p));
    launch_groups(run, &at->forward,
                  groups_of(run->images * down * across, BE_NN_LANES) *
                      (size_t)(p->out_channels / at->outputs),
                  BE_NN_LANES, argument, BE_COUNT(argument));
}

/* The numbers that a dense layer takes, an image after the other, and the gradient by them. */
static const struct be_buffer *dense_input(const struct be_nn_on_device *net, int i, bool back) {
    const int last = net->stages.convolutions - 1;
    if (i > 0) {
        return back ? &net->dense[i - 1].back : &net->dense[i - 1].out;
    }
    return back ? &net->convolution[last].back : &net->convolution[last].out;
}

static void dense_forward(struct be_nn_run *run, int i) {
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
        buffer(&net->turn)};
    label(run, "dense", i, operations_of(run, p));
    multiply(run, &gemm);
    label(run, "dense, bias", i, 0);
    launch(run, &net->kernel[BE_NN_FINISH], out * run->images, argument, BE_COUNT(argument));
}

void be_nn_put_loss(struct be_nn_run *run) {
    struct be_nn_on_device *net = run->net;
    const struct be_nn_device_dense *last = &net->dense[net->stages.dense - 1];
    const struct be_argument argument[] = {buffer(&last->out),    buffer(&net->labels),
                                           buffer(&last->back),   buffer(&net->loss),
                                           buffer(&net->correct), whole(run->images)};
    const struct be_argument sums[] = {buffer(&net->loss), buffer(&net->correct),
                                       buffer(&net->total), whole(run->images)};
    label(run, "loss", 0, 0);
    launch(run, &net->kernel[BE_NN_LOSS], run->images, argument, BE_COUNT(argument));
    launch_groups(run, &net->kernel[BE_NN_TOTAL], 1, 256, sums, BE_COUNT(sums));
}

/* ---- backward ------------------------------------------------------------------------------- */

static void add_parts(struct be_nn_run *run, size_t first, size_t count, int64_t chunks) {
    const struct be_argument argument[] = {buffer(&run->net->parts), buffer(&run->net->gradients),
                                           whole((int64_t)first), whole((int64_t)count),
                                           whole(chunks)};
    launch_groups(run, &run->net->kernel[BE_NN_ADD_PARTS], groups_of((int64_t)count, BE_NN_WARP),
                  (size_t)BE_NN_WARP * BE_NN_SLICES, argument, BE_COUNT(argument));
}

/* The gradient by a layer's output through dropout and ReLU, where it is. */
static void open_back(struct be_nn_run *run, const struct be_nn_stage *stage,
                      const struct be_buffer *back, const struct be_buffer *out) {
    const int64_t numbers = (int64_t)stage->main->out * run->images;
    const struct be_argument argument[] = {
        buffer(back), buffer(out), whole(numbers), small(stage->main->layer.relu),
        real(stage->drop > 0 ? 1 / (1 - (double)stage->drop) : 1)};
    if (stage->main->layer.relu || stage->drop > 0) {
        launch(run, &run->net->kernel[BE_NN_OPEN], numbers, argument, BE_COUNT(argument));
    }
}

static void dense_backward(struct be_nn_run *run, int i) {
    const struct be_nn_on_device *net = run->net;
    const struct be_nn_stage *stage = &net->stages.layer[i];
    const struct be_nn_place *p = stage->main;
    const int64_t in = (int64_t)p->in;
    const int64_t out = (int64_t)p->out;
    const struct be_matrix back = {&net->dense[i].back, 0, out};
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
    label(run, "dense, opened", i, 0);
    open_back(run, stage, &net->dense[i].back, &net->dense[i].out);
    label(run, "dense, by bias", i, 0);
    launch(run, &net->kernel[BE_NN_COLUMNS], out * run->chunks, columns, BE_COUNT(columns));
    add_parts(run, p->bias, p->out, run->chunks);
    label(run, "dense, by weights", i, operations_of(run, p));
    multiply(run, &by_weights);
    label(run, "dense, by input", i, operations_of(run, p));
    multiply(run, &by_input);
}

/* Work that keeps a large device busy is shared in parts of this size. */
enum { BE_NN_WARPS_WANTED = 132 * 16 };

static void slope(struct be_nn_run *run, int i) {
    const struct be_nn_on_device *net = run->net;
    const struct be_nn_stage *stage = &net->stages.convolution[i];
    const struct be_nn_device_convolution *at = &net->convolution[i];
    const struct be_nn_place *p = stage->main;
    /* Images, or rows of what leaves. */
    const int64_t units = at->pooled ? run->images * stage->height : run->images;
    const int64_t of_chunk = (units + BE_NN_CONV_CHUNKS - 1) / BE_NN_CONV_CHUNKS;
    const int64_t chunks = (units + of_chunk - 1) / of_chunk;
    const size_t groups =
        at->pooled ? groups_of(p->out_channels, BE_NN_OF_GROUP) * (size_t)(p->channels / BE_NN_WARP)
                   : (size_t)(p->out_channels / at->slope_outputs) *
                         (size_t)(p->channels / at->slope_inputs);
    const struct be_argument argument[] = {buffer(input_of(net, i)), buffer(&at->back),
                                           buffer(&at->from),        buffer(&net->parts),
                                           whole(run->images),       whole(of_chunk)};
    label(run, "convolution, by weights", i, operations_of(run, p));
    launch_groups(run, &at->slopes, (size_t)chunks * groups,
                  at->pooled ? (size_t)BE_NN_WARP * BE_NN_WARPS : (size_t)BE_NN_LANES, argument,
                  BE_COUNT(argument));
    label(run, "convolution, added", i, 0);
    add_parts(run, p->weight, p->weights + (size_t)p->out_channels, chunks);
}

static void convolve_back(struct be_nn_run *run, int i) {
    const struct be_nn_on_device *net = run->net;
    const struct be_nn_device_convolution *at = &net->convolution[i];
    const struct be_nn_place *p = net->stages.convolution[i].main;
    const int down = (p->height + 1) / 2;
    const int across = (p->width + 1) / 2;
    const int64_t tiles = at->pooled ? p->channels / BE_NN_WARP : p->channels / at->inputs;
    const int64_t columns = run->images * tiles * at->pooled_across;
    int strips = 1; /* down an image, of a warp each */
    while (strips < down && columns * strips < BE_NN_WARPS_WANTED) {
        strips++;
    }
    const int rows = (down + strips - 1) / strips;
    strips = (down + rows - 1) / rows;
    const size_t groups = at->pooled
                              ? groups_of(run->images * at->pooled_across * strips, BE_NN_WARPS)
                              : groups_of(run->images * down * across, BE_NN_LANES);
    slope(run, i);
    if (i > 0) {
        const struct be_argument argument[] = {buffer(input_of(net, i)),
                                               buffer(&at->back),
                                               buffer(&at->from),
                                               buffer(&net->weights),
                                               buffer(&net->convolution[i - 1].back),
                                               whole(run->images),
                                               small(rows)};
        label(run, "convolution, by input", i, operations_of(run, p));
        launch_groups(run, &at->input, groups * (size_t)tiles,
                      at->pooled ? (size_t)BE_NN_WARP * BE_NN_WARPS : (size_t)BE_NN_LANES, argument,
                      BE_COUNT(argument));
    }
}

/* ---- update --------------------------------------------------------------------------------- */

void be_nn_put_update(struct be_nn_run *run, const struct be_nn_rule *rule) {
    const struct be_nn_on_device *net = run->net;
    const int64_t count = (int64_t)net->shape->parameters;
    const struct be_argument sgd[] = {
        buffer(&net->weights), buffer(&net->gradients), buffer(&net->state[0]), buffer(&net->total),
        whole(count),          buffer(&net->turn),      real(rule->momentum)};
    const struct be_argument adadelta[] = {buffer(&net->weights),    buffer(&net->gradients),
                                           buffer(&net->state[0]),   buffer(&net->state[1]),
                                           buffer(&net->total),      whole(count),
                                           buffer(&net->turn),       real(rule->momentum),
                                           real(1 - rule->momentum), real(rule->epsilon)};
    const struct be_argument adam[] = {
        buffer(&net->weights),  buffer(&net->gradients), buffer(&net->state[0]),
        buffer(&net->state[1]), buffer(&net->total),     whole(count),
        buffer(&net->turn),     real(rule->momentum),    real(1 - rule->momentum),
        real(rule->second),     real(1 - rule->second),  real(rule->epsilon)};
    const struct {
        const struct be_argument *argument;
        int count;
    } rules[] = {[BE_NN_SGD] = {sgd, BE_COUNT(sgd)},
                 [BE_NN_ADADELTA] = {adadelta, BE_COUNT(adadelta)},
                 [BE_NN_ADAM] = {adam, BE_COUNT(adam)}};
    label(run, "update", 0, 0);
    launch(run, &net->kernel[BE_NN_RULE], count, rules[rule->optimiser].argument,
           rules[rule->optimiser].count);
}

/* ---- in their order ------------------------------------------------------------------------- */

void be_nn_put_forward(struct be_nn_run *run) {
    for (int i = 0; i < run->net->stages.convolutions; i++) {
        convolve(run, i);
    }
    for (int i = 0; i < run->net->stages.dense; i++) {
        dense_forward(run, i);
    }
}

void be_nn_put_backward(struct be_nn_run *run) {
    const struct be_nn_on_device *net = run->net;
    const int last = net->stages.convolutions - 1;
    for (int i = net->stages.dense - 1; i >= 0; i--) {
        dense_backward(run, i);
    }
    if (!net->stages.convolution[last].pool) {
        label(run, "convolution, opened", last, 0);
        open_back(run, &net->stages.convolution[last], &net->convolution[last].back,
                  &net->convolution[last].out);
    }
    for (int i = last; i >= 0; i--) {
        convolve_back(run, i);
    }
}
