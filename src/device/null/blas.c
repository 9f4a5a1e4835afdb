/* The pretend GPU's matrix products: as lazy as the rest of it. */
#include <string.h>

#include "base/error.h"
#include "device/null/null.h"
#include "device/common/parts.h"

static enum be_status open_blas(struct be_device *device, struct be_blas *blas,
                                struct be_error *error) {
    (void)device, (void)error;
    *blas = (struct be_blas){.handle = 1, .name = "three loops"};
    return BE_OK;
}

static void close_blas(struct be_device *device, struct be_blas *blas) {
    (void)device;
    *blas = (struct be_blas){0};
}

static enum be_status gemm(struct be_device *device, const struct be_blas *blas,
                           const struct be_gemm *g, struct be_error *error) {
    (void)blas;
    const size_t each = g->precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
    void *at[3] = {NULL, NULL, NULL};
    if (g->precision != BE_FLOAT64 && g->precision != BE_FLOAT32) {
        return be_fail(error, BE_ABSENT, "%s: multiplies float64 and float32 only",
                       device->info.id);
    }
    const enum be_status status = be_gemm_find(g, each, at, error);
    if (status != BE_OK) {
        be_context(error, "matrix product of %lld x %lld x %lld", (long long)g->m, (long long)g->n,
                   (long long)g->k);
        return status;
    }
    struct be_null_command *command = be_null_put(device, BE_QUEUE_WORK, error);
    if (!command) {
        return BE_NOMEM;
    }
    command->what = BE_NULL_PRODUCT;
    command->from = at[0];
    command->by = at[1];
    command->to = at[2];
    command->gemm = *g;
    return BE_OK;
}

/* From an element to the next one down, and to the next one right. */
struct steps {
    size_t down, right;
};

static struct steps steps_of(const struct be_matrix *matrix, bool transpose) {
    size_t stride = (size_t)matrix->stride;
    return transpose ? (struct steps){stride, 1} : (struct steps){1, stride};
}

/* Column by column: the innermost loop runs along memory where A is not transposed. */
#define PRODUCT(name, type)                                                                        \
    static void name(const struct be_gemm *g, type *to, const type *a, const type *b) {            \
        const struct steps at = steps_of(&g->a, g->transpose_a);                                   \
        const struct steps bt = steps_of(&g->b, g->transpose_b);                                   \
        const size_t m = (size_t)g->m;                                                             \
        for (size_t column = 0; column < (size_t)g->n; column++) {                                 \
            type *const c = to + column * (size_t)g->c.stride;                                     \
            for (size_t row = 0; row < m; row++) {                                                 \
                c[row] = g->beta == 0 ? 0 : (type)g->beta * c[row];                                \
            }                                                                                      \
            for (size_t k = 0; k < (size_t)g->k; k++) {                                            \
                const type factor = (type)g->alpha * b[k * bt.down + column * bt.right];           \
                for (size_t row = 0; row < m; row++) {                                             \
                    c[row] += a[row * at.down + k * at.right] * factor;                            \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
PRODUCT(product_of_doubles, double)
PRODUCT(product_of_floats, float)

void be_null_product(const struct be_null_command *command) {
    const struct be_gemm *g = &command->gemm;
    const size_t each = g->precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
    for (size_t i = 0; i == 0 || (int64_t)i < g->batch; i++) {
        void *to = command->to + i * (size_t)g->c_step * each;
        const void *from = command->from + i * (size_t)g->a_step * each;
        const void *by = command->by + i * (size_t)g->b_step * each;
        if (g->precision == BE_FLOAT64) {
            product_of_doubles(g, to, from, by);
        } else {
            product_of_floats(g, to, from, by);
        }
    }
}

const struct be_blas_ops be_null_blas = {.open = open_blas, .close = close_blas, .gemm = gemm};
