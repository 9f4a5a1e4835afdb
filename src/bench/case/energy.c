#include "bench/case/energy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* A case is repeated for so long at least, and at most. */
static const double min_s = 1, max_s = 10;
/* The clocks and the power of hardware that was idle need a moment. */
static const double warm_s = 0.1;
/* The uncertainty that the counter's steps leave: up to the one it is small enough; beyond the other there are too few
 * steps to say anything. */
static const double enough = 0.02, too_much = 0.3;
/* No interval is kept for the CPU's energy beside a device: it is known to this share, or not at all. */
static const double host_enough = 0.05;
/* A look keeps the device waiting: calls between two take so many times as long. */
static const double calls_a_look = 50;
/* The excess over a power limit that is possible within a second, and more than a counter errs by: beyond it the
 * counter, or our reading of it, is wrong. */
static const double beyond_limit = 1.1;

/* ---- the counter alone -------------------------------------------------------------------------- */

enum { STEPS = 4 };
static const double watched_s = 2;

/* How long from one change to the next, and how long a look takes. */
static enum be_status watch(struct be_meter *meter, const struct be_clock *clock,
                            struct be_error *error) {
    const double start_s = be_now(clock);
    double now_s = start_s, first_s = NAN, joules, last = NAN;
    int looks = 0, changes = 0;
    enum be_status status = BE_OK;
    while (status == BE_OK && changes < STEPS && now_s - start_s < watched_s) {
        status = be_energy_read(&meter->energy, &joules, error);
        now_s = be_now(clock);
        changes += looks > 0 && joules > last;
        first_s = changes == 1 && isnan(first_s) ? now_s : first_s;
        last = joules;
        looks++;
    }
    meter->read_s = (now_s - start_s) / looks;
    meter->step_s = (now_s - first_s) / (changes - 1);
    return status == BE_OK && changes < STEPS
               ? be_fail(error, BE_ABSENT, "the counter moved only %d times in %.2g s", changes,
                         now_s - start_s)
               : status;
}

void be_meter_open(struct be_meter *meter, const struct be_device_info *info, const char *files,
                   const struct be_clock *clock) {
    struct be_error error = {0};
    *meter = (struct be_meter){0};
    enum be_status status = be_energy_open(info, files, &meter->energy, &error);
    status = status == BE_OK ? watch(meter, clock, &error) : status;
    if (status != BE_OK) {
        be_meter_close(meter);
        be_copy_text(meter->why, sizeof meter->why, error.text);
    }
}

void be_meter_close(struct be_meter *meter) {
    be_energy_close(&meter->energy);
    *meter = (struct be_meter){0};
}

/* ---- beside calls ------------------------------------------------------------------------------- */

struct look {
    double s, joules, host_joules;
    long calls; /* made until then */
};

struct walk {
    struct be_case *c;
    struct be_meter *meter;
    struct be_meter *host; /* of the CPU beside a device; NULL: there is none */
    const struct be_clock *clock;
    long batch; /* calls between two looks */
    double batch_s;
    struct look now, changed; /* the last look, the last at which the counter had moved */
};

static enum be_status look(struct walk *w, struct be_error *error) {
    enum be_status status = be_energy_read(&w->meter->energy, &w->now.joules, error);
    if (w->host && be_energy_read(&w->host->energy, &w->now.host_joules, NULL) != BE_OK) {
        w->host = NULL;
    }
    w->now.s = be_now(w->clock);
    if (w->now.joules > w->changed.joules) {
        w->changed = w->now;
    }
    return status;
}

static enum be_status step(struct walk *w, struct be_error *error) {
    enum be_status status = BE_OK;
    for (long i = 0; status == BE_OK && i < w->batch; i++) {
        be_case_turn(w->c);
        status = be_case_call(w->c, error);
    }
    w->now.calls += w->batch;
    return status == BE_OK ? look(w, error) : status;
}

static bool goes_on(const struct walk *w, double until_s, const struct be_cancel *cancel) {
    return w->now.s < until_s && !be_cancel_asked(cancel);
}

/* Where several calls go between two steps of the counter, the first look is one that just saw it
 * move, as the last one will be. */
static enum be_status find_start(struct walk *w, double until_s, const struct be_cancel *cancel,
                                 struct be_error *error) {
    enum be_status status = look(w, error);
    const bool fine = w->batch_s < w->meter->step_s;
    const double warm_until_s = w->now.s + (w->batch_s < warm_s ? warm_s : 0);
    bool moved = false;
    w->changed = w->now;
    while (status == BE_OK && goes_on(w, until_s, cancel) &&
           (w->now.s < warm_until_s || (fine && !moved))) {
        const double before = w->changed.joules;
        status = step(w, error);
        moved = w->changed.joules > before;
    }
    w->changed = w->now;
    return status;
}

static void set_none(struct be_result *r, const char *why) {
    be_copy_text(r->energy_note, sizeof r->energy_note, why);
}

/* The counter tells of its last step only: at each end it is late by what lies between two looks, or
 * between two steps, whichever is less. */
static double open_part(const struct walk *w, const struct look *from,
                        const struct be_meter *meter) {
    const double seconds = w->changed.s - from->s;
    const double calls = (double)(w->changed.calls - from->calls);
    return seconds > 0 ? fmin((double)w->batch / calls, meter->step_s / seconds) : INFINITY;
}

/* Joules and seconds are of the same calls: back to back for a second and more, the hardware may have
 * lowered its clocks, and the samples tell of other calls. */
static void conclude(const struct walk *w, const struct look *from) {
    struct be_result *r = &w->c->result;
    const double calls = (double)(w->changed.calls - from->calls);
    const double part = open_part(w, from, w->meter);
    const double seconds = w->changed.s - from->s;
    const double watts = (w->changed.joules - from->joules) / seconds;
    const double limit_w = w->meter->energy.limit_w;
    char why[BE_NOTE];
    if (!(part <= too_much)) {
        snprintf(why, sizeof why,
                 "too few updates of the counter (one in %.2g s) for %.2g s of calls",
                 w->meter->step_s, w->now.s - from->s);
        set_none(r, why);
        return;
    }
    if (watts > beyond_limit * limit_w) {
        snprintf(why, sizeof why, "%s counted %.0f W, beyond the power limit of %.0f W",
                 w->meter->energy.name, watts, limit_w);
        set_none(r, why);
        return;
    }
    r->energy_s = seconds / calls;
    r->joules = (w->changed.joules - from->joules) / calls;
    r->joules_lo = r->joules * (1 - part);
    r->joules_hi = r->joules * (1 + part);
    be_copy_text(r->energy_source, sizeof r->energy_source, w->meter->energy.name);
    if (w->host && open_part(w, from, w->host) <= host_enough) {
        r->host_joules = (w->changed.host_joules - from->host_joules) / calls;
    }
}

static enum be_status walk(struct walk *w, double until_s, const struct be_cancel *cancel,
                           struct be_error *error) {
    enum be_status status = find_start(w, until_s, cancel, error);
    const struct look from = w->now;
    while (status == BE_OK && goes_on(w, until_s, cancel) &&
           (w->changed.s - from.s < min_s || open_part(w, &from, w->meter) > enough)) {
        status = step(w, error);
    }
    if (status == BE_OK && be_cancel_asked(cancel)) {
        status = be_fail(error, BE_STOPPED, "ended before it was measured");
    }
    if (status == BE_OK) {
        conclude(w, &from);
    }
    return status;
}

void be_case_energy(struct be_case *c, struct be_meter *meter, struct be_meter *host,
                    const struct be_clock *clock, double until_s, const struct be_cancel *cancel) {
    struct be_error error = {0};
    struct walk w = {
        .c = c, .meter = meter, .host = host && host->energy.source ? host : NULL, .clock = clock};
    const double call_s = c->result.phase[BE_TOTAL].median_s;
    const double look_s = meter->read_s + (w.host ? w.host->read_s : 0);
    const double wanted_s = fmax(BE_SAMPLE_MIN_S, calls_a_look * look_s);
    const double now_s = be_now(clock);
    w.batch = (long)fmin(fmax(ceil(wanted_s / call_s), 1), 1e6);
    w.batch_s = (double)w.batch * call_s;
    if (!meter->energy.source) {
        set_none(&c->result, meter->why);
    } else if (now_s + fmax(min_s, w.batch_s) > until_s) {
        set_none(&c->result, "no time was left for it");
    } else if (walk(&w, fmin(until_s, now_s + max_s), cancel, &error) != BE_OK) {
        set_none(&c->result, error.text);
    }
}
