/*
 * The histogram for one type, behind rows.h: distances are put into a block as for the least
 * of each row, their bins are found by vectors and put into memory, and counted from there, one
 * addition to memory a pair, which takes half of the time. Neighbours have other copies of the counts,
 * so that none waits for the one before it.
 */

/* ROWS x TILE distances, of fused multiply-adds whatever the instruction set. */
#if HAS_FMA
#define EXACT_TILE(tile, row, dimension, to, stride)                                               \
    OF_TYPE(any_tile)(tile, row, dimension, false, to, stride)
#else
#define EXACT_TILE(tile, row, dimension, to, stride)                                               \
    OF_TYPE(exact_tile)(tile, row, dimension, to, stride)
static void OF_TYPE(exact_tile)(const REAL *tile, const REAL *const row[ROWS], size_t dimension,
                                REAL *to, size_t stride) {
    for (size_t r = 0; r < ROWS; r++) {
        memset(to + r * stride, 0, TILE * sizeof *to);
        for (size_t k = 0; k < dimension; k++) {
            for (size_t v = 0; v < TILE; v++) {
                const REAL t = row[r][k] - tile[k * TILE + v];
                to[r * stride + v] = ONE_FMA(t, t, to[r * stride + v]);
            }
        }
    }
}
#endif

/* As wide as what a comparison by AVX2 gives: to make it narrow takes longer than to convert the guess. */
#if defined(__AVX2__) && !defined(__AVX512F__)
#define BIN OF_TYPE(whole)
#else
#define BIN int32_t
#endif

struct OF_TYPE(bins) {
    REAL edge;
    float scale, max; /* most: the number of bins */
    size_t stride;    /* from one copy to the next */
    uint32_t *count;
};

/* The first guess is right or one too low; what is beyond all bins, or no number, is `most` or one
 * more. */
static void OF_TYPE(count)(const struct OF_TYPE(bins) * bins, const REAL *distance, size_t n) {
    BIN bin[BLOCK / sizeof(REAL)];
    float root[BLOCK / sizeof(REAL)];
    const REAL edge = bins->edge;
    const float scale = bins->scale;
    const float max = bins->max;
    uint32_t *copy[BE_DISTANCE_COPIES];
    size_t i;
#pragma omp simd
    for (i = 0; i < n; i++) {
        root[i] = (float)distance[i];
    }
    roots(root, n);
#pragma omp simd
    for (i = 0; i < n; i++) {
        const float guess = root[i] * scale;
        const int32_t low = (int32_t)(guess < max ? guess : max);
        const REAL next = (REAL)(low + 1);
        bin[i] = (BIN)low + (distance[i] >= next * next * edge ? 1 : 0);
    }
    for (size_t c = 0; c < BE_DISTANCE_COPIES; c++) {
        copy[c] = bins->count + c * bins->stride;
    }
    for (i = 0; i + BE_DISTANCE_COPIES <= n; i += BE_DISTANCE_COPIES) {
        for (size_t c = 0; c < BE_DISTANCE_COPIES; c++) {
            copy[c][bin[i + c]]++;
        }
    }
    for (; i < n; i++) {
        copy[0][bin[i]]++; /* cppcheck-suppress uninitvar ; all n are set above */
    }
}

/* Rows from `first` on, of which each has the columns behind its own, as far as they are in
 * [column, column + width). */
static void OF_TYPE(count_block)(const struct be_distance_counts *to_do,
                                 const struct OF_TYPE(bins) * bins, size_t first, size_t column,
                                 size_t width) {
    _Alignas(64) REAL block[ROWS * BLOCK / sizeof(REAL)];
    const size_t stride = BLOCK / sizeof(REAL);
    const size_t count = to_do->n - first < ROWS ? to_do->n - first : ROWS;
    const REAL *packed = (const REAL *)to_do->packed + column * to_do->dimension;
    const REAL *row[ROWS];
    const size_t start = first > column ? (first - column) / TILE * TILE : 0;
    for (size_t r = 0; r < ROWS; r++) { /* the first one again where there are fewer */
        row[r] = (const REAL *)to_do->points + (first + (r < count ? r : 0)) * to_do->dimension;
    }
    for (size_t j = start; j < width; j += TILE) {
        EXACT_TILE(packed + j * to_do->dimension, row, to_do->dimension, block + j, stride);
    }
    for (size_t r = 0; r < count; r++) {
        const size_t behind = first + r + 1 > column ? first + r + 1 - column : 0;
        if (behind < width) {
            OF_TYPE(count)(bins, block + r * stride + behind, width - behind);
        }
    }
}

/* Before a narrow count can be full: it has less than BLOCK columns of a million rows. */
static void OF_TYPE(add_up)(const struct be_distance_counts *to_do,
                            const struct OF_TYPE(bins) * bins) {
    for (size_t c = 0; c < BE_DISTANCE_COPIES; c++) {
        uint32_t *count = bins->count + c * bins->stride;
        for (size_t k = 0; k < to_do->bins; k++) {
            to_do->counts[k] += count[k];
            count[k] = 0;
        }
        count[to_do->bins] = count[to_do->bins + 1] = 0;
    }
}

void BE_SIMD_NAME(OF_TYPE(be_distance_count))(const struct be_distance_counts *to_do) {
    const struct OF_TYPE(bins) bins = {.edge = (REAL)to_do->edge,
                                       .scale = to_do->scale,
                                       .max = (float)to_do->bins,
                                       .stride = to_do->bins + 2,
                                       .count = (uint32_t *)(void *)(to_do->counts + to_do->bins)};
    const size_t max = to_do->dimension > 16 ? BLOCK / 4 / sizeof(REAL) : BLOCK / sizeof(REAL);
    for (size_t column = 0; column < to_do->n; column += max) {
        const size_t width = to_do->n - column < max ? to_do->n - column : max;
        for (size_t i = to_do->member * ROWS; i + 1 < column + width; i += to_do->members * ROWS) {
            OF_TYPE(count_block)(to_do, &bins, i, column, width);
        }
        OF_TYPE(add_up)(to_do, &bins);
    }
}

#undef EXACT_TILE
#undef BIN
