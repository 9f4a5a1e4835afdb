#include "accounting/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accounting/rows.h"

enum {
    EXACT = 8,        /* waits below are bins of their own */
    PARTS = 4,        /* bins to each doubling above */
    BINS = 128,       /* 8 + 29 doublings, rounded up */
    BLOCKS_MAX = 112, /* before blocks are joined */
    WEEK = 7,
    WEEKS_MIN = 8, /* fewer are too few to stand for themselves: days, with what neighbours share */
    BLOCKS_MIN = 4 /* with jobs in them */
};

/* ---- waits as bins -------------------------------------------------------------------------- */

static int bin_of(uint32_t wait_s) {
    if (wait_s < EXACT) {
        return (int)wait_s;
    }
    const int doublings = 31 - __builtin_clz(wait_s);
    return EXACT + (doublings - 3) * PARTS + (int)(wait_s >> (doublings - 2) & (PARTS - 1));
}

static double begin_of(int bin) {
    const int above = bin - EXACT;
    return bin < EXACT ? bin : ldexp(PARTS + above % PARTS, above / PARTS + 1);
}

/* The share of a bin that lies at or below: waits within one are taken as evenly spread. */
static double part_within(int bin, double value_s) {
    const double begin = begin_of(bin), end = begin_of(bin + 1);
    return fmin(fmax((floor(value_s) + 1 - begin) / (end - begin), 0), 1);
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Joins blocks until each has so many days, a multiple of what it has. False: no host memory. */
static bool join(struct be_wait_blocks *b, int days) {
    const int factor = days / b->days;
    const int64_t first = be_floor_div(b->first, factor);
    const int blocks = (int)(be_floor_div(b->first + b->blocks - 1, factor) - first) + 1;
    uint32_t **joined = calloc((size_t)blocks, sizeof *joined);
    if (!joined) {
        return false;
    }
    for (int i = 0; i < b->blocks; i++) {
        uint32_t **to = &joined[be_floor_div(b->first + i, factor) - first];
        if (!*to) {
            *to = b->count[i];
            continue;
        }
        for (int bin = 0; b->count[i] && bin < BINS; bin++) {
            (*to)[bin] += b->count[i][bin];
        }
        free(b->count[i]);
    }
    free(b->count);
    *b = (struct be_wait_blocks){first, days, blocks, joined};
    return true;
}

/* Room for the block of this day; false: no host memory. */
static bool reach(struct be_wait_blocks *b, int64_t day) {
    b->days = b->days ? b->days : 1;
    for (;;) {
        const int64_t block = be_floor_div(day, b->days);
        const int64_t first = b->blocks && b->first < block ? b->first : block;
        const int64_t end =
            b->blocks && b->first + b->blocks > block + 1 ? b->first + b->blocks : block + 1;
        if (b->blocks && first == b->first && end == first + b->blocks) {
            return true;
        }
        if (end - first > BLOCKS_MAX && b->blocks) {
            if (!join(b, b->days * (b->days == 1 ? WEEK : 4))) {
                return false;
            }
            continue;
        }
        uint32_t **count = calloc((size_t)(end - first), sizeof *count);
        if (!count) {
            return false;
        }
        if (b->blocks) {
            memcpy(count + (b->first - first), b->count, (size_t)b->blocks * sizeof *count);
        }
        free(b->count);
        *b = (struct be_wait_blocks){first, b->days, (int)(end - first), count};
        return true;
    }
}

static uint32_t *counts_of(struct be_wait_blocks *b, int64_t day) {
    if (!reach(b, day)) {
        return NULL;
    }
    uint32_t **count = &b->count[be_floor_div(day, b->days) - b->first];
    *count = *count ? *count : calloc(BINS, sizeof **count);
    return *count;
}

bool be_wait_blocks_add(struct be_wait_blocks *b, int64_t day, uint32_t wait_s, uint32_t count) {
    const int64_t at = b->days == 1 ? day - b->first : -1; /* the most are of a day that is there */
    uint32_t *counts = at >= 0 && at < b->blocks && b->count[at] ? b->count[at] : counts_of(b, day);
    if (counts) {
        counts[bin_of(wait_s)] += count;
    }
    return counts != NULL;
}

bool be_wait_blocks_merge(struct be_wait_blocks *b, const struct be_wait_blocks *more) {
    if (!more->blocks) {
        return true;
    }
    b->days = b->days ? b->days : more->days;
    while (b->days < more->days) {
        const int days = b->days * (b->days == 1 ? WEEK : 4);
        if (b->blocks && !join(b, days)) {
            return false;
        }
        b->days = days;
    }
    for (int i = 0; i < more->blocks; i++) {
        uint32_t *to = more->count[i] ? counts_of(b, (more->first + i) * more->days) : NULL;
        if (more->count[i] && !to) {
            return false;
        }
        for (int bin = 0; to && bin < BINS; bin++) {
            to[bin] += more->count[i][bin];
        }
    }
    return true;
}

void be_wait_blocks_free(struct be_wait_blocks *b) {
    for (int i = 0; i < b->blocks; i++) {
        free(b->count[i]);
    }
    free(b->count);
    *b = (struct be_wait_blocks){0};
}

/* ---- the interval --------------------------------------------------------------------------- */

/* Student's t at 97.5 %. */
static double student(double freedom) {
    static const double of[] = {12.71, 4.303, 3.182, 2.776, 2.571,
                                2.447, 2.365, 2.306, 2.262, 2.228};
    const double normal = 1.96;
    const int count = (int)(sizeof of / sizeof *of);
    return freedom < 1        ? of[0]
           : freedom <= count ? of[(int)freedom - 1]
                              : normal + (pow(normal, 3) + normal) / (4 * freedom);
}

/* By how many more jobs of each block than the share of all lie at or below the value; returns how many blocks
 * have any. */
static int excesses(const struct be_wait_blocks *b, double value_s, double *excess, double *jobs) {
    double all = 0, within = 0;
    int used = 0;
    for (int i = 0; i < b->blocks; i++) {
        double below = 0, n = 0;
        for (int bin = 0; b->count[i] && bin < BINS; bin++) {
            n += b->count[i][bin];
            below += b->count[i][bin] * part_within(bin, value_s);
        }
        excess[i] = below;
        jobs[i] = n;
        all += n;
        within += below;
        used += n > 0;
    }
    for (int i = 0; i < b->blocks; i++) {
        excess[i] -= jobs[i] * within / all;
    }
    *jobs = all;
    return used;
}

/* The variance of a sum of blocks of which so many neighbours go together (weights of M. Bartlett, 1946: what a
 * bootstrap of stretches of lags + 1 blocks comes to). */
static double variance_of(const double *excess, int blocks, int lags) {
    double sum = 0;
    for (int lag = 0; lag <= lags && lag < blocks; lag++) {
        double product = 0;
        for (int i = lag; i < blocks; i++) {
            product += excess[i] * excess[i - lag];
        }
        sum += (lag ? 2 : 1) * (1 - lag / (lags + 1.0)) * product;
    }
    return fmax(sum, 0);
}

double be_wait_blocks_half(struct be_wait_blocks *b, double q, double value_s) {
    if (b->days == 1 && b->blocks >= WEEK * WEEKS_MIN && !join(b, WEEK)) {
        return NAN;
    }
    double *excess = calloc(2 * (size_t)b->blocks + 2, sizeof *excess);
    double *jobs = excess ? excess + b->blocks : NULL;
    const int used = excess ? excesses(b, value_s, excess, jobs) : 0;
    double half = NAN;
    if (used >= BLOCKS_MIN) {
        const int lags = b->days == 1 ? (b->blocks / 3 < WEEK ? b->blocks / 3 : WEEK) - 1 : 0;
        const double freedom = lags > 0 ? fmax(1.5 * used / (lags + 1) - 1, 1) : used - 1;
        const double variance = variance_of(excess, b->blocks, lags) * used / (used - 1);
        const double alone =
            q * (1 - q) /
            *jobs; /* no quantile is surer than of waits that have nothing in common */
        half = fmax(student(freedom) * sqrt(variance) / *jobs, 1.96 * sqrt(alone));
    }
    free(excess);
    return half;
}
