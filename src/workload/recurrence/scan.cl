/*
 * r[i] = (o[i] even ? d[i] : a[i]) + r[i-1], r[-1] = 0: the running sum of what is picked.
 *
 * k_serial does it as it is written. k_scan_sums, k_scan_tops and k_scan_tiles read everything
 * twice: the sum of each tile, the running sum of those, each tile from where it begins. k_scan_once
 * (CUDA) reads everything once: Merrill and Garland, "Single-pass parallel prefix scan with
 * decoupled look-back", NVIDIA NVR-2016-002.
 */
#include "kernels/dialect.h"

#define SCAN_LANES 256
#define SCAN_ITEMS 16 /* consecutive elements of a lane */
#define SCAN_TILE (SCAN_LANES * SCAN_ITEMS)
/* So that lanes which are SCAN_ITEMS apart do not meet in one bank of the shared memory. */
#define PADDED(i) ((i) + (i) / 32)

KERNEL k_serial(GLOBAL const int *o, GLOBAL const float *a, GLOBAL const float *d, GLOBAL float *r,
                LONG n) {
    float before = 0.0f;
    if (GROUP(0) != 0 || LANE(0) != 0)
        return;
    for (LONG i = 0; i < n; i++) {
        before += o[i] % 2 == 0 ? d[i] : a[i];
        r[i] = before;
    }
}

/* The number that element i adds; nothing behind the end. Both are loaded, so that neither load
 * waits. */
DEVICE float pick(GLOBAL const int *o, GLOBAL const float *a, GLOBAL const float *d, LONG i,
                  LONG n) {
    if (i >= n)
        return 0.0f;
    float odd = a[i];
    float even = d[i];
    return o[i] & 1 ? odd : even;
}

/* The sum of x over the lanes before this one; *upto: with this one's. room: twice SCAN_LANES. (Neither is
 * the other less or more x: a NaN or an infinity would come to lanes before it.) */
DEVICE float scan_lanes(float x, LOCAL float *room, float *upto) {
    int lane = (int)LANE(0);
    int here = 0;
    room[lane] = x;
    BARRIER();
    for (int apart = 1; apart < SCAN_LANES; apart *= 2) {
        int there = SCAN_LANES - here;
        room[there + lane] = room[here + lane] + (lane >= apart ? room[here + lane - apart] : 0.0f);
        here = there;
        BARRIER();
    }
    float before = lane > 0 ? room[here + lane - 1] : 0.0f;
    *upto = room[here + lane];
    BARRIER();
    return before;
}

/* sums[g] = the sum of tile g. */
KERNEL LANES_MOST(SCAN_LANES) k_scan_sums(GLOBAL const int *o, GLOBAL const float *a,
                                          GLOBAL const float *d, GLOBAL float *sums, LONG n) {
    SHARED float room[2 * SCAN_LANES];
    LONG start = GROUP(0) * SCAN_TILE + LANE(0);
    float x[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < SCAN_ITEMS; k++)
        x[k % 4] += pick(o, a, d, start + k * SCAN_LANES, n);
    float s;
    (void)scan_lanes((x[0] + x[1]) + (x[2] + x[3]), room, &s);
    if (LANE(0) == SCAN_LANES - 1)
        sums[GROUP(0)] = s;
}

/* One group: each of `tiles` sums becomes the sum of those before it. */
KERNEL LANES_MOST(SCAN_LANES) k_scan_tops(GLOBAL float *sums, LONG tiles) {
    SHARED float room[2 * SCAN_LANES];
    SHARED float last[1];
    float before = 0.0f;
    for (LONG first = 0; first < tiles; first += SCAN_LANES) {
        LONG i = first + LANE(0);
        float x = i < tiles ? sums[i] : 0.0f;
        float s;
        float here = scan_lanes(x, room, &s);
        if (i < tiles)
            sums[i] = before + here;
        if (LANE(0) == SCAN_LANES - 1)
            last[0] = s;
        BARRIER();
        before += last[0];
        BARRIER();
    }
}

/* Tile g, which begins at before[g]. */
KERNEL LANES_MOST(SCAN_LANES) k_scan_tiles(GLOBAL const int *o, GLOBAL const float *a,
                                           GLOBAL const float *d, GLOBAL float *r,
                                           GLOBAL const float *before, LONG n) {
    SHARED float tile[PADDED(SCAN_TILE)];
    SHARED float room[2 * SCAN_LANES];
    LONG start = GROUP(0) * SCAN_TILE;
    int lane = (int)LANE(0);
    for (int k = 0; k < SCAN_ITEMS; k++) {
        int i = k * SCAN_LANES + lane;
        tile[PADDED(i)] = pick(o, a, d, start + i, n);
    }
    BARRIER();
    float mine = 0.0f;
    for (int k = 0; k < SCAN_ITEMS; k++) {
        int i = PADDED(lane * SCAN_ITEMS + k);
        mine += tile[i];
        tile[i] = mine;
    }
    float upto;
    float from = before[GROUP(0)] + scan_lanes(mine, room, &upto);
    for (int k = 0; k < SCAN_ITEMS; k++)
        tile[PADDED(lane * SCAN_ITEMS + k)] += from;
    BARRIER();
    for (int k = 0; k < SCAN_ITEMS; k++) {
        int i = k * SCAN_LANES + lane;
        if (start + i < n)
            r[start + i] = tile[PADDED(i)];
    }
}

#if defined(__CUDACC__)

#define ALL 0xffffffffu
#define WARPS (SCAN_LANES / 32)
#define ROWS 4 /* a warp's tile: rows of four elements a lane */

/* A tile's message to the tiles behind it, in one word so that it is never seen by halves: a double
 * whose two lowest bits say what it is. Nothing yet is 0. */
#define SUM_OF_TILE 1ull
#define SUM_UP_TO_TILE 2ull
typedef unsigned long long word;

DEVICE word told(double sum, word what) {
    return ((word)__double_as_longlong(sum) & ~3ull) | what;
}

DEVICE double sum_told(word w) {
    return __longlong_as_double((long long)(w & ~3ull));
}

/* One warp: the sum of all tiles before `tile`, from what they tell; 32 at a time, nearest first,
 * up to one that knows the sum of all before it. */
DEVICE double look_back(const volatile word *state, LONG tile, int lane) {
    double before = 0.0;
    for (LONG at = tile - 1 - lane;; at -= 32) {
        word w;
        unsigned known, missing, needed;
        do {
            w = at >= 0 ? state[at] : told(0.0, SUM_UP_TO_TILE);
            known = __ballot_sync(ALL, (w & 3) == SUM_UP_TO_TILE);
            missing = __ballot_sync(ALL, (w & 3) == 0);
            needed = known ? (known & (0u - known)) * 2u - 1u : ALL;
        } while (missing & needed);
        double x = needed >> lane & 1u ? sum_told(w) : 0.0;
        for (int apart = 16; apart > 0; apart /= 2)
            x += __shfl_xor_sync(ALL, x, apart);
        before += x;
        if (known)
            return before;
    }
}

DEVICE void pick_rows(const int *o, const float *a, const float *d, LONG start, LONG n,
                      float v[ROWS][4]) {
    if (start + (ROWS - 1) * 128 + 4 <= n) {
        int4 p[ROWS];
        float4 x[ROWS], y[ROWS];
#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            p[k] = *(const int4 *)(o + start + k * 128);
            x[k] = *(const float4 *)(a + start + k * 128);
            y[k] = *(const float4 *)(d + start + k * 128);
        }
#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            v[k][0] = p[k].x & 1 ? x[k].x : y[k].x;
            v[k][1] = p[k].y & 1 ? x[k].y : y[k].y;
            v[k][2] = p[k].z & 1 ? x[k].z : y[k].z;
            v[k][3] = p[k].w & 1 ? x[k].w : y[k].w;
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < ROWS; k++)
        for (int j = 0; j < 4; j++)
            v[k][j] = pick(o, a, d, start + k * 128 + j, n);
}

/* Each element becomes the sum of the warp's elements up to it; returns the sum of all. */
DEVICE float scan_rows(float v[ROWS][4], int lane) {
    float upto[ROWS];
    float before = 0.0f;
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        for (int j = 1; j < 4; j++)
            v[k][j] += v[k][j - 1];
        upto[k] = v[k][3];
    }
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2)
        for (int k = 0; k < ROWS; k++) {
            float x = __shfl_up_sync(ALL, upto[k], apart);
            upto[k] += lane >= apart ? x : 0.0f;
        }
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        float x = __shfl_up_sync(ALL, upto[k], 1);
        float from = before + (lane > 0 ? x : 0.0f);
        for (int j = 0; j < 4; j++)
            v[k][j] += from;
        before += __shfl_sync(ALL, upto[k], 31);
    }
    return before;
}

/* In one pass. state: 2 + tiles words, zero before the launch: the first counts the tiles begun,
 * so that a tile only ever waits for tiles that have begun before it. */
KERNEL LANES_MOST(SCAN_LANES) k_scan_once(const int *o, const float *a, const float *d, float *r,
                                          word *state, LONG n) {
    __shared__ unsigned int begun;
    __shared__ float sum[WARPS];
    __shared__ double before;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        begun = atomicAdd((unsigned int *)state, 1u);
    __syncthreads();
    LONG tile = begun;
    LONG start = tile * SCAN_TILE + warp * (ROWS * 128) + lane * 4;
    float v[ROWS][4];
    pick_rows(o, a, d, start, n, v);
    float mine = scan_rows(v, lane);
    if (lane == 0)
        sum[warp] = mine;
    __syncthreads();
    double all = 0.0, here = 0.0;
    for (int w = 0; w < WARPS; w++) {
        here = w == warp ? all : here;
        all += sum[w];
    }
    if (warp == 0) {
        volatile word *told_here = state + 2;
        if (lane == 0 && tile > 0)
            told_here[tile] = told(all, SUM_OF_TILE);
        double x = look_back(told_here, tile, lane);
        if (lane == 0) {
            told_here[tile] = told(x + all, SUM_UP_TO_TILE);
            before = x;
        }
    }
    __syncthreads();
    float from = (float)(before + here);
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        LONG i = start + k * 128;
        if (i + 4 <= n)
            __stcs((float4 *)(r + i),
                   make_float4(v[k][0] + from, v[k][1] + from, v[k][2] + from, v[k][3] + from));
        else
            for (int j = 0; j < 4; j++)
                if (i + j < n)
                    r[i + j] = v[k][j] + from;
    }
}

#endif
