/*
 * A template of simd.c after columns.h: included once for each REAL, so without a guard.
 *
 * A = U diag(s) V'. The eigenvectors of A'A are V but for rounding, which counts where values are small beside the
 * largest: of A V the columns are nearly orthogonal, and Jacobi makes them so. Their lengths are the values, their
 * directions U. So nothing is lost to the square, whose own values are not used.
 */

/* A'A, so that its largest number is 1, of which the lower triangle is read. The square root of A's sum of squares. */
INLINE VEC NAME(gram)(const struct NAME(columns) * c) {
    const size_t n = c->order;
    VEC sum[EIGEN_TALL * EIGEN_TALL];
    VEC largest = {0};
    VEC squares = {0};
    for (size_t i = 0; i < n; i += EIGEN_TALL) {
        for (size_t j = 0; j <= i; j += EIGEN_TALL) {
            const size_t height = NAME(as_many)(i, n);
            const size_t width = NAME(as_many)(j, n);
            NAME(some_products)
            (c->w + i * c->rows, c->w + j * c->rows, c->rows, height, width, sum);
            for (size_t r = 0; r < height; r++) {
                memcpy(c->v + (i + r) * n + j, sum + r * EIGEN_TALL, width * sizeof *sum);
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        const VEC one = c->v[i * n + i];
        squares += one;
        largest = NAME(pick)(one > largest, one, largest);
    }
    const VEC over = 1 / NAME(pick)(largest > 0, largest, NAME(all)(1));
    for (size_t i = 0; i < n * n; i++) {
        c->v[i] *= over;
    }
    return NAME(root)(squares);
}

/* A V in place of A: some rows at a time, by way of room for them. */
static __attribute__((noinline)) void NAME(times_vectors)(const struct NAME(columns) * c,
                                                          VEC *room) {
    const size_t n = c->order;
    VEC sum[EIGEN_TALL * EIGEN_TALL];
    for (size_t i = 0; i < c->rows; i += EIGEN_TALL) {
        const size_t height = NAME(as_many)(i, c->rows);
        for (size_t k = 0; k < n; k++) {
            for (size_t r = 0; r < height; r++) {
                room[r * n + k] = c->w[k * c->rows + i + r];
            }
        }
        for (size_t j = 0; j < n; j += EIGEN_TALL) {
            const size_t width = NAME(as_many)(j, n);
            NAME(some_products)(room, c->v + j * n, n, height, width, sum);
            for (size_t q = 0; q < width; q++) {
                for (size_t r = 0; r < height; r++) {
                    c->w[(j + q) * c->rows + i + r] = sum[r * EIGEN_TALL + q];
                }
            }
        }
    }
}

/* Columns of length 1; those that are rounding are none yet, which some lane has then. */
INLINE MASK NAME(directions)(const struct NAME(columns) * c) {
    MASK none = {0};
    for (size_t j = 0; j < c->order; j++) {
        VEC *column = c->w + j * c->rows;
        const MASK small = ~(c->length[j] > c->least);
        const VEC over =
            NAME(pick)(small, (VEC){0}, 1 / NAME(pick)(small, NAME(all)(1), c->length[j]));
        for (size_t i = 0; i < c->rows; i++) {
            column[i] *= over;
        }
        none |= small;
    }
    return none;
}

/* ---- columns without a direction, one lane ---------------------------------------------------- */

/* Takes from u what it has of all columns that have a direction, and makes it 1 long. Its length before. */
static REAL NAME(take_parts)(const struct NAME(columns) * c, size_t s, const bool *done, REAL *u) {
    double square = 0;
    for (size_t k = 0; k < c->order; k++) {
        const VEC *column = c->w + k * c->rows;
        REAL part = 0;
        for (size_t i = 0; done[k] && i < c->rows; i++) {
            part += column[i][s] * u[i];
        }
        for (size_t i = 0; done[k] && i < c->rows; i++) {
            u[i] -= part * column[i][s];
        }
    }
    for (size_t i = 0; i < c->rows; i++) {
        square += (double)u[i] * (double)u[i];
    }
    const REAL length = (REAL)sqrt(square);
    for (size_t i = 0; length > 0 && i < c->rows; i++) {
        u[i] /= length;
    }
    return length;
}

/* A unit vector orthogonal to all of them: from the first axis on of which enough is left. An axis of which too little
 * was left has less later, and there always is one that has more. */
static size_t NAME(find_direction)(struct NAME(columns) * c, size_t s, const bool *done, size_t j,
                                   size_t axis) {
    REAL u[EIGEN_ROWS_MAX];
    const double enough = 0.25 / (double)c->rows;
    bool found = false;
    for (; !found && axis < c->rows; axis++) {
        memset(u, 0, c->rows * sizeof *u);
        u[axis] = 1;
        const REAL left = NAME(take_parts)(c, s, done, u);
        found = (double)left * (double)left >= enough;
    }
    (void)NAME(take_parts)(c, s, done, u); /* what rounding left of them */
    for (size_t i = 0; i < c->rows; i++) {
        c->w[j * c->rows + i][s] = u[i];
    }
    return axis;
}

static __attribute__((noinline)) void NAME(complete)(struct NAME(columns) * c, size_t s) {
    bool done[EIGEN_ORDER_MAX];
    size_t axis = 0;
    for (size_t j = 0; j < c->order; j++) {
        done[j] = c->length[j][s] > c->least[s];
    }
    for (size_t j = 0; j < c->order; j++) {
        if (!done[j]) {
            axis = NAME(find_direction)(c, s, done, j, axis);
            done[j] = true;
        }
    }
}

/* ---- results ---------------------------------------------------------------------------------- */

/* The numbers of each system's column j of `columns`, of `length` each, where its value comes. */
INLINE void NAME(put_columns)(REAL *to, size_t step, const VEC *columns, size_t length,
                              size_t order, uint8_t (*place)[EIGEN_ORDER_MAX], size_t count) {
    REAL *at[LANES];
    for (size_t j = 0; j < order; j++) {
        for (size_t s = 0; s < LANES; s++) {
            const size_t system = s < count ? s : count - 1;
            at[s] = to + system * step + place[system][j] * length;
        }
        NAME(lanes_put)(at, columns + j * length, length);
    }
}

/* Descending. All of a system without an answer is NaN. */
INLINE void NAME(write_singular)(const struct NAME(columns) * c, const struct NAME(lanes) * w,
                                 const struct NAME(scale) * scale, MASK lost, REAL *values,
                                 REAL *vectors, size_t count) {
    const size_t n = c->order;
    const size_t step = (c->rows + n) * n;
    uint8_t at[EIGEN_ORDER_MAX];
    uint8_t place[LANES][EIGEN_ORDER_MAX];
    for (size_t s = 0; s < count; s++) {
        NAME(sort)(w, s, at);
        for (size_t i = 0; i < n; i++) {
            const size_t from = at[n - 1 - i];
            place[s][from] = (uint8_t)i;
            values[s * n + i] =
                lost[s] ? (REAL)NAN : w->d[from][s] * scale->back[0][s] * scale->back[1][s];
        }
    }
    NAME(put_columns)(vectors, step, c->w, c->rows, n, place, count);
    NAME(put_columns)(vectors + c->rows * n, step, c->v, n, n, place, count);
    for (size_t s = 0; s < count; s++) {
        for (size_t i = 0; lost[s] && i < step; i++) {
            vectors[s * step + i] = (REAL)NAN;
        }
    }
}

/* As many systems as there are lanes, or fewer. */
static void NAME(singular_lanes)(const REAL *a, REAL *values, REAL *vectors,
                                 struct NAME(columns) * c, struct NAME(lanes) * w, size_t count) {
    const struct NAME(scale) scale = NAME(read_numbers)(c->w, c->rows * c->order, a, count);
    c->least = UNIT * NAME(gram)(c);
    NAME(tridiagonal)(w);
    (void)NAME(iterate)(w); /* where it did not end, there is more for Jacobi */
    NAME(times_vectors)(c, w->d);
    const MASK lost = scale.bad | NAME(make_orthogonal)(c);
    const MASK none = NAME(directions)(c) & ~scale.bad;
    for (size_t s = 0; s < LANES; s++) { /* also of those that are written twice */
        if (none[s]) {
            NAME(complete)(c, s);
        }
    }
    NAME(write_singular)(c, w, &scale, lost, values, vectors, count);
}

static void NAME(singular)(const REAL *a, REAL *values, REAL *vectors, size_t rows, size_t order,
                           size_t systems, void *scratch) {
    VEC *columns = scratch;
    struct NAME(lanes) w = NAME(lanes_in)(order, columns + rows * order);
    struct NAME(columns) c = {
        .rows = rows,
        .order = order,
        .w = columns,
        .v = w.a,
        .length = w.d,
        .parallel = NAME(all)((REAL)(UNIT * (8 + sqrt((double)rows)))),
    };
    for (size_t i = 0; i < systems; i += LANES) {
        const size_t count = systems - i < LANES ? systems - i : LANES;
        NAME(singular_lanes)
        (a + i * rows * order, values + i * order, vectors + i * (rows + order) * order, &c, &w,
         count);
    }
}
