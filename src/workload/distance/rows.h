/*
 * The body of simd.c for one type: REAL, and OF_TYPE(name) the name for it.
 *
 * It needs ROWS, PARTS and BLOCK. ROWS rows at a time go through the columns' tiles; a row's coordinate is spread over a vector, and
 * the sums stay in registers over all coordinates. Results past the caches are put together in a
 * block that stays in the first-level cache and written line by line, since rows begin anywhere in
 * a line.
 */
#undef TILE
#undef VECTOR
#undef LANES
#define TILE BE_DISTANCE_TILE(sizeof(REAL))
#define VECTOR OF_TYPE(vector)
#define LANES ((size_t)OF_TYPE(lanes))

/* sum[r][.] for PARTS vectors from tile[0] on; `dimension` is a constant where it is small. */
VECTOR_INLINE void OF_TYPE(part)(const REAL *tile, const REAL *const row[ROWS], size_t dimension,
                                 bool product, REAL *to, size_t stride) {
    VECTOR sum[ROWS][PARTS];
    for (int r = 0; r < ROWS; r++) {
        for (int v = 0; v < PARTS; v++) {
            sum[r][v] = (VECTOR){0};
        }
    }
    for (size_t k = 0; k < dimension; k++) {
        VECTOR column[PARTS];
        for (size_t v = 0; v < PARTS; v++) {
            column[v] = OF_TYPE(load)(tile + k * TILE + v * LANES);
        }
        for (int r = 0; r < ROWS; r++) {
            const VECTOR x = OF_TYPE(spread)(row[r][k]);
            for (int v = 0; v < PARTS; v++) {
                const VECTOR t = product ? x : x - column[v];
                sum[r][v] = OF_TYPE(fma)(t, product ? column[v] : t, sum[r][v]);
            }
        }
    }
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t v = 0; v < PARTS; v++) {
            OF_TYPE(store)(to + r * stride + v * LANES, sum[r][v]);
        }
    }
}

/* ROWS x TILE results to `to`, whose rows lie `stride` apart. */
VECTOR_INLINE void OF_TYPE(tile)(const REAL *tile, const REAL *const row[ROWS], size_t dimension,
                                 bool product, REAL *to, size_t stride) {
    for (size_t at = 0; at < TILE; at += PARTS * LANES) {
        OF_TYPE(part)(tile + at, row, dimension, product, to + at, stride);
    }
}

static void OF_TYPE(any_tile)(const REAL *tile, const REAL *const row[ROWS], size_t dimension,
                              bool product, REAL *to, size_t stride) {
    if (product) {
        OF_TYPE(tile)(tile, row, dimension, true, to, stride);
        return;
    }
    switch (dimension) { /* these few are whole when unrolled */
    case 1:
        OF_TYPE(tile)(tile, row, 1, false, to, stride);
        break;
    case 2:
        OF_TYPE(tile)(tile, row, 2, false, to, stride);
        break;
    case 3:
        OF_TYPE(tile)(tile, row, 3, false, to, stride);
        break;
    case 4:
        OF_TYPE(tile)(tile, row, 4, false, to, stride);
        break;
    default:
        OF_TYPE(tile)(tile, row, dimension, false, to, stride);
        break;
    }
}

/* Whole lines past the caches, the rest as usual. */
static void OF_TYPE(emit)(REAL *to, const REAL *from, size_t n, bool beyond_cache) {
    enum { LINE = 64 / sizeof(REAL) };
    size_t i = 0;
    if (beyond_cache) {
        size_t nontemporal = ((size_t)to / sizeof(REAL)) % LINE;
        size_t head = nontemporal ? LINE - nontemporal : 0;
        head = head < n ? head : n;
        memcpy(to, from, head * sizeof *to);
        for (i = head; i + LINE <= n; i += LINE) {
            stream_line((float *)(void *)(to + i), (const float *)(const void *)(from + i));
        }
    }
    memcpy(to + i, from + i, (n - i) * sizeof *to);
}

/* Columns [column, column + width) of ROWS rows, of which `count` are wanted. */
static void OF_TYPE(matrix_block)(const struct be_distance_rows *rows, const REAL *const row[ROWS],
                                  size_t first, size_t count, size_t column, size_t width) {
    _Alignas(64) REAL block[ROWS * BLOCK / sizeof(REAL)];
    const size_t stride = BLOCK / sizeof(REAL);
    const bool product = rows->kind == BE_DISTANCE_PRODUCT;
    const REAL *packed = (const REAL *)rows->packed + column * rows->dimension;
    REAL *out = (REAL *)rows->out + first * rows->n + column;
    size_t whole = 0; /* columns that can be written where they belong */
    if (!rows->beyond_cache && count == ROWS) {
        whole = width / TILE * TILE;
    }
    for (size_t j = 0; j < width; j += TILE) {
        bool direct = j < whole;
        OF_TYPE(any_tile)
        (packed + j * rows->dimension, row, rows->dimension, product, direct ? out + j : block + j,
         direct ? rows->n : stride);
    }
    for (size_t r = 0; r < count; r++) {
        OF_TYPE(emit)
        (out + r * rows->n + whole, block + r * stride + whole, width - whole, rows->beyond_cache);
    }
}

static REAL OF_TYPE(row_min)(const REAL *value, size_t n) {
    VECTOR min = OF_TYPE(spread)((REAL)INFINITY);
    REAL one = (REAL)INFINITY;
    REAL lane[LANES];
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        min = OF_TYPE(min)(OF_TYPE(load)(value + i), min); /* passes over what is no number */
    }
    OF_TYPE(store)(lane, min);
    for (; i < n; i++) {
        one = value[i] < one ? value[i] : one;
    }
    for (i = 0; i < LANES; i++) {
        one = lane[i] < one ? lane[i] : one;
    }
    return one;
}

static void OF_TYPE(nearest_block)(const struct be_distance_rows *rows, const REAL *const row[ROWS],
                                   size_t first, size_t count, size_t column, size_t width) {
    _Alignas(64) REAL block[ROWS * BLOCK / sizeof(REAL)];
    const size_t stride = BLOCK / sizeof(REAL);
    const REAL *packed = (const REAL *)rows->packed + column * rows->dimension;
    REAL *out = (REAL *)rows->out + first;
    for (size_t j = 0; j < width; j += TILE) {
        OF_TYPE(any_tile)
        (packed + j * rows->dimension, row, rows->dimension, false, block + j, stride);
    }
    for (size_t r = 0; r < count; r++) {
        if (first + r >= column && first + r < column + width) {
            block[r * stride + first + r - column] = (REAL)INFINITY;
        }
        REAL min = OF_TYPE(row_min)(block + r * stride, width);
        out[r] = column == 0 || min < out[r] ? min : out[r];
    }
}

void BE_SIMD_NAME(OF_TYPE(be_distance_run))(const struct be_distance_rows *rows) {
    const REAL *points = rows->points;
    /* The columns' block stays in the second-level cache while all rows go over it, or with few
     * coordinates in the first. */
    const size_t max = rows->dimension > 16 ? BLOCK / 4 / sizeof(REAL) : BLOCK / sizeof(REAL);
    for (size_t column = 0; column < rows->n; column += max) {
        const size_t width = rows->n - column < max ? rows->n - column : max;
        for (size_t i = 0; i < rows->count; i += ROWS) {
            const size_t count = rows->count - i < ROWS ? rows->count - i : ROWS;
            const REAL *row[ROWS];
            for (size_t r = 0; r < ROWS; r++) { /* the last one again where there are fewer */
                row[r] = points + (rows->first + i + (r < count ? r : 0)) * rows->dimension;
            }
            (rows->kind == BE_DISTANCE_NEAREST ? OF_TYPE(nearest_block) : OF_TYPE(matrix_block))(
                rows, row, rows->first + i, count, column, width);
        }
    }
    stream_end();
}

void BE_SIMD_NAME(OF_TYPE(be_distance_pack))(const void *points, size_t n, size_t dimension,
                                             size_t first, size_t count, void *packed) {
    const REAL *from = points;
    REAL *to = (REAL *)packed + first * dimension * TILE;
    for (size_t tile = first; tile < first + count; tile++) {
        for (size_t k = 0; k < dimension; k++) {
            for (size_t v = 0; v < TILE; v++) {
                size_t j = tile * TILE + v;
                *to++ = from[(j < n ? j : n - 1) * dimension + k];
            }
        }
    }
}
