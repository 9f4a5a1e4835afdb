/* Sources -> trace. */
#include "observe/sampler/sampler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "observe/sampler/asked.h"
#include "observe/process/limits.h"
#include "observe/process/tree.h"

/* One source and how its GPUs are numbered in the trace. */
struct slot {
    const struct be_signal_source *source;
    struct be_asked *asked; /* NULL: given up */
    bool known;             /* it has answered to being opened */
    bool silent;            /* it was asked and has not answered yet ... */
    double silent_s;        /* ... since then, since the start */
    int index;              /* in the trace's sources */
    int gpu[BE_DEVICES_MAX];
    int gpus;
};

struct be_sampler {
    struct be_sampler_options options;
    struct be_trace trace;
    struct slot slot[BE_TRACE_SOURCES_MAX];
    int slots;
    double start_s;  /* of the clock */
    double from_s;   /* end of the last tick, since the start */
    double next_s;   /* when the next is due, since the start */
    double credit_s; /* CPU time that the watching may still take; below 0: it took too much */
    double apart_s;  /* of this tick: has a budget of its own */
    struct be_tree *tree;
    bool left; /* a source hangs, and still looks at what is watched */
};

static const double default_overhead = 0.0025;

static double since_start(const struct be_sampler *sampler) {
    return be_now(&sampler->options.clock) - sampler->start_s;
}

/* ---- filing answers ------------------------------------------------------------------------- */

static void file_gpus(struct be_sampler *sampler, struct slot *slot,
                      const struct be_answer *answer) {
    struct be_trace *trace = &sampler->trace;
    slot->gpus = answer->gpus;
    for (int i = 0; i < answer->gpus; i++) {
        int at = 0;
        while (at < trace->gpus && strcmp(trace->gpu[at].id, answer->gpu[i].id) != 0) {
            at++;
        }
        if (at == trace->gpus && at < BE_DEVICES_MAX) {
            trace->gpu[trace->gpus++] = answer->gpu[i];
        }
        slot->gpu[i] = at < BE_DEVICES_MAX ? at : -1;
    }
}

static int place_of(struct be_trace *trace, const struct be_named *named) {
    int at = named->tid ? be_trace_thread(trace, named->pid, named->tid, named->cpu_s)
                        : be_trace_process(trace, named->pid, named->start_s, named->cpu_s);
    if (at < 0) {
        return -1;
    }
    if (named->tid) {
        struct be_trace_thread *thread = &trace->thread[at];
        be_copy_text(thread->name, sizeof thread->name, named->name);
        thread->cpu_s = named->cpu_s;
        return at;
    }
    struct be_trace_process *process = &trace->process[at];
    be_copy_text(process->name, sizeof process->name, named->name);
    process->cpu_s = named->cpu_s;
    process->main |= named->main;
    if (named->libraries & BE_LIBS_KNOWN) {
        be_libraries_write(named->libraries, process->libraries, sizeof process->libraries);
    }
    process->peak_bytes = fmax(process->peak_bytes, named->bytes); /* of NAN: the other */
    return at;
}

/* Where the values of the sink's processes and threads belong. */
static void file_named(struct be_trace *trace, const struct be_sink *sink,
                       int place[BE_SINK_NAMED]) {
    for (int i = 0; i < sink->nameds; i++) {
        place[i] = place_of(trace, &sink->named[i]);
    }
    /* A later one may have taken the place of an earlier one. */
    for (int i = 0; i < sink->nameds; i++) {
        const struct be_named *named = &sink->named[i];
        bool kept = place[i] >= 0 &&
                    (named->tid ? trace->thread[place[i]].tid : trace->process[place[i]].pid) ==
                        (named->tid ? named->tid : named->pid);
        place[i] = kept ? place[i] : -1;
    }
}

static int place_in(const struct be_sink *sink, const int *place, const struct be_value *value) {
    for (int i = 0; i < sink->nameds; i++) {
        if (sink->named[i].pid == value->id && sink->named[i].tid == value->tid) {
            return place[i];
        }
    }
    return -1;
}

/* -1: of nothing that the trace keeps. */
static int thing_of(const struct slot *slot, const struct be_sink *sink, const int *place,
                    const struct be_value *value) {
    switch (be_signals[value->signal].scope) {
    case BE_OF_PROCESS:
    case BE_OF_THREAD:
        return place_in(sink, place, value);
    case BE_OF_GPU:
        return value->id >= 0 && value->id < slot->gpus ? slot->gpu[value->id] : -1;
    default:
        return 0;
    }
}

static void take_total(double *total, double value) {
    *total = isnan(value) ? *total : value;
}

static void file_totals(struct be_trace_totals *total, const struct be_trace_totals *from) {
    take_total(&total->user_s, from->user_s);
    take_total(&total->system_s, from->system_s);
    take_total(&total->peak_process_bytes, from->peak_process_bytes);
    take_total(&total->peak_group_bytes, from->peak_group_bytes);
    take_total(&total->read_bytes, from->read_bytes);
    take_total(&total->written_bytes, from->written_bytes);
    take_total(&total->major_faults, from->major_faults);
    take_total(&total->minor_faults, from->minor_faults);
    take_total(&total->switches, from->switches);
    take_total(&total->preempted, from->preempted);
    take_total(&total->orphans, from->orphans);
    take_total(&total->left, from->left);
}

static void file_sink(struct be_sampler *sampler, struct slot *slot, const struct be_sink *sink) {
    struct be_trace *trace = &sampler->trace;
    int place[BE_SINK_NAMED];
    sampler->apart_s += sink->apart_s;
    file_named(trace, sink, place);
    for (int i = 0; i < sink->values; i++) {
        const struct be_value *value = &sink->value[i];
        int of = thing_of(slot, sink, place, value);
        be_trace_add(trace, value->signal, of, slot->index, value->value);
        if (value->since_s > 0) {
            be_trace_since(trace, value->signal, of, value->since_s);
        }
        if (value->cover < 1) {
            be_trace_cover(trace, value->signal, of, value->cover);
        }
    }
    for (int i = 0; i < sink->absences; i++) {
        be_trace_absent(trace, sink->absent[i].signal, slot->source->name, sink->absent[i].reason);
    }
    if (sink->detail[0]) {
        be_copy_text(trace->source[slot->index].detail, BE_NOTE, sink->detail);
    }
    if (sink->libraries & BE_LIBS_KNOWN) {
        be_libraries_write(sink->libraries, trace->libraries, sizeof trace->libraries);
        be_settings_write(&sink->settings, trace->settings, sizeof trace->settings);
    }
    if (sink->totals) {
        file_totals(&trace->total, &sink->total);
    }
    if (sink->limited) {
        be_limits_lower(&trace->limits, sink->cpus_quota, sink->memory_bytes);
    }
}

static void give_up(struct be_sampler *sampler, struct slot *slot, const char *reason) {
    be_copy_text(sampler->trace.source[slot->index].absent, BE_NOTE, reason);
    sampler->left |= !be_asked_close(slot->asked);
    slot->asked = NULL;
}

static void file_answer(struct be_sampler *sampler, struct slot *slot,
                        const struct be_answer *answer) {
    struct be_trace_source *source = &sampler->trace.source[slot->index];
    source->cost_s = answer->cost_s;
    if (!slot->known) {
        slot->known = true;
        if (answer->status != BE_OK) {
            give_up(sampler, slot, answer->error.text);
            return;
        }
        file_gpus(sampler, slot, answer);
        return;
    }
    if (answer->status == BE_OK) {
        source->sampled++;
        file_sink(sampler, slot, answer->sink);
    } else if (answer->status == BE_ABSENT) {
        give_up(sampler, slot, answer->error.text);
    } else {
        source->missed++;
        be_copy_text(source->detail, sizeof source->detail, answer->error.text);
    }
}

/* ---- ticks ---------------------------------------------------------------------------------- */

/* Foreign sources first: they work while the others do. */
static void ask_all(struct be_sampler *sampler, const struct be_moment *moment, bool foreign) {
    for (int i = 0; i < sampler->slots; i++) {
        struct slot *slot = &sampler->slot[i];
        if (slot->asked && slot->known && slot->source->foreign == foreign) {
            be_asked_begin(slot->asked, moment);
        }
    }
}

/* A driver that hangs is waited for by nobody, but what is missing has a reason: of one that was asked two seconds
 * ago, or for the last time. It may answer after all. */
static const double silent_at_max_s = 2;

static void note_silence(struct be_sampler *sampler, struct slot *slot, bool last) {
    struct be_trace_source *source = &sampler->trace.source[slot->index];
    double now_s = since_start(sampler);
    source->missed += slot->known;
    slot->silent_s = slot->silent ? slot->silent_s : slot->known ? now_s : 0;
    slot->silent = true;
    if (!last && now_s - slot->silent_s < silent_at_max_s) {
        return;
    }
    if (slot->known) {
        be_copy_text(source->absent, BE_NOTE, "its driver does not answer any more");
    } else {
        snprintf(source->absent, BE_NOTE, "%s: opening it was not over after %.1f s",
                 slot->source->name, now_s);
    }
}

static void note_answer(struct be_sampler *sampler, struct slot *slot) {
    if (slot->silent) {
        sampler->trace.source[slot->index].absent[0] = '\0';
    }
    slot->silent = false;
}

static void take_all(struct be_sampler *sampler, double wait_s, bool last) {
    for (int i = 0; i < sampler->slots; i++) {
        struct slot *slot = &sampler->slot[i];
        struct be_answer answer;
        if (!slot->asked) {
            continue;
        }
        double begin = be_now(&sampler->options.clock);
        if (be_asked_take(slot->asked, wait_s, &answer)) {
            note_answer(sampler, slot);
            file_answer(sampler, slot, &answer);
        } else {
            note_silence(sampler, slot, last);
        }
        wait_s = fmax(0, wait_s - (be_now(&sampler->options.clock) - begin));
    }
}

/* The watching earns time as the run goes on, and spends it: what it has saved, it may spend where
 * there is suddenly much to look at; a part at a time, so that the next ticks have some too. */
static const double credit_at_first_s = 0.01, credit_at_max_s = 0.1, tick_at_max_s = 0.02,
                    credit_a_tick = 0.125;

static double earn(struct be_sampler *sampler, double length_s) {
    double earned_s = sampler->options.overhead * fmax(length_s, 0);
    sampler->credit_s = fmin(sampler->credit_s + earned_s, credit_at_max_s);
    return fmax(earned_s, fmin(credit_a_tick * sampler->credit_s, tick_at_max_s));
}

/* Ticks follow each other quickly at first, so that short runs are seen too, and rarely later; more
 * rarely still where looking took more time than there was. */
static double next_interval(const struct be_sampler *sampler, double now_s) {
    double interval_s = sampler->options.interval_s;
    if (!(interval_s > 0)) {
        interval_s = fmin(fmax(now_s / 200, 0.1), 1);
    }
    return fmax(interval_s, fmin(-sampler->credit_s / sampler->options.overhead, 60));
}

static const double answer_wait_s = 0.03, last_wait_s = 1;

void be_sampler_tick(struct be_sampler *sampler, bool last) {
    double now_s = since_start(sampler);
    double begin = be_thread_time();
    struct be_moment moment = {.from_s = sampler->from_s,
                               .now_s = now_s,
                               .budget_s = earn(sampler, now_s - sampler->from_s),
                               .last = last};
    sampler->apart_s = 0;
    if (be_trace_tick(&sampler->trace, now_s)) {
        ask_all(sampler, &moment, true);
        ask_all(sampler, &moment, false);
        take_all(sampler, last ? last_wait_s : answer_wait_s, last);
        sampler->from_s = now_s;
    }
    sampler->trace.elapsed_s = fmax(sampler->trace.elapsed_s, now_s); /* a clock may be set back */
    sampler->credit_s -= be_thread_time() - begin - sampler->apart_s;
    sampler->next_s = now_s + next_interval(sampler, now_s);
}

double be_sampler_due(const struct be_sampler *sampler) {
    return sampler->next_s - since_start(sampler);
}

struct be_trace *be_sampler_trace(struct be_sampler *sampler) {
    return &sampler->trace;
}

/* ---- opening -------------------------------------------------------------------------------- */

static void open_slot(struct be_sampler *sampler, const struct be_signal_source *source) {
    if (source->on_request && !sampler->options.watched.trace_folder) {
        return;
    }
    int index = be_trace_source(&sampler->trace, source->name);
    if (index < 0 || sampler->slots == BE_TRACE_SOURCES_MAX) {
        return;
    }
    struct slot *slot = &sampler->slot[sampler->slots];
    struct be_error error = {0};
    *slot = (struct slot){.source = source, .index = index};
    sampler->trace.source[index].gpu = source->gpus != NULL;
    if (be_asked_open(source, &sampler->options.watched, &slot->asked, &error) != BE_OK) {
        be_copy_text(sampler->trace.source[index].absent, BE_NOTE, error.text);
        return;
    }
    sampler->slots++;
}

static bool is_member(const struct be_watched *watched, pid_t pid) {
    return be_tree_has(watched->tree, pid);
}

/* Without /proc nobody knows what belongs to the program; its source then says why. */
static void open_tree(struct be_sampler *sampler) {
    struct be_watched *watched = &sampler->options.watched;
    if (!watched->tree && be_tree_open(watched, &sampler->tree, NULL) == BE_OK) {
        watched->tree = sampler->tree;
        watched->member = watched->member ? watched->member : is_member;
    }
}

enum be_status be_sampler_open(const struct be_sampler_options *options,
                               struct be_sampler **sampler, struct be_error *error) {
    *sampler = NULL;
    struct be_sampler *one = calloc(1, sizeof *one);
    if (!one) {
        return be_fail(error, BE_NOMEM, "watching: out of memory");
    }
    enum be_status status = be_trace_open(&one->trace, error);
    if (status != BE_OK) {
        free(one);
        return status;
    }
    one->options = *options;
    if (!one->options.clock.now) {
        one->options.clock = be_clock_host();
    }
    if (!(one->options.overhead > 0)) {
        one->options.overhead = default_overhead;
    }
    one->credit_s = credit_at_first_s;
    one->start_s = be_now(&one->options.clock);
    one->trace.interval_s = options->interval_s;
    one->trace.pid = options->watched.root;
    const struct be_signal_source *const *list = options->sources;
    list = list ? list : be_signal_sources;
    open_tree(one);
    be_trace_describe(&one->trace, &one->options.watched);
    for (int i = 0; list[i]; i++) {
        open_slot(one, list[i]);
    }
    take_all(one, 0, false); /* local ones have opened; foreign ones may have */
    one->next_s = since_start(one) + next_interval(one, 0);
    *sampler = one;
    return BE_OK;
}

void be_sampler_leave_out(struct be_sampler *sampler, const double grown[BE_GROWNS]) {
    if (sampler->tree) {
        be_tree_leave_out(sampler->tree, grown);
    }
}

void be_sampler_close(struct be_sampler *sampler) {
    if (!sampler) {
        return;
    }
    for (int i = 0; i < sampler->slots; i++) {
        sampler->left |= !be_asked_close(sampler->slot[i].asked);
    }
    be_trace_close(&sampler->trace);
    if (!sampler->left) {
        be_tree_close(sampler->tree);
        free(sampler);
    }
}
