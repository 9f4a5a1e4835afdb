#include "expr/scalar.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "expr/tree.h"

/* Statements are assignments, so the formula is assigned to a name that nobody types. */
static const char target[] = "_ = ";

struct be_scalar {
    struct be_expr expr;
    int root; /* index of the node that is the whole formula */
};

/* Where `word` begins as a word of its own; 0 where it does not. */
static size_t place_of(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        const char before = at > text ? at[-1] : ' ', after = at[length];
        if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)after) &&
            after != '_') {
            return (size_t)(at - text);
        }
    }
    return 0;
}

/* Names and `i`, which stand for elements of arrays, have no value here. */
static enum be_status check_names(const struct be_expr *expr, const char *text,
                                  struct be_expr_fault *fault, struct be_error *error) {
    const char *unknown = NULL;
    for (int k = 0; k < expr->names && !unknown; k++) {
        unknown = expr->name[k].read ? expr->name[k].word : NULL;
    }
    for (int k = 0; k < expr->nodes && !unknown; k++) {
        unknown = expr->node[k].kind == BE_EXPR_INDEX ? "i" : NULL;
    }
    if (!unknown) {
        return BE_OK;
    }
    fault->at = place_of(text, unknown);
    return be_fail(error, BE_USAGE,
                   "%s is not known here: a formula of n, the size, is needed, as 2*n^3", unknown);
}

static enum be_status parse(struct be_scalar *scalar, const char *text, struct be_expr_fault *fault,
                            struct be_error *error) {
    const size_t shift = sizeof target - 1;
    struct be_expr *expr = &scalar->expr;
    if (strlen(text) + shift >= sizeof expr->text) {
        return be_fail(error, BE_USAGE, "a formula of at most %zu letters",
                       sizeof expr->text - shift - 1);
    }
    if (strchr(text, ';')) {
        fault->at = strcspn(text, ";");
        return be_fail(error, BE_USAGE, "one formula, without ';'");
    }
    expr->powers = true;
    memcpy(expr->text, target, shift);
    be_copy_text(expr->text + shift, sizeof expr->text - shift, text);
    enum be_status status = be_expr_parse(expr, fault, error);
    fault->at -= fault->at < shift ? fault->at : shift;
    status = status ? status : check_names(expr, text, fault, error);
    scalar->root = expr->statement[0].node;
    return status;
}

enum be_status be_scalar_open(const char *text, struct be_scalar **opened,
                              struct be_expr_fault *fault, struct be_error *error) {
    struct be_scalar *scalar = calloc(1, sizeof *scalar);
    *opened = NULL;
    *fault = (struct be_expr_fault){0};
    if (!scalar) {
        return be_fail(error, BE_NOMEM, "no host memory for a formula");
    }
    enum be_status status = parse(scalar, text, fault, error);
    if (status) {
        be_scalar_close(scalar);
        return status;
    }
    *opened = scalar;
    return BE_OK;
}

void be_scalar_close(struct be_scalar *scalar) {
    free(scalar);
}

static double value_of(const struct be_expr *expr, int index, double n) {
    const struct be_expr_node *node = &expr->node[index];
    const struct be_expr_function *f = node->function;
    double of[3] = {NAN, NAN, NAN};
    const int operands = node->kind == BE_EXPR_CHOICE ? 1 : f ? f->operands : 0;
    for (int k = 0; k < operands; k++) {
        of[k] = value_of(expr, node->operand[k], n);
    }
    switch (node->kind) {
    case BE_EXPR_NUMBER:
        return node->value;
    case BE_EXPR_SIZE:
        return n;
    case BE_EXPR_CHOICE:
        return value_of(expr, node->operand[of[0] != 0 ? 1 : 2], n);
    case BE_EXPR_OPERATOR:
    case BE_EXPR_CALL:
        return f->three ? f->three(of[0], of[1], of[2])
               : f->two ? f->two(of[0], of[1])
                        : f->one(of[0]);
    case BE_EXPR_NAME:
    case BE_EXPR_INDEX:
        break;
    }
    return NAN;
}

double be_scalar_value(const struct be_scalar *scalar, double n) {
    return value_of(&scalar->expr, scalar->root, n);
}
