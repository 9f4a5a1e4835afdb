/*
 * Gradient descent in one launch, CUDA only: w <- w - factor X'(Xw - y), X in rows of FEATURES
 * numbers (defined for the problem). All groups run at the same time and tell each other their sums
 * after each step; each then works out the same weights for itself, so that there is nothing else
 * to wait for.
 *
 * A number of lanes that is a power of two, ALONG, goes along a row, each with EACH of its numbers,
 * ALONG apart. A warp takes BATCH times BESIDE rows at once, in registers.
 */
#include "kernels/dialect.h"

#if defined(__CUDACC__)

#define WARPS 16
#define LANES_HERE (32 * WARPS)
#define ALL 0xffffffffu

#define ALONG                                                                                      \
    (FEATURES > 16  ? 32                                                                           \
     : FEATURES > 8 ? 16                                                                           \
     : FEATURES > 4 ? 8                                                                            \
     : FEATURES > 2 ? 4                                                                            \
     : FEATURES > 1 ? 2                                                                            \
                    : 1)
#define EACH ((FEATURES + ALONG - 1) / ALONG)
#define BESIDE (32 / ALONG) /* rows side by side in a warp */
#define KEPT (EACH > 2 ? 8 : 16)                  /* BATCH where all rows stay in registers */
#define PASSING (sizeof(REAL) > 4 ? KEPT / 2 : KEPT) /* and where they go by, two at a time */

/* Lanes that read a group's sums, a feature each, and how many share the groups. */
#define SPREAD (FEATURES > 64 ? 128 : FEATURES > 32 ? 64 : ALONG)
#define PARTS (LANES_HERE / SPREAD < 16 ? LANES_HERE / SPREAD : 16)

/* ---- rows ----------------------------------------------------------------------------------- */

/* After the sums over ALONG lanes a lane has those of FOUND rows, which SAME lanes have alike. */
template <int BATCH> struct batch {
    enum {
        ROWS = BATCH * BESIDE,
        FOUND = BATCH > ALONG ? BATCH / ALONG : 1,
        SAME = ALONG > BATCH ? ALONG / BATCH : 1
    };
    REAL x[BATCH][EACH];
    REAL y[FOUND];
    int skip; /* rows, the first, that do not count */
};

/* The policy for data that are read again in each step: how long L2 keeps them. */
#if __CUDA_ARCH__ >= 800
DEVICE unsigned long long policy_keep(void) {
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}
DEVICE unsigned long long policy_pass(void) {
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

#if defined(BE_REAL64)
#define LOAD "ld.global.nc.L2::cache_hint.f64 %0, [%1], %2;"
#define TO "=d"
#else
#define LOAD "ld.global.nc.L2::cache_hint.f32 %0, [%1], %2;"
#define TO "=f"
#endif
DEVICE REAL load(const REAL *from, unsigned long long policy) {
    REAL v;
    asm(LOAD : TO(v) : "l"(from), "l"(policy));
    return v;
}

/* `bytes` that were kept are no more than others, for whatever comes after. */
DEVICE void keep_no_more(const void *from, LONG bytes) {
    const LONG line = 128, lanes = (LONG)gridDim.x * blockDim.x;
    const char *first = (const char *)((unsigned long long)from / line * line);
    for (LONG i = GROUP(0) * blockDim.x + threadIdx.x; i < bytes / line; i += lanes)
        asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(first + i * line)
                     : "memory");
}
#else
DEVICE unsigned long long policy_keep(void) {
    return 0;
}
DEVICE unsigned long long policy_pass(void) {
    return 0;
}
DEVICE REAL load(const REAL *from, unsigned long long policy) {
    return *from;
}
DEVICE void keep_no_more(const void *from, LONG bytes) {
}
#endif

/* Rows from `row` on; those that are not there are zeroes. */
template <int BATCH>
DEVICE void load_some(batch<BATCH> *b, const REAL *x, const REAL *y, LONG row, LONG n) {
    int along = (int)threadIdx.x % ALONG, beside = (int)threadIdx.x % 32 / ALONG;
    const REAL *from = x + (row + beside) * FEATURES + along;
    b->skip = 0;
    UNROLL for (int u = 0; u < BATCH; u++) {
        UNROLL for (int c = 0; c < EACH; c++) {
            bool there = row + beside + u * BESIDE < n && along + c * ALONG < FEATURES;
            b->x[u][c] = there ? from[u * BESIDE * FEATURES + c * ALONG] : 0;
        }
    }
    UNROLL for (int i = 0; i < b->FOUND; i++) {
        LONG at = row + beside + (along / b->SAME * b->FOUND + i) * BESIDE;
        b->y[i] = at < n ? y[at] : 0;
    }
}

/* Rows from `row` on, of which there are more before it: where some are not there, all begins so
 * much earlier. For features that are not there the last is taken, whose weight is 0 then. So no
 * load has a condition, and their addresses are constants apart. */
template <int BATCH>
DEVICE void load_all(batch<BATCH> *b, const REAL *x, const REAL *y, LONG row, LONG n,
                     unsigned long long policy) {
    int along = (int)threadIdx.x % ALONG, beside = (int)threadIdx.x % 32 / ALONG;
    int last = (EACH - 1) * ALONG + along;
    LONG first = row + b->ROWS <= n ? row : n - b->ROWS;
    const REAL *from = x + (first + beside) * FEATURES;
    const REAL *errors = y + first + beside + along / b->SAME * b->FOUND * BESIDE;
    b->skip = row - first < b->ROWS ? (int)(row - first) : b->ROWS;
    last = last < FEATURES ? last : FEATURES - 1;
    UNROLL for (int u = 0; u < BATCH; u++) {
        UNROLL for (int c = 0; c < EACH; c++) {
            const REAL *at = from + (c < EACH - 1 ? along + c * ALONG : last);
            b->x[u][c] = load(at + u * BESIDE * FEATURES, policy);
        }
    }
    UNROLL for (int i = 0; i < b->FOUND; i++) b->y[i] = errors[i * BESIDE];
}

/* Sums over lanes FAR and less apart, of HAVE numbers in each: of two such lanes each gives half of
 * the numbers to the other and adds what it gets to those that it keeps. */
template <int HAVE, int FAR> DEVICE void sum_lanes(REAL *sum) {
    if constexpr (FAR > 0 && HAVE > 1) {
        const int half = HAVE / 2;
        bool upper = (threadIdx.x & FAR) != 0;
        UNROLL for (int u = 0; u < half; u++) {
            REAL give = upper ? sum[u] : sum[u + half];
            REAL keep = upper ? sum[u + half] : sum[u];
            sum[u] = keep + __shfl_xor_sync(ALL, give, FAR);
        }
        sum_lanes<half, FAR / 2>(sum);
    } else if constexpr (FAR > 0) {
        sum[0] += __shfl_xor_sync(ALL, sum[0], FAR);
        sum_lanes<1, FAR / 2>(sum);
    }
}

/* g += X'(Xw - y) of a batch. */
template <int BATCH> DEVICE void add_batch(const batch<BATCH> *b, const REAL *w, REAL *g) {
    REAL r[BATCH];
    UNROLL for (int u = 0; u < BATCH; u++) {
        r[u] = b->x[u][0] * w[0];
        UNROLL for (int c = 1; c < EACH; c++) r[u] = REAL_FMA(b->x[u][c], w[c], r[u]);
    }
    sum_lanes<BATCH, ALONG / 2>(r);
    const int found = batch<BATCH>::FOUND, same = batch<BATCH>::SAME;
    REAL error[found];
    int row = (int)threadIdx.x % 32 / ALONG + (int)threadIdx.x % ALONG / same * found * BESIDE;
    UNROLL for (int i = 0; i < found; i++) {
        error[i] = row + i * BESIDE >= b->skip ? r[i] - b->y[i] : 0;
    }
    UNROLL for (int u = 0; u < BATCH; u++) {
        REAL one = __shfl_sync(ALL, error[u % found], u / found * same, ALONG);
        UNROLL for (int c = 0; c < EACH; c++) g[c] = REAL_FMA(one, b->x[u][c], g[c]);
    }
}

/* ---- groups --------------------------------------------------------------------------------- */

/* A number with the step it belongs to, in words that are written and read at once: who sees the
 * step sees the number, and nothing has to be ordered. */
#if defined(BE_REAL64)
#define WORDS 2
DEVICE void tell(unsigned long long *to, double v, unsigned step) {
    unsigned long long bits = (unsigned long long)__double_as_longlong(v);
    asm volatile("st.relaxed.gpu.global.b64 [%0], %1;" ::"l"(to),
                 "l"((bits << 32) | step) : "memory");
    asm volatile("st.relaxed.gpu.global.b64 [%0], %1;" ::"l"(to + 1),
                 "l"((bits >> 32 << 32) | step) : "memory");
}
#else
#define WORDS 1
DEVICE void tell(unsigned long long *to, float v, unsigned step) {
    unsigned long long bits = (unsigned)__float_as_int(v);
    asm volatile("st.relaxed.gpu.global.b64 [%0], %1;" ::"l"(to),
                 "l"((bits << 32) | step) : "memory");
}
#endif

DEVICE unsigned long long look(const unsigned long long *at) {
    unsigned long long v;
    asm volatile("ld.relaxed.gpu.global.b64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
    return v;
}

/* Waits until it is of this step. */
DEVICE unsigned long long word(const unsigned long long *at, unsigned long long v, unsigned step) {
    while ((unsigned)v != step)
        v = look(at);
    return v;
}

/* The sum of what every PARTS-th group from `part` on has of a feature. AHEAD of them are asked
 * before the first answer is waited for. */
template <int AHEAD>
DEVICE REAL hear(const unsigned long long *slot, int feature, int part, int groups, unsigned step) {
    REAL sum = 0;
    for (int first = part; first < groups; first += AHEAD * PARTS) {
        unsigned long long v[AHEAD][WORDS];
        UNROLL for (int i = 0; i < AHEAD; i++) {
            int group = first + i * PARTS;
            const unsigned long long *at = slot + (group * FEATURES + feature) * WORDS;
            UNROLL for (int k = 0; k < WORDS; k++) v[i][k] = group < groups ? look(at + k) : 0;
        }
        UNROLL for (int i = 0; i < AHEAD; i++) {
            int group = first + i * PARTS;
            if (group < groups) {
                const unsigned long long *at = slot + (group * FEATURES + feature) * WORDS;
                UNROLL for (int k = 0; k < WORDS; k++) v[i][k] = word(at + k, v[i][k], step);
#if defined(BE_REAL64)
                sum += __longlong_as_double((long long)((v[i][0] >> 32) | (v[i][1] >> 32 << 32)));
#else
                sum += __int_as_float((int)(v[i][0] >> 32));
#endif
            }
        }
    }
    return sum;
}

/* The sums of all lanes of all groups, in every lane: of feature ALONG c + lane % ALONG in g[c].
 * step: from 1 on. slots: 2 x groups x FEATURES x WORDS, of steps that are not these. */
template <int AHEAD> DEVICE void exchange(REAL *g, unsigned long long *slots, unsigned step) {
    __shared__ REAL warps[WARPS][ALONG * EACH];
    __shared__ REAL parts[PARTS][ALONG * EACH];
    int lane = (int)threadIdx.x, along = lane % ALONG, groups = (int)gridDim.x;
    unsigned long long *slot = slots + (LONG)(step % 2) * groups * FEATURES * WORDS;
    UNROLL for (int far = ALONG; far < 32; far *= 2) {
        UNROLL for (int c = 0; c < EACH; c++) g[c] += __shfl_xor_sync(ALL, g[c], far);
    }
    if (lane % 32 < ALONG) {
        UNROLL for (int c = 0; c < EACH; c++) warps[lane / 32][c * ALONG + along] = g[c];
    }
    __syncthreads();
    if (lane < FEATURES) {
        REAL sum = 0;
        UNROLL for (int i = 0; i < WARPS; i++) sum += warps[i][lane];
        tell(slot + ((LONG)blockIdx.x * FEATURES + lane) * WORDS, sum, step);
    }
    int feature = lane % SPREAD;
    if (lane < SPREAD * PARTS && feature < FEATURES)
        parts[lane / SPREAD][feature] = hear<AHEAD>(slot, feature, lane / SPREAD, groups, step);
    __syncthreads();
    UNROLL for (int c = 0; c < EACH; c++) {
        g[c] = 0;
        if (c * ALONG + along < FEATURES) {
            UNROLL for (int i = 0; i < PARTS; i++) g[c] += parts[i][c * ALONG + along];
        }
    }
}

DEVICE void write_weights(REAL *out, const REAL *w) {
    int lane = (int)threadIdx.x;
    UNROLL for (int c = 0; c < EACH; c++) {
        if (blockIdx.x == 0 && lane < ALONG && lane + c * ALONG < FEATURES)
            out[lane + c * ALONG] = w[c];
    }
}

/* ---- kernels -------------------------------------------------------------------------------- */

/* No more rows than lanes' registers hold: a batch a warp. */
KERNEL __launch_bounds__(LANES_HERE, 1)
    k_regress_kept(const REAL *x, const REAL *y, REAL *out, unsigned long long *slots, LONG n,
                   LONG keep, REAL factor, LONG steps) {
    batch<KEPT> b;
    REAL w[EACH], g[EACH];
    load_some(&b, x, y, (GROUP(0) * WARPS + threadIdx.x / 32) * b.ROWS, n);
    UNROLL for (int c = 0; c < EACH; c++) w[c] = 0;
    for (unsigned step = 1; step <= steps; step++) {
        UNROLL for (int c = 0; c < EACH; c++) g[c] = 0;
        add_batch(&b, w, g);
        exchange<5>(g, slots, step); /* 40 groups in one go */
        UNROLL for (int c = 0; c < EACH; c++) w[c] -= factor * g[c];
    }
    write_weights(out, w);
}

/* Any number of rows, no fewer than a batch. The next batch is on its way while one is computed
 * with, and the first of the next step while the groups wait for each other. Batches go in pairs,
 * so that none moves from register to register; those behind the end have no rows that count. keep:
 * rows that are to stay in L2. */
KERNEL __launch_bounds__(LANES_HERE, 1)
    k_regress_passing(const REAL *x, const REAL *y, REAL *out, unsigned long long *slots, LONG n,
                      LONG keep, REAL factor, LONG steps) {
    batch<PASSING> even, odd;
    LONG mine = ((LONG)(threadIdx.x / 32) * gridDim.x + GROUP(0)) * even.ROWS;
    LONG apart = (LONG)gridDim.x * WARPS * even.ROWS;
    unsigned long long kept = policy_keep(), passing = policy_pass();
    REAL w[EACH], g[EACH];
    UNROLL for (int c = 0; c < EACH; c++) w[c] = g[c] = 0;
    load_all(&even, x, y, mine, n, mine < keep ? kept : passing);
    for (unsigned step = 1; step <= steps; step++) {
        for (LONG row = mine, start = 0; start < n; start += 2 * apart) {
            row += apart;
            load_all(&odd, x, y, row, n, row < keep ? kept : passing);
            add_batch(&even, w, g);
            row = start + 2 * apart < n ? row + apart : mine;
            load_all(&even, x, y, row, n, row < keep ? kept : passing);
            add_batch(&odd, w, g);
        }
        exchange<17 / WORDS>(g, slots, step); /* 132, or half of them */
        UNROLL for (int c = 0; c < EACH; c++) {
            w[c] -= factor * g[c];
            g[c] = 0;
        }
    }
    keep_no_more(x, (keep < n ? keep : n) * FEATURES * (LONG)sizeof(REAL));
    write_weights(out, w);
}

#endif
