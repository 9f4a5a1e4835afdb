/*
 * For mandelbrot_simd.c, once for each type: REAL, FUSED(a, b, c), NAME(name) and the tile's
 * COLUMNS and ROWS. No guard: it is meant to be included twice.
 */
#define LANES (COLUMNS * ROWS)

struct NAME(tile) {
    _Alignas(64) REAL cr[LANES], ci[LANES]; /* the points */
    _Alignas(64) REAL zr[LANES], zi[LANES]; /* where their orbits are */
    _Alignas(64) REAL count[LANES];
};

/* A block of steps without looking; how many orbits are outside at its end. */
static int NAME(advance)(const struct NAME(tile) * t, REAL *restrict zr, REAL *restrict zi) {
    REAL outside = 0;
#pragma omp simd reduction(+ : outside)
    for (int i = 0; i < LANES; i++) {
        REAL r = t->zr[i];
        REAL m = t->zi[i];
        const REAL cr = t->cr[i];
        const REAL ci = t->ci[i];
#pragma GCC unroll 8
        for (int k = 0; k < BLOCK; k++) {
            REAL next = FUSED(r, r, FUSED(-m, m, cr));
            m = FUSED(r + r, m, ci);
            r = next;
        }
        zr[i] = r;
        zi[i] = m;
        outside += FUSED(r, r, m * m) < 4 ? (REAL)0 : (REAL)1;
    }
    return (int)outside;
}

/* Up to a block of steps, counting those begun inside; `whole` steps were not yet counted for
 * orbits that are inside now. */
static int NAME(count)(struct NAME(tile) * t, int steps, int whole) {
    REAL outside = 0;
#pragma omp simd reduction(+ : outside)
    for (int i = 0; i < LANES; i++) {
        REAL r = t->zr[i];
        REAL m = t->zi[i];
        const REAL cr = t->cr[i];
        const REAL ci = t->ci[i];
        REAL n = FUSED(r, r, m * m) < 4 ? (REAL)whole : (REAL)0;
        for (int k = 0; k < steps; k++) {
            n += FUSED(r, r, m * m) < 4 ? (REAL)1 : (REAL)0;
            REAL next = FUSED(r, r, FUSED(-m, m, cr));
            m = FUSED(r + r, m, ci);
            r = next;
        }
        t->zr[i] = r;
        t->zi[i] = m;
        t->count[i] += n;
        outside += FUSED(r, r, m * m) < 4 ? (REAL)0 : (REAL)1;
    }
    return (int)outside;
}

static void NAME(run)(struct NAME(tile) * t, int steps) {
    _Alignas(64) REAL zr[LANES];
    _Alignas(64) REAL zi[LANES];
    int outside = 0;
    int uncounted = 0;
    int k = 0;
    for (; k + BLOCK <= steps && outside < LANES; k += BLOCK) {
        if (NAME(advance)(t, zr, zi) == outside) {
            memcpy(t->zr, zr, sizeof zr);
            memcpy(t->zi, zi, sizeof zi);
            uncounted += BLOCK;
        } else {
            outside = NAME(count)(t, BLOCK, uncounted);
            uncounted = 0;
        }
    }
    if (outside < LANES) {
        NAME(count)(t, steps - k, uncounted);
    }
}

/* Of rows or columns behind the last one, the last is computed again. */
static void NAME(begin)(struct NAME(tile) * t, const struct be_mandelbrot_grid *grid, size_t row,
                        size_t last, int column) {
    for (int i = 0; i < LANES; i++) {
        int x = column + i % COLUMNS;
        size_t y = row + (size_t)(i / COLUMNS);
        t->cr[i] =
            FUSED((REAL)(x < grid->width ? x : grid->width - 1), (REAL)grid->step_x, (REAL)grid->x);
        t->ci[i] = FUSED((REAL)(y < last ? y : last), (REAL)grid->step_y, (REAL)grid->y);
        t->zr[i] = t->cr[i];
        t->zi[i] = t->ci[i];
        t->count[i] = 0;
    }
}

static void NAME(strip)(const struct be_mandelbrot_grid *grid, size_t first, size_t rows,
                        int32_t *count) {
    struct NAME(tile) t;
    for (size_t row = 0; row < rows; row += ROWS) {
        for (int column = 0; column < grid->width; column += COLUMNS) {
            NAME(begin)(&t, grid, first + row, first + rows - 1, column);
            NAME(run)(&t, grid->steps);
            for (int i = 0; i < LANES; i++) {
                int x = column + i % COLUMNS;
                size_t y = row + (size_t)(i / COLUMNS);
                if (x < grid->width && y < rows) {
                    count[y * (size_t)grid->width + (size_t)x] = (int32_t)t.count[i];
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

#undef LANES
#undef COLUMNS
#undef ROWS
