#include "ask/ask.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static struct be_ask_part *part_of(struct be_ask *ask, enum be_work_kind kind, const char *what) {
    for (size_t i = 0; i < ask->parts; i++) {
        if (ask->part[i].kind == kind && strcmp(ask->part[i].what, what) == 0) {
            return &ask->part[i];
        }
    }
    struct be_ask_part *part = &ask->part[ask->parts++];
    *part = (struct be_ask_part){.kind = kind};
    be_copy_text(part->what, sizeof part->what, what);
    return part;
}

static const struct be_kind_rule *rule_of(const struct be_samples_taken *taken,
                                          const struct be_kinds *kinds,
                                          const struct be_sample_place *place) {
    const struct be_sample_file *file = &taken->file[place->file];
    const char **beside = calloc((size_t)file->besides + 1, sizeof *beside);
    for (int i = 0; beside && i < file->besides; i++) {
        beside[i] = taken->file[file->beside[i]].path;
    }
    const struct be_kind_rule *rule =
        be_kinds_find(kinds, file->path, place->symbol, beside, beside ? file->besides : 0);
    free(beside);
    return rule;
}

enum be_work_kind be_ask_kind_of(const struct be_samples_taken *taken, const struct be_kinds *kinds,
                                 const struct be_sample_place *place) {
    const struct be_kind_rule *rule = rule_of(taken, kinds, place);
    return rule ? rule->kind : BE_WORK_UNKNOWN;
}

enum be_sample_role be_ask_role_of(const void *kinds, const struct be_samples_taken *taken,
                                   const struct be_sample_place *place) {
    const enum be_work_kind kind = be_ask_kind_of(taken, kinds, place);
    return kind == BE_WORK_WAITING || kind == BE_WORK_SPINNING            ? BE_SAMPLE_IDLE
           : kind == BE_WORK_OWN || be_work_kinds[kind].moves == BE_MOVES ? BE_SAMPLE_PURPOSE
                                                                          : BE_SAMPLE_WORK;
}

/* Behind the arguments of a template, "IfLi3EE": names in them have their lengths before them, and numbers end with E. */
static const char *behind_arguments(const char *at) {
    int depth = 0;
    do {
        if (*at >= '1' && *at <= '9') {
            char *name = NULL;
            const size_t size = strtoul(at, &name, 10);
            at = name + (size < strlen(name) ? size : strlen(name));
            continue;
        }
        if (*at == 'L') {
            at += strcspn(at, "E");
            at += *at == 'E';
            continue;
        }
        depth += *at && strchr("INXJF", *at) ? 1 : *at == 'E' ? -1 : 0;
        at += *at != '\0';
    } while (depth > 0 && *at);
    return at;
}

void be_ask_plain_name(const char *symbol, char *to, size_t capacity) {
    const char *at = symbol;
    be_copy_text(to, capacity, symbol);
    if (strncmp(at, "_Z", 2) != 0) {
        return;
    }
    at += 2 + strspn(at + 2, "NVKLRO");
    at += strncmp(at, "St", 2) == 0 ? 2 : 0;
    size_t length = 0;
    while (*at >= '1' && *at <= '9') {
        char *name = NULL;
        const size_t size = strtoul(at, &name, 10);
        if (size > strlen(name) || length + size + 3 > capacity) {
            break;
        }
        length += (size_t)snprintf(to + length, capacity - length, "%s%.*s", length ? "::" : "",
                                   (int)size, name);
        at = name + size;
        at = *at == 'I' ? behind_arguments(at) : at;
    }
}

/* Places come with the longest first, so the first of a part names it. */
static void add_place(struct be_ask *ask, const struct be_samples_taken *taken,
                      const struct be_kinds *kinds, const struct be_sample_place *place) {
    const struct be_kind_rule *rule = rule_of(taken, kinds, place);
    const enum be_work_kind kind = rule ? rule->kind : BE_WORK_UNKNOWN;
    struct be_ask_part *part =
        part_of(ask, kind, rule && rule->what ? rule->what : be_work_kinds[kind].title);
    if (!part->library[0]) {
        be_copy_text(part->library, sizeof part->library, base_name(taken->file[place->file].path));
        be_ask_plain_name(place->symbol, part->function, sizeof part->function);
    }
    part->samples += place->samples;
    part->cpu_s += place->cpu_s;
    part->wall_s += place->wall_s;
    part->later_s += place->later_s;
}

/* Time that was counted and not sampled; later_s of wall_s when the program had begun. */
static void add_counted(struct be_ask *ask, enum be_work_kind kind, const char *what, double cpu_s,
                        double wall_s, double later_s) {
    if (!(cpu_s > 0) && !(wall_s > 0)) {
        return;
    }
    struct be_ask_part *part = part_of(ask, kind, what);
    part->samples = NAN;
    part->cpu_s += cpu_s;
    part->wall_s += wall_s;
    part->later_s += later_s;
}

/* ---- the rest of the run -------------------------------------------------------------------- */

static double wall_of_parts(const struct be_ask *ask) {
    double sum_s = 0;
    for (size_t i = 0; i < ask->parts; i++) {
        sum_s += ask->part[i].wall_s;
    }
    return sum_s;
}

/* The part of what ran that ran when the program had begun. */
static double later_share(const struct be_ask *ask) {
    const double ran_s = wall_of_parts(ask);
    double later_s = 0;
    for (size_t i = 0; i < ask->parts; i++) {
        later_s += ask->part[i].later_s;
    }
    return ran_s > 0 ? later_s / ran_s : 1;
}

/* A process has no sample of its last part, which is shorter than a period; one that ends within the first has none at
 * all. The kernel's own counts have that time. It is too short for the start of a GPU, so it stays. A few samples are
 * missing by chance, and are no part of their own. */
static void add_unsampled(struct be_ask *ask, const struct be_samples_taken *taken) {
    static const double by_chance = 0.03;
    const double period_s = 1 / taken->rate_hz;
    const struct be_ask_run *run = &ask->run;
    const double counted_s = run->user_s + (ask->kernel ? run->system_s : 0);
    const double lacking_s = counted_s - taken->cpu_s;
    if (lacking_s > by_chance * counted_s && lacking_s > 4 * period_s) {
        const double left_s = fmax(0, ask->own_s - wall_of_parts(ask));
        const double wall_s = fmin(lacking_s, left_s);
        const double short_s = fmin(lacking_s, taken->processes * period_s);
        const double loading_s = wall_s * short_s / lacking_s, later = later_share(ask);
        add_counted(ask, BE_WORK_LOADING, "processes of a few ms", short_s, loading_s,
                    loading_s * later);
        add_counted(ask, BE_WORK_UNKNOWN, "not sampled", lacking_s - short_s, wall_s - loading_s,
                    (wall_s - loading_s) * later);
    }
}

/* Time in which others had the cores is none of the program's. Threads wait side by side, so that their sum may be longer
 * than all that is left. */
static void leave_out_core_wait(struct be_ask *ask, double ran_s) {
    struct be_ask_run *run = &ask->run;
    run->core_wait_s = fmin(fmax(0, run->core_wait_s), fmax(0, run->elapsed_s - ran_s));
    ask->own_s = run->elapsed_s - run->core_wait_s;
}

/* Bins of time round up: together they may be a little longer than the run. */
static void add_waiting(struct be_ask *ask, double begun_s, double ended_s) {
    const double elapsed_s = ask->own_s, ran_s = wall_of_parts(ask);
    if (ran_s > elapsed_s) {
        for (size_t i = 0; i < ask->parts; i++) {
            ask->part[i].wall_s *= elapsed_s / ran_s;
            ask->part[i].later_s *= elapsed_s / ran_s;
        }
    } else if (ran_s < elapsed_s) {
        const double before = 1 - later_share(ask), waited_s = elapsed_s - ran_s;
        const double outside_s = begun_s + fmax(0, ask->run.elapsed_s - ended_s);
        const double before_s = outside_s - before * (ask->run.core_wait_s + ran_s);
        add_counted(ask, BE_WORK_WAITING, "no thread ran: it waited", 0, waited_s,
                    waited_s - fmin(fmax(0, before_s), waited_s));
    }
}

static int by_wall(const void *a, const void *b) {
    const double first = ((const struct be_ask_part *)a)->wall_s;
    const double second = ((const struct be_ask_part *)b)->wall_s;
    return (first < second) - (first > second);
}

static void add_up(struct be_ask *ask, bool begun) {
    double cpu_s = 0, later_s = 0;
    if (ask->parts) {
        qsort(ask->part, ask->parts, sizeof *ask->part, by_wall);
    }
    for (size_t i = 0; i < ask->parts; i++) {
        ask->cpu_s[ask->part[i].kind] += ask->part[i].cpu_s;
        ask->wall_s[ask->part[i].kind] += ask->part[i].wall_s;
        ask->later_s[ask->part[i].kind] += ask->part[i].later_s;
        cpu_s += ask->part[i].cpu_s;
        later_s += ask->part[i].later_s;
    }
    ask->prepare_s = begun ? fmax(0, ask->own_s - later_s) : NAN;
    ask->known = cpu_s > 0 ? 1 - ask->cpu_s[BE_WORK_UNKNOWN] / cpu_s : NAN;
}

static void count_missing(struct be_ask *ask, const struct be_samples_taken *taken) {
    for (int i = 0; i < taken->files; i++) {
        if (taken->file[i].missing) {
            ask->missing++;
            be_copy_text(ask->missing_file, sizeof ask->missing_file, taken->file[i].path);
        }
    }
}

enum be_status be_ask_sum(const struct be_samples_taken *taken, const struct be_kinds *kinds,
                          const struct be_ask_run *run, struct be_ask *ask,
                          struct be_error *error) {
    enum { COUNTED = 4 };
    *ask = (struct be_ask){.run = *run,
                           .samples = taken->samples,
                           .lost = taken->lost,
                           .rate_hz = taken->rate_hz,
                           .kernel = taken->kernel};
    ask->part = calloc(taken->places + COUNTED, sizeof *ask->part);
    if (!ask->part) {
        return be_fail(error, BE_NOMEM, "no host memory for kinds of work");
    }
    leave_out_core_wait(ask, taken->wall_s + (taken->kernel ? 0 : run->system_s));
    for (size_t i = 0; i < taken->places; i++) {
        add_place(ask, taken, kinds, &taken->place[i]);
    }
    if (!taken->kernel) {
        const double left_s = fmax(0, ask->own_s - wall_of_parts(ask));
        const double wall_s = fmin(run->system_s, left_s);
        add_counted(ask, BE_WORK_KERNEL, be_work_kinds[BE_WORK_KERNEL].title, run->system_s, wall_s,
                    wall_s * later_share(ask));
    }
    add_unsampled(ask, taken);
    add_waiting(ask, taken->begun_s, taken->ended_s);
    add_up(ask, !isnan(taken->begun_s));
    count_missing(ask, taken);
    return BE_OK;
}

enum be_status be_ask_unsampled(const struct be_ask_run *run, const char *why, struct be_ask *ask,
                                struct be_error *error) {
    const struct be_samples_taken none = {.kernel = true, .rate_hz = BE_SAMPLE_HZ, .begun_s = NAN};
    const struct be_kinds no_kinds = {0};
    enum be_status status = be_ask_sum(&none, &no_kinds, run, ask, error);
    if (!status) {
        be_copy_text(ask->unsampled, sizeof ask->unsampled, why);
        for (size_t i = 0; i < ask->parts; i++) {
            struct be_ask_part *part = &ask->part[i];
            if (part->kind == BE_WORK_UNKNOWN) {
                be_copy_text(part->what, sizeof part->what, be_work_kinds[BE_WORK_UNKNOWN].title);
            }
        }
        ask->known = NAN;
    }
    return status;
}

void be_ask_free(struct be_ask *ask) {
    free(ask->part);
    *ask = (struct be_ask){0};
}
