#include "workload/gather/simd.h"

#include <string.h>

#include "workload/deal_simd.h"

enum { LINE = BE_DEAL_LINE, AHEAD = 512 }; /* indices */

void BE_SIMD_NAME(be_gather_fetch_run)(const float *x, uint32_t *cell, size_t n) {
#pragma GCC unroll 16
    for (size_t i = 0; i < n; i++) {
        memcpy(&cell[i], &x[cell[i]], sizeof *cell);
    }
}

static inline void put_one(const struct be_gather_put *p, size_t i) {
    const uint32_t bin = p->index[i] >> p->shift;
    const uint32_t at = p->next[bin];
    p->next[bin] = at + 1;
    memcpy(&p->z[i], &p->capacity[at], sizeof *p->z);
}

void BE_SIMD_NAME(be_gather_put_run)(const struct be_gather_put *put) {
    const struct be_gather_put p = *put; /* which no store changes */
    size_t i = 0;
    for (; i + LINE <= p.n; i += LINE) {
        __builtin_prefetch(p.index + i + AHEAD);
#pragma GCC unroll 16
        for (size_t k = 0; k < LINE; k++) {
            put_one(&p, i + k);
        }
    }
    for (; i < p.n; i++) {
        put_one(&p, i);
    }
}
