#include "workload/radix.h"

#include <string.h>

#include "workload/stream_store.h"

enum {
    LINE = STREAM_LINE, /* keys in a cache line */
    KEY_BITS = 32,
    SHORT = 40,            /* so few keys are sorted by insertion */
    ALONE = 4096,          /* so few are sorted by one member */
    BUCKET_KEYS = 8192,    /* about as many keys in a bucket, while there are enough buckets */
    BUCKETS_EACH = 4,      /* one of several members has, to have as many keys as the others */
    BUCKET_BITS_MOST = 11, /* as many cache lines are being filled at a time */
    BUCKETS_MOST = 1 << BUCKET_BITS_MOST,
    DIGIT_BITS_MOST = 12,
    PASSES_MOST = 4,
    ROOM_LEAST = 4 * ALONE
};

/* The buckets are of the highest bits: as many bits as this. */
static int bucket_bits(size_t n, int members) {
    int bits = 0;
    while (bits < BUCKET_BITS_MOST &&
           (n >> bits > BUCKET_KEYS ||
            (members > 1 && n > ALONE && (1 << bits) < BUCKETS_EACH * members))) {
        bits++;
    }
    return bits;
}

/* Keys that a member has room for beside those it sorts: a quarter more than a bucket of random
 * keys has. */
static size_t room_keys(size_t n, int members) {
    size_t even = n >> bucket_bits(n, members);
    size_t room = (even + even / 4 + LINE) / LINE * LINE;
    return room > ROOM_LEAST ? room : ROOM_LEAST;
}

/* Each member's room, and its counts. */
size_t be_radix_scratch(size_t n, int members) {
    return (size_t)members * (room_keys(n, members) + BUCKETS_MOST) * sizeof(uint32_t);
}

/* ---- one bucket ----------------------------------------------------------------------------- */

static void sort_short(const uint32_t *from, uint32_t *to, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint32_t key = from[i];
        size_t at = i;
        for (; at > 0 && to[at - 1] > key; at--) {
            to[at] = to[at - 1];
        }
        to[at] = key;
    }
}

/* A digit costs about as much to count and place as a third of a key to move. */
static int passes_for(size_t n, int bits) {
    int best = 0;
    double least = 0;
    for (int passes = 1; passes <= PASSES_MOST; passes++) {
        int width = (bits + passes - 1) / passes;
        double cost = passes * ((double)n + (double)((size_t)1 << width) / 3);
        if (width <= DIGIT_BITS_MOST && (best == 0 || cost < least)) {
            best = passes;
            least = cost;
        }
    }
    return best;
}

static void count_digits(const uint32_t *keys, size_t n, int width, int passes, uint32_t *count) {
    uint32_t mask = ((uint32_t)1 << width) - 1;
    uint32_t *second = count + mask + 1;
    uint32_t *third = second + mask + 1;
    memset(count, 0, (size_t)passes * (mask + 1) * sizeof *count);
    if (passes == 2) {
        for (size_t i = 0; i < n; i++) {
            count[keys[i] & mask]++;
            second[keys[i] >> width & mask]++;
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        count[keys[i] & mask]++;
        second[keys[i] >> width & mask]++;
        third[keys[i] >> 2 * width & mask]++;
    }
    for (size_t i = 0; passes == PASSES_MOST && i < n; i++) {
        third[mask + 1 + (keys[i] >> 3 * width & mask)]++;
    }
}

static void move_pass(const uint32_t *from, uint32_t *to, size_t n, int shift, uint32_t mask,
                      uint32_t *place) {
    uint32_t before = 0;
    for (uint32_t d = 0; d <= mask; d++) {
        uint32_t here = place[d];
        place[d] = before;
        before += here;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t key = from[i];
        to[place[key >> shift & mask]++] = key;
    }
}

/* By the lowest `bits` bits, in passes from the lowest digit on; the last one writes `to`, which may
 * be `from`. */
static void sort_low(const uint32_t *from, uint32_t *to, uint32_t *room, size_t n, int bits) {
    uint32_t count[1 << DIGIT_BITS_MOST << 1];
    int passes = passes_for(n, bits);
    int width = (bits + passes - 1) / passes;
    size_t digits = (size_t)1 << width;
    if (from == to && passes % 2) {
        memcpy(room, from, n * sizeof *from);
        from = room;
    }
    count_digits(from, n, width, passes, count);
    for (int pass = 0; pass < passes; pass++) {
        uint32_t *target = (passes - pass) % 2 ? to : room;
        move_pass(from, target, n, width * pass, (uint32_t)digits - 1,
                  count + (size_t)pass * digits);
        from = target;
    }
}

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
    while (n > room_for && bits > 0) {
        size_t low = part_by(keys, n, --bits);
        sort_bucket(keys, low, bits, room, room_for);
        keys += low;
        n -= low;
    }
    if (n <= SHORT) {
        sort_short(keys, keys, n);
    } else if (bits > 0) {
        sort_low(keys, keys, room, n, bits);
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
    } else if (r->past_cache) {
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
        if (r->member == 0 && r->n <= SHORT) {
            sort_short(r->keys, r->sorted, r->n);
        } else if (r->member == 0) {
            sort_low(r->keys, r->sorted, room, r->n, KEY_BITS);
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
