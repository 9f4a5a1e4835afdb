/* Quantiles of waits, and names that keep their numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
#include "slice.h"
#include "accounting/names.h"
#include "accounting/waits.h"

static int by_value(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

static void test_quantiles_are_exact(void **state) {
    (void)state;
    enum { WAITS = 50000 };
    static uint32_t value[WAITS];
    struct be_waits waits = {0}, merged = {0};
    uint64_t random = 1;
    for (int i = 0; i < WAITS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        value[i] = (uint32_t)(random >> 40) % (i % 3 ? 100 : 4000000);
        assert_true(be_waits_add(&waits, value[i], 1));
    }
    assert_true(be_waits_merge(&merged, &waits));
    qsort(value, WAITS, sizeof *value, by_value);
    const double q[] = {0.001, 0.1, 0.25, 0.5, 0.9, 0.999};
    for (size_t i = 0; i < BE_COUNT(q); i++) {
        double rank = q[i] * (WAITS - 1), got, lo, hi;
        size_t low = (size_t)rank;
        double expected = value[low] + (rank - floor(rank)) * (value[low + 1] - value[low]);
        assert_true(be_waits_quantile(&waits, q[i], &got, &lo, &hi));
        assert_true(fabs(got - expected) < 1e-6);
        assert_true(lo <= got && got <= hi);
        assert_true(be_waits_quantile(&merged, q[i], &got, &lo, &hi));
        assert_true(fabs(got - expected) < 1e-6);
    }
    assert_true(waits.capacity < WAITS); /* equal ones are kept once */
    be_waits_free(&waits);
    be_waits_free(&merged);
}

static void test_few_waits(void **state) {
    (void)state;
    struct be_waits waits = {0};
    double value, lo, hi;
    assert_true(be_waits_quantile(&waits, 0.5, &value, &lo, &hi) && isnan(value));
    assert_true(be_waits_add(&waits, 7, 3) && be_waits_add(&waits, 10, 1));
    assert_true(be_waits_quantile(&waits, 0.5, &value, &lo, &hi));
    assert_true(value == 7 && isnan(hi));
    be_waits_free(&waits);
}

static void test_names_keep_their_numbers(void **state) {
    (void)state;
    struct be_idents idents = {0};
    char text[16];
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 3000; i++) {
            snprintf(text, sizeof text, "user%d", i);
            assert_int_equal(be_idents_add(&idents, slice(text)), i);
        }
    }
    assert_int_equal(be_idents_find(&idents, slice("user2999")), 2999);
    assert_int_equal(be_idents_find(&idents, slice("nobody")), -1);
    struct be_slice cut = {"ab\0c", 4};
    int number = be_idents_add(&idents, cut);
    assert_int_equal(be_idents_add(&idents, slice("ab")), number);
    be_idents_free(&idents);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantiles_are_exact),
        cmocka_unit_test(test_few_waits),
        cmocka_unit_test(test_names_keep_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
