/* Forecasts from a file of accounting: the best partition, what was there before, and what makes no sense. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/error.h"
#include "made_history.h"
#include "forecast/forecast.h"
#include "temp_file.h"

static const char *const file[] = {path};

/* As many jobs as the answer needs: a forecast plays the queue of each that it learns from. */
enum { FEW = 600, SOME = 1500, MANY = 4000 };

static void write_accounting(size_t jobs) {
    struct be_history h = history_of(jobs);
    FILE *out = fopen(path, "we");
    assert_non_null(out);
    fputs("JobID|Partition|User|Submit|Start|End|State|NCPUS|Timelimit|AllocTRES\n", out);
    for (size_t i = 0; i < h.jobs; i++) {
        const struct be_past_job *job = &h.job[i];
        if (job->start_s != BE_NO_TIME) {
            fprintf(out, "%zu|%s|%s|%lld|%lld|%lld|COMPLETED|%.0f|01:00:00|\n", i + 1,
                    h.partition.name[job->partition], h.user.name[job->user],
                    (long long)job->submit_s, (long long)job->start_s, (long long)job->end_s,
                    (double)job->cpus);
        }
    }
    assert_int_equal(fclose(out), 0);
    be_history_free(&h);
}

static void test_the_best_partition_is_first(void **state) {
    (void)state;
    write_accounting(SOME);
    const struct be_job_input input = {.file = file, .files = 1};
    struct be_forecast_options o = {.wish = {.cpus = 4, .limit_s = 3600},
                                    .deadline = "2023-11-16T07:30:00"};
    struct be_forecast forecast;
    struct be_error error = {0};
    o.filter.partition = (struct be_word_list){{"slow"}, 1};
    o.deadline = NULL;
    assert_int_equal(be_forecast_make(&input, &o, &forecast, &error), BE_OK);
    assert_int_equal(forecast.rows, 2);
    assert_string_equal(forecast.row[0].partition, "fast");
    assert_true(forecast.row[0].q50_s > 37 && forecast.row[0].q50_s < 274);
    assert_true(forecast.row[1].q50_s > 370 && forecast.row[1].q50_s < 2734);
    assert_true(isnan(forecast.row[0].p_deadline) && isnan(forecast.row[0].slurm_s));
    be_forecast_free(&forecast);
    o.wish.cpus = 17; /* none so large ran: only the one that was named is answered */
    assert_int_equal(be_forecast_make(&input, &o, &forecast, &error), BE_OK);
    assert_int_equal(forecast.rows, 1);
    assert_int_equal(forecast.too_small, 1);
    assert_string_equal(forecast.row[0].beyond, "CPUs");
    be_forecast_free(&forecast);
    o.wish = (struct be_job_wish){.cpus = 4, .gpus = 1, .limit_s = 3600};
    assert_int_equal(be_forecast_make(&input, &o, &forecast, &error), BE_OK);
    assert_true(forecast.rows == 2 && forecast.gpus_unknown); /* of no job it is known */
    be_forecast_free(&forecast);
    /* None there had a GPU: it is answered, but not before one where the job could go. */
    FILE *out = fopen(path, "ae");
    assert_non_null(out);
    for (int i = 0; i < 40; i++) {
        fprintf(out, "%d|gpu|a|%d|%d|%d|COMPLETED|4|01:00:00|gres/gpu=1\n", 9000 + i,
                1700000000 + i, 1700020000 + i, 1700021000 + i);
    }
    assert_int_equal(fclose(out), 0);
    o.filter.partition = (struct be_word_list){{"fast"}, 1};
    assert_int_equal(be_forecast_make(&input, &o, &forecast, &error), BE_OK);
    assert_true(forecast.rows == 2 && !forecast.gpus_unknown);
    assert_string_equal(forecast.row[0].partition, "gpu");
    assert_null(forecast.row[0].beyond);
    assert_string_equal(forecast.row[1].beyond, "GPUs");
    assert_true(forecast.row[1].q50_s < forecast.row[0].q50_s);
    be_forecast_free(&forecast);
}

/* A deadline at the q90 that was told is met by nine in ten, and at the median by a half. */
static void test_a_deadline_at_a_quantile_is_that_likely(void **state) {
    (void)state;
    write_accounting(SOME);
    const struct be_job_input input = {.file = file, .files = 1};
    struct be_forecast_options o = {.wish = {.cpus = 4, .limit_s = 3600}};
    struct be_forecast first, then;
    struct be_error error = {0};
    char when[32];
    assert_int_equal(be_forecast_make(&input, &o, &first, &error), BE_OK);
    for (int i = 0; i < first.rows * 2; i++) {
        const struct be_forecast_row *row = &first.row[i / 2];
        const double wait_s = i % 2 ? row->q90_s : row->q50_s;
        const time_t at = (time_t)(first.now_s + (int64_t)wait_s);
        struct tm fields;
        assert_true(strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", gmtime_r(&at, &fields)) > 0);
        o.deadline = when;
        assert_int_equal(be_forecast_make(&input, &o, &then, &error), BE_OK);
        const int same = strcmp(then.row[0].partition, row->partition) != 0;
        assert_true(fabs(then.row[same].p_deadline - (i % 2 ? 0.9 : 0.5)) < 0.02);
        be_forecast_free(&then);
    }
    be_forecast_free(&first);
}

/* Its text, to be freed. */
static char *written(const struct be_forecast *forecast) {
    struct be_error error = {0};
    char *text = NULL;
    size_t capacity = 0;
    FILE *out = open_memstream(&text, &capacity);
    assert_non_null(out);
    assert_int_equal(be_forecast_write(forecast, BE_TEXT, out, &error), BE_OK);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* Nothing is certain, nor out of the question, for having been so some hundred times. */
static void test_certainty_is_not_claimed(void **state) {
    (void)state;
    struct be_forecast_row row[] = {{.partition = "sure", .enough = true, .p_deadline = 1},
                                    {.partition = "half", .enough = true, .p_deadline = 0.5},
                                    {.partition = "none", .enough = true, .p_deadline = 0}};
    const struct be_forecast forecast = {.deadline_in_s = 3600, .rows = 3, .row = row};
    char *text = written(&forecast);
    assert_non_null(strstr(text, ">99 %"));
    assert_non_null(strstr(text, "50 %"));
    assert_non_null(strstr(text, "<1 %"));
    assert_null(strstr(text, "100 %"));
    free(text);
}

/* No more than the last 500 like it are kept: that there may have been more is said of 500. */
static void test_how_many_are_like_it(void **state) {
    (void)state;
    struct be_forecast_row row[] = {{.partition = "most", .enough = true, .n = BE_TABLE_JOBS},
                                    {.partition = "less", .enough = true, .n = BE_TABLE_JOBS - 1}};
    const struct be_forecast forecast = {.deadline_in_s = NAN, .rows = 2, .row = row};
    char *text = written(&forecast);
    assert_non_null(strstr(text, " 500+\n"));
    assert_non_null(strstr(text, " 499\n"));
    free(text);
}

/* A job that had been submitted before the period waits and runs beside the others, and that is
 * all. */
static void test_earlier_jobs_stand_in_the_queue_only(void **state) {
    (void)state;
    write_accounting(SOME);
    FILE *more = fopen(path, "ae");
    assert_non_null(more);
    const long long early_s = 1700000000 - 20 * 86400;
    for (int i = 0; i < 600; i++) { /* twenty days of waiting, or no end of it */
        fprintf(more,
                i < 7 ? "%d|fast|a|%lld|Unknown|Unknown|PENDING|4|01:00:00|\n"
                      : "%d|fast|a|%lld|1700020000|1700021000|COMPLETED|4|01:00:00|\n",
                9000 + i, early_s + i);
    }
    assert_int_equal(fclose(more), 0);
    const struct be_job_input input = {.file = file, .files = 1};
    struct be_forecast_options o = {.wish = {.cpus = 4, .limit_s = 3600}};
    struct be_forecast all, since;
    struct be_error error = {0};
    o.filter.partition = (struct be_word_list){{"fast"}, 1};
    assert_int_equal(be_forecast_make(&input, &o, &all, &error), BE_OK);
    o.filter.since = "2023-11-01";
    assert_int_equal(be_forecast_make(&input, &o, &since, &error), BE_OK);
    assert_int_equal(all.bystanders, 0);
    assert_int_equal(since.bystanders, 600);
    assert_int_equal(since.counts.filtered, 0);
    const struct be_forecast_row *row = &since.row[strcmp(since.row[0].partition, "fast") != 0];
    assert_string_equal(row->partition, "fast");
    assert_true(row->n >= 29 && row->q50_s < 1000 && row->q90_s < 5000);
    assert_true(row->waiting >= 7);
    const struct be_forecast_row *misled = &all.row[strcmp(all.row[0].partition, "fast") != 0];
    assert_true(misled->table_q90_s > 1e6 && row->table_q90_s < 5000);
    be_forecast_free(&all);
    be_forecast_free(&since);
}

static void test_a_forecast_that_makes_no_sense(void **state) {
    (void)state;
    write_accounting(FEW);
    const struct be_job_input input = {.file = file, .files = 1};
    struct be_forecast_options o = {.wish = {.cpus = 4}};
    struct be_forecast forecast;
    struct be_error error = {0};
    assert_int_equal(be_forecast_make(&input, &o, &forecast, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "--time"));
    o.wish.limit_s = 3600;
    o.deadline = "2001-01-01";
    assert_int_equal(be_forecast_make(&input, &o, &forecast, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "has passed"));
    o.deadline = NULL;
    o.filter.partition = (struct be_word_list){{"nowhere"}, 1};
    assert_int_equal(be_forecast_make(&input, &o, &forecast, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "there are: fast, slow"));
}

static void test_the_test_of_forecasts(void **state) {
    (void)state;
    write_accounting(MANY);
    const struct be_job_input input = {.file = file, .files = 1};
    const struct be_job_filter all = {0};
    struct be_forecast_score score;
    struct be_error error = {0};
    assert_int_equal(be_forecast_test(&input, &all, 0.3, &score, &error), BE_OK);
    assert_true(score.asked >= score.jobs * 3 / 10 && score.asked <= score.jobs * 3 / 10 + 1);
    assert_int_equal(score.all.n + score.no_data, score.asked);
    assert_true(score.all.under > 0.87 && score.all.under < 0.93);
    uint64_t n = 0;
    for (int i = 0; i < score.cells; i++) {
        n += score.cell[i].n;
    }
    assert_int_equal(n, score.all.n);
    /* Starts that were called so likely happen so often, where it was often enough. */
    uint64_t asked = 0;
    for (int i = 0; i < BE_ODDS_BINS; i++) {
        const struct be_forecast_odds *odds = &score.odds[i];
        asked += odds->n;
        assert_true(odds->n < 100 || fabs(odds->told - odds->met) < 0.1);
    }
    assert_int_equal(asked, 4 * score.all.n);
    be_forecast_score_free(&score);
    /* The choice of jobs whose forecasts are judged changes nothing of what is learnt. */
    const struct be_job_filter some = {.partition = {{"slow"}, 1}, .user = {{"b"}, 1}};
    assert_int_equal(be_forecast_test(&input, &some, 0.3, &score, &error), BE_OK);
    assert_true(score.jobs > 3500 && score.all.n > 100 && score.all.n < n / 3);
    be_forecast_score_free(&score);
    /* So does the period, but what came before it is not learnt from. */
    const struct be_job_filter late = {.since = "2023-11-15T12:00"};
    assert_int_equal(be_forecast_test(&input, &late, 0.3, &score, &error), BE_OK);
    assert_true(score.jobs < 2500 && score.asked >= score.jobs * 3 / 10);
    be_forecast_score_free(&score);
}

struct user {
    int patience; /* questions until it is told to end */
    int told, left;
};

static void hear(void *context, const struct be_progress *progress) {
    struct user *user = context;
    user->told++;
    user->left = progress->left;
}

static bool has_enough(void *context) {
    struct user *user = context;
    return --user->patience < 0;
}

/* Told to end, a forecast and its test end at the next job. */
static void test_told_to_end(void **state) {
    (void)state;
    write_accounting(FEW);
    struct user user = {.patience = 1 << 30};
    const struct be_job_input input = {
        .file = file, .files = 1, .progress = hear, .cancelled = has_enough, .context = &user};
    const struct be_job_filter all = {0};
    const struct be_forecast_options o = {.wish = {.cpus = 4, .limit_s = 3600}};
    struct be_forecast_score score;
    struct be_forecast forecast;
    struct be_error error = {0};
    for (int test = 0; test < 2; test++) {
        user = (struct user){.patience = 1 << 30};
        if (test) {
            assert_int_equal(be_forecast_test(&input, &all, 0.3, &score, &error), BE_OK);
            be_forecast_score_free(&score);
        } else {
            assert_int_equal(be_forecast_make(&input, &o, &forecast, &error), BE_OK);
            be_forecast_free(&forecast);
        }
        assert_int_equal(user.left, 0);
        const int told = user.told, asked = (1 << 30) - user.patience;
        assert_true(told > 100);
        user = (struct user){.patience = asked - 50};
        assert_int_equal(test ? be_forecast_test(&input, &all, 0.3, &score, &error)
                              : be_forecast_make(&input, &o, &forecast, &error),
                         BE_STOPPED);
        assert_int_equal(user.patience, -1);
        assert_int_equal(user.told, told - 49);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_best_partition_is_first),
        cmocka_unit_test(test_earlier_jobs_stand_in_the_queue_only),
        cmocka_unit_test(test_a_deadline_at_a_quantile_is_that_likely),
        cmocka_unit_test(test_certainty_is_not_claimed),
        cmocka_unit_test(test_how_many_are_like_it),
        cmocka_unit_test(test_a_forecast_that_makes_no_sense),
        cmocka_unit_test(test_the_test_of_forecasts),
        cmocka_unit_test(test_told_to_end),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
