#include "workload/radix.h"

#include <string.h>

#include "workload/radix_simd.h"
#include "workload/stream_store.h"

enum {
    LINE = STREAM_LINE, /* keys in a cache line */
    KEY_BITS = 32,
    ALONE = 4096,           /* so few are sorted by one of several members */
    ALONE_V4 = 1 << 22,     /* so few by the only member, if it has AVX-512 */
    BUCKET_KEYS = 8192,     /* no more keys in a bucket, while there are enough buckets */
    BUCKET_KEYS_V4 = 65536, /* where a larger one is hardly slower */
    BUCKETS_EACH = 4,       /* one of several members has, to have as many keys as the others */
    BUCKET_BITS_LEAST = 5,  /* else a key waits for the one before to be put in the same line */
    BUCKET_BITS_MOST = 11,  /* as many cache lines are being filled at a time */
    BUCKETS_MOST = 1 << BUCKET_BITS_MOST,
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

struct deal {
    int shift, buckets;
    size_t first, count; /* this member's keys */
    uint32_t (*counts)[BUCKETS_MOST];
};

static void count_keys(const struct be_radix *r, const struct deal *deal) {
    uint32_t count[BUCKETS_MOST] = {0};
    for (size_t i = deal->first; i < deal->first + deal->count; i++) {
        count[r->keys[i] >> deal->shift]++;
    }
    memcpy(deal->counts[r->member], count, (size_t)deal->buckets * sizeof *count);
}

/* Where this member's keys of each bucket go: behind those of lower buckets, and of this bucket
 * those of lower members. start: of each bucket, and the end. */
static void plan_deal(const struct be_radix *r, const struct deal *deal, uint32_t *place,
                      uint32_t *start) {
    uint32_t before = 0;
    for (int b = 0; b < deal->buckets; b++) {
        start[b] = before;
        for (int m = 0; m < r->members; m++) {
            if (m == r->member) {
                place[b] = before;
            }
            before += deal->counts[m][b];
        }
    }
    start[deal->buckets] = before;
}

/* A full line to where it belongs; `at`: of its last key. */
static void put_line(const struct be_radix *r, const uint32_t *line, uint32_t at, uint32_t begun) {
    uint32_t whole = at + 1 - LINE;
    if (begun > whole) { /* the first part of the line is another's */
        memcpy(r->sorted + begun, line + begun % LINE, (at + 1 - begun) * sizeof *line);
    } else if (r->past_cache || r->n >= STREAMED) {
        stream_line((float *)(void *)(r->sorted + whole), (const float *)(const void *)line);
    } else {
        memcpy(r->sorted + whole, line, LINE * sizeof *line);
    }
}

/* Keys of a bucket gather in a cache line of its own, which is written when it is full: a key at a
 * time, memory would be read and written a line for each. Until then the last key of the line is
 * where the next one goes. */
static void deal_keys(const struct be_radix *r, const struct deal *deal, const uint32_t *begun) {
    _Alignas(64) uint32_t lines[BUCKETS_MOST][LINE];
    for (int b = 0; b < deal->buckets; b++) {
        lines[b][LINE - 1] = begun[b];
    }
    for (size_t i = deal->first; i < deal->first + deal->count; i++) {
        uint32_t key = r->keys[i];
        uint32_t *line = lines[key >> deal->shift];
        uint32_t at = line[LINE - 1];
        line[LINE - 1] = at + 1;
        line[at % LINE] = key;
        if (at % LINE == LINE - 1) {
            put_line(r, line, at, begun[key >> deal->shift]);
            line[LINE - 1] = at + 1;
        }
    }
    for (int b = 0; b < deal->buckets; b++) {
        uint32_t end = lines[b][LINE - 1];
        uint32_t whole = end / LINE * LINE;
        uint32_t from = begun[b] > whole ? begun[b] : whole;
        memcpy(r->sorted + from, &lines[b][from % LINE], (end - from) * sizeof(uint32_t));
    }
    stream_end();
}

/* ---- all ------------------------------------------------------------------------------------ */

static void sort_buckets(const struct be_radix *r, const struct deal *deal, const uint32_t *start,
                         uint32_t *room, size_t room_for) {
    for (int b = 0; b < deal->buckets; b++) {
        size_t n = start[b + 1] - start[b];
        /* Whose it is follows from where it begins: each has about as many keys. */
        size_t whose = (size_t)((uint64_t)start[b] * (uint64_t)r->members / r->n);
        if (whose == (size_t)r->member) {
            sort_bucket(r->sorted + start[b], n, deal->shift, room, room_for);
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
    struct deal deal = {.shift = KEY_BITS - bits,
                        .buckets = 1 << bits,
                        .counts = (void *)((uint32_t *)r->scratch + (size_t)r->members * room_for)};
    be_team_share(r->n, LINE, r->member, r->members, &deal.first, &deal.count);
    count_keys(r, &deal);
    be_team_meet(r->team);
    plan_deal(r, &deal, place, start);
    deal_keys(r, &deal, place);
    be_team_meet(r->team);
    sort_buckets(r, &deal, start, room, room_for);
}
