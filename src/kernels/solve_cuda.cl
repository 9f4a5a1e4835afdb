/*
 * CUDA: many systems A x = b of order at most 128, LU with partial pivoting, rows in registers.
 *
 * As in solve_small.cl rows are never swapped, and a lane's registers move down as columns are done
 * with. A pivot may be smaller than the largest number of its column by a factor that shows in the
 * last bits of a float: the search looks at a number's upper bits and its row in one integer.
 *
 * Defined before this source: ORDER; SPAN, the lanes of a system in k_solve_rows, a power of two
 * from ORDER up; GROUP_LANES of a group there; in k_solve_block ROWS, a multiple of 32 from ORDER
 * up, and PARTS, the lanes two rows are spread over.
 */
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

/* numerator / pivot, given be_inverse of it. Whether that holds is seen in the exponent. */
DEVICE REAL be_over(REAL numerator, REAL pivot, REAL inverse) {
    return UPPER_BITS(pivot) - LEAST < MOST - LEAST ? numerator * inverse : numerator / pivot;
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

#define STRIDE (ORDER | 1)
#define WARP_SYSTEMS (32 / SPAN)
#define WARPS (GROUP_LANES / 32)
#define TILE (ORDER * STRIDE)
#define TOP (ORDER / 2 + 2) /* pairs: pivot and its inverse, right side and column 1, 2 and 3 ... */
#define PHASE 4             /* steps after which the registers that are done with are left out */

/* Matrices of a warp, one after another, into its tiles. */
DEVICE void be_load_tiles(GLOBAL const REAL *from, REAL *tile, int count) {
    const int lane = threadIdx.x & 31;
#if ORDER % 2 == 0
    const PAIR *pairs = (const PAIR *)from;
#pragma unroll 8
    for (int e = lane; e < count / 2; e += 32) {
        const PAIR two = pairs[e];
        REAL *to = tile + 2 * e / ORDER * STRIDE + 2 * e % ORDER;
        to[0] = two.x;
        to[1] = two.y;
    }
#else
#pragma unroll 8
    for (int e = lane; e < count; e += 32) {
        tile[e / ORDER * STRIDE + e % ORDER] = from[e];
    }
#endif
}

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
#pragma unroll
    for (int j = 0; j < ORDER; j++) {
        v[j] = valid ? tile[row * STRIDE + j] : 0;
    }
    v[ORDER] = 0;
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
                top[0] = be_pair(v[0], inverse);
                top[1] = be_pair(right, v[1]);
#pragma unroll
                for (int j = 2; j < wide; j += 2) {
                    top[j / 2 + 1] = be_pair(v[j], v[j + 1]);
                }
            }
            __syncwarp();
            const PAIR head = top[0];
            const PAIR next = top[1];
            const REAL l = used ? 0 : be_over(v[0], head.x, head.y);
            bad = bad == 0 && head.x == 0 ? k + 1 : bad;
            right = REAL_FMA(-l, next.x, right);
            v[0] = REAL_FMA(-l, next.y, v[1]);
#pragma unroll
            for (int j = 2; j < wide; j += 2) {
                const PAIR two = top[j / 2 + 1];
                v[j - 1] = REAL_FMA(-l, two.x, v[j]);
                v[j] = REAL_FMA(-l, two.y, v[j + 1]);
            }
        }
    }
    const int at = row < ORDER ? row : 0;
    REAL found = 0;
#pragma unroll 4
    for (int j = ORDER - 1; j >= 0; j--) {
        const REAL u = tile[j * STRIDE + at];
        const REAL here = be_over(right, own, scale);
        const REAL there = __shfl_sync(0xffffffff, here, __shfl_sync(0xffffffff, where, j, SPAN), SPAN);
        found = mine == j ? here : found;
        right = mine < j ? REAL_FMA(-u, there, right) : right;
    }
    if (valid)
        x[system * ORDER + mine] = bad ? REAL_NAN : found;
    if (valid && row == 0)
        info[system] = bad;
}

#else

#define DEEP 8                             /* columns of a panel */
#define PANELS ((ORDER + DEEP - 1) / DEEP) /* of each a lane has a column of two rows */
#define ROW_LANES (ROWS / 2)
#define HALF (PANELS / 2) /* pairs of a lane's columns right of a panel */
#define PHASES 4
#define PHASE_PANELS ((PANELS + PHASES - 1) / PHASES)
#define TEAMS (ROWS / 32)
#define TOP (DEEP / 2 + 1) /* pairs: pivot and its inverse, right side and column 1, 2 and 3 ... */
#define PANEL_STRIDE (DEEP + 1)
#define PANEL_BARRIER() asm volatile("bar.sync 1, %0;" ::"n"(ROWS) : "memory")

struct be_block {
    REAL panel[ROWS * PANEL_STRIDE];
    REAL l[DEEP * ROWS];           /* multipliers: step, row */
    PAIR raw[DEEP * PARTS * HALF]; /* the pivots' rows right of the panel: step, part, column */
    PAIR top[2 * TEAMS * TOP];     /* the best row of each 32 */
    REAL size[2 * TEAMS];
    unsigned int key[2 * TEAMS]; /* a coarser size, and the lane */
    int pivot[DEEP];             /* row of each step */
    int step[ROWS];              /* that used this row up, -1: none of this panel */
    REAL found[2];
};

/* What a lane of the panel, a row, knows of it. */
struct be_row {
    REAL right, own, scale;
    int used, mine, bad;
};

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

/* A step of the panel: column k, the i-th of it. w[0] is the column. */
DEVICE void be_panel_step(struct be_block *s, struct be_row *r, REAL *w, GLOBAL REAL *u, int k,
                          int i) {
    const int row = threadIdx.x;
    const int odd = (k & 1) * TEAMS;
    const REAL inverse = be_inverse(w[0]); /* in case: there is time until the search is done */
    u[k * ROWS + row] = w[0];
    const int best = (row & 31) == be_about_largest(0xffffffff, w[0], !r->used);
    if (best) {
        PAIR *top = s->top + (odd + row / 32) * TOP;
        s->key[odd + row / 32] = r->used ? 0 : (UPPER_BITS(w[0]) & ~31u) | (row & 31);
        s->size[odd + row / 32] = r->used ? -1 : FABS(w[0]);
        top[0] = be_pair(w[0], inverse);
        top[1] = be_pair(r->right, w[1]);
#pragma unroll
        for (int j = 2; j < DEEP; j += 2) {
            top[j / 2 + 1] = be_pair(w[j], w[j + 1]);
        }
    }
    PANEL_BARRIER();
    const int team = be_best_team(s->key + odd, s->size + odd);
    const PAIR *top = s->top + (odd + team) * TOP;
    const PAIR head = top[0];
    const PAIR next = top[1];
    r->bad = r->bad == 0 && head.x == 0 ? k + 1 : r->bad;
    if (best && row / 32 == team) {
        r->used = 1;
        r->mine = k;
        r->own = w[0];
        r->scale = inverse;
        s->pivot[i] = row;
        s->step[row] = i;
    }
    const REAL l = r->used ? 0 : be_over(w[0], head.x, head.y);
    s->l[i * ROWS + row] = l;
    r->right = REAL_FMA(-l, next.x, r->right);
    w[0] = REAL_FMA(-l, next.y, w[1]);
#pragma unroll
    for (int j = 2; j < DEEP; j += 2) {
        const PAIR two = top[j / 2 + 1];
        w[j - 1] = REAL_FMA(-l, two.x, w[j]);
        w[j] = REAL_FMA(-l, two.y, w[j + 1]);
    }
}

/* Panel t, by the first ROWS lanes. */
DEVICE void be_factor_panel(struct be_block *s, struct be_row *r, GLOBAL REAL *u, int t) {
    const int row = threadIdx.x;
    const int depth = ORDER - t * DEEP < DEEP ? ORDER - t * DEEP : DEEP;
    REAL w[DEEP + 1];
#pragma unroll
    for (int j = 0; j < DEEP; j++) {
        w[j] = s->panel[row * PANEL_STRIDE + j];
    }
    w[DEEP] = 0;
    s->step[row] = -1;
#pragma unroll 1
    for (int i = 0; i < depth; i++) {
        be_panel_step(s, r, w, u, t * DEEP + i, i);
    }
}

/* The pivots' rows as they are after the panel's steps: a lane a column. */
DEVICE void be_finish_tops(struct be_block *s, int columns) {
    const int across = PARTS * HALF * 2;
    const int at = threadIdx.x;
    REAL *raw = (REAL *)s->raw;
    if (at < across && at % (HALF * 2) < columns) {
        REAL v[DEEP];
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
            v[i] = raw[i * across + at];
        }
#pragma unroll
        for (int i = 0; i < DEEP - 1; i++) {
#pragma unroll
            for (int j = i + 1; j < DEEP; j++) {
                v[j] = REAL_FMA(-s->l[i * ROWS + s->pivot[j]], v[i], v[j]);
            }
        }
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
            raw[i * across + at] = v[i];
        }
    }
}

/* Back from the last column to the first, by the first ROWS lanes; U is taken from memory some
 * columns ahead. */
DEVICE REAL be_block_back(struct be_block *s, struct be_row *r, GLOBAL const REAL *u) {
    enum { AHEAD = 8 };
    const int row = threadIdx.x;
    REAL next[AHEAD];
    REAL found = 0;
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
        const int j = ORDER - 1 - i;
        next[i] = j >= 0 ? u[j * ROWS + row] : 0;
    }
#pragma unroll 1
    for (int from = ORDER - 1; from >= 0; from -= AHEAD) {
        REAL now[AHEAD];
#pragma unroll
        for (int i = 0; i < AHEAD; i++) {
            const int j = from - AHEAD - i;
            now[i] = next[i];
            next[i] = j >= 0 ? u[j * ROWS + row] : 0;
        }
#pragma unroll
        for (int i = 0; i < AHEAD; i++) {
            const int j = from - i;
            if (j >= 0) {
                if (r->mine == j) {
                    found = be_over(r->right, r->own, r->scale);
                    s->found[j & 1] = found;
                }
                PANEL_BARRIER();
                if (r->mine < j)
                    r->right = REAL_FMA(-now[i], s->found[j & 1], r->right);
            }
        }
    }
    return found;
}

/* What a panel's steps are to a lane's two rows right of it, `wide` columns with the panel's own. */
DEVICE void be_publish(struct be_block *s, REAL v[2][PANELS + 1], int row, int part,
                       const int wide) {
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const int step = s->step[row + h * ROW_LANES];
        if (step >= 0) {
#pragma unroll
            for (int j = 1; j < wide; j += 2) {
                s->raw[(step * PARTS + part) * HALF + j / 2] = be_pair(v[h][j], v[h][j + 1]);
            }
        }
    }
}

DEVICE void be_update(struct be_block *s, REAL v[2][PANELS + 1], int row, int part,
                      const int wide) {
#pragma unroll
    for (int i = 0; i < DEEP; i++) {
        const int down = i == DEEP - 1; /* at last the registers move down */
        const REAL l[2] = {s->l[i * ROWS + row], s->l[i * ROWS + row + ROW_LANES]};
#pragma unroll
        for (int j = 1; j < wide; j += 2) {
            const PAIR two = s->raw[(i * PARTS + part) * HALF + j / 2];
#pragma unroll
            for (int h = 0; h < 2; h++) {
                v[h][j - down] = REAL_FMA(-l[h], two.x, v[h][j]);
                v[h][j + 1 - down] = REAL_FMA(-l[h], two.y, v[h][j + 1]);
            }
        }
    }
}

/* Groups of ROW_LANES PARTS lanes, a system each at a time, factored by panels of DEEP columns. The
 * first ROWS lanes do a panel, a row each; right of it a lane has rows `row` and `row` + ROW_LANES,
 * of each panel the column `part`. scratch: ORDER ROWS numbers a group, for U. */
KERNEL LANES_MOST(ROW_LANES *PARTS)
k_solve_block(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *x, GLOBAL int *info,
              GLOBAL REAL *scratch, LONG first, LONG n, LONG groups) {
    SHARED struct be_block s;
    const int lane = threadIdx.x;
    const int row = lane % ROW_LANES;
    const int part = lane / ROW_LANES;
    GLOBAL REAL *u = scratch + GROUP(0) * (ORDER * ROWS);
    for (LONG at = first + GROUP(0); at < first + n; at += groups) {
        struct be_row r = {0, 1, 1, !(lane < ORDER), ORDER, 0};
        REAL v[2][PANELS + 1];
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int down = row + h * ROW_LANES;
            GLOBAL const REAL *from = a + (at * ORDER + down) * ORDER;
#pragma unroll
            for (int j = 0; j < PANELS; j++) {
                const int column = j * DEEP + part;
                v[h][j] = down < ORDER && column < ORDER ? from[column] : 0;
            }
            v[h][PANELS] = 0;
        }
        r.right = lane < ORDER ? b[at * ORDER + lane] : 0;
#pragma unroll
        for (int phase = 0; phase < PHASES; phase++) {
            const int wide = PANELS - phase * PHASE_PANELS;
#pragma unroll 1
            for (int t = phase * PHASE_PANELS; t < phase * PHASE_PANELS + PHASE_PANELS; t++) {
                if (t >= PANELS)
                    break;
                s.panel[row * PANEL_STRIDE + part] = v[0][0];
                s.panel[(row + ROW_LANES) * PANEL_STRIDE + part] = v[1][0];
                BARRIER();
                if (lane < ROWS)
                    be_factor_panel(&s, &r, u, t);
                BARRIER();
                if (t == PANELS - 1)
                    break;
                be_publish(&s, v, row, part, wide);
                BARRIER();
                be_finish_tops(&s, wide - 1);
                BARRIER();
                be_update(&s, v, row, part, wide);
            }
        }
        if (lane < ROWS) {
            const REAL found = be_block_back(&s, &r, u);
            if (lane < ORDER)
                x[at * ORDER + r.mine] = r.bad ? REAL_NAN : found;
            if (lane == 0)
                info[at] = r.bad;
        }
    }
}

#endif
