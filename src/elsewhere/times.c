/* The time of another machine at a size: as it was measured there, or interpolated. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "elsewhere/elsewhere.h"

static bool is_of(const struct be_result *r, const struct be_times_key *key) {
    const enum be_cache otherwise = key->cache == BE_BEYOND ? BE_COLD : BE_BEYOND;
    return r->placement == key->placement && (r->cache == key->cache || r->cache == otherwise) &&
           (!key->callable || r->code != BE_CODE_EXPERT) &&
           strcmp(r->workload, key->like->workload) == 0 &&
           strcmp(r->dtype, key->like->dtype) == 0 &&
           strcmp(r->parameters, key->like->parameters) == 0;
}

/* The fastest at the size next to `size`: below it, above it, or (both 0) at it; NULL: there is none. */
static const struct be_result *next_to(const struct be_results *there,
                                       const struct be_times_key *key, uint64_t size, int side) {
    const struct be_result *best = NULL;
    for (size_t i = 0; i < there->results; i++) {
        const struct be_result *r = &there->result[i];
        const bool fits = side < 0 ? r->size < size : side > 0 ? r->size > size : r->size == size;
        if (!fits || !is_of(r, key)) {
            continue;
        }
        const bool nearer =
            best && (side < 0 ? r->size > best->size : side > 0 && r->size < best->size);
        if (!best || nearer ||
            (r->size == best->size &&
             r->phase[BE_TOTAL].median_s < best->phase[BE_TOTAL].median_s)) {
            best = r;
        }
    }
    return best;
}

/* A straight line in log size and log time. */
static double on_line(uint64_t a, double a_s, uint64_t b, double b_s, uint64_t at) {
    const double part = log((double)at / (double)a) / log((double)b / (double)a);
    return a_s * pow(b_s / a_s, part);
}

static double median_of(const struct be_result *r) {
    return r->phase[BE_TOTAL].median_s;
}

/* |log| of what the line from `a` to `b` is off at `at`, which was measured; `a` or `b` NULL: not known, 0. */
static double off(const struct be_result *a, const struct be_result *at,
                  const struct be_result *b) {
    if (!a || !b) {
        return 0;
    }
    return fabs(
        log(median_of(at) / on_line(a->size, median_of(a), b->size, median_of(b), at->size)));
}

static struct be_time measured(const struct be_result *r) {
    const struct be_summary *total = &r->phase[BE_TOTAL];
    return (struct be_time){total->median_s, total->lo_s, total->hi_s, r, false, false};
}

bool be_times_at(const struct be_results *there, const struct be_times_key *key, uint64_t size,
                 struct be_time *time) {
    const struct be_result *same = next_to(there, key, size, 0);
    if (same) {
        *time = measured(same);
        return true;
    }
    const struct be_result *below = next_to(there, key, size, -1);
    const struct be_result *above = next_to(there, key, size, 1);
    if (!below || !above) {
        return false;
    }
    const struct be_result *before = next_to(there, key, below->size, -1);
    const struct be_result *behind = next_to(there, key, above->size, 1);
    double wider = fmax(off(before, below, above), off(below, above, behind));
    if (!before && !behind) { /* two sizes alone: the time may be that of either */
        wider = fabs(log(median_of(above) / median_of(below))) / 2;
    }
    const struct be_time from = measured(below), to = measured(above);
    *time =
        (struct be_time){on_line(below->size, from.median_s, above->size, to.median_s, size),
                         on_line(below->size, from.lo_s, above->size, to.lo_s, size) * exp(-wider),
                         on_line(below->size, from.hi_s, above->size, to.hi_s, size) * exp(wider),
                         below,
                         true,
                         false};
    return true;
}

bool be_times_nearest(const struct be_results *there, const struct be_times_key *key, uint64_t size,
                      struct be_time *time) {
    const struct be_result *below = next_to(there, key, size, -1);
    const struct be_result *above = next_to(there, key, size, 1);
    const struct be_result *nearest =
        !below                                                                    ? above
        : !above                                                                  ? below
        : (double)size / (double)below->size < (double)above->size / (double)size ? below
                                                                                  : above;
    if (nearest) {
        *time = measured(nearest);
    }
    return nearest != NULL;
}

/* An H100's times of power, add and stencil over those of multiply at equal bytes (share/results/h100.json), with the
 * data there and with copies. */
static const struct { double lo, hi; } resident = {0.90, 1.20}, copied = {0.80, 1.75};

/* Bytes a call of its rows moves, an element; 0: it has none. */
static double bytes_an_element(const struct be_results *there, const struct be_times_key *key) {
    double bytes = 0;
    for (size_t i = 0; i < there->results; i++) {
        const struct be_result *r = &there->result[i];
        if (is_of(r, key) && r->bytes > 0) {
            bytes = r->bytes / (double)r->size;
        }
    }
    return bytes;
}

bool be_times_alike(const struct be_results *there, const struct be_times_key *key,
                    struct be_time *time) {
    struct be_result like = *key->like;
    be_copy_text(like.workload, sizeof like.workload, key->like->like);
    like.parameters[0] = '\0';
    struct be_times_key other = *key;
    other.like = &like;
    const double bytes = *like.workload ? bytes_an_element(there, &other) : 0;
    if (!(bytes > 0) || !(key->like->bytes > 0) ||
        !be_times_at(there, &other, (uint64_t)(key->like->bytes / bytes), time)) {
        return false;
    }
    const bool copies = key->placement != BE_RESIDENT;
    time->lo_s *= copies ? copied.lo : resident.lo;
    time->hi_s *= copies ? copied.hi : resident.hi;
    time->alike = true;
    return true;
}

struct be_ratio be_times_ratio(const struct be_time *there, const struct be_time *here) {
    struct be_ratio ratio = {.pairs = 1,
                             .median = there->median_s / here->median_s,
                             .lo = there->lo_s / here->hi_s,
                             .hi = there->hi_s / here->lo_s,
                             .verdict = BE_TOO_CLOSE};
    if (ratio.hi < 1 - BE_MARGIN) {
        ratio.verdict = BE_FASTER;
    } else if (ratio.lo > 1 + BE_MARGIN) {
        ratio.verdict = BE_SLOWER;
    } else if (ratio.lo >= 1 - BE_MARGIN && ratio.hi <= 1 + BE_MARGIN) {
        ratio.verdict = BE_SAME;
    }
    return ratio;
}
