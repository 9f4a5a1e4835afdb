/* Few unsigned 32-bit keys in ascending order, a key at a time. */
#ifndef BE_WORKLOAD_SORT_INSERT_H
#define BE_WORKLOAD_SORT_INSERT_H

#include <stddef.h>
#include <stdint.h>

/* n keys of `from` into `to`, which may be the same or begin before it; `to` has the first `sorted` of them
 * already, in order. */
static inline void sort_insert(const uint32_t *from, uint32_t *to, size_t sorted, size_t n) {
    for (size_t i = sorted; i < n; i++) {
        uint32_t key = from[i];
        size_t at = i;
        for (; at > 0 && to[at - 1] > key; at--) {
            to[at] = to[at - 1];
        }
        to[at] = key;
    }
}

#endif
