#include "nn/fast/sparse.h"

enum { SHORTEST = 8, STEP = 32 }; /* lanes; channels */

bool be_nn_sparse_can(const struct be_nn_stage *stage, size_t lanes) {
    return stage->pool && stage->main->layer.size == BE_NN_SPARSE_SIZE && lanes >= SHORTEST &&
           stage->main->channels % STEP == 0;
}

/* With scratch NULL only the sizes mean something. */
static size_t place(const struct be_nn_stage *stage, size_t lanes, float *scratch,
                    struct be_nn_sparse *sparse) {
    const struct be_nn_place *p = stage->main;
    const size_t channels = (size_t)p->channels;
    const size_t outputs = (size_t)p->out_channels;
    const size_t row = (size_t)p->width * channels;
    const size_t image = (size_t)p->height * row;
    const size_t band = BE_NN_BAND_ROWS * row;
    const size_t taps = outputs * BE_NN_TAPS * channels;
    const size_t list = BE_NN_BAND * (size_t)stage->width + 1;
    const size_t floats[] = {lanes * image, lanes * band,   taps,
                             taps,          outputs * list, outputs * list};
    float *at[6] = {scratch};
    size_t all = 0;
    for (size_t i = 0; i < 6; i++) {
        at[i] = scratch ? scratch + all : NULL;
        all += (floats[i] + 15) / 16 * 16;
    }
    *sparse = (struct be_nn_sparse){.channels = channels,
                                    .spot_row = row,
                                    .to = at[0],
                                    .band = at[1],
                                    .image_floats = image,
                                    .band_floats = band,
                                    .slopes = at[2],
                                    .weights = at[3],
                                    .value = at[4],
                                    .spot = (int32_t *)(void *)at[5]};
    return all;
}

size_t be_nn_sparse_scratch(const struct be_nn_stage *stage, size_t lanes) {
    struct be_nn_sparse sparse;
    return place(stage, lanes, NULL, &sparse);
}

void be_nn_sparse_place(const struct be_nn_stage *stage, size_t lanes, float *scratch,
                        struct be_nn_sparse *sparse) {
    (void)place(stage, lanes, scratch, sparse);
}
