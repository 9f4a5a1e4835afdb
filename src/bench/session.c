#include "bench/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "machine/profile.h"

static const double default_budget_s = 0.25;
static const double default_patience_s = 10;
/* A quick look takes less than 3 minutes for all workloads. A measurement that has begun when the
 * time is up is brought to an end, so these limits are below 3 minutes. */
static const double quick_total_s = 150;
static const double quick_budget_s = 0.05;
static const double quick_patience_s = 0.2;
static const double usual_limits_s = 3; /* to measure the CPU's with a number of threads */
static const double default_precision = 0.02;

/* ---- which places --------------------------------------------------------------------------- */

static bool is_named(const struct be_compare_options *options, const struct be_device_info *info) {
    for (int i = 0; i < options->devices; i++) {
        if (be_device_named(info, options->device[i])) {
            return true;
        }
    }
    return false;
}

/* GPUs of one model. A part of one (MIG) has fewer units. */
static bool is_alike(const struct be_device_info *one, const struct be_device_info *other) {
    return one->kind == BE_KIND_GPU && other->kind == BE_KIND_GPU &&
           strcmp(one->backend, other->backend) == 0 && strcmp(one->name, other->name) == 0 &&
           one->units == other->units;
}

static int alike_before(const struct be_machine *machine, const struct be_device_info *info) {
    int before = 0;
    for (int i = 0; &machine->device[i] != info; i++) {
        before += is_alike(&machine->device[i], info);
    }
    return before;
}

static const struct be_device_info *find_device(const struct be_machine *machine, const char *id) {
    for (int i = 0; i < machine->devices; i++) {
        if (strcmp(machine->device[i].id, id) == 0) {
            return &machine->device[i];
        }
    }
    return NULL;
}

/* Said of the second for all that follow it, so that eight GPUs have one line. */
static void say_alike(const struct be_machine *machine, const struct be_device_info *second,
                      char why[BE_NOTE]) {
    const char *first = second->id;
    int more = 0;
    for (int i = machine->devices - 1; i >= 0; i--) {
        const struct be_device_info *other = &machine->device[i];
        first = is_alike(other, second) ? other->id : first;
        more += is_alike(other, second) && other > second;
    }
    char others[BE_NAME] = "";
    if (more > 0) {
        snprintf(others, sizeof others, " and %d more", more);
    }
    snprintf(why, BE_NOTE,
             "%.40s%.20s: %.90s like %.40s: left out of a look (--device=%.20s looks at each)",
             second->id, others, second->name, first, second->backend);
}

bool be_session_unasked(const struct be_machine *machine, const struct be_device_info *info,
                        bool quick, char why[BE_NOTE]) {
    const char *gpu = NULL;
    for (int i = machine->devices - 1; i >= 0; i--) {
        gpu = machine->device[i].kind == BE_KIND_GPU ? machine->device[i].id : gpu;
    }
    why[0] = '\0';
    if (info->kind != BE_KIND_CPU && info->same_as[0]) {
        const struct be_device_info *shown = find_device(machine, info->same_as);
        if (!quick || !shown || alike_before(machine, shown) == 0) {
            snprintf(
                why, BE_NOTE,
                "%.40s is %.90s, which %.40s shows too: left out (--device=%.40s,%.40s has both)",
                info->id, info->name, info->same_as, info->same_as, info->id);
        }
        return true;
    }
    if (info->kind == BE_KIND_CPU) {
        snprintf(why, BE_NOTE, "%s is the CPU: left out (--device=%s%s%s measures %s)", info->id,
                 gpu ? gpu : "", gpu ? "," : "", info->id, gpu ? "both" : "it");
        return true;
    }
    const int before = quick ? alike_before(machine, info) : 0;
    if (before == 1) {
        say_alike(machine, info, why);
    }
    return before > 0;
}

/* ---- limits from a profile ------------------------------------------------------------------ */

/* Is anything of the profile what is here? */
static bool is_of_this(const struct be_profile *profile, const struct be_machine *machine) {
    bool any = strcmp(profile->machine.cpu, machine->cpu) == 0;
    for (int i = 0; i < machine->devices; i++) {
        any |= be_place_has_ceilings(&machine->device[i]) &&
               be_profile_device(profile, &machine->device[i]);
    }
    return any;
}

/* Ceilings of this device, or of the CPU with so many threads. */
static enum be_status profile_has(const struct be_session *session,
                                  const struct be_device_info *info, int threads,
                                  struct be_ceilings *capacity, struct be_error *error) {
    const struct be_profile *profile = session->plan.profile;
    bool same_cpu = strcmp(profile->machine.cpu, session->run.machine.cpu) == 0;
    const char *id = !threads ? be_profile_device(profile, info) : same_cpu ? "cpu" : NULL;
    return id ? be_profile_ceilings(profile, id, threads, capacity, error)
              : be_fail(error, BE_ABSENT, "the profile is of other hardware");
}

/* With how many threads the CPU is measured: returns how many of these there are. */
static int thread_counts(const struct be_session *session, int threads[BE_LIST_MAX]) {
    const struct be_compare_options *options = session->plan.options;
    const int all = session->run.cores.count;
    if (options->thread_counts == 0) {
        threads[0] = 1;
        threads[1] = all;
        return all > 1 ? 2 : 1;
    }
    memcpy(threads, options->threads, (size_t)options->thread_counts * sizeof *threads);
    return options->thread_counts;
}

/* Does the profile give limits of anything that is measured? If not: why not, of what it knows. */
static bool serves_any(const struct be_session *session, struct be_error *error) {
    const struct be_compare_options *options = session->plan.options;
    const struct be_machine *machine = &session->run.machine;
    struct be_ceilings capacity;
    int threads[BE_LIST_MAX];
    bool any = false;
    for (int i = thread_counts(session, threads) - 1; i >= 0; i--) {
        any |= profile_has(session, NULL, threads[i], &capacity, error) == BE_OK;
    }
    for (int i = 0; i < machine->devices; i++) {
        const struct be_device_info *info = &machine->device[i];
        const bool asked = options->devices == 0 || is_named(options, info);
        if (asked && be_place_has_ceilings(info) &&
            be_profile_device(session->plan.profile, info)) {
            any |= profile_has(session, info, 0, &capacity, error) == BE_OK;
        }
    }
    return any;
}

static void choose_profile(struct be_session *session) {
    const struct be_compare_options *options = session->plan.options;
    char why[BE_NOTE] = "";
    for (int i = 0; i < options->profiles && !session->plan.profile; i++) {
        const struct be_profile *profile = options->profile[i];
        bool fresh =
            be_profile_is_fresh(profile, &session->run.machine, session->run.environment.date, why);
        session->plan.profile = fresh || options->profile_asked ? profile : NULL;
    }
    if (session->plan.profile && !is_of_this(session->plan.profile, &session->run.machine)) {
        be_session_remark(session, "limits: measured now: the profile %s is of other hardware",
                          session->plan.profile->name);
        session->plan.profile = NULL;
    }
    struct be_error error;
    if (session->plan.profile && !serves_any(session, &error)) {
        be_session_remark(session, "limits: measured now: %.250s", error.text);
        session->plan.profile = NULL;
    }
    if (session->plan.profile) {
        be_session_remark(
            session, "limits: from the profile %s, %s %.10s%s%.200s", session->plan.profile->name,
            session->plan.profile->source == BE_SOURCE_MEASURED ? "measured" : "read on",
            session->plan.profile->environment.date, *why ? "; asked for, although " : "", why);
    }
}

/* Ceilings of this device, or of the CPU with so many threads; NULL: the profile has none. */
static const struct be_ceilings *known(struct be_session *session,
                                       const struct be_device_info *info, int threads,
                                       struct be_ceilings *capacity) {
    struct be_error error;
    if (!session->plan.profile) {
        return NULL;
    }
    if (profile_has(session, info, threads, capacity, &error) == BE_OK) {
        return capacity;
    }
    char with[BE_NAME] = "";
    if (threads) {
        snprintf(with, sizeof with, " with %d thread%s", threads, threads > 1 ? "s" : "");
    }
    be_session_remark(session, "limits of %s%s: measured now: %.160s", info->id, with, error.text);
    return NULL;
}

static struct be_cancel cancel_of(const struct be_session *session) {
    const struct be_compare_options *options = session->plan.options;
    return (struct be_cancel){.asked = options->cancelled, .context = options->context};
}

/* Limits of all CPU places together take a fifth of the time at most: a slow machine, or many threads on few cores,
 * must not take the time of the workloads. */
static double limits_s(const struct be_session *session, int places) {
    const double for_limits = 0.2;
    return for_limits * session->record.due.total_s / places;
}

static void say_brief_limits(struct be_session *session, double limit_s) {
    if (limit_s < usual_limits_s && !session->plan.profile) {
        be_session_remark(
            session,
            "limits: measured in %.2g s for each number of threads, to end in %.3g s: "
            "they may be too low (`breakeven probe` keeps a profile, which saves "
            "that time)",
            limit_s, session->record.due.total_s);
    }
}

static enum be_status open_cpus(struct be_session *session, struct be_error *error) {
    const struct be_device_info *info = NULL;
    for (int i = 0; i < session->run.machine.devices; i++) {
        if (strcmp(session->run.machine.device[i].id, "cpu") == 0) {
            info = &session->run.machine.device[i];
        }
    }
    const int all = session->run.cores.count;
    int counts[BE_LIST_MAX];
    const int count = thread_counts(session, counts);
    const double limit_s = limits_s(session, count);
    say_brief_limits(session, limit_s);
    enum be_status status = info ? BE_OK : be_fail(error, BE_ABSENT, "cpu: not found");
    for (int i = 0; status == BE_OK && i < count; i++) {
        const int threads = counts[i];
        struct be_place *place = &session->run.place[session->run.places++];
        struct be_ceilings capacity;
        if (threads > all) {
            be_session_remark(session,
                              "%d threads take turns on the %d cores allowed here: with a core for "
                              "each, times are others",
                              threads, all);
        }
        status = be_place_open_cpu(info, &session->run.cores, threads, session->run.team,
                                   known(session, info, threads, &capacity), limit_s,
                                   cancel_of(session), place, error);
        place->library = session->run.library;
        place->libraries = session->run.libraries;
    }
    return status;
}

static struct be_place *widest_cpu(struct be_session *session) {
    struct be_place *widest = NULL;
    for (int i = 0; i < session->run.places; i++) {
        struct be_place *place = &session->run.place[i];
        widest = place->threads && (!widest || place->threads > widest->threads) ? place : widest;
    }
    return widest;
}

static void open_devices(struct be_session *session) {
    struct be_place *cpu = widest_cpu(session);
    for (int i = 0; i < session->run.machine.devices && !be_session_cancelled(session); i++) {
        const struct be_device_info *info = &session->run.machine.device[i];
        if (strcmp(info->backend, "cpu") == 0) {
            continue;
        }
        char why[BE_NOTE] = "";
        const bool asked = session->plan.options->devices > 0
                               ? is_named(session->plan.options, info)
                               : !be_session_unasked(&session->run.machine, info,
                                                     session->plan.options->quick, why);
        if (*why) {
            be_session_remark(session, "%s", why);
        }
        if (!asked) {
            continue;
        }
        struct be_place *place = &session->run.place[session->run.places++];
        struct be_ceilings capacity;
        bool own_ceilings = be_place_has_ceilings(info);
        be_place_open_device(info, session->run.team, cpu,
                             own_ceilings ? known(session, info, 0, &capacity) : NULL,
                             cancel_of(session), place);
        if (place->broken) {
            be_session_remark(session, "%.256s", place->note);
        }
    }
}

/* Is there a limit of matrix products in float64 to be known? */
static bool multiplies64(const struct be_plan *plan, int plans) {
    bool any = false;
    for (int i = 0; i < plans; i++) {
        any |= plan[i].problem.workload->matrix && plan[i].problem.real == BE_REAL64;
    }
    return any;
}

/* Measures the rates that neither a profile nor our own kernels know of a device. */
static void measure_matrix_units(struct be_session *session, const struct be_plan *plan,
                                 int plans) {
    for (int i = 0; i < session->run.places && multiplies64(plan, plans); i++) {
        struct be_place *place = &session->run.place[i];
        struct be_error error = {0};
        if (place->device && !place->broken && isnan(place->ceilings.operations[BE_MATRIX64]) &&
            be_ceilings_matrix(place->device, place->cancel, &place->ceilings, &error) != BE_OK) {
            be_session_remark(session, "limits of matrix products in float64 are not known: %.200s",
                              error.text);
        }
    }
}

static void set_cache(struct be_session *session) {
    session->run.cache_bytes = session->run.machine.cache_bytes;
    for (int i = 0; i < session->run.places; i++) {
        double bytes = session->run.place[i].info.cache_bytes;
        if (isnan(session->run.cache_bytes) || bytes > session->run.cache_bytes) {
            session->run.cache_bytes = bytes;
        }
    }
}

/* Work that was begun is finished, and the program starts and writes its results: measuring ends before its time. */
static struct be_due due_of(const struct be_compare_options *options, double now_s) {
    const double measuring = 0.92;
    const double look_s = options->energy ? 2 * quick_total_s : quick_total_s;
    const double total_s = options->total_s > 0 ? options->total_s
                           : options->quick     ? look_s
                                                : INFINITY;
    struct be_due due = be_due_from(now_s, measuring * total_s);
    due.total_s = total_s;
    return due;
}

enum be_status be_session_open(const struct be_compare_options *options, const struct be_plan *plan,
                               int plans, struct be_session *session, struct be_error *error) {
    memset(session, 0, sizeof *session);
    session->plan.options = options;
    session->plan.drawn = options->picture ? be_choose_drawn(plan, plans) : NULL;
    session->run.clock = be_clock_host();
    session->record.started_s = be_now(&session->run.clock);
    session->record.started = be_cpu_time_now();
    session->plan.rule = (struct be_stop_rule){
        .precision = options->precision > 0 ? options->precision : default_precision,
        .min = 10,
        .budget_s = options->budget_s > 0 ? options->budget_s
                    : options->quick      ? quick_budget_s
                                          : default_budget_s,
        .patience = options->quick ? 10 : 20,
    };
    session->plan.patience_s = options->patience_s > 0 ? options->patience_s
                               : options->quick        ? quick_patience_s
                                                       : default_patience_s;
    session->record.due = due_of(options, session->record.started_s);
    enum be_status status = be_machine_find(&session->run.machine, &session->run.cores, error);
    for (int i = 0; status == BE_OK && i < options->devices; i++) {
        status = be_device_known(&session->run.machine, options->device[i], error);
    }
    if (status == BE_OK) {
        be_environment_find(&session->run.cores, &session->run.environment);
        session->run.environment.seed = options->seed ? options->seed : 1;
        be_copy_text(session->run.environment.order, sizeof session->run.environment.order,
                     options->shuffle ? "rounds, shuffled" : "rounds, there and back");
        choose_profile(session);
        status = be_session_open_libraries(session, plan, plans, error);
    }
    if (status == BE_OK) {
        status =
            be_team_open(&session->run.cores, session->run.cores.count, &session->run.team, error);
    }
    status = status == BE_OK ? open_cpus(session, error) : status;
    if (status == BE_OK) {
        open_devices(session);
        measure_matrix_units(session, plan, plans);
        set_cache(session);
        be_session_open_meters(session);
    } else {
        be_session_close(session);
    }
    return status;
}

void be_session_close(struct be_session *session) {
    for (size_t i = 0; i < session->record.items; i++) {
        be_samples_free(&session->record.item[i].total);
    }
    free(session->record.item);
    free(session->record.picture.rgb);
    free(session->record.remark);
    for (int i = session->run.places - 1; i >= 0; i--) {
        be_meter_close(&session->run.meter[i]);
        be_place_close(&session->run.place[i]);
    }
    be_team_close(session->run.team);
    be_session_close_libraries(session);
    memset(session, 0, sizeof *session);
}
