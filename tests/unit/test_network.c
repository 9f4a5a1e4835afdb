/* Exchanges between nodes: against times that follow by hand from latency and bandwidth. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "decide/network.h"

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected))) {
        fail_msg("%.17g instead of %.17g", value, expected);
    }
}

static double typical(const struct be_network *network, struct be_exchange exchange, int nodes) {
    return be_exchange_s(network, &exchange, nodes).typical_s;
}

/* 10 GB/s, 2 us. */
static void by_hand(void **state) {
    (void)state;
    const struct be_network n = be_network_measured(10, 2);
    const struct be_exchange large = {.reduce_bytes = 4e9, .reduces = 3},
                             small = {.reduce_bytes = 8, .reduces = 1000},
                             halo = {.halo_bytes = 1e6, .halos = 50};
    assert_near(typical(&n, halo, 2), 50 * (2e-6 + 1e-4));
    assert_near(typical(&n, halo, 64), typical(&n, halo, 2));            /* neighbours only */
    assert_near(typical(&n, large, 4), 3 * 2 * 3 * (2e-6 + 1e9 / 10e9)); /* the ring */
    assert_near(typical(&n, small, 8), 1000 * 3 * (2e-6 + 8 / 10e9));    /* doubling */
    assert_near(typical(&n, large, 1), 0);
    const struct be_exchange both = {4e9, 3, 1e6, 50};
    assert_near(typical(&n, both, 4), typical(&n, large, 4) + typical(&n, halo, 4));
    assert_false(be_exchange_any(&(struct be_exchange){0}));
}

/* A ring sends twice the bytes at most, however many nodes there are. */
static void a_ring_sends_them_twice(void **state) {
    (void)state;
    const struct be_network n = be_network_measured(10, 1e-3);
    const struct be_exchange e = {.reduce_bytes = 10e9, .reduces = 1};
    assert_near(typical(&n, e, 2), 1 + 1e-9);
    assert_true(typical(&n, e, 1000) < 2.01 && typical(&n, e, 1000) > 1.99);
}

static void named(void **state) {
    (void)state;
    struct be_network one, four;
    const struct be_exchange e = {.halo_bytes = 1e12, .halos = 1};
    assert_true(be_network_named("HDR200", &one));
    assert_true(be_network_named("4xhdr200", &four));
    assert_near(one.byte_s.lo_s, 1 / 25e9);
    assert_near(four.byte_s.lo_s, 1 / 100e9);
    assert_string_equal(four.name, "4xhdr200");
    const struct be_predict_time t = be_exchange_s(&one, &e, 2);
    assert_true(t.lo_s < t.typical_s && t.typical_s < t.hi_s);
    for (size_t i = 0; be_network_word(i); i++) {
        assert_true(be_network_named(be_network_word(i), &one) && !one.guess);
    }
    static const char *const none[] = {"", "x", "hdr", "0xhdr200", "17xhdr200", "4x", "4 hdr200"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_false(be_network_named(none[i], &one));
    }
}

/* Every fabric's typical time lies in the interval of a guess. */
static void a_guess_has_them_all(void **state) {
    (void)state;
    const struct be_network any = be_network_unknown();
    assert_true(any.guess);
    for (size_t i = 0; be_network_word(i); i++) {
        struct be_network n;
        assert_true(be_network_named(be_network_word(i), &n));
        assert_true(n.byte_s.typical_s >= any.byte_s.lo_s && n.byte_s.typical_s <= any.byte_s.hi_s);
        assert_true(n.message_s.typical_s <= any.message_s.hi_s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(a_ring_sends_them_twice),
        cmocka_unit_test(named),
        cmocka_unit_test(a_guess_has_them_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
