#include "ask/verdict.h"

#include <math.h>
#include <string.h>

#include "ask/usual_code.h"
#include "base/error.h"

const char *const be_ask_verdict_words[BE_ASK_VERDICTS] = {
    [BE_ASK_UNKNOWN] = "not known",
    [BE_ASK_NO] = "no",
    [BE_ASK_YES] = "yes",
    [BE_ASK_CLOSE] = "too close",
};

const char *const be_ask_cause_words[BE_ASK_CAUSES] = {
    [BE_ASK_BY_NONE] = NULL,     [BE_ASK_BY_SHORTNESS] = "short", [BE_ASK_BY_STAYING] = "staying",
    [BE_ASK_BY_START] = "start", [BE_ASK_BY_OWN] = "own-code",    [BE_ASK_BY_SIZES] = "sizes",
    [BE_ASK_BY_SPEED] = "speed",
};

const double be_ask_worth = 1.25;

/* A call of NumPy on small arrays takes at least so long in its preparation and in the interpreter: 0.45 us of np.add
 * into an array that is there (docs/ask.md). Time there bounds the number of calls. */
static const double least_call_s = 0.4e-6;

/* A shorter run has fewer samples of a thread that works all the time. */
static const double fewest_samples = 50;

/* Work of a compiled program: calls of 1 us and more are thought possible. */
static const double shortest_s = 1e-6, large_s = 1e-3;

/* A part of what prepares calls takes longer for larger arrays (their memory, iterators, caches that are cold): so much of the
 * time of programs whose calls are long (docs/measurements/pairs.md). */
static const double grows_with_arrays = 0.015;

/* ---- what stays ----------------------------------------------------------------------------- */

/* Time of all that moves by itself; what goes along with it moves as far as the rest of the time does. */
static double moves_s(const struct be_ask *ask) {
    double sum_s = 0;
    for (int i = 0; i < BE_WORK_KINDS; i++) {
        sum_s += be_work_kinds[i].moves == BE_MOVES ? ask->wall_s[i] : 0;
    }
    return sum_s;
}

/* Preparation that comes with each call, and not with the size of arrays. */
static double preparing_s(const struct be_ask *ask, const double *wall_s) {
    return fmax(0, wall_s[BE_WORK_CALLS] - grows_with_arrays * moves_s(ask));
}

static double stays_s(const struct be_ask *ask, bool compiles) {
    double sum_s = compiles ? 0 : preparing_s(ask, ask->wall_s);
    for (int i = 0; i < BE_WORK_KINDS; i++) {
        const bool goes = i == BE_WORK_CALLS || (compiles && i == BE_WORK_INTERPRETER);
        sum_s += be_work_kinds[i].moves == BE_STAYS && !goes ? ask->wall_s[i] : 0;
    }
    return sum_s;
}

/* `compiles`: another program, whose interpreter hands whole functions over. */
static double most_of(const struct be_ask *ask, bool compiles) {
    if (ask->unsampled[0] || !(ask->own_s > 0)) {
        return NAN;
    }
    /* Waiting is counted, not sampled: chance is in the rest. */
    const double sampled_s = fmax(ask->own_s - ask->wall_s[BE_WORK_WAITING], 0);
    const double staying_s = fmax(stays_s(ask, compiles) - ask->wall_s[BE_WORK_WAITING], 0);
    const double share = sampled_s > 0 ? staying_s / sampled_s : 0;
    const double chance = ask->samples > 0 ? 2 * sqrt(share * (1 - share) / ask->samples) : 1;
    const double least_s = ask->wall_s[BE_WORK_WAITING] + sampled_s * fmax(0, share - chance);
    return least_s > 0 ? ask->own_s / least_s : INFINITY;
}

static bool is_python(const struct be_ask *ask) {
    for (size_t i = 0; i < ask->parts; i++) {
        if (strcmp(ask->part[i].what, "the Python interpreter") == 0) {
            return true;
        }
    }
    return false;
}

double be_ask_most(const struct be_ask *ask) {
    return most_of(ask, false);
}

/* ---- what moves ----------------------------------------------------------------------------- */

static double threads_of(const struct be_ask *ask, enum be_work_kind kind) {
    const double wall_s = ask->wall_s[kind];
    return wall_s > 0 ? fmax(1, ask->cpu_s[kind] / wall_s) : 1;
}

/* Time of the run in which calls could be made: not while libraries are loaded. */
static const double *begun_s(const struct be_ask *ask) {
    return isnan(ask->prepare_s) ? ask->wall_s : ask->later_s;
}

/* The part of what may go along with arrays that does: as much of it as of the rest. */
static double along_share(const struct be_ask *ask) {
    const double *wall_s = begun_s(ask);
    double moving_s = 0, others_s = wall_s[BE_WORK_OWN];
    for (int i = 0; i < BE_WORK_KINDS; i++) {
        moving_s += be_work_kinds[i].moves == BE_MOVES ? wall_s[i] : 0;
        others_s += be_work_kinds[i].moves == BE_STAYS && i != BE_WORK_WAITING ? wall_s[i] : 0;
    }
    return moving_s > 0 ? moving_s / (moving_s + others_s) : 0;
}

static bool is_numpy(const struct be_ask *ask) {
    bool found = ask->wall_s[BE_WORK_CALLS] > 0;
    for (size_t i = 0; i < ask->parts; i++) {
        found |= strncmp(ask->part[i].library, "_multiarray_umath", 17) == 0;
    }
    return found;
}

/* Calls on arrays: as many as NumPy's preparation had time for; one sample of it may have been missed. For another library
 * that is not known, and the interpreter's own time is their most. */
static double calls_of(const struct be_ask *ask, const double *wall_s) {
    return is_numpy(ask) ? (preparing_s(ask, wall_s) + 1 / ask->rate_hz) / be_numpy_call_s
                         : wall_s[BE_WORK_INTERPRETER] / least_call_s;
}

/* At least so long on one core is the mean call: an interpreter cannot make more of them. A call has its copies and the page
 * faults of its result in it. */
static double shortest_call_s(const struct be_ask *ask) {
    const double *wall_s = begun_s(ask);
    const double calls = calls_of(ask, wall_s);
    const double along_s = along_share(ask) * (wall_s[BE_WORK_COPY] + wall_s[BE_WORK_KERNEL]);
    return calls > 0 ? fmax(shortest_s, (moves_s(ask) + along_s) / calls) : shortest_s;
}

static struct be_ask_time moved(const struct be_ask *ask, const struct be_ask_scale *scale,
                                enum be_work_kind kind, double least_s, double most_bytes) {
    const double wall_s = ask->wall_s[kind];
    const struct be_ask_ratio ratio =
        be_ask_ratio_of(scale, kind, threads_of(ask, kind), least_s, most_bytes);
    const struct be_ask_time stays = {wall_s, wall_s, wall_s, wall_s};
    return isnan(ratio.typical)
               ? stays
               : (struct be_ask_time){wall_s * ratio.lo, wall_s * ratio.typical, wall_s * ratio.hi,
                                      wall_s * ratio.copy_typical};
}

/* A library that compiles whole functions takes the interpreter's steps between calls along. */
static bool goes_along(enum be_work_kind kind, const struct be_gpu_library *with) {
    return kind == BE_WORK_COPY || kind == BE_WORK_KERNEL || kind == BE_WORK_SPINNING ||
           (kind == BE_WORK_INTERPRETER && with && with->compiles);
}

/* Copies of arrays and page faults go where the arrays go, and threads that wait for others with the work of those: as much of
 * them as of the rest. At worst they take as much of their time there as that work does. Before the program had begun there
 * was no such work to go along with. */
static struct be_ask_time along(const struct be_ask *ask, enum be_work_kind kind, double worst) {
    const double goes_s = along_share(ask) * begun_s(ask)[kind];
    const double stays = ask->wall_s[kind] - goes_s;
    return (struct be_ask_time){0, stays, stays + goes_s * worst, ask->wall_s[kind]};
}

/* A library for GPUs prepares calls, too, and starts kernels. */
static struct be_ask_time calls_there(const struct be_ask *ask, const struct be_gpu_library *with) {
    const struct be_over_rates *call_s = &be_gpu_library_of(with ? with->word : NULL)->call_s;
    const double calls = preparing_s(ask, ask->wall_s) / be_numpy_call_s;
    return (struct be_ask_time){calls * call_s->lo, calls * call_s->typical, calls * call_s->hi,
                                calls * call_s->typical};
}

static struct be_ask_time time_of(const struct be_ask *ask, const struct be_ask_scale *scale,
                                  enum be_work_kind kind, double least_s,
                                  const struct be_ask_seen *seen) {
    const double wall_s = ask->wall_s[kind];
    if (kind == BE_WORK_CALLS) {
        return calls_there(ask, seen->with);
    }
    switch (be_work_kinds[kind].moves) {
    case BE_MOVES:
        return moved(ask, scale, kind, least_s, seen->peak_bytes);
    case BE_MAY_MOVE:
        return (struct be_ask_time){0, wall_s, wall_s, wall_s};
    default:
        return (struct be_ask_time){wall_s, wall_s, wall_s, wall_s};
    }
}

static void take_along(const struct be_ask *ask, const struct be_gpu_library *with,
                       struct be_ask_time *kind) {
    double moving_s = 0, there_s = 0;
    for (int i = 0; i < BE_WORK_KINDS; i++) {
        const bool moves = be_work_kinds[i].moves == BE_MOVES;
        moving_s += moves ? ask->wall_s[i] : 0;
        there_s += moves ? kind[i].hi_s : 0;
    }
    const double worst = moving_s > 0 ? fmin(1, there_s / moving_s) : 1;
    for (int i = 0; i < BE_WORK_KINDS; i++) {
        if (goes_along((enum be_work_kind)i, with)) {
            kind[i] = along(ask, (enum be_work_kind)i, worst);
        }
    }
}

static void add(struct be_ask_time *sum, const struct be_ask_time *one) {
    sum->lo_s += one->lo_s;
    sum->typical_s += one->typical_s;
    sum->hi_s += one->hi_s;
    sum->copy_s += one->copy_s;
}

static double recorded_share(const struct be_ask *ask, const struct be_ask_recorded *recorded) {
    const double wall_s = ask->wall_s[BE_WORK_MATRIX] + ask->wall_s[BE_WORK_LAPACK];
    const double cpu_s = recorded[BE_WORK_MATRIX].cpu_s + recorded[BE_WORK_LAPACK].cpu_s;
    return wall_s > 0 ? cpu_s / wall_s : 0;
}

/* Calls of LAPACK have their products in them, so that both kinds are taken together. Time of calls that were not
 * recorded is judged by the ratio. */
static bool take_recorded(const struct be_ask *ask, const struct be_ask_recorded *recorded,
                          struct be_ask_time *kind) {
    static const int both[] = {BE_WORK_MATRIX, BE_WORK_LAPACK};
    static const double enough = 0.5;
    const double share = recorded_share(ask, recorded);
    if (share < enough) {
        return false;
    }
    const double left = fmax(0, 1 - share);
    for (size_t i = 0; i < BE_COUNT(both); i++) {
        struct be_ask_time *time = &kind[both[i]];
        const struct be_ask_time *there = &recorded[both[i]].there;
        *time = (struct be_ask_time){
            there->lo_s + left * time->lo_s, there->typical_s + left * time->typical_s,
            there->hi_s + left * time->hi_s, there->copy_s + left * time->copy_s};
    }
    return true;
}

static struct be_ask_time total(const struct be_ask *ask, const struct be_ask_scale *scale,
                                double least_s, const struct be_ask_seen *seen,
                                struct be_ask_machine *m, struct be_ask_time *kind) {
    struct be_ask_recorded recorded[BE_WORK_KINDS] = {0};
    struct be_ask_time sum = {0};
    for (int i = 0; i < BE_WORK_KINDS; i++) {
        kind[i] = time_of(ask, scale, (enum be_work_kind)i, least_s, seen);
    }
    if (seen->calls && scale->has_place) {
        const double *wall_s = begun_s(ask);
        const double seen_s = wall_s[BE_WORK_INTERPRETER] + wall_s[BE_WORK_CALLS];
        /* An interpreter that was never seen between the calls had a sample's time at most. */
        be_ask_recorded_of(
            seen->calls, &scale->place,
            ask->wall_s[BE_WORK_INTERPRETER] > 0 ? fmax(seen_s, 1 / ask->rate_hz) : NAN, recorded);
        m->recorded = take_recorded(ask, recorded, kind);
    }
    take_along(ask, seen->with, kind);
    for (int i = 0; i < BE_WORK_KINDS; i++) {
        add(&sum, &kind[i]);
    }
    return sum;
}

/* ---- the verdict ---------------------------------------------------------------------------- */

/* The run takes `all` with the GPU. */
static enum be_ask_cause judge(const struct be_ask *ask, const struct be_ask_time *all,
                               bool recorded, bool compiles, enum be_ask_verdict *verdict) {
    const double unclear_s = ask->wall_s[BE_WORK_OWN] + ask->wall_s[BE_WORK_UNKNOWN];
    const double most = most_of(ask, compiles);
    *verdict = BE_ASK_UNKNOWN;
    if (isnan(most)) {
        return BE_ASK_BY_NONE;
    }
    if (ask->own_s < fewest_samples / ask->rate_hz) {
        return BE_ASK_BY_SHORTNESS;
    }
    if (most < be_ask_worth || ask->own_s / all->lo_s < be_ask_worth) {
        *verdict = BE_ASK_NO;
        return most < be_ask_worth ? BE_ASK_BY_STAYING : BE_ASK_BY_SPEED;
    }
    if (ask->own_s / all->hi_s > be_ask_worth) {
        *verdict = BE_ASK_YES;
        return BE_ASK_BY_SPEED;
    }
    /* The gain at most, if code that nobody knows stays where it is. */
    if (ask->own_s / (all->lo_s + unclear_s) < be_ask_worth) {
        return BE_ASK_BY_OWN;
    }
    const double known_s = ask->wall_s[BE_WORK_MATRIX] + ask->wall_s[BE_WORK_LAPACK];
    *verdict = BE_ASK_CLOSE;
    return recorded && known_s > moves_s(ask) / 2 ? BE_ASK_BY_SPEED : BE_ASK_BY_SIZES;
}

static bool is_compiled(const struct be_ask_seen *seen) {
    return seen->with && seen->with->compiles;
}

/* A longer run has more of the time since the program had begun. */
static void judge_longer(const struct be_ask *ask, const struct be_ask_scale *scale, double least_s,
                         const struct be_ask_seen *seen, struct be_ask_machine *m) {
    struct be_ask more = *ask;
    struct be_ask_machine ignored = {.recorded = m->recorded};
    struct be_ask_time kind[BE_WORK_KINDS];
    m->long_gain = m->long_lo = m->long_hi = NAN;
    m->long_verdict = BE_ASK_UNKNOWN;
    more.own_s = ask->own_s - ask->prepare_s;
    if (!(more.own_s > 0)) {
        return;
    }
    more.samples *= more.own_s / ask->own_s;
    more.prepare_s = 0;
    for (int i = 0; i < BE_WORK_KINDS; i++) {
        more.wall_s[i] = ask->later_s[i];
        more.cpu_s[i] = ask->wall_s[i] > 0 ? ask->cpu_s[i] * more.wall_s[i] / ask->wall_s[i] : 0;
    }
    const struct be_ask_time all = total(&more, scale, least_s, seen, &ignored, kind);
    judge(&more, &all, m->recorded, is_compiled(seen), &m->long_verdict);
    m->long_gain = more.own_s / all.typical_s;
    m->long_lo = more.own_s / all.hi_s;
    m->long_hi = more.own_s / all.lo_s;
}

/* A framework of Python has more to load than the driver. */
static struct be_ask_time start_of(const struct be_ask *ask, const struct be_ask_scale *scale,
                                   const struct be_gpu_library *with) {
    const struct be_ask_start *start = &scale->start;
    const struct be_over_rates none = {0};
    const struct be_over_rates *least =
        is_python(ask) ? &be_gpu_library_of(with ? with->word : NULL)->start_s : &none;
    const double typical_s = fmax(start->typical_s, least->typical);
    return (struct be_ask_time){fmax(start->lo_s, least->lo), typical_s,
                                fmax(start->hi_s, least->hi), typical_s};
}

void be_ask_judge(const struct be_ask *ask, const struct be_ask_scale *scale,
                  const struct be_ask_seen *seen, struct be_ask_machine *m) {
    struct be_ask_time large[BE_WORK_KINDS];
    const double least_s = shortest_call_s(ask);
    *m = (struct be_ask_machine){.most = most_of(ask, is_compiled(seen)), .large_gain = NAN};
    be_copy_text(m->name, sizeof m->name, scale->name);
    be_copy_text(m->gpu, sizeof m->gpu, scale->gpu);
    be_copy_text(m->scaled_from, sizeof m->scaled_from, scale->scaled_from);
    m->any_library = is_python(ask) && !seen->with;
    m->start = start_of(ask, scale, seen->with);
    m->all = total(ask, scale, least_s, seen, m, m->kind);
    add(&m->all, &m->start);
    m->gain = ask->own_s / m->all.typical_s;
    m->gain_lo = ask->own_s / m->all.hi_s;
    m->gain_hi = ask->own_s / m->all.lo_s;
    m->gain_copy = ask->own_s / m->all.copy_s;
    m->cause = judge(ask, &m->all, m->recorded, is_compiled(seen), &m->verdict);
    if (m->verdict == BE_ASK_NO && m->cause == BE_ASK_BY_SPEED &&
        ask->own_s / (m->all.lo_s - m->start.lo_s) >= be_ask_worth) {
        m->cause = BE_ASK_BY_START;
    }
    judge_longer(ask, scale, least_s, seen, m);
    if (m->cause == BE_ASK_BY_SIZES || (m->cause == BE_ASK_BY_SPEED && !m->recorded)) {
        struct be_ask_time all = total(ask, scale, fmax(least_s, large_s), seen, m, large);
        add(&all, &m->start);
        m->large_gain = ask->own_s / all.typical_s;
    }
    if (ask->unsampled[0]) {
        const struct be_ask_time none = {NAN, NAN, NAN, NAN};
        m->all = none;
        m->gain = m->gain_lo = m->gain_hi = m->gain_copy = m->most = m->large_gain = NAN;
        m->long_gain = m->long_lo = m->long_hi = NAN;
    }
}
