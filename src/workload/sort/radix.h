/*
 * Unsigned 32-bit keys in ascending order on a team of CPU threads. Knows nothing of workloads.
 *
 * The keys are dealt into buckets by their highest bits, which is the only time that all members
 * move keys through memory; each bucket is then sorted by its lower bits by one member, in its
 * caches.
 */
#ifndef BE_WORKLOAD_SORT_RADIX_H
#define BE_WORKLOAD_SORT_RADIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/team.h"

struct be_radix {
    const uint32_t *keys;
    uint32_t *sorted; /* begins at a cache line, as scratch does */
    size_t n;
    void *scratch; /* be_radix_scratch bytes */
    int member, members;
    struct be_team *team;
    bool beyond_cache; /* the keys are too many to stay in the caches */
};

size_t be_radix_scratch(size_t n, int members);
/* Called by every member; all have come to the end when a member's call ends. */
void be_radix_sort(const struct be_radix *radix);

#endif
