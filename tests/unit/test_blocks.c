/* The interval of a quantile of waits that come in weather, held against a bootstrap of whole weeks or days. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "accounting/blocks.h"
#include "noise.h"

enum { DAYS_MAX = 280, A_DAY = 60, DRAWS = 1500 };

struct made {
    int days;
    uint32_t wait_s[DAYS_MAX][A_DAY];
};

/* All jobs of `together` days share most of the logarithm of their wait. */
static void make(struct made *made, int days, int together, double shared, uint64_t seed) {
    double common = 0;
    made->days = days;
    for (int day = 0; day < days; day++) {
        common = day % together ? common : normal(&seed);
        for (int i = 0; i < A_DAY; i++) {
            made->wait_s[day][i] =
                (uint32_t)exp(7 + shared * common + sqrt(1 - shared * shared) * normal(&seed));
        }
    }
}

static int by_value(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

static double quantile_of(double *value, int count, double q) {
    qsort(value, (size_t)count, sizeof *value, by_value);
    return value[(int)(q * (count - 1))];
}

/* The width of the 95 % interval of a bootstrap that draws whole blocks, as logarithms. */
static double bootstrap(const struct made *made, int block_days, double q) {
    static double drawn[DAYS_MAX * A_DAY], result[DRAWS];
    const int blocks = made->days / block_days;
    uint64_t seed = 99;
    for (int draw = 0; draw < DRAWS; draw++) {
        int count = 0;
        for (int k = 0; k < blocks; k++) {
            const int block = (int)(uniform(&seed) * blocks);
            for (int day = block * block_days; day < (block + 1) * block_days; day++) {
                for (int i = 0; i < A_DAY;
                     i += 4) { /* a quarter: between blocks they differ much more */
                    drawn[count++] = made->wait_s[day][i];
                }
            }
        }
        result[draw] = log(quantile_of(drawn, count, q));
    }
    qsort(result, DRAWS, sizeof *result, by_value);
    return result[(int)(0.975 * DRAWS)] - result[(int)(0.025 * DRAWS)];
}

/* Ours, and the one of waits that have nothing in common. */
static void intervals(const struct made *made, double q, double *ours, double *alone) {
    struct be_waits waits = {0};
    struct be_wait_blocks blocks = {0};
    double value_s, lo_s, hi_s;
    const int64_t monday = 19720 - 19720 % 7;
    for (int day = 0; day < made->days; day++) {
        for (int i = 0; i < A_DAY; i++) {
            assert_true(be_waits_add(&waits, made->wait_s[day][i], 1));
            assert_true(be_wait_blocks_add(&blocks, monday + day, made->wait_s[day][i], 1));
        }
    }
    assert_true(be_waits_quantile(&waits, q, &value_s, &lo_s, &hi_s));
    *alone = log(hi_s) - log(lo_s);
    assert_true(
        be_waits_between(&waits, q, be_wait_blocks_half(&blocks, q, value_s), &lo_s, &hi_s));
    assert_true(lo_s <= value_s && value_s <= hi_s);
    *ours = log(hi_s) - log(lo_s);
    be_waits_free(&waits);
    be_wait_blocks_free(&blocks);
}

static void test_waits_that_go_together_are_less_sure(void **state) {
    (void)state;
    static struct made made;
    static const double q[] = {0.5, 0.25, 0.75};
    for (size_t i = 0; i < sizeof q / sizeof *q; i++) {
        double ours, alone;
        make(&made, DAYS_MAX, 7, 0.8, i + 1);
        intervals(&made, q[i], &ours, &alone);
        const double brute = bootstrap(&made, 7, q[i]);
        assert_true(ours > 0.7 * brute && ours < 1.5 * brute);
        assert_true(alone < brute / 5);
    }
}

/* Within two months blocks are days, and neighbours are held to go together. */
static void test_some_weeks_of_days(void **state) {
    (void)state;
    static struct made made;
    double ours, alone;
    make(&made, 49, 1, 0.8, 5);
    intervals(&made, 0.5, &ours, &alone);
    const double brute = bootstrap(&made, 1, 0.5);
    assert_true(ours > 0.6 * brute && ours < 2 * brute);
    assert_true(alone < brute / 3);
    make(&made, 49, 7, 0.8, 6);
    intervals(&made, 0.5, &ours, &alone);
    const double weeks = bootstrap(&made, 7, 0.5);
    assert_true(ours > 0.6 * weeks && ours < 2.5 * weeks);
}

static void test_waits_with_nothing_in_common_are_as_sure_as_ever(void **state) {
    (void)state;
    static struct made made;
    double ours, alone;
    make(&made, DAYS_MAX, 7, 0, 3);
    intervals(&made, 0.5, &ours, &alone);
    assert_true(ours >= alone && ours < 1.6 * alone);
}

static void test_too_few_days_say_nothing(void **state) {
    (void)state;
    struct be_wait_blocks blocks = {0};
    for (int day = 0; day < 3; day++) {
        for (uint32_t i = 0; i < 1000; i++) {
            assert_true(be_wait_blocks_add(&blocks, 20000 + day, i, 1));
        }
    }
    assert_true(isnan(be_wait_blocks_half(&blocks, 0.5, 499.5)));
    be_wait_blocks_free(&blocks);
}

/* Days, weeks and years apart, before 1970 too; joined and merged they count what was put in. */
static void test_blocks_join(void **state) {
    (void)state;
    struct be_wait_blocks a = {0}, b = {0}, empty = {0};
    uint64_t sum = 0;
    for (int i = 0; i < 400; i++) {
        assert_true(be_wait_blocks_add(i % 2 ? &a : &b, (i - 100) * (i % 2 ? 1 : 40),
                                       UINT32_MAX >> (i % 32), 2));
    }
    assert_true(a.days == 7 && b.days > 28);
    assert_true(be_wait_blocks_merge(&a, &b) && be_wait_blocks_merge(&a, &empty));
    assert_int_equal(a.days, b.days);
    for (int i = 0; i < a.blocks; i++) {
        for (int bin = 0; a.count[i] && bin < 128; bin++) {
            sum += a.count[i][bin];
        }
    }
    assert_int_equal(sum, 800);
    be_wait_blocks_free(&a);
    be_wait_blocks_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waits_that_go_together_are_less_sure),
        cmocka_unit_test(test_some_weeks_of_days),
        cmocka_unit_test(test_waits_with_nothing_in_common_are_as_sure_as_ever),
        cmocka_unit_test(test_too_few_days_say_nothing),
        cmocka_unit_test(test_blocks_join),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
