/*
 * One Jacobi sweep on a grid of side x side points: z is the mean of the four neighbours' x, and x
 * itself on the border. Each lane does DEPTH rows of a strip one vector of 16 bytes wide, which it
 * keeps in registers. The numbers left and right of a vector are in other lanes.
 */
#include "kernels/dialect.h"

#define DEPTH 8

#if defined(BE_REAL64)
#define VECTOR double2
#define WIDE 2
#define FIRST(v) (v).x
#define LAST(v) (v).y
#else
#define VECTOR float4
#define WIDE 4
#define FIRST(v) (v).x
#define LAST(v) (v).w
#endif

#define QUARTER ((REAL)0.25)

DEVICE VECTOR mean(VECTOR above, VECTOR here, VECTOR below, REAL left, REAL right) {
    VECTOR z;
    z.x = QUARTER * ((above.x + below.x) + (left + here.y));
#if defined(BE_REAL64)
    z.y = QUARTER * ((above.y + below.y) + (here.x + right));
#else
    z.y = QUARTER * ((above.y + below.y) + (here.x + here.z));
    z.z = QUARTER * ((above.z + below.z) + (here.y + here.w));
    z.w = QUARTER * ((above.w + below.w) + (here.z + right));
#endif
    return z;
}

#if defined(__CUDACC__)
#define LOAD_VECTOR(p) (*(const VECTOR *)(p))
#define STORE_VECTOR(p, v) __stcs((VECTOR *)(p), v)

/* The neighbour lane's last or first number; lanes at a warp's ends load it. All lanes call this. */
DEVICE REAL left_of(const REAL *p, VECTOR here, int end) {
    REAL left = __shfl_up_sync(0xffffffffu, LAST(here), 1);
    return (threadIdx.x & 31) == 0 && !end ? p[-1] : left;
}
DEVICE REAL right_of(const REAL *p, VECTOR here, int end) {
    REAL right = __shfl_down_sync(0xffffffffu, FIRST(here), 1);
    return (threadIdx.x & 31) == 31 && !end ? p[WIDE] : right;
}
#else
#define LOAD_VECTOR(p) (*(GLOBAL const VECTOR *)(p))
#define STORE_VECTOR(p, v) (*(GLOBAL VECTOR *)(p) = (v))

DEVICE REAL left_of(GLOBAL const REAL *p, VECTOR here, int end) {
    return end ? 0 : p[-1];
}
DEVICE REAL right_of(GLOBAL const REAL *p, VECTOR here, int end) {
    return end ? 0 : p[WIDE];
}
#endif

/* The mean, but on the left and right border the point itself. */
DEVICE VECTOR middle(GLOBAL const REAL *x, VECTOR above, VECTOR here, VECTOR below, int first,
                     int last) {
    REAL left = left_of(x, here, first), right = right_of(x, here, last);
    VECTOR z = mean(above, here, below, left, right);
    if (first)
        FIRST(z) = FIRST(here);
    if (last)
        LAST(z) = LAST(here);
    return z;
}

/* side is a multiple of WIDE. A warp of 32 lanes does DEPTH rows of 32 vectors beside each other, so
 * that it reads 512 bytes of a row. across: warps that a row takes. Rows that have all neighbours
 * are loaded before the first is used; the others, at the top and at the bottom, go one by one. */
KERNEL LANES_MOST(256)
    k_stencil_vector(GLOBAL const REAL *x, GLOBAL REAL *z, LONG side, int across) {
    LONG warp = GROUP(0) * (LANES(0) / 32) + LANE(0) / 32;
    LONG column = ((warp % across) * 32 + LANE(0) % 32) * WIDE;
    LONG row = warp / across * DEPTH;
    int inside = column < side;
    int first = column == 0, last = column + WIDE >= side;
    int k;
    if (row >= side)
        return; /* the whole warp */
    column = inside ? column : side - WIDE;
    x += row * side + column;
    z += row * side + column;
    if (row > 0 && row + DEPTH < side) {
        VECTOR v[DEPTH + 2];
        UNROLL for (k = 0; k < DEPTH + 2; k++) v[k] = LOAD_VECTOR(x + (k - 1) * side);
        UNROLL for (k = 0; k < DEPTH; k++) {
            VECTOR result = middle(x + k * side, v[k], v[k + 1], v[k + 2], first, last);
            if (inside)
                STORE_VECTOR(z + k * side, result);
        }
        return;
    }
    COLD_LOOP
    for (k = 0; k < DEPTH && row + k < side; k++) {
        int border = row + k == 0 || row + k == side - 1;
        GLOBAL const REAL *p = x + k * side;
        VECTOR here = LOAD_VECTOR(p);
        VECTOR above = LOAD_VECTOR(border ? p : p - side);
        VECTOR below = LOAD_VECTOR(border ? p : p + side);
        VECTOR result = middle(p, above, here, below, first, last);
        if (inside)
            STORE_VECTOR(z + k * side, border ? here : result);
    }
}

/* Any side: a point a lane. */
KERNEL k_stencil_point(GLOBAL const REAL *x, GLOBAL REAL *z, LONG side) {
    LONG i = GROUP(0) * LANES(0) + LANE(0);
    LONG row = i / side, column = i % side;
    if (row < side) {
        int border = row == 0 || row == side - 1 || column == 0 || column == side - 1;
        z[i] = border ? x[i] : QUARTER * ((x[i - side] + x[i + side]) + (x[i - 1] + x[i + 1]));
    }
}
