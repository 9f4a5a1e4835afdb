/*
 * Forecasts put to the test: each job of the last part of an accounting is forecast from what was
 * known when it was submitted, and compared with what it met.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "forecast/forecast.h"
#include "accounting/input.h"

/* The loss that the quantile q has least of: R. Koenker, Quantile Regression, 2005. */
static double pinball(double q, double met, double told) {
    return met >= told ? q * (met - told) : (1 - q) * (told - met);
}

static void add_cell(struct be_forecast_cell *cell, double wait_s,
                     const struct be_foretold *foretold) {
    cell->n++;
    cell->below += wait_s < foretold->q90_s;
    cell->under += wait_s <= foretold->q90_s;
    cell->table_under += wait_s <= foretold->table_q90_s + 0.5;
}

/* Deadlines that do not depend on what was told, or each would be met as often as its forecast holds. */
static void add_odds(struct be_forecast_score *score, double wait_s,
                     const struct be_wait_odds *odds) {
    static const double deadline_s[] = {300, 3600, 6 * 3600.0, 24 * 3600.0};
    for (size_t i = 0; i < BE_COUNT(deadline_s); i++) {
        const double told = be_wait_odds_share(odds, deadline_s[i]);
        const int bin = told < 1 ? (int)(told * BE_ODDS_BINS) : BE_ODDS_BINS - 1;
        score->odds[bin].n++;
        score->odds[bin].told += told;
        score->odds[bin].met += wait_s <= deadline_s[i];
    }
}

static void add(struct be_forecast_score *score, struct be_forecast_cell *cell, double wait_s,
                const struct be_foretold *f) {
    const double hour_s = 3600;
    add_cell(&score->all, wait_s, f);
    add_cell(cell, wait_s, f);
    add_odds(score, wait_s, &f->odds);
    double met = log1p(wait_s);
    score->log50 += pinball(0.5, met, log1p(f->q50_s));
    score->log90 += pinball(0.9, met, log1p(f->q90_s));
    score->table_log50 += pinball(0.5, met, log1p(f->table_q50_s));
    score->table_log90 += pinball(0.9, met, log1p(f->table_q90_s));
    score->hours50 += pinball(0.5, wait_s, f->q50_s) / hour_s;
    score->hours90 += pinball(0.9, wait_s, f->q90_s) / hour_s;
    score->table_hours50 += pinball(0.5, wait_s, f->table_q50_s) / hour_s;
    score->table_hours90 += pinball(0.9, wait_s, f->table_q90_s) / hour_s;
}

static void mean_cell(struct be_forecast_cell *cell) {
    double n = (double)cell->n;
    cell->below /= n;
    cell->under /= n;
    cell->table_under /= n;
}

/* One thread works here, and others may use its core meanwhile. */
static double processor_s(void) {
    struct timespec t;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0
               ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec
               : NAN;
}

static void finish(struct be_forecast_score *score) {
    double *const sum[] = {&score->log50,         &score->log90,        &score->table_log50,
                           &score->table_log90,   &score->hours50,      &score->hours90,
                           &score->table_hours50, &score->table_hours90};
    for (size_t i = 0; i < BE_COUNT(sum); i++) {
        *sum[i] /= (double)score->all.n;
    }
    mean_cell(&score->all);
    for (int i = 0; i < BE_ODDS_BINS; i++) {
        score->odds[i].told /= (double)score->odds[i].n;
        score->odds[i].met /= (double)score->odds[i].n;
    }
    int kept = 0;
    for (int i = 0; i < score->cells; i++) {
        if (score->cell[i].n) {
            score->cell[kept] = score->cell[i];
            mean_cell(&score->cell[kept++]);
        }
    }
    score->cells = kept;
}

static struct be_slice name_of(const struct be_idents *idents, int index) {
    return (struct be_slice){idents->name[index], (uint32_t)strlen(idents->name[index])};
}

/* The jobs of these users and partitions are scored; all jobs are learnt from, as in a forecast. */
static bool scored(const struct be_job_filter *filter, const struct be_history *h,
                   const struct be_past_job *job) {
    return job->start_s != BE_NO_TIME &&
           be_word_listed(&filter->user, name_of(&h->user, job->user)) &&
           be_word_listed(&filter->account, name_of(&h->account, job->account)) &&
           be_word_listed(&filter->partition, name_of(&h->partition, job->partition));
}

static enum be_status run(const struct be_job_input *input, const struct be_job_filter *filter,
                          const struct be_history *h, size_t first, struct be_forecaster *f,
                          struct be_forecast_score *score, struct be_error *error) {
    const struct be_clock clock = be_clock_host();
    const double begin_s = be_now(&clock);
    enum be_status status = BE_OK;
    for (size_t i = first; i < h->jobs && status == BE_OK; i++) {
        const struct be_past_job *job = &h->job[i];
        struct be_foretold foretold;
        if (job->bystander) {
            continue;
        }
        status = be_forecaster_lead(f, i, job->submit_s, true, error);
        status =
            status == BE_OK ? be_forecaster_ask(f, job, job->submit_s, &foretold, error) : status;
        status = status == BE_OK ? be_forecaster_watch(f, i, error) : status;
        if (status == BE_OK) {
            status = be_input_go_on(input, score->name, i + 1 - first, h->jobs - i - 1,
                                    be_now(&clock) - begin_s, error);
        }
        if (status != BE_OK || !scored(filter, h, job)) {
            continue;
        }
        score->asked++;
        score->no_data += !foretold.enough;
        if (foretold.enough) {
            int cell = job->partition * BE_SIZES + be_size_of(job);
            add(score, &score->cell[cell], (double)(job->start_s - job->submit_s), &foretold);
        }
    }
    return status;
}

static size_t own_jobs(const struct be_history *h) {
    size_t own = 0;
    for (size_t i = 0; i < h->jobs; i++) {
        own += !h->job[i].bystander;
    }
    return own;
}

/* The number of a job that has so many before it which are no bystanders. */
static size_t behind(const struct be_history *h, size_t many) {
    size_t at = 0;
    for (size_t passed = 0; at < h->jobs && passed < many; at++) {
        passed += !h->job[at].bystander;
    }
    return at;
}

enum be_status be_forecast_test(const struct be_job_input *input,
                                const struct be_job_filter *filter, double share,
                                struct be_forecast_score *score, struct be_error *error) {
    struct be_history history = {0};
    struct be_job_match match;
    struct be_job_filter learnt = *filter;
    learnt.user.words = learnt.account.words = 0;
    struct be_forecaster *forecaster = NULL;
    *score = (struct be_forecast_score){0};
    enum be_status status = be_match_open(input, &learnt, &match, error);
    status = status == BE_OK ? be_history_read(input, &match, false, &history, error) : status;
    status = status == BE_OK ? be_history_knows(&history, &filter->partition, error) : status;
    if (status != BE_OK) {
        be_history_free(&history);
        return status;
    }
    const char *path = input->files ? input->file[0] : "sacct";
    const char *slash = strrchr(path, '/');
    be_copy_text(score->name, sizeof score->name, slash ? slash + 1 : path);
    score->jobs = own_jobs(&history);
    score->cells = history.partition.count * BE_SIZES;
    score->cell = calloc((size_t)score->cells + 1, sizeof *score->cell);
    status = score->cell ? be_forecaster_open(&history, &forecaster, error)
                         : be_fail(error, BE_NOMEM, "forecast: no host memory");
    for (int i = 0; i < score->cells && status == BE_OK; i++) {
        score->cell[i].size = i % BE_SIZES;
        be_copy_text(score->cell[i].partition, BE_NAME, history.partition.name[i / BE_SIZES]);
    }
    /* The forecaster has watched its own forecasts for a third of what comes before. */
    const size_t earlier = (size_t)((1 - share) * (double)score->jobs);
    const size_t first = behind(&history, earlier);
    const size_t warm = behind(&history, earlier - earlier / 3);
    struct be_forecast_score ignored = {0};
    ignored.cell = status == BE_OK ? calloc((size_t)score->cells + 1, sizeof *ignored.cell) : NULL;
    if (status == BE_OK && !ignored.cell) {
        status = be_fail(error, BE_NOMEM, "forecast: no host memory");
    }
    snprintf(ignored.name, sizeof ignored.name, "warming up: %.40s", score->name);
    if (status == BE_OK && first > warm) {
        struct be_history before = history;
        before.jobs = first;
        status = run(input, filter, &before, warm, forecaster, &ignored, error);
    }
    double begin = processor_s();
    status =
        status == BE_OK ? run(input, filter, &history, first, forecaster, score, error) : status;
    score->seconds = processor_s() - begin;
    if (status == BE_OK) {
        finish(score);
    }
    free(ignored.cell);
    be_forecaster_close(forecaster);
    be_history_free(&history);
    if (status != BE_OK) {
        be_forecast_score_free(score);
    }
    return status;
}

void be_forecast_score_free(struct be_forecast_score *score) {
    free(score->cell);
    *score = (struct be_forecast_score){0};
}
