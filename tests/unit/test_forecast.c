/* Forecasts on made-up clusters: nothing of the future is used, what can be learnt is learnt. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "slurm/forecast.h"
#include "temp_file.h"

static uint64_t random_state = 1;

static double uniform(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(random_state >> 11) + 0.5) * 0x1p-53;
}

static struct be_slice slice(const char *text) {
    return (struct be_slice){text, (uint32_t)strlen(text)};
}

/* Jobs of two partitions, the second ten times as slow; waits around 100 s and 1000 s. */
static struct be_history history_of(size_t jobs) {
    struct be_history h = {0};
    struct be_error error = {0};
    static const char *const partition[] = {"fast", "slow"};
    static const char *const user[] = {"a", "b", "c"};
    int64_t now_s = 1700000000;
    random_state = 1;
    for (size_t i = 0; i < jobs; i++) {
        int slow = uniform() < 0.5;
        now_s += (int64_t)(uniform() * 60);
        int64_t wait_s = (int64_t)(exp(uniform() * 2) * (slow ? 370 : 37));
        int64_t took_s = (int64_t)(uniform() * 3000);
        bool cancelled = uniform() < 0.05;
        struct be_record record = {.partition = slice(partition[slow]),
                                   .user = slice(user[(int)(uniform() * 3)]),
                                   .account = slice("all"),
                                   .tasks = 1,
                                   .submit_s = now_s,
                                   .start_s = now_s + wait_s,
                                   .end_s = now_s + wait_s + took_s,
                                   .elapsed_s = (double)took_s,
                                   .limit_s = 3600,
                                   .cpus = exp2(floor(uniform() * 5)),
                                   .state = cancelled ? BE_JOB_CANCELLED : BE_JOB_COMPLETED,
                                   .started = !cancelled};
        assert_int_equal(be_history_add(&h, &record, NULL, &error), BE_OK);
    }
    be_history_sort(&h);
    return h;
}

/* The history as it was known at the moment: what came later is not there. */
static struct be_history known_at(const struct be_history *h, size_t job) {
    struct be_history known = *h;
    int64_t now_s = h->job[job].submit_s;
    known.jobs = job;
    known.job = malloc((job + 1) * sizeof *known.job);
    memcpy(known.job, h->job, job * sizeof *known.job);
    for (size_t i = 0; i < job; i++) {
        struct be_past_job *past = &known.job[i];
        if (past->start_s != BE_NO_TIME && past->start_s >= now_s) {
            past->start_s = past->end_s = BE_NO_TIME;
        } else if (past->end_s >= now_s) {
            past->end_s = BE_NO_TIME;
        }
    }
    return known;
}

static void test_features_know_nothing_of_the_future(void **state) {
    (void)state;
    struct be_history h = history_of(600);
    struct be_error error = {0};
    struct be_replay *whole = NULL;
    assert_int_equal(be_replay_open(&h, &whole, &error), BE_OK);
    for (size_t job = 0; job < h.jobs; job += 7) {
        struct be_replay *part = NULL;
        float with[BE_FEATURES], without[BE_FEATURES];
        struct be_history known = known_at(&h, job);
        int64_t now_s = h.job[job].submit_s;
        struct be_past_job wish = h.job[job];
        wish.start_s = wish.end_s = BE_NO_TIME;
        be_replay_until(whole, job, now_s, NULL, NULL);
        be_replay_features(whole, &h.job[job], now_s, with);
        assert_int_equal(be_replay_open(&known, &part, &error), BE_OK);
        be_replay_until(part, job, now_s, NULL, NULL);
        be_replay_features(part, &wish, now_s, without);
        assert_memory_equal(with, without, sizeof with);
        assert_int_equal(be_replay_waiting(whole, -1), be_replay_waiting(part, -1));
        be_replay_close(part);
        free(known.job);
    }
    be_replay_close(whole);
    be_history_free(&h);
}

static void test_the_queue_is_counted(void **state) {
    (void)state;
    struct be_history h = history_of(400);
    struct be_error error = {0};
    struct be_replay *r = NULL;
    assert_int_equal(be_replay_open(&h, &r, &error), BE_OK);
    for (size_t job = 0; job < h.jobs; job++) {
        int64_t now_s = h.job[job].submit_s;
        int waiting = 0;
        for (size_t i = 0; i < job; i++) {
            int64_t left = h.job[i].start_s != BE_NO_TIME ? h.job[i].start_s : h.job[i].end_s;
            waiting += left >= now_s;
        }
        be_replay_until(r, job, now_s, NULL, NULL);
        assert_int_equal(be_replay_waiting(r, -1), waiting);
        assert_int_equal(be_replay_waiting(r, 0) + be_replay_waiting(r, 1), waiting);
    }
    be_replay_until(r, h.jobs, INT64_MAX, NULL, NULL);
    assert_int_equal(be_replay_waiting(r, -1), 0);
    be_replay_close(r);
    be_history_free(&h);
}

/* Numbers that no job has: a limit of a million million years ends, and nothing overflows. */
static void test_numbers_no_job_has(void **state) {
    (void)state;
    static const double most[] = {3.5e19, 1e300, INFINITY, NAN, -1};
    for (size_t i = 0; i < BE_COUNT(most); i++) {
        struct be_history h = {0};
        struct be_error error = {0};
        struct be_replay *r = NULL;
        struct be_record record = {.partition = slice("p"),
                                   .user = slice("u"),
                                   .account = slice("a"),
                                   .tasks = 1,
                                   .submit_s = 1700000000,
                                   .start_s = 1700000100,
                                   .end_s = 1700000200,
                                   .elapsed_s = most[i],
                                   .limit_s = most[i],
                                   .cpus = most[i],
                                   .gpus = most[i],
                                   .memory_bytes = most[i],
                                   .state = BE_JOB_COMPLETED,
                                   .started = true};
        assert_int_equal(be_history_add(&h, &record, NULL, &error), BE_OK);
        assert_true(h.job[0].limit_s >= 0 && (double)h.job[0].limit_s <= 1.0001e18);
        assert_true(h.job[0].cpus > 0 && (double)h.job[0].cpus <= 1.0001e18);
        assert_true(h.job[0].memory_bytes >= 0 && (double)h.job[0].memory_bytes <= 1.0001e18);
        be_history_sort(&h);
        assert_int_equal(be_replay_open(&h, &r, &error), BE_OK);
        be_replay_until(r, 1, INT64_MAX, NULL, NULL);
        assert_int_equal(be_replay_waiting(r, -1), 0);
        be_replay_close(r);
        be_history_free(&h);
    }
}

static void test_a_forest_learns_what_decides(void **state) {
    (void)state;
    enum { COUNT = 4000, FEATURES = 5 };
    static float feature[COUNT * FEATURES], outcome[COUNT];
    struct be_error error = {0};
    struct be_forest *forest = NULL;
    struct be_expected expected = {0};
    random_state = 3;
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < FEATURES; k++) {
            feature[i * FEATURES + k] = (float)uniform();
        }
        /* Only the third decides: below one half 0..1, above it 10..11. */
        outcome[i] = (float)(uniform() + (feature[i * FEATURES + 2] > 0.5f ? 10 : 0));
    }
    const struct be_examples examples = {feature, outcome, COUNT, FEATURES, 0};
    assert_int_equal(be_forest_grow(&examples, 1, &forest, &error), BE_OK);
    for (int high = 0; high < 2; high++) {
        const float asked[FEATURES] = {0.3f, 0.3f, high ? 0.8f : 0.2f, 0.3f, 0.3f};
        assert_int_equal(be_forest_expect(forest, asked, &expected, &error), BE_OK);
        double half = be_expected_quantile(&expected, 0.5) - 10 * high;
        double most = be_expected_quantile(&expected, 0.9) - 10 * high;
        assert_true(half > 0.3 && half < 0.7);
        assert_true(most > 0.75 && most <= 1);
        double share = be_expected_share(&expected, 10 * high + half);
        assert_true(share >= 0.5 && share < 0.55);
        assert_true(be_expected_share(&expected, 100) > 0.999);
        assert_true(be_expected_share(&expected, -1) < 0.001);
    }
    be_expected_free(&expected);
    be_forest_free(forest);
}

/* What was never seen is reached from a guess that kept its distance; a guess that says nothing is
 * not followed. */
static void test_a_forest_goes_on_from_a_good_guess(void **state) {
    (void)state;
    enum { COUNT = 2000, FEATURES = 3 };
    static float feature[COUNT * FEATURES], outcome[COUNT];
    struct be_error error = {0};
    struct be_expected expected = {0};
    for (int good = 0; good < 2; good++) {
        struct be_forest *forest = NULL;
        random_state = 5;
        for (int i = 0; i < COUNT; i++) {
            for (int k = 0; k < FEATURES; k++) {
                feature[i * FEATURES + k] = (float)(5 * uniform());
            }
            float guess = feature[i * FEATURES + 2];
            outcome[i] = (float)(good ? guess + 1 + 0.1 * uniform() : 3 + uniform());
        }
        const struct be_examples examples = {feature, outcome, COUNT, FEATURES, 1};
        const float asked[FEATURES] = {1, 1, 9};
        assert_int_equal(be_forest_grow(&examples, 1, &forest, &error), BE_OK);
        assert_int_equal(be_forest_expect(forest, asked, &expected, &error), BE_OK);
        double half = be_expected_quantile(&expected, 0.5);
        if (good) {
            assert_true(half > 9.9 && half < 10.2);
        } else {
            assert_true(half > 3 && half < 4);
        }
        be_forest_free(forest);
    }
    be_expected_free(&expected);
}

static void test_few_jobs_are_not_enough(void **state) {
    (void)state;
    struct be_history h = history_of(60); /* some 30 a partition, of five sizes */
    struct be_error error = {0};
    struct be_forecaster *f = NULL;
    struct be_foretold told;
    assert_int_equal(be_forecaster_open(&h, &f, &error), BE_OK);
    assert_int_equal(be_forecaster_lead(f, h.jobs, h.last_s + 1, true, &error), BE_OK);
    assert_int_equal(be_forecaster_ask(f, &h.job[0], h.last_s + 1, &told, &error), BE_OK);
    assert_false(told.enough);
    assert_true(told.starts < BE_LEAST_STARTS);
    assert_true(isnan(told.q50_s) && isnan(told.q90_s));
    assert_true(isnan(be_forecaster_share(f, 1000)));
    be_forecaster_close(f);
    be_history_free(&h);
}

static void test_forecasts_hold(void **state) {
    (void)state;
    struct be_history h = history_of(6000);
    struct be_error error = {0};
    struct be_forecaster *f = NULL;
    double under = 0, told_of = 0, half[2] = {0}, started[2] = {0};
    assert_int_equal(be_forecaster_open(&h, &f, &error), BE_OK);
    for (size_t i = 2000; i < h.jobs; i++) {
        const struct be_past_job *job = &h.job[i];
        struct be_foretold told;
        assert_int_equal(be_forecaster_lead(f, i, job->submit_s, true, &error), BE_OK);
        assert_int_equal(be_forecaster_ask(f, job, job->submit_s, &told, &error), BE_OK);
        assert_int_equal(be_forecaster_watch(f, i, &error), BE_OK);
        if (i < 3000 || !told.enough) {
            continue;
        }
        assert_true(told.q50_s <= told.q90_s);
        /* One that was cancelled counts where it had waited for longer than was foretold. */
        bool ran = job->start_s != BE_NO_TIME;
        double wait_s = (double)((ran ? job->start_s : job->end_s) - job->submit_s);
        if (ran || wait_s > told.q90_s) {
            under += wait_s <= told.q90_s;
            told_of++;
        }
        half[job->partition] += ran && wait_s <= told.q50_s;
        started[job->partition] += ran;
    }
    assert_true(under / told_of > 0.88 && under / told_of < 0.92);
    for (int i = 0; i < 2; i++) {
        assert_true(half[i] / started[i] > 0.45 && half[i] / started[i] < 0.55);
    }
    be_forecaster_close(f);
    be_history_free(&h);
}

static void test_the_same_history_is_told_the_same(void **state) {
    (void)state;
    struct be_history h = history_of(1200);
    struct be_error error = {0};
    struct be_forecaster *f[2] = {0};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(be_forecaster_open(&h, &f[k], &error), BE_OK);
    }
    for (size_t i = 800; i < h.jobs; i++) {
        struct be_foretold told[2];
        for (int k = 0; k < 2; k++) {
            int64_t now_s = h.job[i].submit_s;
            assert_int_equal(be_forecaster_lead(f[k], i, now_s, true, &error), BE_OK);
            assert_int_equal(be_forecaster_ask(f[k], &h.job[i], now_s, &told[k], &error), BE_OK);
            assert_int_equal(be_forecaster_watch(f[k], i, &error), BE_OK);
        }
        assert_true(!told[0].enough || told[0].q90_s == told[1].q90_s);
        assert_int_equal(told[0].enough, told[1].enough);
    }
    be_forecaster_close(f[0]);
    be_forecaster_close(f[1]);
    be_history_free(&h);
}

/* ---- the whole of it, from a file ----------------------------------------------------------- */

static const char *const file[] = {path};

static void write_accounting(void) {
    struct be_history h = history_of(4000);
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
    write_accounting();
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
                1700000000 + i, 1700050000 + i, 1700051000 + i);
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

/* Nothing is certain, nor out of the question, for having been so some hundred times. */
static void test_certainty_is_not_claimed(void **state) {
    (void)state;
    struct be_forecast_row row[] = {{.partition = "sure", .enough = true, .p_deadline = 1},
                                    {.partition = "half", .enough = true, .p_deadline = 0.5},
                                    {.partition = "none", .enough = true, .p_deadline = 0}};
    const struct be_forecast forecast = {.deadline_in_s = 3600, .rows = 3, .row = row};
    struct be_error error = {0};
    char *text = NULL;
    size_t room = 0;
    FILE *out = open_memstream(&text, &room);
    assert_non_null(out);
    assert_int_equal(be_forecast_write(&forecast, BE_TEXT, out, &error), BE_OK);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, ">99 %"));
    assert_non_null(strstr(text, "50 %"));
    assert_non_null(strstr(text, "<1 %"));
    assert_null(strstr(text, "100 %"));
    free(text);
}

/* What had been submitted before the period waits and runs beside the others, and that is all. */
static void test_earlier_jobs_stand_in_the_queue_only(void **state) {
    (void)state;
    write_accounting();
    FILE *more = fopen(path, "ae");
    assert_non_null(more);
    const long long early_s = 1700000000 - 20 * 86400;
    for (int i = 0; i < 600; i++) { /* twenty days of waiting, or no end of it */
        fprintf(more,
                i < 7 ? "%d|fast|a|%lld|Unknown|Unknown|PENDING|4|01:00:00|\n"
                      : "%d|fast|a|%lld|1700050000|1700051000|COMPLETED|4|01:00:00|\n",
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
    write_accounting();
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
    write_accounting();
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
    be_forecast_score_free(&score);
    /* Whose forecasts are judged changes nothing of what is learnt. */
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
    write_accounting();
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
        cmocka_unit_test(test_features_know_nothing_of_the_future),
        cmocka_unit_test(test_the_queue_is_counted),
        cmocka_unit_test(test_numbers_no_job_has),
        cmocka_unit_test(test_a_forest_learns_what_decides),
        cmocka_unit_test(test_a_forest_goes_on_from_a_good_guess),
        cmocka_unit_test(test_few_jobs_are_not_enough),
        cmocka_unit_test(test_forecasts_hold),
        cmocka_unit_test(test_the_same_history_is_told_the_same),
        cmocka_unit_test(test_the_best_partition_is_first),
        cmocka_unit_test(test_earlier_jobs_stand_in_the_queue_only),
        cmocka_unit_test(test_certainty_is_not_claimed),
        cmocka_unit_test(test_a_forecast_that_makes_no_sense),
        cmocka_unit_test(test_the_test_of_forecasts),
        cmocka_unit_test(test_told_to_end),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
