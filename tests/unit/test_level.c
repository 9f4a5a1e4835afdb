/* The level that is read as q90, and what outcomes do to it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "forecast/level.h"

static void misses_outweigh_hits_nine_to_one(void **state) {
    (void)state;
    double level = be_level_moved(BE_LEVEL_WANTED, true);
    assert_true(level > BE_LEVEL_WANTED);
    for (int i = 0; i < 9; i++) {
        level = be_level_moved(level, false);
    }
    assert_true(fabs(level - BE_LEVEL_WANTED) < 1e-12);
}

static void a_level_has_bounds(void **state) {
    double up = BE_LEVEL_WANTED, down = BE_LEVEL_WANTED;
    (void)state;
    for (int i = 0; i < 1000; i++) {
        up = be_level_moved(up, true);
        down = be_level_moved(down, false);
    }
    assert_true(up > 1 && up == be_level_moved(up, true));
    assert_true(down < BE_LEVEL_WANTED && down == be_level_moved(down, false) && down > 0);
}

/* Expected are eight in ten short of q80: then a level is asked as it is. All beyond, and it is asked
 * higher, all short, and lower; bounds hold. */
static void a_level_leans_on_early_news(void **state) {
    (void)state;
    double as_expected = 0, beyond = 0, shorter = 0, met = 0.3;
    for (int i = 0; i < 1000; i++) {
        as_expected = be_level_leant(as_expected, i % 5 ? BE_OUTCOME_SHORT : BE_OUTCOME_BEYOND);
        beyond = be_level_leant(beyond, BE_OUTCOME_BEYOND);
        shorter = be_level_leant(shorter, BE_OUTCOME_SHORT);
        met = be_level_leant(met, BE_OUTCOME_AT);
    }
    assert_true(fabs(as_expected) < 0.02);
    assert_true(fabs(beyond - 0.8) < 1e-6 && fabs(shorter + 0.2) < 1e-6 && fabs(met) < 1e-6);
    assert_true(be_level_asked(0.9, 0, 0) == 0.9);
    assert_true(be_level_asked(0.9, 0.1, 0) > 0.9 && be_level_asked(0.9, 0, 0.1) > 0.9);
    assert_true(be_level_asked(0.9, shorter, shorter) < 0.9);
    assert_true(be_level_asked(1.2, beyond, beyond) == be_level_asked(1.25, beyond, beyond));
    assert_true(be_level_asked(0.5, shorter, shorter) == be_level_asked(0.6, shorter, shorter));
}

/* Where the model's own q96 is far off it is told as it is, not stretched. */
static void what_is_wide_is_not_stretched(void **state) {
    struct be_expected_item item[50];
    struct be_expected expected = {.item = item, .items = BE_COUNT(item)};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(item); i++) {
        item[i] = (struct be_expected_item){i < 46 ? 5 : 9, 0.02f};
    }
    assert_true(fabs(be_level_wait(0.9, &expected) - 5) < 1e-6);
    assert_true(fabs(be_level_wait(1.25, &expected) - 9) < 1e-6);
    for (size_t i = 0; i < BE_COUNT(item); i++) {
        item[i].outcome = 5;
    }
    assert_true(be_level_wait(1.25, &expected) > 6);
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

/* Whatever the level: what is read as q90 has nine in ten at or below it, one half stays one half, and the
 * distribution ascends. */
static void one_distribution_has_all_that_is_told(void **state) {
    struct be_expected_item item[400];
    struct be_expected expected = {.item = item, .items = BE_COUNT(item)};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(item); i++) {
        item[i] = (struct be_expected_item){5 + 0.01f * (float)i, 1.0f / 400};
    }
    for (double level = 0.55; level < 1.25; level += 0.05) {
        struct be_wait_odds odds;
        const double q90 = be_level_wait(level, &expected);
        be_level_odds(level, q90, &expected, &odds);
        assert_true(odds.wait_s[90] == round(expm1(q90)));
        assert_true(odds.wait_s[50] == round(expm1(be_expected_quantile(&expected, 0.5))));
        assert_true(fabs(be_wait_odds_share(&odds, odds.wait_s[90]) - 0.9) < 0.011);
        for (int i = 1; i < BE_ODDS_POINTS; i++) {
            const double between = (odds.wait_s[i - 1] + odds.wait_s[i]) / 2;
            const double share = be_wait_odds_share(&odds, between);
            assert_true(odds.wait_s[i] >= odds.wait_s[i - 1]);
            assert_true(share >= (i - 1) / 100.0 - 1e-9 && share <= i / 100.0 + 0.011);
        }
        assert_true(be_wait_odds_share(&odds, 0) == 0 && be_wait_odds_share(&odds, 1e9) == 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_outweigh_hits_nine_to_one),
        cmocka_unit_test(a_level_has_bounds),
        cmocka_unit_test(a_level_leans_on_early_news),
        cmocka_unit_test(what_is_wide_is_not_stretched),
        cmocka_unit_test(the_last_trees_are_not_asked),
        cmocka_unit_test(one_distribution_has_all_that_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
