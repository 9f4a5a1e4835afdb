/* The level that is read as q90, and what outcomes do to it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "slurm/coverage.h"

static void misses_outweigh_hits_nine_to_one(void **state) {
    (void)state;
    double level = be_level_moved(BE_LEVEL_WANTED, true, 0);
    assert_true(level > BE_LEVEL_WANTED);
    for (int i = 0; i < 9; i++) {
        level = be_level_moved(level, false, 0);
    }
    assert_true(fabs(level - BE_LEVEL_WANTED) < 1e-12);
}

static void late_news_moves_less(void **state) {
    (void)state;
    double at_once = be_level_moved(BE_LEVEL_WANTED, true, 0) - BE_LEVEL_WANTED;
    double late = be_level_moved(BE_LEVEL_WANTED, true, 99) - BE_LEVEL_WANTED;
    assert_true(fabs(late - at_once / 10) < 1e-12);
}

static void a_level_has_bounds(void **state) {
    double up = BE_LEVEL_WANTED, down = BE_LEVEL_WANTED;
    (void)state;
    for (int i = 0; i < 1000; i++) {
        up = be_level_moved(up, true, 0);
        down = be_level_moved(down, false, 0);
    }
    assert_true(up > 1 && up == be_level_moved(up, true, 0));
    assert_true(down < BE_LEVEL_WANTED && down == be_level_moved(down, false, 0) && down > 0);
}

/* One wait of fifty is far off, less than the share of two trees of 32. */
static void the_last_trees_are_not_asked(void **state) {
    struct be_expected_item item[50];
    struct be_expected expected = {.item = item, .items = BE_COUNT(item)};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(item); i++) {
        item[i] = (struct be_expected_item){i < 49 ? (float)i : 1000, 0.02f};
    }
    assert_true(fabs(be_level_wait(0.9, &expected) - 44) < 1e-6);
    assert_true(be_level_wait(1.2, &expected) < 100);
    double before = 0;
    for (double level = 0.5; level < 1.2; level += 0.01) {
        double wait = be_level_wait(level, &expected);
        assert_true(wait >= before);
        before = wait;
    }
}

/* ---- what is known when --------------------------------------------------------------------- */

static struct be_past_job job_at(int64_t submit_s, int64_t wait_s) {
    return (struct be_past_job){.submit_s = submit_s,
                                .start_s = wait_s < 0 ? BE_NO_TIME : submit_s + wait_s,
                                .end_s = wait_s < 0 ? submit_s - wait_s : BE_NO_TIME};
}

/* Each is told 100 s. */
static struct be_coverage *told(const struct be_history *history) {
    struct be_coverage *coverage = NULL;
    struct be_error error = {0};
    assert_int_equal(be_coverage_open(history, 2, &coverage, &error), BE_OK);
    for (size_t i = 0; i < history->jobs; i++) {
        assert_int_equal(be_coverage_add(coverage, i, 1, log1p(100), &error), BE_OK);
    }
    return coverage;
}

static void a_miss_is_known_when_it_is_due(void **state) {
    struct be_past_job job[] = {job_at(0, 500)};
    struct be_history history = {.job = job, .jobs = 1};
    struct be_coverage *coverage = told(&history);
    (void)state;
    be_coverage_until(coverage, 100);
    assert_true(be_coverage_level(coverage, 1) == BE_LEVEL_WANTED); /* it may start this second */
    be_coverage_until(coverage, 101);
    double missed = be_coverage_level(coverage, 1);
    assert_true(missed > BE_LEVEL_WANTED);
    be_coverage_until(coverage, 500);
    be_coverage_started(coverage, 0);
    assert_true(be_coverage_level(coverage, 1) == missed); /* news once */
    assert_true(be_coverage_level(coverage, 0) == BE_LEVEL_WANTED);
    be_coverage_close(coverage);
}

static void a_start_just_as_told_is_a_hit(void **state) {
    struct be_past_job job[] = {job_at(0, 100)};
    struct be_history history = {.job = job, .jobs = 1};
    struct be_coverage *coverage = told(&history);
    (void)state;
    be_coverage_until(coverage, 100);
    be_coverage_started(coverage, 0);
    assert_true(be_coverage_level(coverage, 1) < BE_LEVEL_WANTED);
    be_coverage_close(coverage);
}

static void a_cancelled_job_says_nothing(void **state) {
    struct be_past_job job[] = {job_at(0, -50), job_at(0, -50)};
    struct be_history history = {.job = job, .jobs = 2};
    struct be_coverage *coverage = told(&history);
    (void)state;
    be_coverage_until(coverage, 1000);
    assert_true(be_coverage_level(coverage, 1) == BE_LEVEL_WANTED);
    be_coverage_close(coverage);
}

/* Of a hundred that are told one after the other before any is due, the last counts less. */
static void many_told_before_any_is_known_count_less(void **state) {
    enum { MANY = 100 };
    struct be_past_job job[MANY];
    struct be_history history = {.job = job, .jobs = MANY};
    (void)state;
    for (int i = 0; i < MANY; i++) {
        job[i] = job_at(i, 5000);
    }
    struct be_coverage *coverage = told(&history);
    be_coverage_until(coverage, 101);
    double first = be_coverage_level(coverage, 1) - BE_LEVEL_WANTED;
    be_coverage_until(coverage, 102);
    double second = be_coverage_level(coverage, 1) - BE_LEVEL_WANTED - first;
    assert_true(first > 0 && second > 0 && second < first);
    be_coverage_close(coverage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_outweigh_hits_nine_to_one),
        cmocka_unit_test(late_news_moves_less),
        cmocka_unit_test(a_level_has_bounds),
        cmocka_unit_test(the_last_trees_are_not_asked),
        cmocka_unit_test(a_miss_is_known_when_it_is_due),
        cmocka_unit_test(a_start_just_as_told_is_a_hit),
        cmocka_unit_test(a_cancelled_job_says_nothing),
        cmocka_unit_test(many_told_before_any_is_known_count_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
