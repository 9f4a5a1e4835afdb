#include "device/common/parts.h"

#include "base/error.h"

/* The bytes of `count` elements; SIZE_MAX: more than there can be. */
static size_t bytes_of(int64_t count, size_t each) {
    size_t bytes = 0;
    return __builtin_mul_overflow(count, each, &bytes) ? SIZE_MAX : bytes;
}

enum be_status be_part_find(const struct be_part *part, int64_t count, size_t each,
                            const char *what, void **at, struct be_error *error) {
    size_t bytes = bytes_of(count, each);
    size_t there = part->buffer ? part->buffer->bytes : 0;
    if (!part->buffer || count < 1 || part->offset > there || bytes > there - part->offset) {
        return be_fail(error, BE_USAGE, "%s: %lld x %zu bytes from byte %zu on, the buffer has %zu",
                       what, (long long)count, each, part->offset, there);
    }
    if (part->offset % each != 0) {
        return be_fail(error, BE_USAGE, "%s: begins at byte %zu, between two elements of %zu bytes",
                       what, part->offset, each);
    }
    *at = (char *)part->buffer->handle + part->offset;
    return BE_OK;
}

enum be_status be_matrix_find(const struct be_matrix *matrix, int64_t rows, int64_t columns,
                              size_t each, const char *what, void **at, struct be_error *error) {
    const struct be_part part = {matrix->buffer, matrix->offset};
    int64_t count = 0;
    if (rows < 1 || columns < 1 || matrix->stride < rows ||
        __builtin_mul_overflow(columns - 1, matrix->stride, &count) ||
        __builtin_add_overflow(count, rows, &count)) {
        return be_fail(error, BE_USAGE, "%s: %lld x %lld with a leading dimension of %lld", what,
                       (long long)rows, (long long)columns, (long long)matrix->stride);
    }
    return be_part_find(&part, count, each, what, at, error);
}

/* The last matrix of a batch, and with it all before it: the first one's place. */
static enum be_status find_batch(const struct be_matrix *matrix, const struct be_gemm *g,
                                 int64_t step, int64_t rows, int64_t columns, size_t each,
                                 const char *what, void **at, struct be_error *error) {
    struct be_matrix last = *matrix;
    int64_t elements = 0;
    if (g->batch < 0 || step < 0 ||
        (g->batch > 1 && __builtin_mul_overflow(g->batch - 1, step, &elements))) {
        return be_fail(error, BE_USAGE, "%s: a batch of %lld, %lld elements apart", what,
                       (long long)g->batch, (long long)step);
    }
    const size_t ahead = bytes_of(elements, each);
    last.offset = ahead > SIZE_MAX - last.offset ? SIZE_MAX : last.offset + ahead;
    const enum be_status status = be_matrix_find(&last, rows, columns, each, what, at, error);
    if (status == BE_OK) {
        *at = (char *)*at - ahead;
    }
    return status;
}

enum be_status be_gemm_find(const struct be_gemm *g, size_t each, void *at[3],
                            struct be_error *error) {
    const bool a_turned = g->transpose_a;
    const bool b_turned = g->transpose_b;
    enum be_status status = find_batch(&g->a, g, g->a_step, a_turned ? g->k : g->m,
                                       a_turned ? g->m : g->k, each, "A", &at[0], error);
    if (status == BE_OK) {
        status = find_batch(&g->b, g, g->b_step, b_turned ? g->n : g->k, b_turned ? g->k : g->n,
                            each, "B", &at[1], error);
    }
    return status == BE_OK ? find_batch(&g->c, g, g->c_step, g->m, g->n, each, "C", &at[2], error)
                           : status;
}
