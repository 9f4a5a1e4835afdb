/*
 * Compiled once per instruction set: AVX-512 and AVX2 spread keys over cells by their values and sort these in
 * registers. Keys that do not lie evenly AVX-512 halves; AVX2 sorts them by digits of as many bits as cost
 * least, as the plain form does with all.
 */
#include "workload/sort/radix_simd.h"

#include <stdbool.h>
#include <string.h>

static bool overlap(const uint32_t *from, const uint32_t *to, size_t n) {
    return (uintptr_t)from < (uintptr_t)(to + n) && (uintptr_t)to < (uintptr_t)(from + n);
}

#if defined(__AVX512F__)

#include "workload/sort/spread.h"

size_t BE_SIMD_NAME(be_sort_capacity)(size_t n) {
    return sort_spread_capacity(n);
}

/* Too many to be spread; the first partition moves them. */
static void sort_halves(const uint32_t *from, uint32_t *to, size_t n, struct sort_range in,
                        uint32_t *capacity, size_t capacity_for) {
    uint32_t pivot = sort_pivot(from, n);
    size_t low = sort_apart_from(from, to, n, pivot);
    const struct sort_range below = {in.min, pivot - 1}; /* pivot 0: there are none */
    const struct sort_range above = {pivot, in.max};
    sort_known(to, low, below, capacity, capacity_for, SORT_DEPTH_MAX);
    sort_known(to + low, n - low, above, capacity, capacity_for, SORT_DEPTH_MAX);
}

void BE_SIMD_NAME(be_sort_run)(const uint32_t *from, uint32_t *to, size_t n, int bits,
                               uint32_t *capacity, size_t capacity_for) {
    const struct sort_range in = sort_range_of(n > 0 ? from[0] : 0, bits);
    const bool fits = n <= capacity_for;
    if (fits && sort_spread(from, to, n, in, capacity)) {
        return;
    }
    if (overlap(from, to, n)) {
        memmove(to, from, n * sizeof *to);
        sort_known(to, n, in, capacity, capacity_for, SORT_DEPTH_MAX);
    } else if (fits && n <= SORT_SPREAD_MAX) {
        sort_quick_from(from, to, n, SORT_DEPTH_MAX);
    } else {
        sort_halves(from, to, n, in, capacity, capacity_for);
    }
}

#else

#if defined(__AVX2__)
#include "workload/sort/spread8.h"
#else
#include "workload/sort/insert.h"
#endif

enum { DIGIT_BITS_MAX = 12, PASSES_MAX = 4 };

/* A digit costs about as much to count and place as a third of a key to move. */
static int passes_for(size_t n, int bits) {
    int best = 0;
    double min = 0;
    for (int passes = 1; passes <= PASSES_MAX; passes++) {
        int width = (bits + passes - 1) / passes;
        double cost = passes * ((double)n + (double)((size_t)1 << width) / 3);
        if (width <= DIGIT_BITS_MAX && (best == 0 || cost < min)) {
            best = passes;
            min = cost;
        }
    }
    return best;
}

/* Two digits each time that the keys are read. */
static void count_digits(const uint32_t *keys, size_t n, int width, int passes, uint32_t *count) {
    uint32_t mask = ((uint32_t)1 << width) - 1;
    memset(count, 0, (size_t)passes * (mask + 1) * sizeof *count);
    for (int shift = 0; passes > 0; passes -= 2, shift += 2 * width, count += 2 * (mask + 1)) {
        uint32_t *second = count + mask + 1;
        if (passes == 1) {
            for (size_t i = 0; i < n; i++) {
                count[keys[i] >> shift & mask]++;
            }
            return;
        }
        for (size_t i = 0; i < n; i++) {
            count[keys[i] >> shift & mask]++;
            second[keys[i] >> (shift + width) & mask]++;
        }
    }
}

static void move_pass(const uint32_t *from, uint32_t *to, size_t n, int shift, uint32_t mask,
                      uint32_t *place) {
    uint32_t before = 0;
    for (uint32_t d = 0; d <= mask; d++) {
        uint32_t here = place[d];
        place[d] = before;
        before += here;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t key = from[i];
        to[place[key >> shift & mask]++] = key;
    }
}

/* In passes from the lowest digit on; the last one writes `to`, and so does the first of an odd number. */
static void sort_low(const uint32_t *from, uint32_t *to, uint32_t *capacity, size_t n, int bits) {
    uint32_t count[1 << DIGIT_BITS_MAX << 1];
    int passes = passes_for(n, bits);
    int width = (bits + passes - 1) / passes;
    size_t digits = (size_t)1 << width;
    if (passes % 2 && overlap(from, to, n)) {
        memcpy(capacity, from, n * sizeof *from);
        from = capacity;
    }
    count_digits(from, n, width, passes, count);
    for (int pass = 0; pass < passes; pass++) {
        uint32_t *target = (passes - pass) % 2 ? to : capacity;
        move_pass(from, target, n, width * pass, (uint32_t)digits - 1,
                  count + (size_t)pass * digits);
        from = target;
    }
}

#if defined(__AVX2__)

size_t BE_SIMD_NAME(be_sort_capacity)(size_t n) {
    const size_t cells = sort_cells_capacity(n);
    return n > cells ? n : cells;
}

static bool sort_fast(const uint32_t *from, uint32_t *to, uint32_t *capacity, size_t n, int bits) {
    if (n <= SORT_COLUMNS_MAX) {
        sort_few(from, to, n);
        return true;
    }
    return sort_spread(from, to, n, sort_range_of(from[0], bits), capacity);
}

#else

enum { SHORT = 40 }; /* so few keys are sorted by insertion */

size_t BE_SIMD_NAME(be_sort_capacity)(size_t n) {
    return n;
}

static bool sort_fast(const uint32_t *from, uint32_t *to, uint32_t *capacity, size_t n, int bits) {
    (void)capacity;
    (void)bits;
    if (n > SHORT) {
        return false;
    }
    sort_insert(from, to, 0, n);
    return true;
}

#endif

void BE_SIMD_NAME(be_sort_run)(const uint32_t *from, uint32_t *to, size_t n, int bits,
                               uint32_t *capacity, size_t capacity_for) {
    (void)capacity_for;
    if (bits == 0) { /* all are the same */
        memmove(to, from, n * sizeof *to);
    } else if (!sort_fast(from, to, capacity, n, bits)) {
        sort_low(from, to, capacity, n, bits);
    }
}

#endif
