/*
 * A template of simd.c: included once for each REAL, so without a guard.
 *
 * One system, rows stored one after the other with b as one more column: a panel of BLOCK columns is
 * factored by one member, then each member takes its own columns through the panel's row swaps, its
 * triangle and its product, so that they meet but twice a panel.
 */
#define NAME(x) JOIN(x, REAL)
#define VEC NAME(vec)
#define LANES ((size_t)VECTOR_BYTES / sizeof(REAL))
#define WIDE (TILE_VECTORS * LANES)

enum { NAME(BLOCK) = 32 };
#define BLOCK ((size_t)NAME(BLOCK))

struct NAME(one) {
    size_t order, stride;
    REAL *lu;
    int32_t *pivot;
    int32_t info;
};

static void NAME(swap)(REAL *restrict x, REAL *restrict y, size_t n) {
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        REAL t = x[i];
        x[i] = y[i];
        y[i] = t;
    }
}

/* Rows and columns from k0 on, `columns` of them. */
static void NAME(factor_panel)(struct NAME(one) * s, size_t k0, size_t columns) {
    const size_t end = k0 + columns;
    for (size_t k = k0; k < end; k++) {
        REAL *restrict top = s->lu + k * s->stride;
        size_t p = k;
        REAL max = -1;
        for (size_t i = k; i < s->order; i++) {
            REAL v = s->lu[i * s->stride + k];
            v = v < 0 ? -v : v;
            const bool better = v > max || v != v; /* what is no number stays the largest */
            p = better ? i : p;
            max = better ? v : max;
        }
        s->pivot[k] = (int32_t)p;
        if (p != k) {
            NAME(swap)(top + k0, s->lu + p * s->stride + k0, columns);
        }
        if (top[k] == 0 && s->info == 0) {
            s->info = (int32_t)(k + 1);
        }
        const REAL over = 1 / top[k];
        const bool tiny = top[k] < TINIEST && top[k] > -TINIEST; /* 1 / it overflows */
        for (size_t i = k + 1; i < s->order; i++) {
            REAL *restrict row = s->lu + i * s->stride;
            const REAL l = tiny ? row[k] / top[k] : row[k] * over;
            row[k] = l;
#pragma omp simd
            for (size_t j = k + 1; j < end; j++) {
                row[j] -= l * top[j];
            }
        }
    }
}

/* TILE_ROWS x WIDE of C -= L U, where U is packed: BLOCK rows of WIDE numbers. */
static inline void NAME(tile)(const REAL *l, const REAL *u, REAL *c, size_t stride, size_t depth) {
    VEC sum[TILE_ROWS][TILE_VECTORS] = {0};
    for (size_t k = 0; k < depth; k++) {
        VEC top[TILE_VECTORS];
        memcpy(top, u + k * WIDE, sizeof top);
#pragma GCC unroll 8
        for (size_t i = 0; i < TILE_ROWS; i++) {
            const REAL left = l[i * stride + k];
#pragma GCC unroll 4
            for (size_t j = 0; j < TILE_VECTORS; j++) {
                sum[i][j] += left * top[j];
            }
        }
    }
    for (size_t i = 0; i < TILE_ROWS; i++) {
        REAL *row = c + i * stride;
        for (size_t j = 0; j < TILE_VECTORS; j++) {
            VEC z;
            memcpy(&z, row + j * LANES, sizeof z);
            z -= sum[i][j];
            memcpy(row + j * LANES, &z, sizeof z);
        }
    }
}

/* Swaps and triangle on columns [j, j + n), n at most WIDE; the result packed, zeros behind. */
static void NAME(take_top)(const struct NAME(one) * s, size_t k0, size_t depth, size_t j, size_t n,
                           REAL *packed) {
    for (size_t k = k0; k < k0 + depth; k++) {
        size_t p = (size_t)s->pivot[k];
        if (p != k) {
            NAME(swap)(s->lu + k * s->stride + j, s->lu + p * s->stride + j, n);
        }
    }
    for (size_t k = 0; k < depth; k++) {
        REAL *restrict row = s->lu + (k0 + k) * s->stride + j;
        REAL *restrict out = packed + k * WIDE;
        memset(out, 0, WIDE * sizeof *out);
        memcpy(out, row, n * sizeof *out);
        for (size_t q = 0; q < k; q++) {
            const REAL l = s->lu[(k0 + k) * s->stride + k0 + q];
            const REAL *restrict above = packed + q * WIDE;
#pragma omp simd
            for (size_t i = 0; i < WIDE; i++) {
                out[i] -= l * above[i];
            }
        }
        memcpy(row, out, n * sizeof *out);
    }
}

/* Everything right of the panel, in columns [j, j + n). */
static void NAME(update)(const struct NAME(one) * s, size_t k0, size_t depth, size_t j, size_t n) {
    REAL packed[BLOCK * WIDE] __attribute__((aligned(64)));
    NAME(take_top)(s, k0, depth, j, n, packed);
    size_t i = k0 + depth;
    for (; i + TILE_ROWS <= s->order && n == WIDE; i += TILE_ROWS) {
        REAL *row = s->lu + i * s->stride;
        NAME(tile)(row + k0, packed, row + j, s->stride, depth);
    }
    for (; i < s->order; i++) {
        REAL *restrict row = s->lu + i * s->stride;
        for (size_t k = 0; k < depth; k++) {
            const REAL l = row[k0 + k];
            const REAL *restrict top = packed + k * WIDE;
            for (size_t q = 0; q < n; q++) {
                row[j + q] -= l * top[q];
            }
        }
    }
}

static void NAME(one_back)(const struct NAME(one) * s, REAL *x) {
    for (size_t i = s->order; i-- > 0;) {
        const REAL *row = s->lu + i * s->stride;
        REAL sum = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t j = i + 1; j < s->order; j++) {
            sum += row[j] * x[j];
        }
        x[i] = s->info ? NAN : (row[s->order] - sum) / row[i];
    }
}

static void NAME(meet)(const struct be_solve_team *team) {
    if (team->members > 1) {
        be_team_barrier(team->team);
    }
}

void BE_SIMD_NAME(JOIN3(be_solve_one, REAL,
                        run))(const REAL *a, const REAL *b, REAL *x, int32_t *info, size_t order,
                              REAL *lu, int32_t *pivot, const struct be_solve_team *team) {
    struct NAME(one) s = {order, be_solve_stride(order), lu, pivot, 0};
    size_t first;
    size_t count;
    be_team_share(order, 1, team->member, team->members, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        memcpy(lu + i * s.stride, a + i * order, order * sizeof *a);
        lu[i * s.stride + order] = b[i];
    }
    NAME(meet)(team);
    for (size_t k = 0; k < order; k += BLOCK) {
        const size_t depth = order - k < BLOCK ? order - k : BLOCK;
        const size_t begin = k + depth;
        if (team->member == 0) {
            NAME(factor_panel)(&s, k, depth);
        }
        NAME(meet)(team);
        be_team_share(order + 1 - begin, WIDE, team->member, team->members, &first, &count);
        for (size_t j = first; j < first + count; j += WIDE) {
            NAME(update)
            (&s, k, depth, begin + j, first + count - j < WIDE ? first + count - j : WIDE);
        }
        NAME(meet)(team);
    }
    if (team->member == 0) {
        NAME(one_back)(&s, x);
        *info = s.info;
    }
    NAME(meet)(team);
}

#undef BLOCK
#undef WIDE
#undef LANES
#undef VEC
#undef NAME
