/* be_comparison_of_samples: samples that a program took itself become results and break-evens. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bench/series.h"
#include "breakeven_samples.h"

/* A break-even is narrowed until its neighbours are this close. */
static const double bracket = 1.1;

enum { POINTS = 256 };

enum be_status be_environment_describe(struct be_environment *environment, struct be_error *error) {
    struct be_machine *machine = calloc(1, sizeof *machine);
    struct be_cores cores;
    if (!machine) {
        return be_fail(error, BE_NOMEM, "no host memory for a machine");
    }
    const enum be_status status = be_machine_find(machine, &cores, error);
    *environment = (struct be_environment){.load_average = NAN, .steal = NAN, .cpu_hz = NAN};
    if (status == BE_OK) {
        be_environment_find(&cores, environment);
        environment->steal = NAN;
    }
    free(machine);
    return status;
}

/* ---- are they what they should be? ---------------------------------------------------------- */

static bool has_device(const struct be_machine *machine, const char *id) {
    bool any = false;
    for (int i = 0; i < machine->devices; i++) {
        any |= strcmp(machine->device[i].id, id) == 0;
    }
    return any;
}

static enum be_status check(const struct be_sampled *sampled, size_t i,
                            const struct be_machine *machine, struct be_error *error) {
    const struct be_sampled *s = &sampled[i];
    const struct be_result *r = &s->result;
    const bool cpu = strcmp(r->device, "cpu") == 0;
    if (!has_device(machine, r->device)) {
        return be_fail(error, BE_USAGE,
                       "samples %zu: the machine lists no device %s: add it to machine.devices", i,
                       r->device);
    }
    if (cpu != (r->placement == BE_HOST)) {
        return be_fail(
            error, BE_USAGE,
            "samples %zu: placement host is for device cpu, and for it alone, not for %s", i,
            r->device);
    }
    if (s->round < 1) {
        return be_fail(error, BE_USAGE, "samples %zu: rounds count from 1", i);
    }
    if (r->status == BE_RESULT_OK && s->samples[BE_TOTAL] < 1) {
        return be_fail(error, BE_USAGE,
                       "samples %zu: a case that is ok needs samples of a whole call (total)", i);
    }
    for (int phase = 0; phase < BE_PHASES; phase++) {
        for (int k = 0; k < s->samples[phase]; k++) {
            if (!(s->seconds[phase][k] > 0) || !isfinite(s->seconds[phase][k])) {
                return be_fail(error, BE_USAGE, "samples %zu: %g is no time: seconds above 0", i,
                               s->seconds[phase][k]);
            }
        }
    }
    for (size_t k = 0; k < i; k++) {
        if (sampled[k].round == s->round && sampled[k].result.size != r->size) {
            return be_fail(error, BE_USAGE,
                           "samples %zu: round %d has another size already: one size a round", i,
                           s->round);
        }
    }
    return BE_OK;
}

/* ---- records -------------------------------------------------------------------------------- */

static enum be_status add_samples(struct be_samples *to, const struct be_sampled *s,
                                  enum be_phase phase, struct be_error *error) {
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < s->samples[phase]; i++) {
        status = be_samples_add(to, s->seconds[phase][i], error);
    }
    return status;
}

static enum be_status summarize(const struct be_sampled *s, struct be_record *record,
                                struct be_error *error) {
    enum be_status status = BE_OK;
    for (int phase = 0; status == BE_OK && phase < BE_PHASES; phase++) {
        struct be_samples samples = {0};
        status = add_samples(&samples, s, (enum be_phase)phase, error);
        if (phase == BE_TOTAL) {
            record->total = samples;
            samples = (struct be_samples){0};
        }
        record->result.phase[phase] = be_summarize(phase == BE_TOTAL ? &record->total : &samples,
                                                   s->result.phase[phase].stop);
        be_samples_free(&samples);
    }
    return status;
}

/* The clock stopped before the work did, or the bytes and operations that were said are too many. */
static void judge(struct be_result *r) {
    const double median_s = r->phase[BE_TOTAL].median_s;
    const bool known = r->phase[BE_TOTAL].n > 0 && r->limit_s > 0;
    r->times_limit = known ? median_s / r->limit_s : NAN;
    if (r->status == BE_RESULT_OK && known && median_s < BE_POSSIBLE * r->limit_s) {
        r->status = BE_RESULT_IMPOSSIBLE;
        snprintf(r->note, sizeof r->note,
                 "%.3g s is faster than the hardware allows (%.3g s): the clock stopped before the "
                 "work did, or a call needs fewer bytes than was said",
                 median_s, r->limit_s);
    }
}

static enum be_status add_record(struct be_session_record *kept, const struct be_sampled *s,
                                 struct be_error *error) {
    struct be_record *record = &kept->item[kept->items++];
    record->result = s->result;
    record->round = s->round;
    kept->round = s->round > kept->round ? s->round : kept->round;
    const enum be_status status = summarize(s, record, error);
    judge(&record->result);
    return status;
}

/* ---- series --------------------------------------------------------------------------------- */

typedef enum be_status series_work(const struct be_session_record *kept,
                                   const struct be_series *series, void *context,
                                   struct be_error *error);

static bool same_workload(const struct be_result *a, const struct be_result *b) {
    return strcmp(a->workload, b->workload) == 0 && strcmp(a->dtype, b->dtype) == 0;
}

/* Is it the first result of its workload on its device, beside the CPU? */
static bool is_first(const struct be_session_record *kept, size_t i) {
    const struct be_result *r = &kept->item[i].result;
    bool first = r->placement != BE_HOST;
    for (size_t k = 0; k < i && first; k++) {
        const struct be_result *s = &kept->item[k].result;
        first = strcmp(s->device, r->device) != 0 || !same_workload(s, r);
    }
    return first;
}

/* Calls work for each workload x device x placement x state of the caches that has points. */
static enum be_status each_series(const struct be_session_record *kept, enum be_among among,
                                  series_work *work, void *context, struct be_error *error) {
    enum be_status status = BE_OK;
    struct be_point point[POINTS];
    for (size_t i = 0; i < kept->items; i++) {
        const struct be_result *r = &kept->item[i].result;
        const struct be_workload workload = {.name = r->workload, .dtype = r->dtype};
        const struct be_problem problem = {.workload = &workload};
        if (!is_first(kept, i)) {
            continue;
        }
        for (int k = 0; status == BE_OK && k < (BE_PLACEMENTS - BE_COPY) * BE_CACHES; k++) {
            const struct be_series series = {.problem = &problem,
                                             .device = r->device,
                                             .placement =
                                                 (enum be_placement)(BE_COPY + k / BE_CACHES),
                                             .cache = (enum be_cache)(k % BE_CACHES),
                                             .among = among};
            if (be_series_stands_alone(kept, &series) &&
                be_series_points(kept, &series, point, POINTS) > 0) {
                status = work(kept, &series, context, error);
            }
        }
    }
    return status;
}

static enum be_status add_breakeven(const struct be_session_record *kept,
                                    const struct be_series *series, void *context,
                                    struct be_error *error) {
    struct be_comparison *comparison = context;
    struct be_breakeven *grown =
        realloc(comparison->breakeven, (comparison->breakevens + 1) * sizeof *grown);
    if (!grown) {
        return be_fail(error, BE_NOMEM, "no host memory for a break-even");
    }
    comparison->breakeven = grown;
    be_series_breakeven(kept, series, &grown[comparison->breakevens++]);
    return BE_OK;
}

/* The code of callers stands beside the best's where it has another answer. */
static enum be_status add_callable(const struct be_session_record *kept,
                                   const struct be_series *series, void *context,
                                   struct be_error *error) {
    struct be_series of_best = *series;
    struct be_breakeven callable, best;
    of_best.among = BE_AMONG_ALL;
    be_series_breakeven(kept, series, &callable);
    be_series_breakeven(kept, &of_best, &best);
    return be_series_differs(&callable, &best) ? add_breakeven(kept, series, context, error)
                                               : BE_OK;
}

/* The first series that is not narrow enough says which size comes next. */
static enum be_status find_next(const struct be_session_record *kept,
                                const struct be_series *series, void *context,
                                struct be_error *error) {
    struct be_point point[POINTS];
    uint64_t *narrows = context;
    (void)error;
    const int count = be_series_points(kept, series, point, POINTS);
    *narrows = *narrows ? *narrows : be_crossing_next(point, count, bracket);
    return BE_OK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static int by_size(const struct be_result *r, const struct be_result *s) {
    return same_workload(r, s) ? (r->size > s->size) - (r->size < s->size) : 0;
}

/* By ascending size, else as they came: qsort is not stable. */
static void add_results(const struct be_session_record *kept, struct be_comparison *comparison) {
    for (size_t i = 0; i < kept->items; i++) {
        size_t at = comparison->results++;
        while (at > 0 && by_size(&comparison->result[at - 1], &kept->item[i].result) > 0) {
            comparison->result[at] = comparison->result[at - 1];
            at--;
        }
        comparison->result[at] = kept->item[i].result;
    }
}

static enum be_status add_all(const struct be_session_record *kept,
                              struct be_comparison *comparison, uint64_t *narrows,
                              struct be_error *error) {
    uint64_t next = 0;
    comparison->result = calloc(kept->items + 1, sizeof *comparison->result);
    if (!comparison->result) {
        return be_fail(error, BE_NOMEM, "no host memory for %zu results", kept->items);
    }
    add_results(kept, comparison);
    enum be_status status = each_series(kept, BE_AMONG_ALL, add_breakeven, comparison, error);
    status =
        status ? status : each_series(kept, BE_AMONG_CALLABLE, add_callable, comparison, error);
    status = status ? status : each_series(kept, BE_AMONG_ALL, find_next, &next, error);
    if (narrows) {
        *narrows = next;
    }
    return status;
}

enum be_status be_comparison_of_samples(const struct be_sampled *sampled, size_t count,
                                        struct be_comparison *comparison, uint64_t *narrows,
                                        struct be_error *error) {
    struct be_session_record kept = {.item = calloc(count + 1, sizeof *kept.item)};
    enum be_status status =
        kept.item ? BE_OK : be_fail(error, BE_NOMEM, "no host memory for %zu samples", count);
    for (size_t i = 0; status == BE_OK && i < count; i++) {
        status = check(sampled, i, &comparison->machine, error);
        status = status ? status : add_record(&kept, &sampled[i], error);
    }
    status = status ? status : add_all(&kept, comparison, narrows, error);
    for (size_t i = 0; i < kept.items; i++) {
        be_samples_free(&kept.item[i].total);
    }
    free(kept.item);
    if (status != BE_OK) {
        be_comparison_free(comparison);
    }
    return status;
}
