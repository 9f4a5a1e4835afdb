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
#include "made_history.h"
#include "forecast/forecast.h"
#include "forecast/occasions.h"

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
    static const double max[] = {3.5e19, 1e300, INFINITY, NAN, -1};
    for (size_t i = 0; i < BE_COUNT(max); i++) {
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
                                   .elapsed_s = max[i],
                                   .limit_s = max[i],
                                   .cpus = max[i],
                                   .gpus = max[i],
                                   .memory_bytes = max[i],
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
    uint64_t seed = 3;
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < FEATURES; k++) {
            feature[i * FEATURES + k] = (float)uniform(&seed);
        }
        /* Only the third decides: below one half 0..1, above it 10..11. */
        outcome[i] = (float)(uniform(&seed) + (feature[i * FEATURES + 2] > 0.5f ? 10 : 0));
    }
    const struct be_examples examples = {feature, outcome, COUNT, FEATURES, 0};
    assert_int_equal(be_forest_grow(&examples, 1, &forest, &error), BE_OK);
    for (int high = 0; high < 2; high++) {
        const float asked[FEATURES] = {0.3f, 0.3f, high ? 0.8f : 0.2f, 0.3f, 0.3f};
        assert_int_equal(be_forest_expect(forest, asked, &expected, &error), BE_OK);
        double half = be_expected_quantile(&expected, 0.5) - 10 * high;
        double max = be_expected_quantile(&expected, 0.9) - 10 * high;
        assert_true(half > 0.3 && half < 0.7);
        assert_true(max > 0.75 && max <= 1);
        double share = be_expected_share(&expected, 10 * high + half);
        assert_true(share >= 0.5 && share < 0.55);
        assert_true(be_expected_share(&expected, 100) > 0.999);
        assert_true(be_expected_share(&expected, -1) < 0.001);
    }
    be_expected_free(&expected);
    be_forest_free(forest);
}

/* A case that was never seen is reached from a guess that kept its distance; a guess that says
 * nothing is not followed. */
static void test_a_forest_goes_on_from_a_good_guess(void **state) {
    (void)state;
    enum { COUNT = 2000, FEATURES = 3 };
    static float feature[COUNT * FEATURES], outcome[COUNT];
    struct be_error error = {0};
    struct be_expected expected = {0};
    for (int good = 0; good < 2; good++) {
        struct be_forest *forest = NULL;
        uint64_t seed = 5;
        for (int i = 0; i < COUNT; i++) {
            for (int k = 0; k < FEATURES; k++) {
                feature[i * FEATURES + k] = (float)(5 * uniform(&seed));
            }
            float guess = feature[i * FEATURES + 2];
            outcome[i] = (float)(good ? guess + 1 + 0.1 * uniform(&seed) : 3 + uniform(&seed));
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
    assert_true(told.starts < BE_MIN_STARTS);
    assert_true(isnan(told.q50_s) && isnan(told.q90_s));
    assert_true(isnan(be_wait_odds_share(&told.odds, 1000)));
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

/* A thousand jobs that wait side by side are one example; so are two at whose meeting one starts as the other comes. */
static void test_waits_side_by_side_are_one_occasion(void **state) {
    (void)state;
    struct be_past_job job[8] = {
        {.submit_s = 0, .start_s = 100},   {.submit_s = 50, .start_s = 150},
        {.submit_s = 100, .start_s = 200}, {.submit_s = 101, .start_s = 201},
        {.submit_s = 300, .start_s = 310}, {.partition = 1, .submit_s = 400, .start_s = 500},
        {.submit_s = 600, .start_s = 600}, {.submit_s = 600, .start_s = 600},
    };
    const struct be_history h = {.job = job, .jobs = 8};
    const size_t started[] = {0, 1, 2, 3, 4, 5, 6, 7};
    assert_int_equal(be_occasions(&h, started, 8, 0, 100), 2); /* 0 or 1, then 3 */
    assert_int_equal(be_occasions(&h, started, 3, 0, 100), 1);
    assert_int_equal(be_occasions(&h, started, 8, 0, 10), 3);
    assert_int_equal(be_occasions(&h, started, 8, 0, 0), 4); /* those of 600 count once */
    assert_int_equal(be_occasions(&h, started, 8, 1, 100), 1);
    assert_int_equal(be_occasions(&h, started, 8, 0, 1000), 0);
    assert_int_equal(be_occasions(&h, started, 0, 0, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features_know_nothing_of_the_future),
        cmocka_unit_test(test_the_queue_is_counted),
        cmocka_unit_test(test_numbers_no_job_has),
        cmocka_unit_test(test_a_forest_learns_what_decides),
        cmocka_unit_test(test_a_forest_goes_on_from_a_good_guess),
        cmocka_unit_test(test_few_jobs_are_not_enough),
        cmocka_unit_test(test_waits_side_by_side_are_one_occasion),
        cmocka_unit_test(test_forecasts_hold),
        cmocka_unit_test(test_the_same_history_is_told_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
