/*
 * Accelerations of n bodies, a_i = sum of m_j (x_j - x_i) / (|x_j - x_i|^2 + softening)^(3/2).
 * body: x of all, then y, z and masses; out: x of all, then y and z. The softening is above zero,
 * so that a body does not pull at itself.
 *
 * A group of 128 lanes has 128 bodies, or MANY times 128, a lane so many of them. Those that pull
 * go by in tiles of 128 through shared memory, where all lanes read the same one at once. Few bodies
 * do not fill a device: the ones that pull are then cut into parts of `span`, a multiple of 32, each
 * a group's, and k_nbody_end adds up the parts.
 */
#include "kernels/dialect.h"

#define LANES_HERE 128

#if defined(__CUDACC__)
#define ALIGN_16 __align__(16)
#if defined(BE_REAL64)
/* The estimate to 2^-20 or better made better by y (1 + e (1/2 + 3/8 e)), e = 1 - x y^2; x is
 * neither 0 nor infinite here. */
DEVICE double inverse_root(double x) {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = fma(-x * y, y, 1.0);
    return fma(y * e, fma(0.375, e, 0.5), y);
}
#else
DEVICE float inverse_root(float x) { /* to 2^-22.9 */
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
#endif
#else
#define ALIGN_16 __attribute__((aligned(16)))
#define inverse_root(x) rsqrt(x)
#endif

#if defined(BE_REAL64)
#define SOFTENING 1e-4
#define MANY 2
#else
#define SOFTENING 1e-4f
#define MANY 4
#endif

struct ALIGN_16 body {
    REAL x, y, z, mass;
};

/* From `end` on, and beyond the last, without mass. */
DEVICE struct body load_body(GLOBAL const REAL *body, LONG n, LONG j, LONG end) {
    const LONG at = j < n ? j : n - 1;
    struct body b;
    b.x = body[at];
    b.y = body[n + at];
    b.z = body[2 * n + at];
    b.mass = j < n && j < end ? body[3 * n + at] : (REAL)0;
    return b;
}

/* sum + the pull of `by` at a body. */
DEVICE struct body pulled(struct body sum, struct body at, struct body by) {
    const REAL dx = by.x - at.x;
    const REAL dy = by.y - at.y;
    const REAL dz = by.z - at.z;
    const REAL r2 =
        REAL_FMA(dx, dx, REAL_FMA(dy, dy, REAL_FMA(dz, dz, (REAL)SOFTENING)));
    const REAL inverse = inverse_root(r2);
    const REAL s = by.mass * inverse * (inverse * inverse);
    sum.x = REAL_FMA(s, dx, sum.x);
    sum.y = REAL_FMA(s, dy, sum.y);
    sum.z = REAL_FMA(s, dz, sum.z);
    return sum;
}

/* to[(part * 3 + coordinate) * n + i]: with one part the result itself. */
DEVICE void pull(GLOBAL const REAL *body, GLOBAL REAL *to, LONG n, LONG span,
                 LOCAL struct body *tile, const int each) {
    const LONG parts = (n + span - 1) / span;
    const LONG part = GROUP(0) % parts;
    const LONG first = GROUP(0) / parts * (LANES_HERE * each) + LANE(0);
    const LONG end = (part + 1) * span;
    struct body mine[MANY], sum[MANY];
    UNROLL for (int i = 0; i < each; i++) {
        mine[i] = load_body(body, n, first + i * LANES_HERE, n);
        sum[i].x = sum[i].y = sum[i].z = sum[i].mass = 0;
    }
    for (LONG from = part * span; from < end && from < n; from += LANES_HERE) {
        const struct body next = load_body(body, n, from + LANE(0), end);
        const int here = end - from < LANES_HERE ? (int)(end - from) : LANES_HERE;
        BARRIER();
        tile[LANE(0)] = next;
        BARRIER();
        UNROLL_BY(8) for (int j = 0; j < here; j++) {
            const struct body by = tile[j];
            UNROLL for (int i = 0; i < each; i++) {
                sum[i] = pulled(sum[i], mine[i], by);
            }
        }
    }
    UNROLL for (int i = 0; i < each; i++) {
        const LONG at = first + i * LANES_HERE;
        if (at < n) {
            to[(part * 3 + 0) * n + at] = sum[i].x;
            to[(part * 3 + 1) * n + at] = sum[i].y;
            to[(part * 3 + 2) * n + at] = sum[i].z;
        }
    }
}

KERNEL LANES_MOST(LANES_HERE)
    k_nbody_one(GLOBAL const REAL *body, GLOBAL REAL *to, LONG n, LONG span) {
    SHARED struct body tile[LANES_HERE];
    pull(body, to, n, span, tile, 1);
}

KERNEL LANES_MOST(LANES_HERE)
    k_nbody_many(GLOBAL const REAL *body, GLOBAL REAL *to, LONG n, LONG span) {
    SHARED struct body tile[LANES_HERE];
    pull(body, to, n, span, tile, MANY);
}

/* One lane a number of the result. */
KERNEL k_nbody_end(GLOBAL const REAL *part, GLOBAL REAL *out, LONG n, LONG parts) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    REAL sum = 0;
    if (at >= 3 * n)
        return;
    for (LONG k = 0; k < parts; k++) {
        sum += part[k * 3 * n + at];
    }
    out[at] = sum;
}
