#include "forecast/coverage.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

#define NONE UINT32_MAX

/* The questions about a job: whether it starts within the model's q80, and within what it was
 * told. */
enum question { EARLY, TOLD, QUESTIONS };

struct watched {
    int cell;
    float told[QUESTIONS];
    bool open[QUESTIONS];
    uint32_t next; /* free place after this one, where this one is free */
};

struct due {
    int64_t at_s;
    uint32_t job;
    enum question question;
};

struct be_coverage {
    const struct be_history *history;
    double *level;                      /* of each cell */
    double *partition_lean, *user_lean; /* of each */
    struct watched *watched;
    uint32_t places, capacity, free_place;
    uint32_t *place;  /* of each job; NONE */
    struct due *heap; /* soonest first */
    size_t heaped, heap_capacity;
};

enum be_status be_coverage_open(const struct be_history *history, int cells,
                                struct be_coverage **coverage, struct be_error *error) {
    struct be_coverage *w = calloc(1, sizeof *w);
    if (!w) {
        return be_fail(error, BE_NOMEM, "forecast: no host memory");
    }
    w->history = history;
    w->free_place = NONE;
    w->level = malloc(((size_t)cells + 1) * sizeof *w->level);
    w->partition_lean = calloc((size_t)history->partition.count + 1, sizeof *w->partition_lean);
    w->user_lean = calloc((size_t)history->user.count + 1, sizeof *w->user_lean);
    w->place = malloc((history->jobs + 1) * sizeof *w->place);
    if (!w->level || !w->partition_lean || !w->user_lean || !w->place) {
        be_coverage_close(w);
        return be_fail(error, BE_NOMEM, "forecast: no host memory");
    }
    for (int i = 0; i < cells; i++) {
        w->level[i] = BE_LEVEL_WANTED;
    }
    for (size_t i = 0; i < history->jobs; i++) {
        w->place[i] = NONE;
    }
    *coverage = w;
    return BE_OK;
}

void be_coverage_close(struct be_coverage *w) {
    if (w) {
        free(w->level);
        free(w->partition_lean);
        free(w->user_lean);
        free(w->watched);
        free(w->place);
        free(w->heap);
        free(w);
    }
}

/* ---- the next moments of news --------------------------------------------------------------- */

static bool heap_add(struct be_coverage *w, struct due due) {
    if (w->heaped == w->heap_capacity) {
        size_t capacity = w->heap_capacity ? w->heap_capacity * 2 : 1024;
        struct due *heap = realloc(w->heap, capacity * sizeof *heap);
        if (!heap) {
            return false;
        }
        w->heap = heap;
        w->heap_capacity = capacity;
    }
    size_t at = w->heaped++;
    for (; at > 0 && w->heap[(at - 1) / 2].at_s > due.at_s; at = (at - 1) / 2) {
        w->heap[at] = w->heap[(at - 1) / 2];
    }
    w->heap[at] = due;
    return true;
}

static struct due heap_take(struct be_coverage *w) {
    struct due first = w->heap[0];
    struct due last = w->heap[--w->heaped];
    size_t at = 0;
    for (;;) {
        size_t min = 2 * at + 1;
        if (min >= w->heaped) {
            break;
        }
        min += min + 1 < w->heaped && w->heap[min + 1].at_s < w->heap[min].at_s;
        if (w->heap[min].at_s >= last.at_s) {
            break;
        }
        w->heap[at] = w->heap[min];
        at = min;
    }
    w->heap[at] = last;
    return first;
}

/* ---- news ----------------------------------------------------------------------------------- */

double be_coverage_level(const struct be_coverage *w, int cell, const struct be_past_job *job) {
    return be_level_asked(w->level[cell], w->partition_lean[job->partition],
                          w->user_lean[job->user]);
}

static void forget(struct be_coverage *w, size_t job) {
    uint32_t place = w->place[job];
    w->watched[place].next = w->free_place;
    w->free_place = place;
    w->place[job] = NONE;
}

static void settle(struct be_coverage *w, size_t job, enum question question,
                   enum be_outcome outcome) {
    const struct be_past_job *past = &w->history->job[job];
    struct watched *watched = &w->watched[w->place[job]];
    if (question == EARLY) {
        double *partition = &w->partition_lean[past->partition], *user = &w->user_lean[past->user];
        *partition = be_level_leant(*partition, outcome);
        *user = be_level_leant(*user, outcome);
    } else {
        double *level = &w->level[watched->cell];
        *level = be_level_moved(*level, outcome == BE_OUTCOME_BEYOND);
    }
    watched->open[question] = false;
    if (!watched->open[EARLY] && !watched->open[TOLD]) {
        forget(w, job);
    }
}

void be_coverage_until(struct be_coverage *w, int64_t now_s) {
    while (w->heaped && w->heap[0].at_s < now_s) {
        struct due due = heap_take(w);
        const struct be_past_job *past = &w->history->job[due.job];
        if (w->place[due.job] == NONE) {
            continue;
        }
        if (past->start_s == BE_NO_TIME && past->end_s != BE_NO_TIME && past->end_s < now_s) {
            forget(w, due.job); /* cancelled while it waited: says nothing */
        } else {
            settle(w, due.job, due.question, BE_OUTCOME_BEYOND);
        }
    }
}

static double told_s(float told) { /* as it was said */
    return round(expm1((double)told));
}

void be_coverage_started(struct be_coverage *w, size_t job) {
    const struct be_past_job *past = &w->history->job[job];
    double wait_s = (double)(past->start_s - past->submit_s);
    for (enum question q = EARLY; q < QUESTIONS && w->place[job] != NONE; q++) {
        const struct watched *watched = &w->watched[w->place[job]];
        if (watched->open[q]) {
            double limit_s = told_s(watched->told[q]);
            settle(w, job, q,
                   wait_s > limit_s   ? BE_OUTCOME_BEYOND
                   : wait_s < limit_s ? BE_OUTCOME_SHORT
                                      : BE_OUTCOME_AT);
        }
    }
}

static uint32_t take_place(struct be_coverage *w) {
    if (w->free_place != NONE) {
        uint32_t place = w->free_place;
        w->free_place = w->watched[place].next;
        return place;
    }
    if (w->places == w->capacity) {
        uint32_t capacity = w->capacity ? w->capacity * 2 : 1024;
        struct watched *watched = realloc(w->watched, capacity * sizeof *watched);
        if (!watched) {
            return NONE;
        }
        w->watched = watched;
        w->capacity = capacity;
    }
    return w->places++;
}

enum be_status be_coverage_add(struct be_coverage *w, size_t job, int cell, struct be_told told,
                               struct be_error *error) {
    const double longest_s = 3e9;
    const struct be_past_job *past = &w->history->job[job];
    uint32_t place = take_place(w), number = (uint32_t)job;
    bool fits = place != NONE;
    if (fits) {
        w->watched[place] = (struct watched){.cell = cell,
                                             .told = {(float)told.q80, (float)told.q90},
                                             .open = {true, true},
                                             .next = NONE};
        w->place[job] = place;
    }
    for (enum question q = EARLY; q < QUESTIONS && fits; q++) {
        double due_s = fmin(fmax(told_s(w->watched[place].told[q]), 0), longest_s);
        fits = heap_add(w, (struct due){past->submit_s + (int64_t)due_s, number, q});
    }
    return fits ? BE_OK : be_fail(error, BE_NOMEM, "forecast: no host memory");
}
