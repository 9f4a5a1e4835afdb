#include "expr/expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dyn/dyn.h"
#include "expr/tree.h"

static double operations(const void *self, const uint64_t *value) {
    const struct be_expr *expr = self;
    return expr->operations * (double)value[0];
}

static void compute(const struct be_call *call) {
    const struct be_expr *expr = call->self;
    be_expr_loop *loop = expr->loop[call->float64];
    if (loop) {
        loop(call->array, call->first, call->count, (double)call->value[0]);
    } else {
        be_expr_evaluate(expr, call, false);
    }
}

static void reference(const struct be_call *call) {
    be_expr_evaluate(call->self, call, true);
}

static bool is_indexed(const struct be_expr *expr) {
    bool found = false;
    for (int i = 0; i < expr->nodes; i++) {
        found |= expr->node[i].kind == BE_EXPR_INDEX;
    }
    return found;
}

static double count_operations(const struct be_expr *expr) {
    double count = 0;
    for (int i = 0; i < expr->nodes; i++) {
        count += expr->node[i].function ? expr->node[i].function->operations : 0;
    }
    return count;
}

/* Would memory decide on a GPU? A function takes some 40 operations there; an H100 does some 10 in the time of a byte,
 * other GPUs more or about as many (share/profiles). */
static bool is_streaming(const struct be_expr *expr) {
    const double function = 40, a_byte = 8, element = sizeof(float);
    double work = 0, arrays = 0;
    for (int i = 0; i < expr->nodes; i++) {
        const struct be_expr_node *n = &expr->node[i];
        work += n->kind == BE_EXPR_CALL ? function : n->function ? 1 : 0;
    }
    for (int k = 0; k < expr->names; k++) {
        arrays += expr->name[k].read + expr->name[k].written;
    }
    return work <= a_byte * element * arrays;
}

static void describe(struct be_expr *expr) {
    const bool indexed = is_indexed(expr);
    expr->operations = count_operations(expr);
    be_copy_text(expr->label, sizeof expr->label, expr->text);
    expr->parameter = (struct be_own_parameter){.name = "size",
                                                .what = "elements",
                                                .preset = 1000000,
                                                .min = 1,
                                                .from = 1000,
                                                .to = 100000000};
    for (int k = 0; k < expr->names; k++) {
        const struct be_expr_name *name = &expr->name[k];
        expr->array[k] = (struct be_own_array){.name = name->word,
                                               .element = BE_OWN_REAL,
                                               .role = !name->written ? BE_OWN_READ
                                                       : name->read   ? BE_OWN_UPDATED
                                                                      : BE_OWN_WRITTEN};
    }
    expr->computation = (struct be_computation){
        .name = "expr",
        .title = expr->label,
        .self = expr,
        .like = is_streaming(expr) && !indexed ? "axpy" : NULL,
        .parameter = &expr->parameter,
        .parameters = 1,
        .array = expr->array,
        .arrays = expr->names,
        .float32 = true,
        .float64 = true,
        .elementwise = !indexed, /* a piece does not know where it begins */
        .operations = operations,
        .cpu = compute,
        .device = {.source = expr->source.data, .kernel = "k_expr"},
        .reference = reference,
    };
}

enum be_status be_expr_open(const char *text, struct be_expr **opened, struct be_expr_fault *fault,
                            struct be_error *error) {
    struct be_expr *expr = calloc(1, sizeof *expr);
    *opened = NULL;
    *fault = (struct be_expr_fault){0};
    if (!expr) {
        return be_fail(error, BE_NOMEM, "no host memory for a formula");
    }
    enum be_status status = BE_OK;
    if (strlen(text) >= sizeof expr->text) {
        fault->at = sizeof expr->text - 1;
        status =
            be_fail(error, BE_USAGE, "a formula of at most %zu letters", sizeof expr->text - 1);
    } else {
        be_copy_text(expr->text, sizeof expr->text, text);
        status = be_expr_parse(expr, fault, error);
    }
    if (status == BE_OK) {
        be_expr_emit_device(expr, &expr->source);
        status =
            expr->source.failed ? be_fail(error, BE_NOMEM, "no host memory for a formula") : BE_OK;
    }
    if (status != BE_OK) {
        be_expr_close(expr);
        return status;
    }
    describe(expr);
    *opened = expr;
    return BE_OK;
}

const struct be_computation *be_expr_computation(const struct be_expr *expr) {
    return &expr->computation;
}

void be_expr_close(struct be_expr *expr) {
    if (expr) {
        be_dyn_close(expr->library);
        be_text_free(&expr->source);
        free(expr);
    }
}
