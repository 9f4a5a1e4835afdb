/*
 * The inner loops of trunk_simd.c: BE_NN_OUTPUTS channels by some spots of a row, held in registers.
 */

/* Spots at once: with AVX-512 24 sums, 6 inputs and a weight in 32 registers; with AVX 12, 3 and one in 16. */
#if defined(__AVX512F__)
enum { SPOTS = 6 };
#elif defined(__AVX__)
enum { SPOTS = 3 };
#else
enum { SPOTS = 2 };
#endif

/* Distances in floats. Rows [first, end) of the square are those whose input there is. */
struct tile {
    const float *in; /* the first channel's row `first` */
    size_t in_channel, in_row;
    int channels, size, first, end;
    const float *weights; /* of the first output and channel */
    size_t weight_output; /* a channel's are size x size */
    const float *bias;    /* of the first output; NULL: zeros */
    float *out;
    size_t out_channel;
};

VECTOR_INLINE void tile_of(const struct tile *t, size_t x, const int outputs, const int spots) {
    vector32 sum[BE_NN_OUTPUTS][SPOTS];
    const size_t square = (size_t)t->size * (size_t)t->size;
#pragma GCC unroll 4
    for (int o = 0; o < outputs; o++) {
#pragma GCC unroll 6
        for (int s = 0; s < spots; s++) {
            sum[o][s] = spread32(t->bias ? t->bias[o] : 0);
        }
    }
    for (int c = 0; c < t->channels; c++) {
        for (int v = t->first; v < t->end; v++) {
            const float *in = t->in + (size_t)c * t->in_channel +
                              (size_t)(v - t->first) * t->in_row + x * (size_t)lanes32;
            const float *w = t->weights + (size_t)c * square + (size_t)(v * t->size);
            for (int u = 0; u < t->size; u++, in += lanes32, w++) {
                vector32 value[SPOTS];
#pragma GCC unroll 6
                for (int s = 0; s < spots; s++) {
                    value[s] = load32(in + s * lanes32);
                }
#pragma GCC unroll 4
                for (int o = 0; o < outputs; o++) {
                    const vector32 weight = spread32(w[(size_t)o * t->weight_output]);
#pragma GCC unroll 6
                    for (int s = 0; s < spots; s++) {
                        sum[o][s] += weight * value[s];
                    }
                }
            }
        }
    }
#pragma GCC unroll 4
    for (int o = 0; o < outputs; o++) {
#pragma GCC unroll 6
        for (int s = 0; s < spots; s++) {
            store32(t->out + (size_t)o * t->out_channel + (x + (size_t)s) * (size_t)lanes32,
                    sum[o][s]);
        }
    }
}

typedef void tile_run(const struct tile *t, size_t x);

#define TILE(outputs, spots)                                                                       \
    static void tile_##outputs##_##spots(const struct tile *t, size_t x) {                         \
        tile_of(t, x, outputs, spots);                                                             \
    }
#define TILES(spots) TILE(1, spots) TILE(2, spots) TILE(3, spots) TILE(4, spots)
#define NAMES(spots)                                                                               \
    { tile_1_##spots, tile_2_##spots, tile_3_##spots, tile_4_##spots }

TILES(1)
TILES(2)
#if defined(__AVX__)
TILES(3)
#endif
#if defined(__AVX512F__)
TILES(4)
TILES(5)
TILES(6)
#endif

static tile_run *const tiles[SPOTS][BE_NN_OUTPUTS] = {
    NAMES(1), NAMES(2),
#if defined(__AVX__)
    NAMES(3),
#endif
#if defined(__AVX512F__)
    NAMES(4), NAMES(5), NAMES(6),
#endif
};

/* A row of `width` spots of `outputs` channels, at most BE_NN_OUTPUTS: as evenly cut as can be. */
static void tile_row(const struct tile *t, size_t width, int outputs) {
    size_t parts = (width + SPOTS - 1) / SPOTS;
    for (size_t x = 0; x < width; parts--) {
        const size_t spots = (width - x + parts - 1) / parts;
        tiles[spots - 1][outputs - 1](t, x);
        x += spots;
    }
}

/* ---- gradients of weights ------------------------------------------------------------------- */

/* Sums over spots of one row of a square, one channel, `outputs` outputs. */
struct slope {
    const float *in;   /* row of the input */
    const float *back; /* row of the gradient by the output, of the first output */
    size_t in_row, back_row, back_channel;
    size_t rows, width;
    float *sum; /* of the first output */
    size_t sum_output;
};

VECTOR_INLINE void slope_of(const struct slope *s, const int outputs, const int size) {
    vector32 sum[BE_NN_OUTPUTS][5];
#pragma GCC unroll 4
    for (int o = 0; o < outputs; o++) {
#pragma GCC unroll 5
        for (int u = 0; u < size; u++) {
            sum[o][u] = load32(s->sum + (size_t)o * s->sum_output + u * lanes32);
        }
    }
    for (size_t r = 0; r < s->rows; r++) {
        const float *in = s->in + r * s->in_row;
        const float *back = s->back + r * s->back_row;
        for (size_t x = 0; x < s->width; x++, in += lanes32, back += lanes32) {
            vector32 value[5];
#pragma GCC unroll 5
            for (int u = 0; u < size; u++) {
                value[u] = load32(in + u * lanes32);
            }
#pragma GCC unroll 4
            for (int o = 0; o < outputs; o++) {
                const vector32 b = load32(back + (size_t)o * s->back_channel);
#pragma GCC unroll 5
                for (int u = 0; u < size; u++) {
                    sum[o][u] += b * value[u];
                }
            }
        }
    }
#pragma GCC unroll 4
    for (int o = 0; o < outputs; o++) {
#pragma GCC unroll 5
        for (int u = 0; u < size; u++) {
            store32(s->sum + (size_t)o * s->sum_output + u * lanes32, sum[o][u]);
        }
    }
}

typedef void slope_run(const struct slope *s);

#define SLOPE(outputs, size)                                                                       \
    static void slope_##outputs##_##size(const struct slope *s) {                                  \
        slope_of(s, outputs, size);                                                                \
    }
#define SLOPES(size) SLOPE(1, size) SLOPE(2, size) SLOPE(3, size) SLOPE(4, size)

SLOPES(3)
SLOPES(5)

static slope_run *const slopes[2][BE_NN_OUTPUTS] = {
    {slope_1_3, slope_2_3, slope_3_3, slope_4_3},
    {slope_1_5, slope_2_5, slope_3_5, slope_4_5},
};
