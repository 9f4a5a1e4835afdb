/*
 * How sure a quantile of waits is when waits come in weather: jobs of one day or week wait long or short together,
 * so that a thousand of them say little more than one. Counts of waits by blocks of time, coarse in the wait and exact
 * in time, which is what a bootstrap of whole blocks would draw from. Knows nothing of jobs.
 */
#ifndef BE_ACCOUNTING_BLOCKS_H
#define BE_ACCOUNTING_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "accounting/waits.h"

/* Zero-initialise. */
struct be_wait_blocks {
    int64_t first; /* number of the first block: days since 1970, over days */
    int days;      /* of a block: 1, then 7, then four times as many; 0: none yet */
    int blocks;
    uint32_t **count; /* of each block: by wait; NULL: no job */
};

/* False: no host memory. */
bool be_wait_blocks_add(struct be_wait_blocks *blocks, int64_t day, uint32_t wait_s,
                        uint32_t count);
bool be_wait_blocks_merge(struct be_wait_blocks *blocks, const struct be_wait_blocks *more);
/* Half of the 95 % interval of the share that waits no longer than value_s, the quantile q of all of them: from how
 * that share differs between blocks. NAN: in too few of them is any job. It joins days to weeks where there are
 * enough. */
double be_wait_blocks_half(struct be_wait_blocks *blocks, double q, double value_s);
void be_wait_blocks_free(struct be_wait_blocks *blocks);

#endif
