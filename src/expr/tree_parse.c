/* From a text to a tree: recursive descent by a table of precedences. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "expr/tree.h"

struct parser {
    struct be_expr *expr;
    const char *at; /* in expr->text */
    int depth;
    struct be_expr_fault *fault;
    struct be_error *error;
    bool failed;
};

/* Returns a node, so that a caller can go on with it; the first failure counts. */
__attribute__((format(printf, 3, 4))) static int fail_at(struct parser *p, const char *at,
                                                         const char *format, ...) {
    if (!p->failed) {
        char what[BE_NOTE];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(what, sizeof what, format, arguments);
        va_end(arguments);
        be_fail(p->error, BE_USAGE, "%s", what);
        p->fault->at = (size_t)(at - p->expr->text);
        p->failed = true;
    }
    return 0;
}

static void skip(struct parser *p) {
    while (isspace((unsigned char)*p->at)) {
        p->at++;
    }
}

static int add_node(struct parser *p, struct be_expr_node node) {
    struct be_expr *e = p->expr;
    if (e->nodes == BE_EXPR_NODES) {
        return fail_at(p, p->at, "a formula of at most %d operands and operators",
                       (int)BE_EXPR_NODES);
    }
    e->node[e->nodes] = node;
    return e->nodes++;
}

static size_t word_length(const char *at) {
    size_t length = 0;
    if (isalpha((unsigned char)*at) || *at == '_') {
        while (isalnum((unsigned char)at[length]) || at[length] == '_') {
            length++;
        }
    }
    return length;
}

/* Its index; -1 and a failure: there is no room for another. */
static int name_of(struct parser *p, const char *word, size_t length) {
    struct be_expr *e = p->expr;
    for (int i = 0; i < e->names; i++) {
        if (strlen(e->name[i].word) == length && strncmp(e->name[i].word, word, length) == 0) {
            return i;
        }
    }
    if (length >= BE_EXPR_WORD) {
        fail_at(p, word, "a name has at most %d letters", (int)BE_EXPR_WORD - 1);
        return -1;
    }
    if (e->names == BE_OWN_ARRAYS_MAX) {
        fail_at(p, word, "at most %d arrays", (int)BE_OWN_ARRAYS_MAX);
        return -1;
    }
    memcpy(e->name[e->names].word, word, length);
    return e->names++;
}

static int parse_choice(struct parser *p);

/* "a, b)": the brace before it is read. */
static int parse_call(struct parser *p, const struct be_expr_function *function, const char *word) {
    struct be_expr_node node = {.kind = BE_EXPR_CALL, .function = function};
    int count = 0;
    const char *open = p->at++;
    for (skip(p); !p->failed && *p->at != ')'; skip(p)) {
        if (!*p->at) {
            return fail_at(p, open, "this '(' is never closed");
        }
        if (count > 0 && *p->at++ != ',') {
            return fail_at(p, p->at - 1, "',' or ')' is expected here");
        }
        const int operand = parse_choice(p);
        if (count < 3) {
            node.operand[count] = operand;
        }
        count++;
    }
    if (!p->failed && count != function->operands) {
        return fail_at(p, word, "%s takes %d value%s, not %d", function->name, function->operands,
                       function->operands == 1 ? "" : "s", count);
    }
    p->at += !p->failed;
    return add_node(p, node);
}

static int no_function(struct parser *p, const char *word, size_t length) {
    char meant[BE_NAME] = "";
    size_t near = be_near_limit(length);
    for (int i = 0; be_expr_at(i); i++) {
        if (be_is_nearer(word, length, be_expr_at(i)->name, &near)) {
            snprintf(meant, sizeof meant, " (did you mean %s?)", be_expr_at(i)->name);
        }
    }
    char all[BE_NOTE];
    return fail_at(p, word, "no function %.*s%s; there are %.240s", (int)length, word, meant,
                   be_expr_functions(all));
}

static int parse_word(struct parser *p) {
    static const struct {
        const char *word;
        enum be_expr_kind kind;
        double value;
    } constants[] = {{"i", BE_EXPR_INDEX, 0},
                     {"n", BE_EXPR_SIZE, 0},
                     {"pi", BE_EXPR_NUMBER, 3.14159265358979323846}};
    const char *word = p->at;
    const size_t length = word_length(word);
    p->at += length;
    skip(p);
    if (*p->at == '(') {
        const struct be_expr_function *function = be_expr_find(word, length);
        return function ? parse_call(p, function, word) : no_function(p, word, length);
    }
    for (size_t k = 0; k < BE_COUNT(constants); k++) {
        if (strlen(constants[k].word) == length && strncmp(constants[k].word, word, length) == 0) {
            return add_node(
                p, (struct be_expr_node){.kind = constants[k].kind, .value = constants[k].value});
        }
    }
    const int name = name_of(p, word, length);
    if (name < 0) {
        return 0;
    }
    p->expr->name[name].read |= !p->expr->name[name].written;
    return add_node(p, (struct be_expr_node){.kind = BE_EXPR_NAME, .name = name});
}

static int parse_number(struct parser *p) {
    char *end;
    const double value = strtod(p->at, &end);
    if (!isfinite(value)) {
        return fail_at(p, p->at, "a number that is too large");
    }
    p->at = end;
    if (*p->at == 'f' || *p->at == 'F') { /* C's 0.5f */
        p->at++;
    }
    if (word_length(p->at)) {
        return fail_at(p, p->at, "an operator is expected behind the number: 2*x, not 2x");
    }
    return add_node(p, (struct be_expr_node){.kind = BE_EXPR_NUMBER, .value = value});
}

static int parse_primary(struct parser *p) {
    skip(p);
    if (*p->at == '(') {
        const char *open = p->at++;
        const int inner = parse_choice(p);
        skip(p);
        if (!p->failed && *p->at != ')') {
            return *p->at ? fail_at(p, p->at, "an operator or ')' is expected here")
                          : fail_at(p, open, "this '(' is never closed");
        }
        p->at += !p->failed;
        return inner;
    }
    if (isdigit((unsigned char)*p->at) || (*p->at == '.' && isdigit((unsigned char)p->at[1]))) {
        return parse_number(p);
    }
    return word_length(p->at) ? parse_word(p)
                              : fail_at(p, p->at, "a name, a number or '(' is expected here");
}

static int parse_unary(struct parser *p);

/* a^b where it is a power, as people write formulas of n; C has no such operator. It binds closer than a sign before it,
 * and from the right. */
static int parse_power(struct parser *p) {
    const int base = parse_primary(p);
    skip(p);
    if (p->failed || !p->expr->powers || *p->at != '^') {
        return base;
    }
    if (++p->depth > BE_EXPR_DEPTH) {
        return fail_at(p, p->at, "more than %d levels of brackets", (int)BE_EXPR_DEPTH);
    }
    p->at++;
    const int exponent = parse_unary(p);
    p->depth--;
    return add_node(p, (struct be_expr_node){.kind = BE_EXPR_CALL,
                                             .function = be_expr_find("pow", 3),
                                             .operand = {base, exponent}});
}

static int parse_unary(struct parser *p) {
    skip(p);
    const char sign = *p->at;
    if (sign != '-' && sign != '!' && sign != '+') {
        return parse_power(p);
    }
    if (++p->depth > BE_EXPR_DEPTH) {
        return fail_at(p, p->at, "more than %d levels of brackets and signs", (int)BE_EXPR_DEPTH);
    }
    p->at++;
    const int operand = parse_unary(p);
    p->depth--;
    if (sign == '+') {
        return operand;
    }
    return add_node(p, (struct be_expr_node){.kind = BE_EXPR_OPERATOR,
                                             .function = be_expr_operator((char[]){sign, 0}, 1),
                                             .operand = {operand}});
}

/* As in C: the longer ones before those that they begin with. */
static const struct {
    const char *text;
    int precedence;
} binary[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4}, {">=", 4}, {"<", 4},
              {">", 4},  {"+", 5},  {"-", 5},  {"*", 6},  {"/", 6},  {"%", 6}};

static int next_binary(const struct parser *p) {
    for (size_t i = 0; i < BE_COUNT(binary); i++) {
        if (strncmp(p->at, binary[i].text, strlen(binary[i].text)) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* As other languages write a power. */
static bool is_power(const char *at) {
    return *at == '^' || strncmp(at, "**", 2) == 0;
}

static int parse_binary(struct parser *p, int lowest) {
    int left = parse_unary(p);
    for (skip(p); !p->failed; skip(p)) {
        const int i = next_binary(p);
        if (is_power(p->at)) {
            return fail_at(p, p->at, "a power is pow(a, b), not a %s b",
                           *p->at == '^' ? "^" : "**");
        }
        if (i < 0 || binary[i].precedence < lowest) {
            break;
        }
        p->at += strlen(binary[i].text);
        const int right = parse_binary(p, binary[i].precedence + 1);
        left = add_node(p, (struct be_expr_node){.kind = BE_EXPR_OPERATOR,
                                                 .function = be_expr_operator(binary[i].text, 2),
                                                 .operand = {left, right}});
    }
    return left;
}

static int parse_choice(struct parser *p) {
    if (++p->depth > BE_EXPR_DEPTH) {
        return fail_at(p, p->at, "more than %d levels of brackets and signs", (int)BE_EXPR_DEPTH);
    }
    int node = parse_binary(p, 1);
    skip(p);
    if (!p->failed && *p->at == '?') {
        struct be_expr_node choice = {.kind = BE_EXPR_CHOICE, .operand = {node}};
        p->at++;
        choice.operand[1] = parse_choice(p);
        skip(p);
        if (!p->failed && *p->at != ':') {
            fail_at(p, p->at, "':' is expected here: a ? b : c");
        }
        p->at += !p->failed;
        choice.operand[2] = parse_choice(p);
        node = add_node(p, choice);
    }
    p->depth--;
    return node;
}

static void parse_statement(struct parser *p) {
    struct be_expr *e = p->expr;
    const char *word = p->at;
    const size_t length = word_length(word);
    p->at += length;
    skip(p);
    if (!length || *p->at != '=' || p->at[1] == '=') {
        fail_at(p, length ? p->at : word, "an assignment is expected: NAME = FORMULA");
        return;
    }
    if ((length == 1 && strchr("in", *word)) || (length == 2 && strncmp(word, "pi", 2) == 0)) {
        fail_at(p, word, "%.*s cannot be assigned: it is the %s", (int)length, word,
                *word == 'i'   ? "index"
                : *word == 'n' ? "size"
                               : "number pi");
        return;
    }
    if (e->statements == BE_EXPR_STATEMENTS) {
        fail_at(p, word, "at most %d assignments", (int)BE_EXPR_STATEMENTS);
        return;
    }
    p->at++;
    const int node = parse_choice(p);
    const int name = p->failed ? -1 : name_of(p, word, length);
    if (name >= 0) {
        e->name[name].written = true;
        e->statement[e->statements++] =
            (struct be_expr_statement){name, node, (size_t)(word - e->text)};
    }
}

/* Arrays as be_own_open counts them. */
static int count_arrays(const struct be_expr *expr) {
    int arrays = 0;
    for (int k = 0; k < expr->names; k++) {
        arrays += 1 + (expr->name[k].read && expr->name[k].written);
    }
    return arrays;
}

/* Does an assignment read it? Its operands are added before it is. */
static bool reads(const struct be_expr *expr, int statement, int name) {
    bool found = false;
    for (int i = statement ? expr->statement[statement - 1].node + 1 : 0;
         i <= expr->statement[statement].node; i++) {
        found |= expr->node[i].kind == BE_EXPR_NAME && expr->node[i].name == name;
    }
    return found;
}

/* Is this name of a reduction there for other names alone? */
static bool helps(const struct be_expr *expr, int name) {
    bool helper = false;
    for (int s = 0; s < expr->statements; s++) {
        helper = expr->statement[s].name != name && (helper || reads(expr, s, name));
    }
    return helper;
}

static void find_arrays(struct parser *p) {
    struct be_expr *e = p->expr;
    int arrays = 0;
    for (int s = 0; e->reduce && s < e->statements; s++) {
        const struct be_expr_name *name = &e->name[e->statement[s].name];
        if (name->read) {
            fail_at(p, e->text + e->statement[s].at,
                    "%s is an array that is read: one value of all elements needs a name of its "
                    "own",
                    name->word);
        }
    }
    for (int k = 0; k < e->names; k++) {
        struct be_expr_name *name = &e->name[k];
        name->output = name->written && !(e->reduce && helps(e, k));
        name->array = name->read || name->output ? arrays++ : -1;
    }
}

enum be_status be_expr_parse(struct be_expr *expr, struct be_expr_fault *fault,
                             struct be_error *error) {
    struct parser p = {.expr = expr, .at = expr->text, .fault = fault, .error = error};
    skip(&p);
    if (!*p.at) {
        fail_at(&p, p.at, "an empty formula: NAME = FORMULA is expected");
    }
    while (!p.failed && *p.at) {
        const char *begin = p.at;
        parse_statement(&p);
        skip(&p);
        if (!p.failed && count_arrays(expr) > BE_OWN_ARRAYS_MAX) {
            fail_at(&p, begin, "at most %d arrays; one that is read and assigned counts twice",
                    (int)BE_OWN_ARRAYS_MAX);
        }
        if (!p.failed && *p.at && *p.at != ';') {
            fail_at(&p, p.at, "an operator or ';' is expected here");
        }
        p.at += !p.failed && *p.at;
        skip(&p);
    }
    find_arrays(&p);
    return p.failed ? BE_USAGE : BE_OK;
}
