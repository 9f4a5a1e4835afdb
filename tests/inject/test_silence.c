/* The meaning of a window without records, from made-up turns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "silence.h"

enum { TURN = 200 };

static uint64_t turns(struct silence *silence, int count, uint64_t records, uint64_t launches) {
    uint64_t looked_at = 0;
    for (int i = 0; i < count; i++) {
        looked_at += silence_turn(silence, TURN, records, launches);
    }
    return looked_at;
}

static void what_is_recorded_was_looked_at(void **state) {
    (void)state;
    struct silence silence = {0};
    assert_int_equal(turns(&silence, 3, 10, 10), 3 * TURN);
    assert_int_equal(turns(&silence, 3, 10, 1 << 20), 3 * TURN);
    assert_false(silence_is_blind(&silence));
    assert_int_equal(silence_end(&silence), 0);
}

static void who_rests_is_seen_to(void **state) {
    (void)state;
    struct silence silence = {0};
    assert_int_equal(turns(&silence, SILENCE_REST - 1, 0, 0), 0);
    assert_int_equal(turns(&silence, 1, 0, 0), SILENCE_REST * TURN);
    assert_int_equal(turns(&silence, 2, 0, 0), 0);
    assert_int_equal(silence_end(&silence), 2 * TURN);
    assert_false(silence_is_blind(&silence));
}

/* A queue of long kernels: their records come when a buffer is full, and are of all that time. */
static void what_comes_late_is_of_the_time_before(void **state) {
    (void)state;
    struct silence silence = {0};
    assert_int_equal(turns(&silence, 20, 0, 100), 0);
    assert_false(silence_is_blind(&silence));
    assert_int_equal(turns(&silence, 1, 2000, 100), 21 * TURN);
    assert_int_equal(turns(&silence, 2, 0, 100), 0);
    assert_int_equal(silence_end(&silence), 0); /* nothing came of it, at the end neither */
}

static void launches_without_records_are_blindness(void **state) {
    (void)state;
    struct silence silence = {0};
    assert_int_equal(turns(&silence, 1, 0, 0), 0);
    assert_int_equal(turns(&silence, 1, 0, SILENCE_LAUNCHES - 1), 0);
    assert_false(silence_is_blind(&silence));
    assert_int_equal(turns(&silence, 1, 0, 1), 0);
    assert_true(silence_is_blind(&silence));
    assert_int_equal(silence.blind, 1);
    assert_false(silence_is_blind(&silence));
    assert_int_equal(turns(&silence, 1, 0, SILENCE_LAUNCHES), 0);
    assert_true(silence_is_blind(&silence));
    assert_int_equal(silence.blind, 2);
    assert_int_equal(turns(&silence, 1, 1, 0), TURN); /* none of the time before */
    assert_int_equal(silence.blind, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_recorded_was_looked_at),
        cmocka_unit_test(who_rests_is_seen_to),
        cmocka_unit_test(what_comes_late_is_of_the_time_before),
        cmocka_unit_test(launches_without_records_are_blindness),
    };
    return cmocka_run_group_tests_name("silence", tests, NULL, NULL);
}
