/*
 * The tree interpreted, a block of elements at a time, in double precision: the reference of every formula, and the
 * CPU's code where there is no compiler.
 */
#include "expr/tree.h"

enum { BLOCK = 128 };

/* One block of a call. */
struct block {
    const struct be_expr *expr;
    const struct be_call *call;
    bool doubles;
    uint64_t first;
    int count;
    double value[BE_OWN_ARRAYS_MAX][BLOCK]; /* of each name as it is now */
};

static bool is_wide(const struct block *block, int name) {
    return block->call->float64 || (block->doubles && block->expr->name[name].output);
}

static void load(struct block *block, int name) {
    const void *array = block->call->array[block->expr->name[name].array];
    const bool wide = is_wide(block, name);
    for (int k = 0; k < block->count; k++) {
        const uint64_t i = block->first + (uint64_t)k;
        block->value[name][k] =
            wide ? ((const double *)array)[i] : (double)((const float *)array)[i];
    }
}

static void store(const struct block *block, int name) {
    void *array = block->call->array[block->expr->name[name].array];
    const bool wide = is_wide(block, name);
    for (int k = 0; k < block->count; k++) {
        const uint64_t i = block->first + (uint64_t)k;
        if (wide) {
            ((double *)array)[i] = block->value[name][k];
        } else {
            ((float *)array)[i] = (float)block->value[name][k];
        }
    }
}

static void evaluate(const struct block *block, int node, double *out);

static void apply(const struct block *block, const struct be_expr_node *n, double *out) {
    const struct be_expr_function *f = n->function;
    double b[BLOCK], c[BLOCK];
    evaluate(block, n->operand[0], out);
    if (f->operands > 1) {
        evaluate(block, n->operand[1], b);
    }
    if (f->operands > 2) {
        evaluate(block, n->operand[2], c);
    }
    for (int k = 0; k < block->count; k++) {
        out[k] = f->one   ? f->one(out[k])
                 : f->two ? f->two(out[k], b[k])
                          : f->three(out[k], b[k], c[k]);
    }
}

static void choose(const struct block *block, const struct be_expr_node *n, double *out) {
    double yes[BLOCK], no[BLOCK];
    evaluate(block, n->operand[0], out);
    evaluate(block, n->operand[1], yes);
    evaluate(block, n->operand[2], no);
    for (int k = 0; k < block->count; k++) {
        out[k] = out[k] != 0 ? yes[k] : no[k];
    }
}

static void evaluate(const struct block *block, int node, double *out) {
    const struct be_expr_node *n = &block->expr->node[node];
    switch (n->kind) {
    case BE_EXPR_OPERATOR:
    case BE_EXPR_CALL:
        apply(block, n, out);
        return;
    case BE_EXPR_CHOICE:
        choose(block, n, out);
        return;
    case BE_EXPR_NUMBER:
    case BE_EXPR_NAME:
    case BE_EXPR_INDEX:
    case BE_EXPR_SIZE:
        break;
    }
    for (int k = 0; k < block->count; k++) {
        out[k] = n->kind == BE_EXPR_NUMBER  ? n->value
                 : n->kind == BE_EXPR_NAME  ? block->value[n->name][k]
                 : n->kind == BE_EXPR_INDEX ? (double)(block->first + (uint64_t)k)
                                            : (double)block->call->value[0];
    }
}

static void reduce(const struct block *block, int name, double part[BE_OWN_ARRAYS_MAX]) {
    double *to = &part[block->expr->name[name].array];
    for (int k = 0; k < block->count; k++) {
        *to = be_expr_reduce_join(block->expr->reduce, *to, block->value[name][k]);
    }
}

static void assign(struct block *block) {
    const struct be_expr *expr = block->expr;
    for (int s = 0; s < expr->statements; s++) {
        double out[BLOCK];
        const int name = expr->statement[s].name;
        evaluate(block, expr->statement[s].node, out);
        for (int k = 0; k < block->count; k++) {
            block->value[name][k] = out[k];
        }
    }
}

void be_expr_evaluate(const struct be_expr *expr, const struct be_call *call, bool doubles,
                      double part[BE_OWN_ARRAYS_MAX]) {
    struct block block = {.expr = expr, .call = call, .doubles = doubles};
    const uint64_t end = call->first + call->count;
    for (int k = 0; expr->reduce && k < BE_OWN_ARRAYS_MAX; k++) {
        part[k] = be_expr_reduce_nothing(expr->reduce);
    }
    for (block.first = call->first; block.first < end; block.first += BLOCK) {
        const uint64_t left = end - block.first;
        block.count = left < BLOCK ? (int)left : BLOCK;
        for (int k = 0; k < expr->names; k++) {
            if (expr->name[k].read) {
                load(&block, k);
            }
        }
        assign(&block);
        for (int k = 0; k < expr->names; k++) {
            if (expr->name[k].output && expr->reduce) {
                reduce(&block, k, part);
            } else if (expr->name[k].output) {
                store(&block, k);
            }
        }
    }
}
