#include "workload/sort/radix.h"

#include <math.h>

#include "workload/deal_simd.h"
#include "workload/sort/radix_simd.h"
#include "workload/thresholds.h"

enum {
    LINE = BE_DEAL_LINE, /* keys in a cache line */
    KEY_BITS = 32,
    PACKED_BITS = 3,          /* buckets of up to BE_SORT_PACKED_V4 keys */
    BUCKETS_EACH = 4,         /* one of several members has, to have as many keys as the others */
    BUCKET_BITS_MIN = 5,      /* else a key waits for the one before to be put in the same line */
    BUCKET_BITS_ALONE_V4 = 6, /* as fast to deal to, and their keys to spread */
    BUCKETS_MAX = BE_DEAL_BUCKETS_MAX,
};

static bool has_vectors(void) {
    return be_simd_here() == BE_SIMD_V4;
}

static size_t bucket_keys(void) {
    const enum be_simd simd = be_simd_here();
    return simd == BE_SIMD_V4   ? BE_SORT_BUCKET_KEYS_V4
           : simd == BE_SIMD_V3 ? BE_SORT_BUCKET_KEYS_V3
                                : BE_SORT_BUCKET_KEYS;
}

/* The only member with AVX-512. */
static int bucket_bits_alone(size_t n) {
    int bits = BUCKET_BITS_ALONE_V4;
    if (n <= BE_SORT_ALONE_V4) {
        return 0;
    }
    if (n <= BE_SORT_PACKED_V4) {
        return PACKED_BITS;
    }
    while (bits < BE_SORT_BUCKET_BITS_MAX && n >> bits > BE_SORT_BUCKET_KEYS_V4) {
        bits++;
    }
    return bits;
}

/* The buckets are of the highest bits: as many bits as this; 0: one member sorts all. */
static int bucket_bits(size_t n, int members) {
    const size_t max = bucket_keys();
    int bits = BUCKET_BITS_MIN;
    if (members == 1 && has_vectors()) {
        return bucket_bits_alone(n);
    }
    if (n <= (members > 1 ? BE_SORT_ALONE : BE_SORT_BUCKET_KEYS)) {
        return 0;
    }
    while (bits < BE_SORT_BUCKET_BITS_MAX &&
           (n >> bits > max || (1 << bits) < BUCKETS_EACH * members)) {
        bits++;
    }
    return bits;
}

/* Keys that a member can sort with the room it has: a quarter more than a bucket of random keys has. */
static size_t capacity_for(size_t n, int members) {
    size_t even = n >> bucket_bits(n, members);
    return (even + even / 4 + BE_SORT_ALONE) / LINE * LINE;
}

/* ---- buckets of one size -------------------------------------------------------------------- */

/* The only member need not count keys that are even: it gives each bucket six standard deviations more than
 * the mean. So many buckets do not all fit in `sorted`: the last are elsewhere. Behind either's last
 * one is room for keys too many. */
struct even {
    int buckets;
    size_t keys;   /* a bucket's room */
    size_t inside; /* buckets in `sorted` */
};

static bool deals_evenly(size_t n, int members) {
    return members == 1 && (has_vectors() || n >= BE_SORT_STREAMED) && bucket_bits(n, members) > 0;
}

static struct even even_buckets(size_t n, int members) {
    const int bits = bucket_bits(n, members);
    const size_t mean = n >> bits;
    const size_t max = mean + 6 * (size_t)sqrt((double)mean) + (size_t)2 * BE_DEAL_LONG;
    const size_t keys = max / BE_DEAL_LONG * BE_DEAL_LONG;
    return (struct even){.buckets = 1 << bits, .keys = keys, .inside = (n - BE_DEAL_OVER) / keys};
}

static size_t outside_keys(size_t n, int members) {
    if (!deals_evenly(n, members)) {
        return 0;
    }
    const struct even even = even_buckets(n, members);
    return ((size_t)even.buckets - even.inside) * even.keys + BE_DEAL_OVER;
}

/* In the working memory: each member's room, each member's counts, and buckets outside `sorted`. */
struct scratch {
    uint32_t *capacity;
    uint32_t (*counts)[BUCKETS_MAX];
    uint32_t *outside;
    size_t capacity_for; /* keys */
};

static struct scratch scratch_of(const struct be_radix *r) {
    const size_t keys = capacity_for(r->n, r->members);
    const size_t capacity = BE_SIMD_BEST(be_sort_capacity)(keys);
    uint32_t *rooms = r->scratch;
    uint32_t *counts = rooms + (size_t)r->members * capacity;
    return (struct scratch){.capacity = rooms + (size_t)r->member * capacity,
                            .counts = (void *)counts,
                            .outside = counts + (size_t)r->members * BUCKETS_MAX,
                            .capacity_for = keys};
}

size_t be_radix_scratch(size_t n, int members) {
    const size_t capacity = BE_SIMD_BEST(be_sort_capacity)(capacity_for(n, members));
    return ((size_t)members * (capacity + BUCKETS_MAX) + outside_keys(n, members)) *
           sizeof(uint32_t);
}

/* A bucket is sorted from where it is to where it belongs, which is never behind the former: the
 * buckets before it have at most the keys that they have room for. */
static bool sort_evenly(const struct be_radix *r, const struct scratch *scratch) {
    const struct even even = even_buckets(r->n, r->members);
    const int shift = KEY_BITS - bucket_bits(r->n, r->members);
    struct be_deal_place place[BUCKETS_MAX];
    const uint32_t *begin[BUCKETS_MAX];
    const struct be_deal_even deal = {.keys = r->keys,
                                      .n = r->n,
                                      .shift = shift,
                                      .buckets = even.buckets,
                                      .place = place,
                                      .stream = r->n > BE_SORT_PACKED_V4 || !has_vectors()};
    for (size_t b = 0; b < (size_t)even.buckets; b++) {
        uint32_t *at = b < even.inside ? r->sorted + b * even.keys
                                       : scratch->outside + (b - even.inside) * even.keys;
        begin[b] = at;
        place[b] = (struct be_deal_place){at, at + even.keys};
    }
    if (!BE_SIMD_BEST(be_deal_even_run)(&deal)) {
        return false;
    }
    uint32_t *to = r->sorted;
    for (int b = 0; b < even.buckets; b++) {
        size_t n = (size_t)(place[b].next - begin[b]);
        BE_SIMD_BEST(be_sort_run)(begin[b], to, n, shift, scratch->capacity, scratch->capacity_for);
        to += n;
    }
    return true;
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
 * hardly have, are halved bit by bit; AVX-512 halves them itself. */
static void sort_bucket(uint32_t *keys, size_t n, int bits, const struct scratch *scratch) {
    while (n > scratch->capacity_for && bits > 0 && !has_vectors()) {
        size_t low = part_by(keys, n, --bits);
        sort_bucket(keys, low, bits, scratch);
        keys += low;
        n -= low;
    }
    if (bits > 0) { /* else all are the same */
        BE_SIMD_BEST(be_sort_run)(keys, keys, n, bits, scratch->capacity, scratch->capacity_for);
    }
}

/* ---- dealing into buckets ------------------------------------------------------------------- */

/* The plan of the buckets, which all members know. */
struct plan {
    int shift, buckets;
    uint32_t (*counts)[BUCKETS_MAX]; /* by member */
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
                         const struct scratch *scratch) {
    for (int b = 0; b < plan->buckets; b++) {
        size_t n = start[b + 1] - start[b];
        /* The member that sorts a bucket follows from where the bucket begins: each has about as
         * many keys. */
        size_t whose = (size_t)((uint64_t)start[b] * (uint64_t)r->members / r->n);
        if (whose == (size_t)r->member) {
            sort_bucket(r->sorted + start[b], n, plan->shift, scratch);
        }
    }
}

/* Counts, then deals by what was counted. */
static void sort_counted(const struct be_radix *r, const struct scratch *scratch) {
    const int bits = bucket_bits(r->n, r->members);
    uint32_t place[BUCKETS_MAX];
    uint32_t start[BUCKETS_MAX + 1];
    size_t first;
    size_t count;
    const struct plan plan = {
        .shift = KEY_BITS - bits, .buckets = 1 << bits, .counts = scratch->counts};
    be_team_share(r->n, LINE, r->member, r->members, &first, &count);
    const struct be_deal deal = {.keys = r->keys + first,
                                 .n = count,
                                 .shift = plan.shift,
                                 .buckets = plan.buckets,
                                 .place = place,
                                 .sorted = r->sorted,
                                 .stream = r->beyond_cache || r->n >= BE_SORT_STREAMED};
    BE_SIMD_BEST(be_deal_count_run)(&deal, plan.counts[r->member]);
    be_team_barrier(r->team);
    plan_deal(r, &plan, place, start);
    BE_SIMD_BEST(be_deal_run)(&deal);
    be_team_barrier(r->team);
    sort_buckets(r, &plan, start, scratch);
}

static void sort_all(const struct be_radix *r, const struct scratch *scratch) {
    BE_SIMD_BEST(be_sort_run)
    (r->keys, r->sorted, r->n, KEY_BITS, scratch->capacity, scratch->capacity_for);
}

void be_radix_sort(const struct be_radix *r) {
    const struct scratch scratch = scratch_of(r);
    if (deals_evenly(r->n, r->members) && sort_evenly(r, &scratch)) {
        return;
    }
    const bool halves = r->members == 1 && has_vectors(); /* AVX-512 does without buckets */
    if (bucket_bits(r->n, r->members) > 0 && !halves) {
        sort_counted(r, &scratch);
    } else if (r->member == 0) {
        sort_all(r, &scratch);
    }
}
