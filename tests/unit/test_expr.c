/* Formulas: their values against plain C, the part that each array has, and what is wrong with texts that are none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expr/expr.h"

enum { N = 300 }; /* two blocks of the interpreter, and a part */

static struct be_error error;
static double x[N], y[N], w[N];

static void fill(void) {
    static const double some[] = {0.25, 1, -1.5, 0, 2.5, 0.75, -0.5, 3, 1e-3};
    for (int i = 0; i < N; i++) {
        x[i] = some[i % 9];
        y[i] = some[i / 9 % 9];
        w[i] = some[i / 4 % 9];
    }
}

static struct be_expr *opened(const char *text) {
    struct be_expr *expr = NULL;
    struct be_expr_fault fault;
    if (be_expr_open(text, BE_EXPR_EACH, &expr, &fault, &error) != BE_OK) {
        fail_msg("%s: at %zu: %s", text, fault.at, error.text);
    }
    return expr;
}

static int index_of(const struct be_computation *c, const char *name) {
    for (int k = 0; k < c->arrays; k++) {
        if (strcmp(c->array[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/* Values of `name`, of N elements of doubles, in two calls; x, y and w are as fill has them. */
static void evaluate(const char *text, const char *name, double out[N]) {
    struct be_expr *expr = opened(text);
    const struct be_computation *c = be_expr_computation(expr);
    static double place[BE_OWN_ARRAYS_MAX][N];
    void *array[BE_OWN_ARRAYS_MAX];
    const uint64_t n = N;
    for (int k = 0; k < c->arrays; k++) {
        const char *word = c->array[k].name;
        array[k] = place[k];
        memset(place[k], 0x7f, sizeof place[k]);
        if (c->array[k].role != BE_OWN_WRITTEN) {
            memcpy(place[k], *word == 'x' ? x : *word == 'y' ? y : w, sizeof x);
        }
    }
    for (int part = 0; part < 2; part++) {
        const struct be_call call = {.self = c->self,
                                     .value = &n,
                                     .array = array,
                                     .first = part ? 77 : 0,
                                     .count = part ? N - 77 : 77,
                                     .thread = part,
                                     .threads = 2,
                                     .float64 = true};
        (c->reference)(&call);
    }
    assert_true(index_of(c, name) >= 0);
    memcpy(out, place[index_of(c, name)], sizeof place[0]);
    be_expr_close(expr);
}

/* ---- values --------------------------------------------------------------------------------- */

/* A formula that C reads as the same, of doubles. */
#define SAME_IN_C(X)                                                                               \
    X(sum, x + y)                                                                                  \
    X(difference, x - y)                                                                           \
    X(product, x *y)                                                                               \
    X(quotient, x / y)                                                                             \
    X(less, x < y)                                                                                 \
    X(less_equal, x <= y)                                                                          \
    X(more, x > y)                                                                                 \
    X(more_equal, x >= y)                                                                          \
    X(equal, x == y)                                                                               \
    X(unequal, x != y)                                                                             \
    X(both, x &&y)                                                                                 \
    X(either, x || y)                                                                              \
    X(minus, -x)                                                                                   \
    X(plus, +x)                                                                                    \
    X(not, !x)                                                                                     \
    X(not_not, !!x + - -y)                                                                         \
    X(left_of_minus, x - y - w)                                                                    \
    X(left_of_divide, x / y / w)                                                                   \
    X(left_of_both, x / y * w)                                                                     \
    X(product_first, x + y * w - x / 2.0)                                                          \
    X(brackets, (x + y) * (w - x))                                                                 \
    X(sum_before_order, x + 1.0 < y - w)                                                           \
    X(order_before_equal, x < y == y < w)                                                          \
    X(equal_before_and, x == y && y == w)                                                          \
    X(and_before_or, x || y && w)                                                                  \
    X(minus_before_product, -x *y)                                                                 \
    X(not_before_less, !x < y)                                                                     \
    X(choice, x < y ? x : 2.0 * y)                                                                 \
    X(choice_of_or, x || y ? 1.0 : 2.0)                                                            \
    X(choice_right, x < 0.0 ? 1.0 : y < 0.0 ? 2.0 : w)                                             \
    X(choice_middle, x > 0.0 ? y > 0.0 ? 1.0 : 2.0 : 3.0)                                          \
    X(numbers, 1e-3 * x + .5 * y + 2. * w + 0x10)                                                  \
    X(index, i *x)                                                                                 \
    X(size, (i + 0.5) / n)                                                                         \
    X(nested, pow(fabs(x) + 1.0, fmin(y, fmax(w, 0.1))))                                           \
    X(power, pow(x, y))                                                                            \
    X(root, sqrt(fabs(x)))                                                                         \
    X(cube_root, cbrt(x))                                                                          \
    X(exponential, exp(x))                                                                         \
    X(exponential2, exp2(x))                                                                       \
    X(exponential_less, expm1(x))                                                                  \
    X(logarithm, log(fabs(y) + 0.1))                                                               \
    X(logarithm2, log2(fabs(y) + 0.1))                                                             \
    X(logarithm10, log10(fabs(y) + 0.1))                                                           \
    X(logarithm_more, log1p(fabs(y)))                                                              \
    X(sine, sin(x))                                                                                \
    X(cosine, cos(x))                                                                              \
    X(tangent, tan(x))                                                                             \
    X(arc_sine, asin(x / 4.0))                                                                     \
    X(arc_cosine, acos(x / 4.0))                                                                   \
    X(arc_tangent, atan(x))                                                                        \
    X(angle, atan2(x, y))                                                                          \
    X(hyperbolic_sine, sinh(x))                                                                    \
    X(hyperbolic_cosine, cosh(x))                                                                  \
    X(hyperbolic_tangent, tanh(x))                                                                 \
    X(area_sine, asinh(x))                                                                         \
    X(area_cosine, acosh(fabs(x) + 1.0))                                                           \
    X(area_tangent, atanh(x / 4.0))                                                                \
    X(error_function, erf(x))                                                                      \
    X(error_rest, erfc(x))                                                                         \
    X(remainder, fmod(x, y))                                                                       \
    X(hypotenuse, hypot(x, y))                                                                     \
    X(sign, copysign(x, y))                                                                        \
    X(fused, fma(x, y, w))                                                                         \
    X(least, fmin(x, y))                                                                           \
    X(most, fmax(x, y))                                                                            \
    X(down, floor(3.0 * x))                                                                        \
    X(up, ceil(3.0 * x))                                                                           \
    X(nearest, round(3.0 * x))                                                                     \
    X(cut, trunc(3.0 * x))                                                                         \
    X(size_of, fabs(x))

#define FUNCTION(name, e)                                                                          \
    static double plain_##name(double x, double y, double w, double i, double n) {                 \
        (void)x, (void)y, (void)w, (void)i, (void)n;                                               \
        return e;                                                                                  \
    }
#define LINE(name, e) {"z = " #e, plain_##name},

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas" /* each compiler knows some of these */
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored                                                                     \
    "-Wparentheses" /* what they would say of precedence is what is tested */
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wfloat-equal"
SAME_IN_C(FUNCTION)
#pragma GCC diagnostic pop

/* The same by plain C, in other words. */
static double plain_modulo(double a, double b, double c, double i, double n) {
    (void)c, (void)i, (void)n;
    return fmod(a, b) * 2;
}
static double plain_third(double a, double b, double c, double i, double n) {
    (void)b, (void)c, (void)i, (void)n;
    return a / 3 + 0.5;
}
static double plain_others(double a, double b, double c, double i, double n) {
    (void)i, (void)n;
    return fmin(a, b) + 10 * fmax(b, c) + 100 * fabs(a) + pow(10, b) + 1 / sqrt(fabs(c) + 1);
}
static double plain_pi(double a, double b, double c, double i, double n) {
    (void)b, (void)c, (void)i, (void)n;
    return 2 * acos(-1) * a * 0.5;
}

static const struct {
    const char *text;
    double (*plain)(double x, double y, double w, double i, double n);
} formula[] = {SAME_IN_C(LINE){"z = x % y * 2", plain_modulo},
               {"z=x/3+1/2", plain_third},
               {" z = min(x,y) + 10*max(y, w)\n + 100*abs( x )+exp10(y) + rsqrt(fabs(w) + 1) ; ",
                plain_others},
               {"z = 2*pi*x*0.5f", plain_pi},
               {"t = x + y; u = t*t; z = u - t", NULL}};

static bool is_near(double value, double right) {
    return (isnan(value) && isnan(right)) || value == right ||
           fabs(value - right) <= 1e-14 * fabs(right);
}

static void test_values(void **state) {
    (void)state;
    static double z[N];
    for (size_t f = 0; f < sizeof formula / sizeof *formula; f++) {
        evaluate(formula[f].text, "z", z);
        for (int i = 0; i < N; i++) {
            const double t = x[i] + y[i];
            const double right =
                formula[f].plain ? formula[f].plain(x[i], y[i], w[i], i, N) : t * t - t;
            if (!is_near(z[i], right)) {
                fail_msg("%s: x %g, y %g, w %g, i %d: %.17g instead of %.17g", formula[f].text,
                         x[i], y[i], w[i], i, z[i], right);
            }
        }
    }
}

static void test_what_is_assigned_counts_from_there_on(void **state) {
    (void)state;
    static double z[N], updated[N];
    evaluate("z = x; x = x + y; x = 2*x; z = z - x", "z", z);
    evaluate("z = x; x = x + y; x = 2*x; z = z - x", "x", updated);
    for (int i = 0; i < N; i++) {
        assert_true(is_near(updated[i], 2 * (x[i] + y[i])));
        assert_true(is_near(z[i], x[i] - 2 * (x[i] + y[i])));
    }
}

/* ---- arrays --------------------------------------------------------------------------------- */

static void expect_roles(const char *text, const char *roles) {
    struct be_expr *expr = opened(text);
    const struct be_computation *c = be_expr_computation(expr);
    char found[128] = "";
    for (int k = 0; k < c->arrays; k++) {
        static const char *const role[] = {"read", "written", "updated"};
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s %s", k ? ", " : "",
                 c->array[k].name, role[c->array[k].role]);
        assert_int_equal(c->array[k].element, BE_OWN_REAL);
    }
    assert_string_equal(found, roles);
    be_expr_close(expr);
}

static void test_roles(void **state) {
    (void)state;
    expect_roles("z = pow(x, y) + 0.5f*x", "x read, y read, z written");
    expect_roles("y = 2.5*x + y", "x read, y updated");
    expect_roles("y = 2*x; z = y*y", "x read, y written, z written");
    expect_roles("x = x*x; y = x", "x updated, y written");
    expect_roles("z = i/n + pi", "z written");
    expect_roles("z = sin(sin); sin = 1", "sin updated, z written");
}

/* An element's place counts where `i` is read: then it is none of many alike. */
static void test_elementwise(void **state) {
    (void)state;
    struct be_expr *expr = opened("z = n*x");
    assert_true(be_expr_computation(expr)->elementwise);
    be_expr_close(expr);
    expr = opened("z = i*x");
    assert_false(be_expr_computation(expr)->elementwise);
    be_expr_close(expr);
}

static double operations_of(const char *text) {
    struct be_expr *expr = opened(text);
    const struct be_computation *c = be_expr_computation(expr);
    const uint64_t n = 10;
    const double operations = c->operations(c->self, &n);
    be_expr_close(expr);
    return operations;
}

static void test_operations(void **state) {
    (void)state;
    assert_true(operations_of("z = x") == 0);
    assert_true(operations_of("z = pow(x, y) + 0.5*x") == 30);
    assert_true(operations_of("z = fma(x, y, 1); w = z < 0 ? -z : z/2") == 30);
}

/* ---- one value of all elements ---------------------------------------------------------------- */

/* By the reference, of N elements. */
static double reduced(const char *text, enum be_expr_reduce reduce, const char *name) {
    struct be_expr *expr = NULL;
    struct be_expr_fault fault;
    void *array[BE_OWN_ARRAYS_MAX];
    double out[BE_OWN_ARRAYS_MAX] = {0};
    const uint64_t n = N;
    assert_int_equal(be_expr_open(text, reduce, &expr, &fault, &error), BE_OK);
    const struct be_computation *c = be_expr_computation(expr);
    for (int k = 0; k < c->arrays; k++) {
        const bool output = c->array[k].role != BE_OWN_READ;
        array[k] = output ? &out[k] : *c->array[k].name == 'x' ? x : y;
        assert_true(output == (c->array[k].count && c->array[k].count(c->self, &n) == 1));
    }
    const struct be_call call = {
        .self = c->self, .value = &n, .array = array, .count = N, .threads = 1, .float64 = true};
    c->reference(&call);
    assert_true(index_of(c, name) >= 0);
    const double value = out[index_of(c, name)];
    be_expr_close(expr);
    return value;
}

static void test_reduced(void **state) {
    (void)state;
    double sum = 0, squares = 0, least = INFINITY, most = -INFINITY, finite = INFINITY;
    for (int i = 0; i < N; i++) {
        const double difference = x[i] - y[i];
        sum += x[i] * y[i];
        squares += difference * difference;
        least = fmin(least, x[i] + y[i]);
        most = fmax(most, x[i] + y[i]);
        finite = fmin(finite, x[i] >= 0 ? sqrt(x[i]) : INFINITY);
    }
    assert_true(is_near(reduced("s = x*y", BE_EXPR_SUM, "s"), sum));
    assert_true(is_near(reduced("d = x - y; s = d*d", BE_EXPR_SUM, "s"), squares));
    assert_true(is_near(reduced("s = x + y; t = 2*x", BE_EXPR_MIN, "s"), least));
    assert_true(is_near(reduced("s = x + y", BE_EXPR_MAX, "s"), most));
    assert_true(is_near(reduced("s = sqrt(x)", BE_EXPR_MIN, "s"), finite)); /* NaN counts as none */
    assert_true(isnan(reduced("s = sqrt(x)", BE_EXPR_SUM, "s")));
}

/* A name that another one is made of helps, and is no output. */
static void test_helpers(void **state) {
    (void)state;
    static const struct {
        const char *text, *arrays;
    } of[] = {{"d = x - y; s = d*d", "x y s "},
              {"s = x; s = s + y", "x s y "},
              {"a = x; b = a; a = 2*b", "x a "},
              {"a = x; b = a", "x b "},
              {"a = x; b = y; c = a; d = c; ", "x y b d "}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        struct be_expr *expr = NULL;
        struct be_expr_fault fault;
        char found[64] = "";
        assert_int_equal(be_expr_open(of[k].text, BE_EXPR_SUM, &expr, &fault, &error), BE_OK);
        const struct be_computation *c = be_expr_computation(expr);
        for (int a = 0; a < c->arrays; a++) {
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s ", c->array[a].name);
        }
        assert_string_equal(found, of[k].arrays);
        be_expr_close(expr);
    }
}

static void test_reductions(void **state) {
    (void)state;
    struct be_expr *expr = NULL;
    struct be_expr_fault fault;
    enum be_expr_reduce reduce = BE_EXPR_EACH;
    assert_true(be_expr_reduce_find("max", &reduce));
    assert_int_equal(reduce, BE_EXPR_MAX);
    assert_false(be_expr_reduce_find("mean", &reduce));
    assert_int_equal(be_expr_open("z = x; y = y + 1", BE_EXPR_SUM, &expr, &fault, &error),
                     BE_USAGE);
    assert_int_equal(fault.at, 7);
    assert_non_null(strstr(error.text, "y is an array that is read: one value"));
}

/* ---- what is no formula --------------------------------------------------------------------- */

static void refuse(const char *text, size_t at, const char *words) {
    struct be_expr *expr = NULL;
    struct be_expr_fault fault = {99};
    assert_int_equal(be_expr_open(text, BE_EXPR_EACH, &expr, &fault, &error), BE_USAGE);
    assert_null(expr);
    if (fault.at != at || !strstr(error.text, words)) {
        fail_msg("%s: column %zu with \"%s\" was expected, not %zu with \"%s\"", text, at, words,
                 fault.at, error.text);
    }
}

static void test_faults(void **state) {
    (void)state;
    refuse("", 0, "an empty formula: NAME = FORMULA is expected");
    refuse("  \t", 3, "an empty formula");
    refuse("x + y", 2, "an assignment is expected: NAME = FORMULA");
    refuse("z == x", 2, "an assignment is expected");
    refuse("2 = x", 0, "an assignment is expected");
    refuse("z =", 3, "a name, a number or '(' is expected here");
    refuse("z = x +", 7, "a name, a number or '(' is expected here");
    refuse("z = x + * y", 8, "a name, a number or '(' is expected here");
    refuse("z = 2x", 5, "an operator is expected behind the number: 2*x, not 2x");
    refuse("z = x y", 6, "an operator or ';' is expected here");
    refuse("z = x ^ y", 6, "pow(a, b), not a ^ b");
    refuse("z = x ** y", 6, "pow(a, b), not a ** b");
    refuse("z = (x + y", 4, "this '(' is never closed");
    refuse("z = (x + y w)", 11, "an operator or ')' is expected here");
    refuse("z = x + y)", 9, "an operator or ';' is expected here");
    refuse("z = pow(x, y", 7, "this '(' is never closed");
    refuse("z = pow(x y)", 10, "',' or ')' is expected here");
    refuse("z = pow(x)", 4, "pow takes 2 values, not 1");
    refuse("z = sqrt(x, y)", 4, "sqrt takes 1 value, not 2");
    refuse("z = sqrt()", 4, "sqrt takes 1 value, not 0");
    refuse("z = pow(x, )", 11, "a name, a number or '(' is expected here");
    refuse("z = pow(, x)", 8, "a name, a number or '(' is expected here");
    refuse("z = x + sqr(y)", 8, "no function sqr (did you mean sqrt?); there are abs acos");
    refuse("z = Sin(y)", 4, "no function Sin (did you mean sin?)");
    refuse("z = gamma_of_it(y)", 4, "no function gamma_of_it; there are abs acos");
    refuse("z = x ? y", 9, "':' is expected here: a ? b : c");
    refuse("n = x", 0, "n cannot be assigned: it is the size");
    refuse("z = x; i = 2", 7, "i cannot be assigned: it is the index");
    refuse("pi = 3", 0, "pi cannot be assigned: it is the number pi");
    refuse("z = 1e999", 4, "a number that is too large");
    refuse("z = x = y", 6, "an operator or ';' is expected here");
    refuse("z += x", 2, "an assignment is expected");
    refuse("z = x[i]", 5, "an operator or ';' is expected here");
    refuse("z = \xC3\xA4", 4, "a name, a number or '(' is expected here");
    refuse("z = a + b + c + d + e + f + g + h", 0, "at most 8 arrays");
    refuse("a=a; b=b; c=c; d=d; e=e", 20, "at most 8 arrays; one that is read and assigned");
    refuse("a=1;a=1;a=1;a=1;a=1;a=1;a=1;a=1;a=1", 32, "at most 8 assignments");
    refuse("z = a_name_of_four_and_twenty_l", 4, "a name has at most 23 letters");
}

static void test_sizes(void **state) {
    (void)state;
    char text[2000] = "z = ";
    memset(text + 4, '(', 60);
    refuse(text, 52, "more than 48 levels");
    memset(text + 4, '-', 60);
    refuse(text, 51, "more than 48 levels");
    memset(text + 4, 'x', sizeof text - 5);
    struct be_expr *expr = NULL;
    struct be_expr_fault fault;
    assert_int_equal(be_expr_open(text, BE_EXPR_EACH, &expr, &fault, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "letters"));
    assert_true(fault.at < sizeof text);
    for (size_t i = 4; i <= 228; i += 2) {
        memcpy(text + i, i < 228 ? "x+" : "x\0", 2);
    }
    be_expr_close(opened(text)); /* long, and a formula */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_what_is_assigned_counts_from_there_on),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_elementwise),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_reduced),
        cmocka_unit_test(test_helpers),
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_sizes),
    };
    fill();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
