/* Keys dealt into buckets by their highest bits, see deal_simd.c. */
#ifndef BE_WORKLOAD_DEAL_SIMD_H
#define BE_WORKLOAD_DEAL_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload/simd.h"

enum { BE_DEAL_LINE = 16, BE_DEAL_BUCKETS_MOST = 2048 }; /* keys in a cache line; buckets */

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

BE_SIMD_DECLARE(be_deal_count_type, be_deal_count_run);
BE_SIMD_DECLARE(be_deal_type, be_deal_run);

#endif
