/* Formulas of n: values by hand, powers, and where a text is no such formula. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "expr/scalar.h"

static double value(const char *text, double n) {
    struct be_scalar *scalar;
    struct be_expr_fault fault;
    struct be_error error;
    assert_int_equal(be_scalar_open(text, &scalar, &fault, &error), BE_OK);
    const double result = be_scalar_value(scalar, n);
    be_scalar_close(scalar);
    return result;
}

static bool is_none(double number) {
    return !(fabs(number) < INFINITY);
}

static void refuse(const char *text, size_t at, const char *says) {
    struct be_scalar *scalar;
    struct be_expr_fault fault;
    struct be_error error;
    assert_int_equal(be_scalar_open(text, &scalar, &fault, &error), BE_USAGE);
    assert_null(scalar);
    assert_int_equal(fault.at, at);
    assert_non_null(strstr(error.text, says));
}

static void values_are_those_by_hand(void **state) {
    (void)state;
    assert_true(value("2*n^3", 10) == 2000);
    assert_true(value("24*n^2 + 8*n", 3) == 240);
    assert_true(value("7", 5) == 7);
    assert_true(value("n*log2(n)", 8) == 24);
    assert_true(value("n < 100 ? 1 : n/100", 50) == 1);
    assert_true(value("n < 100 ? 1 : n/100", 500) == 5);
    assert_true(value("max(n, 10)", 3) == 10);
    assert_true(value("fma(n, n, 1)", 3) == 10);
}

static void a_power_binds_closer_than_a_sign_and_from_the_right(void **state) {
    (void)state;
    assert_true(value("-n^2", 3) == -9);
    assert_true(value("2^n^2", 3) == 512);
    assert_true(value("2*n^-1", 4) == 0.5);
    assert_true(value("(n+1)^2/2", 3) == 8);
}

static void no_value_is_not_finite(void **state) {
    (void)state;
    assert_true(is_none(value("1/(n-1)", 1)));
    assert_true(is_none(value("1e300*n^9", 1e9)));
    assert_true(is_none(value("sqrt(n-2)", 1)));
    assert_true(is_none(value("n*2", NAN)));
}

static void what_is_no_formula_of_n_is_refused_where_it_is(void **state) {
    (void)state;
    refuse("2*m^2", 2, "m is not known");
    refuse("n*i", 2, "i is not known");
    refuse("2*n^", 4, "expected");
    refuse("2*(n", 2, "never closed");
    refuse("2n", 1, "2*x");
    refuse("n; n", 1, "one formula");
    refuse("powr(n, 2)", 0, "did you mean");
    refuse("", 0, "expected");
    char deep[400] = "";
    memset(deep, '^', sizeof deep - 1);
    for (size_t i = 0; i + 1 < sizeof deep; i += 2) {
        deep[i] = 'n';
    }
    deep[200] = '\0';
    refuse(deep, 95, "levels");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_by_hand),
        cmocka_unit_test(a_power_binds_closer_than_a_sign_and_from_the_right),
        cmocka_unit_test(no_value_is_not_finite),
        cmocka_unit_test(what_is_no_formula_of_n_is_refused_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
