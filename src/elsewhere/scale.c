/* Times of a GPU that nobody measured, from those of one that was and what is known of both. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "elsewhere/elsewhere.h"
#include "machine/profile.h"

/* Rates that a GPU reaches: operations a second by type, bytes a second. */
struct rates {
    double plain32, plain64, matrix64;
    double memory, cache, cache_bytes;
    double bus_in, bus_out;
};

/* How far off this was: 90 % of the times of five GPUs, each made from those of each other one, lie between these
 * parts of what was foretold (docs/prediction.md). */
static const struct off { double lo, hi; } by_memory = {0.55, 1.40}, by_operations = {0.35, 2.75};

static enum be_status rates_of(const struct be_profile *profile, struct rates *rates,
                               struct be_error *error) {
    const struct be_device_info *gpu = be_profile_gpu(profile);
    if (!gpu) {
        return be_fail(error, BE_ABSENT, "profile %s has no GPU: name a machine that has one",
                       profile->name);
    }
    const char *id = gpu->id;
    *rates = (struct rates){
        .plain32 = be_profile_highest(profile, id, "fma", "float32", true),
        .plain64 = be_profile_highest(profile, id, "fma", "float64", true),
        .matrix64 = be_profile_highest(profile, id, "matmul", "float64", true),
        .memory = fmax(be_profile_highest(profile, id, "read", NULL, true),
                       be_profile_highest(profile, id, "copy", NULL, true)),
        .cache = be_profile_cache_rate(gpu),
        .cache_bytes = gpu->cache_bytes,
        .bus_in = be_profile_highest(profile, id, "bus_in_pinned", NULL, true),
        .bus_out = be_profile_highest(profile, id, "bus_out_pinned", NULL, true),
    };
    rates->matrix64 = fmax(rates->matrix64, rates->plain64);
    const char *missing = !(rates->plain32 > 0)                           ? "float32 multiply-adds"
                          : !(rates->plain64 > 0)                         ? "float64 multiply-adds"
                          : !(rates->memory > 0)                          ? "memory bandwidth"
                          : !(rates->bus_in > 0) || !(rates->bus_out > 0) ? "the bus"
                                                                          : NULL;
    return missing ? be_fail(error, BE_ABSENT,
                             "profile %s does not say %s of its GPU: times there cannot be "
                             "foretold",
                             profile->name, missing)
                   : BE_OK;
}

/* Seconds that a call takes at least, and by what. */
static double least_s(const struct rates *rates, const struct be_result *r, bool *operations) {
    const bool wide = strcmp(r->dtype, "float64") == 0;
    const bool cached = r->bytes <= rates->cache_bytes && rates->cache > 0;
    const double memory_s = r->bytes / (cached ? rates->cache : rates->memory);
    const double work_s = r->operations / (wide ? rates->matrix64 : rates->plain32);
    *operations = work_s > memory_s;
    return fmax(memory_s, work_s);
}

static bool same_series(const struct be_result *a, const struct be_result *b) {
    return a->placement == b->placement && strcmp(a->workload, b->workload) == 0 &&
           strcmp(a->dtype, b->dtype) == 0 && strcmp(a->parameters, b->parameters) == 0;
}

/* The time of the shortest call of this kind: launches, waits and latencies, which no rate changes. */
static double shortest_s(const struct be_results *base, const struct be_result *of) {
    double shortest = INFINITY;
    for (size_t i = 0; i < base->results; i++) {
        if (same_series(&base->result[i], of)) {
            shortest = fmin(shortest, base->result[i].phase[BE_TOTAL].median_s);
        }
    }
    return shortest;
}

/* The same case with the data there, whose time holds no copies; NULL: it was not measured. */
static const struct be_result *resident_of(const struct be_results *base,
                                           const struct be_result *of) {
    const struct be_result *found = NULL;
    struct be_result there = *of;
    there.placement = BE_RESIDENT;
    for (size_t i = 0; i < base->results; i++) {
        const struct be_result *r = &base->result[i];
        if (r->size == of->size && r->cache == of->cache && same_series(r, &there) &&
            (!found || r->phase[BE_TOTAL].median_s < found->phase[BE_TOTAL].median_s)) {
            found = r;
        }
    }
    return found;
}

static double scaled_s(const struct be_results *base, const struct be_result *of,
                       const struct rates *from, const struct rates *to, struct off *off) {
    bool by_work = false, unused;
    const double once = shortest_s(base, of);
    const double growth = least_s(to, of, &by_work) / least_s(from, of, &unused);
    *off = by_work ? by_operations : by_memory;
    return once + fmax(of->phase[BE_TOTAL].median_s - once, 0) * growth;
}

/* The time that a case with copies takes beyond the same with the data there; 0: its data are there. */
static double copies_s(const struct be_results *base, const struct be_result *of) {
    const struct be_result *resident = resident_of(base, of);
    return resident ? fmax(of->phase[BE_TOTAL].median_s - resident->phase[BE_TOTAL].median_s, 0)
                    : NAN;
}

/* The shortest copies of the series are latency, which a faster bus does not change; the rest grows as the bus is
 * slower. A faster one does not make the host's own part shorter, so it counts as the same. */
static double scaled_copies_s(const struct be_results *base, const struct be_result *of,
                              const struct rates *from, const struct rates *to) {
    const double slower = fmax(fmax(from->bus_in / to->bus_in, from->bus_out / to->bus_out), 1);
    double once = INFINITY;
    for (size_t i = 0; i < base->results; i++) {
        if (same_series(&base->result[i], of)) {
            once = fmin(once, copies_s(base, &base->result[i]));
        }
    }
    return once + (copies_s(base, of) - once) * slower;
}

static bool predict_one(const struct be_results *base, const struct be_result *of,
                        const struct rates *from, const struct rates *to,
                        struct be_result *predicted) {
    struct off off;
    const struct be_result *resident = resident_of(base, of);
    if (!resident || !(of->bytes > 0)) {
        return false;
    }
    const double work_s = scaled_s(base, resident, from, to, &off);
    const double bus_s = of->placement == BE_RESIDENT ? 0 : scaled_copies_s(base, of, from, to);
    *predicted = *of;
    struct be_summary *total = &predicted->phase[BE_TOTAL];
    total->median_s = work_s + bus_s;
    total->lo_s = work_s * off.lo + bus_s * by_memory.lo;
    total->hi_s = work_s * off.hi + bus_s * by_memory.hi;
    predicted->phase[BE_FIRST].n = 0;
    predicted->phase[BE_FIRST].median_s = NAN;
    return true;
}

enum be_status be_results_scale(const struct be_results *base, const struct be_profile *base_sheet,
                                const struct be_profile *target, struct be_results *predicted,
                                struct be_error *error) {
    struct rates from, to;
    *predicted = (struct be_results){.origin = BE_ORIGIN_PREDICTED};
    enum be_status status = rates_of(base_sheet, &from, error);
    status = status ? status : rates_of(target, &to, error);
    if (status) {
        return status;
    }
    predicted->result = calloc(base->results + 1, sizeof *predicted->result);
    if (!predicted->result) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", target->name);
    }
    be_copy_text(predicted->name, sizeof predicted->name, target->name);
    predicted->machine = target->machine;
    predicted->environment = base->environment;
    snprintf(predicted->provenance, sizeof predicted->provenance,
             "from times of %s and the rates of both", base->name);
    const char *device = be_profile_gpu(target)->id;
    for (size_t i = 0; i < base->results; i++) {
        const struct be_result *of = &base->result[i];
        struct be_result *next = &predicted->result[predicted->results];
        if (of->placement != BE_HOST && predict_one(base, of, &from, &to, next)) {
            be_copy_text(next->device, sizeof next->device, device);
            predicted->results++;
        }
    }
    return BE_OK;
}
