/* The outcome of a forecast moves the level: once, as soon as it is known, and back to nine in ten. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "forecast/coverage.h"

enum { JOBS = 20, CELLS = 2, EARLY_S = 50, TOLD_S = 100 };

struct queue {
    struct be_past_job job[JOBS];
    struct be_history history;
    struct be_coverage *coverage;
};

/* Jobs of one user, `apart_s` after one another, that wait so long; 0: cancelled after 200 s. */
static void fill(struct queue *q, int64_t apart_s, int64_t wait_s) {
    struct be_error error = {0};
    *q = (struct queue){
        .history = {.job = q->job, .jobs = JOBS, .partition = {.count = 2}, .user = {.count = 2}}};
    for (int i = 0; i < JOBS; i++) {
        int64_t submit_s = 1000 + i * apart_s;
        q->job[i] = (struct be_past_job){.submit_s = submit_s,
                                         .start_s = wait_s ? submit_s + wait_s : BE_NO_TIME,
                                         .end_s = submit_s + 200 + wait_s};
    }
    assert_int_equal(be_coverage_open(&q->history, CELLS, &q->coverage, &error), BE_OK);
}

static void add(struct queue *q, size_t job) {
    struct be_error error = {0};
    const struct be_told told = {.q90 = log1p(TOLD_S), .q80 = log1p(EARLY_S)};
    assert_int_equal(be_coverage_add(q->coverage, job, 1, told, &error), BE_OK);
}

/* The level of the cell that jobs are of, seen from another partition and by another user: no
 * lean. */
static void is_level(const struct queue *q, double level) {
    const struct be_past_job other = {.partition = 1, .user = 1};
    assert_true(fabs(be_coverage_level(q->coverage, 1, &other) - level) < 1e-9);
    assert_true(fabs(be_coverage_level(q->coverage, 0, &other) - BE_LEVEL_WANTED) < 1e-9);
}

/* How another cell is asked for a job of this partition and this user. */
static double lean_of(const struct queue *q, int partition, int user) {
    const struct be_past_job job = {.partition = partition, .user = user};
    return be_coverage_level(q->coverage, 0, &job) - BE_LEVEL_WANTED;
}

static void test_one_that_waits_too_long_is_one_miss(void **state) {
    (void)state;
    struct queue q;
    fill(&q, 10, 5000);
    add(&q, 0);
    is_level(&q, 0.9);
    be_coverage_until(q.coverage, 1000 + TOLD_S);
    is_level(&q, 0.9);
    be_coverage_until(q.coverage, 1000 + TOLD_S + 2); /* it has not started by then */
    is_level(&q, 0.909);
    be_coverage_until(q.coverage, 4000);
    be_coverage_until(q.coverage, 6000);
    be_coverage_started(q.coverage, 0);
    is_level(&q, 0.909);
    be_coverage_started(q.coverage, 1); /* was never told anything */
    is_level(&q, 0.909);
    be_coverage_close(q.coverage);
}

static void test_one_that_starts_in_time_is_one_hit(void **state) {
    (void)state;
    struct queue q;
    fill(&q, 10, TOLD_S); /* just as it was told */
    add(&q, 0);
    be_coverage_until(q.coverage, 1000 + TOLD_S);
    be_coverage_started(q.coverage, 0);
    is_level(&q, 0.899);
    be_coverage_until(q.coverage, 9000);
    is_level(&q, 0.899);
    be_coverage_close(q.coverage);
}

static void test_one_that_was_cancelled_says_nothing(void **state) {
    (void)state;
    struct queue q;
    fill(&q, 10, 0);
    q.job[0].end_s = 1050;
    add(&q, 0);
    add(&q, 1); /* cancelled later than it was told to start */
    be_coverage_until(q.coverage, 1060);
    is_level(&q, 0.9);
    be_coverage_until(q.coverage, 1150);
    is_level(&q, 0.909);
    be_coverage_close(q.coverage);
}

/* Submitted at one moment or not: each is told a wait, and each counts. */
static void test_each_job_is_news(void **state) {
    (void)state;
    for (int apart_s = 0; apart_s < 2; apart_s++) {
        struct queue q;
        fill(&q, apart_s, 5000);
        for (size_t i = 0; i < JOBS; i++) {
            add(&q, i);
        }
        be_coverage_until(q.coverage, 3000);
        is_level(&q, 0.9 + JOBS * 0.009);
        be_coverage_close(q.coverage);
    }
}

/* A job that waits beyond q80 is news then, long before it is a miss, to its partition and, more so,
 * to its user; when it starts it is no news again. */
static void test_news_comes_before_the_miss(void **state) {
    (void)state;
    struct queue q;
    fill(&q, 10, TOLD_S);
    add(&q, 0);
    be_coverage_until(q.coverage, 1000 + EARLY_S);
    assert_true(lean_of(&q, 0, 0) == 0);
    be_coverage_until(q.coverage, 1000 + EARLY_S + 1); /* it has not started by then */
    double both = lean_of(&q, 0, 0), user = lean_of(&q, 1, 0), partition = lean_of(&q, 0, 1);
    assert_true(partition > 0 && user > partition && fabs(both - user - partition) < 1e-9);
    assert_true(fabs(lean_of(&q, 1, 1)) < 1e-9);
    is_level(&q, 0.9);
    be_coverage_until(q.coverage, 1000 + TOLD_S);
    be_coverage_started(q.coverage, 0);
    assert_true(lean_of(&q, 0, 0) == both);
    is_level(&q, 0.899);
    be_coverage_close(q.coverage);
}

/* One that starts short of q80 lets the next be told less, one just at it does not. */
static void test_lean_goes_both_ways(void **state) {
    (void)state;
    struct queue q;
    fill(&q, 10, EARLY_S);
    add(&q, 0);
    be_coverage_started(q.coverage, 0);
    assert_true(lean_of(&q, 0, 0) == 0);
    be_coverage_close(q.coverage);
    fill(&q, 10, EARLY_S - 1);
    add(&q, 0);
    be_coverage_started(q.coverage, 0);
    assert_true(lean_of(&q, 0, 0) < 0);
    be_coverage_close(q.coverage);
}

/* Outcomes 0 .. 10 are expected, and come; then each is larger by one, then as before. */
static void test_coverage_returns_after_a_shift(void **state) {
    (void)state;
    enum { ITEMS = 100, PART = 2000, SETTLE = 500 };
    static struct be_expected_item item[ITEMS];
    const struct be_expected expected = {item, ITEMS, ITEMS};
    uint64_t random = 7;
    for (int i = 0; i < ITEMS; i++) {
        item[i] = (struct be_expected_item){0.1f * (float)(i + 1), 1.0f / ITEMS};
    }
    double level = BE_LEVEL_WANTED;
    for (int part = 0; part < 3; part++) {
        int under = 0;
        for (int i = 0; i < PART; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            double met = (double)(random >> 11) * 0x1p-53 * 10 + (part == 1 ? 1 : 0);
            bool missed = met > be_level_wait(level, &expected);
            under += i >= SETTLE && !missed;
            level = be_level_moved(level, missed);
        }
        double share = (double)under / (PART - SETTLE);
        assert_true(share > 0.88 && share < 0.92);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_that_waits_too_long_is_one_miss),
        cmocka_unit_test(test_one_that_starts_in_time_is_one_hit),
        cmocka_unit_test(test_one_that_was_cancelled_says_nothing),
        cmocka_unit_test(test_each_job_is_news),
        cmocka_unit_test(test_news_comes_before_the_miss),
        cmocka_unit_test(test_lean_goes_both_ways),
        cmocka_unit_test(test_coverage_returns_after_a_shift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
