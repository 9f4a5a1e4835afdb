/*
 * Unsigned 32-bit keys in ascending order: four stable passes of eight bits, the lowest first.
 *
 * k_radix_count, k_radix_offsets and k_radix_scatter are a pass in three kernels: each group has a
 * tile of the keys; it counts its digits, learns where each of its digits begins, sorts the tile,
 * and moves it there, so that neighbours go to neighbouring places (Satish, Harris and Garland, "Designing efficient sorting algorithms for manycore GPUs",
 * IPDPS 2009). A kernel of k_once_* (CUDA) is a pass in one: onesweep.cl.
 */
#include "kernels/dialect.h"

#if defined(__OPENCL_VERSION__)
#define ADD_ONE(p) ((void)atomic_inc(p))
#else
#define ADD_ONE(p) ((void)atomicAdd(p, 1u))
#endif

#define DIGITS 256
#define RADIX_LANES 256 /* one a digit */
#define RADIX_ITEMS 8   /* keys of a lane in a tile */
#define RADIX_TILE (RADIX_LANES * RADIX_ITEMS)
#define NIBBLES 16
#define OFFSET_ITEMS 8 /* tiles of a lane at a time */

typedef unsigned int key;

/* The sum of x over the lanes before this one. room: twice RADIX_LANES. */
DEVICE key before_lane(key x, LOCAL key *room) {
    int lane = (int)LANE(0);
    int here = 0;
    room[lane] = x;
    BARRIER();
    for (int apart = 1; apart < RADIX_LANES; apart *= 2) {
        int there = RADIX_LANES - here;
        room[there + lane] = room[here + lane] + (lane >= apart ? room[here + lane - apart] : 0u);
        here = there;
        BARRIER();
    }
    key sum = room[here + lane] - x;
    BARRIER();
    return sum;
}

/* counts[digit * tiles + g]: of the keys of tile g. */
KERNEL LANES_MOST(RADIX_LANES) k_radix_count(GLOBAL const key *keys, GLOBAL key *counts, LONG n,
                                             LONG tiles, int shift) {
    SHARED key count[DIGITS];
    LONG start = GROUP(0) * RADIX_TILE;
    int size = n - start < RADIX_TILE ? (int)(n - start) : RADIX_TILE;
    int lane = (int)LANE(0);
    count[lane] = 0;
    BARRIER();
    for (int i = lane; i < size; i += RADIX_LANES)
        ADD_ONE(&count[keys[start + i] >> shift & (DIGITS - 1)]);
    BARRIER();
    counts[lane * tiles + GROUP(0)] = count[lane];
}

/* Group d: the counts of digit d become the sums of those of the tiles before; totals[d]: all. */
KERNEL LANES_MOST(RADIX_LANES) k_radix_offsets(GLOBAL key *counts, GLOBAL key *totals,
                                               LONG tiles) {
    SHARED key room[2 * RADIX_LANES];
    SHARED key last[1];
    GLOBAL key *mine = counts + GROUP(0) * tiles;
    key before = 0;
    for (LONG first = 0; first < tiles; first += RADIX_LANES * OFFSET_ITEMS) {
        LONG start = first + LANE(0) * OFFSET_ITEMS;
        key x[OFFSET_ITEMS];
        key sum = 0;
        for (int k = 0; k < OFFSET_ITEMS; k++) {
            x[k] = start + k < tiles ? mine[start + k] : 0;
            sum += x[k];
        }
        key upto = before + before_lane(sum, room);
        if (LANE(0) == RADIX_LANES - 1)
            last[0] = upto + sum;
        for (int k = 0; k < OFFSET_ITEMS; k++) {
            if (start + k < tiles)
                mine[start + k] = upto;
            upto += x[k];
        }
        BARRIER();
        before = last[0];
        BARRIER();
    }
    if (LANE(0) == 0)
        totals[GROUP(0)] = before;
}

/* A tile of `from` into `to`, sorted by four bits, equal ones in their order. Each lane counts its
 * own consecutive keys; count: NIBBLES * RADIX_LANES. */
DEVICE void sort_tile(LOCAL const key *from, LOCAL key *to, LOCAL unsigned short *count,
                      LOCAL key *room, int shift) {
    int lane = (int)LANE(0);
    for (int d = 0; d < NIBBLES; d++)
        count[d * RADIX_LANES + lane] = 0;
    for (int k = 0; k < RADIX_ITEMS; k++)
        count[(from[lane * RADIX_ITEMS + k] >> shift & (NIBBLES - 1)) * RADIX_LANES + lane]++;
    BARRIER();
    key sum = 0;
    for (int i = 0; i < NIBBLES; i++)
        sum += count[lane * NIBBLES + i];
    sum = before_lane(sum, room);
    for (int i = 0; i < NIBBLES; i++) {
        key here = count[lane * NIBBLES + i];
        count[lane * NIBBLES + i] = (unsigned short)sum;
        sum += here;
    }
    BARRIER();
    for (int k = 0; k < RADIX_ITEMS; k++) {
        key x = from[lane * RADIX_ITEMS + k];
        int at = (int)(x >> shift & (NIBBLES - 1)) * RADIX_LANES + lane;
        to[count[at]++] = x;
    }
    BARRIER();
}

/* The keys of tile g to their places. */
KERNEL LANES_MOST(RADIX_LANES) k_radix_scatter(GLOBAL const key *keys, GLOBAL key *sorted,
                                               GLOBAL const key *counts, GLOBAL const key *totals,
                                               LONG n, LONG tiles, int shift) {
    SHARED key tile[RADIX_TILE];
    SHARED key other[RADIX_TILE];
    SHARED unsigned short count[NIBBLES * RADIX_LANES];
    SHARED key room[2 * RADIX_LANES];
    SHARED key place[DIGITS]; /* of a digit's first key, less its index in the tile */
    LONG start = GROUP(0) * RADIX_TILE;
    int size = n - start < RADIX_TILE ? (int)(n - start) : RADIX_TILE;
    int lane = (int)LANE(0);
    for (int i = lane; i < RADIX_TILE; i += RADIX_LANES)
        tile[i] = i < size ? keys[start + i] : 0xffffffffu; /* stay behind all others */
    key before = before_lane(totals[lane], room);
    place[lane] = before + counts[lane * tiles + GROUP(0)];
    sort_tile(tile, other, count, room, shift);
    sort_tile(other, tile, count, room, shift + 4);
    for (int i = lane; i < size; i += RADIX_LANES) {
        int d = (int)(tile[i] >> shift & (DIGITS - 1));
        if (i == 0 || d != (int)(tile[i - 1] >> shift & (DIGITS - 1)))
            place[d] -= (key)i;
    }
    BARRIER();
    for (int i = lane; i < size; i += RADIX_LANES) {
        key x = tile[i];
        sorted[place[x >> shift & (DIGITS - 1)] + (key)i] = x;
    }
}
