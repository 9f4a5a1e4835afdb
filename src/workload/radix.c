#include "workload/radix.h"

#include "workload/deal_simd.h"
#include "workload/radix_simd.h"

enum {
    LINE = BE_DEAL_LINE, /* keys in a cache line */
    KEY_BITS = 32,
    ALONE = 4096,           /* so few are sorted by one of several members */
    ALONE_V4 = 1 << 22,     /* so few by the only member, if it has AVX-512 */
    BUCKET_KEYS = 8192,     /* no more keys in a bucket, while there are enough buckets */
    BUCKET_KEYS_V4 = 65536, /* where a larger one is hardly slower */
    BUCKETS_EACH = 4,       /* one of several members has, to have as many keys as the others */
    BUCKET_BITS_LEAST = 5,  /* else a key waits for the one before to be put in the same line */
    BUCKET_BITS_MOST = 11,  /* as many cache lines are being filled at a time */
    BUCKETS_MOST = BE_DEAL_BUCKETS_MOST,
    STREAMED = 1 << 20 /* from here on stores past the caches are faster: second-level ones */
};

static bool has_vectors(void) {
    return be_simd_here() == BE_SIMD_V4;
}

/* The buckets are of the highest bits: as many bits as this; 0: one member sorts all. */
static int bucket_bits(size_t n, int members) {
    size_t most = has_vectors() ? BUCKET_KEYS_V4 : BUCKET_KEYS;
    size_t alone = members > 1 ? ALONE : has_vectors() ? ALONE_V4 : BUCKET_KEYS;
    int bits = BUCKET_BITS_LEAST;
    if (n <= alone) {
        return 0;
    }
    while (bits < BUCKET_BITS_MOST && (n >> bits > most || (1 << bits) < BUCKETS_EACH * members)) {
        bits++;
    }
    return bits;
}

/* Keys that a member has room for beside those it sorts: a quarter more than a bucket of random
 * keys has. What sorts in place needs none. */
static size_t room_keys(size_t n, int members) {
    size_t even = n >> bucket_bits(n, members);
    return has_vectors() ? 0 : (even + even / 4 + ALONE) / LINE * LINE;
}

/* Each member's room, and its counts. */
size_t be_radix_scratch(size_t n, int members) {
    return (size_t)members * (room_keys(n, members) + BUCKETS_MOST) * sizeof(uint32_t);
}

/* ---- one bucket ----------------------------------------------------------------------------- */

/* Moves the keys with this bit behind those without it; how many are without. */
static size_t part_by(uint32_t *keys, size_t n, int bit) {
    size_t low = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t key = keys[i];
        if (!(key >> bit & 1)) {
            keys[i] = keys[low];
            keys[low++] = key;
        }
    }
    return low;
}

/* In place, by the lowest `bits` bits. Buckets that the room is too small for, which random keys
 * hardly have, are halved bit by bit. */
static void sort_bucket(uint32_t *keys, size_t n, int bits, uint32_t *room, size_t room_for) {
    while (n > room_for && bits > 0 && !has_vectors()) {
        size_t low = part_by(keys, n, --bits);
        sort_bucket(keys, low, bits, room, room_for);
        keys += low;
        n -= low;
    }
    if (bits > 0) { /* else all are the same */
        BE_SIMD_BEST(be_sort_run)(keys, keys, n, bits, room);
    }
}

/* ---- dealing into buckets ------------------------------------------------------------------- */

/* What all members know of the buckets. */
struct plan {
    int shift, buckets;
    uint32_t (*counts)[BUCKETS_MOST]; /* by member */
};

/* Where this member's keys of each bucket go: behind those of lower buckets, and of this bucket
 * those of lower members. start: of each bucket, and the end. */
static void plan_deal(const struct be_radix *r, const struct plan *plan, uint32_t *place,
                      uint32_t *start) {
    uint32_t before = 0;
    for (int b = 0; b < plan->buckets; b++) {
        start[b] = before;
        for (int m = 0; m < r->members; m++) {
            if (m == r->member) {
                place[b] = before;
            }
            before += plan->counts[m][b];
        }
    }
    start[plan->buckets] = before;
}

/* ---- all ------------------------------------------------------------------------------------ */

static void sort_buckets(const struct be_radix *r, const struct plan *plan, const uint32_t *start,
                         uint32_t *room, size_t room_for) {
    for (int b = 0; b < plan->buckets; b++) {
        size_t n = start[b + 1] - start[b];
        /* Whose it is follows from where it begins: each has about as many keys. */
        size_t whose = (size_t)((uint64_t)start[b] * (uint64_t)r->members / r->n);
        if (whose == (size_t)r->member) {
            sort_bucket(r->sorted + start[b], n, plan->shift, room, room_for);
        }
    }
}

void be_radix_sort(const struct be_radix *r) {
    size_t room_for = room_keys(r->n, r->members);
    uint32_t *room = (uint32_t *)r->scratch + (size_t)r->member * room_for;
    int bits = bucket_bits(r->n, r->members);
    if (bits == 0) {
        if (r->member == 0) {
            BE_SIMD_BEST(be_sort_run)(r->keys, r->sorted, r->n, KEY_BITS, room);
        }
        return;
    }
    uint32_t place[BUCKETS_MOST];
    uint32_t start[BUCKETS_MOST + 1];
    size_t first;
    size_t count;
    const struct plan plan = {.shift = KEY_BITS - bits,
                              .buckets = 1 << bits,
                              .counts =
                                  (void *)((uint32_t *)r->scratch + (size_t)r->members * room_for)};
    be_team_share(r->n, LINE, r->member, r->members, &first, &count);
    const struct be_deal deal = {.keys = r->keys + first,
                                 .n = count,
                                 .shift = plan.shift,
                                 .buckets = plan.buckets,
                                 .place = place,
                                 .sorted = r->sorted,
                                 .stream = r->past_cache || r->n >= STREAMED};
    BE_SIMD_BEST(be_deal_count_run)(&deal, plan.counts[r->member]);
    be_team_meet(r->team);
    plan_deal(r, &plan, place, start);
    BE_SIMD_BEST(be_deal_run)(&deal);
    be_team_meet(r->team);
    sort_buckets(r, &plan, start, room, room_for);
}
