#include "machine/probe/probe.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "machine/describe.h"
#include "machine/probe/folder.h"
#include "machine/profile.h"

/* ---- what steps use ------------------------------------------------------------------------- */

struct be_figure be_figure_key(const struct be_target *target, const char *what) {
    struct be_figure key = {.bytes = NAN};
    be_copy_text(key.device, sizeof key.device, target->info->id);
    be_copy_text(key.what, sizeof key.what, what);
    return key;
}

void be_probe_fact(struct be_probe *probe, const char *device, const char *name, const char *text,
                   double number) {
    struct be_fact fact = {.number = number};
    be_copy_text(fact.device, sizeof fact.device, device);
    be_copy_text(fact.name, sizeof fact.name, name);
    be_copy_text(fact.text, sizeof fact.text, text);
    (void)be_profile_add_fact(probe->profile, &fact, NULL); /* not worth failing for */
}

void be_probe_remark(struct be_probe *probe, const char *format, ...) {
    char text[BE_NOTE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    (void)be_profile_add_remark(probe->profile, text, NULL);
}

static void show_progress(const struct be_probe *probe, const char *id, const char *what) {
    const struct be_probe_options *options = probe->options;
    if (!options->progress) {
        return;
    }
    char text[BE_NOTE];
    const bool said = strncmp(probe->at, what, strlen(what)) == 0; /* a step of one figure */
    snprintf(text, sizeof text, "%.60s: %.60s%s%.120s", id, probe->at, said ? "" : ", ",
             said ? "" : what);
    struct be_progress progress = {.what = text,
                                   .done = (int)probe->profile->figures,
                                   .elapsed_s = be_now(&probe->clock) - probe->started_s,
                                   .left_s = probe->expected_s - probe->done_s};
    options->progress(options->context, &progress);
}

enum be_status be_probe_pause(struct be_probe *probe, struct be_error *error) {
    const struct be_probe_options *options = probe->options;
    return options->cancelled && options->cancelled(options->context)
               ? be_fail(error, BE_STOPPED, "stopped by the user")
               : BE_OK;
}

/* The figure of this kind from an earlier visit, or NULL. */
static struct be_figure *earlier(const struct be_profile *profile, const struct be_figure *key) {
    const struct be_figure *found = be_profile_figure(profile, key->device, key->what, key->dtype,
                                                      key->threads, key->bytes, key->peer);
    return found ? &profile->figure[found - profile->figure] : NULL;
}

/* Of two visits the undisturbed one counts: the higher rate, the shorter time. */
static enum be_status keep(struct be_probe *probe, struct be_figure *figure,
                           struct be_error *error) {
    const struct be_figure_kind *kind = be_figure_kind(figure->what);
    struct be_figure *before = earlier(probe->profile, figure);
    if (!(figure->value > 0)) {
        return BE_OK; /* nothing that the clock can show: not measured */
    }
    be_copy_text(figure->method, sizeof figure->method, kind->method);
    figure->unit = kind->unit;
    figure->source = BE_SOURCE_MEASURED;
    figure->achievable = NAN;
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(figure->date, sizeof figure->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (!before) {
        return be_profile_add_figure(probe->profile, figure, error);
    }
    if (be_unit_is_rate(kind->unit) ? figure->value > before->value
                                    : figure->value < before->value) {
        *before = *figure;
    }
    return BE_OK;
}

enum be_status be_probe_add(struct be_probe *probe, const struct be_figure *key, double work,
                            const struct be_samples *seconds, struct be_error *error) {
    struct be_summary summary = be_summarize(seconds, BE_STOP_NONE);
    struct be_figure figure = *key;
    enum be_unit unit = be_figure_kind(key->what)->unit;
    figure.n = summary.n;
    if (be_unit_is_rate(unit)) {
        figure.value = work / summary.min_s;
        figure.median = work / summary.median_s;
        figure.lo = work / summary.hi_s;
        figure.hi = work / summary.lo_s;
    } else {
        figure.value = summary.median_s;
        figure.median = summary.median_s;
        figure.lo = summary.lo_s;
        figure.hi = summary.hi_s;
    }
    return keep(probe, &figure, error);
}

enum be_status be_probe_once(struct be_probe *probe, const struct be_figure *key, double value,
                             struct be_error *error) {
    struct be_figure figure = *key;
    figure.n = 1;
    figure.value = figure.median = value;
    figure.lo = figure.hi = NAN;
    return keep(probe, &figure, error);
}

/* What the device says of its clock and its heat while it works. */
static void watch(struct be_probe *probe, const struct be_target *target) {
    const double every_s = 0.05;
    struct be_load *load = &probe->load;
    double now = be_now(&probe->clock);
    if (!target->device || !target->device->ops->extras->state || now - load->at_s < every_s) {
        return;
    }
    struct be_device_state state = {NAN, NAN, NAN, 0};
    target->device->ops->extras->state(target->device, &state);
    load->at_s = now;
    load->readings++;
    load->clock_min_hz = fmin(load->clock_min_hz, state.clock_hz); /* of one NAN: the other */
    load->clock_max_hz = fmax(load->clock_max_hz, state.clock_hz);
    load->temperature_c = fmax(load->temperature_c, state.temperature_c);
    load->throttle |= state.throttle;
}

enum be_status be_probe_measure(struct be_probe *probe, const struct be_target *target,
                                const struct be_figure *key, double work, be_probe_run *run,
                                void *context, struct be_error *error) {
    const double batch_s = 1e-3;
    const long most = 1L << 30;
    struct be_samples samples = {0};
    char what[BE_NOTE];
    snprintf(what, sizeof what, "%s%s%s", key->what, *key->dtype ? " " : "", key->dtype);
    show_progress(probe, target->info->id, what);
    enum be_status status = run(context, 1, error); /* warms up: code, caches, pages */
    long times = 1;
    double seconds = 0;
    while (status == BE_OK && seconds < batch_s && times < most) {
        double start = be_now(&probe->clock);
        status = run(context, times, error);
        seconds = be_now(&probe->clock) - start;
        double scale = seconds > 0 ? 1.2 * batch_s / seconds : 16;
        times = seconds < batch_s ? (long)((double)times * fmin(fmax(scale, 1.5), 16)) + 1 : times;
    }
    double begun = be_now(&probe->clock);
    enum be_stop stop = BE_STOP_NONE;
    while (status == BE_OK && stop == BE_STOP_NONE) {
        double start = be_now(&probe->clock);
        status = run(context, times, error);
        double now = be_now(&probe->clock);
        status = status == BE_OK ? be_samples_add(&samples, (now - start) / (double)times, error)
                                 : status;
        status = status == BE_OK ? be_probe_pause(probe, error) : status;
        watch(probe, target);
        stop = be_stop_check(&samples, now - begun, &probe->rule);
    }
    status = status == BE_OK ? be_probe_add(probe, key, work, &samples, error) : status;
    be_samples_free(&samples);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static const struct be_probe_step cpu_steps[] = {
    {"arithmetic", 3, be_probe_cpu_rates},  {"matrix products", 5, be_probe_cpu_matmul},
    {"memory", 10, be_probe_cpu_memory},    {"latency", 4, be_probe_cpu_latency},
    {"threads", 0.5, be_probe_cpu_threads}, {"page faults", 1, be_probe_cpu_pages},
    {"NUMA nodes", 1, be_probe_cpu_numa},   {"disk", 3, be_probe_cpu_disk},
};

/* Visited again at the end: what disturbed the first visit on a shared machine may be over. */
static const struct be_probe_step cpu_again[] = {
    {"arithmetic, again", 3, be_probe_cpu_rates},  {"memory, again", 10, be_probe_cpu_memory},
    {"latency, again", 4, be_probe_cpu_latency},   {"threads, again", 0.5, be_probe_cpu_threads},
    {"page faults, again", 1, be_probe_cpu_pages},
};

static const struct be_probe_step device_steps[] = {
    {"facts", 0.1, be_probe_device_facts},          {"arithmetic", 2, be_probe_device_rates},
    {"memory", 3, be_probe_device_memory},          {"launches", 2, be_probe_device_launch},
    {"allocation", 2, be_probe_device_alloc},       {"first calls", 1, be_probe_device_first},
    {"matrix products", 4, be_probe_device_matmul}, {"bus", 20, be_probe_device_bus},
    {"NUMA nodes", 0.5, be_probe_device_numa},      {"unified memory", 1, be_probe_device_unified},
    {"other devices", 1, be_probe_device_peer},     {"load", 0.1, be_probe_device_load},
};

/* What one step cannot do is said, and the others go on, memory that does not suffice included: others may
 * hold the device's. Only the caller ends a probe. */
static enum be_status run_steps(struct be_probe *probe, const struct be_target *target,
                                const struct be_probe_step *step, size_t steps,
                                struct be_error *error) {
    for (size_t i = 0; i < steps; i++) {
        probe->at = step[i].name;
        show_progress(probe, target->info->id, "");
        enum be_status status = be_probe_pause(probe, error);
        struct be_error failure = {0};
        if (status == BE_OK) {
            status = step[i].run(probe, target, &failure);
            probe->done_s += step[i].seconds;
        }
        if (status == BE_STOPPED) {
            return be_fail(error, status, "stopped");
        }
        if (status != BE_OK) {
            be_probe_remark(probe, "%s, %s: not measured: %.200s", target->info->id, step[i].name,
                            failure.text);
        }
    }
    return BE_OK;
}

static bool wanted(const struct be_probe_options *options, const struct be_device_info *info) {
    for (int i = 0; i < options->devices; i++) {
        if (be_device_named(info, options->device[i])) {
            return true;
        }
    }
    return options->devices == 0 && !info->same_as[0];
}

static enum be_status probe_device(struct be_probe *probe, const struct be_device_info *info,
                                   struct be_error *error) {
    struct be_target target = {.info = info};
    struct be_error failure = {0};
    enum be_status status = BE_OK;
    probe->load = (struct be_load){.clock_min_hz = NAN, .clock_max_hz = NAN, .temperature_c = NAN};
    if (strcmp(info->backend, "cpu") != 0) {
        status = be_team_open(&probe->cores, probe->cores.count, &target.team, error);
        if (status == BE_OK &&
            be_device_open(info, target.team, &target.device, &failure) != BE_OK) {
            be_probe_remark(probe, "%.300s", failure.text);
        } else if (status == BE_OK) {
            status = run_steps(probe, &target, device_steps, BE_COUNT(device_steps), error);
        }
        if (target.device) {
            target.device->ops->close(target.device);
        }
    } else {
        status = run_steps(probe, &target, cpu_steps, BE_COUNT(cpu_steps), error);
    }
    be_team_close(target.team);
    return status;
}

/* As often as the time allows in which a probe is to be done. */
static enum be_status visit_cpu_again(struct be_probe *probe, struct be_error *error) {
    enum { VISITS = 3 };
    const double most_s = 80;
    const struct be_machine *machine = &probe->profile->machine;
    struct be_target target = {0};
    for (int i = 0; i < machine->devices; i++) {
        const struct be_device_info *info = &machine->device[i];
        bool cpu = strcmp(info->backend, "cpu") == 0 && wanted(probe->options, info);
        target.info = cpu ? info : target.info;
    }
    enum be_status status = BE_OK;
    double visit_s = 0;
    for (int i = 0; status == BE_OK && target.info && i < VISITS; i++) {
        double now = be_now(&probe->clock);
        if (now - probe->started_s + visit_s > most_s) {
            break;
        }
        status = run_steps(probe, &target, cpu_again, BE_COUNT(cpu_again), error);
        visit_s = be_now(&probe->clock) - now;
    }
    return status;
}

static double seconds_of(const struct be_probe_step *step, size_t steps) {
    double seconds = 0;
    for (size_t i = 0; i < steps; i++) {
        seconds += step[i].seconds;
    }
    return seconds;
}

static enum be_status start(struct be_probe *probe, struct be_error *error) {
    const struct be_probe_options *options = probe->options;
    struct be_machine *machine = &probe->profile->machine;
    enum be_status status = be_machine_find(machine, &probe->cores, error);
    for (int i = 0; status == BE_OK && i < options->devices; i++) {
        status = be_device_known(machine, options->device[i], error);
    }
    if (status == BE_OK && options->folder) {
        status = be_probe_folder_try(options->folder, error);
    }
    if (status != BE_OK) {
        return status;
    }
    be_environment_find(&probe->cores, &probe->profile->environment);
    be_copy_text(probe->profile->environment.order, BE_NAME, "one kind after the other");
    be_copy_text(probe->profile->name, sizeof probe->profile->name,
                 options->name ? options->name : machine->host);
    be_copy_text(probe->profile->provenance, sizeof probe->profile->provenance,
                 "measured by breakeven probe " BE_VERSION);
    for (int i = 0; i < machine->devices; i++) {
        bool cpu = strcmp(machine->device[i].backend, "cpu") == 0;
        probe->expected_s += !wanted(options, &machine->device[i]) ? 0
                             : cpu ? seconds_of(cpu_steps, BE_COUNT(cpu_steps)) +
                                         seconds_of(cpu_again, BE_COUNT(cpu_again))
                                   : seconds_of(device_steps, BE_COUNT(device_steps));
    }
    return BE_OK;
}

/* Hardware that two backends show is measured through the first of them. */
static void tell_left_out(struct be_probe *probe) {
    const struct be_machine *machine = &probe->profile->machine;
    char list[BE_NOTE - BE_NAME] = "";
    for (int i = 0; i < machine->devices && probe->options->devices == 0; i++) {
        const struct be_device_info *info = &machine->device[i];
        const size_t used = strlen(list);
        if (info->same_as[0]) {
            snprintf(list + used, sizeof list - used, "%s%.30s is %.30s", used ? ", " : "",
                     info->id, info->same_as);
        }
    }
    if (*list) {
        be_probe_remark(probe, "%s once more: left out unless --device names it", list);
    }
}

enum be_status be_probe(const struct be_probe_options *options, struct be_profile *profile,
                        struct be_error *error) {
    memset(profile, 0, sizeof *profile);
    struct be_probe probe = {.options = options,
                             .profile = profile,
                             .clock = be_clock_host(),
                             .rule = {.precision = 0.01,
                                      .least = options->quick ? 5 : 10,
                                      .budget_s = options->quick ? 0.02 : 0.15,
                                      .patience = 20},
                             .at = ""};
    probe.started_s = be_now(&probe.clock);
    struct be_cpu_time before = be_cpu_time_now();
    enum be_status status = start(&probe, error);
    for (int i = 0; status == BE_OK && i < profile->machine.devices; i++) {
        const struct be_device_info *info = &profile->machine.device[i];
        if (wanted(options, info)) {
            status = probe_device(&probe, info, error);
        }
    }
    tell_left_out(&probe);
    if (status == BE_OK && !options->quick) {
        status = visit_cpu_again(&probe, error);
    }
    be_profile_sort(profile); /* the CPU was visited between the devices */
    profile->environment.steal = be_cpu_time_steal(before, be_cpu_time_now());
    profile->partial = status == BE_STOPPED;
    if (status != BE_OK && status != BE_STOPPED) {
        be_profile_free(profile);
        return status;
    }
    return BE_OK;
}
