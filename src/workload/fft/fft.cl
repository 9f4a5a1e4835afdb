/*
 * Forward Fourier transforms of N complex numbers, N a power of two, in one to three passes with large
 * radices R. The first reads x and writes y, the others change y where it lies:
 *
 *   y[row(f) R + k]    = sum over j of x[f + N / R j] w(R)^(j k) w(N)^(f k),
 *   y[q + S (R p + k)] = sum over j of y[q + S (R p + j)] w(R)^(j k) w(N / S)^(p k),  f = q + S p,
 *
 * where w(m) = exp(-2 pi i / m), S is the product of the radices of the passes before, 0 <= k < R, 0 <= q < S. The
 * first of three passes writes its rows in the order in which the second takes them: row(f) = f / R3 + R2 (f mod R3);
 * else row(f) = f. A group does C neighbouring f. Its R-point transforms are passes of Stockham's method with radices
 * up to 16, done in a lane's registers; between them numbers change lanes through shared memory, first the real parts,
 * then the imaginary ones, so that it need be half as large. Whatever a group writes it has read before: with radices
 * above 16 it has a barrier in between, with others a lane writes what it read.
 *
 * Several transforms lie one behind the other, in y with a gap of G numbers behind each; f counts on from one to the
 * next. Lines of images are such, each one pass. Columns of an image are a pass with R = its rows and S = its width,
 * which is all of its N = R S numbers, so that no factor w(N / S) is left. Real numbers are transformed as half as many
 * complex ones; k_fft_split makes their spectrum of that.
 *
 * Defined before: PASSES, EACH (numbers a lane: 16, or N if that is less), ROOM (numbers a group
 * at most), and of each pass i = 1 .. PASSES its Ni, Ri, Ci, Si, Gi, and Ai, how many f there are in all. A group of
 * pass i has Ri Ci / EACH lanes, and there are Ai / Ci of them, rounded up. MANY: of several transforms. HALF: complex
 * numbers of a real line, in so many LINES.
 */
#include "kernels/dialect.h"

#if !defined(PASSES)
#define PASSES 2
#define EACH 16
#define ROOM 8192
#define N1 (1 << 20)
#define R1 1024
#define C1 8
#define S1 1
#define G1 0
#define A1 1024
#define N2 (1 << 20)
#define R2 1024
#define C2 8
#define S2 1024
#define G2 0
#define A2 1024
#endif

#if defined(__CUDACC__)
#define SINCOSPI(x, s, c) sincospif(x, &(s), &(c))
#else
#define SINCOSPI(x, s, c)                                                                          \
    s = sinpi(x);                                                                                  \
    c = cospi(x)
#endif

DEVICE float2 complex_of(float x, float y) {
    float2 z;
    z.x = x;
    z.y = y;
    return z;
}

DEVICE float2 plus(float2 a, float2 b) {
    return complex_of(a.x + b.x, a.y + b.y);
}

DEVICE float2 minus(float2 a, float2 b) {
    return complex_of(a.x - b.x, a.y - b.y);
}

DEVICE float2 times(float2 a, float2 b) {
    return complex_of(FMA(a.x, b.x, -(a.y * b.y)), FMA(a.x, b.y, a.y * b.x));
}

/* ---- small transforms in registers ------------------------------------------------------------ */

DEVICE void two(float2 *a, float2 *b) {
    float2 sum = plus(*a, *b);
    *b = minus(*a, *b);
    *a = sum;
}

DEVICE void four(float2 *a, float2 *b, float2 *c, float2 *d) {
    float2 turned;
    two(a, c);
    two(b, d);
    turned = complex_of(d->y, -d->x);
    *d = minus(*c, turned);
    turned = plus(*c, turned);
    *c = minus(*a, *b);
    *a = plus(*a, *b);
    *b = turned;
}

/* Number k of the result of `radix` numbers is v[PLACE(radix, k)]. */
#define PLACE(radix, k)                                                                            \
    ((radix) == 16 ? 4 * ((k) % 4) + (k) / 4 : (radix) == 8 ? 4 * ((k) % 2) + (k) / 2 : (k))

#define COS_8 0.70710678118654752f  /* pi / 4 */
#define COS_16 0.92387953251128676f /* pi / 8 */
#define SIN_16 0.38268343236508977f

DEVICE void eight(float2 *v) {
    int i;
    UNROLL for (i = 0; i < 4; i++) two(&v[i], &v[i + 4]);
    v[5] = complex_of(COS_8 * (v[5].x + v[5].y), COS_8 * (v[5].y - v[5].x));
    v[6] = complex_of(v[6].y, -v[6].x);
    v[7] = complex_of(COS_8 * (v[7].y - v[7].x), -COS_8 * (v[7].x + v[7].y));
    four(&v[0], &v[1], &v[2], &v[3]);
    four(&v[4], &v[5], &v[6], &v[7]);
}

DEVICE void sixteen(float2 *v) {
    int i;
    UNROLL for (i = 0; i < 4; i++) four(&v[i], &v[i + 4], &v[i + 8], &v[i + 12]);
    v[5] = times(v[5], complex_of(COS_16, -SIN_16));
    v[6] = complex_of(COS_8 * (v[6].x + v[6].y), COS_8 * (v[6].y - v[6].x));
    v[7] = times(v[7], complex_of(SIN_16, -COS_16));
    v[9] = complex_of(COS_8 * (v[9].x + v[9].y), COS_8 * (v[9].y - v[9].x));
    v[10] = complex_of(v[10].y, -v[10].x);
    v[11] = complex_of(COS_8 * (v[11].y - v[11].x), -COS_8 * (v[11].x + v[11].y));
    v[13] = times(v[13], complex_of(SIN_16, -COS_16));
    v[14] = complex_of(COS_8 * (v[14].y - v[14].x), -COS_8 * (v[14].x + v[14].y));
    v[15] = times(v[15], complex_of(-COS_16, SIN_16));
    UNROLL for (i = 0; i < 4; i++) four(&v[4 * i], &v[4 * i + 1], &v[4 * i + 2], &v[4 * i + 3]);
}

DEVICE void transform(float2 *v, int radix) {
    if (radix == 16)
        sixteen(v);
    else if (radix == 8)
        eight(v);
    else if (radix == 4)
        four(&v[0], &v[1], &v[2], &v[3]);
    else
        two(&v[0], &v[1]);
}

/* ---- twiddle factors -------------------------------------------------------------------------- */

/* w(period)^index, period a power of two. */
DEVICE float2 root(int index, int period) {
    float2 z;
    float turns;
    index &= period - 1;
    index -= index >= period / 2 ? period : 0;
    turns = (float)index * (-2.0f / (float)period);
    SINCOSPI(turns, z.y, z.x);
    return z;
}

/* Number k of a result of `radix` numbers times w(period)^(index k): powers 1, 2, 4 and 8 are
 * computed, the others are products of those. */
DEVICE void twist(float2 *v, int radix, int index, int period) {
    float2 power[16];
    int k;
    power[0] = complex_of(1.0f, 0.0f);
    UNROLL for (k = 1; k < 16; k++) {
        if (k < radix) {
            int top = k >= 8 ? 8 : k >= 4 ? 4 : k >= 2 ? 2 : 1;
            power[k] = k == top ? root(index * k, period) : times(power[top], power[k - top]);
            v[PLACE(radix, k)] = times(v[PLACE(radix, k)], power[k]);
        }
    }
}

/* ---- one pass --------------------------------------------------------------------------------- */

/* The radix at the step before which numbers were combined `done` at a time. */
#define RADIX(r, done) ((r) / (done) >= 16 ? 16 : (r) / (done))

/* So that lanes which write 16 apart do not meet in a bank. */
#define SKEW(i) ((i) + ((i) >> 4))

/* Where the first pass writes the transform of column f. */
#if PASSES > 2
#define ROW(f) ((f) / R3 + R2 * ((f) % R3))
#else
#define ROW(f) (f)
#endif

/* Column f is number IN(f, count) of the columns of transform number OF(f, count), which has `count`. */
#if defined(MANY)
#define OF(f, count) ((f) / (count))
#define IN(f, count) ((f) % (count))
#else
#define OF(f, count) 0
#define IN(f, count) (f)
#endif

/* The column and the place of a lane's transform number t of the step. In the last step of the first
 * pass, and of several lines in all steps, neighbouring lanes have neighbouring places, since the result of a column lies
 * in one piece; elsewhere neighbouring columns. */
#define COLUMN(id, along) ((along) ? (id) / (r / radix) : (id) % c)
#define WITHIN(id, along) ((along) ? (id) % (r / radix) : (id) / c)
#define PLACE_OF(at, column) (lines ? (column)*r + (at) : (at)*c + (column))

/* The next step's numbers, from this one's, for one of the two parts. */
#define EXCHANGE(part)                                                                             \
    BARRIER();                                                                                     \
    UNROLL for (e = 0; e < EACH; e++) {                                                            \
        int id = lane + lanes * (e / radix), k = e % radix;                                        \
        int at = WITHIN(id, lines), p = at / done, q = at % done;                                  \
        int i = PLACE_OF(q + done * (radix * p + k), COLUMN(id, lines));                           \
        shared[SKEW(i)] = v[e - k + PLACE(radix, k)].part;                                         \
    }                                                                                              \
    BARRIER();                                                                                     \
    {                                                                                              \
        int after = done * radix;                                                                  \
        int next = RADIX(r, after);                                                                \
        int along = lines || (s == 1 && after * next == r);                                        \
        UNROLL for (e = 0; e < EACH; e++) {                                                        \
            int id = lane + lanes * (e / next), k = e % next;                                      \
            int column = along ? id / (r / next) : id % c;                                         \
            int at = along ? id % (r / next) : id / c;                                             \
            u[e].part = shared[SKEW(PLACE_OF(at + r / next * k, column))];                         \
        }                                                                                          \
    }

/* all: columns of all transforms. The last group may have fewer than c. */
DEVICE void pass(GLOBAL const float2 *x, GLOBAL float2 *y, LOCAL float *shared, const int n,
                 const int r, const int c, const int s, const int gap, const int all) {
    const int lanes = r * c / EACH;
    const int lane = (int)LANE(0);
    const int f = (int)GROUP(0) * c;
    const int lines = s == 1 && n == r && c > 1;
    float2 v[EACH], u[EACH];
    int done = 1, step, e, t;
    UNROLL for (e = 0; e < EACH; e++) {
        const int radix = RADIX(r, 1);
        const int along = lines || (s == 1 && radix == r);
        int id = lane + lanes * (e / radix), k = e % radix;
        int from = f + COLUMN(id, along), j = WITHIN(id, along) + r / radix * k;
        v[e] = complex_of(0.0f, 0.0f);
        if (all % c == 0 || from < all)
            v[e] = s == 1 ? x[OF(from, n / r) * n + IN(from, n / r) + n / r * j]
                          : y[OF(from, n / r) * gap + from % s + s * (r * (from / s) + j)];
    }
    UNROLL for (step = 0; step < 4; step++) {
        const int radix = RADIX(r, done);
        if (done < r) {
            UNROLL for (t = 0; t < EACH / radix; t++) {
                transform(&v[t * radix], radix);
                if (done * radix < r) {
                    int id = lane + lanes * t;
                    twist(&v[t * radix], radix, WITHIN(id, lines) / done, r / done);
                }
            }
            if (done * radix < r) {
                EXCHANGE(x)
                EXCHANGE(y)
                UNROLL for (e = 0; e < EACH; e++) v[e] = u[e];
            } else {
                UNROLL for (t = 0; t < EACH / radix; t++) {
                    int id = lane + lanes * t, k;
                    int from = f + COLUMN(id, s == 1), at = WITHIN(id, s == 1);
                    int p = IN(from, n / r) / s, q = from % s;
                    int row = s == 1 ? ROW(p) : p;
                    int to = OF(from, n / r) * (n + gap) + q + s * (r * row + at);
                    float2 first = root(p * at, n / s);
                    if (s * r < n)
                        twist(&v[t * radix], radix, p * done, n / s);
                    UNROLL for (k = 0; k < radix; k++) {
                        float2 z = v[t * radix + PLACE(radix, k)];
                        if (all % c == 0 || from < all)
                            y[to + s * done * k] = s * r < n ? times(z, first) : z;
                    }
                }
            }
            done *= radix;
        }
    }
}

KERNEL LANES_MOST(ROOM / EACH)
    k_fft_1(GLOBAL const float2 *x, GLOBAL float2 *y) {
    SHARED float shared[SKEW(ROOM)];
    pass(x, y, shared, N1, R1, C1, S1, G1, A1);
}

#if PASSES > 1
KERNEL LANES_MOST(ROOM / EACH)
    k_fft_2(GLOBAL const float2 *x, GLOBAL float2 *y) {
    SHARED float shared[SKEW(ROOM)];
    pass(x, y, shared, N2, R2, C2, S2, G2, A2);
}
#endif

#if PASSES > 2
KERNEL LANES_MOST(ROOM / EACH)
    k_fft_3(GLOBAL const float2 *x, GLOBAL float2 *y) {
    SHARED float shared[SKEW(ROOM)];
    pass(x, y, shared, N3, R3, C3, S3, G3, A3);
}
#endif

#if defined(HALF)
/* Numbers k and HALF - k of the spectrum of a real line, from those of the transform of its pairs: a lane each, of all
 * k up to HALF / 2 and all lines. */
KERNEL LANES_MOST(256)
    k_fft_split(GLOBAL float2 *y) {
    LONG i = GROUP(0) * 256 + LANE(0);
    LONG line = i / (HALF / 2 + 1);
    int k = (int)(i % (HALF / 2 + 1));
    if (line < LINES) {
        GLOBAL float2 *z = y + line * (HALF + 1);
        float2 a = z[k], b = z[k == 0 ? 0 : HALF - k];
        float2 even = complex_of(0.5f * (a.x + b.x), 0.5f * (a.y - b.y));
        float2 odd = complex_of(0.5f * (a.y + b.y), 0.5f * (b.x - a.x));
        odd = times(odd, root(k, 2 * HALF));
        z[k] = plus(even, odd);
        z[HALF - k] = complex_of(even.x - odd.x, odd.y - even.y);
    }
}
#endif
