/*
 * For kernels that sort a tile of keys by one digit, on CUDA: each key's place among those of its warp, and
 * the sums over digits. DIGITS is a power of two, and a group has at least so many threads.
 */
#ifndef BE_KERNELS_RANKS_H
#define BE_KERNELS_RANKS_H

#if defined(__CUDACC__)

#define ALL 0xffffffffu

typedef unsigned int key;

template <int DIGITS> DEVICE int digit_of(key x, int shift) {
    return (int)(x >> shift & (DIGITS - 1));
}

/* The sum of x over the lanes before this one, of the first DIGITS lanes; the others take part. */
template <int DIGITS> DEVICE key before_digit(key x, key *room) {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    key sum = x, before = 0;
    for (int apart = 1; apart < 32; apart *= 2) {
        key other = __shfl_up_sync(ALL, sum, apart);
        sum += lane >= apart ? other : 0u;
    }
    if (lane == 31)
        room[warp] = sum;
    __syncthreads();
    for (int w = 0; w < DIGITS / 32; w++)
        before += w < warp ? room[w] : 0u;
    __syncthreads();
    return before + sum - x;
}

/* Each key's place among those of its warp with its digit, two to a word; count: of the digits of
 * this warp. The lanes with the same digit find each other in a mask, and the first of them counts
 * for all. */
template <int DIGITS, int ITEMS>
DEVICE void rank_keys(const key *x, key *rank, key *count, key *mask, int shift) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        int d = digit_of<DIGITS>(x[k], shift);
        atomicOr(&mask[d], 1u << lane);
        __syncwarp();
        key same = ((volatile key *)mask)[d];
        key below = same & ((1u << lane) - 1u);
        key before = ((volatile key *)count)[d];
        __syncwarp();
        if (below == 0) {
            ((volatile key *)count)[d] = before + __popc(same);
            ((volatile key *)mask)[d] = 0;
        }
        key mine = before + __popc(below);
        rank[k / 2] = k % 2 ? rank[k / 2] | mine << 16 : mine;
        __syncwarp();
    }
}

/* The counts of digit threadIdx.x in all warps become those of the warps before; returns the sum of all. */
template <int DIGITS, int WARPS> DEVICE key before_warp(key *count) {
    int thread = threadIdx.x;
    key here = 0;
    for (int w = 0; thread < DIGITS && w < WARPS; w++) {
        key c = count[w * DIGITS + thread];
        count[w * DIGITS + thread] = here;
        here += c;
    }
    return here;
}

/* Then they become places in the tile, where the digit begins at `start`. */
template <int DIGITS, int WARPS> DEVICE void from_start(key *count, key start) {
    int thread = threadIdx.x;
    if (thread < DIGITS)
        for (int w = 0; w < WARPS; w++)
            count[w * DIGITS + thread] += start;
    __syncthreads();
}

/* The rank that rank_keys() found for key k. */
DEVICE key rank_of(const key *rank, int k) {
    return k % 2 ? rank[k / 2] >> 16 : rank[k / 2] & 0xffffu;
}

#endif

#endif
