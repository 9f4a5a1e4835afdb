/* Convolutions of a net of residual blocks on a device. */
#include "base/error.h"
#include "nn/deep/columns.h"
#include "nn/device/launch.h"
#include "nn/device/residual.h"

static void multiply(struct be_nn_run *run, const struct be_gemm *gemm) {
    if (run->status == BE_OK) {
        run->status = be_gemm_enqueue(run->net->device, &run->net->product, gemm, run->error);
    }
    be_nn_note(run);
}

static int64_t stride_of(const struct be_nn_place *p) {
    return p->layer.stride ? p->layer.stride : 1;
}

/* The matrix that the weights multiply, complete. Images lie one after the other, unlike what layers leave. */
static const struct be_buffer *columns_of(struct be_nn_run *run, int place) {
    const struct be_nn_residual *r = run->net->residual;
    const struct be_nn_place *p = &run->net->shape->place[place];
    const struct be_nn_steps steps =
        be_nn_steps_of(run, p->channels, (int64_t)p->height * p->width, p->input < 0);
    const int64_t count = (int64_t)be_nn_column_rows(p) * run->images * be_nn_spots_of(p);
    const struct be_buffer *in = p->input < 0 ? &run->net->images : &r->value[p->input];
    const struct be_argument argument[] = {
        be_nn_buffer(in),           be_nn_buffer(&r->columns), be_nn_whole(count),
        be_nn_whole(run->images),   be_nn_small(p->height),    be_nn_small(p->width),
        be_nn_small(p->out_height), be_nn_small(p->out_width), be_nn_small(p->layer.size),
        be_nn_small(stride_of(p)),  be_nn_small(p->layer.pad), be_nn_whole(steps.image),
        be_nn_whole(steps.channel)};
    if (!be_nn_has_columns(p)) {
        return in;
    }
    be_nn_label(run, "columns", place, 0);
    be_nn_launch(run, &r->kernel[BE_NN_COLUMNS_TAKE], count, argument, BE_COUNT(argument));
    return &r->columns;
}

static void convolve(struct be_nn_run *run, int place) {
    const struct be_nn_residual *r = run->net->residual;
    const struct be_nn_place *p = &run->net->shape->place[place];
    const int64_t rows = (int64_t)be_nn_column_rows(p);
    const int64_t columns = run->images * be_nn_spots_of(p);
    const struct be_gemm gemm = {.precision = run->net->precision,
                                 .m = columns,
                                 .n = p->out_channels,
                                 .k = rows,
                                 .alpha = 1,
                                 .a = {columns_of(run, place), 0, columns},
                                 .b = {&run->net->weights, p->weight * sizeof(float), rows},
                                 .c = {&r->before[place], 0, columns}};
    be_nn_label(run, "convolution", place, be_nn_operations_of(run, p));
    multiply(run, &gemm);
}

/* The gradient by the matrix becomes that by the input. */
static void columns_back(struct be_nn_run *run, const struct be_nn_place *p, bool begins) {
    const struct be_nn_residual *r = run->net->residual;
    const int64_t count = (int64_t)p->in * run->images;
    const struct be_argument argument[] = {
        be_nn_buffer(&r->columns),  be_nn_buffer(&r->back[r->slots.of[p->input]]),
        be_nn_whole(count),         be_nn_whole(run->images),
        be_nn_small(p->height),     be_nn_small(p->width),
        be_nn_small(p->out_height), be_nn_small(p->out_width),
        be_nn_small(p->layer.size), be_nn_small(stride_of(p)),
        be_nn_small(p->layer.pad),  be_nn_small(begins)};
    be_nn_launch(run, &r->kernel[BE_NN_COLUMNS_PUT], count, argument, BE_COUNT(argument));
}

static void input_back(struct be_nn_run *run, int place) {
    const struct be_nn_residual *r = run->net->residual;
    const struct be_nn_place *p = &run->net->shape->place[place];
    const int64_t rows = (int64_t)be_nn_column_rows(p);
    const int64_t columns = run->images * be_nn_spots_of(p);
    const bool has_columns = be_nn_has_columns(p);
    const bool begins = r->slots.begins[place];
    const struct be_gemm gemm = {
        .precision = run->net->precision,
        .transpose_b = true,
        .m = columns,
        .n = rows,
        .k = p->out_channels,
        .alpha = 1,
        .beta = has_columns || begins ? 0 : 1,
        .a = {&r->back[r->slots.of[place]], 0, columns},
        .b = {&run->net->weights, p->weight * sizeof(float), rows},
        .c = {has_columns ? &r->columns : &r->back[r->slots.of[p->input]], 0, columns}};
    be_nn_label(run, "convolution, by input", place, be_nn_operations_of(run, p));
    multiply(run, &gemm);
    if (has_columns) {
        be_nn_label(run, "columns, back", place, 0);
        columns_back(run, p, begins);
    }
}

static void unconvolve(struct be_nn_run *run, int place) {
    const struct be_nn_residual *r = run->net->residual;
    const struct be_nn_place *p = &run->net->shape->place[place];
    const int64_t rows = (int64_t)be_nn_column_rows(p);
    const int64_t columns = run->images * be_nn_spots_of(p);
    const struct be_gemm by_weights = {
        .precision = run->net->precision,
        .transpose_a = true,
        .m = rows,
        .n = p->out_channels,
        .k = columns,
        .alpha = 1,
        .a = {columns_of(run, place), 0, columns},
        .b = {&r->back[r->slots.of[place]], 0, columns},
        .c = {&run->net->gradients, p->weight * sizeof(float), rows}};
    be_nn_label(run, "convolution, by weights", place, be_nn_operations_of(run, p));
    multiply(run, &by_weights);
    if (p->input >= 0) {
        input_back(run, place);
    }
}

void be_nn_residual_convolve(struct be_nn_run *run, int place) {
    if (run->net->residual->dnn.handle) {
        be_nn_library_convolve(run, place, BE_CONVOLVE);
    } else {
        convolve(run, place);
    }
}

void be_nn_residual_unconvolve(struct be_nn_run *run, int place) {
    if (!run->net->residual->dnn.handle) {
        unconvolve(run, place);
        return;
    }
    be_nn_library_convolve(run, place, BE_CONVOLVE_BY_WEIGHTS);
    if (run->net->shape->place[place].input >= 0) {
        be_nn_library_convolve(run, place, BE_CONVOLVE_BY_INPUT);
    }
}
