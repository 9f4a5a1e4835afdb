#include "machine/probe/record.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "machine/profile.h"

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

void be_probe_show(const struct be_probe *probe, const char *id, const char *what) {
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

/* The undisturbed one of two visits counts: the higher rate, the shorter time. */
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

/* Keeps what the device says of its clock and its heat while it works. */
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
    const long max = 1L << 30;
    struct be_samples samples = {0};
    char what[BE_NOTE];
    snprintf(what, sizeof what, "%s%s%s", key->what, *key->dtype ? " " : "", key->dtype);
    be_probe_show(probe, target->info->id, what);
    enum be_status status = run(context, 1, error); /* warms up: code, caches, pages */
    long times = 1;
    double seconds = 0;
    while (status == BE_OK && seconds < batch_s && times < max) {
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
