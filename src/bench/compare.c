/* be_compare: sizes in, results and break-evens out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bench/crossing.h"
#include "bench/session.h"
#include "workload/elementwise_simd.h"

/* A crossing is narrowed until its neighbours are this close, or this many sizes were added. */
static const double bracket = 1.1;

enum { REFINEMENTS = 8, POINTS = 256 };

static const struct be_filter everything = {.place = -1};

/* ---- what was asked ------------------------------------------------------------------------- */

static int choose_workloads(const struct be_compare_options *options,
                            const struct be_workload **chosen, enum be_status *status,
                            struct be_error *error) {
    int count = 0;
    *status = BE_OK;
    for (int i = 0; options->workloads == 0 && be_workloads[i] && count < BE_LIST_MAX; i++) {
        chosen[count++] = be_workloads[i];
    }
    for (int i = 0; i < options->workloads; i++) {
        const struct be_workload *w = be_workload_find(options->workload[i]);
        if (!w) {
            char known[BE_NOTE] = "";
            for (int k = 0; be_workloads[k]; k++) {
                size_t used = strlen(known);
                snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "",
                         be_workloads[k]->name);
            }
            *status = be_fail(error, BE_USAGE, "workload %.60s: no such one; there are: %s",
                              options->workload[i], known);
            return 0;
        }
        chosen[count++] = w;
    }
    return count;
}

static int add_size(uint64_t *size, int count, uint64_t value) {
    if (count < BE_LIST_MAX && (count == 0 || value > size[count - 1])) {
        size[count++] = value;
    }
    return count;
}

/* from, then 1, 3, 10, 30, ... in between, then to. */
static int steps(uint64_t from, uint64_t to, uint64_t *size) {
    int count = add_size(size, 0, from);
    for (uint64_t power = 1; power <= to / 10 || power <= to; power *= 10) {
        const uint64_t step[] = {power, 3 * power};
        for (size_t i = 0; i < BE_COUNT(step); i++) {
            if (step[i] > from && step[i] < to) {
                count = add_size(size, count, step[i]);
            }
        }
        if (power > to / 10) {
            break;
        }
    }
    return add_size(size, count, to);
}

/* Sizes named one by one must fit; of a range, those that do not fit are left out with a line. */
static enum be_status choose_sizes(const struct be_session *session,
                                   const struct be_workload *workload, uint64_t *size, int *count,
                                   bool *left_out, struct be_error *error) {
    const struct be_compare_options *options = session->options;
    uint64_t largest = be_session_largest(session, workload);
    *count = 0;
    *left_out = false;
    for (int i = 0; i < options->sizes; i++) {
        uint64_t n = options->size[i];
        if (n < workload->size_least) {
            return be_fail(error, BE_USAGE, "%s: size %llu: at least %llu", workload->name,
                           (unsigned long long)n, (unsigned long long)workload->size_least);
        }
        if (n > largest) {
            return be_fail(error, BE_NOMEM,
                           "%s of size %llu needs %.3g GB of host memory, %.3g GB are free: the "
                           "largest size that fits is %llu",
                           workload->name, (unsigned long long)n,
                           be_data_bytes(workload, n, 1) / 1e9, be_memory_available() / 1e9,
                           (unsigned long long)largest);
        }
        size[(*count)++] = n;
    }
    if (options->sizes > 0) {
        return BE_OK;
    }
    uint64_t from = options->size_from ? options->size_from : workload->size_preset_from;
    uint64_t to = options->size_to ? options->size_to : workload->size_preset_to;
    if (from > to) {
        return be_fail(error, BE_USAGE, "sizes %llu..%llu: the first must not be the larger",
                       (unsigned long long)from, (unsigned long long)to);
    }
    uint64_t all[BE_LIST_MAX];
    int steps_count = steps(from, to, all);
    for (int i = 0; i < steps_count; i++) {
        if (all[i] <= largest) {
            size[(*count)++] = all[i];
        }
    }
    *left_out = *count < steps_count;
    return *count > 0 ? BE_OK
                      : be_fail(error, BE_NOMEM,
                                "%s: no size of %llu..%llu fits the host's free memory (%.3g GB): "
                                "the largest that fits is %llu",
                                workload->name, (unsigned long long)from, (unsigned long long)to,
                                be_memory_available() / 1e9, (unsigned long long)largest);
}

enum be_status be_session_plan(const struct be_compare_options *options,
                               const struct be_workload **workload, int *workloads,
                               struct be_error *error) {
    enum be_status status;
    *workloads = choose_workloads(options, workload, &status, error);
    struct be_session *session = status == BE_OK ? calloc(1, sizeof *session) : NULL;
    if (status == BE_OK && !session) {
        status = be_fail(error, BE_NOMEM, "no host memory for a comparison");
    }
    for (int i = 0; status == BE_OK && i < *workloads; i++) {
        uint64_t size[BE_LIST_MAX];
        int sizes;
        bool left_out;
        session->options = options; /* no place is open yet */
        status = choose_sizes(session, workload[i], size, &sizes, &left_out, error);
    }
    free(session);
    return status;
}

/* ---- the sweep ------------------------------------------------------------------------------ */

typedef enum be_status series_work(struct be_session *session, const struct be_workload *workload,
                                   int place, enum be_placement placement, enum be_cache cache,
                                   void *context, struct be_error *error);

/* A series of small sizes in that state goes on with the sizes that fit no cache; where there are
 * only such, they are a series of their own. */
static bool is_series(const struct be_session *session, const struct be_workload *workload,
                      const char *device, enum be_placement placement, enum be_cache cache) {
    bool small = be_series_has(session, workload, device, placement, BE_HOT) ||
                 be_series_has(session, workload, device, placement, BE_COLD);
    return be_series_has(session, workload, device, placement, cache) &&
           (cache != BE_BEYOND || !small);
}

/* Calls work for each series that was measured: device x placement x state of the caches. */
static enum be_status each_series(struct be_session *session, const struct be_workload *workload,
                                  series_work *work, void *context, struct be_error *error) {
    struct be_point point[POINTS];
    enum be_status status = BE_OK;
    for (int place = 0; place < session->places; place++) {
        if (session->place[place].threads) {
            continue;
        }
        for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
            for (int cache = BE_HOT; status == BE_OK && cache < BE_CACHES; cache++) {
                const char *id = session->place[place].info.id;
                enum be_placement at = (enum be_placement)placement;
                bool wanted = is_series(session, workload, id, at, (enum be_cache)cache);
                int count = wanted ? be_series_points(session, workload, id, at,
                                                      (enum be_cache)cache, point, POINTS)
                                   : 0;
                if (count > 0) {
                    status = work(session, workload, place, (enum be_placement)placement,
                                  (enum be_cache)cache, context, error);
                }
            }
        }
    }
    return status;
}

/* Bisection towards the crossing of one series. */
static enum be_status refine(struct be_session *session, const struct be_workload *workload,
                             int place, enum be_placement placement, enum be_cache cache,
                             void *context, struct be_error *error) {
    (void)context;
    struct be_point point[POINTS];
    struct be_filter filter = {.place = place, .placement = placement};
    filter.cache[cache] = true;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < REFINEMENTS && !be_session_cancelled(session); i++) {
        int count = be_series_points(session, workload, session->place[place].info.id, placement,
                                     cache, point, POINTS);
        uint64_t next = be_crossing_next(point, count, bracket);
        if (next == 0) {
            break;
        }
        status = be_session_measure(session, workload, next, &filter, error);
    }
    return status;
}

static enum be_status sweep(struct be_session *session, const struct be_workload *workload,
                            const uint64_t *size, int sizes, struct be_error *error) {
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < sizes && !be_session_cancelled(session); i++) {
        status = be_session_measure(session, workload, size[i], &everything, error);
    }
    if (status == BE_OK && !session->options->no_refine && !be_session_cancelled(session)) {
        status = each_series(session, workload, refine, NULL, error);
    }
    return status;
}

/* ---- results out ---------------------------------------------------------------------------- */

static enum be_status add_breakeven(struct be_session *session, const struct be_workload *workload,
                                    int place, enum be_placement placement, enum be_cache cache,
                                    void *context, struct be_error *error) {
    struct be_comparison *comparison = context;
    struct be_breakeven *grown = realloc(comparison->breakeven, (comparison->breakevens + 1) *
                                                                    sizeof *comparison->breakeven);
    if (!grown) {
        return be_fail(error, BE_NOMEM, "no host memory for a break-even");
    }
    comparison->breakeven = grown;
    be_series_breakeven(session, workload, session->place[place].info.id, placement, cache,
                        &grown[comparison->breakevens++]);
    return BE_OK;
}

/* Cases in the order they are read: workload as measured, then size, then as they came. */
static int by_size(const void *a, const void *b) {
    const struct be_result *r = a;
    const struct be_result *s = b;
    int workload = strcmp(r->workload, s->workload);
    return workload ? 0 : (r->size > s->size) - (r->size < s->size);
}

/* qsort is not stable; an insertion sort of a few hundred is, and is not felt. */
static void sort_results(struct be_result *result, size_t count) {
    for (size_t i = 1; i < count; i++) {
        struct be_result moving = result[i];
        size_t at = i;
        while (at > 0 && by_size(&result[at - 1], &moving) > 0) {
            result[at] = result[at - 1];
            at--;
        }
        result[at] = moving;
    }
}

static enum be_status hand_over(struct be_session *session, struct be_comparison *comparison,
                                struct be_error *error) {
    comparison->machine = session->machine;
    comparison->environment = session->environment;
    be_copy_text(comparison->environment.simd, sizeof comparison->environment.simd,
                 be_elementwise_simd()->name);
    comparison->environment.steal = be_cpu_time_steal(session->started, be_cpu_time_now());
    comparison->partial = be_session_cancelled(session);
    comparison->remark = session->remark;
    comparison->remarks = session->remarks;
    session->remark = NULL;
    session->remarks = 0;
    if (session->records == 0) {
        return BE_OK;
    }
    comparison->result = calloc(session->records, sizeof *comparison->result);
    if (!comparison->result) {
        return be_fail(error, BE_NOMEM, "no host memory for %zu results", session->records);
    }
    comparison->results = session->records;
    for (size_t i = 0; i < session->records; i++) {
        comparison->result[i] = session->record[i].result;
    }
    sort_results(comparison->result, comparison->results);
    return BE_OK;
}

void be_comparison_free(struct be_comparison *comparison) {
    free(comparison->result);
    free(comparison->breakeven);
    free(comparison->remark);
    memset(comparison, 0, sizeof *comparison);
}

/* For progress: cases of these sizes, without those that bisection will add. */
static int count_cases(const struct be_session *session, const struct be_workload *workload,
                       const uint64_t *size, int sizes) {
    int cases = 0;
    for (int i = 0; i < sizes; i++) {
        bool small = be_data_device_bytes(workload, size[i], 1) <= session->cache_bytes;
        for (int k = 0; k < session->places; k++) {
            cases += (session->place[k].threads ? 1 : BE_PLACEMENTS - 1) * (small ? 2 : 1);
        }
    }
    return cases;
}

static enum be_status compare(struct be_session *session, const struct be_workload **workload,
                              int workloads, struct be_comparison *comparison,
                              struct be_error *error) {
    uint64_t size[BE_LIST_MAX];
    int sizes = 0;
    bool left_out = false;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < workloads; i++) {
        status = choose_sizes(session, workload[i], size, &sizes, &left_out, error);
        session->left += count_cases(session, workload[i], size, sizes);
    }
    for (int i = 0; status == BE_OK && i < workloads; i++) {
        status = choose_sizes(session, workload[i], size, &sizes, &left_out, error);
        if (left_out) {
            be_session_remark(session,
                              "%s: sizes above %llu do not fit the host's free memory (%.3g GB): "
                              "left out",
                              workload[i]->name,
                              (unsigned long long)be_session_largest(session, workload[i]),
                              be_memory_available() / 1e9);
        }
        status = status == BE_OK ? sweep(session, workload[i], size, sizes, error) : status;
        if (status == BE_OK) {
            status = each_series(session, workload[i], add_breakeven, comparison, error);
        }
    }
    return status == BE_OK ? hand_over(session, comparison, error) : status;
}

enum be_status be_compare(const struct be_compare_options *options,
                          struct be_comparison *comparison, struct be_error *error) {
    const struct be_workload *workload[BE_LIST_MAX];
    struct be_error own = {0};
    int workloads = 0;
    error = error ? error : &own;
    memset(comparison, 0, sizeof *comparison);
    enum be_status status = be_session_plan(options, workload, &workloads, error);
    struct be_session *session = calloc(1, sizeof *session);
    if (status == BE_OK && !session) {
        status = be_fail(error, BE_NOMEM, "no host memory for a comparison");
    }
    if (status == BE_OK) {
        status = be_session_open(options, session, error);
    }
    if (status == BE_OK) {
        status = compare(session, workload, workloads, comparison, error);
        be_session_close(session);
    }
    free(session);
    if (status != BE_OK) {
        be_comparison_free(comparison);
    }
    return status;
}
