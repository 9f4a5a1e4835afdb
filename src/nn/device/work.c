#include "nn/device/work.h"

#include "base/error.h"

#include "nn/device/launch.h"
#include "nn/device/tail.h"
#include "nn/dropout.h"

static void multiply(struct be_nn_run *run, const struct be_gemm *gemm) {
    if (run->status == BE_OK) {
        run->status = be_gemm_enqueue(run->net->device, &run->net->product, gemm, run->error);
    }
    be_nn_note(run);
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
    const struct be_argument argument[] = {be_nn_buffer(input_of(run->net, i)),
                                           be_nn_buffer(&run->net->weights),
                                           be_nn_buffer(&at->out),
                                           be_nn_buffer(&at->from),
                                           be_nn_whole(run->images),
                                           be_nn_small(run->pass->training),
                                           be_nn_whole((int64_t)run->pass->seed),
                                           be_nn_buffer(&run->net->turn)};
    be_nn_label(run, "convolution", i, be_nn_operations_of(run, p));
    be_nn_launch_groups(run, &at->forward,
                        be_nn_groups_of(run->images * down * across, BE_NN_LANES) *
                            (size_t)(p->out_channels / at->outputs),
                        BE_NN_LANES, argument, BE_COUNT(argument));
}

/* The numbers that a dense layer takes, an image after the other, and the gradient by them. */
static const struct be_buffer *dense_input(const struct be_nn_on_device *net, int i, bool back) {
    if (i > 0) {
        return back ? &net->dense[i - 1].back : &net->dense[i - 1].out;
    }
    return back ? net->entry_back : net->entry;
}

void be_nn_put_dense_forward(struct be_nn_run *run, int i) {
    const struct be_nn_on_device *net = run->net;
    const struct be_nn_stage *stage = &net->stages.layer[i];
    const struct be_nn_place *p = stage->main;
    const int64_t in = (int64_t)p->in;
    const int64_t out = (int64_t)p->out;
    const bool drops = stage->drop > 0 && run->pass->training;
    const struct be_gemm gemm = {.precision = net->precision,
                                 .transpose_a = true,
                                 .m = out,
                                 .n = run->images,
                                 .k = in,
                                 .alpha = 1,
                                 .a = {&net->weights, p->weight * sizeof(float), in},
                                 .b = {dense_input(net, i, false), 0, in},
                                 .c = {&net->dense[i].out, 0, out}};
    const struct be_argument argument[] = {
        be_nn_buffer(&net->dense[i].out),
        be_nn_buffer(&net->weights),
        be_nn_whole((int64_t)p->bias),
        be_nn_whole(out),
        be_nn_whole(run->images),
        be_nn_small(p->layer.relu),
        be_nn_small(drops ? (int32_t)be_nn_drop_below(stage->drop) : 0),
        be_nn_real(drops ? 1 / (1 - (double)stage->drop) : 1),
        be_nn_small(stage->drop_layer),
        be_nn_whole((int64_t)run->pass->seed),
        be_nn_buffer(&net->turn)};
    be_nn_label(run, "dense", i, be_nn_operations_of(run, p));
    multiply(run, &gemm);
    be_nn_label(run, "dense, bias", i, 0);
    be_nn_launch(run, &net->kernel[BE_NN_FINISH], out * run->images, argument, BE_COUNT(argument));
}

void be_nn_put_loss(struct be_nn_run *run) {
    struct be_nn_on_device *net = run->net;
    const struct be_nn_device_dense *last = &net->dense[net->stages.dense - 1];
    const struct be_argument argument[] = {be_nn_buffer(&last->out),    be_nn_buffer(&net->labels),
                                           be_nn_buffer(&last->back),   be_nn_buffer(&net->loss),
                                           be_nn_buffer(&net->correct), be_nn_whole(run->images),
                                           be_nn_whole(run->whole)};
    const struct be_argument sums[] = {be_nn_buffer(&net->loss), be_nn_buffer(&net->correct),
                                       be_nn_buffer(&net->total), be_nn_whole(run->images)};
    if (net->tail.is) {
        be_nn_tail_put(run);
    } else {
        be_nn_label(run, "loss", 0, 0);
        be_nn_launch(run, &net->kernel[BE_NN_LOSS], run->images, argument, BE_COUNT(argument));
    }
    be_nn_label(run, "loss, added", 0, 0);
    be_nn_launch_groups(run, &net->kernel[BE_NN_TOTAL], 1, 256, sums, BE_COUNT(sums));
}

/* ---- backward ------------------------------------------------------------------------------- */

static void add_parts(struct be_nn_run *run, size_t first, size_t count, int64_t chunks) {
    const struct be_argument argument[] = {
        be_nn_buffer(&run->net->parts), be_nn_buffer(&run->net->gradients),
        be_nn_whole((int64_t)first), be_nn_whole((int64_t)count), be_nn_whole(chunks)};
    be_nn_launch_groups(run, &run->net->kernel[BE_NN_ADD_PARTS],
                        be_nn_groups_of((int64_t)count, BE_NN_WARP),
                        (size_t)BE_NN_WARP * BE_NN_SLICES, argument, BE_COUNT(argument));
}

/* The gradient by a layer's output through dropout and ReLU, where it is. */
static void open_back(struct be_nn_run *run, const struct be_nn_stage *stage,
                      const struct be_buffer *back, const struct be_buffer *out) {
    const int64_t numbers = (int64_t)stage->main->out * run->images;
    const struct be_argument argument[] = {
        be_nn_buffer(back), be_nn_buffer(out), be_nn_whole(numbers),
        be_nn_small(stage->main->layer.relu),
        be_nn_real(stage->drop > 0 ? 1 / (1 - (double)stage->drop) : 1)};
    if (stage->main->layer.relu || stage->drop > 0) {
        be_nn_launch(run, &run->net->kernel[BE_NN_OPEN], numbers, argument, BE_COUNT(argument));
    }
}

void be_nn_put_dense_backward(struct be_nn_run *run, int i) {
    const struct be_nn_on_device *net = run->net;
    const struct be_nn_stage *stage = &net->stages.layer[i];
    const struct be_nn_place *p = stage->main;
    const int64_t in = (int64_t)p->in;
    const int64_t out = (int64_t)p->out;
    const struct be_matrix back = {&net->dense[i].back, 0, out};
    const struct be_argument columns[] = {
        be_nn_buffer(&net->dense[i].back), be_nn_buffer(&net->parts), be_nn_whole(out),
        be_nn_whole(run->images),          be_nn_whole(run->chunk),   be_nn_whole(run->chunks)};
    const struct be_gemm by_weights = {.precision = net->precision,
                                       .transpose_b = true,
                                       .m = in,
                                       .n = out,
                                       .k = run->images,
                                       .alpha = 1,
                                       .a = {dense_input(net, i, false), 0, in},
                                       .b = back,
                                       .c = {&net->gradients, p->weight * sizeof(float), in}};
    const struct be_gemm by_input = {.precision = net->precision,
                                     .m = in,
                                     .n = run->images,
                                     .k = out,
                                     .alpha = 1,
                                     .a = {&net->weights, p->weight * sizeof(float), in},
                                     .b = back,
                                     .c = {dense_input(net, i, true), 0, in}};
    be_nn_label(run, "dense, opened", i, 0);
    open_back(run, stage, &net->dense[i].back, &net->dense[i].out);
    be_nn_label(run, "dense, by bias", i, 0);
    be_nn_launch(run, &net->kernel[BE_NN_COLUMNS], out * run->chunks, columns, BE_COUNT(columns));
    add_parts(run, p->bias, p->out, run->chunks);
    be_nn_label(run, "dense, by weights", i, be_nn_operations_of(run, p));
    multiply(run, &by_weights);
    be_nn_label(run, "dense, by input", i, be_nn_operations_of(run, p));
    multiply(run, &by_input);
}

/* Work that keeps a large device busy is shared in parts of this size. */
enum { BE_NN_WARPS_WANTED = 132 * 16 };

/* Images of a chunk, or rows of what leaves: so few that all chunks' groups keep the device busy, but so many that a
 * group has a block of 2 x 2 spots for each of its lanes. */
static int64_t units_of_chunk(const struct be_nn_stage *stage,
                              const struct be_nn_device_convolution *at, int64_t units,
                              int64_t groups) {
    const int64_t wanted = (BE_NN_GROUPS_WANTED + groups - 1) / groups;
    const int64_t chunks = wanted < BE_NN_CONV_CHUNKS ? wanted : BE_NN_CONV_CHUNKS;
    const int64_t blocks = stage->pool ? stage->height * stage->width
                                       : ((stage->height + 1) / 2) * ((stage->width + 1) / 2);
    const int64_t of_chunk = (units + chunks - 1) / chunks;
    const int64_t least = at->pooled ? 1 : (BE_NN_LANES + blocks - 1) / blocks;
    return of_chunk > least ? of_chunk : least;
}

static void slope(struct be_nn_run *run, int i) {
    const struct be_nn_on_device *net = run->net;
    const struct be_nn_stage *stage = &net->stages.convolution[i];
    const struct be_nn_device_convolution *at = &net->convolution[i];
    const struct be_nn_place *p = stage->main;
    const size_t groups = at->pooled ? be_nn_groups_of(p->out_channels, BE_NN_OF_GROUP) *
                                           (size_t)(p->channels / BE_NN_WARP)
                                     : (size_t)(p->out_channels / at->slope_outputs) *
                                           (size_t)(p->channels / at->slope_inputs);
    const int64_t units = at->pooled ? run->images * stage->height : run->images;
    const int64_t of_chunk = units_of_chunk(stage, at, units, (int64_t)groups);
    const int64_t chunks = (units + of_chunk - 1) / of_chunk;
    const struct be_argument argument[] = {
        be_nn_buffer(input_of(net, i)), be_nn_buffer(&at->back),  be_nn_buffer(&at->from),
        be_nn_buffer(&net->parts),      be_nn_whole(run->images), be_nn_whole(of_chunk)};
    be_nn_label(run, "convolution, by weights", i, be_nn_operations_of(run, p));
    be_nn_launch_groups(run, &at->slopes, (size_t)chunks * groups,
                        at->pooled ? (size_t)BE_NN_WARP * BE_NN_WARPS : (size_t)BE_NN_LANES,
                        argument, BE_COUNT(argument));
    be_nn_label(run, "convolution, added", i, 0);
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
    const size_t groups =
        at->pooled ? be_nn_groups_of(run->images * at->pooled_across * strips, BE_NN_WARPS)
                   : be_nn_groups_of(run->images * down * across, BE_NN_LANES);
    slope(run, i);
    if (i > 0) {
        const struct be_argument argument[] = {be_nn_buffer(input_of(net, i)),
                                               be_nn_buffer(&at->back),
                                               be_nn_buffer(&at->from),
                                               be_nn_buffer(&net->weights),
                                               be_nn_buffer(&net->convolution[i - 1].back),
                                               be_nn_whole(run->images),
                                               be_nn_small(rows)};
        be_nn_label(run, "convolution, by input", i, be_nn_operations_of(run, p));
        be_nn_launch_groups(run, &at->input, groups * (size_t)tiles,
                            at->pooled ? (size_t)BE_NN_WARP * BE_NN_WARPS : (size_t)BE_NN_LANES,
                            argument, BE_COUNT(argument));
    }
}

/* ---- update --------------------------------------------------------------------------------- */

void be_nn_put_update(struct be_nn_run *run, const struct be_nn_rule *rule) {
    const struct be_nn_on_device *net = run->net;
    const int64_t count = (int64_t)net->shape->parameters;
    const struct be_argument sgd[] = {be_nn_buffer(&net->weights),  be_nn_buffer(&net->gradients),
                                      be_nn_buffer(&net->state[0]), be_nn_buffer(&net->total),
                                      be_nn_whole(count),           be_nn_buffer(&net->turn),
                                      be_nn_real(rule->momentum),   be_nn_real(rule->weight_decay)};
    const struct be_argument adadelta[] = {
        be_nn_buffer(&net->weights),  be_nn_buffer(&net->gradients), be_nn_buffer(&net->state[0]),
        be_nn_buffer(&net->state[1]), be_nn_buffer(&net->total),     be_nn_whole(count),
        be_nn_buffer(&net->turn),     be_nn_real(rule->momentum),    be_nn_real(1 - rule->momentum),
        be_nn_real(rule->epsilon)};
    const struct be_argument adam[] = {
        be_nn_buffer(&net->weights),  be_nn_buffer(&net->gradients), be_nn_buffer(&net->state[0]),
        be_nn_buffer(&net->state[1]), be_nn_buffer(&net->total),     be_nn_whole(count),
        be_nn_buffer(&net->turn),     be_nn_real(rule->momentum),    be_nn_real(1 - rule->momentum),
        be_nn_real(rule->second),     be_nn_real(1 - rule->second),  be_nn_real(rule->epsilon)};
    const struct {
        const struct be_argument *argument;
        int count;
    } rules[] = {[BE_NN_SGD] = {sgd, BE_COUNT(sgd)},
                 [BE_NN_ADADELTA] = {adadelta, BE_COUNT(adadelta)},
                 [BE_NN_ADAM] = {adam, BE_COUNT(adam)}};
    be_nn_label(run, "update", 0, 0);
    be_nn_launch(run, &net->kernel[BE_NN_RULE], count, rules[rule->optimiser].argument,
                 rules[rule->optimiser].count);
}

/* ---- in their order ------------------------------------------------------------------------- */

void be_nn_put_forward(struct be_nn_run *run) {
    for (int i = 0; i < run->net->stages.convolutions; i++) {
        convolve(run, i);
    }
    for (int i = 0; i < run->net->stages.dense && !run->net->tail.is; i++) {
        be_nn_put_dense_forward(run, i);
    }
}

void be_nn_put_backward(struct be_nn_run *run) {
    const struct be_nn_on_device *net = run->net;
    const int last = net->stages.convolutions - 1;
    if (net->tail.is) {
        be_nn_tail_put_slopes(run);
    }
    for (int i = net->stages.dense - 1; i >= 0 && !net->tail.is; i--) {
        be_nn_put_dense_backward(run, i);
    }
    if (!net->stages.convolution[last].pool) {
        be_nn_label(run, "convolution, opened", last, 0);
        open_back(run, &net->stages.convolution[last], &net->convolution[last].back,
                  &net->convolution[last].out);
    }
    for (int i = last; i >= 0; i--) {
        convolve_back(run, i);
    }
}
