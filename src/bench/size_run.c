/* The needs of one size: data in the host's memory, buffers on devices, code, and a list of cases. */
#include "bench/size_run.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "bench/fit.h"

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
static bool cache_wanted(const struct be_size_run *run, enum be_cache cache, bool small) {
    const struct be_compare_options *options = run->session->plan.options;
    const bool preset[BE_CACHES] = {[BE_HOT] = true, [BE_COLD] = !options->quick};
    const bool *wanted = is_asked(run->filter->cache) ? run->filter->cache
                         : is_asked(options->cache)   ? options->cache
                                                      : preset;
    return small ? cache != BE_BEYOND && wanted[cache] : cache == BE_BEYOND;
}

/* ---- data and buffers ----------------------------------------------------------------------- */

/* As many as it takes to walk past every cache; what memory there is may allow fewer. */
static size_t choose_instances(const struct be_size_run *run) {
    const struct be_session *session = run->session;
    bool small = be_data_device_bytes(&run->problem, 1) <= session->run.cache_bytes;
    if (!small || !cache_wanted(run, BE_COLD, true)) {
        return 1;
    }
    const struct be_fit fit = {.options = session->plan.options, .run = &session->run};
    double capacity = be_fit_copies(&fit, &run->problem);
    for (int i = 0; i < session->run.places; i++) {
        const struct be_place *place = &session->run.place[i];
        double there = place->device
                           ? be_arrays_capacity(place) / be_data_device_bytes(&run->problem, 1)
                           : NAN;
        capacity = there < capacity && there >= 1 ? there : capacity;
    }
    size_t wanted = be_data_instances(&run->problem, session->run.cache_bytes);
    return (double)wanted <= capacity ? wanted : capacity >= 2 ? (size_t)capacity : 1;
}

/* Fewer than two caches' worth would still be warm. */
static bool walks_beyond_cache(const struct be_size_run *run, size_t instances) {
    return be_data_device_bytes(&run->problem, instances) >= 2 * run->session->run.cache_bytes;
}

static enum be_status open_data(struct be_size_run *run, size_t instances, struct be_error *error) {
    struct be_session *session = run->session;
    const struct be_shape shape = be_problem_shape(&run->problem);
    const double began_s = be_now(&session->run.clock);
    enum be_status status = BE_OK;
    int shared = -1;
    for (int i = 0; status == BE_OK && i < session->run.places; i++) {
        struct be_team *team = session->run.place[i].team;
        bool other = session->run.machine.numa_nodes > 1 && team != session->run.team;
        if (other || shared < 0) {
            shared = other ? shared : i;
            status = be_data_open(&run->problem, instances, other ? team : session->run.team,
                                  session->run.environment.seed, &run->data[i], error);
            run->own_data[i] = status == BE_OK;
        }
    }
    session->record.opened = (struct be_opened){.bytes = shape.bytes,
                                                .operations = shape.operations,
                                                .seconds = be_now(&session->run.clock) - began_s};
    return status;
}

static struct be_data *data_of(struct be_size_run *run, int place) {
    int at = place;
    while (at > 0 && !run->own_data[at]) {
        at--;
    }
    struct be_team *team = run->session->run.place[place].team;
    if (run->own_data[place] || run->data[at].team == team ||
        run->session->run.machine.numa_nodes <= 1) {
        return &run->data[at];
    }
    for (int i = 0; i < run->session->run.places; i++) {
        if (run->own_data[i] && run->data[i].team == run->session->run.team) {
            return &run->data[i];
        }
    }
    return &run->data[at];
}

/* ---- cases ---------------------------------------------------------------------------------- */

static struct be_case *add_case(struct be_size_run *run, int place, int variant,
                                enum be_placement placement, enum be_cache cache) {
    struct be_case *c = &run->c[run->cases++];
    struct be_place *p = &run->session->run.place[place];
    be_case_init(c, p, data_of(run, place), p->device ? run->arrays[place].buffer : NULL,
                 &run->scratch[place][variant], variant, placement, cache);
    c->result.refines = run->filter->place >= 0;
    return c;
}

/* Is there code of this variant for the place, and can it do this problem? Nobody knows which variants a broken place
 * has code for. */
static bool runs_at(const struct be_size_run *run, const struct be_place *place, int variant) {
    const struct be_variant *v = &run->problem.workload->variant[variant];
    bool code = place->broken || be_variant_has_code(v, !place->threads);
    return code && be_choose_variant(run->session->plan.options, v) &&
           be_variant_can(v, &run->problem);
}

/* The placements and states of the caches that are measured of one variant at a place. */
static void add_variant(struct be_size_run *run, int place, int variant) {
    const struct be_session *session = run->session;
    const struct be_place *p = &session->run.place[place];
    const struct be_variant *v = &run->problem.workload->variant[variant];
    bool small = be_data_device_bytes(&run->problem, 1) <= session->run.cache_bytes;
    for (int cache = 0; cache < BE_CACHES; cache++) {
        for (int placement = 0; placement < BE_PLACEMENTS; placement++) {
            enum be_placement as = (enum be_placement)placement;
            bool fits_kind = p->threads ? as == BE_HOST : as != BE_HOST;
            if (fits_kind && be_case_takes(v, as) &&
                cache_wanted(run, (enum be_cache)cache, small) &&
                passes(run->filter, place, p->device != NULL || p->broken, as) &&
                (as == BE_HOST || placement_wanted(session->plan.options, as))) {
                add_case(run, place, variant, as, (enum be_cache)cache);
            }
        }
    }
}

/* Without it a case cannot run: code, working memory. */
static enum be_result_status make_ready(struct be_size_run *run, int place, int variant,
                                        struct be_error *error) {
    struct be_place *p = &run->session->run.place[place];
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
static enum be_result_status load_place(struct be_size_run *run, int place, struct be_case *any,
                                        struct be_error *error) {
    struct be_place *p = &run->session->run.place[place];
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
static bool takes_window(const struct be_size_run *run, int place, struct be_case *c) {
    const struct be_variant *v = &run->problem.workload->variant[c->variant];
    c->window = run->arrays[place].window;
    return v->slices && c->result.placement != BE_RESIDENT;
}

static void say_window(const struct be_size_run *run, int place) {
    const struct be_arrays *arrays = &run->arrays[place];
    const size_t part_bytes = arrays->window / 2 * arrays->slice_bytes;
    be_session_remark(run->session,
                      "%s, size %llu: %s has no room for the whole result: it is computed, and "
                      "brought to the host, in parts of %.3g MB",
                      run->problem.workload->name,
                      (unsigned long long)be_problem_size(&run->problem),
                      run->session->run.place[place].info.id, (double)part_bytes / 1e6);
}

/* All cases of one place; those that cannot be made ready have that as their status. */
static void add_place(struct be_size_run *run, int place) {
    const struct be_place *p = &run->session->run.place[place];
    int first = run->cases;
    for (int v = 0; v < run->problem.workload->variants; v++) {
        if (runs_at(run, p, v)) {
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
            be_case_fail(&run->c[i], BE_RESULT_SKIPPED, run->arrays[place].too_large.text);
            continue;
        }
        if (loaded == BE_RESULT_OK && new_variant) {
            ready = make_ready(run, place, run->c[i].variant, &error);
        }
        if (ready != BE_RESULT_OK) {
            be_case_fail(&run->c[i], ready, error.text);
        }
        taken += ready == BE_RESULT_OK;
    }
    if (window && taken > 0) {
        say_window(run, place);
    }
}

/* Too few copies to walk past the caches: then nothing here is cold. */
static void drop_warm(struct be_size_run *run, size_t instances) {
    for (int i = 0; i < run->cases; i++) {
        struct be_case *c = &run->c[i];
        if (c->result.cache == BE_COLD && c->result.status == BE_RESULT_OK &&
            !walks_beyond_cache(run, instances)) {
            bool all = instances == be_data_instances(&run->problem, run->session->run.cache_bytes);
            be_case_fail(c, BE_RESULT_SKIPPED,
                         all ? "so small that its copies do not fill the caches"
                             : "too little free memory to walk past the caches");
        }
    }
}

static enum be_status fill(struct be_size_run *run, struct be_error *error) {
    const size_t instances = choose_instances(run);
    enum be_status status = open_data(run, instances, error);
    for (int place = 0; status == BE_OK && place < run->session->run.places; place++) {
        add_place(run, place);
    }
    drop_warm(run, instances);
    return status;
}

enum be_status be_size_run_open(struct be_session *session, const struct be_problem *problem,
                                const struct be_filter *filter, struct be_size_run **opened,
                                struct be_error *error) {
    const int capacity =
        session->run.places * problem->workload->variants * BE_PLACEMENTS * BE_CACHES;
    struct be_size_run *run = *opened = calloc(1, sizeof *run);
    if (run) {
        run->session = session;
        run->problem = *problem;
        run->filter = filter;
        run->c = calloc((size_t)capacity, sizeof *run->c);
    }
    if (!run || !run->c) {
        return be_fail(error, BE_NOMEM, "no host memory for %d cases", capacity);
    }
    return fill(run, error);
}

void be_size_run_close(struct be_size_run *run) {
    if (!run) {
        return;
    }
    struct be_session *session = run->session;
    for (int i = 0; i < run->cases; i++) {
        be_case_free(&run->c[i]);
    }
    for (int place = 0; place < session->run.places; place++) {
        be_arrays_close(&session->run.place[place], &run->arrays[place]);
        if (run->own_data[place]) {
            be_data_close(&run->data[place]);
        }
        for (int v = 0; v < BE_VARIANTS; v++) {
            be_scratch_close(&session->run.place[place], &run->scratch[place][v]);
        }
    }
    free(run->c);
    free(run);
}
