#include "forecast/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "forecast/coverage.h"
#include "forecast/occasions.h"

enum {
    WINDOW = 20000,  /* examples that a forest learns from: those that started last */
    TRAIN_MIN = 200, /* as many new starts at least, */
    TRAIN_SHARE = 20 /* and a twentieth of what it learnt from, before it learns anew */
};

struct cell {
    float wait[BE_TABLE_JOBS]; /* logarithm of 1 + wait, of those that started last */
    int count, at;
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
    bool asked;
    struct be_told told; /* to it */
    struct be_coverage *coverage;
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
    f->cell = calloc(cells + 1, sizeof *f->cell);
    enum be_status status = f->feature && f->started && f->cell
                                ? be_replay_open(history, &f->replay, error)
                                : be_fail(error, BE_NOMEM, "forecast: no host memory");
    status = status == BE_OK ? be_coverage_open(history, (int)cells, &f->coverage, error) : status;
    if (status != BE_OK) {
        be_forecaster_close(f);
        return status;
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
        free(f->cell);
        be_coverage_close(f->coverage);
        free(f);
    }
}

static int cell_number(const struct be_past_job *job) {
    return job->partition * BE_SIZES + be_size_of(job);
}

enum be_status be_forecaster_watch(struct be_forecaster *f, size_t job, struct be_error *error) {
    if (!f->asked) {
        return BE_OK;
    }
    return be_coverage_add(f->coverage, job, cell_number(&f->history->job[job]), f->told, error);
}

/* ---- leading it through time ---------------------------------------------------------------- */

static void on_start(void *context, size_t index) {
    struct be_forecaster *f = context;
    const struct be_past_job *job = &f->history->job[index];
    if (job->bystander) {
        return;
    }
    struct cell *cell = &f->cell[cell_number(job)];
    double wait_s = (double)(job->start_s - job->submit_s);
    cell->wait[cell->at] = (float)log1p(wait_s);
    cell->at = (cell->at + 1) % BE_TABLE_JOBS;
    cell->count += cell->count < BE_TABLE_JOBS;
    f->started[f->starts++] = index;
    be_coverage_until(f->coverage, job->start_s);
    be_coverage_started(f->coverage, index);
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
        const struct be_examples examples = {feature, outcome, count, BE_FEATURES, BE_GUESSES};
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
    be_coverage_until(f->coverage, now_s);
    f->now_s = now_s;
    size_t window = f->starts < WINDOW ? f->starts : WINDOW;
    size_t fresh = f->starts - f->trained_at;
    bool due = fresh >= TRAIN_MIN && fresh >= window / TRAIN_SHARE;
    due |= !f->forest && f->starts >= BE_MIN_STARTS;
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
    foretold->table_q50_s = expm1((double)sorted[half]);
    foretold->table_q90_s = expm1((double)sorted[high]);
}

enum be_status be_forecaster_ask(struct be_forecaster *f, const struct be_past_job *job,
                                 int64_t now_s, struct be_foretold *foretold,
                                 struct be_error *error) {
    float feature[BE_FEATURES];
    struct cell *cell = &f->cell[cell_number(job)];
    foretold->q50_s = foretold->q90_s = NAN;
    foretold->occasions = -1;
    for (int i = 0; i < BE_ODDS_POINTS; i++) {
        foretold->odds.wait_s[i] = NAN;
    }
    f->asked = false;
    ask_table(cell, foretold);
    foretold->enough = cell->count >= BE_MIN_STARTS && f->forest;
    if (!foretold->enough) {
        return BE_OK;
    }
    be_replay_features(f->replay, job, now_s, feature);
    enum be_status status = be_forest_expect(f->forest, feature, &f->expected, error);
    if (status != BE_OK) {
        return status;
    }
    double half = fmax(be_expected_quantile(&f->expected, 0.5), 0);
    double level = be_coverage_level(f->coverage, cell_number(job), job);
    f->told = (struct be_told){.q90 = fmax(be_level_wait(level, &f->expected), half),
                               .q80 = be_expected_quantile(&f->expected, BE_LEVEL_EARLY)};
    be_level_odds(level, f->told.q90, &f->expected, &foretold->odds);
    foretold->q50_s = foretold->odds.wait_s[50];
    foretold->q90_s = foretold->odds.wait_s[90];
    foretold->occasions =
        be_occasions(f->history, f->started, f->starts, job->partition, foretold->q50_s);
    f->asked = true;
    return BE_OK;
}

int64_t be_forecaster_waiting(const struct be_forecaster *f, int partition) {
    return be_replay_waiting(f->replay, partition);
}
