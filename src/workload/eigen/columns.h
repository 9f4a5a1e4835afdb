/*
 * A template of simd.c after systems.h: included once for each REAL, so without a guard.
 *
 * Columns that become orthogonal: one-sided Jacobi (Golub and Van Loan, Matrix Computations, 8.6.3), which turns pairs of
 * columns until no two of them have a product that is more than rounding. Columns that are orthogonal already cost a
 * look at their products.
 */

/* The columns in work, and vectors that are turned as they are. */
struct NAME(columns) {
    size_t rows, order;
    VEC *w, *v;   /* order columns of `rows`; order rows of order */
    VEC *length;  /* of each column */
    VEC least;    /* a column of this length or less is rounding, and has no direction */
    VEC parallel; /* the least cosine that is not taken for 0 */
};

/* The products of some columns with some others, each of `rows` numbers, one behind the other: row r, column c of sum. */
INLINE void NAME(products)(const VEC *a, const VEC *b, size_t rows, const size_t height,
                           const size_t width, VEC *sum) {
    VEC part[EIGEN_TALL * EIGEN_TALL];
#pragma GCC unroll 16
    for (size_t k = 0; k < height * width; k++) {
        part[k] = (VEC){0};
    }
    for (size_t i = 0; i < rows; i++) {
#pragma GCC unroll 4
        for (size_t r = 0; r < height; r++) {
#pragma GCC unroll 4
            for (size_t c = 0; c < width; c++) {
                part[r * width + c] += a[r * rows + i] * b[c * rows + i];
            }
        }
    }
#pragma GCC unroll 16
    for (size_t k = 0; k < height * width; k++) {
        sum[k / width * EIGEN_TALL + k % width] = part[k];
    }
}

/* Likewise where there are fewer columns. */
INLINE void NAME(some_products)(const VEC *a, const VEC *b, size_t rows, size_t height,
                                size_t width, VEC *sum) {
    if (height == EIGEN_TALL && width == EIGEN_TALL) {
        NAME(products)(a, b, rows, EIGEN_TALL, EIGEN_TALL, sum);
        return;
    }
    for (size_t r = 0; r < height; r++) {
        for (size_t c = 0; c < width; c++) {
            NAME(products)(a + r * rows, b + c * rows, rows, 1, 1, sum + r * EIGEN_TALL + c);
        }
    }
}

INLINE VEC NAME(product)(const VEC *a, const VEC *b, size_t rows) {
    VEC sum;
    NAME(products)(a, b, rows, 1, 1, &sum);
    return sum;
}

INLINE size_t NAME(as_many)(size_t from, size_t order) {
    return order - from < EIGEN_TALL ? order - from : EIGEN_TALL;
}

INLINE bool NAME(any)(MASK mask) {
    uint64_t part[VECTOR_BYTES / sizeof(uint64_t)];
    memcpy(part, &mask, sizeof mask);
    for (size_t i = 1; i < sizeof part / sizeof *part; i++) {
        part[0] |= part[i];
    }
    return part[0] != 0;
}

INLINE void NAME(measure)(struct NAME(columns) * c) {
    for (size_t j = 0; j < c->order; j++) {
        const VEC *column = c->w + j * c->rows;
        c->length[j] = NAME(root)(NAME(product)(column, column, c->rows));
    }
}

/* Lanes in which columns i and j are not orthogonal. */
INLINE MASK NAME(are_skew)(const struct NAME(columns) * c, size_t i, size_t j, VEC product) {
    const VEC one = c->length[i];
    const VEC other = c->length[j];
    return (NAME(size_of)(product) > c->parallel * one * other) & (one > c->least) &
           (other > c->least);
}

/* As sine and tangent of half the angle: small turns then make small errors (Rutishauser 1966). */
INLINE void NAME(turn_numbers)(VEC *x, VEC *y, size_t count, VEC s, VEC t) {
    for (size_t i = 0; i < count; i++) {
        const VEC one = x[i];
        const VEC other = y[i];
        x[i] = one - s * (other + t * one);
        y[i] = other + s * (one - t * other);
    }
}

/* Columns i and j, and the vectors, are turned in the lanes where they are not orthogonal: which. */
static __attribute__((noinline)) MASK NAME(turn_columns)(struct NAME(columns) * c, size_t i,
                                                         size_t j) {
    VEC *x = c->w + i * c->rows;
    VEC *y = c->w + j * c->rows;
    const VEC product = NAME(product)(x, y, c->rows);
    const MASK skew = NAME(are_skew)(c, i, j, product);
    if (!NAME(any)(skew)) {
        return skew;
    }
    const VEC one = NAME(all)(1);
    const VEC first = c->length[i] * c->length[i];
    const VEC second = c->length[j] * c->length[j];
    const VEC ratio = (second - first) / (2 * NAME(pick)(skew, product, one));
    const VEC size = 1 / (NAME(size_of)(ratio) + NAME(root)(ratio * ratio + 1));
    const VEC tangent = NAME(pick)(skew, NAME(pick)(ratio < 0, -size, size), (VEC){0});
    const VEC cosine = 1 / NAME(root)(tangent * tangent + 1);
    const VEC s = cosine * tangent;
    const VEC t = s / (cosine + 1);
    const VEC left = first - tangent * product;
    c->length[i] = NAME(root)(NAME(pick)(left > 0, left, (VEC){0}));
    c->length[j] = NAME(root)(NAME(pick)(skew, second + tangent * product, second));
    NAME(turn_numbers)(x, y, c->rows, s, t);
    NAME(turn_numbers)(c->v + i * c->order, c->v + j * c->order, c->order, s, t);
    return skew;
}

/* All pairs of a block of columns with another: the lanes in which one is turned. Its products are new then. */
INLINE MASK NAME(turn_block)(struct NAME(columns) * c, size_t i, size_t j) {
    const size_t height = NAME(as_many)(i, c->order);
    const size_t width = NAME(as_many)(j, c->order);
    VEC sum[EIGEN_TALL * EIGEN_TALL];
    MASK skew = {0};
    MASK turned = {0};
    NAME(some_products)(c->w + i * c->rows, c->w + j * c->rows, c->rows, height, width, sum);
    for (size_t r = 0; r < height; r++) {
        for (size_t q = 0; q < width && j + q < i + r; q++) {
            skew |= NAME(are_skew)(c, i + r, j + q, sum[r * EIGEN_TALL + q]);
        }
    }
    if (!NAME(any)(skew)) {
        return skew;
    }
    for (size_t r = 0; r < height; r++) {
        for (size_t q = 0; q < width && j + q < i + r; q++) {
            turned |= NAME(turn_columns)(c, i + r, j + q);
        }
    }
    return turned;
}

/* Until all columns are orthogonal. The lanes in which they are not even so. */
static __attribute__((noinline)) MASK NAME(make_orthogonal)(struct NAME(columns) * c) {
    MASK turned = {0};
    for (int sweep = 0; sweep < EIGEN_SWEEPS; sweep++) {
        turned = (MASK){0};
        NAME(measure)(c);
        for (size_t i = 0; i < c->order; i += EIGEN_TALL) {
            for (size_t j = 0; j <= i; j += EIGEN_TALL) {
                turned |= NAME(turn_block)(c, i, j);
            }
        }
        if (!NAME(any)(turned)) {
            break;
        }
    }
    return turned;
}
