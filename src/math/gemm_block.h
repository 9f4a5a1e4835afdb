/*
 * The body of gemm_simd.c for one type: REAL, and OF_TYPE(name) the name for it. It needs STRIP,
 * PAIR and A_BLOCK.
 */
#define VECTOR OF_TYPE(vector)
#define LANES ((size_t)OF_TYPE(lanes))
#define WIDE (PAIR * LANES)

static void OF_TYPE(pack_a)(const struct be_gemm_slab *s, size_t strip, size_t count) {
    const REAL *a = (const REAL *)s->a + s->from * s->a_right;
    REAL *to = (REAL *)s->packed_a + strip * STRIP * s->depth;
    for (size_t at = strip; at < strip + count; at++, to += STRIP * s->depth) {
        const size_t have = s->rows - at * STRIP < STRIP ? s->rows - at * STRIP : STRIP;
        for (size_t r = 0; s->a_right == 1 && r < STRIP; r++) {
            const REAL *row = a + (at * STRIP + r) * s->a_down;
            for (size_t k = 0; k < s->depth; k++) {
                to[k * STRIP + r] = r < have ? row[k] : 0;
            }
        }
        for (size_t k = 0; s->a_right != 1 && k < s->depth; k++) {
            const REAL *column = a + k * s->a_right + at * STRIP * s->a_down;
            for (size_t r = 0; r < STRIP; r++) {
                to[k * STRIP + r] = r < have ? column[r * s->a_down] : 0;
            }
        }
    }
}

/* Rows of B are copied as they lie; columns are read along memory and spread. */
static void OF_TYPE(pack_b)(const struct be_gemm_slab *s, size_t strip, size_t count) {
    const REAL *b = (const REAL *)s->b + s->from * s->b_down;
    for (size_t k = 0; s->b_right == 1 && k < s->depth; k++) {
        for (size_t at = strip; at < strip + count; at++) {
            const size_t j = at * WIDE;
            const size_t have = s->columns - j < WIDE ? s->columns - j : WIDE;
            REAL *to = (REAL *)s->packed_b + (at * s->depth + k) * WIDE;
            memcpy(to, b + k * s->b_down + j, have * sizeof *to);
            memset(to + have, 0, (WIDE - have) * sizeof *to);
        }
    }
    for (size_t at = strip; s->b_right != 1 && at < strip + count; at++) {
        REAL *to = (REAL *)s->packed_b + at * s->depth * WIDE;
        for (size_t j = 0; j < WIDE; j++) {
            const REAL *column = b + (at * WIDE + j) * s->b_right;
            const bool have = at * WIDE + j < s->columns;
            for (size_t k = 0; k < s->depth; k++) {
                to[k * WIDE + j] = have ? column[k * s->b_down] : 0;
            }
        }
    }
}

/* STRIP x WIDE of C, or as much of it as there is. */
static void OF_TYPE(strips)(const struct be_gemm_slab *s, const REAL *a, const REAL *b, REAL *c,
                            size_t rows, size_t columns) {
    const REAL alpha = (REAL)s->alpha;
    const REAL keep = s->from > 0 ? 1 : (REAL)s->beta; /* of what stands in C; 0: it is not read */
    VECTOR sum[STRIP][PAIR];
    for (int r = 0; r < STRIP; r++) {
        for (int v = 0; v < PAIR; v++) {
            sum[r][v] = (VECTOR){0};
        }
    }
    for (size_t r = 0; r < rows; r++) {
        __builtin_prefetch(c + r * s->c_down, 1);
        __builtin_prefetch(c + r * s->c_down + WIDE - 1, 1);
    }
    for (size_t k = 0; k < s->depth; k++, a += STRIP, b += WIDE) {
        const VECTOR left = OF_TYPE(load)(b);
        const VECTOR right = OF_TYPE(load)(b + LANES);
        __builtin_prefetch(b + 16 * WIDE);
        __builtin_prefetch(b + 16 * WIDE + LANES);
#pragma GCC unroll 12
        for (int r = 0; r < STRIP; r++) {
            const VECTOR x = OF_TYPE(spread)(a[r]);
            sum[r][0] += x * left;
            sum[r][1] += x * right;
        }
    }
    if (rows == STRIP && columns == WIDE) {
#pragma GCC unroll 12
        for (size_t r = 0; r < STRIP; r++) {
            REAL *to = c + r * s->c_down;
            sum[r][0] *= alpha;
            sum[r][1] *= alpha;
            if (keep != 0) {
                sum[r][0] += keep * OF_TYPE(load)(to);
                sum[r][1] += keep * OF_TYPE(load)(to + LANES);
            }
            OF_TYPE(store)(to, sum[r][0]);
            OF_TYPE(store)(to + LANES, sum[r][1]);
        }
        return;
    }
    REAL edge[STRIP * WIDE];
    memcpy(edge, sum, sizeof edge);
    for (size_t r = 0; r < rows; r++) {
        for (size_t j = 0; j < columns; j++) {
            REAL *to = c + r * s->c_down + j;
            *to = alpha * edge[r * WIDE + j] + (keep != 0 ? keep * *to : 0);
        }
    }
}

static void OF_TYPE(multiply)(const struct be_gemm_slab *s, const struct be_gemm_region *region) {
    const REAL *a = s->packed_a;
    const REAL *b = s->packed_b;
    const size_t end = region->row + region->rows;
    for (size_t block = region->row; block < end; block += A_BLOCK) {
        const size_t block_end = block + A_BLOCK < end ? block + A_BLOCK : end;
        for (size_t q = region->column; q < region->column + region->columns; q++) {
            for (size_t p = block; p < block_end; p++) {
                const size_t i = p * STRIP;
                const size_t j = q * WIDE;
                OF_TYPE(strips)
                (s, a + i * s->depth, b + j * s->depth, (REAL *)s->c + i * s->c_down + j,
                 s->rows - i < STRIP ? s->rows - i : STRIP,
                 s->columns - j < WIDE ? s->columns - j : WIDE);
            }
        }
    }
}

const struct be_gemm_code BE_SIMD_NAME(OF_TYPE(be_gemm)) = {
    .strip_rows = STRIP,
    .strip_columns = PAIR * VECTOR_BYTES / sizeof(REAL),
    .pack_a = OF_TYPE(pack_a),
    .pack_b = OF_TYPE(pack_b),
    .multiply = OF_TYPE(multiply),
};

#undef VECTOR
#undef LANES
#undef WIDE
