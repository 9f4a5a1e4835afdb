/* be_compare: sizes in, results and break-evens out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "bench/crossing.h"
#include "bench/named.h"
#include "bench/series.h"
#include "bench/session.h"
#include "host/simd.h"

/* A crossing is narrowed until its neighbours are this close, or this many sizes were added. */
static const double bracket = 1.1;

enum { REFINEMENTS = 8, POINTS = 256 };

/* ---- the sweep ------------------------------------------------------------------------------ */

typedef enum be_status series_work(struct be_session *session, const struct be_series *series,
                                   int place, void *context, struct be_error *error);

/* Calls work for each series that was measured: device x placement x state of the caches. */
static enum be_status each_series(struct be_session *session, const struct be_problem *problem,
                                  enum be_among among, series_work *work, void *context,
                                  struct be_error *error) {
    struct be_point point[POINTS];
    enum be_status status = BE_OK;
    for (int place = 0; place < session->run.places; place++) {
        if (session->run.place[place].threads) {
            continue;
        }
        for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
            for (int cache = BE_HOT; status == BE_OK && cache < BE_CACHES; cache++) {
                const struct be_series series = {.problem = problem,
                                                 .device = session->run.place[place].info.id,
                                                 .placement = (enum be_placement)placement,
                                                 .cache = (enum be_cache)cache,
                                                 .among = among};
                if (be_series_stands_alone(&session->record, &series) &&
                    be_series_points(&session->record, &series, point, POINTS) > 0) {
                    status = work(session, &series, place, context, error);
                }
            }
        }
    }
    return status;
}

/* Bisection towards the crossing of one series. */
static enum be_status refine(struct be_session *session, const struct be_series *series, int place,
                             void *context, struct be_error *error) {
    (void)context;
    struct be_point point[POINTS];
    struct be_filter filter = {.place = place,
                               .placement = series->placement,
                               .no_energy = "a size that only narrows the break-even"};
    filter.cache[series->cache] = true;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < REFINEMENTS && !be_session_cancelled(session) &&
                    be_now(&session->run.clock) < session->record.due.workload_s;
         i++) {
        int count = be_series_points(&session->record, series, point, POINTS);
        uint64_t next = be_crossing_next(point, count, bracket);
        if (next == 0) {
            break;
        }
        struct be_problem sized = be_problem_sized(series->problem, next);
        status = be_session_measure(session, &sized, &filter, error);
        if (be_series_points(&session->record, series, point, POINTS) == count) {
            break; /* no right result there: it would be asked for again */
        }
    }
    return status;
}

/* The part of a plan that is not measured yet. */
struct rest {
    int from;       /* the first such size; all are: the count of them */
    double seconds; /* foreseen for it; NAN: not known, or it was begun and given up */
    bool late;      /* for lack of time */
    bool brief;     /* what was measured was sampled for less time than usual */
};

/* Cases of a size, for progress and for the time that is left. */
static int count_size(const struct be_session *session, const struct be_problem *sized) {
    const bool small = be_data_device_bytes(sized, 1) <= session->run.cache_bytes;
    int cases = 0;
    for (int k = 0; k < session->run.places; k++) {
        cases += (session->run.place[k].threads ? 1 : BE_PLACEMENTS - 1) * (small ? 2 : 1) *
                 sized->workload->variants;
    }
    return cases;
}

/* Cases of these sizes, without those that bisection will add. */
static int count_cases(const struct be_session *session, const struct be_plan *plan) {
    int cases = 0;
    for (int i = 0; i < plan->sizes; i++) {
        struct be_problem sized = be_problem_sized(&plan->problem, plan->size[i]);
        cases += count_size(session, &sized);
    }
    return cases;
}

/* Seconds that are planned for the sizes from `from` up to `end`. */
static double planned_s(const struct be_session *session, const struct be_plan *plan, int from,
                        int end) {
    double seconds = 0;
    for (int i = from; i < end; i++) {
        struct be_problem sized = be_problem_sized(&plan->problem, plan->size[i]);
        seconds += be_time_left_size(count_size(session, &sized), session->plan.rule.budget_s,
                                     be_session_foreseen_calls(session, &sized));
    }
    return seconds;
}

static enum be_status measure_size(struct be_session *session, const struct be_plan *plan, int size,
                                   const struct be_filter *filter, struct be_error *error) {
    struct be_session_record *record = &session->record;
    const struct be_problem sized = be_problem_sized(&plan->problem, plan->size[size]);
    be_time_left_begin(&record->planned, be_now(&session->run.clock),
                       planned_s(session, plan, size, size + 1),
                       planned_s(session, plan, size + 1, plan->sizes) + record->later_s);
    enum be_status status = be_session_measure(session, &sized, filter, error);
    be_time_left_end(&record->planned, be_now(&session->run.clock));
    return status;
}

/* Ascending sizes, as far as there is time. */
static enum be_status sweep_sizes(struct be_session *session, const struct be_plan *plan,
                                  struct rest *rest, struct be_error *error) {
    enum be_status status = BE_OK;
    struct be_due *due = &session->record.due;
    rest->late = false;
    while (status == BE_OK && !rest->late && rest->from < plan->sizes &&
           !be_session_cancelled(session)) {
        struct be_problem sized = be_problem_sized(&plan->problem, plan->size[rest->from]);
        const double seconds =
            isnan(rest->seconds) ? be_session_foreseen_size(session, &sized) : rest->seconds;
        const bool begun =
            be_due_size(due, be_now(&session->run.clock), rest->from, plan->sizes, seconds);
        /* A look shows the result of the largest; others would take the time for that. */
        const bool look = session->plan.options->quick && rest->from + 1 < plan->sizes;
        const struct be_filter filter = {
            .place = -1, .no_energy = look ? "a look measures it at the largest size" : NULL};
        status = begun ? measure_size(session, plan, rest->from, &filter, error) : BE_OK;
        rest->late = !begun || due->over;
        rest->seconds = begun ? NAN : seconds;
        rest->from += !rest->late;
    }
    rest->brief |= due->brief;
    return status;
}

static enum be_status sweep(struct be_session *session, const struct be_plan *plan,
                            struct rest *rest, struct be_error *error) {
    enum be_status status = sweep_sizes(session, plan, rest, error);
    bool fine = !session->plan.options->no_refine && !session->plan.options->quick;
    if (status == BE_OK && fine && !be_session_cancelled(session)) {
        status = each_series(session, &plan->problem, BE_AMONG_ALL, refine, NULL, error);
    }
    return status;
}

/* ---- results out ---------------------------------------------------------------------------- */

static enum be_status add_breakeven(struct be_session *session, const struct be_series *series,
                                    int place, void *context, struct be_error *error) {
    struct be_comparison *comparison = context;
    (void)place;
    struct be_breakeven *grown = realloc(comparison->breakeven, (comparison->breakevens + 1) *
                                                                    sizeof *comparison->breakeven);
    if (!grown) {
        return be_fail(error, BE_NOMEM, "no host memory for a break-even");
    }
    comparison->breakeven = grown;
    be_series_breakeven(&session->record, series, &grown[comparison->breakevens++]);
    return BE_OK;
}

/* The answer of code that anybody can have stands beside the best's where it is another one. */
static enum be_status add_callable(struct be_session *session, const struct be_series *series,
                                   int place, void *context, struct be_error *error) {
    struct be_comparison *comparison = context;
    struct be_series of_best = *series;
    struct be_breakeven callable, best;
    of_best.among = BE_AMONG_ALL;
    be_series_breakeven(&session->record, series, &callable);
    be_series_breakeven(&session->record, &of_best, &best);
    return be_series_differs(&callable, &best)
               ? add_breakeven(session, series, place, comparison, error)
               : BE_OK;
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

/* Each workload's together: some have sizes that were measured after all others. */
static void gather(const struct be_session *session, struct be_comparison *comparison) {
    for (size_t i = 0; i < session->record.items; i++) {
        const char *workload = session->record.item[i].result.workload;
        bool there = false;
        for (size_t k = 0; k < comparison->results && !there; k++) {
            there = strcmp(comparison->result[k].workload, workload) == 0;
        }
        for (size_t k = i; k < session->record.items && !there; k++) {
            if (strcmp(session->record.item[k].result.workload, workload) == 0) {
                comparison->result[comparison->results++] = session->record.item[k].result;
            }
        }
    }
}

static enum be_status hand_over(struct be_session *session, struct be_comparison *comparison,
                                struct be_error *error) {
    comparison->machine = session->run.machine;
    comparison->environment = session->run.environment;
    be_copy_text(comparison->environment.simd, sizeof comparison->environment.simd,
                 be_simd_name[be_simd_here()]);
    comparison->environment.steal = be_cpu_time_steal(session->record.started, be_cpu_time_now());
    if (session->plan.drawn && !session->record.picture.rgb) {
        be_session_remark(session, "no picture of %s: %.200s", session->plan.drawn->name,
                          session->record.no_picture.status != BE_OK
                              ? session->record.no_picture.text
                              : "no result was right");
    }
    if (*session->record.told) {
        be_session_remark(session, "%s", session->record.told);
    }
    be_session_tell_libraries(session);
    comparison->quick = session->plan.options->quick;
    comparison->partial = be_session_cancelled(session);
    comparison->remark = session->record.remark;
    comparison->remarks = session->record.remarks;
    session->record.remark = NULL;
    session->record.remarks = 0;
    comparison->picture = session->record.picture;
    session->record.picture = (struct be_picture){0};
    if (session->record.items == 0) {
        return BE_OK;
    }
    comparison->result = calloc(session->record.items, sizeof *comparison->result);
    if (!comparison->result) {
        return be_fail(error, BE_NOMEM, "no host memory for %zu results", session->record.items);
    }
    gather(session, comparison);
    sort_results(comparison->result, comparison->results);
    return BE_OK;
}

static enum be_status run_plan(struct be_session *session, struct be_plan *plan, struct rest *rest,
                               struct be_error *error) {
    const struct be_workload *workload = plan->problem.workload;
    uint64_t left_out = 0;
    const struct be_fit fit = {.options = session->plan.options, .run = &session->run};
    enum be_status status = be_fit_taken(plan, error);
    const int sizes = plan->sizes;
    status = status == BE_OK ? be_fit_keep(&fit, plan, &left_out, error) : status;
    if (left_out > 0) {
        char there[BE_NAME];
        be_format_bytes(there, sizeof there, be_memory_available(), "not known how much");
        be_session_remark(session,
                          "%s: %d of %d sizes, from %llu on, do not fit the host's free memory "
                          "(%s): left out",
                          workload->name, sizes - plan->sizes, sizes, (unsigned long long)left_out,
                          there);
    }
    if (status == BE_OK) {
        if (workload->remark) {
            be_session_remark(session, "%s: %s", workload->name, workload->remark);
        }
        be_named_remark(session, plan);
        status = sweep(session, plan, rest, error);
    }
    return status;
}

static enum be_status add_breakevens(struct be_session *session, const struct be_plan *plan,
                                     struct be_comparison *comparison, struct be_error *error) {
    const struct be_workload *workload = plan->problem.workload;
    bool written = false;
    for (int i = 0; i < workload->variants; i++) {
        written |= workload->variant[i].as_written;
    }
    enum be_status status =
        each_series(session, &plan->problem, BE_AMONG_ALL, add_breakeven, comparison, error);
    if (status == BE_OK) {
        status = each_series(session, &plan->problem, BE_AMONG_CALLABLE, add_callable, comparison,
                             error);
    }
    return status == BE_OK && written ? each_series(session, &plan->problem, BE_AMONG_WRITTEN,
                                                    add_breakeven, comparison, error)
                                      : status;
}

/* Names many workloads in one remark, or in several where they do not fit into one: `more` are to
 * come. */
static void say_left_out(struct be_session *session, bool more) {
    struct be_due *due = &session->record.due;
    if (strlen(due->left_out) > (more ? BE_NOTE / 2 : 0)) {
        be_session_remark(session,
                          "sizes left out, to end in %.3g s (--total=%.3g gives twice that): %s",
                          due->total_s, 2 * due->total_s, due->left_out);
        due->left_out[0] = '\0';
    }
}

static void say_brief(struct be_session *session) {
    if (*session->record.due.sampled_briefly) {
        be_session_remark(session, "sampled for less time than usual, to end in %.3g s: %s",
                          session->record.due.total_s, session->record.due.sampled_briefly);
    }
}

/* A workload gets a share of the time that is left. The share is its number of cases, and as many
 * as making data and compiling are worth, over that of all workloads that are left. */
static void begin_workload(struct be_session *session, const struct be_plan *plan, int left) {
    enum { BESIDES = 30 };
    double part = 0;
    double whole = 0;
    session->record.later_s = 0;
    for (int i = 0; i < left; i++) {
        whole += count_cases(session, &plan[i]) + BESIDES;
        part = i == 0 ? whole : part;
        session->record.later_s += i == 0 ? 0 : planned_s(session, &plan[i], 0, plan[i].sizes);
    }
    be_due_workload(&session->record.due, be_now(&session->run.clock), part, whole);
}

/* Most need less than their due. The time left over is for sizes that nobody had the time to begin. */
static enum be_status make_up(struct be_session *session, const struct be_plan *plan, int plans,
                              struct rest *rest, struct be_error *error) {
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < plans && !be_session_cancelled(session); i++) {
        if (rest[i].late && !isnan(rest[i].seconds)) {
            be_due_workload(&session->record.due, be_now(&session->run.clock), 1, 1);
            status = sweep_sizes(session, &plan[i], &rest[i], error);
        }
    }
    return status;
}

static void say_rests(struct be_session *session, const struct be_plan *plan, int plans,
                      const struct rest *rest) {
    for (int i = 0; i < plans; i++) {
        const char *workload = plan[i].problem.workload->name;
        if (rest[i].late) {
            be_due_note_left_out(&session->record.due, workload, plan[i].size[rest[i].from]);
        }
        if (rest[i].brief) {
            be_due_note_brief(&session->record.due, workload);
        }
        say_left_out(session, i + 1 < plans);
    }
    say_brief(session);
}

static enum be_status compare(struct be_session *session, struct be_plan *plan, int plans,
                              struct be_comparison *comparison, struct be_error *error) {
    enum be_status status = BE_OK;
    struct rest rest[BE_LIST_MAX];
    for (int i = 0; i < plans; i++) {
        rest[i] = (struct rest){.seconds = NAN};
        session->record.left += count_cases(session, &plan[i]);
    }
    /* Cancelled or not: each says what of it was left out. */
    for (int i = 0; status == BE_OK && i < plans; i++) {
        begin_workload(session, &plan[i], plans - i);
        status = run_plan(session, &plan[i], &rest[i], error);
    }
    status = status == BE_OK ? make_up(session, plan, plans, rest, error) : status;
    for (int i = 0; status == BE_OK && i < plans; i++) {
        status = add_breakevens(session, &plan[i], comparison, error);
    }
    say_rests(session, plan, plans, rest);
    return status == BE_OK ? hand_over(session, comparison, error) : status;
}

enum be_status be_compare(const struct be_compare_options *options,
                          struct be_comparison *comparison, struct be_error *error) {
    struct be_plan *plan = calloc(BE_LIST_MAX, sizeof *plan);
    struct be_session *session = calloc(1, sizeof *session);
    struct be_known known = {0};
    struct be_error own = {0};
    int plans = 0;
    error = error ? error : &own;
    memset(comparison, 0, sizeof *comparison);
    enum be_status status = plan && session
                                ? be_known_open(options, &known, error)
                                : be_fail(error, BE_NOMEM, "no host memory for a comparison");
    status = status == BE_OK ? be_fit_plans(options, &known, plan, &plans, error) : status;
    if (status == BE_OK) {
        status = be_session_open(options, plan, plans, session, error);
    }
    if (status == BE_OK) {
        const struct be_fit fit = {.options = options, .run = &session->run};
        status = be_named_check(&fit, plan, plans, error);
        status = status == BE_OK ? compare(session, plan, plans, comparison, error) : status;
        be_session_close(session);
    }
    be_known_close(&known);
    free(session);
    free(plan);
    if (status != BE_OK) {
        be_comparison_free(comparison);
    }
    return status;
}
