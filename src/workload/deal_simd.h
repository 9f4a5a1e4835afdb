/* Keys dealt into buckets by their highest bits, see deal_simd.c. */
#ifndef BE_WORKLOAD_DEAL_SIMD_H
#define BE_WORKLOAD_DEAL_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/simd.h"

enum {
    BE_DEAL_LINE = 16,   /* keys in a cache line */
    BE_DEAL_LONG = 64,   /* keys written at a time, at the most */
    BE_DEAL_OVER = 2048, /* keys after which it is looked whether a bucket is too small */
    /* So many keys ahead a bucket's lines are asked for, into the second cache: a processor does not foresee the
     * next lines of some tens of buckets by itself. */
    BE_DEAL_AHEAD = 32,
    BE_DEAL_CACHE = 2,
    BE_DEAL_BUCKETS_MAX = 2048
};

struct be_deal {
    const uint32_t *keys;
    size_t n;
    int shift; /* 1 .. 31: what is left of a key is its bucket */
    int buckets;
    const uint32_t *place; /* of each bucket's first key in `sorted` */
    uint32_t *sorted; /* begins at a cache line; others may write what is not these keys' place */
    bool stream;      /* past the caches */
};

/* How many of the keys go to each bucket. place and sorted are not looked at. */
typedef void be_deal_count_type(const struct be_deal *deal, uint32_t *count);
typedef void be_deal_type(const struct be_deal *deal);

/* Where a bucket's next key goes, and where the bucket ends: a multiple of BE_DEAL_LONG keys from where
 * it begins, which is at a cache line. */
struct be_deal_place {
    uint32_t *next, *end;
};

struct be_deal_even {
    const uint32_t *keys;
    size_t n;
    int shift; /* as above */
    int buckets;
    struct be_deal_place *place; /* of each bucket */
    bool stream;                 /* past the caches */
};

/* Afterwards `next` is behind a bucket's keys; false: a bucket was too small; unless past the caches,
 * it may have had room for less than BE_DEAL_LINE more keys, and less than BE_DEAL_OVER were written behind it. */
typedef bool be_deal_even_type(const struct be_deal_even *deal);

BE_SIMD_DECLARE(be_deal_count_type, be_deal_count_run);
BE_SIMD_DECLARE(be_deal_type, be_deal_run);
BE_SIMD_DECLARE(be_deal_even_type, be_deal_even_run);

#endif
