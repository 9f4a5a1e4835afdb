/*
 * The part of simd.c for small matrices, of one type: REAL, and OF_TYPE(name) the name for it. A row of B is vectors as
 * it lies; where its columns end in the middle of one, the last ones are copied to `room` with zeros behind them.
 */
#define VECTOR OF_TYPE(vector)
#define LANES ((size_t)OF_TYPE(lanes))

/* `rows` rows of C, `vectors` vectors of columns of it: both are known where this is inlined. */
VECTOR_INLINE void OF_TYPE(sums)(const struct be_matmul_part *p, size_t i, const REAL *b,
                                 size_t b_down, size_t rows, size_t vectors, VECTOR sum[STRIP][2]) {
    const REAL *a = (const REAL *)p->a + i * p->a_down;
    for (size_t r = 0; r < rows; r++) {
        sum[r][0] = sum[r][1] = OF_TYPE(spread)(0);
    }
    for (size_t k = 0; k < p->depth; k++, b += b_down) {
        const VECTOR left = OF_TYPE(load)(b);
        const VECTOR right = vectors > 1 ? OF_TYPE(load)(b + LANES) : left;
#pragma GCC unroll 12
        for (size_t r = 0; r < rows; r++) {
            const VECTOR x = OF_TYPE(spread)(a[r * p->a_down + k]);
            sum[r][0] += x * left;
            if (vectors > 1) {
                sum[r][1] += x * right;
            }
        }
    }
}

/* have: columns that there are of the last vector. */
VECTOR_INLINE void OF_TYPE(strip)(const struct be_matmul_part *p, size_t i, size_t j, const REAL *b,
                                  size_t b_down, size_t rows, size_t vectors, size_t have) {
    VECTOR sum[STRIP][2];
    OF_TYPE(sums)(p, i, b, b_down, rows, vectors, sum);
    for (size_t r = 0; r < rows; r++) {
        REAL *to = (REAL *)p->c + (i + r) * p->c_down + j;
        if (have < LANES) {
            memcpy(to, &sum[r][0], have * sizeof *to);
        } else {
            OF_TYPE(store)(to, sum[r][0]);
            if (vectors > 1) {
                OF_TYPE(store)(to + LANES, sum[r][1]);
            }
        }
    }
}

/* All rows of some columns. */
VECTOR_INLINE void OF_TYPE(columns)(const struct be_matmul_part *p, size_t j, const REAL *b,
                                    size_t b_down, size_t vectors, size_t have) {
    size_t i = 0;
    for (; i + STRIP <= p->rows; i += STRIP) {
        OF_TYPE(strip)(p, i, j, b, b_down, STRIP, vectors, have);
    }
    for (; i + 4 <= p->rows; i += 4) {
        OF_TYPE(strip)(p, i, j, b, b_down, 4, vectors, have);
    }
    for (; i < p->rows; i++) {
        OF_TYPE(strip)(p, i, j, b, b_down, 1, vectors, have);
    }
}

/* Columns that end in the middle of a vector, from column j on. */
static void OF_TYPE(last_columns)(const struct be_matmul_part *p, size_t j) {
    const REAL *b = p->b;
    REAL *room = p->room;
    for (size_t k = 0; k < p->depth; k++) {
        for (size_t v = 0; v < LANES; v++) {
            room[k * LANES + v] = j + v < p->columns ? b[k * p->b_down + j + v] : 0;
        }
    }
    OF_TYPE(columns)(p, j, room, LANES, 1, p->columns - j);
}

static void OF_TYPE(one)(const struct be_matmul_part *p) {
    const REAL *b = p->b;
    size_t j = 0;
    for (; j + 2 * LANES <= p->columns; j += 2 * LANES) {
        OF_TYPE(columns)(p, j, b + j, p->b_down, 2, LANES);
    }
    for (; j + LANES <= p->columns; j += LANES) {
        OF_TYPE(columns)(p, j, b + j, p->b_down, 1, LANES);
    }
    if (j < p->columns) {
        OF_TYPE(last_columns)(p, j);
    }
}

/* Products of 4 x 4, where a vector has more than one row: row r of C is the sum of A[r][k] times row k of B. For narrower
 * vectors this only compiles. */
#define ROWS_OF_FOUR (OF_TYPE(lanes) < 8 ? 1 : OF_TYPE(lanes) / 4)
#define OF_ROW(lane, k) ((lane) / 4 * 4 + (k))                   /* A[r][k], r the lane's row */
#define OF_COLUMN(lane, k) ((k) % ROWS_OF_FOUR * 4 + (lane) % 4) /* B[k][j], j the lane's column */
#define ADD_ROW(k)                                                                                 \
    (OF_TYPE(SHUFFLED)(left, left, OF_TYPE(LANES)(OF_ROW, k)) *                                    \
     OF_TYPE(SHUFFLED)(right[(k)*4 / LANES], right[(k)*4 / LANES], OF_TYPE(LANES)(OF_COLUMN, k)))
static void OF_TYPE(fours)(const REAL *a, const REAL *b, REAL *c, size_t products) {
    for (size_t i = 0; i < products; i++, a += 16, b += 16, c += 16) {
        VECTOR right[16 / LANES];
        for (size_t v = 0; v < 16 / LANES; v++) {
            right[v] = OF_TYPE(load)(b + v * LANES);
        }
        for (size_t v = 0; v < 16 / LANES; v++) {
            const VECTOR left = OF_TYPE(load)(a + v * LANES);
            VECTOR sum = ADD_ROW(0);
            sum += ADD_ROW(1);
            sum += ADD_ROW(2);
            sum += ADD_ROW(3);
            OF_TYPE(store)(c + v * LANES, sum);
        }
    }
}
#undef ROWS_OF_FOUR
#undef OF_ROW
#undef OF_COLUMN
#undef ADD_ROW

static bool OF_TYPE(are_fours)(const struct be_matmul_part *p) {
    return LANES > 4 && p->rows == 4 && p->depth == 4 && p->columns == 4 && p->a_down == 4 &&
           p->b_down == 4 && p->c_down == 4;
}

/* Where rows are shorter than a vector, and what stands behind the product is another one of these, whole vectors are read
 * and written: each row writes over what the one before wrote too much. */
void BE_SIMD_NAME(OF_TYPE(be_matmul_small_))(const struct be_matmul_part *p) {
    struct be_matmul_part part = *p;
    if (OF_TYPE(are_fours)(p)) {
        OF_TYPE(fours)(p->a, p->b, p->c, p->more + 1);
        return;
    }
    for (;; part.more--) {
        const bool free = part.columns < LANES && part.more * part.depth * part.columns >= LANES &&
                          part.more * part.rows * part.columns >= LANES;
        if (free) {
            OF_TYPE(columns)(&part, 0, part.b, part.b_down, 1, LANES);
        } else {
            OF_TYPE(one)(&part);
        }
        if (part.more == 0) {
            return;
        }
        part.a = (const REAL *)part.a + part.rows * part.a_down;
        part.b = (const REAL *)part.b + part.depth * part.b_down;
        part.c = (REAL *)part.c + part.rows * part.c_down;
    }
}

#undef VECTOR
#undef LANES
