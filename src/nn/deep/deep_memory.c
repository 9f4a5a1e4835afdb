#include "nn/deep/deep_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "math/gemm.h"
#include "nn/deep/columns.h"

enum { ALIGN = 512, FIELDS = 2 * BE_NN_PLACES_MAX + BE_NN_SLOTS_MAX + 8 };

/* Pieces of one allocation: where each begins is written once all sizes are known. */
struct pieces {
    void **at[FIELDS];
    size_t bytes[FIELDS];
    int count;
    size_t all;
};

static void want(struct pieces *pieces, void *at, size_t bytes) {
    pieces->at[pieces->count] = at;
    pieces->bytes[pieces->count] = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    pieces->all += pieces->bytes[pieces->count++];
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* The most that the three products of a layer work in. */
static size_t product_bytes(const struct be_nn_place *p, size_t batch) {
    const int64_t spots = (int64_t)batch * p->out_height * p->out_width;
    const int64_t out = p->out_channels;
    const int64_t in = (int64_t)be_nn_column_rows(p);
    const struct be_host_gemm gemm[] = {{.m = spots, .n = out, .k = in},
                                        {.m = spots, .n = in, .k = out},
                                        {.m = in, .n = out, .k = spots}};
    size_t bytes = 0;
    for (size_t g = 0; g < BE_COUNT(gemm); g++) {
        bytes = larger(bytes, be_gemm_scratch_bytes(&gemm[g]));
    }
    return bytes;
}

static void want_all(struct be_nn_deep *deep, struct pieces *pieces) {
    const struct be_nn_shape *shape = deep->shape;
    const size_t batch = deep->batch;
    size_t columns = 0;
    size_t product = 0;
    want(pieces, &deep->images, batch * shape->pixels * sizeof(float));
    for (int i = 0; i < shape->layers; i++) {
        const struct be_nn_place *p = &shape->place[i];
        const size_t spots = (size_t)p->out_height * (size_t)p->out_width;
        want(pieces, &deep->value[i], batch * p->out * sizeof(float));
        if (p->layer.norm) {
            want(pieces, &deep->before[i], batch * p->out * sizeof(float));
        }
        if (be_nn_has_columns(p)) {
            columns = larger(columns, be_nn_column_rows(p) * spots * batch);
        }
        if (p->weights) {
            product = larger(product, product_bytes(p, batch));
        }
    }
    for (int i = 0; i < deep->slots.slots; i++) {
        want(pieces, &deep->back[i], batch * deep->slots.widest * sizeof(float));
    }
    want(pieces, &deep->mean, shape->statistics / 2 * sizeof(float));
    want(pieces, &deep->inverse, shape->statistics / 2 * sizeof(float));
    want(pieces, &deep->columns, columns * sizeof(float));
    want(pieces, &deep->product, product);
    want(pieces, &deep->loss, batch * sizeof(double));
    want(pieces, &deep->correct, batch);
}

static enum be_status get(struct be_nn_deep *deep, const struct pieces *pieces,
                          struct be_error *error) {
    char size[BE_WORD];
    deep->bytes = pieces->all;
    deep->memory = aligned_alloc(ALIGN, deep->bytes);
    if (!deep->memory) {
        return be_fail(error, BE_NOMEM,
                       "no %s of memory for batches of %zu images; take a smaller batch",
                       be_format_bytes(size, sizeof size, (double)deep->bytes, "?"), deep->batch);
    }
    char *at = deep->memory;
    for (int i = 0; i < pieces->count; i++) {
        memcpy(pieces->at[i], &at, sizeof at);
        at += pieces->bytes[i];
    }
    return BE_OK;
}

enum be_status be_nn_deep_open(const struct be_nn_shape *shape, size_t batch, struct be_team *team,
                               const struct be_nn_row_code *code, struct be_nn_deep **deep,
                               struct be_error *error) {
    struct be_nn_deep *new = calloc(1, sizeof *new);
    struct pieces pieces = {0};
    *deep = NULL;
    if (!new) {
        return be_fail(error, BE_NOMEM, "no memory for a net");
    }
    *new = (struct be_nn_deep){.shape = shape, .code = *code, .team = team, .batch = batch};
    be_nn_slots_find(shape, &new->slots);
    want_all(new, &pieces);
    const enum be_status status = get(new, &pieces, error);
    if (status != BE_OK) {
        be_nn_deep_close(new);
        return status;
    }
    *deep = new;
    return BE_OK;
}

void be_nn_deep_close(struct be_nn_deep *deep) {
    if (deep) {
        free(deep->memory);
        free(deep);
    }
}

size_t be_nn_deep_bytes(const struct be_nn_deep *deep) {
    return deep->bytes;
}
