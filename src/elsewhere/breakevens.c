/* From which size a machine elsewhere stays ahead of the CPU here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "bench/crossing.h"
#include "bench/series.h"
#include "elsewhere/elsewhere.h"

enum { POINTS = 256 };

/* One curve over sizes. */
struct curve {
    const struct be_comparison *all;
    const struct be_result *like; /* workload, type */
    const char *device;
    enum be_placement placement;
    enum be_cache cache;
    bool callable;
};

static bool is_on(const struct curve *curve, const struct be_result *r, const char *device,
                  enum be_placement placement) {
    return r->placement == placement && strcmp(r->device, device) == 0 &&
           (r->cache == curve->cache || r->cache == BE_BEYOND) &&
           strcmp(r->variant, BE_AS_PUBLISHED) != 0 &&
           (!curve->callable || (r->code != BE_CODE_EXPERT && !r->as_written)) &&
           strcmp(r->workload, curve->like->workload) == 0 &&
           strcmp(r->dtype, curve->like->dtype) == 0;
}

/* The fastest right case; NULL: none. */
static const struct be_result *best_at(const struct curve *curve, const char *device,
                                       enum be_placement placement, uint64_t size) {
    const struct be_result *best = NULL;
    for (size_t i = 0; i < curve->all->results; i++) {
        const struct be_result *r = &curve->all->result[i];
        if (r->size == size && r->status == BE_RESULT_OK && is_on(curve, r, device, placement) &&
            (!best || r->phase[BE_TOTAL].median_s < best->phase[BE_TOTAL].median_s)) {
            best = r;
        }
    }
    return best;
}

/* Has nothing on the most threads a time there? Then what is left is no baseline in good faith. */
static bool is_cpu_lost(const struct curve *curve, uint64_t size) {
    int max = 0;
    bool right = false;
    for (size_t i = 0; i < curve->all->results; i++) {
        const struct be_result *r = &curve->all->result[i];
        if (r->size == size && is_on(curve, r, "cpu", BE_HOST) && r->threads >= max) {
            right = r->status == BE_RESULT_OK || (r->threads == max && right);
            max = r->threads;
        }
    }
    return !right;
}

static struct be_time time_of(const struct be_result *r) {
    struct be_time time = {.median_s = r->phase[BE_TOTAL].median_s, .of = r};
    be_times_interval(&r->phase[BE_TOTAL], &time.lo_s, &time.hi_s);
    return time;
}

/* A result that was kept has its interval as it is. */
static struct be_time there_of(const struct be_result *r) {
    const struct be_summary *total = &r->phase[BE_TOTAL];
    return (struct be_time){total->median_s, total->lo_s, total->hi_s, r, false, false};
}

static int by_size(const void *a, const void *b) {
    const struct be_point *p = a, *q = b;
    return (p->size > q->size) - (p->size < q->size);
}

static bool has_size(const struct be_point *point, int count, uint64_t size) {
    bool any = false;
    for (int i = 0; i < count; i++) {
        any |= point[i].size == size;
    }
    return any;
}

static int points_of(const struct curve *curve, struct be_point *point) {
    int count = 0;
    for (size_t i = 0; i < curve->all->results && count < POINTS; i++) {
        const uint64_t size = curve->all->result[i].size;
        if (!is_on(curve, &curve->all->result[i], curve->device, curve->placement) ||
            has_size(point, count, size) || is_cpu_lost(curve, size)) {
            continue;
        }
        const struct be_result *there = best_at(curve, curve->device, curve->placement, size);
        const struct be_result *here = best_at(curve, "cpu", BE_HOST, size);
        if (there && here) {
            const struct be_time there_s = there_of(there), here_s = time_of(here);
            point[count].size = size;
            point[count++].ratio = be_times_ratio(&there_s, &here_s);
        }
    }
    qsort(point, (size_t)count, sizeof *point, by_size);
    return count;
}

/* The reason why it is behind at the largest size. */
static void explain(const struct curve *curve, uint64_t size, struct be_breakeven *even) {
    const struct be_result *there = best_at(curve, curve->device, curve->placement, size);
    const struct be_result *here = best_at(curve, "cpu", BE_HOST, size);
    char there_text[BE_NAME], here_text[BE_NAME];
    if (!there || !here) {
        return;
    }
    even->threads = here->threads;
    if (even->status != BE_EVEN_NEVER && even->status != BE_EVEN_BETWEEN) {
        return;
    }
    be_format_seconds(there_text, sizeof there_text, there->phase[BE_TOTAL].median_s, "?");
    be_format_seconds(here_text, sizeof here_text, here->phase[BE_TOTAL].median_s, "?");
    snprintf(even->why, sizeof even->why, "%s there, %d core%s here need%s %s", there_text,
             here->threads, here->threads == 1 ? "" : "s", here->threads == 1 ? "s" : "",
             here_text);
}

static bool breakeven_of(const struct curve *curve, struct be_breakeven *even) {
    struct be_point point[POINTS] = {0};
    const int count = points_of(curve, point);
    if (count == 0) {
        return false;
    }
    const struct be_crossing crossing = be_crossing_find(point, count);
    *even = (struct be_breakeven){
        .placement = curve->placement,
        .cache = curve->cache,
        .callable = curve->callable,
        .status = crossing.status,
        .from = crossing.from,
        .lo = crossing.lo,
        .hi = crossing.hi,
        .until = crossing.until,
        .until_lo = crossing.until_lo,
        .until_hi = crossing.until_hi,
        .smallest = (double)point[0].size,
        .largest = (double)point[count - 1].size,
        .calls_to_repay_copy = NAN,
        .calls_to_repay_copy_lo = NAN,
        .calls_to_repay_copy_hi = NAN,
        .calls_to_repay_first = NAN,
        .calls_to_repay_first_lo = NAN,
        .calls_to_repay_first_hi = NAN,
    };
    be_copy_text(even->workload, sizeof even->workload, curve->like->workload);
    be_copy_text(even->dtype, sizeof even->dtype, curve->like->dtype);
    be_copy_text(even->device, sizeof even->device, curve->device);
    be_copy_text(even->against, sizeof even->against, "cpu");
    explain(curve, point[count - 1].size, even);
    return true;
}

static enum be_status add(struct be_comparison *comparison, const struct be_breakeven *even,
                          struct be_error *error) {
    struct be_breakeven *grown =
        realloc(comparison->breakeven, (comparison->breakevens + 1) * sizeof *grown);
    if (!grown) {
        return be_fail(error, BE_NOMEM, "no host memory for a break-even");
    }
    comparison->breakeven = grown;
    grown[comparison->breakevens++] = *even;
    return BE_OK;
}

/* In this state of the caches? Where all are beyond them there is one curve. */
static bool has_cache(const struct be_comparison *all, const struct be_result *like,
                      const char *device, enum be_cache cache) {
    bool seen[BE_CACHES] = {false};
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        if (strcmp(r->device, device) == 0 && strcmp(r->workload, like->workload) == 0 &&
            strcmp(r->dtype, like->dtype) == 0) {
            seen[r->cache] = true;
        }
    }
    return cache == BE_BEYOND ? seen[BE_BEYOND] && !seen[BE_HOT] && !seen[BE_COLD] : seen[cache];
}

static enum be_status add_curves(struct be_comparison *comparison, struct curve *curve,
                                 struct be_error *error) {
    enum be_status status = BE_OK;
    struct be_breakeven best, callable;
    for (int cache = 0; !status && cache < BE_CACHES; cache++) {
        curve->cache = (enum be_cache)cache;
        curve->callable = false;
        if (!has_cache(comparison, curve->like, curve->device, curve->cache) ||
            !breakeven_of(curve, &best)) {
            continue;
        }
        status = add(comparison, &best, error);
        curve->callable = true;
        if (!status && breakeven_of(curve, &callable) && be_series_differs(&callable, &best)) {
            status = add(comparison, &callable, error);
        }
    }
    return status;
}

static bool is_first_there(const struct be_comparison *all, size_t i, const char *device) {
    const struct be_result *r = &all->result[i];
    bool first = strcmp(r->device, device) == 0;
    for (size_t k = 0; k < i && first; k++) {
        const struct be_result *s = &all->result[k];
        first = strcmp(s->device, device) != 0 || strcmp(s->workload, r->workload) != 0 ||
                strcmp(s->dtype, r->dtype) != 0;
    }
    return first;
}

enum be_status be_elsewhere_breakevens(struct be_comparison *comparison, const char *device,
                                       struct be_error *error) {
    enum be_status status = BE_OK;
    for (size_t i = 0; !status && i < comparison->results; i++) {
        if (!is_first_there(comparison, i, device)) {
            continue;
        }
        for (int placement = BE_COPY; !status && placement < BE_PLACEMENTS; placement++) {
            struct curve curve = {.all = comparison,
                                  .like = &comparison->result[i],
                                  .device = device,
                                  .placement = (enum be_placement)placement};
            status = add_curves(comparison, &curve, error);
        }
    }
    return status;
}
