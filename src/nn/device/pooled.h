/*
 * Back through a convolution of 3 x 3 and the pool behind it, for input channels in whole warps. A pool takes one spot
 * of four, so only that one has a gradient: a quarter of the products, less those that ReLU and dropout took. A lane
 * has an input channel; which spot it is, is the same for a whole warp, and so is the branch on it. It is part of
 * convolution.cl.
 */
#define WARP 32
#define WARPS 8
#define LANES_OF_POOLED (WARPS * WARP)
#define CELLS_AT_ONCE                                                                              \
    4 /* registers for three groups at a time; 7 at most, as one more fits eight numbers of four bits */
#define STRIPS_X ((IN_X + CELLS_AT_ONCE - 1) / CELLS_AT_ONCE)
#define ACROSS ((IN_X + STRIPS_X - 1) / STRIPS_X) /* blocks of 2 x 2 inputs of a warp */
#define CHANNELS_NEAR 16
#define EACH_CELL 8
#define OUT_OF_STRIP (2 * ACROSS + 1)

/* 4 bits a cell: the spots of `count` numbers that lie `apart`; those that are not have none. */
#define PACK(packed, count, is, at)                                                                \
    for (int i = 0; i < (count); i++) {                                                            \
        packed |= (unsigned int)((is) ? from[at] : NONE) << (4 * i);                               \
    }

/* Calls add(dy, dx) for the spot in the four bits from `bit` on, unless there is none. */
#define AT_SPOT(packed, bit, add)                                                                  \
    switch ((packed) >> (bit)&7u) {                                                                \
    case 0:                                                                                        \
        add(0, 0) break;                                                                           \
    case 1:                                                                                        \
        add(0, 1) break;                                                                           \
    case 2:                                                                                        \
        add(1, 0) break;                                                                           \
    case 3:                                                                                        \
        add(1, 1) break;                                                                           \
    default:                                                                                       \
        break;                                                                                     \
    }

/* One cell's gradient by the weights of a channel, into the 4 rows that a row of cells reaches. The first cell lies
 * before the warp's inputs. */
#define ADD_TO_INPUTS(dy, dx)                                                                      \
    UNROLL for (int k = 0; k < SQUARE; k++) {                                                      \
        const int column = 2 * i + (dx) + k % K - 2;                                               \
        if (column >= 0 && column < 2 * ACROSS) {                                                  \
            sum[(dy) + k / K][column] = FMA(g[i], w[k], sum[(dy) + k / K][column]);                \
        }                                                                                          \
    }

/* A warp's cells of a row, from that before x on, by the output channels from `first` on: gradients, and spots. */
DEVICE void take_cells(LOCAL float *cell, LOCAL unsigned int *spots, GLOBAL const float *back,
                       GLOBAL const unsigned char *from, bool is_image, int first, int row, int x) {
    const bool is_row = is_image && row >= 0 && row < PH;
    const int lane = (int)LANE(0) % WARP;
    for (int i = lane; i < CHANNELS_NEAR * EACH_CELL; i += WARP) {
        const int o = first + i / EACH_CELL;
        const int column = x - 1 + i % EACH_CELL;
        const bool is = is_row && o < CO && column >= 0 && column < PW;
        cell[i] = is ? back[(o * PH + row) * PW + column] * DROP_SCALE : 0;
    }
    if (lane < CHANNELS_NEAR) {
        unsigned int packed = 0;
        PACK(packed, EACH_CELL, is_row && first + lane < CO && x - 1 + i >= 0 && x - 1 + i < PW,
             ((first + lane) * PH + row) * PW + x - 1 + i)
        spots[lane] = packed;
    }
}

/* A row of cells by the weights of an output channel. */
DEVICE void add_channel(float sum[4][2 * ACROSS], LOCAL const float *weights,
                        LOCAL const float *cell, unsigned int packed) {
    float w[SQUARE];
    float g[EACH_CELL];
    UNROLL for (int k = 0; k < SQUARE; k++) {
        w[k] = weights[k];
    }
    UNROLL for (int i = 0; i < EACH_CELL; i++) {
        g[i] = cell[i];
    }
    UNROLL for (int i = 0; i <= ACROSS; i++) {
        AT_SPOT(packed, 4 * i, ADD_TO_INPUTS)
    }
}

/* A warp's row of inputs leaves: `columns` are left of the image from `begin` on. */
DEVICE void put_row(LOCAL const float *near, GLOBAL float *to, GLOBAL const float *in, LONG begin,
                    int columns) {
    for (int i = (int)LANE(0) % WARP; i < WARP * 2 * ACROSS; i += WARP) {
        const int channel = i / (2 * ACROSS);
        const int column = i % (2 * ACROSS);
        const LONG element = begin + channel * (H * W) + column;
        if (column < columns) {
            to[element] = MASKED(near[channel * OUT_OF_STRIP + column], in[element]);
        }
    }
}

/* The gradient by the input. A warp: 32 channels of an image, ACROSS blocks of 2 x 2 across and `rows` down. A row of
 * cells reaches two rows of blocks; the second one is carried on to the next row of cells. */
KERNEL LANES_MOST_OF(LANES_OF_POOLED, 3)
    k_conv_input(GLOBAL const float *in, GLOBAL const float *back, GLOBAL const unsigned char *from,
                 GLOBAL const float *weights, GLOBAL float *to, LONG images, int rows) {
    SHARED float
        near[CHANNELS_NEAR * WARP * SQUARE]; /* weights, then a row of each warp that goes out */
    SHARED FLOAT4 cells[WARPS * CHANNELS_NEAR * EACH_CELL / 4];
    SHARED unsigned int spots[WARPS * CHANNELS_NEAR];
    LOCAL float *cell = (LOCAL float *)cells;
    const int warp = (int)LANE(0) / WARP;
    const int lane = (int)LANE(0) % WARP;
    const int tile = (int)(GROUP(0) % (CI / WARP)) * WARP;
    const LONG at = GROUP(0) / (CI / WARP) * WARPS + warp;
    const int strips = (IN_Y + rows - 1) / rows;
    const int x = (int)(at % STRIPS_X) * ACROSS;
    const int y = (int)(at / STRIPS_X % strips) * rows;
    const LONG image = at / STRIPS_X / strips;
    float sum[4][2 * ACROSS];
    UNROLL for (int i = 0; i < 2 * ACROSS; i++) {
        sum[2][i] = 0;
        sum[3][i] = 0;
    }
    UNROLL_BY(1) for (int row = y - 1; row < y + rows; row++) {
        UNROLL for (int i = 0; i < 2 * ACROSS; i++) {
            sum[0][i] = sum[2][i];
            sum[1][i] = sum[3][i];
            sum[2][i] = 0;
            sum[3][i] = 0;
        }
        UNROLL_BY(1) for (int first = 0; first < CO; first += CHANNELS_NEAR) {
            BARRIER();
            for (int i = (int)LANE(0); i < CHANNELS_NEAR * WARP * SQUARE; i += LANES_OF_POOLED) {
                const int o = first + i / (WARP * SQUARE);
                near[i] =
                    o < CO ? weights[WEIGHT + (o * CI + tile) * SQUARE + i % (WARP * SQUARE)] : 0;
            }
            take_cells(cell + warp * (CHANNELS_NEAR * EACH_CELL), spots + warp * CHANNELS_NEAR,
                       back + image * (CO * PH * PW), from + image * (CO * PH * PW), image < images,
                       first, row, x);
            BARRIER();
            UNROLL_BY(1) for (int o = 0; o < CHANNELS_NEAR; o++) {
                add_channel(sum, near + (o * WARP + lane) * SQUARE,
                            cell + (warp * CHANNELS_NEAR + o) * EACH_CELL,
                            spots[warp * CHANNELS_NEAR + o]);
            }
        }
        UNROLL for (int side = 0; side < 2; side++) {
            BARRIER();
            UNROLL for (int i = 0; i < 2 * ACROSS; i++) {
                near[(warp * WARP + lane) * OUT_OF_STRIP + i] = sum[side][i];
            }
            BARRIER();
            if (image < images && row >= y && 2 * row + side < H) {
                put_row(near + warp * (WARP * OUT_OF_STRIP), to, in,
                        ((image * CI + tile) * H + 2 * row + side) * W + 2 * x, W - 2 * x);
            }
        }
    }
}

#define WIDE (2 * PW + 2)    /* of the inputs that cells reach */
#define PLANE (4 * WIDE | 1) /* odd, so that channels meet different banks */
#define OF_WARP 8            /* output channels */
#define OF_GROUP (OF_WARP * WARPS)
#define CELL_APART (OF_GROUP + 4)
#define OUT_OF_WARPS (WARPS * WARP * SQUARE)

/* One cell's inputs by the gradient of a channel. */
#define ADD_TO_WEIGHTS(dy, dx)                                                                     \
    UNROLL for (int k = 0; k < SQUARE; k++) {                                                      \
        sum[o][k] = FMA(g[o], value[(dy) + k / K][(dx) + k % K], sum[o][k]);                       \
    }

/* The four rows of inputs that a row of cells reaches. */
DEVICE void take_inputs(LOCAL float *near, GLOBAL const float *in) {
    for (int i = (int)LANE(0); i < WARP * 4 * WIDE; i += LANES_OF_POOLED) {
        const int channel = i / (4 * WIDE);
        const int spot = i % (4 * WIDE);
        near[channel * PLANE + spot] = in[(channel * H + spot / WIDE) * W + spot % WIDE];
    }
}

/* A row of cells by a group's output channels: gradients by cell, and spots by warp. */
DEVICE void take_row(LOCAL float *cell, LOCAL unsigned int *spots, GLOBAL const float *back,
                     GLOBAL const unsigned char *from, int first) {
    for (int i = (int)LANE(0); i < OF_GROUP * PW; i += LANES_OF_POOLED) {
        cell[i % PW * CELL_APART + i / PW] =
            first + i / PW < CO ? back[i / PW * (PH * PW) + i % PW] * DROP_SCALE : 0;
    }
    for (int j = (int)LANE(0); j < PW * WARPS; j += LANES_OF_POOLED) {
        unsigned int packed = 0;
        PACK(packed, OF_WARP, first + j / PW * OF_WARP + i < CO,
             (j / PW * OF_WARP + i) * (PH * PW) + j % PW)
        spots[j] = packed;
    }
}

/* A cell by a warp's output channels and the 4 x 4 inputs of a lane's channel. */
DEVICE void add_cell(float sum[OF_WARP][SQUARE], LOCAL const float *near, LOCAL const float *cell,
                     unsigned int packed) {
    float value[4][4];
    float g[OF_WARP];
    UNROLL for (int s = 0; s < 16; s++) {
        value[s / 4][s % 4] = near[s / 4 * WIDE + s % 4];
    }
    UNROLL for (int o = 0; o < OF_WARP; o++) {
        g[o] = cell[o];
    }
    UNROLL for (int o = 0; o < OF_WARP; o++) {
        AT_SPOT(packed, 4 * o, ADD_TO_WEIGHTS)
    }
}

/* Gradients by weights and biases, summed over some rows of cells. A group: 64 output channels, 32 input channels; a
 * warp: 8 of the former. A row's inputs are near. `parts` has a chunk's weights and then its biases, chunk after
 * chunk. */
KERNEL LANES_MOST_OF(LANES_OF_POOLED, 2)
    k_conv_slopes(GLOBAL const float *in, GLOBAL const float *back,
                  GLOBAL const unsigned char *from, GLOBAL float *parts, LONG images,
                  LONG rows_of_chunk) {
    SHARED float near[WARP * PLANE > OUT_OF_WARPS ? WARP * PLANE
                                                  : OUT_OF_WARPS]; /* inputs, then what goes out */
    SHARED FLOAT4 cells[PW * CELL_APART / 4];
    SHARED unsigned int spots[PW * WARPS];
    LOCAL float *cell = (LOCAL float *)cells;
    const int warp = (int)LANE(0) / WARP;
    const int lane = (int)LANE(0) % WARP;
    const int tile = (int)(GROUP(0) % (CI / WARP)) * WARP;
    const int first = (int)(GROUP(0) / (CI / WARP) % ((CO + OF_GROUP - 1) / OF_GROUP)) * OF_GROUP;
    const LONG chunk = GROUP(0) / (CI / WARP * ((CO + OF_GROUP - 1) / OF_GROUP));
    const LONG begin = chunk * rows_of_chunk;
    const LONG end = begin + rows_of_chunk < images * PH ? begin + rows_of_chunk : images * PH;
    float bias = 0; /* of the output channel with the lane's number in the group */
    float sum[OF_WARP][SQUARE];
    UNROLL for (int o = 0; o < OF_WARP; o++) {
        UNROLL for (int k = 0; k < SQUARE; k++) {
            sum[o][k] = 0;
        }
    }
    UNROLL_BY(1) for (LONG at = begin; at < end; at++) {
        const int row = (int)(at % PH);
        const LONG image = at / PH;
        const LONG leaves = (image * CO + first) * (PH * PW) + row * PW;
        BARRIER();
        take_inputs(near, in + ((image * CI + tile) * H + 2 * row) * W);
        take_row(cell, spots, back + leaves, from + leaves, first);
        BARRIER();
        UNROLL_BY(1) for (int i = 0; i < PW; i++) {
            add_cell(sum, near + lane * PLANE + 2 * i, cell + i * CELL_APART + warp * OF_WARP,
                     spots[warp * PW + i]);
        }
        if (LANE(0) < OF_GROUP) {
            UNROLL_BY(1) for (int i = 0; i < PW; i++) {
                const unsigned int packed = spots[(int)LANE(0) / OF_WARP * PW + i];
                bias += (packed >> (4 * ((int)LANE(0) % OF_WARP)) & 4u) == 0
                            ? cell[i * CELL_APART + (int)LANE(0)]
                            : 0;
            }
        }
    }
    GLOBAL float *part = parts + chunk * (CO * CI * SQUARE + CO);
    UNROLL for (int o = 0; o < OF_WARP; o++) {
        const int output = first + warp * OF_WARP + o;
        BARRIER();
        UNROLL for (int k = 0; k < SQUARE; k++) {
            near[(warp * WARP + lane) * SQUARE + k] = sum[o][k];
        }
        BARRIER();
        for (int i = lane; i < WARP * SQUARE && output < CO; i += WARP) {
            part[(output * CI + tile) * SQUARE + i] = near[warp * (WARP * SQUARE) + i];
        }
    }
    if (tile == 0 && LANE(0) < OF_GROUP && first + LANE(0) < CO) {
        part[CO * CI * SQUARE + first + LANE(0)] = bias;
    }
}
