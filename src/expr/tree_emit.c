/* From a tree to the code of one element's values, in C and for devices. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "expr/tree.h"

/* One language, and one type of it. */
struct tongue {
    bool device;
    const char *suffix; /* of functions: "f" */
};

static void emit(const struct be_expr *expr, int node, const struct tongue *tongue,
                 struct be_text *out);

static void emit_number(double value, struct be_text *out) {
    char digits[BE_WORD];
    be_format_exact(digits, sizeof digits, value, "0");
    const bool real = strpbrk(digits, ".eE") != NULL;
    /* A number that float holds is written as one: some devices have no double. */
    const bool narrow = (double)(float)value == value;
    be_text_add(out, "((REAL)%s%s%s)", digits, real ? "" : ".0", narrow ? "f" : "");
}

static void emit_call(const struct be_expr *expr, const struct be_expr_node *n,
                      const struct tongue *tongue, struct be_text *out) {
    const struct be_expr_function *f = n->function;
    const char *called = tongue->device ? f->device : f->host;
    be_text_add(out, "(%s%s(", called ? called : f->name, tongue->device ? "" : tongue->suffix);
    for (int i = 0; i < f->operands; i++) {
        be_text_add(out, "%s", i ? ", " : "");
        emit(expr, n->operand[i], tongue, out);
    }
    be_text_add(out, "))");
}

static void emit_operator(const struct be_expr *expr, const struct be_expr_node *n,
                          const struct tongue *tongue, struct be_text *out) {
    const struct be_expr_function *f = n->function;
    const bool logical = strchr("&|!", f->name[0]) && strcmp(f->name, "!=") != 0;
    if (f->host) { /* % is a function of reals */
        emit_call(expr, n, tongue, out);
        return;
    }
    be_text_add(out, "%s", f->truth ? "((REAL)(" : "(");
    for (int i = 0; i < f->operands; i++) {
        if (i == f->operands - 1) {
            be_text_add(out, " %s ", f->name);
        }
        be_text_add(out, "%s", logical ? "(" : "");
        emit(expr, n->operand[i], tongue, out);
        be_text_add(out, "%s", logical ? " != 0)" : "");
    }
    be_text_add(out, "%s", f->truth ? "))" : ")");
}

static void emit(const struct be_expr *expr, int node, const struct tongue *tongue,
                 struct be_text *out) {
    const struct be_expr_node *n = &expr->node[node];
    switch (n->kind) {
    case BE_EXPR_NUMBER:
        emit_number(n->value, out);
        break;
    case BE_EXPR_NAME:
        be_text_add(out, "v_%s", expr->name[n->name].word);
        break;
    case BE_EXPR_INDEX:
        be_text_add(out, "((REAL)i)");
        break;
    case BE_EXPR_SIZE:
        be_text_add(out, "((REAL)n)");
        break;
    case BE_EXPR_OPERATOR:
        emit_operator(expr, n, tongue, out);
        break;
    case BE_EXPR_CALL:
        emit_call(expr, n, tongue, out);
        break;
    case BE_EXPR_CHOICE:
        be_text_add(out, "(");
        for (int i = 0; i < 3; i++) {
            be_text_add(out, "%s", i == 0 ? "" : i == 1 ? " != 0 ? " : " : ");
            emit(expr, n->operand[i], tongue, out);
        }
        be_text_add(out, ")");
        break;
    }
}

void be_expr_emit_values(const struct be_expr *expr, const char *suffix, struct be_text *out) {
    const struct tongue tongue = {suffix == NULL, suffix};
    for (int k = 0; k < expr->names; k++) {
        const struct be_expr_name *name = &expr->name[k];
        be_text_add(out, name->read ? "        REAL v_%s = a_%s[at];\n" : "        REAL v_%s;\n",
                    name->word, name->word);
    }
    for (int s = 0; s < expr->statements; s++) {
        const char *word = expr->name[expr->statement[s].name].word;
        be_text_add(out, "        v_%s = ", word);
        emit(expr, expr->statement[s].node, &tongue, out);
        be_text_add(out, ";\n");
    }
}

void be_expr_emit_pointers(const struct be_expr *expr, struct be_text *out) {
    for (int k = 0; k < expr->names; k++) {
        const struct be_expr_name *name = &expr->name[k];
        const char *constant = name->output ? "" : "const ";
        if (name->array >= 0) {
            be_text_add(out, "    %sREAL *restrict a_%s = (%sREAL *)array[%d];\n", constant,
                        name->word, constant, name->array);
        }
    }
}

void be_expr_emit_arguments(const struct be_expr *expr, struct be_text *out) {
    for (int k = 0; k < expr->names; k++) {
        if (expr->name[k].array >= 0) {
            be_text_add(out, "GLOBAL %sREAL *a_%s, ", expr->name[k].output ? "" : "const ",
                        expr->name[k].word);
        }
    }
}
