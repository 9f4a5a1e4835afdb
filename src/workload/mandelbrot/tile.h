/*
 * For simd.c, once for each type: REAL, and NAME(x), which is x32 or x64. No guard: it is
 * meant to be included twice.
 */
enum { NAME(columns) = NAME(lanes), NAME(points) = ROWS * NAME(lanes) };

/* Rows of a vector each: independent of each other, so that one's steps hide another's latency. */
struct NAME(tile) {
    NAME(vector) cr[ROWS], ci[ROWS]; /* the points */
    NAME(vector) zr[ROWS], zi[ROWS]; /* where their orbits are */
    NAME(mask) inside[ROWS];         /* all bits: not yet left */
    NAME(mask) count[ROWS];
};

VECTOR_INLINE NAME(mask) NAME(is_inside)(NAME(vector) r, NAME(vector) m) {
    return NAME(fused)(r, r, m * m) < NAME(spread)(4);
}

#define STEP(r, m, cr, ci)                                                                         \
    do {                                                                                           \
        const NAME(vector) next = NAME(fused)(r, r, NAME(fused)(-(m), m, cr));                     \
        m = NAME(fused)(r + r, m, ci);                                                             \
        r = next;                                                                                  \
    } while (0)

VECTOR_INLINE bool NAME(any)(NAME(mask) mask) {
    NAME(mask_lane) any = 0;
    for (int i = 0; i < NAME(lanes); i++) {
        any |= mask[i];
    }
    return any != 0;
}

/* A block of steps without looking; false, and the tile as it was: some left meanwhile. */
static bool NAME(advance)(struct NAME(tile) * t) {
    NAME(vector) r[ROWS];
    NAME(vector) m[ROWS];
    NAME(mask) left = {0};
    memcpy(r, t->zr, sizeof r);
    memcpy(m, t->zi, sizeof m);
#pragma GCC unroll 1
    for (int k = 0; k < BLOCK; k++) {
#pragma GCC unroll 8
        for (int j = 0; j < ROWS; j++) {
            STEP(r[j], m[j], t->cr[j], t->ci[j]);
        }
    }
#pragma GCC unroll 8
    for (int j = 0; j < ROWS; j++) {
        left |= NAME(is_inside)(r[j], m[j]) ^ t->inside[j];
    }
    if (NAME(any)(left)) {
        return false;
    }
    memcpy(t->zr, r, sizeof r);
    memcpy(t->zi, m, sizeof m);
    return true;
}

/* Steps, counting those begun inside; true: some left, now or since `inside` was last set. */
static bool NAME(count)(struct NAME(tile) * t, int steps) {
    struct NAME(tile) own = *t; /* in registers */
    NAME(mask) left = {0};
#pragma GCC unroll 1
    for (int k = 0; k < steps; k++) {
#pragma GCC unroll 8
        for (int j = 0; j < ROWS; j++) {
            own.count[j] -= NAME(is_inside)(own.zr[j], own.zi[j]);
            STEP(own.zr[j], own.zi[j], own.cr[j], own.ci[j]);
        }
    }
#pragma GCC unroll 8
    for (int j = 0; j < ROWS; j++) {
        own.inside[j] = NAME(is_inside)(own.zr[j], own.zi[j]);
        left |= own.inside[j] ^ t->inside[j];
    }
    *t = own;
    return NAME(any)(left);
}

static bool NAME(any_inside)(const struct NAME(tile) * t) {
    NAME(mask) all = {0};
    for (int j = 0; j < ROWS; j++) {
        all |= t->inside[j];
    }
    return NAME(any)(all);
}

/* Where some leave, more soon will: blocks are run without looking after one in which none did. */
static void NAME(run)(struct NAME(tile) * t, int steps) {
    bool calm = false;
    int k = 0;
    for (; k + BLOCK <= steps; k += BLOCK) {
        if (calm && NAME(advance)(t)) {
            for (int j = 0; j < ROWS; j++) {
                t->count[j] -= t->inside[j] * BLOCK;
            }
        } else {
            calm = !NAME(count)(t, BLOCK);
            if (!calm && !NAME(any_inside)(t)) {
                return;
            }
        }
    }
    NAME(count)(t, steps - k);
}

/* For rows or columns behind the last one, the last is computed again. */
static void NAME(begin)(struct NAME(tile) * t, const struct be_mandelbrot_grid *grid, size_t row,
                        size_t last, size_t column) {
    NAME(vector) x = NAME(spread)((REAL)column) + NAME(upwards);
    x = NAME(min)(x, NAME(spread)((REAL)(grid->width - 1)));
    x = NAME(fused)(x, NAME(spread)((REAL)grid->step_x), NAME(spread)((REAL)grid->x));
    for (int j = 0; j < ROWS; j++) {
        const size_t y = row + (size_t)j < last ? row + (size_t)j : last;
        t->zr[j] = t->cr[j] = x;
        t->zi[j] = t->ci[j] = NAME(spread)(FUSED((REAL)y, (REAL)grid->step_y, (REAL)grid->y));
        t->inside[j] = ~(NAME(mask)){0};
        t->count[j] = (NAME(mask)){0};
    }
}

static void NAME(strip)(const struct be_mandelbrot_grid *grid, size_t first, size_t rows,
                        int32_t *count) {
    const size_t width = (size_t)grid->width;
    struct NAME(tile) t;
    for (size_t row = 0; row < rows; row += ROWS) {
        for (size_t column = 0; column < width; column += NAME(lanes)) {
            const size_t across = width - column < NAME(lanes) ? width - column : NAME(lanes);
            NAME(begin)(&t, grid, first + row, first + rows - 1, column);
            NAME(run)(&t, grid->steps);
            for (size_t j = 0; j < ROWS && row + j < rows; j++) {
                for (size_t i = 0; i < across; i++) {
                    count[(row + j) * width + column + i] = (int32_t)t.count[j][i];
                }
            }
        }
    }
}

static void NAME(row)(const struct be_mandelbrot_grid *grid, size_t row, double *count) {
    const REAL ci = FUSED((REAL)row, (REAL)grid->step_y, (REAL)grid->y);
    for (int x = 0; x < grid->width; x++) {
        const REAL cr = FUSED((REAL)x, (REAL)grid->step_x, (REAL)grid->x);
        REAL r = cr;
        REAL m = ci;
        int n = 0;
        while (n < grid->steps && FUSED(r, r, m * m) < 4) {
            REAL next = FUSED(r, r, FUSED(-m, m, cr));
            m = FUSED(r + r, m, ci);
            r = next;
            n++;
        }
        count[x] = n;
    }
}

#undef STEP
