/*
 * For the kernels of eigen: the angle that Jacobi turns by, and how matrices are scaled.
 */
#ifndef BE_WORKLOAD_EIGEN_JACOBI_H
#define BE_WORKLOAD_EIGEN_JACOBI_H

/* UNIT: half the distance from 1 to the next number. Numbers out of the range from SMALL to 1 / SMALL are brought into
 * it first, since the reciprocal of the largest would overflow or lose digits. TINY: a sum of squares of scaled numbers
 * that is taken for 0. */
#if defined(BE_REAL64)
#define UNIT 1.1102230246251565e-16
#define SMALL 1e-270
#define TINY 1e-290
#else
#define UNIT 5.9604645e-8f
#define SMALL 1e-27f
#define TINY 1e-30f
#endif

/* Sweeps over all pairs; random matrices of order 128 need about 10. */
#define SWEEPS 40

/* A turn, as its sine and the tangent of half its angle: x - s (y + t x) and y + s (x - t y) are the numbers x and y
 * turned. Small turns then make small errors (Rutishauser 1966). From the cotangent of twice the angle. */
DEVICE void be_angle(REAL ratio, REAL *s, REAL *t) {
    const REAL size = 1 / (fabs(ratio) + sqrt(1 + ratio * ratio));
    const REAL tangent = ratio < 0 ? -size : size;
    const REAL c = 1 / sqrt(1 + tangent * tangent);
    *s = c * tangent;
    *t = *s / (1 + c);
}

#define TURNED_FIRST(x, y, s, t) ((x) - (s) * ((y) + (t) * (x)))
#define TURNED_SECOND(x, y, s, t) ((y) + (s) * ((x) - (t) * (y)))

/* A's numbers are multiplied by to[0] and to[1], values then divided by them. */
DEVICE void be_scale(REAL largest, REAL *to) {
    to[0] = largest < (REAL)SMALL ? 1 / (REAL)SMALL : largest * (REAL)SMALL > 1 ? (REAL)SMALL : 1;
    to[1] = largest > 0 && largest * 0 == 0 ? 1 / (largest * to[0]) : 1;
}

#endif
