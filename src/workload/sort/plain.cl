/*
 * Unsigned 32-bit keys in ascending order by a bitonic network (Batcher, "Sorting networks and their applications",
 * 1968). Each merge begins with a step that holds a run against the next one turned round, so that all exchanges go
 * one way, and places behind the end, which would hold the largest keys, need not exist.
 *
 * k_bitonic_block sorts tiles in shared memory. k_bitonic_merge is one step between keys of different tiles,
 * k_bitonic_finish all steps within a tile.
 */
#include "kernels/dialect.h"

#define BITONIC_LANES 256
#define BITONIC_TILE (2 * BITONIC_LANES)

typedef unsigned int key;

/* The p-th pair of a step, apart a power of two: keys i and j are `apart`; turned: each as far from the middle of a run
 * of 2 `apart` keys. */
#define FIRST(p, apart) (2 * (p) - ((p) & ((apart)-1)))
#define SECOND(i, apart, turned) ((i) ^ ((turned) ? 2 * (apart)-1 : (apart)))

/* One step within the tile; all lanes meet behind it. */
DEVICE void step_in_tile(LOCAL key *tile, int apart, int turned) {
    const int lane = (int)LANE(0);
    const int i = FIRST(lane, apart);
    const int j = SECOND(i, apart, turned);
    const key a = tile[i], b = tile[j];
    tile[i] = a < b ? a : b;
    tile[j] = a < b ? b : a;
    BARRIER();
}

DEVICE void load_tile(GLOBAL const key *from, LOCAL key *tile, LONG n) {
    for (int i = (int)LANE(0); i < BITONIC_TILE; i += BITONIC_LANES) {
        const LONG at = GROUP(0) * BITONIC_TILE + i;
        tile[i] = at < n ? from[at] : 0xffffffffu; /* stay behind all others */
    }
    BARRIER();
}

DEVICE void store_tile(LOCAL const key *tile, GLOBAL key *to, LONG n) {
    for (int i = (int)LANE(0); i < BITONIC_TILE; i += BITONIC_LANES) {
        const LONG at = GROUP(0) * BITONIC_TILE + i;
        if (at < n)
            to[at] = tile[i];
    }
}

KERNEL LANES_MOST(BITONIC_LANES)
    k_bitonic_block(GLOBAL const key *keys, GLOBAL key *sorted, LONG n) {
    SHARED key tile[BITONIC_TILE];
    load_tile(keys, tile, n);
    for (int run = 2; run <= BITONIC_TILE; run *= 2) {
        for (int apart = run / 2; apart > 0; apart /= 2)
            step_in_tile(tile, apart, apart == run / 2);
    }
    store_tile(tile, sorted, n);
}

KERNEL LANES_MOST(BITONIC_LANES) k_bitonic_merge(GLOBAL key *keys, LONG n, LONG apart, int turned) {
    const LONG p = GROUP(0) * LANES(0) + LANE(0);
    const LONG i = FIRST(p, apart);
    const LONG j = SECOND(i, apart, turned);
    if (j < n) {
        const key a = keys[i], b = keys[j];
        if (b < a) {
            keys[i] = b;
            keys[j] = a;
        }
    }
}

KERNEL LANES_MOST(BITONIC_LANES) k_bitonic_finish(GLOBAL key *keys, LONG n) {
    SHARED key tile[BITONIC_TILE];
    load_tile(keys, tile, n);
    for (int apart = BITONIC_TILE / 2; apart > 0; apart /= 2)
        step_in_tile(tile, apart, 0);
    store_tile(tile, keys, n);
}
