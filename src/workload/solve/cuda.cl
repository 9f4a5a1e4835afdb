/*
 * CUDA: many systems A x = b of order at most 128, LU with partial pivoting. Up to 32 the whole of a
 * system's rows is in registers, above that the columns of a panel are.
 *
 * As in small.cl rows are never swapped, and a lane's registers move down as columns are done
 * with. A pivot may be smaller than the largest number of its column by a factor that shows in the
 * last bits of a float: the search looks at a number's upper bits and its row in one integer.
 *
 * Defined before this source: ORDER; SPAN, the lanes of a system in k_solve_rows, a power of two
 * from ORDER up; GROUP_LANES of a group there; in k_solve_block ROWS, a multiple of 32 from ORDER
 * up.
 */
#include "kernels/dialect.h"
#include "pivot.h"

#if defined(__OPENCL_VERSION__)
#error For CUDA alone: written in instructions of its GPUs, where OpenCL takes small.cl
#endif
#if defined(BE_REAL64)
#define UPPER_BITS(v) ((unsigned int)__double2hiint(v) & 0x7fffffff)
#define LEAST 0x00800000u /* 2^-1015 */
#define MOST 0x7f600000u  /* 2^1015 */
#else
#define UPPER_BITS(v) (__float_as_uint(v) & 0x7fffffff)
#define LEAST 0x02000000u /* 2^-123 */
#define MOST 0x7d000000u  /* 2^123 */
#endif

/* 1 / x to the last bit or two, of numbers that are neither tiny nor huge. */
DEVICE REAL be_inverse(REAL x) {
    REAL r;
#if defined(BE_REAL64)
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x)); /* 20 bits, and three times as many: */
    REAL e = fma(-x, r, 1.0);
    return fma(r, fma(e, e, e), r);
#else
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return fma(r, fma(-x, r, 1.0f), r);
#endif
}

/* be_inverse(x) is what it says. */
DEVICE int be_is_usual(REAL x) {
    return UPPER_BITS(x) - LEAST < MOST - LEAST;
}

/* numerator / pivot, given be_inverse of it. */
DEVICE REAL be_over(REAL numerator, REAL pivot, REAL inverse) {
    REAL quotient = numerator * inverse;
    if (!be_is_usual(pivot))
        quotient = numerator / pivot;
    return quotient;
}

/* The lane of `mask` with about the largest column, of those that are free; where all columns are
 * tiny, exactly. */
DEVICE int be_about_largest(unsigned int mask, REAL column, int free) {
    const unsigned int lanes = 32;
    const unsigned int lane = threadIdx.x & (lanes - 1);
    const unsigned int key = free ? (UPPER_BITS(column) & ~(lanes - 1)) | lane : 0;
    unsigned int most = be_most(mask, key);
    return most < lanes ? be_pivot_lane(mask, column, free, &most) : (int)(most & (lanes - 1));
}

#if defined(SPAN)

#include "warp_rows.h"

/* Groups of GROUP_LANES lanes; each warp has WARP_SYSTEMS systems for itself, a lane a row. */
KERNEL __launch_bounds__(GROUP_LANES, 512 / GROUP_LANES) /* 128 registers */
k_solve_rows(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *x, GLOBAL int *info,
             LONG first, LONG n) {
    SHARED REAL tiles[WARPS * WARP_SYSTEMS * TILE];
    SHARED PAIR tops[WARPS * WARP_SYSTEMS * 2 * TOP];
    const int warp = threadIdx.x / 32;
    const int slot = (threadIdx.x & 31) / SPAN;
    const int row = threadIdx.x % SPAN;
    const unsigned int mask = (unsigned int)((1ull << SPAN) - 1) << (slot * SPAN);
    const LONG start = (GROUP(0) * WARPS + warp) * WARP_SYSTEMS;
    if (start >= n)
        return;
    const int left = n - start < WARP_SYSTEMS ? (int)(n - start) : WARP_SYSTEMS;
    const int valid = slot < left && row < ORDER;
    const LONG system = first + start + slot;
    REAL *tile = tiles + warp * WARP_SYSTEMS * TILE;
    be_load_tiles(a + (first + start) * (ORDER * ORDER), tile, left * ORDER * ORDER);
    tile += slot * TILE;
    __syncwarp();
    REAL v[ORDER + 1];
    be_rows_take(v, tile + row * STRIDE, valid);
    REAL right = valid ? b[system * ORDER + row] : 0;
    REAL own = 1, scale = 1; /* the pivot of this row, and one over it */
    int used = !(row < ORDER);
    int mine = ORDER; /* the step that used this row up */
    int where = 0;    /* the row that step `row` used up */
    int bad = 0;
    __syncwarp(); /* U now takes the place of A: column j from j STRIDE on, rows as they are */
#pragma unroll
    for (int phase = 0; phase < (ORDER + PHASE - 1) / PHASE; phase++) {
        const int wide = ORDER - phase * PHASE;
        const int steps = wide < PHASE ? wide : PHASE;
#pragma unroll 1
        for (int step = 0; step < steps; step++) {
            const int k = phase * PHASE + step;
            PAIR *top = tops + ((warp * WARP_SYSTEMS + slot) * 2 + (k & 1)) * TOP;
            if (row < ORDER)
                tile[k * STRIDE + row] = v[0];
            const REAL inverse = be_inverse(v[0]); /* in case: there is time until the search is done */
            const int p = be_about_largest(mask, v[0], !used) - slot * SPAN;
            where = row == k ? p : where;
            if (row == p) {
                used = 1;
                mine = k;
                own = v[0];
                scale = inverse;
                be_rows_share(top, v, inverse, right, wide);
            }
            __syncwarp();
            const PAIR head = top[0];
            const PAIR next = top[1];
            const REAL l = be_rows_factor(v[0], head, k, &bad);
            be_rows_subtract(top, next, v, &right, used ? 0 : l, wide);
        }
    }
    const REAL found = be_rows_back(tile, right, own, scale, row, mine, where);
    if (valid)
        x[system * ORDER + mine] = bad ? REAL_NAN : found;
    if (valid && row == 0)
        info[system] = bad;
}

#else

#define DEEP 32 /* columns of a panel */
#define CHUNK (ROWS > 64 ? 48 : 32) /* columns right of it at a time */
#define L_STRIDE (ROWS + 4)         /* four rows of each begin in different banks */
#define U_STRIDE (CHUNK + 4)
#define PHASE 8 /* steps after which the registers that are done with are left out */
#define TEAMS (ROWS / 32)
#define TOP (DEEP / 2 + 1) /* pairs: pivot and its inverse, right side and column 1, 2 and 3 ... */

struct be_block {
    REAL l[DEEP * L_STRIDE]; /* multipliers of a panel: step, row */
    union {
        REAL u[DEEP * U_STRIDE];   /* the pivots' rows right of the panel: step, column */
        PAIR top[2 * TEAMS * TOP]; /* while it is factored: the best row of each 32 */
    };
    REAL size[2 * TEAMS];
    unsigned int key[2 * TEAMS]; /* a coarser size, and the lane */
    int pivot[DEEP];             /* row of each step */
    REAL found[2];
};

/* The numbers of a row that its lane knows. */
struct be_row {
    REAL right, own, scale;
    int used, mine, bad;
};

/* A system: its matrix as it came, and as it becomes, a column after another; `fresh`: only the
 * first is there yet. */
struct be_system {
    GLOBAL const REAL *a;
    GLOBAL REAL *w;
    int fresh;
};

DEVICE REAL be_entry(const struct be_system *m, int row, int column) {
    return column >= ORDER ? 0
           : !m->fresh     ? m->w[column * ROWS + row]
           : row < ORDER   ? m->a[row * ORDER + column]
                           : 0;
}

/* Which 32 rows have the pivot. */
DEVICE int be_best_team(const unsigned int *key, const REAL *size) {
    int team = 0;
    unsigned int most = key[0];
#pragma unroll
    for (int t = 1; t < TEAMS; t++) {
        team = key[t] > most ? t : team;
        most = key[t] > most ? key[t] : most;
    }
    if (most < 32) { /* all tiny, or used up: by their sizes */
        REAL largest = size[0];
        team = 0;
        for (int t = 1; t < TEAMS; t++) {
            const int better = be_is_more(size[t], largest);
            team = better ? t : team;
            largest = better ? size[t] : largest;
        }
    }
    return team;
}

/* A step of the panel: column k, the i-th of it, which is in v[0]; `wide` columns are left or fewer. */
DEVICE void be_panel_step(struct be_block *s, struct be_row *r, REAL *v, GLOBAL REAL *w, int k, int i,
                          const int wide) {
    const int row = threadIdx.x;
    const int odd = (k & 1) * TEAMS;
    const REAL inverse = be_inverse(v[0]); /* in case: there is time until the search is done */
    w[k * ROWS + row] = v[0];
    const int best = (row & 31) == be_about_largest(0xffffffff, v[0], !r->used);
    if (best) {
        PAIR *top = s->top + (odd + row / 32) * TOP;
        s->key[odd + row / 32] = r->used ? 0 : (UPPER_BITS(v[0]) & ~31u) | (row & 31);
        s->size[odd + row / 32] = r->used ? -1 : FABS(v[0]);
        top[0] = be_pair(v[0], inverse);
        top[1] = be_pair(r->right, v[1]);
#pragma unroll
        for (int j = 2; j < wide; j += 2) {
            top[j / 2 + 1] = be_pair(v[j], v[j + 1]);
        }
    }
    BARRIER();
    const int team = be_best_team(s->key + odd, s->size + odd);
    const PAIR *top = s->top + (odd + team) * TOP;
    const PAIR head = top[0];
    const PAIR next = top[1];
    r->bad = r->bad == 0 && head.x == 0 ? k + 1 : r->bad;
    if (best && row / 32 == team) {
        r->used = 1;
        r->mine = k;
        r->own = v[0];
        r->scale = inverse;
        s->pivot[i] = row;
    }
    const REAL l = r->used ? 0 : be_over(v[0], head.x, head.y);
    s->l[i * L_STRIDE + row] = l;
    r->right = REAL_FMA(-l, next.x, r->right);
    v[0] = REAL_FMA(-l, next.y, v[1]);
#pragma unroll
    for (int j = 2; j < wide; j += 2) {
        const PAIR two = top[j / 2 + 1];
        v[j - 1] = REAL_FMA(-l, two.x, v[j]);
        v[j] = REAL_FMA(-l, two.y, v[j + 1]);
    }
}

/* The columns from c0 on. */
DEVICE void be_factor_panel(struct be_block *s, struct be_row *r, const struct be_system *m, int c0) {
    const int depth = ORDER - c0 < DEEP ? ORDER - c0 : DEEP;
    REAL v[DEEP + 1];
#pragma unroll
    for (int j = 0; j < DEEP; j++) {
        v[j] = be_entry(m, threadIdx.x, c0 + j);
    }
    v[DEEP] = 0;
#pragma unroll
    for (int phase = 0; phase < DEEP; phase += PHASE) {
#pragma unroll 1
        for (int i = phase; i < phase + PHASE && i < depth; i++) {
            be_panel_step(s, r, v, m->w, c0 + i, i, DEEP - phase);
        }
    }
}

/* The pivots' rows as they are after the panel's steps, in columns from c on: a lane a column. */
DEVICE void be_finish_tops(struct be_block *s, const struct be_system *m, int c) {
    const int lane = threadIdx.x;
    if (lane < CHUNK && c + lane < ORDER) {
        REAL v[DEEP];
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
            v[i] = be_entry(m, s->pivot[i], c + lane);
        }
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
#pragma unroll
            for (int j = i + 1; j < DEEP; j++) {
                v[j] = REAL_FMA(-s->l[i * L_STRIDE + s->pivot[j]], v[i], v[j]);
            }
            s->u[i * U_STRIDE + lane] = v[i];
        }
    }
}

/* All rows in the columns from c on: less multipliers times pivots' rows. It makes the pivots' rows
 * what be_finish_tops found. */
#if defined(BE_REAL64) && __CUDA_ARCH__ >= 800
#define ACROSS 4 /* rows of a warp, eight at a time */

/* A lane has two rows of each eight, of a column. */
DEVICE void be_fetch(const struct be_system *m, int row, int column, PAIR *sum) {
#pragma unroll
    for (int n = 0; n < ACROSS; n++) {
        sum[n] = column >= ORDER ? be_pair(0, 0)
                 : m->fresh      ? be_pair(be_entry(m, row + 8 * n, column),
                                           be_entry(m, row + 8 * n + 1, column))
                                 : *(const PAIR *)(m->w + column * ROWS + row + 8 * n);
    }
}

DEVICE void be_update(struct be_block *s, const struct be_system *m, int c) {
    const int lane = threadIdx.x & 31;
    const int rows = threadIdx.x & ~31;
    REAL l[DEEP / 4][ACROSS];
    PAIR next[ACROSS];
#pragma unroll
    for (int k = 0; k < DEEP / 4; k++) {
#pragma unroll
        for (int n = 0; n < ACROSS; n++) {
            l[k][n] = -s->l[(4 * k + lane % 4) * L_STRIDE + rows + 8 * n + lane / 4];
        }
    }
    const int row = rows + 2 * (lane % 4);
    be_fetch(m, row, c + lane / 4, next);
#pragma unroll 1
    for (int e = 0; e < CHUNK && c + e < ORDER; e += 8) {
        PAIR sum[ACROSS];
        const int column = c + e + lane / 4;
#pragma unroll
        for (int n = 0; n < ACROSS; n++) {
            sum[n] = next[n];
        }
        if (e + 8 < CHUNK)
            be_fetch(m, row, column + 8, next);
#pragma unroll
        for (int k = 0; k < DEEP / 4; k++) {
            const REAL u = s->u[(4 * k + lane % 4) * U_STRIDE + e + lane / 4];
#pragma unroll
            for (int n = 0; n < ACROSS; n++) {
                asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                    : "+d"(sum[n].x), "+d"(sum[n].y)
                    : "d"(u), "d"(l[k][n]));
            }
        }
#pragma unroll
        for (int n = 0; n < ACROSS; n++) {
            if (column < ORDER)
                *(PAIR *)(m->w + column * ROWS + row + 8 * n) = sum[n];
        }
    }
}
#else
DEVICE void be_update(struct be_block *s, const struct be_system *m, int c) {
    const int row = threadIdx.x;
    REAL l[DEEP];
#pragma unroll
    for (int i = 0; i < DEEP; i++) {
        l[i] = -s->l[i * L_STRIDE + row];
    }
#pragma unroll 1
    for (int e = 0; e < CHUNK && c + e < ORDER; e += 4) {
        REAL sum[4];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            sum[j] = be_entry(m, row, c + e + j);
        }
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
#pragma unroll
            for (int j = 0; j < 4; j += 2) {
                const PAIR two = *(const PAIR *)(s->u + i * U_STRIDE + e + j);
                sum[j] = REAL_FMA(l[i], two.x, sum[j]);
                sum[j + 1] = REAL_FMA(l[i], two.y, sum[j + 1]);
            }
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            if (c + e + j < ORDER)
                m->w[(c + e + j) * ROWS + row] = sum[j];
        }
    }
}
#endif

/* Back from the last column to the first; U is taken from memory some columns ahead. */
DEVICE REAL be_block_back(struct be_block *s, struct be_row *r, GLOBAL const REAL *w) {
    enum { AHEAD = 8 };
    const int row = threadIdx.x;
    REAL next[AHEAD];
    REAL found = 0;
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
        const int j = ORDER - 1 - i;
        next[i] = j >= 0 ? w[j * ROWS + row] : 0;
    }
#pragma unroll 1
    for (int from = ORDER - 1; from >= 0; from -= AHEAD) {
        REAL now[AHEAD];
#pragma unroll
        for (int i = 0; i < AHEAD; i++) {
            const int j = from - AHEAD - i;
            now[i] = next[i];
            next[i] = j >= 0 ? w[j * ROWS + row] : 0;
        }
#pragma unroll
        for (int i = 0; i < AHEAD; i++) {
            const int j = from - i;
            if (j >= 0) {
                if (r->mine == j) {
                    found = be_over(r->right, r->own, r->scale);
                    s->found[j & 1] = found;
                }
                BARRIER();
                if (r->mine < j)
                    r->right = REAL_FMA(-now[i], s->found[j & 1], r->right);
            }
        }
    }
    return found;
}

/* Groups of ROWS lanes, a lane a row, a system each at a time; several of them share a multiprocessor,
 * so that some compute while others wait. scratch: ORDER ROWS numbers a group. */
KERNEL LANES_MOST_OF(ROWS, 512 / ROWS) /* 128 registers */
k_solve_block(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *x, GLOBAL int *info,
              GLOBAL REAL *scratch, LONG first, LONG n, LONG groups) {
    SHARED struct be_block s;
    const int lane = threadIdx.x;
    for (LONG at = first + GROUP(0); at < first + n; at += groups) {
        struct be_row r = {0, 1, 1, !(lane < ORDER), ORDER, 0};
        struct be_system m = {a + at * (ORDER * ORDER), scratch + GROUP(0) * (ORDER * ROWS), 1};
        r.right = lane < ORDER ? b[at * ORDER + lane] : 0;
#pragma unroll 1
        for (int c0 = 0; c0 < ORDER; c0 += DEEP) {
            be_factor_panel(&s, &r, &m, c0);
            BARRIER();
#pragma unroll 1
            for (int c = c0 + DEEP; c < ORDER; c += CHUNK) {
                be_finish_tops(&s, &m, c);
                BARRIER();
                be_update(&s, &m, c);
                BARRIER();
            }
            m.fresh = 0;
        }
        const REAL found = be_block_back(&s, &r, m.w);
        if (lane < ORDER)
            x[at * ORDER + r.mine] = r.bad ? REAL_NAN : found;
        if (lane == 0)
            info[at] = r.bad;
        BARRIER();
    }
}

#endif
