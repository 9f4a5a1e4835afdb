/* A forecast for one job in every partition that it could go to. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "forecast/forecast.h"
#include "accounting/input.h"
#include "forecast/live.h"

/* The most that a job which started there had. */
struct max {
    float cpus, gpus, memory_bytes, limit_s;
};

static struct max *largest(const struct be_history *h) {
    struct max *max = calloc((size_t)h->partition.count + 1, sizeof *max);
    for (size_t i = 0; max && i < h->jobs; i++) {
        const struct be_past_job *job = &h->job[i];
        struct max *m = &max[job->partition];
        if (job->start_s != BE_NO_TIME) {
            m->cpus = fmaxf(m->cpus, job->cpus);
            m->gpus = fmaxf(m->gpus, job->gpus);
            m->memory_bytes = fmaxf(m->memory_bytes, job->memory_bytes);
            m->limit_s = fmaxf(m->limit_s, job->limit_s);
        }
    }
    return max;
}

/* The resource of which the job asks for more than any job that started there had; NULL: it could
 * go there. */
static const char *beyond(const struct max *max, const struct be_past_job *job) {
    return job->gpus > max->gpus                            ? "GPUs"
           : job->cpus > max->cpus                          ? "CPUs"
           : job->memory_bytes > max->memory_bytes * 1.001f ? "memory"
           : job->limit_s > max->limit_s                    ? "time"
                                                            : NULL;
}

/* Its own forecasts of the last jobs, so that it knows how far off it is. */
static enum be_status rehearse(const struct be_job_input *input, const struct be_history *h,
                               struct be_forecaster *f, struct be_error *error) {
    const struct be_clock clock = be_clock_host();
    const double begin_s = be_now(&clock);
    const size_t jobs_max = 5000;
    size_t half = h->jobs / 2;
    size_t first = h->jobs - (half < jobs_max ? half : jobs_max);
    enum be_status status = BE_OK;
    for (size_t i = first; i < h->jobs && status == BE_OK; i++) {
        struct be_foretold foretold;
        int64_t at_s = h->job[i].submit_s;
        if (h->job[i].bystander) {
            continue;
        }
        status = be_forecaster_lead(f, i, at_s, true, error);
        status =
            status == BE_OK ? be_forecaster_ask(f, &h->job[i], at_s, &foretold, error) : status;
        status = status == BE_OK ? be_forecaster_watch(f, i, error) : status;
        if (status == BE_OK) {
            status = be_input_go_on(input, "forecast", i + 1 - first, h->jobs - i - 1,
                                    be_now(&clock) - begin_s, error);
        }
    }
    return status;
}

static bool comes_first(const struct be_forecast_row *a, const struct be_forecast_row *b) {
    if (!a->beyond != !b->beyond) {
        return !a->beyond;
    }
    if (a->enough != b->enough) {
        return a->enough;
    }
    if (isfinite(a->p_deadline) && isfinite(b->p_deadline) && a->p_deadline != b->p_deadline) {
        return a->p_deadline > b->p_deadline;
    }
    if (a->enough && a->q50_s != b->q50_s) {
        return a->q50_s < b->q50_s;
    }
    return a->enough ? a->q90_s < b->q90_s : a->n > b->n;
}

static int waiting_in(const struct be_forecaster *f, int partition) {
    const int64_t waiting = be_forecaster_waiting(f, partition);
    return waiting < INT_MAX ? (int)waiting : INT_MAX;
}

/* most: of those that started there. */
static enum be_status add_row(struct be_forecast *forecast, struct be_forecaster *f,
                              const struct be_history *h, const struct be_past_job *job,
                              const struct max *max, struct be_error *error) {
    struct be_foretold told;
    bool unseen = !(max->cpus > 0);
    struct be_forecast_row row = {.p_deadline = NAN,
                                  .slurm_s = NAN,
                                  .unseen = unseen,
                                  .waiting = waiting_in(f, job->partition),
                                  .beyond = unseen ? NULL : beyond(max, job)};
    enum be_status status = be_forecaster_ask(f, job, forecast->now_s, &told, error);
    if (status != BE_OK) {
        return status;
    }
    be_copy_text(row.partition, sizeof row.partition, h->partition.name[job->partition]);
    for (enum be_hold why = BE_HOLD_NONE; why < BE_HOLDS; why++) {
        row.held[why] = be_history_held(h, job->partition, why);
    }
    row.n = told.starts;
    row.enough = told.enough;
    row.odds = told.odds;
    row.q50_s = told.q50_s;
    row.q90_s = told.q90_s;
    row.table_q50_s = told.enough ? told.table_q50_s : NAN;
    row.table_q90_s = told.enough ? told.table_q90_s : NAN;
    if (told.enough && isfinite(forecast->deadline_in_s)) {
        row.p_deadline = be_wait_odds_share(&told.odds, forecast->deadline_in_s);
    }
    if (forecast->live) {
        row.slurm_s =
            be_live_estimate(row.partition, &forecast->wish, forecast->now_s, row.slurm_note);
    }
    int at = forecast->rows++;
    for (; at > 0 && comes_first(&row, &forecast->row[at - 1]); at--) {
        forecast->row[at] = forecast->row[at - 1];
    }
    forecast->row[at] = row;
    return BE_OK;
}

static enum be_status all_rows(const struct be_job_input *input,
                               const struct be_forecast_options *options, struct be_history *h,
                               struct be_past_job job, struct be_forecast *forecast,
                               struct be_error *error) {
    struct be_forecaster *f = NULL;
    const struct be_word_list *asked = &options->filter.partition;
    struct max *max = largest(h);
    forecast->row = calloc((size_t)h->partition.count + 1, sizeof *forecast->row);
    enum be_status status = max && forecast->row
                                ? be_forecaster_open(h, &f, error)
                                : be_fail(error, BE_NOMEM, "forecast: no host memory");
    status = status == BE_OK ? rehearse(input, h, f, error) : status;
    status =
        status == BE_OK ? be_forecaster_lead(f, h->jobs, forecast->now_s, true, error) : status;
    bool gpus = false;
    for (int i = 0; max && i < h->partition.count; i++) {
        gpus |= max[i].gpus > 0;
    }
    forecast->gpus_unknown = job.gpus > 0 && !gpus;
    job.gpus = gpus ? job.gpus : 0; /* else every partition would be too small */
    for (int i = 0; i < h->partition.count && status == BE_OK; i++) {
        struct be_slice name = {h->partition.name[i], (uint32_t)strlen(h->partition.name[i])};
        job.partition = i;
        if ((asked->words && be_word_listed(asked, name)) || !beyond(&max[i], &job)) {
            status = add_row(forecast, f, h, &job, &max[i], error);
        } else {
            forecast->too_small++;
        }
    }
    be_forecaster_close(f);
    free(max);
    return status;
}

static enum be_status by_when(const struct be_job_input *input,
                              const struct be_forecast_options *options,
                              struct be_forecast *forecast, struct be_error *error) {
    struct be_zone *zone;
    int64_t at_s = BE_NO_TIME;
    forecast->deadline_in_s = NAN;
    enum be_status status = be_input_zone(input, &zone, error);
    status = status == BE_OK ? be_moment("deadline", options->deadline, true, zone, &at_s, error)
                             : status;
    free(zone);
    if (status == BE_OK && at_s != BE_NO_TIME) {
        forecast->deadline_in_s = (double)(at_s - forecast->now_s);
        if (forecast->deadline_in_s <= 0) {
            status =
                be_fail(error, BE_USAGE, "--deadline %s: has passed; the forecast holds for %s",
                        options->deadline, input->files ? "the end of the accounting" : "now");
        }
    }
    return status;
}

static struct be_slice slice_of(const char *text) {
    return (struct be_slice){text ? text : "", text ? (uint32_t)strlen(text) : 0};
}

/* Gathers the jobs of the past, and those of now. */
static enum be_status gather(const struct be_job_input *input,
                             const struct be_forecast_options *options, struct be_history *h,
                             struct be_forecast *forecast, struct be_error *error) {
    struct be_job_match match;
    forecast->live = options->live && input->files == 0;
    enum be_status status = be_match_open(input, &options->filter, &match, error);
    status = status == BE_OK ? be_history_read(input, &match, forecast->live, h, error) : status;
    if (status == BE_OK && forecast->live) {
        status = be_live_queue(h, &match, error);
    }
    forecast->counts = h->counts;
    forecast->bystanders = h->bystanders;
    forecast->limited = h->limited;
    forecast->now_s = input->files ? h->last_s + 1 : (int64_t)time(NULL);
    status = status == BE_OK ? be_history_until(h, forecast->now_s, error) : status;
    return status;
}

/* Partitions that were asked for and of which no job tells: Slurm may have them all the same. Where it
 * does not answer, jobs are all there is to go by. */
static enum be_status find_asked(const struct be_word_list *asked, bool live, struct be_history *h,
                                 struct be_error *error) {
    struct be_idents known = {0};
    enum be_status status = be_history_knows(h, asked, error);
    if (status == BE_OK || !live || be_live_partitions(&known, NULL) != BE_OK) {
        be_idents_free(&known);
        return status;
    }
    status = BE_OK;
    for (int i = 0; i < h->partition.count && status == BE_OK; i++) {
        status = be_idents_add(&known, slice_of(h->partition.name[i])) >= 0 ? BE_OK : BE_NOMEM;
    }
    for (int i = 0; i < asked->words && status == BE_OK; i++) {
        if (be_idents_find(&known, slice_of(asked->word[i])) < 0) {
            status = be_idents_unknown(&known, asked->word[i], error);
        } else {
            int added = be_idents_add(&h->partition, slice_of(asked->word[i]));
            status = added >= 0 ? BE_OK : BE_NOMEM;
        }
    }
    be_idents_free(&known);
    return status == BE_NOMEM ? be_fail(error, BE_NOMEM, "forecast: no host memory") : status;
}

enum be_status be_forecast_make(const struct be_job_input *input,
                                const struct be_forecast_options *options,
                                struct be_forecast *forecast, struct be_error *error) {
    struct be_history history = {0};
    *forecast = (struct be_forecast){.wish = options->wish};
    struct be_job_wish *wish = &forecast->wish;
    if (!(wish->limit_s > 0)) {
        return be_fail(error, BE_USAGE, "forecast: what time limit? --time 2:00:00");
    }
    wish->cpus = wish->cpus > 0 ? wish->cpus : 1;
    enum be_status status = gather(input, options, &history, forecast, error);
    if (status == BE_OK && history.jobs == 0) {
        status = be_fail(error, BE_USAGE, "forecast: there is no job in the accounting to go by");
    }
    if (status == BE_OK) {
        status = find_asked(&options->filter.partition, forecast->live, &history, error);
    }
    status = status == BE_OK ? by_when(input, options, forecast, error) : status;
    if (status == BE_OK) {
        struct be_past_job job = {.submit_s = forecast->now_s,
                                  .start_s = BE_NO_TIME,
                                  .end_s = BE_NO_TIME,
                                  .limit_s = (float)wish->limit_s,
                                  .cpus = (float)wish->cpus,
                                  .gpus = (float)wish->gpus,
                                  .memory_bytes = (float)wish->memory_bytes,
                                  .user = be_idents_add(&history.user, slice_of(wish->user)),
                                  .account =
                                      be_idents_add(&history.account, slice_of(wish->account))};
        status = job.user >= 0 && job.account >= 0
                     ? all_rows(input, options, &history, job, forecast, error)
                     : be_fail(error, BE_NOMEM, "forecast: no host memory");
    }
    be_history_free(&history);
    if (status != BE_OK) {
        be_forecast_free(forecast);
    }
    return status;
}

void be_forecast_free(struct be_forecast *forecast) {
    free(forecast->row);
    *forecast = (struct be_forecast){0};
}
