#include "sample/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "sample/elf.h"
#include "sample/events.h"
#include "sample/processes.h"

enum {
    HITS = 1 << 16,   /* places that are counted apart; those behind them count for their file */
    BIN_PERIODS = 10, /* a stretch of time, in which threads count as working beside each other */
    TIMES = 1 << 23,  /* samples that are kept in their order, unless fewer are asked for */
    TIME_ROOM = 1 << 12
};

static const uint64_t whole_file = UINT64_MAX; /* as an offset */

struct hit {
    int file; /* -1: free */
    uint32_t slot, place;
    uint64_t offset, address; /* address: as the file's symbols have it; 0 not known */
    double samples;
};

/* A sample in the order of time: the slot of its hit, and whether it begins another stretch of time. */
struct moment {
    uint32_t slot : 31, begins : 1;
};

struct be_sampling {
    double period_s, bin_s;
    size_t kept_most;
    struct be_events events;
    struct be_event_batch batch;
    struct be_processes processes;
    struct hit *hit;
    size_t hits;
    struct moment *moment;
    size_t moments, moment_room;
    uint64_t bin, first_bin;
    uint32_t *stretch; /* of each moment that begins one: its number since the first */
    size_t stretches;
    struct be_samples_taken taken;
    struct be_sample_file *file;
    struct be_sample_place *place;
};

enum be_status be_sampling_open(const struct be_sampling_options *options,
                                struct be_sampling **opened, struct be_error *error) {
    struct be_sampling *s = calloc(1, sizeof *s);
    *opened = NULL;
    if (!s) {
        return be_fail(error, BE_NOMEM, "no host memory for samples");
    }
    s->taken.rate_hz = options->rate_hz > 0 ? options->rate_hz : BE_SAMPLE_HZ;
    s->period_s = 1 / s->taken.rate_hz;
    s->bin_s = BIN_PERIODS * s->period_s;
    s->kept_most = options->kept_most ? options->kept_most : TIMES;
    enum be_status status = be_events_open(options, &s->events, error);
    if (status) {
        free(s);
        return status;
    }
    *opened = s;
    return BE_OK;
}

void be_sampling_close(struct be_sampling *s) {
    if (s) {
        be_events_close(&s->events);
        be_processes_close(&s->processes);
        free(s->batch.event);
        free(s->batch.text);
        free(s->hit);
        free(s->moment);
        free(s->stretch);
        free(s->file);
        free(s->place);
        free(s);
    }
}

const int *be_sampling_files(const struct be_sampling *s, int *count) {
    *count = s->events.files;
    return s->events.file;
}

enum be_status be_sampling_begin(struct be_sampling *s, struct be_error *error) {
    enum be_status status = be_events_map(&s->events, error);
    status = status ? status : be_processes_open(&s->processes, error);
    s->hit = malloc(HITS * sizeof *s->hit);
    if (!status && !s->hit) {
        return be_fail(error, BE_NOMEM, "no host memory for samples");
    }
    for (size_t i = 0; s->hit && i < HITS; i++) {
        s->hit[i] = (struct hit){.file = -1, .slot = (uint32_t)i};
    }
    s->taken.kernel = s->events.kernel;
    return status;
}

/* ---- counting ------------------------------------------------------------------------------- */

static struct hit *hit_of(struct be_sampling *s, int file, uint64_t offset) {
    const size_t most = HITS - HITS / 8;
    for (int attempt = 0; attempt < 2; attempt++, offset = whole_file) {
        const uint64_t mixed = (offset ^ ((uint64_t)file << 40)) * 0x9e3779b97f4a7c15u;
        size_t at = (size_t)(mixed >> 48) % HITS;
        while (s->hit[at].file >= 0 && (s->hit[at].file != file || s->hit[at].offset != offset)) {
            at = (at + 1) % HITS;
        }
        const bool there = s->hit[at].file >= 0;
        if (there || s->hits < most || (offset == whole_file && s->hits < HITS - 1)) {
            s->hits += !there;
            s->hit[at].file = file;
            s->hit[at].offset = offset;
            return &s->hit[at];
        }
    }
    return NULL;
}

/* A run of more samples than are kept is judged by those that are. */
static void add_moment(struct be_sampling *s, const struct hit *hit, uint64_t time_ns) {
    const uint64_t bin = (uint64_t)((double)time_ns * 1e-9 / s->bin_s);
    if (s->moments == s->moment_room) {
        const size_t room = s->moment_room ? 2 * s->moment_room : TIME_ROOM;
        const bool allowed = room <= s->kept_most;
        struct moment *grown = allowed ? realloc(s->moment, room * sizeof *grown) : NULL;
        s->moment = grown ? grown : s->moment;
        uint32_t *stretch = grown ? realloc(s->stretch, room * sizeof *stretch) : NULL;
        s->stretch = stretch ? stretch : s->stretch;
        if (!stretch) {
            return;
        }
        s->moment_room = room;
    }
    const bool begins = bin != s->bin || !s->moments;
    s->first_bin = s->moments ? s->first_bin : bin;
    s->bin = bin;
    if (begins) {
        s->stretch[s->stretches++] = (uint32_t)(bin - s->first_bin);
    }
    s->moment[s->moments++] = (struct moment){.slot = hit->slot & INT32_MAX, .begins = begins};
}

static void take_sample(struct be_sampling *s, const struct be_event *event) {
    uint64_t offset = 0;
    const int file = event->in_kernel
                         ? BE_SAMPLE_KERNEL
                         : be_processes_find(&s->processes, event->pid, event->address, &offset);
    struct hit *hit = file >= 0 ? hit_of(s, file, offset) : NULL;
    if (!hit) {
        s->taken.lost++;
        return;
    }
    hit->samples++;
    s->taken.samples++;
    add_moment(s, hit, event->time_ns);
}

static int by_time(const void *a, const void *b) {
    const struct be_event *first = a, *second = b;
    return first->time_ns != second->time_ns
               ? (first->time_ns > second->time_ns) * 2 - 1
               : (int)second->kind - (int)first->kind; /* maps first */
}

/* A process goes from CPU to CPU, and its records with it: they count in the order of time. Those behind `until_ns`
 * wait, since earlier ones of another CPU may still come. */
static void take_batch(struct be_sampling *s, uint64_t until_ns) {
    struct be_event_batch *batch = &s->batch;
    size_t done = 0;
    if (batch->events) {
        qsort(batch->event, batch->events, sizeof *batch->event, by_time);
    }
    for (; done < batch->events && batch->event[done].time_ns <= until_ns; done++) {
        const struct be_event *event = &batch->event[done];
        if (event->kind == BE_EVENT_SAMPLE) {
            take_sample(s, event);
        } else if (event->kind == BE_EVENT_LOST) {
            s->taken.lost += (double)event->count;
        } else {
            s->taken.processes += event->kind == BE_EVENT_FORK;
            be_processes_take(&s->processes, event,
                              event->kind == BE_EVENT_MAP ? batch->text + event->path : "");
        }
    }
    batch->events -= done;
    if (batch->events) {
        memmove(batch->event, batch->event + done, batch->events * sizeof *batch->event);
    } else {
        batch->length = 0;
    }
}

void be_sampling_read(struct be_sampling *s) {
    const uint64_t until_ns = be_events_now_ns();
    be_events_read(&s->events, &s->batch);
    take_batch(s, until_ns);
}

/* ---- results -------------------------------------------------------------------------------- */

static int by_file(const void *a, const void *b) {
    const struct hit *first = a, *second = b;
    return first->file != second->file       ? first->file - second->file
           : first->offset != second->offset ? (first->offset > second->offset) * 2 - 1
                                             : 0;
}

/* The place of that file and symbol, made where it is new: all of a file follow each other. */
static size_t add_place(struct be_sampling *s, size_t first, const struct hit *hit,
                        const char *symbol) {
    size_t at = first;
    while (at < s->taken.places && strcmp(s->place[at].symbol, symbol) != 0) {
        at++;
    }
    struct be_sample_place *place = &s->place[at];
    if (at == s->taken.places) {
        s->taken.places++;
        place->file = hit->file;
        place->id = (uint32_t)at;
        be_copy_text(place->symbol, sizeof place->symbol, symbol);
    }
    place->samples += hit->samples;
    place->cpu_s += hit->samples * s->period_s;
    return at;
}

/* The hits of one file, in the order of their offsets. */
static void name_hits(struct be_sampling *s, struct hit *hit, size_t hits, uint32_t *place_of) {
    struct be_mapped_file *file = &s->processes.file[hit->file];
    struct be_elf_ask *ask = calloc(hits, sizeof *ask);
    for (size_t i = 0; ask && i < hits; i++) {
        ask[i].offset = hit[i].offset;
    }
    if (ask && file->descriptor >= 0) {
        be_elf_name(file->descriptor, ask, hits);
    }
    const size_t first = s->taken.places;
    for (size_t i = 0; i < hits; i++) {
        hit[i].place = (uint32_t)add_place(s, first, &hit[i], ask ? ask[i].symbol : "");
        hit[i].address = ask && ask[i].address != UINT64_MAX ? ask[i].address : 0;
        place_of[hit[i].slot] = hit[i].place;
    }
    free(ask);
}

static int by_cpu(const void *a, const void *b) {
    const double first = ((const struct be_sample_place *)a)->cpu_s;
    const double second = ((const struct be_sample_place *)b)->cpu_s;
    return (first < second) - (first > second);
}

static void list_files(struct be_sampling *s) {
    const int files = s->processes.files;
    s->file = calloc((size_t)files + 1, sizeof *s->file);
    for (int i = 0; s->file && i < files; i++) {
        s->file[i] = s->processes.file[i].shown;
    }
    s->taken.file = s->file;
    s->taken.files = s->file ? files : 0;
}

static void list_places(struct be_sampling *s, uint32_t *place_of) {
    qsort(s->hit, HITS, sizeof *s->hit, by_file);
    size_t from = HITS - s->hits; /* free ones come first */
    while (from < HITS) {
        size_t to = from + 1;
        while (to < HITS && s->hit[to].file == s->hit[from].file) {
            to++;
        }
        name_hits(s, &s->hit[from], to - from, place_of);
        from = to;
    }
}

/* n samples of a stretch of m periods: with fewer than m, one thread after the other worked; with more, some worked side
 * by side. Threads that spin count only where nobody works. */
static void weigh_bin(struct be_sampling *s, const struct moment *moment, size_t moments,
                      const uint32_t *place_of, const enum be_sample_role *role, bool begun) {
    size_t at_work = 0;
    for (size_t i = 0; i < moments; i++) {
        at_work += role[place_of[moment[i].slot]] != BE_SAMPLE_IDLE;
    }
    const double work_s = fmin((double)at_work * s->period_s, s->bin_s);
    const double idle_s = fmin((double)(moments - at_work) * s->period_s, s->bin_s - work_s);
    for (size_t i = 0; i < moments; i++) {
        const uint32_t place = place_of[moment[i].slot];
        const double wall_s = role[place] == BE_SAMPLE_IDLE ? idle_s / (double)(moments - at_work)
                                                            : work_s / (double)at_work;
        s->place[place].wall_s += wall_s;
        s->place[place].later_s += begun ? wall_s : 0;
    }
}

static double purpose_share(const struct moment *moment, size_t moments, const uint32_t *place_of,
                            const enum be_sample_role *role) {
    size_t purpose = 0;
    for (size_t i = 0; i < moments; i++) {
        purpose += role[place_of[moment[i].slot]] == BE_SAMPLE_PURPOSE;
    }
    return moments ? (double)purpose / (double)moments : 0;
}

/* So long may it take to take a program down: Python with its libraries takes some 0.04 s. Longer is work. */
static const double taken_down_s = 0.15;

static size_t end_of_stretch(const struct be_sampling *s, size_t from) {
    size_t to = from + 1;
    while (to < s->moments && !s->moment[to].begins) {
        to++;
    }
    return to;
}

/* From the first stretch in which the purpose has as large a part as in the whole run, to the last one. Moments, not
 * times: [*first, *behind). */
static void find_purpose(struct be_sampling *s, const uint32_t *place_of,
                         const enum be_sample_role *role, size_t least, size_t *first,
                         size_t *behind) {
    const double usual = purpose_share(s->moment, s->moments, place_of, role);
    size_t stretch = 0;
    *first = *behind = s->moments;
    s->taken.begun_s = s->taken.ended_s = NAN;
    for (size_t from = 0, to; usual > 0 && from < s->moments; from = to, stretch++) {
        to = end_of_stretch(s, from);
        if (to - from < least ||
            purpose_share(&s->moment[from], to - from, place_of, role) < usual) {
            continue;
        }
        if (isnan(s->taken.begun_s)) {
            s->taken.begun_s = s->stretch[stretch] * s->bin_s;
            *first = from;
        }
        s->taken.ended_s = (s->stretch[stretch] + 1) * s->bin_s;
        *behind = to;
    }
}

/* Samples beyond those that were kept in order get their part of the time as those did. */
static void weigh(struct be_sampling *s, const uint32_t *place_of,
                  const enum be_sample_role *role) {
    size_t first, behind;
    /* One sample by itself is chance, as of a program's first instructions; of a program that works little there is no more. */
    find_purpose(s, place_of, role, BIN_PERIODS / 2, &first, &behind);
    if (isnan(s->taken.begun_s)) {
        find_purpose(s, place_of, role, 1, &first, &behind);
    }
    const double left_s =
        s->stretches ? (s->stretch[s->stretches - 1] + 1) * s->bin_s - s->taken.ended_s : 0;
    if (s->taken.samples > (double)s->moments || left_s > taken_down_s) {
        behind = s->moments; /* the end was not kept, or is work of its own */
        s->taken.ended_s = INFINITY;
    }
    for (size_t from = 0, to; from < s->moments; from = to) {
        to = end_of_stretch(s, from);
        weigh_bin(s, &s->moment[from], to - from, place_of, role, from >= first && from < behind);
    }
    const double more = s->moments ? s->taken.samples / (double)s->moments : 1;
    for (size_t i = 0; i < s->taken.places; i++) {
        s->place[i].wall_s *= more;
        s->place[i].later_s *= more;
        s->taken.cpu_s += s->place[i].cpu_s;
        s->taken.wall_s += s->place[i].wall_s;
    }
}

const struct be_samples_taken *be_sampling_end(struct be_sampling *s,
                                               const struct be_sample_roles *roles) {
    uint32_t *place_of = calloc(HITS, sizeof *place_of);
    enum be_sample_role *role = calloc(HITS, sizeof *role);
    be_sampling_read(s);
    take_batch(s, UINT64_MAX);
    s->place = calloc(s->hits + 1, sizeof *s->place);
    list_files(s);
    if (place_of && role && s->place && s->file) {
        list_places(s, place_of);
        s->taken.place = s->place;
        for (size_t i = 0; i < s->taken.places; i++) {
            role[i] = roles ? roles->of(roles->context, &s->taken, &s->place[i]) : BE_SAMPLE_WORK;
        }
        weigh(s, place_of, role);
        qsort(s->place, s->taken.places, sizeof *s->place, by_cpu);
    }
    free(place_of);
    free(role);
    return &s->taken;
}

size_t be_sampling_spots(const struct be_sampling *s, const struct be_sample_place *place,
                         struct be_sample_spot *spot, size_t most) {
    size_t spots = 0;
    for (size_t i = 0; i < HITS && spots < most; i++) {
        const struct hit *hit = &s->hit[i];
        if (hit->file == place->file && hit->place == place->id && hit->address) {
            spot[spots++] = (struct be_sample_spot){hit->address, hit->samples};
        }
    }
    return spots;
}
