/* Times of another machine added to a comparison made here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "elsewhere/elsewhere.h"

static const struct be_device_info *gpu_of(const struct be_results *there) {
    for (int i = 0; i < there->machine.devices; i++) {
        if (there->machine.device[i].kind == BE_KIND_GPU) {
            return &there->machine.device[i];
        }
    }
    return NULL;
}

static enum be_status add_device(struct be_comparison *comparison, const struct be_results *there,
                                 struct be_error *error) {
    struct be_machine *machine = &comparison->machine;
    const struct be_device_info *gpu = gpu_of(there);
    if (!gpu) {
        return be_fail(error, BE_USAGE,
                       "%s: no GPU was measured there: name a machine that has one, as `breakeven "
                       "machines` lists them",
                       there->name);
    }
    for (int i = 0; i < machine->devices; i++) {
        if (strcmp(machine->device[i].id, there->name) == 0) {
            return be_fail(error, BE_USAGE, "%s: named twice, or a device here is called so",
                           there->name);
        }
    }
    if (machine->devices == BE_DEVICES_MAX) {
        return be_fail(error, BE_USAGE, "%s: at most %d devices stand side by side", there->name,
                       (int)BE_DEVICES_MAX);
    }
    struct be_device_info *info = &machine->device[machine->devices++];
    *info = *gpu;
    be_copy_text(info->id, sizeof info->id, there->name);
    be_copy_text(info->backend, sizeof info->backend, "elsewhere");
    info->address[0] = info->same_as[0] = '\0';
    info->origin = there->origin;
    char day[11] = "";
    be_copy_text(day, sizeof day, there->environment.date);
    if (there->origin == BE_ORIGIN_PREDICTED) {
        snprintf(info->driver, sizeof info->driver, "predicted %.100s", there->provenance);
    } else {
        snprintf(info->driver, sizeof info->driver, "measured elsewhere, %s", day);
    }
    return BE_OK;
}

/* Is it a right time of the CPU here, and the first of its size and state of the caches? */
static bool is_new_size(const struct be_comparison *comparison, size_t i) {
    const struct be_result *r = &comparison->result[i];
    if (r->placement != BE_HOST || r->status != BE_RESULT_OK || strcmp(r->device, "cpu") != 0) {
        return false;
    }
    for (size_t k = 0; k < i; k++) {
        const struct be_result *s = &comparison->result[k];
        if (s->placement == BE_HOST && s->status == BE_RESULT_OK && s->size == r->size &&
            s->cache == r->cache && strcmp(s->device, "cpu") == 0 &&
            strcmp(s->workload, r->workload) == 0 && strcmp(s->dtype, r->dtype) == 0) {
            return false;
        }
    }
    return true;
}

static struct be_result estimate(const struct be_result *here, const struct be_time *time,
                                 const struct be_times_key *key, const char *device) {
    struct be_result r = *here;
    const struct be_summary none = {
        .median_s = NAN, .lo_s = NAN, .hi_s = NAN, .mad_s = NAN, .min_s = NAN, .max_s = NAN};
    if (!time->alike) { /* it is the code of this workload, not of the other */
        be_copy_text(r.variant, sizeof r.variant, time->of->variant);
        r.code = time->of->code;
    }
    be_copy_text(r.device, sizeof r.device, device);
    r.as_written = false;
    r.threads = 0;
    r.placement = key->placement;
    r.residual = r.tolerance = r.limit_s = r.times_limit = r.clock_hz = NAN;
    r.limit_by = BE_BY_NONE;
    r.slow_clock = r.passes = 0;
    r.throttle = 0;
    r.temperature_c = r.joules = r.joules_lo = r.joules_hi = r.host_joules = r.energy_s = NAN;
    r.note[0] = r.energy_source[0] = r.energy_note[0] = '\0';
    if (time->alike) {
        snprintf(r.note, sizeof r.note, "from %s there, at equal bytes", time->of->workload);
    } else if (time->between) {
        be_copy_text(r.note, sizeof r.note, "between two sizes that were measured there");
    }
    for (int phase = 0; phase < BE_PHASES; phase++) {
        r.phase[phase] = none;
    }
    r.phase[BE_TOTAL] = (struct be_summary){.n = time->of->phase[BE_TOTAL].n,
                                            .median_s = time->median_s,
                                            .lo_s = time->lo_s,
                                            .hi_s = time->hi_s,
                                            .mad_s = NAN,
                                            .min_s = time->lo_s,
                                            .max_s = time->hi_s};
    if (!time->between && !time->alike) {
        r.phase[BE_FIRST] = time->of->phase[BE_FIRST];
    }
    return r;
}

/* Room for so many more results. */
static enum be_status grow(struct be_comparison *comparison, size_t more, struct be_error *error) {
    if (more == 0) { /* realloc of 0 bytes would free what the comparison still points to */
        return BE_OK;
    }
    struct be_result *grown =
        realloc(comparison->result, (comparison->results + more) * sizeof *grown);
    if (!grown) {
        return be_fail(error, BE_NOMEM, "no host memory for %zu more results", more);
    }
    comparison->result = grown;
    return BE_OK;
}

/* The best, and the best that anybody can have where that is another. */
static void add_size(struct be_comparison *comparison, size_t i, const struct be_results *there) {
    for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
        struct be_times_key key = {.like = &comparison->result[i],
                                   .placement = (enum be_placement)placement,
                                   .cache = comparison->result[i].cache};
        struct be_time best, callable;
        if (!be_times_at(there, &key, key.like->size, &best) &&
            !be_times_alike(there, &key, &best)) {
            continue;
        }
        comparison->result[comparison->results++] = estimate(key.like, &best, &key, there->name);
        key.callable = true;
        if (be_times_at(there, &key, key.like->size, &callable) && callable.of != best.of) {
            comparison->result[comparison->results++] =
                estimate(key.like, &callable, &key, there->name);
        }
    }
}

static void say_missing(struct be_comparison *comparison, const struct be_results *there,
                        struct be_text *missing) {
    for (size_t i = 0; i < comparison->results; i++) {
        const struct be_result *r = &comparison->result[i];
        bool first = r->placement == BE_HOST, any = false;
        for (size_t k = 0; k < comparison->results; k++) {
            const struct be_result *s = &comparison->result[k];
            const bool same =
                strcmp(r->workload, s->workload) == 0 && strcmp(r->dtype, s->dtype) == 0;
            first &= !(same && k < i);
            any |= same && strcmp(s->device, there->name) == 0;
        }
        if (first && !any) {
            be_text_add(missing, "%s%s%s%s", missing->length ? ", " : "", r->workload,
                        *r->parameters ? " " : "", r->parameters);
        }
    }
}

enum be_status be_comparison_remark(struct be_comparison *comparison, const char *text,
                                    struct be_error *error) {
    char(*grown)[BE_NOTE] =
        realloc(comparison->remark, (comparison->remarks + 1) * sizeof *comparison->remark);
    if (!grown) {
        return be_fail(error, BE_NOMEM, "no host memory for a remark");
    }
    comparison->remark = grown;
    be_copy_text(grown[comparison->remarks++], BE_NOTE, text);
    return BE_OK;
}

/* One line of all machines that lack the same: "h100, t4: not measured there ...". */
static enum be_status remark_missing(struct be_comparison *comparison, const char *name,
                                     const char *missing, struct be_error *error) {
    struct be_text text = {0}, behind = {0};
    char *last = comparison->remarks ? comparison->remark[comparison->remarks - 1] : NULL;
    be_text_add(&behind, ": not measured there at sizes that were measured here: %.200s", missing);
    const size_t length = last ? strlen(last) : 0;
    const char *end = length > behind.length ? last + length - behind.length : NULL;
    const bool same = end && behind.data && strcmp(end, behind.data) == 0;
    enum be_status status = BE_OK;
    be_text_add(&text, "%.*s%s%s%s", same ? (int)(end - last) : 0, last ? last : "",
                same ? ", " : "", name, behind.data ? behind.data : "");
    if (text.failed) {
        status = be_fail(error, BE_NOMEM, "no host memory for a remark");
    } else if (same) {
        be_copy_text(last, BE_NOTE, text.data);
    } else {
        status = be_comparison_remark(comparison, text.data, error);
    }
    be_text_free(&behind);
    be_text_free(&text);
    return status;
}

enum be_status be_comparison_add_results(struct be_comparison *comparison,
                                         const struct be_results *there, struct be_error *error) {
    const size_t here = comparison->results;
    struct be_text missing = {0};
    size_t sizes = 0;
    enum be_status status = add_device(comparison, there, error);
    for (size_t i = 0; i < here; i++) {
        sizes += is_new_size(comparison, i);
    }
    const size_t a_size = 2 * BE_PLACEMENTS;
    status = status ? status : grow(comparison, sizes * a_size, error);
    for (size_t i = 0; !status && i < here; i++) {
        if (is_new_size(comparison, i)) {
            add_size(comparison, i, there);
        }
    }
    status = status ? status : be_elsewhere_breakevens(comparison, there->name, error);
    if (!status) {
        say_missing(comparison, there, &missing);
    }
    if (missing.length) {
        status = remark_missing(comparison, there->name, missing.data, error);
    }
    be_text_free(&missing);
    return status;
}
