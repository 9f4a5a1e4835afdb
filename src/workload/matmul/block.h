/*
 * The body of simd.c for one type: REAL, and OF_TYPE(name) the name for it. It needs STRIP,
 * PAIR and A_BLOCK.
 */
#define VECTOR OF_TYPE(vector)
#define LANES ((size_t)OF_TYPE(lanes))
#define WIDE (PAIR * LANES)

static void OF_TYPE(pack_a)(const struct be_matmul_slab *s, size_t strip, size_t count) {
    const REAL *a = s->a;
    REAL *to = (REAL *)s->packed_a + strip * STRIP * s->depth;
    for (size_t at = strip; at < strip + count; at++, to += STRIP * s->depth) {
        for (size_t r = 0; r < STRIP; r++) {
            const size_t i = at * STRIP + r;
            const REAL *row = a + i * s->n + s->from;
            for (size_t k = 0; k < s->depth; k++) {
                to[k * STRIP + r] = i < s->n ? row[k] : 0;
            }
        }
    }
}

static void OF_TYPE(pack_b)(const struct be_matmul_slab *s, size_t strip, size_t count) {
    const REAL *b = (const REAL *)s->b + s->from * s->n;
    for (size_t k = 0; k < s->depth; k++) {
        for (size_t at = strip; at < strip + count; at++) {
            const size_t j = at * WIDE;
            const size_t have = s->n - j < WIDE ? s->n - j : WIDE;
            REAL *to = (REAL *)s->packed_b + (at * s->depth + k) * WIDE;
            memcpy(to, b + k * s->n + j, have * sizeof *to);
            memset(to + have, 0, (WIDE - have) * sizeof *to);
        }
    }
}

/* STRIP x WIDE of C, or as much of it as there is. */
static void OF_TYPE(strips)(const struct be_matmul_slab *s, const REAL *a, const REAL *b, REAL *c,
                            size_t rows, size_t columns) {
    VECTOR sum[STRIP][PAIR];
    for (int r = 0; r < STRIP; r++) {
        for (int v = 0; v < PAIR; v++) {
            sum[r][v] = (VECTOR){0};
        }
    }
    for (size_t r = 0; r < rows; r++) {
        __builtin_prefetch(c + r * s->n, 1);
        __builtin_prefetch(c + r * s->n + WIDE - 1, 1);
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
            REAL *to = c + r * s->n;
            if (s->from > 0) {
                sum[r][0] += OF_TYPE(load)(to);
                sum[r][1] += OF_TYPE(load)(to + LANES);
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
            c[r * s->n + j] = edge[r * WIDE + j] + (s->from > 0 ? c[r * s->n + j] : 0);
        }
    }
}

static void OF_TYPE(multiply)(const struct be_matmul_slab *s,
                              const struct be_matmul_region *region) {
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
                (s, a + i * s->depth, b + j * s->depth, (REAL *)s->c + i * s->n + j,
                 s->n - i < STRIP ? s->n - i : STRIP, s->n - j < WIDE ? s->n - j : WIDE);
            }
        }
    }
}

const struct be_matmul_code BE_SIMD_NAME(OF_TYPE(be_matmul)) = {
    .strip_rows = STRIP,
    .strip_columns = PAIR * VECTOR_BYTES / sizeof(REAL),
    .pack_a = OF_TYPE(pack_a),
    .pack_b = OF_TYPE(pack_b),
    .multiply = OF_TYPE(multiply),
};

#undef VECTOR
#undef LANES
#undef WIDE
