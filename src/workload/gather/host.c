/* gather on the CPU, element by element. */
#include "workload/gather/gather.h"

/* A load an element, in plain code: what gathers in one instruction does so no faster, and several
 * times slower where the processor's microcode has to guard it. */
static void gather_some(const float *x, const int32_t *index, float *z, size_t n) {
#pragma GCC unroll 16
    for (size_t i = 0; i < n; i++) {
        z[i] = x[index[i]];
    }
}

/* Elements asked for at a time, and how much further on: a core looks less far ahead by itself. Into the
 * second cache, which waits for more lines at a time than the first: on a Xeon of Emerald Rapids 3e7 elements
 * take 7.4 ns each on one core, and 10.1 asked for into the first, as without asking. */
enum { AT_ONCE = 16, AHEAD = BE_GATHER_AHEAD };

static void ask_for(const float *x, const int32_t *index) {
    for (size_t i = 0; i < AT_ONCE; i++) {
        be_ask_line(x + index[i], BE_PREFETCH_L2);
    }
}

/* In order; ask: for elements of x ahead of their turn. Stored plainly: past the caches stores take 3 to 14 % longer, on one core and on four of a Zen 5 EPYC,
 * where a triad is fastest so. Asking costs up to a third where x is in the caches. */
static void gather_each(const float *x, const int32_t *index, float *z, size_t n, bool ask) {
    size_t i = 0;
    for (; ask && i + AHEAD + AT_ONCE <= n; i += AT_ONCE) {
        ask_for(x, index + i + AHEAD);
        gather_some(x, index + i, z + i, AT_ONCE);
    }
    gather_some(x, index + i, z + i, n - i);
}

void be_gather_plain_host(const struct be_work *work) {
    size_t first;
    size_t count;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &count);
    gather_each(be_work_array(work, 0), (const int32_t *)be_work_array(work, 1) + first,
                (float *)be_work_array(work, 2) + first, count, work->beyond_cache);
}
