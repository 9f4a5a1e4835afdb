#include "slurm/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
    WINDOW = 20000,    /* examples that a forest learns from: those that started last */
    TRAIN_LEAST = 200, /* as many new starts at least, */
    TRAIN_SHARE = 20   /* and a twentieth of what it learnt from, before it learns anew */
};

/* The quantile that is asked of the forest so that nine in ten start within it: moved a step up
 * at each miss and a ninth of it down at each hit (Gibbs and Candes 2021, adaptive conformal
 * inference). The same for every trace: nine misses in a row move 0.9 to 0.98. */
static const double level_step = 0.01, level_least = 0.5, level_most = 1.2, wanted = 0.9;
/* Above this the forest has too few outcomes to go by; beyond it a step of the level is a
 * factor. */
static const double level_seen = 0.98;
static const double beyond = 5; /* natural logarithm of wait, a unit of level */

struct cell {
    float wait[BE_TABLE_JOBS]; /* logarithm of 1 + wait, of those that started last */
    int count, at;
    double level;
};

/* One whose outcome is not known yet. */
struct watched {
    int64_t due_s; /* not started by then: its q90 was too short */
    size_t job;
};

struct be_forecaster {
    const struct be_history *history;
    struct be_replay *replay;
    float *feature;  /* of each job, as it was submitted */
    size_t featured; /* jobs that have theirs */
    size_t *started; /* jobs by start */
    size_t starts, trained_at;
    struct cell *cell; /* partitions x sizes */
    struct be_forest *forest;
    struct be_expected expected; /* of the one asked last */
    double asked_q90_s;
    double *q90_s;        /* of each watched job; NAN: not watched, or settled */
    struct watched *heap; /* soonest due first */
    size_t heaped, heap_room;
    int64_t now_s;
};

enum be_status be_forecaster_open(const struct be_history *history,
                                  struct be_forecaster **forecaster, struct be_error *error) {
    struct be_forecaster *f = calloc(1, sizeof *f);
    if (!f) {
        return be_fail(error, BE_NOMEM, "forecast: no host memory");
    }
    size_t cells = (size_t)history->partition.count * BE_SIZES;
    f->history = history;
    f->feature = malloc((history->jobs + 1) * BE_FEATURES * sizeof *f->feature);
    f->started = malloc((history->jobs + 1) * sizeof *f->started);
    f->q90_s = malloc((history->jobs + 1) * sizeof *f->q90_s);
    f->cell = calloc(cells + 1, sizeof *f->cell);
    enum be_status status = f->feature && f->started && f->q90_s && f->cell
                                ? be_replay_open(history, &f->replay, error)
                                : be_fail(error, BE_NOMEM, "forecast: no host memory");
    if (status != BE_OK) {
        be_forecaster_close(f);
        return status;
    }
    for (size_t i = 0; i < cells; i++) {
        f->cell[i].level = wanted;
    }
    for (size_t i = 0; i < history->jobs; i++) {
        f->q90_s[i] = NAN;
    }
    *forecaster = f;
    return BE_OK;
}

void be_forecaster_close(struct be_forecaster *f) {
    if (f) {
        be_replay_close(f->replay);
        be_forest_free(f->forest);
        be_expected_free(&f->expected);
        free(f->feature);
        free(f->started);
        free(f->q90_s);
        free(f->cell);
        free(f->heap);
        free(f);
    }
}

static struct cell *cell_of(struct be_forecaster *f, const struct be_past_job *job) {
    return &f->cell[job->partition * BE_SIZES + be_size_of(job)];
}

/* ---- what came of those that were forecast -------------------------------------------------- */

static void settle(struct be_forecaster *f, size_t job, bool missed) {
    struct cell *cell = cell_of(f, &f->history->job[job]);
    double level = cell->level + level_step * (missed ? wanted : wanted - 1);
    cell->level = fmin(fmax(level, level_least), level_most);
    f->q90_s[job] = NAN;
}

static void heap_down(struct be_forecaster *f, size_t at) {
    for (;;) {
        size_t least = at;
        for (size_t k = 2 * at + 1; k <= 2 * at + 2 && k < f->heaped; k++) {
            least = f->heap[k].due_s < f->heap[least].due_s ? k : least;
        }
        if (least == at) {
            return;
        }
        struct watched other = f->heap[at];
        f->heap[at] = f->heap[least];
        f->heap[least] = other;
        at = least;
    }
}

/* Those whose time has passed. */
static void settle_due(struct be_forecaster *f, int64_t now_s) {
    while (f->heaped && f->heap[0].due_s < now_s) {
        size_t job = f->heap[0].job;
        f->heap[0] = f->heap[--f->heaped];
        heap_down(f, 0);
        const struct be_past_job *past = &f->history->job[job];
        bool left = past->start_s == BE_NO_TIME && past->end_s != BE_NO_TIME &&
                    past->end_s < now_s; /* cancelled while it waited: says nothing */
        if (isfinite(f->q90_s[job]) && !left) {
            settle(f, job, true);
        }
    }
}

enum be_status be_forecaster_watch(struct be_forecaster *f, size_t job, struct be_error *error) {
    const double longest_s = 3e9;
    if (!isfinite(f->asked_q90_s)) {
        return BE_OK;
    }
    if (f->heaped == f->heap_room) {
        size_t room = f->heap_room ? f->heap_room * 2 : 1024;
        struct watched *heap = realloc(f->heap, room * sizeof *heap);
        if (!heap) {
            return be_fail(error, BE_NOMEM, "forecast: no host memory");
        }
        f->heap = heap;
        f->heap_room = room;
    }
    f->q90_s[job] = f->asked_q90_s;
    int64_t due_s = f->history->job[job].submit_s + (int64_t)fmin(f->asked_q90_s, longest_s);
    size_t at = f->heaped++;
    for (; at > 0 && f->heap[(at - 1) / 2].due_s > due_s; at = (at - 1) / 2) {
        f->heap[at] = f->heap[(at - 1) / 2];
    }
    f->heap[at] = (struct watched){due_s, job};
    return BE_OK;
}

/* ---- leading it through time ---------------------------------------------------------------- */

static void on_start(void *context, size_t index) {
    struct be_forecaster *f = context;
    const struct be_past_job *job = &f->history->job[index];
    struct cell *cell = cell_of(f, job);
    double wait_s = (double)(job->start_s - job->submit_s);
    cell->wait[cell->at] = (float)log1p(wait_s);
    cell->at = (cell->at + 1) % BE_TABLE_JOBS;
    cell->count += cell->count < BE_TABLE_JOBS;
    f->started[f->starts++] = index;
    settle_due(f, job->start_s);
    if (!isfinite(f->q90_s[index])) {
        return;
    }
    if (wait_s < f->q90_s[index] - 1) {
        settle(f, index, false);
    } else if (wait_s > f->q90_s[index]) {
        settle(f, index, true);
    } else { /* of many equal waits it can be neither above nor below */
        f->q90_s[index] = NAN;
    }
}

static enum be_status train(struct be_forecaster *f, struct be_error *error) {
    size_t count = f->starts < WINDOW ? f->starts : WINDOW;
    float *feature = malloc(count * BE_FEATURES * sizeof *feature);
    float *outcome = malloc(count * sizeof *outcome);
    enum be_status status = BE_OK;
    if (!feature || !outcome) {
        status = be_fail(error, BE_NOMEM, "forecast: no host memory");
    }
    for (size_t i = 0; i < count && status == BE_OK; i++) {
        size_t job = f->started[f->starts - count + i];
        const struct be_past_job *past = &f->history->job[job];
        memcpy(feature + i * BE_FEATURES, f->feature + job * BE_FEATURES,
               BE_FEATURES * sizeof *feature);
        outcome[i] = (float)log1p((double)(past->start_s - past->submit_s));
    }
    struct be_forest *grown = NULL;
    if (status == BE_OK) {
        const struct be_examples examples = {feature, outcome, count, BE_FEATURES};
        status = be_forest_grow(&examples, 1, &grown, error);
    }
    if (status == BE_OK) {
        be_forest_free(f->forest);
        f->forest = grown;
        f->trained_at = f->starts;
    }
    free(feature);
    free(outcome);
    return status;
}

enum be_status be_forecaster_lead(struct be_forecaster *f, size_t job, int64_t now_s, bool learn,
                                  struct be_error *error) {
    const struct be_history *h = f->history;
    for (; f->featured < job && f->featured < h->jobs; f->featured++) {
        const struct be_past_job *next = &h->job[f->featured];
        be_replay_until(f->replay, f->featured, next->submit_s, on_start, f);
        be_replay_features(f->replay, next, next->submit_s, f->feature + f->featured * BE_FEATURES);
    }
    be_replay_until(f->replay, job, now_s, on_start, f);
    settle_due(f, now_s);
    f->now_s = now_s;
    size_t window = f->starts < WINDOW ? f->starts : WINDOW;
    size_t fresh = f->starts - f->trained_at;
    bool due = fresh >= TRAIN_LEAST && fresh >= window / TRAIN_SHARE;
    due |= !f->forest && f->starts >= BE_LEAST_STARTS;
    return learn && due ? train(f, error) : BE_OK;
}

/* ---- asking --------------------------------------------------------------------------------- */

static int by_wait(const void *a, const void *b) {
    float left = *(const float *)a, right = *(const float *)b;
    return left < right ? -1 : left > right;
}

static void ask_table(struct cell *cell, struct be_foretold *foretold) {
    float sorted[BE_TABLE_JOBS];
    foretold->starts = cell->count;
    foretold->table_q50_s = foretold->table_q90_s = NAN;
    if (cell->count == 0) {
        return;
    }
    memcpy(sorted, cell->wait, (size_t)cell->count * sizeof *sorted);
    qsort(sorted, (size_t)cell->count, sizeof *sorted, by_wait);
    int half = (int)ceil(0.5 * cell->count) - 1, high = (int)ceil(0.9 * cell->count) - 1;
    foretold->table_q50_s = expm1(sorted[half]);
    foretold->table_q90_s = expm1(sorted[high]);
}

enum be_status be_forecaster_ask(struct be_forecaster *f, const struct be_past_job *job,
                                 int64_t now_s, struct be_foretold *foretold,
                                 struct be_error *error) {
    float feature[BE_FEATURES];
    struct cell *cell = cell_of(f, job);
    f->asked_q90_s = foretold->q50_s = foretold->q90_s = NAN;
    ask_table(cell, foretold);
    foretold->enough = cell->count >= BE_LEAST_STARTS && f->forest;
    if (!foretold->enough) {
        return BE_OK;
    }
    be_replay_features(f->replay, job, now_s, feature);
    enum be_status status = be_forest_expect(f->forest, feature, &f->expected, error);
    if (status != BE_OK) {
        return status;
    }
    double level = cell->level;
    double high = be_expected_quantile(&f->expected, fmin(level, level_seen));
    high += level > level_seen ? (level - level_seen) * beyond : 0;
    foretold->q50_s = round(expm1(be_expected_quantile(&f->expected, 0.5)));
    foretold->q90_s = round(fmax(expm1(high), foretold->q50_s));
    f->asked_q90_s = foretold->q90_s;
    return BE_OK;
}

double be_forecaster_share(const struct be_forecaster *f, double wait_s) {
    return isfinite(f->asked_q90_s) ? be_expected_share(&f->expected, log1p(fmax(wait_s, 0))) : NAN;
}

int be_forecaster_waiting(const struct be_forecaster *f, int partition) {
    return be_replay_waiting(f->replay, partition);
}
