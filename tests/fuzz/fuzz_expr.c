/*
 * Any bytes as a formula: a fault is a place in them and has words; a formula has code of balanced brackets, and can be
 * computed.
 */
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"
#include "fuzz.h"

static const char *const words[] = {
    "pow(", "sqrt(", "fma(", ")",   "(",     ",", " = ", ";", "z",  "x",        "y",   "i",
    "n",    "pi",    " + ",  " - ", "*",     "/", "%",   "<", ">=", "==",       "!=",  "&&",
    "||",   "!",     " ? ",  " : ", "0.5f ", "2", "1e",  ".", "0x", "((((((((", "nan", "-"};

/* Each ( has its ). */
static bool is_balanced(const char *text) {
    long open = 0;
    for (; *text && open >= 0; text++) {
        open += (*text == '(') - (*text == ')');
    }
    return open == 0;
}

static const char *compute(const struct be_computation *c) {
    enum { N = 131 };
    static double place[BE_OWN_ARRAYS_MAX][N];
    void *array[BE_OWN_ARRAYS_MAX];
    double scratch[BE_OWN_ARRAYS_MAX];
    const uint64_t n = N;
    int outputs = 0;
    for (int k = 0; k < c->arrays; k++) {
        array[k] = place[k];
        outputs += c->array[k].role != BE_OWN_READ;
    }
    const struct be_call call = {.self = c->self,
                                 .value = &n,
                                 .array = array,
                                 .count = N,
                                 .threads = 1,
                                 .scratch = scratch,
                                 .float64 = true};
    c->reference(&call);
    c->cpu(&call);
    if (c->cpu_finish) {
        c->cpu_finish(&call);
    }
    return outputs > 0 ? NULL : "a formula without an output";
}

static const char *read_as(const char *formula, enum be_expr_reduce reduce, bool *accepted) {
    struct be_expr *expr = NULL;
    struct be_expr_fault fault;
    struct be_error error = {0};
    const char *wrong = NULL;
    const enum be_status status = be_expr_open(formula, reduce, &expr, &fault, &error);
    *accepted = status == BE_OK;
    if (status == BE_OK) {
        const struct be_computation *c = be_expr_computation(expr);
        wrong = !is_balanced(c->device.source) ? "device code of brackets that do not match"
                                               : compute(c);
    } else if (status != BE_USAGE || expr || fault.at > strlen(formula) || !*error.text) {
        wrong = "a fault nowhere, or without words";
    }
    be_expr_close(expr);
    return wrong;
}

static const char *check(const struct be_text *text, long *accepted) {
    char *formula = strndup(text->data ? text->data : "", text->length);
    bool each = false, reduced = false;
    const char *wrong = formula ? read_as(formula, BE_EXPR_EACH, &each) : NULL;
    for (int i = BE_EXPR_SUM; formula && !wrong && i <= BE_EXPR_MAX; i++) {
        wrong = read_as(formula, (enum be_expr_reduce)i, &reduced);
        wrong = !wrong && reduced && !each ? "a reduction of what is no formula" : wrong;
    }
    free(formula);
    *accepted += each;
    return wrong;
}

const struct be_fuzz be_fuzzed = {
    .name = "fuzz_expr", .word = words, .words = sizeof words / sizeof *words, .check = check};
