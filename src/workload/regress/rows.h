/*
 * The body of simd.c for one type: REAL, and OF_TYPE(name) the name for it.
 *
 * A row is read as whole vectors: what they hold beyond it is of the next rows, is multiplied by
 * weights that are 0, and makes sums that nobody looks at. The last rows, where nothing is there to
 * be read beyond, go number by number. Rows of a few features are read across instead, several rows
 * a vector.
 */
#define VECTOR OF_TYPE(vector)
#define LANES ((size_t)OF_TYPE(lanes))

/* One row's r = xw - y. */
static REAL OF_TYPE(error)(const REAL *x, REAL y, const REAL *w, size_t k) {
    REAL sum = -y;
    for (size_t j = 0; j < k; j++) {
        sum += x[j] * w[j];
    }
    return sum;
}

/* r[] = Xw - y of TOGETHER rows of `wide` vectors. */
VECTOR_INLINE void OF_TYPE(errors_together)(const REAL *x, const REAL *y, const REAL *w, size_t k,
                                            size_t wide, REAL *r) {
    VECTOR sum[TOGETHER];
    for (size_t i = 0; i < TOGETHER; i++) {
        sum[i] = OF_TYPE(spread)(0);
    }
    for (size_t v = 0; v < wide; v++) {
        const VECTOR weight = OF_TYPE(load)(w + v * LANES);
        for (size_t i = 0; i < TOGETHER; i++) {
            sum[i] += weight * OF_TYPE(load)(x + i * k + v * LANES);
        }
    }
    OF_TYPE(totals)(sum, y, r);
}

VECTOR_INLINE void OF_TYPE(gradient_together)(const REAL *x, const REAL *r, size_t k, size_t wide,
                                              VECTOR *g) {
    for (size_t v = 0; v < wide; v++) {
        for (size_t i = 0; i < TOGETHER; i++) {
            g[v] += r[i] * OF_TYPE(load)(x + i * k + v * LANES);
        }
    }
}

/* Rows that may be read as whole vectors, in TOGETHERs. */
static size_t OF_TYPE(whole)(const struct be_regress_rows *rows, size_t wide) {
    const size_t beyond = wide * LANES - rows->k;
    const size_t left = rows->capacity - rows->rows * rows->k;
    const size_t short_of = beyond > left ? (beyond - left + rows->k - 1) / rows->k : 0;
    return rows->rows > short_of ? (rows->rows - short_of) / TOGETHER * TOGETHER : 0;
}

/* ---- rows of constant numbers of vectors ---------------------------------------------------- */

/* The work on a block: r = Xw - y unless it is given, and g += X'r unless only r is asked for. */
struct OF_TYPE(pass) {
    size_t k, rows, whole;
    const REAL *x, *y, *w;
    REAL *r;
    const REAL *r_given;
    REAL *g;
};

VECTOR_INLINE void OF_TYPE(pass_wide)(const struct OF_TYPE(pass) * p, size_t wide) {
    const size_t k = p->k;
    VECTOR g[BE_REGRESS_PADDED / (VECTOR_BYTES / sizeof(REAL))];
    REAL here[TOGETHER] = {0};
    for (size_t v = 0; v < wide; v++) {
        g[v] = OF_TYPE(spread)(0);
    }
    for (size_t i = 0; i < p->whole; i += TOGETHER) {
        const REAL *x = p->x + i * k;
        REAL *r = p->r ? p->r + i : here;
        if (!p->r_given) {
            OF_TYPE(errors_together)(x, p->y + i, p->w, k, wide, r);
        }
        if (p->g) {
            OF_TYPE(gradient_together)(x, p->r_given ? p->r_given + i : r, k, wide, g);
        }
    }
    if (p->g) {
        for (size_t v = 0; v < wide; v++) {
            OF_TYPE(store)(p->g + v * LANES, g[v]);
        }
    }
}

static void OF_TYPE(pass_rest)(const struct OF_TYPE(pass) * p) {
    for (size_t i = p->whole; i < p->rows; i++) {
        const REAL *x = p->x + i * p->k;
        const REAL r = p->r_given ? p->r_given[i] : OF_TYPE(error)(x, p->y[i], p->w, p->k);
        if (p->r) {
            p->r[i] = r;
        }
        for (size_t j = 0; p->g && j < p->k; j++) {
            p->g[j] += r * x[j];
        }
    }
}

/* Each with a loop over rows of its own, where all vectors of a row have registers. */
#define WIDE(n)                                                                                    \
    case n:                                                                                        \
        OF_TYPE(pass_wide)(p, n);                                                                  \
        break;

#define PASS(what, condition)                                                                      \
    static void OF_TYPE(what##_wide)(const struct OF_TYPE(pass) * p, size_t wide) {                \
        if (!(condition)) {                                                                        \
            __builtin_unreachable();                                                               \
        }                                                                                          \
        switch (wide) {                                                                            \
            WIDE(1)                                                                                \
            WIDE(2)                                                                                \
            WIDE(3)                                                                                \
            WIDE(4)                                                                                \
            WIDE(5)                                                                                \
            WIDE(6)                                                                                \
            WIDE(7)                                                                                \
            WIDE(8)                                                                                \
        default:                                                                                   \
            OF_TYPE(pass_wide)(p, wide);                                                           \
        }                                                                                          \
    }

PASS(errors, p->r && !p->r_given && !p->g)
PASS(gradient, !p->r && p->r_given && p->g)
PASS(fused, !p->r && !p->r_given && p->g)

#undef PASS
#undef WIDE

/* ---- rows of few features ------------------------------------------------------------------- */

enum { OF_TYPE(NARROW) = 4 }; /* features of such a row at most */

VECTOR_INLINE void OF_TYPE(pass_narrow)(const struct OF_TYPE(pass) * p, const size_t k) {
    const REAL *x = p->x;
    REAL w[OF_TYPE(NARROW)] = {0};
    REAL g0 = 0;
    REAL g1 = 0;
    REAL g2 = 0;
    REAL g3 = 0;
    for (size_t j = 0; !p->r_given && j < k; j++) {
        w[j] = p->w[j];
    }
#pragma omp simd reduction(+ : g0, g1, g2, g3)
    for (size_t i = 0; i < p->rows; i++) {
        const REAL x0 = x[i * k];
        const REAL x1 = k > 1 ? x[i * k + 1] : 0;
        const REAL x2 = k > 2 ? x[i * k + 2] : 0;
        const REAL x3 = k > 3 ? x[i * k + 3] : 0;
        const REAL r = p->r_given ? p->r_given[i]
                                  : ((x0 * w[0] + x1 * w[1]) + (x2 * w[2] + x3 * w[3])) - p->y[i];
        if (p->r) {
            p->r[i] = r;
        }
        g0 += r * x0;
        g1 += r * x1;
        g2 += r * x2;
        g3 += r * x3;
    }
    if (p->g) {
        const REAL g[OF_TYPE(NARROW)] = {g0, g1, g2, g3};
        memcpy(p->g, g, k * sizeof *g);
    }
}

#define NARROW_PASS(what, condition)                                                               \
    static void OF_TYPE(what##_narrow)(const struct OF_TYPE(pass) * p) {                           \
        if (!(condition)) {                                                                        \
            __builtin_unreachable();                                                               \
        }                                                                                          \
        switch (p->k) {                                                                            \
        case 1:                                                                                    \
            OF_TYPE(pass_narrow)(p, 1);                                                            \
            break;                                                                                 \
        case 2:                                                                                    \
            OF_TYPE(pass_narrow)(p, 2);                                                            \
            break;                                                                                 \
        case 3:                                                                                    \
            OF_TYPE(pass_narrow)(p, 3);                                                            \
            break;                                                                                 \
        default:                                                                                   \
            OF_TYPE(pass_narrow)(p, 4);                                                            \
        }                                                                                          \
    }

NARROW_PASS(errors, p->r && !p->r_given && !p->g)
NARROW_PASS(gradient, !p->r && p->r_given && p->g)
NARROW_PASS(fused, !p->r && !p->r_given && p->g)

#undef NARROW_PASS

/* ---- passes --------------------------------------------------------------------------------- */

/* Block after block; the sums of each are added to g. */
static void OF_TYPE(run)(const struct be_regress_rows *rows, struct OF_TYPE(pass) pass,
                         void (*some)(const struct OF_TYPE(pass) *, size_t),
                         void (*narrow)(const struct OF_TYPE(pass) *), double *g) {
    const size_t k = rows->k;
    const size_t wide = (k + LANES - 1) / LANES;
    REAL sums[BE_REGRESS_PADDED] = {0};
    pass.k = k;
    pass.g = g ? sums : NULL;
    for (size_t first = 0; first < rows->rows; first += BLOCK) {
        struct be_regress_rows block = *rows;
        struct OF_TYPE(pass) here = pass;
        block.rows = rows->rows - first < BLOCK ? rows->rows - first : BLOCK;
        block.capacity = rows->capacity - first * k;
        here.rows = block.rows;
        here.x = (const REAL *)rows->x + first * k;
        here.y = (const REAL *)rows->y + first;
        here.r = pass.r ? pass.r + first : NULL;
        here.r_given = pass.r_given ? pass.r_given + first : NULL;
        if (k <= OF_TYPE(NARROW)) {
            narrow(&here);
        } else {
            here.whole = OF_TYPE(whole)(&block, wide);
            some(&here, wide);
            OF_TYPE(pass_rest)(&here);
        }
        for (size_t j = 0; g && j < k; j++) {
            g[j] += (double)sums[j];
        }
    }
}

static void OF_TYPE(weights)(const double *w, size_t k, REAL *padded) {
    for (size_t j = 0; j < BE_REGRESS_PADDED; j++) {
        padded[j] = j < k ? (REAL)w[j] : 0;
    }
}

void BE_SIMD_NAME(OF_TYPE(be_regress_errors))(const struct be_regress_rows *rows, const double *w,
                                              void *r) {
    REAL padded[BE_REGRESS_PADDED];
    OF_TYPE(weights)(w, rows->k, padded);
    OF_TYPE(run)
    (rows, (struct OF_TYPE(pass)){.w = padded, .r = r}, OF_TYPE(errors_wide),
     OF_TYPE(errors_narrow), NULL);
}

void BE_SIMD_NAME(OF_TYPE(be_regress_gradient))(const struct be_regress_rows *rows, const void *r,
                                                double *g) {
    OF_TYPE(run)
    (rows, (struct OF_TYPE(pass)){.r_given = r}, OF_TYPE(gradient_wide), OF_TYPE(gradient_narrow),
     g);
}

void BE_SIMD_NAME(OF_TYPE(be_regress_fused))(const struct be_regress_rows *rows, const double *w,
                                             double *g) {
    REAL padded[BE_REGRESS_PADDED];
    OF_TYPE(weights)(w, rows->k, padded);
    OF_TYPE(run)
    (rows, (struct OF_TYPE(pass)){.w = padded}, OF_TYPE(fused_wide), OF_TYPE(fused_narrow), g);
}

/* ---- X'X ------------------------------------------------------------------------------------ */

/* Rows of X'X times vectors of it that stay in registers while X goes by. */
enum { OF_TYPE(DOWN) = VECTOR_BYTES == 64 ? 6 : 4, OF_TYPE(ACROSS) = VECTOR_BYTES == 64 ? 4 : 2 };

/* Some rows of X, and a line of what comes next for each of them, to be asked for meanwhile. */
struct OF_TYPE(chunk) {
    const REAL *x;
    size_t rows, k;
    const char *ahead;
};

/* gram[i][..] += X'X for `down` rows i and `across` vectors from `from` on. */
VECTOR_INLINE void OF_TYPE(tile)(const struct OF_TYPE(chunk) * chunk, size_t i, size_t down,
                                 size_t from, size_t across, REAL *gram, size_t stride) {
    const struct OF_TYPE(chunk) c = *chunk;
    VECTOR sum[OF_TYPE(DOWN)][OF_TYPE(ACROSS)];
    for (size_t a = 0; a < down; a++) {
        for (size_t b = 0; b < across; b++) {
            sum[a][b] = OF_TYPE(load)(gram + (i + a) * stride + from + b * LANES);
        }
    }
    for (size_t row = 0; row < c.rows; row++) {
        VECTOR right[OF_TYPE(ACROSS)];
        __builtin_prefetch(c.ahead + row * LINE);
        for (size_t b = 0; b < across; b++) {
            right[b] = OF_TYPE(load)(c.x + row * c.k + from + b * LANES);
        }
        for (size_t a = 0; a < down; a++) {
            const VECTOR left = OF_TYPE(spread)(c.x[row * c.k + i + a]);
            for (size_t b = 0; b < across; b++) {
                sum[a][b] += left * right[b];
            }
        }
    }
    for (size_t a = 0; a < down; a++) {
        for (size_t b = 0; b < across; b++) {
            OF_TYPE(store)(gram + (i + a) * stride + from + b * LANES, sum[a][b]);
        }
    }
}

#define TILES(n)                                                                                   \
    static void OF_TYPE(tiles##n)(const struct OF_TYPE(chunk) * c, size_t i, size_t end,           \
                                  size_t from, REAL * gram, size_t stride) {                       \
        if (i + OF_TYPE(DOWN) <= end) {                                                            \
            OF_TYPE(tile)(c, i, OF_TYPE(DOWN), from, n, gram, stride);                             \
            return;                                                                                \
        }                                                                                          \
        if (i + FEW <= end) {                                                                      \
            OF_TYPE(tile)(c, i, FEW, from, n, gram, stride);                                       \
            i += FEW;                                                                              \
        }                                                                                          \
        for (; i < end; i++) {                                                                     \
            OF_TYPE(tile)(c, i, 1, from, n, gram, stride);                                         \
        }                                                                                          \
    }
TILES(1)
TILES(2)
#if defined(__AVX512F__)
TILES(3)
TILES(4)
#endif
#undef TILES

/* The vectors of rows i .. i + DOWN - 1 of X'X, none from `end` on, from column `from` up to `to`. */
static void OF_TYPE(strip)(const struct OF_TYPE(chunk) * c, size_t i, size_t end, size_t from,
                           size_t to, REAL *gram, size_t stride) {
    while (from < to) {
        size_t vectors = (to - from + LANES - 1) / LANES;
        size_t now = vectors < OF_TYPE(ACROSS) ? vectors : OF_TYPE(ACROSS);
        switch (now) {
#if defined(__AVX512F__)
        case 4:
            OF_TYPE(tiles4)(c, i, end, from, gram, stride);
            break;
        case 3:
            OF_TYPE(tiles3)(c, i, end, from, gram, stride);
            break;
#endif
        case 2:
            OF_TYPE(tiles2)(c, i, end, from, gram, stride);
            break;
        default:
            OF_TYPE(tiles1)(c, i, end, from, gram, stride);
        }
        from += now * LANES;
    }
}

/* Columns of X'X that full vectors hold. The last few others are made as rows, below the diagonal, where that
 * takes less than a vector that is mostly empty for each row above; else all are counted. */
static size_t OF_TYPE(full)(size_t k) {
    const size_t wide = (k + LANES - 1) / LANES;
    const size_t few = k % LANES;
    return few * wide < k ? k - few : k;
}

/* X'X of a chunk from the diagonal on, and the columns that are made as rows. */
static void OF_TYPE(gram_chunk)(struct OF_TYPE(chunk) * c, REAL *gram, size_t stride) {
    const size_t full = OF_TYPE(full)(c->k);
    const char *const end = c->ahead + c->rows * c->k * sizeof(REAL);
    for (size_t i = 0; i < c->k;) {
        if (i < full) {
            OF_TYPE(strip)(c, i, full, i / LANES * LANES, full, gram, stride);
        } else {
            OF_TYPE(strip)(c, i, c->k, 0, c->k, gram, stride);
        }
        c->ahead += c->ahead < end ? c->rows * LINE : 0;
        i = i < full && i + OF_TYPE(DOWN) > full ? full : i + OF_TYPE(DOWN);
    }
}

/* gram += what chunks summed. */
static void OF_TYPE(gram_add)(const REAL *sum, size_t k, size_t stride, double *gram) {
    const size_t full = OF_TYPE(full)(k);
    for (size_t i = 0; i < k; i++) {
        const size_t beside = i < full ? full : k;
        for (size_t j = i; j < beside; j++) {
            gram[i * k + j] += (double)sum[i * stride + j];
        }
        for (size_t j = beside; j < k; j++) { /* below the diagonal there */
            gram[i * k + j] += (double)sum[j * stride + i];
        }
    }
}

/* Column j of X'X's upper part for rows of few features: [x0 | x1 | ..]' xj, by g += X'r. */
static void OF_TYPE(gram_plain)(const struct OF_TYPE(pass) * p, size_t first, double *gram) {
    for (size_t row = first; row < p->rows; row++) {
        const REAL *x = p->x + row * p->k;
        for (size_t i = 0; i < p->k; i++) {
            for (size_t j = i; j < p->k; j++) {
                gram[i * p->k + j] += (double)(x[i] * x[j]);
            }
        }
    }
}

static void OF_TYPE(gram_narrow)(const struct OF_TYPE(pass) * p, double *gram) {
    REAL column[BLOCK];
    REAL sums[OF_TYPE(NARROW)];
    struct OF_TYPE(pass) pass = *p;
    pass.r_given = column;
    pass.r = NULL;
    pass.g = sums;
    for (size_t j = 0; j < p->k; j++) {
        for (size_t i = 0; i < p->rows; i++) {
            column[i] = p->x[i * p->k + j];
        }
        OF_TYPE(gradient_narrow)(&pass);
        for (size_t i = 0; i <= j; i++) {
            gram[i * p->k + j] += (double)sums[i];
        }
    }
}

void BE_SIMD_NAME(OF_TYPE(be_regress_gram))(const struct be_regress_rows *rows, double *gram,
                                            double *right) {
    enum { ROWS = 64 }; /* that stay in the first cache while all tiles go over them */
    const size_t k = rows->k;
    const size_t wide = (k + LANES - 1) / LANES;
    const size_t stride = wide * LANES;
    REAL sum[(BE_REGRESS_MAX + 1) * BE_REGRESS_PADDED];
    for (size_t first = 0; first < rows->rows; first += BLOCK) {
        struct be_regress_rows block = *rows;
        struct OF_TYPE(pass) pass = {.k = k};
        block.rows = rows->rows - first < BLOCK ? rows->rows - first : BLOCK;
        block.capacity = rows->capacity - first * k;
        block.x = pass.x = (const REAL *)rows->x + first * k;
        block.y = pass.y = (const REAL *)rows->y + first;
        pass.rows = block.rows;
        if (k <= OF_TYPE(NARROW)) {
            OF_TYPE(gram_narrow)(&pass, gram);
        } else {
            const size_t whole = OF_TYPE(whole)(&block, wide);
            memset(sum, 0, k * stride * sizeof *sum);
            for (size_t row = 0; row < whole; row += ROWS) {
                struct OF_TYPE(chunk) chunk = {.x = pass.x + row * k, .k = k};
                chunk.rows = whole - row < ROWS ? whole - row : ROWS;
                chunk.ahead = (const char *)(chunk.x + chunk.rows * k);
                OF_TYPE(gram_chunk)(&chunk, sum, stride);
            }
            OF_TYPE(gram_add)(sum, k, stride, gram);
            OF_TYPE(gram_plain)(&pass, whole, gram);
        }
        BE_SIMD_NAME(OF_TYPE(be_regress_gradient))(&block, block.y, right);
    }
}

#undef VECTOR
#undef LANES
