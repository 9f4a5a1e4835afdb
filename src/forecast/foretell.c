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
    row.occasions = told.occasions;
    row.enough = told.enough;
    row.odds = told.odds;
    row.q50_s = told.q50_s;
    row.q90_s = told.q90_s;
    row.table_q50_s = told.enough ? told.table_q50_s : NAN;
    row.table_q90_s = told.enough ? told.table_q90_s : NAN;
    if (told.enough && isfinite(forecast->deadline_in_s)) {
        row.p_deadline = be_wait_odds_share(&told.odds, forecast->deadline_in_s);
    }
    if (forecast->estimated) {
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

/* Learns from the history, up to now. */
static enum be_status learn(const struct be_job_input *input, const struct be_history *h,
                            int64_t now_s, struct be_forecaster **f, struct be_error *error) {
    enum be_status status = be_forecaster_open(h, f, error);
    status = status == BE_OK ? rehearse(input, h, *f, error) : status;
    return status == BE_OK ? be_forecaster_lead(*f, h->jobs, now_s, true, error) : status;
}

static enum be_status all_rows(struct be_forecaster *f, const struct be_history *h,
                               const struct be_word_list *asked, const struct max *max,
                               struct be_past_job job, struct be_forecast *forecast,
                               struct be_error *error) {
    enum be_status status = BE_OK;
    bool gpus = false;
    forecast->row = calloc((size_t)h->partition.count + 1, sizeof *forecast->row);
    if (!forecast->row) {
        return be_fail(error, BE_NOMEM, "forecast: no host memory");
    }
    for (int i = 0; i < h->partition.count; i++) {
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
    forecast->estimated = forecast->live && !options->no_estimate;
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

/* The wishes as jobs of the history; -1: no memory. */
static int add_users(struct be_history *h, const struct be_job_wish *wish,
                     struct be_past_job *job) {
    job->user = be_idents_add(&h->user, slice_of(wish->user));
    job->account = be_idents_add(&h->account, slice_of(wish->account));
    return job->user < 0 || job->account < 0 ? -1 : 0;
}

static struct be_past_job job_of(const struct be_job_wish *wish, int64_t now_s) {
    return (struct be_past_job){.submit_s = now_s,
                                .start_s = BE_NO_TIME,
                                .end_s = BE_NO_TIME,
                                .limit_s = (float)wish->limit_s,
                                .cpus = (float)wish->cpus,
                                .gpus = (float)wish->gpus,
                                .memory_bytes = (float)wish->memory_bytes};
}

static enum be_status each_job(const struct be_job_input *input,
                               const struct be_forecast_options *options, struct be_history *h,
                               struct be_forecast *forecast, int wishes, struct be_error *error) {
    struct be_forecaster *f = NULL;
    struct be_past_job *job = calloc((size_t)wishes, sizeof *job);
    struct max *max = largest(h);
    enum be_status status =
        job && max ? BE_OK : be_fail(error, BE_NOMEM, "forecast: no host memory");
    for (int i = 0; i < wishes && status == BE_OK; i++) {
        job[i] = job_of(&forecast[i].wish, forecast[i].now_s);
        status = add_users(h, &forecast[i].wish, &job[i]) < 0
                     ? be_fail(error, BE_NOMEM, "forecast: no host memory")
                     : BE_OK;
    }
    status = status == BE_OK ? learn(input, h, forecast->now_s, &f, error) : status;
    for (int i = 0; i < wishes && status == BE_OK; i++) {
        status = all_rows(f, h, &options->filter.partition, max, job[i], &forecast[i], error);
    }
    be_forecaster_close(f);
    free(max);
    free(job);
    return status;
}

static enum be_status check_wish(struct be_job_wish *wish, struct be_error *error) {
    wish->cpus = wish->cpus > 0 ? wish->cpus : 1;
    return wish->limit_s > 0
               ? BE_OK
               : be_fail(error, BE_USAGE, "forecast: what time limit? --time 2:00:00");
}

enum be_status be_forecast_make_each(const struct be_job_input *input,
                                     const struct be_forecast_options *options,
                                     const struct be_job_wish *wish, int wishes,
                                     struct be_forecast *forecast, struct be_error *error) {
    struct be_history history = {0};
    enum be_status status = BE_OK;
    for (int i = 0; i < wishes; i++) {
        forecast[i] = (struct be_forecast){.wish = wish[i]};
        status = status == BE_OK ? check_wish(&forecast[i].wish, error) : status;
    }
    if (status != BE_OK) {
        return status;
    }
    status = gather(input, options, &history, forecast, error);
    if (status == BE_OK && history.jobs == 0) {
        status = be_fail(error, BE_USAGE, "forecast: there is no job in the accounting to go by");
    }
    if (status == BE_OK) {
        status = find_asked(&options->filter.partition, forecast->live, &history, error);
    }
    status = status == BE_OK ? by_when(input, options, forecast, error) : status;
    for (int i = 1; i < wishes; i++) { /* all but the wish is the same */
        forecast[i] = *forecast;
        forecast[i].wish = wish[i];
        forecast[i].wish.cpus = wish[i].cpus > 0 ? wish[i].cpus : 1;
    }
    status = status == BE_OK ? each_job(input, options, &history, forecast, wishes, error) : status;
    be_history_free(&history);
    for (int i = 0; i < wishes && status != BE_OK; i++) {
        be_forecast_free(&forecast[i]);
    }
    return status;
}

enum be_status be_forecast_make(const struct be_job_input *input,
                                const struct be_forecast_options *options,
                                struct be_forecast *forecast, struct be_error *error) {
    return be_forecast_make_each(input, options, &options->wish, 1, forecast, error);
}

void be_forecast_free(struct be_forecast *forecast) {
    free(forecast->row);
    *forecast = (struct be_forecast){0};
}
