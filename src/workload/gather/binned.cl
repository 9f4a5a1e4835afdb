/*
 * gather by bins, for CUDA. Out of memory each element of x comes with 32 bytes or more around it. Here each
 * tile of indices is sorted by bins, parts of x that the second cache holds; then all tiles' indices
 * of the first bin are replaced by what they point at, those of the second, and so on; then each tile
 * puts its elements where their indices stood. A tile's sorted indices, and then their elements, lie where its
 * results will: only where its bins begin takes memory of its own.
 */
#include "kernels/dialect.h"
#include "kernels/ranks.h"

#if defined(__CUDACC__)

#define DIGITS 128 /* bins at most */
#define BIN_LANES 256
#define BIN_ITEMS 16 /* even */
#define BIN_WARPS (BIN_LANES / 32)
#define BIN_TILE (BIN_LANES * BIN_ITEMS)
#define FETCH_LANES 256
#define FETCH_ITEMS 4 /* elements that a lane has under way */

/* The memory that a group needs for its tile; the masks of warps lie where later keys or elements
 * do. */
struct sorting {
    key tile[BIN_TILE];
    key count[BIN_WARPS * DIGITS];
    key room[BIN_WARPS];
};

/* Index k of this lane; behind the last one there are some that stay behind all others. */
DEVICE int at_of(int k) {
    return (int)(threadIdx.x / 32) * 32 * BIN_ITEMS + (int)(threadIdx.x % 32) + 32 * k;
}

DEVICE int size_of(LONG n) {
    LONG left = n - GROUP(0) * BIN_TILE;
    return left < BIN_TILE ? (int)left : BIN_TILE;
}

/* The tile's indices, and where they go in it: two to a word. Returns where bin threadIdx.x begins. */
DEVICE key sort_indices(const key *index, struct sorting *s, key *x, key *place, LONG n, int shift) {
    int warp = threadIdx.x / 32, size = size_of(n);
    for (int i = threadIdx.x; i < BIN_WARPS * DIGITS; i += BIN_LANES) {
        s->count[i] = 0;
        s->tile[i] = 0;
    }
#pragma unroll
    for (int k = 0; k < BIN_ITEMS; k++)
        x[k] = at_of(k) < size ? __ldcs(index + GROUP(0) * BIN_TILE + at_of(k)) : ALL;
    __syncthreads();
    key *count = s->count + warp * DIGITS;
    rank_keys<DIGITS, BIN_ITEMS>(x, place, count, s->tile + warp * DIGITS, shift);
    __syncthreads();
    key start = before_digit<DIGITS>(before_warp<DIGITS, BIN_WARPS>(s->count), s->room);
    from_start<DIGITS, BIN_WARPS>(s->count, start);
#pragma unroll
    for (int k = 0; k < BIN_ITEMS; k += 2)
        place[k / 2] += count[digit_of<DIGITS>(x[k], shift)] |
                        count[digit_of<DIGITS>(x[k + 1], shift)] << 16;
    return start;
}

/* z: each tile's indices by bins; starts[tile * DIGITS + bin]: where they begin in it. */
KERNEL LANES_MOST_OF(BIN_LANES, 4)
    k_gather_deal(const key *index, key *z, unsigned short *starts, LONG n, int shift) {
    __shared__ struct sorting s;
    key x[BIN_ITEMS], place[BIN_ITEMS / 2];
    LONG first = GROUP(0) * BIN_TILE;
    int size = size_of(n);
    key start = sort_indices(index, &s, x, place, n, shift);
    if (threadIdx.x < DIGITS)
        starts[GROUP(0) * DIGITS + threadIdx.x] = (unsigned short)start;
#pragma unroll
    for (int k = 0; k < BIN_ITEMS; k++)
        s.tile[rank_of(place, k)] = x[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BIN_ITEMS; k++) {
        int i = threadIdx.x + k * BIN_LANES;
        if (i < size)
            z[first + i] = s.tile[i];
    }
}

/* The indices of one bin after the other become elements; a warp has those of one tile, `groups` of them
 * a bin. */
KERNEL LANES_MOST(FETCH_LANES)
    k_gather_fetch(const key *x, key *z, const unsigned short *starts, LONG n, int groups) {
    int bin = (int)(GROUP(0) / groups), lane = threadIdx.x % 32;
    LONG tile = GROUP(0) % groups * (FETCH_LANES / 32) + threadIdx.x / 32;
    LONG first = tile * BIN_TILE;
    if (first >= n)
        return;
    int size = n - first < BIN_TILE ? (int)(n - first) : BIN_TILE;
    const unsigned short *start = starts + tile * DIGITS + bin;
    int end = bin + 1 < DIGITS && start[1] < size ? start[1] : size;
    for (int from = start[0] + lane; from < end; from += 32 * FETCH_ITEMS) {
        key v[FETCH_ITEMS];
#pragma unroll
        for (int k = 0; k < FETCH_ITEMS; k++)
            v[k] = from + 32 * k < end ? z[first + from + 32 * k] : 0;
#pragma unroll
        for (int k = 0; k < FETCH_ITEMS; k++)
            v[k] = from + 32 * k < end ? x[v[k]] : 0;
#pragma unroll
        for (int k = 0; k < FETCH_ITEMS; k++)
            if (from + 32 * k < end)
                z[first + from + 32 * k] = v[k];
    }
}

/* z: each tile's elements from the order of bins to that of their indices. */
KERNEL LANES_MOST_OF(BIN_LANES, 4)
    k_gather_put(const key *index, key *z, LONG n, int shift) {
    __shared__ struct sorting s;
    key x[BIN_ITEMS], place[BIN_ITEMS / 2], v[BIN_ITEMS];
    LONG first = GROUP(0) * BIN_TILE;
    int size = size_of(n);
#pragma unroll
    for (int k = 0; k < BIN_ITEMS; k++) {
        int i = threadIdx.x + k * BIN_LANES;
        v[k] = i < size ? z[first + i] : 0;
    }
    sort_indices(index, &s, x, place, n, shift);
#pragma unroll
    for (int k = 0; k < BIN_ITEMS; k++)
        s.tile[threadIdx.x + k * BIN_LANES] = v[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BIN_ITEMS; k++)
        if (at_of(k) < size)
            __stcs(z + first + at_of(k), s.tile[rank_of(place, k)]);
}

#endif
