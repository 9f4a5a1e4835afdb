/*
 * One system A x = b in float64 without exchanges of rows between blocks. Rows and columns are mixed by
 * random butterflies, W = U' S A V, after which no block on the diagonal is likely to be singular
 * (Parker 1995; Baboulin, Dongarra, Herrmann and Tomov 2013); S makes all rows about as long. W = L D:
 * L of blocks with 1 on the diagonal, D those right of it and on it (Demmel, Higham and Schreiber 1995:
 * block LU). Blocks of BLOCK rows; what is solved so is corrected until it is as good as with exchanges.
 *
 * Defined before this source, behind solve_refine.cl: ORDER; PADDED, the next multiple of BLOCK, W's
 * order: what is more than A's is 1 on the diagonal; STRIDE, from one row of W to the next.
 */
#include "kernels/dialect.h"
#include "kernels/random.h"
#include "pivot.h"
#include "refine.h"

#define BLOCK 128
#define QUARTER ((ORDER + 3) / 4) /* rows that are mixed with one another are so far apart */
#define MIXED (4 * QUARTER)

/* Rows of about the same length; a row without any number stays. */
KERNEL k_fly_scale(GLOBAL const REAL *squares, GLOBAL REAL *scale) {
    const int i = (int)(GROUP(0) * LANES(0) + LANE(0));
    if (i < MIXED) {
        const REAL square = i < ORDER ? squares[i] / ORDER : 1;
        const int usual = square > 0 && square - square == 0; /* and not infinite */
        scale[i] = usual ? ldexp((REAL)1, -(ilogb(square) / 2)) : 1;
    }
}

/* The numbers on a butterfly's diagonal: side 0 is U, 1 is V; level 0 mixes halves, 1 quarters. */
DEVICE REAL be_fly(int side, int level, int i) {
    return 1 + (REAL)be_random((unsigned int)((side * 2 + level) * 65536 + i), 16) / 16;
}

/* As both levels have it, for what is mixed with number i of a quarter. */
DEVICE void be_flies(int side, int i, REAL *outer, REAL *inner) {
    UNROLL for (int q = 0; q < 4; q++) {
        outer[q] = be_fly(side, 0, i + q * QUARTER) / 2; /* both levels' square roots of 1/2 */
        inner[q] = be_fly(side, 1, i + q * QUARTER);
    }
}

/* Four numbers by the transpose of a butterfly, and by the butterfly. */
DEVICE void be_mix_by(const REAL *outer, const REAL *inner, REAL *v) {
    const REAL a = inner[0] * (v[0] + v[1]);
    const REAL b = inner[1] * (v[0] - v[1]);
    const REAL c = inner[2] * (v[2] + v[3]);
    const REAL d = inner[3] * (v[2] - v[3]);
    v[0] = outer[0] * (a + c);
    v[1] = outer[1] * (b + d);
    v[2] = outer[2] * (a - c);
    v[3] = outer[3] * (b - d);
}

DEVICE void be_unmix_by(const REAL *outer, const REAL *inner, REAL *v) {
    const REAL a = inner[0] * (outer[0] * v[0] + outer[2] * v[2]);
    const REAL b = inner[1] * (outer[1] * v[1] + outer[3] * v[3]);
    const REAL c = inner[2] * (outer[0] * v[0] - outer[2] * v[2]);
    const REAL d = inner[3] * (outer[1] * v[1] - outer[3] * v[3]);
    v[0] = a + b;
    v[1] = a - b;
    v[2] = c + d;
    v[3] = c - d;
}

/* W of a system: lanes (row, column) of a quarter, `across` groups each row. */
KERNEL k_fly_mix(GLOBAL const REAL *a, GLOBAL const REAL *scale, GLOBAL REAL *w, LONG system,
                 int across) {
    const int i = (int)(GROUP(0) / across);
    const int j = (int)(GROUP(0) % across * LANES(0) + LANE(0));
    REAL v[4][4]; /* by column, then by row */
    REAL outer[4], inner[4];
    if (j >= QUARTER)
        return;
    a += system * ((LONG)ORDER * ORDER);
    UNROLL for (int p = 0; p < 4; p++) {
        const int row = i + p * QUARTER;
        UNROLL for (int q = 0; q < 4; q++) {
            const int column = j + q * QUARTER;
            v[q][p] = row < ORDER && column < ORDER ? a[(LONG)row * ORDER + column] * scale[row]
                      : row == column               ? 1
                                                    : 0;
        }
    }
    be_flies(0, i, outer, inner);
    UNROLL for (int q = 0; q < 4; q++) {
        be_mix_by(outer, inner, v[q]);
    }
    be_flies(1, j, outer, inner);
    UNROLL for (int p = 0; p < 4; p++) {
        REAL row[4];
        UNROLL for (int q = 0; q < 4; q++) {
            row[q] = v[q][p];
        }
        be_mix_by(outer, inner, row);
        UNROLL for (int q = 0; q < 4; q++) {
            w[(LONG)(i + p * QUARTER) * STRIDE + j + q * QUARTER] = row[q];
        }
    }
}

/* The part of W beyond the rows and columns that are mixed, a lane a row. */
KERNEL k_fly_edge(GLOBAL REAL *w) {
    const int i = (int)(GROUP(0) * LANES(0) + LANE(0));
    if (i >= PADDED)
        return;
    for (int j = MIXED; j < PADDED; j++) {
        w[(LONG)i * STRIDE + j] = i == j ? 1 : 0;
        w[(LONG)j * STRIDE + i] = i == j ? 1 : 0;
    }
}

/* ---- factors -------------------------------------------------------------------------------- */

#define INVERT_LANES 512 /* of which each has, of a block, */
#define ROWS_EACH 4      /* rows, 32 apart, and */
#define COLUMNS_EACH 8   /* columns, side by side */

#if defined(__CUDACC__)
/* A step's message to all lanes: a column, the pivot's row, its number and its reciprocal. Two in turn: one may still
 * be read in the next step. */
struct step {
    REAL column[BLOCK], row[BLOCK], over;
    int pivot;
};

/* 1 / x; of 0 it is 1. Division is a call, for which all others would wait. */
DEVICE REAL be_over(REAL x) {
    REAL over;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(over) : "d"(x)); /* 20 bits or more */
    over = REAL_FMA(over, REAL_FMA(-x, over, 1), over);
    over = REAL_FMA(over, REAL_FMA(-x, over, 1), over);
    return x == 0 ? 1 : over;
}

/* By the warp that has the column v: its pivot, nearly the largest of the rows not used up. A number's
 * upper half, the last bits of which tell its row, is enough to find it. */
DEVICE void be_fly_pivot(REAL *v, int used, struct step *to) {
    const int r = threadIdx.x % 32;
    unsigned int most = 0;
    REAL top = 1;
    UNROLL for (int p = 0; p < ROWS_EACH; p++) {
        const unsigned int size = __double2hiint(v[p]) & 0x7fffff80;
        const unsigned int key = used >> p & 1 ? 0 : (size | (unsigned int)(r + p * 32)) + BLOCK;
        top = key > most ? v[p] : top;
        most = key > most ? key : most;
        to->column[r + p * 32] = v[p];
        v[p] = 0;
    }
    const REAL over = be_over(top); /* each lane its own, meanwhile */
    const int pivot = be_most(0xffffffff, most) % BLOCK;
    if (r == pivot % 32) {
        to->pivot = pivot;
        to->over = over;
    }
}

/* A step of k_fly_invert for column `step` of those of warp `owner`; the next one is chosen as soon as
 * it can be. */
DEVICE void be_fly_step(REAL (*t)[ROWS_EACH], int *used, int owner, int step, struct step *now,
                        struct step *next, int *order, int *where) {
    const int r = threadIdx.x % 32;
    const int c = threadIdx.x / 32;
    const int early = (step + 1) % COLUMNS_EACH;
    REAL by[ROWS_EACH];
    BARRIER();
    const int pivot = now->pivot;
    const REAL over = now->over;
    if (r == pivot % 32) {
        const int bit = 1 << pivot / 32; /* `p == pivot / 32` would make compilers index t by it */
        *used |= bit;
        if (c == owner) {
            order[owner * COLUMNS_EACH + step] = pivot;
            where[pivot] = owner * COLUMNS_EACH + step;
        }
        UNROLL for (int p = 0; p < ROWS_EACH; p++) {
            if (bit >> p & 1) {
                UNROLL for (int q = 0; q < COLUMNS_EACH; q++) {
                    const REAL one = q == step && c == owner ? 1 : t[q][p];
                    now->row[c * COLUMNS_EACH + q] = one;
                    t[q][p] = one * over;
                }
            }
        }
    }
    BARRIER();
    UNROLL for (int p = 0; p < ROWS_EACH; p++) {
        by[p] = r + p * 32 == pivot ? 0 : -now->column[r + p * 32] * over;
    }
    UNROLL for (int e = 0; e < COLUMNS_EACH; e++) {
        const int q = (early + e) % COLUMNS_EACH;
        const REAL one = now->row[c * COLUMNS_EACH + q];
        UNROLL for (int p = 0; p < ROWS_EACH; p++) {
            t[q][p] = REAL_FMA(by[p], one, t[q][p]);
        }
        if (e == 0 && c == owner + (early == 0))
            be_fly_pivot(t[q], *used, next);
    }
}

/*
 * One group of INVERT_LANES lanes: the inverse of the block on the diagonal from k0 on, by Gauss and
 * Jordan with exchanges of rows inside the block, as 128 x 128. A lane has ROWS_EACH x COLUMNS_EACH
 * numbers in registers, lanes of a warp the same columns. Nothing is moved: the pivot's row is told by
 * its number, and at the end all go where they belong. A pivot that is 0 counts as 1: what comes of it
 * will not be found good.
 */
KERNEL LANES_MOST(INVERT_LANES)
k_fly_invert(GLOBAL const REAL *w, GLOBAL REAL *inverse, int k0) {
    SHARED struct step steps[2];
    SHARED int order[BLOCK]; /* the pivots' rows */
    SHARED int where[BLOCK]; /* and when a row was one */
    const int r = threadIdx.x % 32;
    const int c = threadIdx.x / 32;
    REAL t[COLUMNS_EACH][ROWS_EACH];
    int used = 0;
    w += (LONG)k0 * STRIDE + k0;
    UNROLL for (int p = 0; p < ROWS_EACH; p++) {
        UNROLL for (int q = 0; q < COLUMNS_EACH; q += 2) {
            const PAIR two = *(const PAIR *)(w + (LONG)(r + p * 32) * STRIDE + c * COLUMNS_EACH + q);
            t[q][p] = two.x;
            t[q + 1][p] = two.y;
        }
    }
    if (c == 0)
        be_fly_pivot(t[0], used, &steps[0]);
/* Each with a number of its own, so that t stays in registers. */
#define STEP(s) be_fly_step(t, &used, owner, s, &steps[s % 2], &steps[1 - s % 2], order, where)
    for (int owner = 0; owner < BLOCK / COLUMNS_EACH; owner++) {
        STEP(0), STEP(1), STEP(2), STEP(3), STEP(4), STEP(5), STEP(6), STEP(7);
    }
    inverse += (LONG)k0 * BLOCK;
    UNROLL for (int p = 0; p < ROWS_EACH; p++) {
        UNROLL for (int q = 0; q < COLUMNS_EACH; q++) {
            inverse[where[r + p * 32] * BLOCK + order[c * COLUMNS_EACH + q]] = t[q][p];
        }
    }
}
#else
/* Likewise, in memory, each lane some numbers of every row; rows are exchanged, and the columns of the
 * inverse at the end. */
KERNEL k_fly_invert(GLOBAL const REAL *w, GLOBAL REAL *inverse, int k0) {
    SHARED REAL column[BLOCK];
    SHARED int pivots[BLOCK];
    const int lane = (int)LANE(0);
    inverse += (LONG)k0 * BLOCK;
    for (int e = lane; e < BLOCK * BLOCK; e += INVERT_LANES) {
        inverse[e] = w[(LONG)(k0 + e / BLOCK) * STRIDE + k0 + e % BLOCK];
    }
    GLOBAL_BARRIER();
    for (int k = 0; k < BLOCK; k++) {
        if (lane < BLOCK)
            column[lane] = inverse[lane * BLOCK + k];
        GLOBAL_BARRIER();
        int pivot = k; /* each lane looks for itself */
        for (int i = k + 1; i < BLOCK; i++) {
            if (be_is_more(FABS(column[i]), FABS(column[pivot])))
                pivot = i;
        }
        const REAL top = column[pivot];
        const REAL over = 1 / (top == 0 ? 1 : top);
        if (lane < BLOCK) {
            const REAL one = lane == k ? over : inverse[pivot * BLOCK + lane] * over;
            inverse[pivot * BLOCK + lane] = lane == k ? 0 : inverse[k * BLOCK + lane];
            inverse[k * BLOCK + lane] = one;
        }
        if (lane == k)
            pivots[k] = pivot;
        GLOBAL_BARRIER();
        for (int e = lane; e < BLOCK * BLOCK; e += INVERT_LANES) {
            const int i = e / BLOCK;
            const REAL by = column[i == pivot ? k : i];
            const REAL old = e % BLOCK == k ? 0 : inverse[e];
            if (i != k)
                inverse[e] = REAL_FMA(-by, inverse[k * BLOCK + e % BLOCK], old);
        }
        GLOBAL_BARRIER();
    }
    if (lane < BLOCK) { /* a row each */
        inverse += lane * BLOCK;
        for (int k = BLOCK - 1; k >= 0; k--) {
            const REAL kept = inverse[k];
            inverse[k] = inverse[pivots[k]];
            inverse[pivots[k]] = kept;
        }
    }
}
#endif

/* The columns of a block, from row `from` on, in rows of BLOCK. Two numbers a lane. */
KERNEL k_fly_copy(GLOBAL const REAL *w, GLOBAL REAL *to, int from, int k0) {
    const int e = (int)(GROUP(0) * LANES(0) + LANE(0));
    const int i = from + e / (BLOCK / 2);
    const int j = e % (BLOCK / 2) * 2;
    if (i < PADDED) {
        w += (LONG)i * STRIDE + k0 + j;
        to += (LONG)(i - from) * BLOCK + j;
        to[0] = w[0];
        to[1] = w[1];
    }
}

#define TILE 64      /* of C, for a group of 256 lanes, 4 x 4 of it each */
#define TILE_DEPTH 16

/* C = A B, or C - A B where `less`; m, n and k are multiples of BLOCK. Where no library has products.
 * The matrices begin at numbers a_at, b_at and c_at of one buffer. */
KERNEL LANES_MOST(256)
k_fly_product(GLOBAL REAL *room, LONG a_at, int stride_a, LONG b_at, int stride_b, LONG c_at,
              int stride_c, int n, int k, int less) {
    GLOBAL const REAL *a = room + a_at;
    GLOBAL const REAL *b = room + b_at;
    GLOBAL REAL *c = room + c_at;
    SHARED REAL left[TILE_DEPTH * (TILE + 1)]; /* turned */
    SHARED REAL right[TILE_DEPTH * TILE];
    const int i0 = (int)GROUP(0) / (n / TILE) * TILE;
    const int j0 = (int)GROUP(0) % (n / TILE) * TILE;
    const int lane = (int)LANE(0);
    REAL sum[4][4] = {{0}};
    for (int p = 0; p < k; p += TILE_DEPTH) {
        for (int e = lane; e < TILE * TILE_DEPTH; e += 256) {
            left[e % TILE_DEPTH * (TILE + 1) + e / TILE_DEPTH] =
                a[(LONG)(i0 + e / TILE_DEPTH) * stride_a + p + e % TILE_DEPTH];
            right[e] = b[(LONG)(p + e / TILE) * stride_b + j0 + e % TILE];
        }
        BARRIER();
        for (int q = 0; q < TILE_DEPTH; q++) {
            UNROLL for (int x = 0; x < 4; x++) {
                const REAL one = left[q * (TILE + 1) + lane / 16 + 16 * x];
                UNROLL for (int y = 0; y < 4; y++) {
                    sum[x][y] = REAL_FMA(one, right[q * TILE + lane % 16 + 16 * y], sum[x][y]);
                }
            }
        }
        BARRIER();
    }
    UNROLL for (int x = 0; x < 4; x++) {
        GLOBAL REAL *to = c + (LONG)(i0 + lane / 16 + 16 * x) * stride_c + j0 + lane % 16;
        UNROLL for (int y = 0; y < 4; y++) {
            to[16 * y] = less ? to[16 * y] - sum[x][y] : sum[x][y];
        }
    }
}

/* ---- a right side --------------------------------------------------------------------------- */

/* y = U' S step. A lane a quarter's row; those behind the mixed ones get 0. */
KERNEL k_fly_right(GLOBAL const TO *step, GLOBAL const REAL *scale, GLOBAL const int *done,
                   GLOBAL REAL *y) {
    const int i = (int)(GROUP(0) * LANES(0) + LANE(0));
    REAL v[4], outer[4], inner[4];
    if (*done != 0)
        return;
    if (i < QUARTER) {
        UNROLL for (int q = 0; q < 4; q++) {
            const int row = i + q * QUARTER;
            v[q] = row < ORDER ? step[row] * scale[row] : 0;
        }
        be_flies(0, i, outer, inner);
        be_mix_by(outer, inner, v);
        UNROLL for (int q = 0; q < 4; q++) {
            y[i + q * QUARTER] = v[q];
        }
    }
    if (i >= MIXED && i < PADDED)
        y[i] = 0;
}

/* The product of a row of BLOCK numbers and a vector, in its first lane; groups have 256 lanes, each 32
 * of them a row. */
DEVICE REAL be_row_product(GLOBAL const REAL *row, GLOBAL const REAL *x, LOCAL REAL *sum) {
    const int lane = (int)LANE(0) % 32;
    REAL part = 0;
    UNROLL for (int h = 0; h < BLOCK / 32; h++) {
        part = REAL_FMA(row[lane + 32 * h], x[lane + 32 * h], part);
    }
#if defined(__CUDACC__)
    for (int far = 16; far > 0; far /= 2) {
        part += __shfl_xor_sync(0xffffffff, part, far);
    }
    return part;
#else
    sum[LANE(0)] = part;
    for (int far = 16; far > 0; far /= 2) {
        BARRIER();
        if (lane < far)
            sum[LANE(0)] += sum[LANE(0) + far];
    }
    return sum[LANE(0)];
#endif
}

#if defined(__CUDACC__)
#define ROW_SUMS(name) REAL *const name = 0
#else
#define ROW_SUMS(name) SHARED REAL name[256]
#endif

/* Eight rows a group, from `first` on: y less the product of W's columns from k0 on and x's rows. */
KERNEL LANES_MOST(256)
k_fly_less(GLOBAL const REAL *w, GLOBAL const REAL *x, GLOBAL const int *done, GLOBAL REAL *y, int k0,
           int first) {
    ROW_SUMS(sum);
    const int i = first + (int)GROUP(0) * 8 + (int)LANE(0) / 32;
    if (*done != 0)
        return;
    const REAL product = be_row_product(w + (LONG)i * STRIDE + k0, x + k0, sum);
    if (LANE(0) % 32 == 0)
        y[i] -= product;
}

/* Likewise z = the inverse of a block, times y. */
KERNEL LANES_MOST(256)
k_fly_found(GLOBAL const REAL *inverse, GLOBAL const REAL *y, GLOBAL const int *done, GLOBAL REAL *z,
            int k0) {
    ROW_SUMS(sum);
    const int i = k0 + (int)GROUP(0) * 8 + (int)LANE(0) / 32;
    if (*done != 0)
        return;
    const REAL product = be_row_product(inverse + (LONG)i * BLOCK, y + k0, sum);
    if (LANE(0) % 32 == 0)
        z[i] = product;
}

/* x += V z. */
KERNEL k_fly_correct(GLOBAL const REAL *z, GLOBAL const int *done, GLOBAL REAL *x, LONG system) {
    const int i = (int)(GROUP(0) * LANES(0) + LANE(0));
    REAL v[4], outer[4], inner[4];
    if (*done != 0 || i >= QUARTER)
        return;
    UNROLL for (int q = 0; q < 4; q++) {
        v[q] = z[i + q * QUARTER];
    }
    be_flies(1, i, outer, inner);
    be_unmix_by(outer, inner, v);
    UNROLL for (int q = 0; q < 4; q++) {
        if (i + q * QUARTER < ORDER)
            x[system * ORDER + i + q * QUARTER] += v[q];
    }
}

/* The sum over a group of 256 lanes. */
DEVICE REAL be_sum_of(LOCAL REAL *sum, REAL value) {
    BARRIER(); /* of the sum before */
    be_add_up(sum, value);
    return sum[0];
}

/*
 * One group of 256 lanes: is |r| <= enough (|A| |x| + |b|), and was the last step short beside x? The
 * solution of a singular system is as wrong by the second step as by the first, and still so long that
 * r is small beside it. V keeps lengths, nearly.
 */
KERNEL LANES_MOST(256)
k_fly_judge(GLOBAL const REAL *b, GLOBAL const REAL *x, GLOBAL const REAL *r,
            GLOBAL const REAL *squares, GLOBAL const REAL *z, GLOBAL int *done, LONG system,
            REAL enough) {
    SHARED REAL sum[256];
    REAL rest = 0;
    REAL right = 0;
    REAL answer = 0;
    REAL step = 0;
    REAL matrix = 0;
    b += system * ORDER;
    x += system * ORDER;
    for (int i = (int)LANE(0); i < ORDER; i += 256) {
        rest = REAL_FMA(r[i], r[i], rest);
        right = REAL_FMA(b[i], b[i], right);
        answer = REAL_FMA(x[i], x[i], answer);
        step = REAL_FMA(z[i], z[i], step);
        matrix += squares[i];
    }
    rest = be_sum_of(sum, rest);
    right = be_sum_of(sum, right);
    answer = be_sum_of(sum, answer);
    step = be_sum_of(sum, step);
    matrix = be_sum_of(sum, matrix);
    if (LANE(0) == 0 && sqrt(rest) <= enough * (sqrt(matrix) * sqrt(answer) + sqrt(right)) &&
        sqrt(step) <= sqrt(answer) / 4)
        *done = 1;
}

/* `vague` where it did not end, and x is not a number then. */
KERNEL k_fly_end(GLOBAL const int *done, GLOBAL REAL *x, GLOBAL int *info, LONG system, int vague) {
    const LONG i = GROUP(0) * LANES(0) + LANE(0);
    if (i < ORDER && *done == 0)
        x[system * ORDER + i] = REAL_NAN;
    if (i == 0)
        info[system] = *done != 0 ? 0 : vague;
}
