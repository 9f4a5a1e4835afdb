/*
 * A set of waits of which any quantile is exact: whole seconds are kept as (value, count), so
 * memory grows with the different values there are, not with the jobs.
 */
#ifndef BE_ACCOUNTING_WAITS_H
#define BE_ACCOUNTING_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "breakeven_queue.h"

struct be_wait_pair {
    uint32_t value_s, count;
};

/* Zero-initialise. */
struct be_waits {
    struct be_wait_pair
        *pair; /* the first `sorted` ascending, each value once; then as they came */
    size_t sorted, pairs, capacity;
    uint64_t n;
};

/* False: no host memory. */
bool be_waits_add(struct be_waits *waits, uint32_t value_s, uint32_t count);
bool be_waits_merge(struct be_waits *waits, const struct be_waits *more);
/* Quantile q (linear between the two nearest, R's type 7) and its 95 % interval from the order
 * statistics, of waits that have nothing in common (normal approximation of the binomial; NAN where the ranks leave
 * the sample). NAN of none. False: no host memory. */
bool be_waits_quantile(struct be_waits *waits, double q, double *value_s, double *lo_s,
                       double *hi_s);
/* The waits whose shares are q less and q more than half: the ends of an interval of the quantile q. NAN where they
 * leave the sample. False: no host memory. */
bool be_waits_between(struct be_waits *waits, double q, double half, double *lo_s, double *hi_s);
void be_waits_free(struct be_waits *waits);

#endif
