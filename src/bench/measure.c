/* All cases of one size, in interleaved rounds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "bench/arrays.h"
#include "bench/session.h"

/* Part of the free memory that is asked for at most: the rest is the system's. */
static const double host_share = 0.85;

/* Everything of one size; zeroed fields are released as nothing. */
struct size_run {
    struct be_session *session;
    struct be_problem problem;
    const struct be_filter *filter;
    struct be_data data[BE_PLACES_MAX]; /* of place i, where it has data of its own */
    bool own_data[BE_PLACES_MAX];
    struct be_arrays arrays[BE_PLACES_MAX];
    struct be_scratch scratch[BE_PLACES_MAX][BE_VARIANTS];
    struct be_case *c;
    int cases, room;
    struct be_stop_rule rule; /* of the samples, as far as there is time */
};

/* Teams of other sizes touch other memory first; that matters only with several NUMA nodes. */
static int data_sets(const struct be_session *session) {
    int sets = 1;
    for (int i = 0; i < session->places; i++) {
        const struct be_place *place = &session->place[i];
        sets += session->machine.numa_nodes > 1 && place->team != session->team;
    }
    return sets;
}

/* Devices whose memory is the host's own take their share of it. */
static double host_bytes(const struct be_session *session, const struct be_problem *problem,
                         size_t instances) {
    double bytes = be_data_bytes(problem, instances) * data_sets(session);
    for (int i = 0; i < session->places; i++) {
        const struct be_place *place = &session->place[i];
        bool shared = place->device && place->info.kind == BE_KIND_CPU;
        bytes += shared ? be_data_device_bytes(problem, instances) : 0;
        for (int v = 0; v < problem->workload->variants && (place->threads || shared); v++) {
            const struct be_variant *variant = &problem->workload->variant[v];
            const bool can =
                be_choose_variant(session->options, variant) && be_variant_can(variant, problem);
            bytes += can ? be_scratch_bytes(place, problem, v) : 0;
        }
    }
    return bytes;
}

static double bytes_here(const struct be_problem *problem, const void *session) {
    return host_bytes(session, problem, 1);
}

bool be_session_fits(const struct be_session *session, const struct be_problem *problem) {
    return host_bytes(session, problem, 1) <= host_share * be_memory_available();
}

uint64_t be_session_largest(const struct be_session *session, const struct be_problem *problem) {
    return be_data_largest(problem, host_share * be_memory_available(), bytes_here, session);
}

static bool passes(const struct be_filter *filter, int place, bool device,
                   enum be_placement placement) {
    return filter->place < 0 || !device ||
           (filter->place == place && filter->placement == placement);
}

static bool placement_wanted(const struct be_compare_options *options,
                             enum be_placement placement) {
    bool any = options->placement[BE_COPY] || options->placement[BE_PRELOAD] ||
               options->placement[BE_RESIDENT];
    return !any || options->placement[placement];
}

static bool is_asked(const bool cache[BE_CACHES]) {
    return cache[BE_HOT] || cache[BE_COLD];
}

/* Unasked, a quick look is at warm data only. */
static bool cache_wanted(const struct size_run *run, enum be_cache cache, bool small) {
    const struct be_compare_options *options = run->session->options;
    const bool preset[BE_CACHES] = {[BE_HOT] = true, [BE_COLD] = !options->quick};
    const bool *wanted = is_asked(run->filter->cache) ? run->filter->cache
                         : is_asked(options->cache)   ? options->cache
                                                      : preset;
    return small ? cache != BE_BEYOND && wanted[cache] : cache == BE_BEYOND;
}

/* ---- data and buffers ----------------------------------------------------------------------- */

/* As many as it takes to walk past every cache; what memory there is may allow fewer. */
static size_t choose_instances(const struct size_run *run) {
    const struct be_session *session = run->session;
    bool small = be_data_device_bytes(&run->problem, 1) <= session->cache_bytes;
    if (!small || !cache_wanted(run, BE_COLD, true)) {
        return 1;
    }
    double room = host_share * be_memory_available() / host_bytes(session, &run->problem, 1);
    for (int i = 0; i < session->places; i++) {
        const struct be_place *place = &session->place[i];
        double there =
            place->device ? be_arrays_room(place) / be_data_device_bytes(&run->problem, 1) : NAN;
        room = there < room && there >= 1 ? there : room;
    }
    size_t wanted = be_data_instances(&run->problem, session->cache_bytes);
    return (double)wanted <= room ? wanted : room >= 2 ? (size_t)room : 1;
}

/* Fewer than two caches' worth would still be warm. */
static bool walks_past_cache(const struct size_run *run, size_t instances) {
    return be_data_device_bytes(&run->problem, instances) >= 2 * run->session->cache_bytes;
}

static enum be_status open_data(struct size_run *run, size_t instances, struct be_error *error) {
    struct be_session *session = run->session;
    const struct be_shape shape = be_problem_shape(&run->problem);
    const double began_s = be_now(&session->clock);
    enum be_status status = BE_OK;
    int shared = -1;
    for (int i = 0; status == BE_OK && i < session->places; i++) {
        struct be_team *team = session->place[i].team;
        bool other = session->machine.numa_nodes > 1 && team != session->team;
        if (other || shared < 0) {
            shared = other ? shared : i;
            status = be_data_open(&run->problem, instances, other ? team : session->team,
                                  session->environment.seed, &run->data[i], error);
            run->own_data[i] = status == BE_OK;
        }
    }
    session->opened = (struct be_opened){.bytes = shape.bytes,
                                         .operations = shape.operations,
                                         .seconds = be_now(&session->clock) - began_s};
    return status;
}

static struct be_data *data_of(struct size_run *run, int place) {
    int at = place;
    while (at > 0 && !run->own_data[at]) {
        at--;
    }
    struct be_team *team = run->session->place[place].team;
    if (run->own_data[place] || run->data[at].team == team ||
        run->session->machine.numa_nodes <= 1) {
        return &run->data[at];
    }
    for (int i = 0; i < run->session->places; i++) {
        if (run->own_data[i] && run->data[i].team == run->session->team) {
            return &run->data[i];
        }
    }
    return &run->data[at];
}

/* ---- cases ---------------------------------------------------------------------------------- */

static struct be_case *add_case(struct size_run *run, int place, int variant,
                                enum be_placement placement, enum be_cache cache) {
    struct be_case *c = &run->c[run->cases++];
    struct be_place *p = &run->session->place[place];
    be_case_init(c, p, data_of(run, place), p->device ? run->arrays[place].buffer : NULL,
                 &run->scratch[place][variant], variant, placement, cache);
    c->result.refines = run->filter->place >= 0;
    return c;
}

static void skip(struct be_case *c, enum be_result_status status, const char *why) {
    c->result.status = status;
    be_copy_text(c->result.note, sizeof c->result.note, why);
    c->stop = BE_STOP_ONCE;
}

/* Is there code of this variant for the place, and can it do this problem? */
static bool runs_at(const struct size_run *run, const struct be_place *place, int variant) {
    const struct be_variant *v = &run->problem.workload->variant[variant];
    bool code = place->threads ? v->host != NULL : v->prepare != NULL;
    return code && be_choose_variant(run->session->options, v) && be_variant_can(v, &run->problem);
}

/* The placements and states of the caches that are measured of one variant at a place. */
static void add_variant(struct size_run *run, int place, int variant) {
    const struct be_session *session = run->session;
    const struct be_place *p = &session->place[place];
    bool small = be_data_device_bytes(&run->problem, 1) <= session->cache_bytes;
    for (int cache = 0; cache < BE_CACHES; cache++) {
        for (int placement = 0; placement < BE_PLACEMENTS; placement++) {
            enum be_placement as = (enum be_placement)placement;
            bool fits_kind = p->threads ? as == BE_HOST : as != BE_HOST;
            if (fits_kind && cache_wanted(run, (enum be_cache)cache, small) &&
                passes(run->filter, place, p->device != NULL || p->broken, as) &&
                (as == BE_HOST || placement_wanted(session->options, as))) {
                add_case(run, place, variant, as, (enum be_cache)cache);
            }
        }
    }
}

/* Without it a case cannot run: code, working memory. */
static enum be_result_status make_ready(struct size_run *run, int place, int variant,
                                        struct be_error *error) {
    struct be_place *p = &run->session->place[place];
    enum be_status status = be_place_prepare(p, &run->problem, variant, error);
    if (status == BE_OK) {
        status = be_scratch_open(p, &run->problem, variant, &run->scratch[place][variant], error);
    }
    return status == BE_OK       ? BE_RESULT_OK
           : status == BE_ABSENT ? BE_RESULT_ABSENT
           : status == BE_NOMEM  ? BE_RESULT_SKIPPED
                                 : BE_RESULT_FAILED;
}

/* The arrays of a place and what is in them. */
static enum be_result_status load_place(struct size_run *run, int place, struct be_case *any,
                                        struct be_error *error) {
    struct be_place *p = &run->session->place[place];
    if (p->broken) {
        be_copy_text(error->text, sizeof error->text, p->note);
        return p->absent ? BE_RESULT_ABSENT : BE_RESULT_FAILED;
    }
    enum be_status status =
        p->device ? be_arrays_open(p, data_of(run, place), &run->arrays[place], error) : BE_OK;
    if (status != BE_OK) {
        return status == BE_NOMEM ? BE_RESULT_SKIPPED : BE_RESULT_FAILED;
    }
    status = p->device ? be_case_upload(any, error) : BE_OK;
    return status == BE_OK ? BE_RESULT_OK : BE_RESULT_FAILED;
}

/* Where the device has only a window of the output: not for those that leave it there, or that cannot
 * compute a part. */
static bool takes_window(const struct size_run *run, int place, struct be_case *c) {
    const struct be_variant *v = &run->problem.workload->variant[c->variant];
    c->window = run->arrays[place].window;
    return v->slices && c->result.placement != BE_RESIDENT;
}

static void say_window(const struct size_run *run, int place) {
    const struct be_arrays *arrays = &run->arrays[place];
    be_session_remark(run->session,
                      "%s, size %llu: %s has no room for the whole result: it is computed, and "
                      "brought to the host, in parts of %.3g MB",
                      run->problem.workload->name,
                      (unsigned long long)be_problem_size(&run->problem),
                      run->session->place[place].info.id,
                      (double)(arrays->window / 2 * arrays->slice_bytes) / 1e6);
}

/* All cases of one place; those that cannot be made ready have that as their status. */
static void add_place(struct size_run *run, int place) {
    const struct be_place *p = &run->session->place[place];
    int first = run->cases;
    for (int v = 0; v < run->problem.workload->variants; v++) {
        if (p->broken || runs_at(run, p, v)) {
            add_variant(run, place, v);
        }
    }
    if (run->cases == first) {
        return;
    }
    struct be_error error = {0};
    enum be_result_status loaded = load_place(run, place, &run->c[first], &error);
    enum be_result_status ready = loaded;
    const bool window = run->arrays[place].window > 0;
    int taken = 0;
    for (int i = first; i < run->cases; i++) {
        bool new_variant = i == first || run->c[i].variant != run->c[i - 1].variant;
        if (window && !takes_window(run, place, &run->c[i])) {
            skip(&run->c[i], BE_RESULT_SKIPPED, run->arrays[place].too_large.text);
            continue;
        }
        if (loaded == BE_RESULT_OK && new_variant) {
            ready = make_ready(run, place, run->c[i].variant, &error);
        }
        if (ready != BE_RESULT_OK) {
            skip(&run->c[i], ready, error.text);
        }
        taken += ready == BE_RESULT_OK;
    }
    if (window && taken > 0) {
        say_window(run, place);
    }
}

/* Too few copies to walk past the caches: then nothing here is cold. */
static void drop_warm(struct size_run *run, size_t instances) {
    for (int i = 0; i < run->cases; i++) {
        struct be_case *c = &run->c[i];
        if (c->result.cache == BE_COLD && c->result.status == BE_RESULT_OK &&
            !walks_past_cache(run, instances)) {
            bool all = instances == be_data_instances(&run->problem, run->session->cache_bytes);
            skip(c, BE_RESULT_SKIPPED,
                 all ? "so small that its copies do not fill the caches"
                     : "too little free memory to walk past the caches");
        }
    }
}

/* One call of the slowest way must not cost more than all the rest together. */
static void drop_slow(struct size_run *run) {
    const struct be_session *session = run->session;
    for (int i = 0; i < run->cases; i++) {
        struct be_case *c = &run->c[i];
        double seconds = be_session_foreseen(session, &c->result);
        if (c->result.status == BE_RESULT_OK && seconds > session->patience_s) {
            char text[BE_NOTE];
            snprintf(text, sizeof text,
                     "a call may take %.2g s, after smaller sizes: more than %.2g s", seconds,
                     session->patience_s);
            skip(c, BE_RESULT_SKIPPED, text);
        }
    }
}

static void check_all(struct size_run *run) {
    struct be_session *session = run->session;
    for (int i = 0; i < run->cases; i++) {
        struct be_case *c = &run->c[i];
        if (c->result.status != BE_RESULT_OK || be_session_cancelled(session) ||
            !be_due_goes_on(&session->due, be_now(&session->clock))) {
            continue;
        }
        struct be_error error = {0};
        be_session_progress(session, c, "");
        be_case_check(c, &session->clock);
        if (c->result.status == BE_RESULT_OK) {
            be_session_draw(session, c);
        }
        if (c->result.status == BE_RESULT_OK &&
            be_case_calibrate(c, &session->clock, &error) != BE_OK) {
            skip(c, BE_RESULT_FAILED, error.text);
        }
    }
    /* Some ways of a size without the others would be no answer: all are given up. */
    for (int i = 0; session->due.over && i < run->cases; i++) {
        if (run->c[i].result.status == BE_RESULT_OK) {
            skip(&run->c[i], BE_RESULT_SKIPPED, "no time was left for this size");
        }
    }
}

/* Each case gets its usual time or its share of what is left, a part of which the phases need. */
static double share_out(struct size_run *run) {
    const double for_samples = 0.6, worth_a_word = 0.5;
    struct be_session *session = run->session;
    const double now_s = be_now(&session->clock);
    const double until_s = be_due_share(now_s, session->due.size_s, for_samples, 1);
    int cases = 0;
    for (int i = 0; i < run->cases; i++) {
        cases += run->c[i].stop == BE_STOP_NONE;
    }
    run->rule = session->rule;
    run->rule.budget_s = be_due_budget(now_s, until_s, cases, session->rule.budget_s);
    session->due.brief |= cases > 0 && run->rule.budget_s < worth_a_word * session->rule.budget_s;
    return until_s;
}

static void shuffle(int *order, int count, uint64_t seed, uint64_t round) {
    for (int i = count - 1; i > 0; i--) {
        uint64_t bits = be_random_bits(seed, round * 1024 + (uint64_t)i);
        int j = (int)(bits % ((uint64_t)i + 1));
        int kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* After whole rounds, so that all have the same, and not before each had the least. */
static void stop_over(struct size_run *run, double until_s) {
    const double now_s = be_now(&run->session->clock);
    const double least_s = be_due_budget(now_s, now_s, 1, run->session->rule.budget_s);
    for (int i = 0; now_s >= until_s && i < run->cases; i++) {
        if (run->c[i].stop == BE_STOP_NONE && run->c[i].spent_s >= least_s &&
            run->c[i].total.count >= BE_SAMPLES_FEWEST) {
            run->c[i].stop = BE_STOP_BUDGET;
            run->session->due.brief = true;
        }
    }
}

/* A B C C B A: what drifts, drifts for all, and who comes after whom changes. */
static void sample_all(struct size_run *run, int *order) {
    struct be_session *session = run->session;
    const double until_s = share_out(run);
    bool more = true;
    for (uint64_t round = 0; more && !be_session_cancelled(session); round++) {
        more = false;
        if (session->options->shuffle) {
            shuffle(order, run->cases, session->environment.seed, round);
        }
        for (int i = 0; i < run->cases; i++) {
            bool back = round % 2 != 0 && !session->options->shuffle;
            struct be_case *c = &run->c[order[back ? run->cases - 1 - i : i]];
            if (c->stop != BE_STOP_NONE || be_session_cancelled(session)) {
                continue;
            }
            be_session_progress(session, c, "");
            be_case_sample(c, &session->clock, &run->rule);
            more |= c->stop == BE_STOP_NONE;
        }
        stop_over(run, until_s);
    }
    for (int i = 0; i < run->cases; i++) {
        run->c[i].stop = run->c[i].stop == BE_STOP_NONE ? BE_STOP_CANCELLED : run->c[i].stop;
    }
}

static void close_run(struct size_run *run) {
    struct be_session *session = run->session;
    for (int i = 0; i < run->cases; i++) {
        be_case_free(&run->c[i]);
    }
    for (int place = 0; place < session->places; place++) {
        be_arrays_close(&session->place[place], &run->arrays[place]);
        if (run->own_data[place]) {
            be_data_close(&run->data[place]);
        }
        for (int v = 0; v < BE_VARIANTS; v++) {
            be_scratch_close(&session->place[place], &run->scratch[place][v]);
        }
    }
    free(run->c);
    free(run);
}

/* The published way of timing, once, where the options ask for it. */
static enum be_status add_as_published(struct size_run *run, struct be_error *error) {
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < run->cases; i++) {
        struct be_case *c = &run->c[i];
        if (c->variant == 0 && c->result.placement == BE_RESIDENT && c->result.cache != BE_COLD &&
            c->result.status == BE_RESULT_OK) {
            struct be_result result;
            be_case_as_published(c, &run->session->clock, &result);
            status = be_session_keep(run->session, &result, NULL, error);
        }
    }
    return status;
}

static enum be_status measure(struct size_run *run, struct be_error *error) {
    struct be_session *session = run->session;
    size_t instances = choose_instances(run);
    enum be_status status = open_data(run, instances, error);
    int *order = calloc((size_t)run->room, sizeof *order);
    if (status == BE_OK && !order) {
        status = be_fail(error, BE_NOMEM, "no host memory for %d cases", run->room);
    }
    if (status != BE_OK) {
        free(order);
        if (status == BE_NOMEM) { /* memory went meanwhile: the other sizes are worth keeping */
            be_session_remark(session, "left out: %.250s", error ? error->text : "no memory");
            return BE_OK;
        }
        return status;
    }
    for (int place = 0; place < session->places; place++) {
        add_place(run, place);
    }
    drop_warm(run, instances);
    drop_slow(run);
    for (int i = 0; i < run->cases; i++) {
        order[i] = i;
    }
    check_all(run);
    sample_all(run, order);
    free(order);
    for (int i = 0; i < run->cases; i++) {
        be_case_finish(&run->c[i], &session->clock, &run->rule, be_session_cancelled(session));
    }
    if (session->options->show_async && run->filter->place < 0) {
        status = add_as_published(run, error);
    }
    be_session_energy(session, run->c, run->cases, run->filter->no_energy);
    for (int i = 0; status == BE_OK && i < run->cases; i++) {
        status = be_session_keep(session, &run->c[i].result, &run->c[i].total, error);
        session->done++;
        session->left -= session->left > 0;
    }
    return status;
}

enum be_status be_session_measure(struct be_session *session, const struct be_problem *problem,
                                  const struct be_filter *filter, struct be_error *error) {
    struct size_run *run = calloc(1, sizeof *run);
    int room = session->places * problem->workload->variants * BE_PLACEMENTS * BE_CACHES;
    if (run) {
        run->c = calloc((size_t)room, sizeof *run->c);
    }
    if (!run || !run->c) {
        free(run);
        return be_fail(error, BE_NOMEM, "no host memory for %d cases", room);
    }
    run->session = session;
    session->run++;
    run->problem = *problem;
    run->filter = filter;
    run->room = room;
    enum be_status status = measure(run, error);
    close_run(run);
    return status;
}
