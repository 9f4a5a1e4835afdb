/* Times of a CPU that nobody measured, from those of one that was and the profiles of both. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "elsewhere/elsewhere.h"
#include "machine/profile.h"
#include "predict/predict.h"

/* 90 % of the times of two CPUs (a Xeon and an EPYC), each made from those of the other one, lie between these parts of
 * what was foretold (docs/prediction.md). */
static const double off_lo = 0.30, off_hi = 3.3;

/* A call's fixed part is not known below this share of it. */
static const double fixed_max = 0.95;

struct rates {
    struct be_predict_place place; /* of that many threads */
    double clock;
};

static enum be_status rates_of(const struct be_profile *profile, int threads, struct rates *rates,
                               struct be_error *error) {
    const struct be_figure *clock =
        be_profile_figure(profile, "cpu", "clock", NULL, threads, NAN, NULL);
    enum be_status status = be_predict_cpu_place(profile, threads, &rates->place, error);
    rates->clock = clock ? clock->value : NAN;
    return status          ? status
           : clock != NULL ? BE_OK
                           : be_fail(error, BE_ABSENT,
                                     "profile %s does not say the clock of its CPU: times there "
                                     "cannot be foretold",
                                     profile->name);
}

/* Seconds that bytes and operations of a call take at least. */
struct least {
    double memory_s, work_s;
};

static struct least least_of(const struct rates *rates, const struct be_result *r) {
    const bool wide = strcmp(r->dtype, "float64") == 0;
    const struct be_ceilings *limit = &rates->place.limit;
    const double bytes = r->bytes > 0 ? r->bytes : 0;
    const double operations = r->operations > 0 ? r->operations : 0;
    return (struct least){
        .memory_s = bytes > 0 ? bytes / be_ceilings_memory(limit, bytes, false, false) : 0,
        .work_s = operations / limit->operations[wide ? BE_PLAIN64 : BE_PLAIN32],
    };
}

/* The part that bytes take at least grows with the bandwidth, that of operations with their rate, the rest with the clock,
 * over the threads. Starting the threads takes as long as it does there. */
static double scaled_s(const struct be_result *r, const struct rates *from,
                       const struct rates *to) {
    const double start_s = from->place.launch.typical_s;
    const double all_s = r->phase[BE_TOTAL].median_s;
    const double time_s = all_s - fmin(start_s, fixed_max * all_s);
    const struct least was = least_of(from, r), is = least_of(to, r);
    const double memory_s = fmin(was.memory_s, time_s);
    const double work_s = fmin(was.work_s, time_s - memory_s);
    const double clocks =
        from->clock * from->place.threads / (to->clock * (double)to->place.threads);
    const double by_memory_s = memory_s > 0 ? memory_s * is.memory_s / was.memory_s : 0;
    const double by_work_s = work_s > 0 ? work_s * is.work_s / was.work_s : 0;
    return to->place.launch.typical_s + by_memory_s + by_work_s +
           (time_s - memory_s - work_s) * clocks;
}

/* Both machines with one thread, and with all of theirs. */
static enum be_status open_both(const struct be_results *base,
                                const struct be_profile *base_profile,
                                const struct be_profile *target, struct rates from[2],
                                struct rates to[2], struct be_error *error) {
    const int threads[2][2] = {{1, base->machine.cores_allowed}, {1, be_predict_threads(target)}};
    enum be_status status = BE_OK;
    for (int i = 0; i < 2 && !status; i++) {
        status = rates_of(base_profile, threads[0][i], &from[i], error);
        status = status ? status : rates_of(target, threads[1][i], &to[i], error);
    }
    return status;
}

enum be_status be_results_scale_cpu(const struct be_results *base,
                                    const struct be_profile *base_profile,
                                    const struct be_profile *target, struct be_results *predicted,
                                    struct be_error *error) {
    struct rates from[2], to[2];
    enum be_status status = open_both(base, base_profile, target, from, to, error);
    if (status) {
        return status;
    }
    struct be_result *more = realloc(predicted->result, (predicted->results + base->results + 1) *
                                                            sizeof *predicted->result);
    if (!more) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", target->name);
    }
    predicted->result = more;
    predicted->origin = BE_ORIGIN_PREDICTED;
    for (size_t i = 0; i < base->results; i++) {
        const struct be_result *of = &base->result[i];
        const bool all = of->threads == from[1].place.threads;
        if (of->placement != BE_HOST || of->cache == BE_COLD || (of->threads != 1 && !all)) {
            continue;
        }
        const int k = of->threads == 1 ? 0 : 1;
        struct be_result *next = &predicted->result[predicted->results++];
        struct be_summary *total = &next->phase[BE_TOTAL];
        *next = *of;
        next->threads = to[k].place.threads;
        total->median_s = scaled_s(of, &from[k], &to[k]);
        total->lo_s = total->median_s * off_lo;
        total->hi_s = total->median_s * off_hi;
        next->phase[BE_FIRST].n = 0;
        next->phase[BE_FIRST].median_s = NAN;
    }
    return BE_OK;
}
