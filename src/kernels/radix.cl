/*
 * Unsigned 32-bit keys in ascending order: four stable passes of eight bits, the lowest first.
 *
 * k_radix_count, k_radix_offsets and k_radix_scatter are a pass in three kernels: each group has a
 * stretch of the keys; it counts its digits, learns where each of its digits begins, and moves its
 * keys there, a tile at a time, sorted within the tile first so that neighbours go to neighbouring
 * places (Satish, Harris and Garland, "Designing efficient sorting algorithms for manycore GPUs",
 * IPDPS 2009). A kernel of k_once_* (CUDA) is a pass in one: onesweep.cl.
 */
#if defined(__OPENCL_VERSION__)
#define IN_SHARED __local
#define ADD_ONE(p) ((void)atomic_inc(p))
#else
#define IN_SHARED
#define ADD_ONE(p) ((void)atomicAdd(p, 1u))
#endif

#define DIGITS 256
#define RADIX_LANES 256 /* one a digit */
#define RADIX_ITEMS 8   /* keys of a lane in a tile */
#define RADIX_TILE (RADIX_LANES * RADIX_ITEMS)
#define NIBBLES 16

typedef unsigned int key;

/* The sum of x over the lanes before this one. room: twice RADIX_LANES. */
DEVICE key before_lane(key x, IN_SHARED key *room) {
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

/* counts[digit * groups + g]: of the keys of group g, which has `each` of n. */
KERNEL LANES_MOST(RADIX_LANES) k_radix_count(GLOBAL const key *keys, GLOBAL key *counts, LONG n,
                                             LONG each, LONG groups, int shift, LONG ca) {
 counts += ca;   SHARED key count[DIGITS];
    LONG start = GROUP(0) * each;
    LONG end = start + each < n ? start + each : n;
    int lane = (int)LANE(0);
    count[lane] = 0;
    BARRIER();
    for (LONG i = start + lane; i < end; i += RADIX_LANES)
        ADD_ONE(&count[keys[i] >> shift & (DIGITS - 1)]);
    BARRIER();
    counts[lane * groups + GROUP(0)] = count[lane];
}

/* Group d: the counts of digit d become the sums of those of the groups before; totals[d]: all. */
KERNEL LANES_MOST(RADIX_LANES) k_radix_offsets(GLOBAL key *counts, GLOBAL key *totals,
                                               LONG groups, LONG ca, LONG ta) {
 counts += ca; totals += ta;
    SHARED key room[2 * RADIX_LANES];
    SHARED key last[1];
    GLOBAL key *mine = counts + GROUP(0) * groups;
    key before = 0;
    for (LONG first = 0; first < groups; first += RADIX_LANES) {
        LONG i = first + LANE(0);
        key x = i < groups ? mine[i] : 0;
        key s = before_lane(x, room);
        if (i < groups)
            mine[i] = before + s;
        if (LANE(0) == RADIX_LANES - 1)
            last[0] = s + x;
        BARRIER();
        before += last[0];
        BARRIER();
    }
    if (LANE(0) == 0)
        totals[GROUP(0)] = before;
}

/* A tile of `from` into `to`, sorted by four bits, equal ones in their order. Each lane counts its
 * own consecutive keys; count: NIBBLES * RADIX_LANES. */
DEVICE void sort_tile(IN_SHARED const key *from, IN_SHARED key *to, IN_SHARED unsigned short *count,
                      IN_SHARED key *room, int shift) {
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

/* The keys of group g to their places. */
KERNEL LANES_MOST(RADIX_LANES) k_radix_scatter(GLOBAL const key *keys, GLOBAL key *sorted,
                                               GLOBAL const key *counts, GLOBAL const key *totals,
                                               LONG n, LONG each, LONG groups, int shift, LONG ca, LONG ta) {
 counts += ca; totals += ta;
    SHARED key tile[RADIX_TILE];
    SHARED key other[RADIX_TILE];
    SHARED unsigned short count[NIBBLES * RADIX_LANES];
    SHARED key room[2 * RADIX_LANES];
    SHARED key first[DIGITS]; /* of each digit in the sorted tile */
    SHARED key past[DIGITS];
    SHARED key place[DIGITS]; /* of each digit's next key */
    LONG start = GROUP(0) * each;
    LONG end = start + each < n ? start + each : n;
    int lane = (int)LANE(0);
    place[lane] = before_lane(totals[lane], room) + counts[lane * groups + GROUP(0)];
    for (LONG at = start; at < end; at += RADIX_TILE) {
        int size = end - at < RADIX_TILE ? (int)(end - at) : RADIX_TILE;
        for (int i = lane; i < RADIX_TILE; i += RADIX_LANES)
            tile[i] = i < size ? keys[at + i] : 0xffffffffu; /* stay behind all others */
        first[lane] = 0;
        past[lane] = 0;
        BARRIER();
        sort_tile(tile, other, count, room, shift);
        sort_tile(other, tile, count, room, shift + 4);
        for (int i = lane; i < size; i += RADIX_LANES) {
            int d = (int)(tile[i] >> shift & (DIGITS - 1));
            if (i == 0 || d != (int)(tile[i - 1] >> shift & (DIGITS - 1)))
                first[d] = (key)i;
            if (i == size - 1 || d != (int)(tile[i + 1] >> shift & (DIGITS - 1)))
                past[d] = (key)i + 1;
        }
        BARRIER();
        for (int i = lane; i < size; i += RADIX_LANES) {
            key x = tile[i];
            int d = (int)(x >> shift & (DIGITS - 1));
            sorted[place[d] + ((key)i - first[d])] = x;
        }
        BARRIER();
        place[lane] += past[lane] - first[lane];
        BARRIER();
    }
}
