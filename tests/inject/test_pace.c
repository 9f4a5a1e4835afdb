/* When the injected library looks, from made-up counts of records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pace.h"

/* Share of `turns` turns of 0.2 s that were looked at, at so many records a second while looking. */
static double looked_at(double share, double records_s, int turns, int *windows) {
    struct pace pace = pace_begin(share, share);
    double records = 0;
    int open = 0;
    *windows = 1;
    for (int i = 0; i < turns; i++) {
        open += pace.open;
        records += pace.open ? 0.2 * records_s : 0;
        *windows += pace_next(&pace, 0.2, (uint64_t)records) == PACE_OPENS;
    }
    return (double)open / turns;
}

static void few_records_are_all_seen(void **state) {
    (void)state;
    int windows = 0;
    assert_true(looked_at(0.03, 5000, 1000, &windows) == 1);
    assert_int_equal(windows, 1);
    assert_true(looked_at(0.03, 0, 1000, &windows) == 1);
}

/* 5 us a record: 75,000 a second cost 37.5 %, so of the time 8 % may be looked at. */
static void many_are_seen_in_windows(void **state) {
    (void)state;
    int windows = 0;
    double share = looked_at(0.03, 75000, 10000, &windows);
    assert_true(share > 0.06 && share <= 0.08);
    assert_true(windows > 500);
    assert_true(looked_at(0.03, 12000, 10000, &windows) <= 0.5);
    assert_true(looked_at(1000, 1e6, 100, &windows) == 1);
}

/* A short program needs some windows soon, and a long one few. */
static void rarer_later(void **state) {
    (void)state;
    struct pace pace = pace_begin(0.02, 0.005);
    double records = 0, begin_s = 0, between_s[8] = {0};
    int windows = 0;
    for (int i = 0; i < 10000 && windows < 8; i++) {
        records += pace.open ? 0.2 * 20000 : 0;
        begin_s += 0.2;
        if (pace_next(&pace, 0.2, (uint64_t)records) == PACE_OPENS) {
            between_s[windows++] = begin_s;
            begin_s = 0;
        }
    }
    assert_int_equal(windows, 8);
    for (int i = 0; i < 4; i++) { /* 20 ms of 1 s, of 4 s */
        assert_true(between_s[i] > 0.7 && between_s[i] < 1.4);
        assert_true(between_s[i + 4] > 3.5 && between_s[i + 4] < 4.5);
    }
}

/* However many there are, it looks again: every 10 s. */
static void none_is_forgotten(void **state) {
    (void)state;
    int windows = 0;
    assert_true(looked_at(1e-9, 1e6, 1000, &windows) > 0);
    assert_true(windows >= 19);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_records_are_all_seen),
        cmocka_unit_test(many_are_seen_in_windows),
        cmocka_unit_test(rarer_later),
        cmocka_unit_test(none_is_forgotten),
    };
    return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
