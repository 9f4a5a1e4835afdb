#include "nn/fast/fast_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "math/gemm.h"

/* BLOCK: images whose activations stay in the caches, and groups for as many threads as BLOCK / lanes. LINE: floats. */
enum { BLOCK = 512, LINE = 16, FIELDS = 24 };

/* Pieces of one allocation: where each begins is written once all sizes are known. */
struct pieces {
    void **at[FIELDS];
    size_t floats[FIELDS];
    int count;
    size_t all;
};

static void want(struct pieces *pieces, void *at, size_t floats) {
    pieces->at[pieces->count] = at;
    pieces->floats[pieces->count] = (floats + LINE - 1) / LINE * LINE;
    pieces->all += pieces->floats[pieces->count++];
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* The most that a product of the dense layers works in. */
static size_t product_floats(const struct be_nn_fast *fast) {
    size_t bytes = 0;
    for (int i = 0; i < fast->stages.dense; i++) {
        const struct be_nn_place *p = fast->stages.layer[i].main;
        const int64_t images = (int64_t)fast->block;
        const int64_t in = (int64_t)p->in;
        const int64_t out = (int64_t)p->out;
        const struct be_host_gemm gemm[] = {{.m = images, .n = out, .k = in},
                                            {.m = images, .n = in, .k = out},
                                            {.m = in, .n = out, .k = images}};
        for (size_t g = 0; g < BE_COUNT(gemm); g++) {
            bytes = larger(bytes, be_gemm_scratch_bytes(&gemm[g]));
        }
    }
    return bytes / sizeof(float);
}

static void want_convolutions(struct be_nn_fast *fast, struct pieces *pieces) {
    const size_t lanes = fast->code.lanes;
    const size_t members = (size_t)be_team_size(fast->team);
    const int last = fast->stages.convolutions - 1;
    for (int i = 0; i <= last; i++) {
        const struct be_nn_stage *stage = &fast->stages.convolution[i];
        const size_t numbers = fast->groups * lanes * stage->out;
        if (i < last) {
            want(pieces, &fast->out[i], numbers);
            fast->stage_floats = larger(fast->stage_floats, lanes * stage->out);
        }
        want(pieces, &fast->from[i], stage->pool ? numbers / sizeof(float) + LINE : 0);
        want(pieces, &fast->turned[i], stage->main->weights);
        fast->scratch_floats = larger(fast->scratch_floats, be_nn_trunk_scratch(stage, lanes));
    }
    fast->image_floats = fast->shape->pixels * lanes;
    want(pieces, &fast->gradients, fast->groups * fast->stages.parameters);
    want(pieces, &fast->images, members * fast->image_floats);
    want(pieces, &fast->by_stage[0], members * fast->stage_floats);
    want(pieces, &fast->by_stage[1], members * fast->stage_floats);
    want(pieces, &fast->scratch, members * fast->scratch_floats);
}

static void want_dense(struct be_nn_fast *fast, struct pieces *pieces) {
    size_t widest = 0;
    for (int i = 0; i <= fast->stages.dense; i++) {
        const size_t numbers =
            i < fast->stages.dense ? fast->stages.layer[i].main->in : BE_NET_CLASSES;
        want(pieces, &fast->number[i], numbers * fast->stride);
        widest = larger(widest, numbers);
    }
    want(pieces, &fast->back[0], widest * fast->stride);
    want(pieces, &fast->back[1], widest * fast->stride);
    want(pieces, &fast->product, product_floats(fast));
    want(pieces, &fast->loss, fast->batch * (sizeof(double) / sizeof(float)));
    want(pieces, &fast->correct, fast->batch / sizeof(float) + 1);
}

static enum be_status get(struct be_nn_fast *fast, const struct pieces *pieces,
                          struct be_error *error) {
    char size[BE_WORD];
    fast->bytes = pieces->all * sizeof(float);
    fast->memory = aligned_alloc(LINE * sizeof(float), fast->bytes);
    if (!fast->memory) {
        return be_fail(error, BE_NOMEM,
                       "no %s of memory for batches of %zu images; take a smaller batch",
                       be_format_bytes(size, sizeof size, (double)fast->bytes, "?"), fast->batch);
    }
    memset(fast->memory, 0, fast->bytes);
    float *at = fast->memory;
    for (int i = 0; i < pieces->count; i++) {
        memcpy(pieces->at[i], &at, sizeof at);
        at += pieces->floats[i];
    }
    return BE_OK;
}

enum be_status be_nn_fast_open(const struct be_nn_shape *shape, size_t batch, struct be_team *team,
                               const struct be_nn_trunk_code *code, struct be_nn_fast **fast,
                               struct be_error *error) {
    struct be_nn_fast *new = calloc(1, sizeof *new);
    struct pieces pieces = {0};
    *fast = NULL;
    if (!new) {
        return be_fail(error, BE_NOMEM, "no memory for a net");
    }
    *new = (struct be_nn_fast){.shape = shape, .code = *code, .team = team, .batch = batch};
    enum be_status status = BE_ABSENT;
    if (be_nn_stages_find(shape, &new->stages)) {
        new->groups = ((batch < BLOCK ? batch : BLOCK) + code->lanes - 1) / code->lanes;
        new->block = new->groups * code->lanes;
        /* Lines of one image's numbers fall into different sets of a cache. */
        new->stride = new->block + (new->block % 128 == 0 ? LINE : 0);
        want_convolutions(new, &pieces);
        want_dense(new, &pieces);
        status = get(new, &pieces, error);
    }
    if (status != BE_OK) {
        be_nn_fast_close(new);
        return status;
    }
    *fast = new;
    return BE_OK;
}

void be_nn_fast_close(struct be_nn_fast *fast) {
    if (fast) {
        free(fast->memory);
        free(fast);
    }
}

size_t be_nn_fast_bytes(const struct be_nn_fast *fast) {
    return fast->bytes;
}
