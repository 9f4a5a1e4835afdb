#include "accounting/waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNSORTED_MIN = 4096, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* Ascending by value: three passes over 11 bits each. Sorting by comparisons would take longer than
 * reading the line did. */
static void sort(struct be_wait_pair *pair, struct be_wait_pair *scratch, size_t count) {
    for (int shift = 0; shift < 32; shift += DIGIT_BITS) {
        size_t at[DIGITS] = {0};
        for (size_t i = 0; i < count; i++) {
            at[pair[i].value_s >> shift & (DIGITS - 1)]++;
        }
        size_t sum = 0;
        for (int d = 0; d < DIGITS; d++) {
            size_t here = at[d];
            at[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++) {
            scratch[at[pair[i].value_s >> shift & (DIGITS - 1)]++] = pair[i];
        }
        memcpy(pair, scratch, count * sizeof *pair);
    }
}

/* Sorts what came last and merges it with what is sorted. */
static bool settle(struct be_waits *waits) {
    size_t fresh = waits->pairs - waits->sorted;
    if (fresh == 0) {
        return true;
    }
    struct be_wait_pair *merged = malloc(waits->pairs * sizeof *merged);
    if (!merged) {
        return false;
    }
    const struct be_wait_pair *a = waits->pair, *a_end = a + waits->sorted;
    struct be_wait_pair *b = waits->pair + waits->sorted, *b_end = b + fresh;
    sort(b, merged, fresh);
    size_t count = 0;
    while (a < a_end || b < b_end) {
        bool first = b == b_end || (a < a_end && a->value_s <= b->value_s);
        struct be_wait_pair next = first ? *a++ : *b++;
        if (count && merged[count - 1].value_s == next.value_s) {
            merged[count - 1].count += next.count;
        } else {
            merged[count++] = next;
        }
    }
    free(waits->pair);
    struct be_wait_pair *fitted = realloc(merged, count * sizeof *merged);
    waits->capacity = fitted ? count : waits->pairs;
    waits->pair = fitted ? fitted : merged;
    waits->sorted = waits->pairs = count;
    return true;
}

/* Room for one more; when as much is unsorted as is sorted, it is first looked through for values
 * that are there already. */
static bool make_capacity(struct be_waits *waits) {
    size_t fresh = waits->pairs - waits->sorted;
    if (fresh >= UNSORTED_MIN && fresh * 2 >= waits->sorted && !settle(waits)) {
        return false;
    }
    size_t capacity = waits->pairs + (waits->pairs / 2 > UNSORTED_MIN ? waits->pairs / 2
                                      : waits->pairs < 16             ? 16
                                                                      : UNSORTED_MIN);
    struct be_wait_pair *pair = realloc(waits->pair, capacity * sizeof *pair);
    if (!pair) {
        return false;
    }
    waits->pair = pair;
    waits->capacity = capacity;
    return true;
}

bool be_waits_add(struct be_waits *waits, uint32_t value_s, uint32_t count) {
    if (waits->pairs == waits->capacity && !make_capacity(waits)) {
        return false;
    }
    waits->pair[waits->pairs++] = (struct be_wait_pair){value_s, count};
    waits->n += count;
    return true;
}

bool be_waits_merge(struct be_waits *waits, const struct be_waits *more) {
    for (size_t i = 0; i < more->pairs; i++) {
        if (!be_waits_add(waits, more->pair[i].value_s, more->pair[i].count)) {
            return false;
        }
    }
    return true;
}

/* The wait of rank 0 .. n-1. */
static double ranked(const struct be_waits *waits, uint64_t rank) {
    uint64_t seen = 0;
    size_t i = 0;
    while (i + 1 < waits->pairs && seen + waits->pair[i].count <= rank) {
        seen += waits->pair[i++].count;
    }
    return waits->pair[i].value_s;
}

bool be_waits_quantile(struct be_waits *waits, double q, double *value_s, double *lo_s,
                       double *hi_s) {
    *value_s = *lo_s = *hi_s = NAN;
    if (waits->n == 0) {
        return true;
    }
    if (!settle(waits)) {
        return false;
    }
    double n = (double)waits->n;
    double rank = q * (n - 1);
    double below = floor(rank);
    double first = ranked(waits, (uint64_t)below);
    double second = ranked(waits, (uint64_t)ceil(rank));
    *value_s = first + (second - first) * (rank - below);
    return be_waits_between(waits, q, 1.96 * sqrt(q * (1 - q) / n), lo_s, hi_s);
}

bool be_waits_between(struct be_waits *waits, double q, double half, double *lo_s, double *hi_s) {
    *lo_s = *hi_s = NAN;
    if (waits->n == 0 || isnan(half)) {
        return true;
    }
    if (!settle(waits)) {
        return false;
    }
    const double n = (double)waits->n;
    const double lo = floor(n * (q - half)) - 1, hi = ceil(n * (q + half));
    *lo_s = lo >= 0 ? ranked(waits, (uint64_t)lo) : NAN;
    *hi_s = hi <= n - 1 ? ranked(waits, (uint64_t)hi) : NAN;
    return true;
}

void be_waits_free(struct be_waits *waits) {
    free(waits->pair);
    *waits = (struct be_waits){0};
}
