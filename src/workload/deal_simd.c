/*
 * Compiled once per instruction set, for its shifts and its stores past the caches. Keys of a bucket
 * gather in a buffer of its own, some whole cache lines, which are written when all are full: a key at
 * a time, memory would be read and written a line for each.
 */
#include "workload/deal_simd.h"

#include <string.h>

#include "workload/stream_store.h"

enum {
    LINE = BE_DEAL_LINE,
    BUCKETS_MAX = BE_DEAL_BUCKETS_MAX,
    COUNTS = 4,          /* side by side: the next key of a bucket need not wait for the last */
    LONG = BE_DEAL_LONG, /* keys of a buffer: a full one is a branch that nobody foresees */
    LONG_BUCKETS = 256,  /* so many long ones do not fill a core's second-level cache */
    BUFFERED = BUCKETS_MAX * LINE
};

void BE_SIMD_NAME(be_deal_count_run)(const struct be_deal *deal, uint32_t *count) {
    uint32_t part[COUNTS][BUCKETS_MAX];
    const uint32_t *keys = deal->keys;
    const int shift = deal->shift;
    const size_t n = deal->n;
    size_t i = 0;
    for (int k = 0; k < COUNTS; k++) {
        memset(part[k], 0, (size_t)deal->buckets * sizeof part[k][0]);
    }
    for (; i + LINE <= n; i += LINE) {
        __builtin_prefetch(keys + i + STREAM_AHEAD);
#pragma GCC unroll 16
        for (size_t k = 0; k < LINE; k++) {
            part[k % COUNTS][keys[i + k] >> shift]++;
        }
    }
    for (; i < n; i++) {
        part[0][keys[i] >> shift]++;
    }
    for (int b = 0; b < deal->buckets; b++) {
        count[b] = (part[0][b] + part[1][b]) + (part[2][b] + part[3][b]);
    }
}

static inline void put_lines(uint32_t *to, const uint32_t *buffer, uint32_t each) {
    for (uint32_t i = 0; i < each; i += LINE) {
        stream_line((float *)(void *)(to + i), (const float *)(const void *)(buffer + i));
    }
}

/* A bucket's full buffer of `each` keys to where it belongs, up to `end`. */
static void put_buffer(const struct be_deal *deal, const uint32_t *buffer, uint32_t each,
                       uint32_t end, uint32_t begun) {
    uint32_t whole = end - each;
    if (begun > whole) { /* the first part of it is another's */
        memcpy(deal->sorted + begun, buffer + begun % each, (end - begun) * sizeof *buffer);
    } else if (deal->stream) {
        put_lines(deal->sorted + whole, buffer, each);
    } else {
        memcpy(deal->sorted + whole, buffer, each * sizeof *buffer);
    }
}

/* ---- keys to buffers ------------------------------------------------------------------------ */

/* Buffers of `each` keys, one behind the other; next: in `keys`, of each bucket. */
struct buffers {
    uint32_t next[BUCKETS_MAX];
    _Alignas(64) uint32_t keys[BUFFERED];
};

#define INLINE static inline __attribute__((always_inline))

/* Whether the key's buffer is full now; if so it is empty for the next key. */
INLINE bool fills(struct buffers *b, uint32_t key, uint32_t bucket, uint32_t each) {
    uint32_t at = b->next[bucket] + 1;
    b->next[bucket] = at;
    b->keys[at - 1] = key;
    if (__builtin_expect(at % each != 0, 1)) {
        return false;
    }
    b->next[bucket] = at - each;
    return true;
}

/* ---- into counted places -------------------------------------------------------------------- */

/* whole: of each bucket where its buffer's first key goes. `each`: keys of a buffer, where they stand as
 * they will in memory. */
INLINE void deal_key(const struct be_deal *deal, struct buffers *b, uint32_t *whole, uint32_t key,
                     uint32_t each) {
    uint32_t bucket = key >> deal->shift;
    if (fills(b, key, bucket, each)) {
        whole[bucket] += each;
        put_buffer(deal, &b->keys[(size_t)bucket * each], each, whole[bucket], deal->place[bucket]);
    }
}

INLINE void deal_keys(const struct be_deal *deal, uint32_t each) {
    const struct be_deal d = *deal; /* which no store changes */
    struct buffers b;
    uint32_t whole[BUCKETS_MAX];
    size_t i = 0;
    for (uint32_t k = 0; k < (uint32_t)d.buckets; k++) {
        b.next[k] = k * each + d.place[k] % each;
        whole[k] = d.place[k] / each * each;
    }
    for (; i + LINE <= d.n; i += LINE) {
        __builtin_prefetch(d.keys + i + STREAM_AHEAD);
#pragma GCC unroll 16
        for (size_t k = 0; k < LINE; k++) {
            deal_key(&d, &b, whole, d.keys[i + k], each);
        }
    }
    for (; i < d.n; i++) {
        deal_key(&d, &b, whole, d.keys[i], each);
    }
    for (uint32_t k = 0; k < (uint32_t)d.buckets; k++) {
        uint32_t from = d.place[k] > whole[k] ? d.place[k] : whole[k];
        uint32_t end = whole[k] + b.next[k] % each;
        memcpy(d.sorted + from, &b.keys[k * each + from % each], (end - from) * sizeof *whole);
    }
}

void BE_SIMD_NAME(be_deal_run)(const struct be_deal *deal) {
    if (deal->buckets <= LONG_BUCKETS) {
        deal_keys(deal, LONG);
    } else {
        deal_keys(deal, LINE);
    }
    stream_end();
}

/* ---- into places of one size ---------------------------------------------------------------- */

/* false: its bucket is full. */
INLINE bool deal_key_evenly(const struct be_deal_even *deal, struct buffers *b, uint32_t key,
                            uint32_t each) {
    uint32_t bucket = key >> deal->shift;
    struct be_deal_place *place = &deal->place[bucket];
    if (!fills(b, key, bucket, each)) {
        return true;
    }
    if (place->next == place->end) {
        return false;
    }
    put_lines(place->next, &b->keys[(size_t)bucket * each], each);
    place->next += each;
    return true;
}

INLINE bool deal_keys_evenly(const struct be_deal_even *deal, uint32_t each) {
    const struct be_deal_even d = *deal;
    struct buffers b;
    size_t i = 0;
    for (uint32_t k = 0; k < (uint32_t)d.buckets; k++) {
        b.next[k] = k * each;
    }
    for (; i + LINE <= d.n; i += LINE) {
        __builtin_prefetch(d.keys + i + STREAM_AHEAD);
#pragma GCC unroll 16
        for (size_t k = 0; k < LINE; k++) {
            if (!deal_key_evenly(&d, &b, d.keys[i + k], each)) {
                return false;
            }
        }
    }
    for (; i < d.n; i++) {
        if (!deal_key_evenly(&d, &b, d.keys[i], each)) {
            return false;
        }
    }
    for (uint32_t k = 0; k < (uint32_t)d.buckets; k++) {
        uint32_t rest = b.next[k] % each;
        if (rest > 0 && d.place[k].next == d.place[k].end) {
            return false;
        }
        memcpy(d.place[k].next, &b.keys[k * each], rest * sizeof *b.keys);
        d.place[k].next += rest;
    }
    return true;
}

/* ---- likewise through the caches, without buffers -------------------------------------------- */

/* Whether each bucket has room for so many more. */
INLINE bool all_have_capacity(const struct be_deal_even *deal, ptrdiff_t more) {
    bool fits = true;
    for (int b = 0; b < deal->buckets; b++) {
        fits = fits && deal->place[b].end - deal->place[b].next >= more;
    }
    return fits;
}

INLINE void deal_one(const struct be_deal_even *deal, uint32_t key) {
    struct be_deal_place *place = &deal->place[key >> deal->shift];
    uint32_t *to = place->next;
    place->next = to + 1;
    *to = key;
    __builtin_prefetch(to + BE_DEAL_AHEAD, 1, BE_DEAL_CACHE);
}

/* A key at a time. */
static void deal_each(const struct be_deal_even *deal, size_t first, size_t end) {
    const struct be_deal_even d = *deal;
    size_t i = first;
    for (; i + LINE <= end; i += LINE) {
        __builtin_prefetch(d.keys + i + STREAM_AHEAD);
#pragma GCC unroll 16
        for (size_t k = 0; k < LINE; k++) {
            deal_one(&d, d.keys[i + k]);
        }
    }
    for (; i < end; i++) {
        deal_one(&d, d.keys[i]);
    }
}

#if defined(__AVX512F__)

enum { PACKED_MAX = 8 };

/* Sixteen keys at a time, to few buckets: those of each are packed, and what is behind them in their
 * vector will be overwritten. */
static void deal_packed(const struct be_deal_even *deal, size_t first, size_t end) {
    const int buckets = deal->buckets;
    const __m128i shift = _mm_cvtsi32_si128(deal->shift);
    uint32_t *next[PACKED_MAX];
    size_t i = first;
#pragma GCC unroll 8
    for (int b = 0; b < PACKED_MAX; b++) {
        next[b] = b < buckets ? deal->place[b].next : NULL;
    }
    for (; i + LINE <= end; i += LINE) {
        const __m512i v = _mm512_loadu_si512(deal->keys + i);
        const __m512i bucket = _mm512_srl_epi32(v, shift);
        __builtin_prefetch(deal->keys + i + STREAM_AHEAD);
#pragma GCC unroll 8
        for (int b = 0; b < PACKED_MAX; b++) {
            if (b < buckets) {
                __mmask16 its = _mm512_cmpeq_epi32_mask(bucket, _mm512_set1_epi32(b));
                _mm512_storeu_si512(next[b], _mm512_maskz_compress_epi32(its, v));
                next[b] += __builtin_popcount(its);
            }
        }
    }
#pragma GCC unroll 8
    for (int b = 0; b < PACKED_MAX; b++) {
        if (b < buckets) {
            deal->place[b].next = next[b];
        }
    }
    deal_each(deal, i, end);
}

#else

enum { PACKED_MAX = 0 };

static void deal_packed(const struct be_deal_even *deal, size_t first, size_t end) {
    deal_each(deal, first, end);
}

#endif

/* Now and then it is looked whether a bucket is too small. */
static bool deal_through_caches(const struct be_deal_even *deal) {
    const bool packs = deal->buckets <= PACKED_MAX;
    for (size_t i = 0; i < deal->n; i += BE_DEAL_OVER) {
        const size_t end = deal->n - i < BE_DEAL_OVER ? deal->n : i + BE_DEAL_OVER;
        if (packs) {
            deal_packed(deal, i, end);
        } else {
            deal_each(deal, i, end);
        }
        if (!all_have_capacity(deal, packs ? LINE : 0)) {
            return false;
        }
    }
    return true;
}

bool BE_SIMD_NAME(be_deal_even_run)(const struct be_deal_even *deal) {
    if (!deal->stream) {
        return deal_through_caches(deal);
    }
    bool even =
        deal->buckets <= LONG_BUCKETS ? deal_keys_evenly(deal, LONG) : deal_keys_evenly(deal, LINE);
    stream_end();
    return even;
}
