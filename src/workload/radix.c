#include "workload/radix.h"

#include <string.h>

#include "workload/stream_store.h"

enum {
    DIGITS = 256, /* of a pass over a bucket: eight bits */
    PASSES_MOST = 4,
    LINE = STREAM_LINE,    /* keys in a cache line */
    SMALL = 1 << 15,       /* so few keys are sorted by one member, in four passes */
    SHORT = 48,            /* so few are sorted by insertion */
    BUCKET_BITS_MOST = 10, /* as many cache lines are being filled at a time */
    BUCKETS_MOST = 1 << BUCKET_BITS_MOST,
    MANY = 1 << 23 /* from here on so many buckets pay */
};

static size_t padded(size_t n) {
    return (n + LINE - 1) / LINE * LINE;
}

/* A second array for the keys, and each member's counts. */
size_t be_radix_scratch(size_t n, int members) {
    return padded(n) * sizeof(uint32_t) + (size_t)members * BUCKETS_MOST * sizeof(size_t);
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

static void move_pass(const uint32_t *from, uint32_t *to, size_t n, int shift, uint32_t *place) {
    for (size_t i = 0; i < n; i++) {
        uint32_t key = from[i];
        to[place[key >> shift & (DIGITS - 1)]++] = key;
    }
}

/* Counts become places; true: all keys have the same digit. */
static bool start_pass(uint32_t count[DIGITS], size_t n) {
    uint32_t before = 0;
    bool alike = false;
    for (int d = 0; d < DIGITS; d++) {
        uint32_t here = count[d];
        alike |= here == n;
        count[d] = before;
        before += here;
    }
    return alike;
}

/* By the lowest 8 * passes bits into `to`; `between` may be `from` where passes is odd. */
static void sort_low(const uint32_t *from, uint32_t *to, uint32_t *between, size_t n, int passes) {
    uint32_t count[PASSES_MOST][DIGITS];
    memset(count, 0, sizeof count);
    for (size_t i = 0; i < n; i++) {
        uint32_t key = from[i];
        count[0][key & (DIGITS - 1)]++;
        count[1][key >> 8 & (DIGITS - 1)]++;
        count[2][key >> 16 & (DIGITS - 1)]++;
        count[3][key >> 24]++;
    }
    for (int pass = 0; pass < passes; pass++) {
        uint32_t *target = (passes - pass) % 2 ? to : between;
        if (start_pass(count[pass], n)) {
            memcpy(target, from, n * sizeof *from);
        } else {
            move_pass(from, target, n, 8 * pass, count[pass]);
        }
        from = target;
    }
}

/* ---- dealing into buckets ------------------------------------------------------------------- */

struct deal {
    int shift, buckets;
    size_t first, count;            /* this member's keys */
    uint32_t *to;                   /* begins at a cache line */
    size_t (*counts)[BUCKETS_MOST]; /* one a member */
};

/* Where this member's keys of each bucket go: behind those of lower buckets, and of this bucket
 * those of lower members. start: of each bucket, and the end. */
static void plan_deal(const struct be_radix *r, const struct deal *deal, size_t *place,
                      size_t *start) {
    size_t before = 0;
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

/* Keys of a bucket gather in a cache line of its own, which is written when it is full: a key at a
 * time, memory would be read and written a line for each. */
static void deal_keys(const struct be_radix *r, const struct deal *deal, size_t *place) {
    _Alignas(64) float line[BUCKETS_MOST][LINE]; /* keys, as what stream_line takes */
    size_t begun[BUCKETS_MOST];
    memcpy(begun, place, (size_t)deal->buckets * sizeof *place);
    for (size_t i = deal->first; i < deal->first + deal->count; i++) {
        uint32_t key = r->keys[i];
        uint32_t b = key >> deal->shift;
        size_t at = place[b]++;
        memcpy(&line[b][at % LINE], &key, sizeof key);
        if (at % LINE < LINE - 1) {
            continue;
        }
        size_t whole = at + 1 - LINE;
        if (at + 1 < begun[b] + LINE) { /* the first part of the line is another's */
            memcpy(deal->to + begun[b], &line[b][begun[b] % LINE],
                   (at + 1 - begun[b]) * sizeof key);
        } else if (r->past_cache) {
            stream_line((float *)(void *)(deal->to + whole), line[b]);
        } else {
            memcpy(deal->to + whole, line[b], sizeof line[b]);
        }
    }
    for (int b = 0; b < deal->buckets; b++) {
        size_t whole = place[b] / LINE * LINE;
        size_t from = begun[b] > whole ? begun[b] : whole;
        memcpy(deal->to + from, &line[b][from % LINE], (place[b] - from) * sizeof(uint32_t));
    }
    stream_end();
}

static void count_keys(const struct be_radix *r, const struct deal *deal) {
    size_t *count = deal->counts[r->member];
    memset(count, 0, (size_t)deal->buckets * sizeof *count);
    for (size_t i = deal->first; i < deal->first + deal->count; i++) {
        count[r->keys[i] >> deal->shift]++;
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

static void sort_buckets(const struct be_radix *r, const struct deal *deal, const size_t *start) {
    for (int b = 0; b < deal->buckets; b++) {
        size_t n = start[b + 1] - start[b];
        /* Whose it is follows from where it begins: each has about as many keys. */
        size_t whose = (size_t)((double)start[b] / (double)r->n * r->members);
        if (n == 0 || whose != (size_t)r->member) {
            continue;
        }
        uint32_t *from = deal->to + start[b];
        if (n <= SHORT) {
            sort_short(from, r->sorted + start[b], n);
        } else {
            sort_low(from, r->sorted + start[b], from, n, 3);
        }
    }
}

void be_radix_sort(const struct be_radix *r) {
    uint32_t *other = r->scratch;
    if (r->n <= SMALL) {
        if (r->member == 0 && r->n <= SHORT) {
            sort_short(r->keys, r->sorted, r->n);
        } else if (r->member == 0) {
            sort_low(r->keys, r->sorted, other, r->n, PASSES_MOST);
        }
        return;
    }
    size_t place[BUCKETS_MOST];
    size_t start[BUCKETS_MOST + 1];
    int bits = r->n >= MANY ? BUCKET_BITS_MOST : 8;
    struct deal deal = {.shift = 32 - bits,
                        .buckets = 1 << bits,
                        .to = other,
                        .counts = (void *)(other + padded(r->n))};
    be_team_share(r->n, LINE, r->member, r->members, &deal.first, &deal.count);
    count_keys(r, &deal);
    be_team_meet(r->team);
    plan_deal(r, &deal, place, start);
    deal_keys(r, &deal, place);
    be_team_meet(r->team);
    sort_buckets(r, &deal, start);
}
