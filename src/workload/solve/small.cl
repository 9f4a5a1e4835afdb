/*
 * OpenCL: many systems A x = b of order at most 128, LU with partial pivoting, rows in registers.
 * CUDA has code of its own, cuda.cl.
 *
 * Rows are never swapped: a row that has been a pivot is used up and stays as it is. A lane's
 * registers move down by one a step, so that the column in work is always in the first: loops then
 * index registers by constants without being unrolled as a whole. The numbers that leave them are U
 * (and, of rows not used up yet, numbers that nobody reads), kept for the way back.
 *
 * Defined before this source: ORDER; SPAN, the lanes of a system in k_solve_rows, a power of two
 * from ORDER up; GROUP_LANES of a group there; in k_solve_block ROWS, a multiple of 32 from ORDER
 * up, and PARTS, the lanes a row is spread over.
 */
#include "kernels/dialect.h"
#include "pivot.h"

#if defined(SPAN)

#define STRIDE (ORDER | 1)
#define SYSTEMS (GROUP_LANES / SPAN)
#define EVEN (ORDER + (ORDER & 1))
#define TOP (EVEN + 2) /* a pivot's row, and its right side at EVEN */
#define PHASE 8 /* steps after which the registers that are done with are left out */

/* The row of the pivot in `column`, by all lanes of the system. */
DEVICE int be_pivot_row(REAL column, int used, int row, LOCAL REAL *size) {
    size[row] = used ? -1 : FABS(column);
    BARRIER();
    int p = 0;
    REAL most = -1;
    for (int i = 0; i < SPAN; i++) {
        int better = be_is_more(size[i], most);
        p = better ? i : p;
        most = better ? size[i] : most;
    }
    return p;
}

/* x of the system whose U is in `tile`: column j of it begins at j STRIDE, in the order of rows.
 * Pivot `mine` was this lane's row. */
DEVICE REAL be_rows_back(LOCAL REAL *tile, LOCAL REAL *found, REAL right, int row, int mine) {
    /* All lanes find 1 / pivot at once: in the loop each would wait for the one before. */
    const REAL pivot = row < ORDER ? tile[mine * STRIDE + row] : 1;
    const REAL over = 1 / pivot;
    const int tiny = FABS(pivot) < REAL_TINIEST;
    for (int j = ORDER - 1; j >= 0; j--) {
        if (mine == j) {
            right = tiny ? right / pivot : right * over;
            found[j & 1] = right;
        }
        LEAST_BARRIER();
        if (mine < j && row < ORDER) {
            right -= tile[j * STRIDE + row] * found[j & 1];
        }
    }
    return right;
}

/* Matrices of a group, one after another, into its tile. */
DEVICE void be_rows_load(GLOBAL const REAL *a, LOCAL REAL *tile, LONG count) {
    for (int e = (int)LANE(0); e < count; e += GROUP_LANES) {
        tile[e / ORDER * STRIDE + e % ORDER] = a[e];
    }
    BARRIER();
}

/* A pivot's row goes from its lane's registers to where all lanes of the system read it. */
DEVICE void be_rows_share(LOCAL REAL *top, const REAL *v, REAL right, int wide) {
#pragma unroll
    for (int j = 0; j < wide; j += 2) {
        STORE_PAIR(top + j, v[j], j + 1 < ORDER ? v[j + 1] : 0);
    }
    top[EVEN] = right;
}

/* Subtracts l times a pivot's row from a lane's row. The registers of that move down by one. */
DEVICE void be_rows_subtract(LOCAL const REAL *top, REAL *v, REAL l, int wide) {
#pragma unroll
    for (int j = 0; j < wide; j += 2) {
        const PAIR t = LOAD_PAIR(top + j);
        if (j > 0) {
            v[j - 1] = REAL_FMA(-l, t.x, v[j]);
        }
        if (j + 1 < ORDER) {
            v[j] = REAL_FMA(-l, t.y, v[j + 1]);
        }
    }
}

/* Groups of GROUP_LANES lanes, SYSTEMS systems each, a lane a row. */
KERNEL LANES_MOST(GROUP_LANES)
k_solve_rows(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *x, GLOBAL int *info,
             LONG first, LONG n) {
    SHARED REAL tile[SYSTEMS * ORDER * STRIDE];
    SHARED REAL tops[SYSTEMS * 2 * TOP];
    SHARED REAL size[SYSTEMS * SPAN];
    const int row = (int)LANE(0) % SPAN;
    const int slot = (int)LANE(0) / SPAN;
    const LONG start = GROUP(0) * SYSTEMS;
    const LONG left = n - start < SYSTEMS ? n - start : SYSTEMS;
    const LONG system = first + start + slot;
    const int valid = slot < left && row < ORDER;
    LOCAL REAL *mine_tile = tile + slot * ORDER * STRIDE;
    REAL v[ORDER];
    be_rows_load(a + (first + start) * (ORDER * ORDER), tile, left * ORDER * ORDER);
#pragma unroll
    for (int j = 0; j < ORDER; j++) {
        v[j] = valid ? mine_tile[row * STRIDE + j] : 0;
    }
    REAL right = valid ? b[system * ORDER + row] : 0;
    int used = !(row < ORDER);
    int mine = ORDER;
    int bad = 0;
    BARRIER();
#pragma unroll
    for (int phase = 0; phase < (ORDER + PHASE - 1) / PHASE; phase++) {
        const int wide = ORDER - phase * PHASE;
        const int steps = wide < PHASE ? wide : PHASE;
#pragma unroll 1
        for (int step = 0; step < steps; step++) {
            const int k = phase * PHASE + step;
            LOCAL REAL *top = tops + (slot * 2 + (k & 1)) * TOP;
            if (row < ORDER) {
                mine_tile[k * STRIDE + row] = v[0];
            }
            int p = be_pivot_row(v[0], used, row, size + slot * SPAN);
            if (row == p) {
                be_rows_share(top, v, right, wide);
                used = 1;
                mine = k;
            }
            LEAST_BARRIER();
            const REAL pivot = top[0];
            const REAL l = used ? 0 : v[0] / pivot;
            bad = bad == 0 && pivot == 0 ? k + 1 : bad;
            be_rows_subtract(top, v, l, wide);
            right = REAL_FMA(-l, top[EVEN], right);
        }
    }
    LEAST_BARRIER();
    right = be_rows_back(mine_tile, tops + slot * 2 * TOP, right, row, mine);
    if (valid) {
        x[system * ORDER + mine] = bad ? REAL_NAN : right;
    }
    if (valid && row == 0) {
        info[system] = bad;
    }
}

#else

#define WIDE ((ORDER + PARTS - 1) / PARTS) /* columns a lane: every PARTS-th */
#define TOP (WIDE + (WIDE & 1) + 2)
#define PHASES 4
#define PHASE_STEPS ((WIDE + PHASES - 1) / PHASES)
#define TEAMS (ROWS / 32)
#define AHEAD 8 /* even */

/* The best row of each 32 of the column in work: by the lanes that hold it (`working`), for all
 * lanes after it. The column is in shared memory for all then, too. */
DEVICE void be_block_best(REAL v, int used, int row, int working, LOCAL REAL *column,
                          LOCAL int *best, LOCAL REAL *size) {
    if (working) {
        column[row] = v;
        column[ROWS + row] = used ? -1 : FABS(v);
    }
    BARRIER();
    if (working && row % 32 == 0) {
        int at = row;
        for (int i = row + 1; i < row + 32; i++) {
            at = be_is_more(column[ROWS + i], column[ROWS + at]) ? i : at;
        }
        best[row / 32] = at;
        size[row / 32] = column[ROWS + at];
    }
    BARRIER();
}

/* The best row of all, from the best of each 32. */
DEVICE int be_block_pivot(LOCAL const int *best, LOCAL const REAL *size) {
    int p = best[0];
    REAL most = size[0];
#pragma unroll
    for (int i = 1; i < TEAMS; i++) {
        const int better = be_is_more(size[i], most);
        p = better ? best[i] : p;
        most = better ? size[i] : most;
    }
    return p;
}

/* The columns of a pivot's row that a lane has, to where the lanes with the same columns read them. */
DEVICE void be_block_share(LOCAL REAL *top, const REAL *v, int wide) {
#pragma unroll
    for (int j = 0; j < wide; j += 2) {
        STORE_PAIR(top + j, v[j], j + 1 < WIDE ? v[j + 1] : 0);
    }
}

/* Subtracts l times a pivot's row from a lane's part of a row. */
DEVICE void be_block_subtract(LOCAL const REAL *top, REAL *v, REAL l, int wide) {
#pragma unroll
    for (int j = 0; j < wide; j += 2) {
        const PAIR t = LOAD_PAIR(top + j);
        v[j] = REAL_FMA(-l, t.x, v[j]);
        if (j + 1 < WIDE) {
            v[j + 1] = REAL_FMA(-l, t.y, v[j + 1]);
        }
    }
}

/* The same, and registers move down by one: the lane is done with its first column. */
DEVICE void be_block_subtract_last(LOCAL const REAL *top, REAL *v, REAL l, int wide) {
#pragma unroll
    for (int j = 0; j < wide; j += 2) {
        const PAIR t = LOAD_PAIR(top + j);
        if (j > 0) {
            v[j - 1] = REAL_FMA(-l, t.x, v[j]);
        }
        if (j + 1 < WIDE) {
            v[j] = REAL_FMA(-l, t.y, v[j + 1]);
        }
    }
}

/* The unknown that a lane has: that of the step `mine`, in which its row was the pivot's. U comes from device memory:
 * AHEAD columns at once, so that the wait for it is one. */
DEVICE REAL be_block_back(GLOBAL const REAL *u, LOCAL REAL *rights, REAL right, int row, int part, int mine) {
    for (int last = ORDER - 1; last >= 0; last -= AHEAD) {
        REAL entry[AHEAD];
#pragma unroll
        for (int q = 0; q < AHEAD; q++) {
            entry[q] = last >= q ? u[(last - q) * ROWS + row] : 0;
        }
#pragma unroll
        for (int q = 0; q < AHEAD; q++) {
            const int j = last - q;
            if (mine == j && j >= 0 && part == 0) {
                right = right / entry[q];
                rights[q & 1] = right;
            }
            BARRIER();
            if (mine < j) {
                right = REAL_FMA(-entry[q], rights[q & 1], right);
            }
        }
    }
    return right;
}

/* A lane's part of a row while the columns of a system are eliminated. */
struct be_block_row {
    REAL right;
    int row, part, used, mine; /* used: it has been a pivot's row, in the step `mine` */
    int bad;                   /* the first step whose pivot was 0, from 1 on; 0: none was */
};

/* Step k of a system: its column is the first that lanes of part g have. Returns the row's factor; v's part of the
 * pivot's row is at `top`. */
DEVICE REAL be_block_step(struct be_block_row *own, const REAL *v, int k, int g, int wide, LOCAL REAL *column,
                          LOCAL REAL *top, LOCAL int *best, LOCAL REAL *size, LOCAL REAL *shared_right,
                          GLOBAL REAL *u) {
    be_block_best(v[0], own->used, own->row, own->part == g, column, best, size);
    const int p = be_block_pivot(best, size);
    if (own->row == p && k < ORDER) {
        be_block_share(top, v, wide);
        if (own->part == 0) {
            *shared_right = own->right;
        }
        own->used = 1;
        own->mine = k;
    }
    const REAL pivot = column[p];
    const REAL l = own->used ? 0 : column[own->row] / pivot;
    own->bad = own->bad == 0 && pivot == 0 && k < ORDER ? k + 1 : own->bad;
    if (own->part == g && k < ORDER) {
        u[k * ROWS + own->row] = v[0];
    }
    BARRIER();
    return l;
}

/* Groups of ROWS PARTS lanes, a system each at a time. Columns j with j % PARTS == part are a
 * lane's. scratch: ORDER ROWS numbers a group, for U. */
KERNEL LANES_MOST(ROWS *PARTS)
k_solve_block(GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *x, GLOBAL int *info,
              GLOBAL REAL *scratch, LONG first, LONG n, LONG groups) {
    SHARED REAL columns[2 * 2 * ROWS];
    SHARED REAL tops[2 * PARTS * TOP];
    SHARED REAL rights[2];
    SHARED REAL size[2 * TEAMS];
    SHARED int best[2 * TEAMS];
    const int row = (int)LANE(0) % ROWS;
    const int part = (int)LANE(0) / ROWS;
    GLOBAL REAL *u = scratch + GROUP(0) * (ORDER * ROWS);
    for (LONG s = GROUP(0); s < n; s += groups) {
        GLOBAL const REAL *from = a + ((first + s) * ORDER + row) * ORDER;
        REAL v[WIDE];
#pragma unroll
        for (int j = 0; j < WIDE; j++) {
            v[j] = row < ORDER && j * PARTS + part < ORDER ? from[j * PARTS + part] : 0;
        }
        struct be_block_row own = {row < ORDER ? b[(first + s) * ORDER + row] : 0, row, part, !(row < ORDER), ORDER, 0};
#pragma unroll
        for (int phase = 0; phase < PHASES; phase++) {
            const int wide = WIDE - phase * PHASE_STEPS;
            const int steps = wide < PHASE_STEPS ? wide : PHASE_STEPS;
#pragma unroll 1
            for (int step = 0; step < steps; step++) {
#pragma unroll
                for (int g = 0; g < PARTS; g++) {
                    const int k = (phase * PHASE_STEPS + step) * PARTS + g;
                    const int odd = k & 1;
                    LOCAL REAL *top = tops + (odd * PARTS + part) * TOP;
                    const REAL l = be_block_step(&own, v, k, g, wide, columns + odd * 2 * ROWS, top,
                                                 best + odd * TEAMS, size + odd * TEAMS, rights + odd, u);
                    if (g < PARTS - 1) {
                        be_block_subtract(top, v, l, wide);
                    } else {
                        be_block_subtract_last(top, v, l, wide);
                    }
                    own.right = REAL_FMA(-l, rights[odd], own.right);
                }
            }
        }
        GLOBAL_BARRIER();
        const REAL found = be_block_back(u, rights, own.right, row, part, own.mine);
        if (part == 0 && row < ORDER) {
            x[(first + s) * ORDER + own.mine] = own.bad ? REAL_NAN : found;
        }
        if (LANE(0) == 0) {
            info[first + s] = own.bad;
        }
        BARRIER();
    }
}

#endif
