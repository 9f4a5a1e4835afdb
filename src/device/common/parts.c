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

enum be_status be_gemm_find(const struct be_gemm *g, size_t each, void *at[3],
                            struct be_error *error) {
    const bool a_turned = g->transpose_a;
    const bool b_turned = g->transpose_b;
    enum be_status status = be_matrix_find(&g->a, a_turned ? g->k : g->m, a_turned ? g->m : g->k,
                                           each, "A", &at[0], error);
    if (status == BE_OK) {
        status = be_matrix_find(&g->b, b_turned ? g->n : g->k, b_turned ? g->k : g->n, each, "B",
                                &at[1], error);
    }
    return status == BE_OK ? be_matrix_find(&g->c, g->m, g->n, each, "C", &at[2], error) : status;
}
