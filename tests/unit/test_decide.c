/*
 * Where a computation is done first: scenarios whose answer follows by hand. Each names the place that must be first, the
 * true reason, and where it can be computed what would change the answer.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "breakeven_decide.h"

enum { MINUTE = 60, HOUR = 3600 };

static void assert_within(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g instead of %.17g", value, expected);
    }
}

/* A wait that is the same in every quantile; even from lo to hi. */
static struct be_wait_odds even(double lo, double hi) {
    struct be_wait_odds odds;
    for (int i = 0; i < BE_ODDS_POINTS; i++) {
        odds.wait_s[i] = lo + (hi - lo) * i / (BE_ODDS_POINTS - 1);
    }
    return odds;
}

static struct be_predict_time exactly(double s) {
    return (struct be_predict_time){s, s, s};
}

/* A place that computes for so long; wait NULL: not known. */
static struct be_decide_place place_of(const char *name, int gpus, const struct be_wait_odds *wait,
                                       double compute_s) {
    struct be_decide_place place = {.cores = gpus ? 8 : 64,
                                    .gpus = gpus,
                                    .gpu_share = 1,
                                    .basis = gpus ? BE_BASIS_GPU : BE_BASIS_CPU,
                                    .wait = wait,
                                    .compute = exactly(compute_s),
                                    .limit_s = NAN,
                                    .charge = NAN};
    be_copy_text(place.name, sizeof place.name, name);
    be_copy_text(place.where, sizeof place.where, "there");
    be_copy_text(place.partition, sizeof place.partition, name);
    return place;
}

static struct be_decision decide(const struct be_decide_place *place, int places,
                                 double deadline_s) {
    struct be_decision decision;
    struct be_error error = {0};
    assert_int_equal(be_decide(place, places, deadline_s, &decision, &error), BE_OK);
    return decision;
}

/* ---- scenarios ------------------------------------------------------------------------------ */

static void cpu_waits_less(void **state) {
    (void)state;
    const struct be_wait_odds long_wait = even(6 * HOUR, 6 * HOUR), none = even(0, 0);
    const struct be_decide_place place[] = {place_of("gpu", 1, &long_wait, 6 * MINUTE),
                                            place_of("cpu", 0, &none, 3 * HOUR)};
    const struct be_decision d = decide(place, 2, NAN);
    assert_int_equal(d.row[0].place, 1);
    assert_int_equal(d.reason, BE_REASON_WAITS);
    assert_within(d.faster, 1 / 30.0, 0.001);
    /* 6 h + w/30 = w: w = 6.207 h of CPU work */
    assert_within(d.turns_first_s, 6.2069 * HOUR, 0.01 * HOUR);
    assert_within(d.turns_at, 6.2069 / 3, 0.01);
    assert_within(d.row[0].result.q50_s, 3 * HOUR, 1);
    assert_within(d.row[1].result.q50_s, 6.1 * HOUR, 1);
}

static void gpu_waits_longer_and_wins(void **state) {
    (void)state;
    const struct be_wait_odds hour = even(HOUR, HOUR), none = even(0, 0);
    const struct be_decide_place place[] = {place_of("cpu", 0, &none, 20 * HOUR),
                                            place_of("gpu", 1, &hour, HOUR)};
    const struct be_decision d = decide(place, 2, NAN);
    assert_int_equal(d.row[0].place, 1);
    assert_int_equal(d.reason, BE_REASON_DESPITE);
    assert_within(d.faster, 20, 0.01);
    assert_within(d.turns_at, 1 / 19.0, 0.001); /* 1 + f = 20 f */
}

static void gpu_wins_without_waiting(void **state) {
    (void)state;
    const struct be_wait_odds same = even(0, 2 * HOUR);
    const struct be_decide_place place[] = {place_of("cpu", 0, &same, 20 * HOUR),
                                            place_of("gpu", 1, &same, HOUR)};
    const struct be_decision d = decide(place, 2, NAN);
    assert_int_equal(d.row[0].place, 1);
    assert_int_equal(d.reason, BE_REASON_COMPUTES);
}

static void here_needs_no_wait(void **state) {
    (void)state;
    const struct be_wait_odds wait = even(HOUR, 3 * HOUR);
    struct be_decide_place place[] = {place_of("gpu", 1, &wait, MINUTE),
                                      place_of("2 cores", 0, NULL, 30 * MINUTE)};
    place[1].here = true;
    const struct be_decision d = decide(place, 2, NAN);
    assert_int_equal(d.row[0].place, 1);
    assert_int_equal(d.reason, BE_REASON_WAITS);
    assert_within(d.row[0].wait_q50_s, 0, 0);
}

static void two_alike_are_close(void **state) {
    (void)state;
    const struct be_wait_odds wait = even(0, 4 * HOUR);
    const struct be_decide_place place[] = {place_of("gpu", 1, &wait, HOUR),
                                            place_of("cpu", 0, &wait, 1.1 * HOUR)};
    assert_int_equal(decide(place, 2, NAN).reason, BE_REASON_CLOSE);
}

static void wide_times_are_close(void **state) {
    (void)state;
    const struct be_wait_odds none = even(0, 0);
    struct be_decide_place place[] = {place_of("gpu", 1, &none, HOUR),
                                      place_of("cpu", 0, &none, 1.2 * HOUR)};
    place[0].compute = (struct be_predict_time){HOUR / 4.0, HOUR, 4 * HOUR};
    assert_int_equal(decide(place, 2, NAN).reason, BE_REASON_CLOSE);
}

static void deadline_prefers_what_is_sure(void **state) {
    (void)state;
    const struct be_wait_odds wild = even(0, 24 * HOUR), none = even(0, 0);
    const struct be_decide_place place[] = {place_of("gpu", 1, &wild, MINUTE),
                                            place_of("cpu", 0, &none, 13 * HOUR)};
    const struct be_decision without = decide(place, 2, NAN), with = decide(place, 2, 14 * HOUR);
    assert_int_equal(without.row[0].place, 0);
    assert_int_equal(with.row[0].place, 1);
    assert_int_equal(with.reason, BE_REASON_DEADLINE);
    assert_within(with.row[0].p_deadline, 1, 0);
    assert_within(with.row[1].p_deadline, 13.98 / 24, 0.02);
}

static void waits_decide_between_gpus(void **state) {
    (void)state;
    const struct be_wait_odds long_wait = even(9 * HOUR, 11 * HOUR), quick = even(0, 600);
    struct be_decide_place place[] = {place_of("whole", 1, &long_wait, HOUR),
                                      place_of("slice", 1, &quick, 3 * HOUR)};
    const struct be_decision d = decide(place, 2, NAN);
    assert_int_equal(d.row[0].place, 1);
    assert_int_equal(d.reason, BE_REASON_WAITS);
    assert_int_equal(d.next, 1);
}

static void ignoring_waits_changes_nothing(void **state) {
    (void)state;
    const struct be_wait_odds minutes = even(0, 10 * MINUTE);
    const struct be_decide_place known[] = {place_of("gpu", 1, &minutes, HOUR),
                                            place_of("cpu", 0, &minutes, 30 * HOUR)};
    const struct be_decide_place unknown[] = {place_of("gpu", 1, NULL, HOUR),
                                              place_of("cpu", 0, NULL, 30 * HOUR)};
    const struct be_decision d = decide(unknown, 2, NAN);
    assert_int_equal(decide(known, 2, NAN).row[0].place, d.row[0].place);
    assert_int_equal(d.reason, BE_REASON_NO_WAITS);
    assert_within(d.extra_wait_s, 29 * HOUR, 1);
    assert_true(isnan(d.row[0].result.q50_s) && isnan(d.row[0].p_deadline));
}

static void unknown_waits_come_last(void **state) {
    (void)state;
    const struct be_wait_odds none = even(0, 0);
    const struct be_decide_place place[] = {place_of("gpu", 1, NULL, MINUTE),
                                            place_of("cpu", 0, &none, 5 * HOUR)};
    const struct be_decision d = decide(place, 2, NAN);
    assert_int_equal(d.row[0].place, 1);
    assert_int_equal(d.unknown, 1);
    assert_within(d.unknown_wait_s, 5 * HOUR - MINUTE, 1);
    assert_true(isnan(d.row[1].p_first));
}

static void only_one_place(void **state) {
    (void)state;
    const struct be_wait_odds none = even(0, 0);
    const struct be_decide_place place = place_of("cpu", 0, &none, HOUR);
    const struct be_decision d = decide(&place, 1, NAN);
    assert_int_equal(d.reason, BE_REASON_ONLY);
    assert_int_equal(d.next, -1);
    assert_within(d.row[0].p_first, 1, 0);
}

static void load_counts_everywhere(void **state) {
    (void)state;
    const struct be_wait_odds none = even(0, 0);
    struct be_decide_place place[] = {place_of("gpu", 1, &none, HOUR),
                                      place_of("cpu", 0, &none, 2 * HOUR)};
    for (int i = 0; i < 2; i++) {
        place[i].load = exactly(HOUR);
    }
    place[0].transfer = exactly(90 * MINUTE);
    const struct be_decision d = decide(place, 2, NAN);
    assert_int_equal(d.row[0].place, 1); /* 1 + 2 < 1 + 1.5 + 1 */
    assert_within(d.row[1].busy.q50_s, 3.5 * HOUR, 1);
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* Medians do not add up: wait exponential-like, computing wide; the 90 % quantile of the sum is below the sum of both. */
static void parts_are_added_by_sampling(void **state) {
    (void)state;
    const struct be_wait_odds wait = even(0, 10 * HOUR);
    struct be_decide_place place = place_of("cpu", 0, &wait, HOUR);
    place.compute = (struct be_predict_time){HOUR, HOUR, 10 * HOUR};
    const struct be_decision d = decide(&place, 1, NAN);
    const struct be_decide_row *row = &d.row[0];
    assert_within(row->busy.q50_s, HOUR, 60);
    /* Half of the times are above the middle, lognormally: q90 is exp(1.2816 / 1.6449 ln 10) h. */
    assert_within(row->busy.q90_s, HOUR * pow(10, 1.2815516 / 1.6448536), 0.3 * HOUR);
    assert_true(row->result.q90_s < 9 * HOUR + row->busy.q90_s);
    assert_true(row->result.q50_s > 6 * HOUR);
}

static void costs_are_of_the_place(void **state) {
    (void)state;
    const struct be_wait_odds none = even(0, 0);
    struct be_decide_place place = place_of("slice", 1, &none, 2 * HOUR);
    place.gpu_share = 0.5;
    place.charge = 3;
    place.limit_s = HOUR;
    place.power_w = 300;
    const struct be_decide_row row = decide(&place, 1, NAN).row[0];
    assert_within(row.gpu_hours, 1, 1e-6);
    assert_within(row.core_hours, 16, 1e-6);
    assert_within(row.cost, 6, 1e-6);
    assert_within(row.energy_j, 300 * 2.0 * HOUR, 1e-3);
    place.power_w = 0;
    assert_true(isnan(decide(&place, 1, NAN).row[0].energy_j));
    assert_within(row.p_limit, 0, 0);
}

static void one_basis_errs_together(void **state) {
    (void)state;
    const struct be_wait_odds none = even(0, 0);
    struct be_decide_place place[] = {place_of("64 cores", 0, &none, HOUR),
                                      place_of("32 cores", 0, &none, 1.5 * HOUR)};
    for (int i = 0; i < 2; i++) {
        const double t = place[i].compute.typical_s;
        place[i].compute = (struct be_predict_time){t / 3, t, 3 * t};
    }
    assert_within(decide(place, 2, NAN).row[0].p_first, 1, 0);
}

/* After n runs the next is as likely in each gap. */
static void runs_of_the_past_are_quantiles(void **state) {
    (void)state;
    const double run[] = {300, 100, 200};
    struct be_wait_odds odds;
    struct be_error error = {0};
    assert_int_equal(be_decide_past(run, 3, 800, &odds, &error), BE_OK);
    assert_within(odds.wait_s[0], 100 / 3.0, 1e-9);
    assert_within(odds.wait_s[25], 100, 1e-9);
    assert_within(odds.wait_s[50], 200, 1e-9);
    assert_within(odds.wait_s[75], 300, 1e-9);
    assert_within(odds.wait_s[100], 800, 1e-9);
    assert_int_equal(be_decide_past(run, 3, NAN, &odds, &error), BE_OK);
    assert_within(odds.wait_s[100], 900, 1e-9);
    assert_int_equal(be_decide_past(run, 3, 250, &odds, &error), BE_OK); /* ended by then */
    assert_within(odds.wait_s[75], 250, 1e-9);
    assert_int_equal(be_decide_past(run, 0, NAN, &odds, &error), BE_USAGE);
    assert_int_equal(be_decide_past((const double[]){1, 0}, 2, NAN, &odds, &error), BE_USAGE);
}

/* Half of the runs took twice the time, at every place alike: the order stays, and a deadline is met by half. */
static void runs_vary_alike_everywhere(void **state) {
    (void)state;
    const struct be_wait_odds none = even(0, 0);
    struct be_wait_odds runs = even(1, 1);
    struct be_decide_place place[] = {place_of("gpu", 1, &none, HOUR),
                                      place_of("cpu", 0, &none, 1.5 * HOUR)};
    for (int i = BE_ODDS_POINTS / 2; i < BE_ODDS_POINTS; i++) {
        runs.wait_s[i] = 2;
    }
    place[0].runs = place[1].runs = &runs;
    const struct be_decision d = decide(place, 2, 1.7 * HOUR);
    assert_within(d.row[0].p_first, 1, 0);
    assert_within(d.row[0].p_deadline, 0.5, 0.02);
    assert_within(d.row[0].busy.q90_s, 2 * HOUR, 1);
}

static void wrong_use_is_said(void **state) {
    (void)state;
    struct be_decision d;
    struct be_error error = {0};
    struct be_decide_place place = place_of("cpu", 0, NULL, NAN);
    assert_int_equal(be_decide(&place, 0, NAN, &d, &error), BE_USAGE);
    assert_int_equal(be_decide(&place, 1, NAN, &d, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "cpu"));
    place.compute = exactly(0);
    assert_int_equal(be_decide(&place, 1, NAN, &d, &error), BE_USAGE);
}

/* ---- words ---------------------------------------------------------------------------------- */

static void answer_of(const struct be_decide_place *place, int places, char *text,
                      size_t capacity) {
    struct be_decide_table table = {.place = place, .decision = decide(place, places, NAN)};
    struct be_error error = {0};
    FILE *out = fmemopen(text, capacity, "w");
    assert_non_null(out);
    assert_int_equal(be_decide_write(&table, BE_TEXT, out, &error), BE_OK);
    fclose(out);
}

static void sentence_names_the_reason(void **state) {
    (void)state;
    char text[4096];
    const struct be_wait_odds long_wait = even(6 * HOUR, 6 * HOUR), none = even(0, 0);
    const struct be_decide_place place[] = {place_of("1 GPU", 1, &long_wait, 6 * MINUTE),
                                            place_of("64 cores", 0, &none, 3 * HOUR)};
    answer_of(place, 2, text, sizeof text);
    for (char *c = text; *c; c++) { /* lines of a paragraph after its first begin with two blanks */
        if (strncmp(c, "\n  ", 3) == 0) {
            memmove(c, c + 2, strlen(c + 2) + 1);
        }
    }
    assert_non_null(
        strstr(text, "First is 64 cores on there: 1 GPU on there computes 30.0 x as fast"));
    assert_non_null(strstr(text, "waits 6.0 h in the median"));
    assert_non_null(strstr(text, "yours is 3.0 h"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpu_waits_less),
        cmocka_unit_test(gpu_waits_longer_and_wins),
        cmocka_unit_test(gpu_wins_without_waiting),
        cmocka_unit_test(here_needs_no_wait),
        cmocka_unit_test(two_alike_are_close),
        cmocka_unit_test(wide_times_are_close),
        cmocka_unit_test(deadline_prefers_what_is_sure),
        cmocka_unit_test(waits_decide_between_gpus),
        cmocka_unit_test(ignoring_waits_changes_nothing),
        cmocka_unit_test(unknown_waits_come_last),
        cmocka_unit_test(only_one_place),
        cmocka_unit_test(load_counts_everywhere),
        cmocka_unit_test(parts_are_added_by_sampling),
        cmocka_unit_test(costs_are_of_the_place),
        cmocka_unit_test(one_basis_errs_together),
        cmocka_unit_test(runs_of_the_past_are_quantiles),
        cmocka_unit_test(runs_vary_alike_everywhere),
        cmocka_unit_test(wrong_use_is_said),
        cmocka_unit_test(sentence_names_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
