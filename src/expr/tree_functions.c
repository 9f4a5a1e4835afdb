/* Operators and functions of formulas. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "expr/tree.h"

static double add(double a, double b) {
    return a + b;
}
static double subtract(double a, double b) {
    return a - b;
}
static double multiply(double a, double b) {
    return a * b;
}
static double divide(double a, double b) {
    return a / b;
}
static double less(double a, double b) {
    return a < b;
}
static double less_equal(double a, double b) {
    return a <= b;
}
static double more(double a, double b) {
    return a > b;
}
static double more_equal(double a, double b) {
    return a >= b;
}
static double equal(double a, double b) {
    return a == b;
}
static double unequal(double a, double b) {
    return a != b;
}
static double both(double a, double b) {
    return a != 0 && b != 0;
}
static double either(double a, double b) {
    return a != 0 || b != 0;
}
static double minus(double a) {
    return -a;
}
static double negation(double a) {
    return a == 0;
}
static double power_of_ten(double a) {
    return pow(10, a);
}
static double inverse_root(double a) {
    return 1 / sqrt(a);
}

static const struct be_expr_function operators[] = {
    {.name = "+", .operands = 2, .two = add, .operations = 1},
    {.name = "-", .operands = 2, .two = subtract, .operations = 1},
    {.name = "*", .operands = 2, .two = multiply, .operations = 1},
    {.name = "/", .operands = 2, .two = divide, .operations = 1},
    {.name = "%", .operands = 2, .host = "fmod", .device = "fmod", .two = fmod, .operations = 1},
    {.name = "<", .operands = 2, .two = less, .truth = true},
    {.name = "<=", .operands = 2, .two = less_equal, .truth = true},
    {.name = ">", .operands = 2, .two = more, .truth = true},
    {.name = ">=", .operands = 2, .two = more_equal, .truth = true},
    {.name = "==", .operands = 2, .two = equal, .truth = true},
    {.name = "!=", .operands = 2, .two = unequal, .truth = true},
    {.name = "&&", .operands = 2, .two = both, .truth = true},
    {.name = "||", .operands = 2, .two = either, .truth = true},
    {.name = "-", .operands = 1, .one = minus},
    {.name = "!", .operands = 1, .one = negation, .truth = true},
};

#define ONE(f)                                                                                     \
    { .name = #f, .operands = 1, .one = f, .operations = 1 }
#define TWO(f)                                                                                     \
    { .name = #f, .operands = 2, .two = f, .operations = 1 }

static const struct be_expr_function functions[] = {
    {.name = "abs", .operands = 1, .host = "fabs", .device = "fabs", .one = fabs},
    ONE(acos),
    ONE(acosh),
    ONE(asin),
    ONE(asinh),
    ONE(atan),
    TWO(atan2),
    ONE(atanh),
    ONE(cbrt),
    ONE(ceil),
    TWO(copysign),
    ONE(cos),
    ONE(cosh),
    ONE(erf),
    ONE(erfc),
    ONE(exp),
    {.name = "exp10", .operands = 1, .one = power_of_ten, .operations = 1},
    ONE(exp2),
    ONE(expm1),
    ONE(fabs),
    ONE(floor),
    {.name = "fma", .operands = 3, .three = fma, .operations = 2},
    TWO(fmax),
    TWO(fmin),
    TWO(fmod),
    TWO(hypot),
    ONE(log),
    ONE(log10),
    ONE(log1p),
    ONE(log2),
    {.name = "max", .operands = 2, .host = "fmax", .device = "fmax", .two = fmax, .operations = 1},
    {.name = "min", .operands = 2, .host = "fmin", .device = "fmin", .two = fmin, .operations = 1},
    TWO(pow),
    ONE(round),
    {.name = "rsqrt", .operands = 1, .host = "1/sqrt", .one = inverse_root, .operations = 1},
    ONE(sin),
    ONE(sinh),
    ONE(sqrt),
    ONE(tan),
    ONE(tanh),
    ONE(trunc),
};

const struct be_expr_function *be_expr_operator(const char *text, int operands) {
    for (size_t i = 0; i < BE_COUNT(operators); i++) {
        if (operators[i].operands == operands && strcmp(operators[i].name, text) == 0) {
            return &operators[i];
        }
    }
    return NULL;
}

const struct be_expr_function *be_expr_at(int i) {
    return i < (int)BE_COUNT(functions) ? &functions[i] : NULL;
}

const struct be_expr_function *be_expr_find(const char *name, size_t length) {
    for (size_t i = 0; i < BE_COUNT(functions); i++) {
        if (strlen(functions[i].name) == length && strncmp(functions[i].name, name, length) == 0) {
            return &functions[i];
        }
    }
    return NULL;
}

const char *be_expr_functions(char text[BE_NOTE]) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < BE_COUNT(functions); i++) {
        used +=
            (size_t)snprintf(text + used, BE_NOTE - used, "%s%s", i ? " " : "", functions[i].name);
    }
    return text;
}
