/* A formula's code: compiled for the CPU against the interpreter, and its kernel on PoCL. */
#include "breakeven_workload.h"

#include "pretend_ceilings.h" /* before names that it uses too */

#include "bench.h"
#include "expr/expr.h"

enum { N = 1003 };

static struct be_expr *opened_as(const char *text, enum be_expr_reduce reduce) {
    struct be_expr *expr = NULL;
    struct be_expr_fault fault;
    if (be_expr_open(text, reduce, &expr, &fault, &error) != BE_OK) {
        fail_msg("%s: at %zu: %s", text, fault.at, error.text);
    }
    return expr;
}

static struct be_expr *opened(const char *text) {
    return opened_as(text, BE_EXPR_EACH);
}

/* ---- compiled code -------------------------------------------------------------------------- */

/* The arrays of a call: inputs between 0.05 and 4, the same as float and as double. */
struct values {
    union {
        float narrow[N];
        double wide[N];
    } of[BE_OWN_ARRAYS_MAX];
    void *array[BE_OWN_ARRAYS_MAX];
};

static void fill(struct values *values, bool float64) {
    for (int k = 0; k < BE_OWN_ARRAYS_MAX; k++) {
        values->array[k] = &values->of[k];
        for (int i = 0; i < N; i++) {
            const float value = 0.05F + 3.95F * (float)((i * (k + 3)) % 997) / 997;
            if (float64) {
                values->of[k].wide[i] = (double)value;
            } else {
                values->of[k].narrow[i] = value;
            }
        }
    }
}

/* In two parts, as two threads have it. */
static void compute(const struct be_computation *c, struct values *values, bool float64,
                    bool reference) {
    const uint64_t n = N;
    for (int part = 0; part < 2; part++) {
        const struct be_call call = {.self = c->self,
                                     .value = &n,
                                     .array = values->array,
                                     .first = part ? 501 : 0,
                                     .count = part ? N - 501 : 501,
                                     .float64 = float64};
        (reference ? c->reference : c->cpu)(&call);
    }
}

/* The largest relative difference between compiled code and the tree in double precision. */
static double worst_of(const struct be_expr *expr, bool float64) {
    static struct values compiled, tree;
    const struct be_computation *c = be_expr_computation(expr);
    double worst = 0;
    fill(&compiled, float64);
    fill(&tree, float64);
    for (int k = 0; k < c->arrays && !float64; k++) {
        for (int i = N - 1; i >= 0 && c->array[k].role == BE_OWN_UPDATED; i--) {
            tree.of[k].wide[i] = (double)tree.of[k].narrow[i]; /* the reference's are doubles */
        }
    }
    compute(c, &compiled, float64, false);
    compute(c, &tree, float64, true);
    for (int k = 0; k < c->arrays; k++) {
        for (int i = 0; i < N && c->array[k].role != BE_OWN_READ; i++) {
            const double z = float64 ? compiled.of[k].wide[i] : (double)compiled.of[k].narrow[i];
            const double right = tree.of[k].wide[i];
            if (isnan(z) != isnan(right)) {
                return INFINITY;
            }
            if (!isnan(z) && z != right) {
                worst = fmax(worst, fabs(z - right) / fabs(right));
            }
        }
    }
    return worst;
}

static void compile(struct be_expr *expr) {
    const enum be_status status = be_expr_compile(expr, &error);
    if (status == BE_ABSENT) {
        be_expr_close(expr);
        skip();
    }
    CHECK(status);
}

/* At most so many units in the last place off: what glibc promises of its vector functions is 4, and the formula's last
 * rounding is half of one. */
static void expect_near(const char *text, double ulps) {
    struct be_expr *expr = opened(text);
    compile(expr);
    assert_string_equal(be_expr_computation(expr)->title, text);
    const double narrow = worst_of(expr, false), wide = worst_of(expr, true);
    if (!(narrow <= ulps * 0x1p-23) || !(wide <= ulps * 0x1p-52)) {
        fail_msg("%s: %.3g units in the last place as float32, %.3g as float64", text,
                 narrow * 0x1p23, wide * 0x1p52);
    }
    be_expr_close(expr);
}

/* Every function by itself, five of them in a formula: z0 = sin(x); z1 = pow(x, y); ... */
static void test_functions(void **state) {
    (void)state;
    static const char *const operands[] = {"x", "x, y", "x, y, w"};
    char names[BE_NOTE], text[BE_NOTE] = "";
    int count = 0, all = 0;
    be_expr_functions(names);
    for (char *word = strtok(names, " "); word; word = strtok(NULL, " "), all++) {
        struct be_expr *expr = NULL;
        struct be_expr_fault fault;
        char one[64];
        for (size_t i = 0; i < 3 && !expr; i++) {
            snprintf(one, sizeof one, "z%d = %s(%s);", count, word, operands[i]);
            be_expr_open(one, BE_EXPR_EACH, &expr, &fault, &error);
        }
        assert_non_null(expr);
        be_expr_close(expr);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s", one);
        if (++count == 5) {
            expect_near(text, 4.5);
            count = 0;
            text[0] = '\0';
        }
    }
    if (count) {
        expect_near(text, 4.5);
    }
    assert_true(all >= 40);
}

/* Sums of values above 0: no digits are lost. */
static void test_compiled(void **state) {
    (void)state;
    expect_near("z = pow(x,y) + 0.5f*x", 8);
    expect_near("z = x < y ? x*y : x/y; y = 2*y + (x >= 1) + !(x > 3 && y > 1); w = z + y", 8);
    expect_near("x = x + y; x = x*x; z = x + i/n + pi", 8);
    expect_near("z = x % y + 7 + (x == y) + (x != y || x <= 2) - -x", 8);
}

/* No compiler, or one that fails: the interpreted code stays, and is right. */
static void test_no_compiler(void **state) {
    (void)state;
    const char *before = getenv("CC");
    char *kept = before ? strdup(before) : NULL;
    struct be_expr *expr = opened("z = x*y");
    setenv("CC", "/nonexistent/cc", 1);
    expect_failure(be_expr_compile(expr, &error), BE_ABSENT,
                   "/nonexistent/cc: there is no such compiler here: install");
    setenv("CC", "false", 1);
    assert_int_equal(be_expr_compile(expr, &error), BE_IO);
    assert_non_null(strstr(error.text, "false"));
    assert_true(worst_of(expr, false) <= 0x1p-23 && worst_of(expr, true) <= 0x1p-52);
    assert_string_equal(be_expr_computation(expr)->title, "z = x*y (interpreted on the CPU)");
    be_expr_close(expr);
    if (kept) {
        setenv("CC", kept, 1);
    } else {
        unsetenv("CC");
    }
    free(kept);
}

/* ---- device code, on PoCL ------------------------------------------------------------------- */

static struct be_comparison compared;

/* Every case on the device and the CPU is right, at odd sizes; the test is left out where there is no device. */
static void expect_right(const char *text, enum be_expr_reduce reduce, const char *type,
                         bool compiled) {
    struct be_expr *expr = opened_as(text, reduce);
    if (compiled) {
        compile(expr);
    }
    const struct be_computation *const list[] = {be_expr_computation(expr)};
    const struct be_compare_options options = {.own = list,
                                               .owns = 1,
                                               .type = type,
                                               .device = {"opencl:0"},
                                               .devices = 1,
                                               .threads = {1, 3},
                                               .thread_counts = reduce ? 2 : 1,
                                               .size = {1, 4097, 193, 40001},
                                               .sizes = reduce ? 4 : 2,
                                               .cache = {[BE_HOT] = true},
                                               .no_refine = true,
                                               .budget_s = 1e-3};
    const enum be_status done = be_compare(&options, &compared, &error);
    if (done == BE_ABSENT && !getenv("BREAKEVEN_REQUIRE_OPENCL")) {
        be_expr_close(expr);
        skip();
    }
    CHECK(done);
    int there = 0, here = 0;
    for (size_t i = 0; i < compared.results; i++) {
        const struct be_result *r = &compared.result[i];
        if (r->status != BE_RESULT_OK && r->status != BE_RESULT_ABSENT) {
            fail_msg("%s, %s, %s, n = %g: %s", text, type, r->device, (double)r->size, r->note);
        }
        there += r->status == BE_RESULT_OK && strcmp(r->device, "opencl:0") == 0;
        here += r->status == BE_RESULT_OK && strcmp(r->device, "cpu") == 0;
    }
    assert_int_equal(there, 3 * options.sizes); /* three placements */
    assert_int_equal(here, options.thread_counts * options.sizes);
    be_comparison_free(&compared);
    be_expr_close(expr);
}

static const char *const on_devices[] = {
    "z = pow(x,y) + 0.5f*x",
    "y = 2.5*x + y",
    "z = i*x + n",
    "u = x < 0.5 ? -x : y/3; v = !u || x >= y && u != 2; x = x % 0.3 + pi",
    "a = abs(x) + acos(x) + acosh(x + 1) + asin(x) + asinh(x) + atan(x) + atan2(x, y) + "
    "atanh(x*0.9)",
    "a = cbrt(x) + ceil(x) + copysign(x, y) + cos(x) + cosh(x) + erf(x) + erfc(x) + exp(x)",
    "a = exp10(x) + exp2(x) + expm1(x) + fabs(x) + floor(x) + fma(x, y, x) + fmax(x, y) + "
    "fmin(x, y)",
    "a = fmod(x, y + 1) + hypot(x, y) + log(x + 1) + log10(x + 1) + log1p(x) + log2(x + 1)",
    "a = max(x, y) + min(x, y) + round(x*0.4) + rsqrt(x + 1) + sin(x) + sinh(x) + sqrt(x) + tan(x)",
    "a = tanh(x) + trunc(x*0.9)",
};

static void test_on_a_device(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof on_devices / sizeof *on_devices; i++) {
        expect_right(on_devices[i], BE_EXPR_EACH, "float32", false);
        expect_right(on_devices[i], BE_EXPR_EACH, "float64", false);
    }
}

/* The list above has every function. */
static void test_all_run_on_a_device(void **state) {
    (void)state;
    char names[BE_NOTE];
    be_expr_functions(names);
    for (char *word = strtok(names, " "); word; word = strtok(NULL, " ")) {
        char call[32];
        bool found = false;
        snprintf(call, sizeof call, " %s(", word);
        for (size_t i = 0; i < sizeof on_devices / sizeof *on_devices; i++) {
            found |= strstr(on_devices[i], call) != NULL;
        }
        if (!found) {
            fail_msg("%s: no formula has it", word);
        }
    }
}

/* One value of all elements: on the CPU by one thread and by three, and on the device by groups. */
static void test_reduced(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum be_expr_reduce reduce;
    } of[] = {{"s = x*y", BE_EXPR_SUM},
              {"d = x - y; s = d*d; m = fabs(d) + 1", BE_EXPR_SUM},
              {"s = i*x + n", BE_EXPR_SUM},
              {"s = x + 0.5; t = 3 - x", BE_EXPR_MIN},
              {"s = -x - 1", BE_EXPR_MIN},
              {"s = x + 0.5; t = -x - 7", BE_EXPR_MAX},
              {"s = i == 0 || x < 0.5 ? 7 : sqrt(-1 - x)", BE_EXPR_MAX}}; /* NaN counts as none */
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        expect_right(of[k].text, of[k].reduce, "float32", k % 2 == 0);
        expect_right(of[k].text, of[k].reduce, "float64", k % 2 == 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),           cmocka_unit_test(test_compiled),
        cmocka_unit_test(test_no_compiler),         cmocka_unit_test(test_on_a_device),
        cmocka_unit_test(test_all_run_on_a_device), cmocka_unit_test(test_reduced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
