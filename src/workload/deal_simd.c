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
    BUCKETS_MOST = BE_DEAL_BUCKETS_MOST,
    COUNTS = 4,         /* side by side: the next key of a bucket need not wait for the last */
    LONG = 4 * LINE,    /* keys of a buffer: a full one is a branch that nobody foresees */
    LONG_BUCKETS = 256, /* so many long ones do not fill a core's second-level cache */
    BUFFERED = BUCKETS_MOST * LINE
};

void BE_SIMD_NAME(be_deal_count_run)(const struct be_deal *deal, uint32_t *count) {
    uint32_t part[COUNTS][BUCKETS_MOST];
    const uint32_t *keys = deal->keys;
    const int shift = deal->shift;
    const size_t n = deal->n;
    size_t i = 0;
    for (int k = 0; k < COUNTS; k++) {
        memset(part[k], 0, (size_t)deal->buckets * sizeof part[k][0]);
    }
    for (; i + COUNTS <= n; i += COUNTS) {
        for (int k = 0; k < COUNTS; k++) {
            part[k][keys[i + (size_t)k] >> shift]++;
        }
    }
    for (; i < n; i++) {
        part[0][keys[i] >> shift]++;
    }
    for (int b = 0; b < deal->buckets; b++) {
        count[b] = (part[0][b] + part[1][b]) + (part[2][b] + part[3][b]);
    }
}

/* A bucket's full buffer of `each` keys to where it belongs, up to `end`. */
static void put_buffer(const struct be_deal *deal, const uint32_t *buffer, uint32_t each,
                       uint32_t end, uint32_t begun) {
    uint32_t whole = end - each;
    if (begun > whole) { /* the first part of it is another's */
        memcpy(deal->sorted + begun, buffer + begun % each, (end - begun) * sizeof *buffer);
    } else if (deal->stream) {
        for (uint32_t i = 0; i < each; i += LINE) {
            stream_line((float *)(void *)(deal->sorted + whole + i),
                        (const float *)(const void *)(buffer + i));
        }
    } else {
        memcpy(deal->sorted + whole, buffer, each * sizeof *buffer);
    }
}

/* `each`: keys of a buffer, where they stand as they will in memory. */
static inline __attribute__((always_inline)) void deal_keys(const struct be_deal *deal,
                                                            uint32_t each) {
    _Alignas(64) uint32_t buffer[BUFFERED];
    uint32_t place[BUCKETS_MOST];
    const uint32_t *keys = deal->keys;
    const int shift = deal->shift;
    const size_t n = deal->n;
    memcpy(place, deal->place, (size_t)deal->buckets * sizeof *place);
    for (size_t i = 0; i < n; i++) {
        uint32_t key = keys[i];
        uint32_t bucket = key >> shift;
        uint32_t at = place[bucket]++;
        buffer[bucket * each + at % each] = key;
        if (at % each == each - 1) {
            put_buffer(deal, &buffer[(size_t)bucket * each], each, at + 1, deal->place[bucket]);
        }
    }
    for (int b = 0; b < deal->buckets; b++) {
        uint32_t whole = place[b] / each * each;
        uint32_t from = deal->place[b] > whole ? deal->place[b] : whole;
        memcpy(deal->sorted + from, &buffer[(size_t)b * each + from % each],
               (place[b] - from) * sizeof *place);
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
