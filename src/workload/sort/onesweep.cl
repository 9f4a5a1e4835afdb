/*
 * A radix pass in one kernel, for CUDA: Adinets and Merrill, "Onesweep: a faster least significant
 * digit radix sort for GPUs" (arXiv 2206.01784). All digits of all passes are counted beforehand.
 * Each tile then sorts its keys, tells those behind it how many of each digit it has, and learns
 * from those before it where its own go; so a pass reads and writes each key once.
 */
#include "kernels/dialect.h"
#include "kernels/ranks.h"

#if defined(__CUDACC__)

#define DIGITS 256
#define PASSES 4
#define ONCE_LANES 384
#define ONCE_ITEMS 22 /* even */
#define ONCE_WARPS (ONCE_LANES / 32)
#define ONCE_TILE (ONCE_LANES * ONCE_ITEMS)
#define COUNT_LANES 256
#define ASKED 4

/* A tile's message on a digit: two bits say what, the others how many. Nothing yet is 0. */
#define OF_TILE (1u << 30)
#define UP_TO_TILE (2u << 30)
#define HOW_MANY (OF_TILE - 1u)

/* totals[pass * DIGITS + digit], zero before, += the counts of all n keys. */
KERNEL LANES_MOST(COUNT_LANES) k_once_count(const key *keys, key *totals, LONG n) {
    __shared__ key count[PASSES * DIGITS];
    for (int i = threadIdx.x; i < PASSES * DIGITS; i += COUNT_LANES)
        count[i] = 0;
    __syncthreads();
    LONG step = (LONG)gridDim.x * COUNT_LANES;
    LONG lane = GROUP(0) * COUNT_LANES + threadIdx.x;
    LONG vectors = n / 4;
    for (LONG i = lane; i < vectors; i += step) {
        uint4 v = *(const uint4 *)(keys + 4 * i);
#pragma unroll
        for (int p = 0; p < PASSES; p++) {
            atomicAdd(&count[p * DIGITS + digit_of<DIGITS>(v.x, 8 * p)], 1u);
            atomicAdd(&count[p * DIGITS + digit_of<DIGITS>(v.y, 8 * p)], 1u);
            atomicAdd(&count[p * DIGITS + digit_of<DIGITS>(v.z, 8 * p)], 1u);
            atomicAdd(&count[p * DIGITS + digit_of<DIGITS>(v.w, 8 * p)], 1u);
        }
    }
    for (LONG i = 4 * vectors + lane; i < n; i += step)
        for (int p = 0; p < PASSES; p++)
            atomicAdd(&count[p * DIGITS + digit_of<DIGITS>(keys[i], 8 * p)], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < PASSES * DIGITS; i += COUNT_LANES)
        if (count[i])
            atomicAdd(&totals[i], count[i]);
}

/* One group a pass: each digit's total becomes where its keys begin. */
KERNEL LANES_MOST(DIGITS) k_once_starts(key *totals) {
    __shared__ key room[DIGITS / 32];
    key *mine = totals + GROUP(0) * DIGITS + threadIdx.x;
    *mine = before_digit<DIGITS>(*mine, room);
}

/* How many keys of digit `d` all tiles before `tile` have. Several tiles are asked at a time, so
 * that their answers do not wait for each other. */
DEVICE key look_back(const volatile key *state, LONG tile, int d) {
    key sum = 0;
    for (LONG at = tile - 1; at >= 0; at -= ASKED) {
        key told[ASKED];
#pragma unroll
        for (int k = 0; k < ASKED; k++)
            told[k] = at >= k ? state[(at - k) * DIGITS + d] : UP_TO_TILE;
#pragma unroll
        for (int k = 0; k < ASKED; k++) {
            while (told[k] == 0)
                told[k] = state[(at - k) * DIGITS + d];
            sum += told[k] & HOW_MANY;
            if (told[k] & UP_TO_TILE)
                return sum;
        }
    }
    return sum;
}

/* starts: of this pass; begun: one zero; state: DIGITS zeroes a tile. n < 2^30. */
KERNEL __launch_bounds__(ONCE_LANES, 2)
    k_once_sweep(const key *keys, key *sorted, const key *starts, key *begun, key *state, LONG n,
                 int shift) {
    __shared__ key tile_keys[ONCE_TILE]; /* before it holds keys: the masks of the warps */
    __shared__ key count[ONCE_WARPS * DIGITS];
    __shared__ key room[ONCE_WARPS];
    __shared__ key place[DIGITS]; /* of a digit's first key, less its index in the tile */
    __shared__ key tile_here;
    int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    key x[ONCE_ITEMS], rank[ONCE_ITEMS / 2];
    if (thread == 0)
        tile_here = atomicAdd(begun, 1u);
    for (int i = thread; i < ONCE_WARPS * DIGITS; i += ONCE_LANES) {
        count[i] = 0;
        tile_keys[i] = 0;
    }
    __syncthreads();
    LONG tile = tile_here;
    LONG start = tile * ONCE_TILE;
    int size = n - start < ONCE_TILE ? (int)(n - start) : ONCE_TILE;
    int first = warp * 32 * ONCE_ITEMS + lane;
#pragma unroll
    for (int k = 0; k < ONCE_ITEMS; k++)
        x[k] = first + 32 * k < size ? keys[start + first + 32 * k] : ALL; /* stay behind */
    rank_keys<DIGITS, ONCE_ITEMS>(x, rank, count + warp * DIGITS, tile_keys + warp * DIGITS, shift);
    __syncthreads();

    key here = before_warp<DIGITS, ONCE_WARPS>(count); /* of this lane's digit in the tile */
    if (thread < DIGITS)
        ((volatile key *)state)[tile * DIGITS + thread] = (tile > 0 ? OF_TILE : UP_TO_TILE) | here;
    key before = before_digit<DIGITS>(here, room);
    from_start<DIGITS, ONCE_WARPS>(count, before);
#pragma unroll
    for (int k = 0; k < ONCE_ITEMS; k++) {
        key mine = rank_of(rank, k);
        tile_keys[count[warp * DIGITS + digit_of<DIGITS>(x[k], shift)] + mine] = x[k];
    }
    if (thread < DIGITS) {
        key sum = look_back(state, tile, thread);
        if (tile > 0)
            ((volatile key *)state)[tile * DIGITS + thread] = UP_TO_TILE | (sum + here);
        place[thread] = starts[thread] + sum - before;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ONCE_ITEMS; k++) {
        int i = thread + k * ONCE_LANES;
        if (i < size) {
            key y = tile_keys[i];
            sorted[place[digit_of<DIGITS>(y, shift)] + i] = y;
        }
    }
}

#endif
