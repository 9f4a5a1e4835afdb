#include "expr/expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "expr/compile.h"
#include "expr/tree.h"

static double operations(const void *self, const uint64_t *value) {
    const struct be_expr *expr = self;
    return expr->operations * (double)value[0];
}

/* Cache lines of a thread's own, for its partial results. */
static double *part_of(const struct be_call *call, int thread) {
    return call->scratch ? call->scratch + (ptrdiff_t)thread * BE_OWN_ARRAYS_MAX : NULL;
}

static void compute(const struct be_call *call) {
    const struct be_expr *expr = call->self;
    be_expr_loop *loop = expr->loop[call->float64];
    double *part = part_of(call, call->thread);
    if (loop) {
        loop(call->array, call->first, call->count, (double)call->value[0], part);
    } else {
        be_expr_evaluate(expr, call, false, part);
    }
}

static void reference(const struct be_call *call) {
    const struct be_expr *expr = call->self;
    double part[BE_OWN_ARRAYS_MAX];
    be_expr_evaluate(expr, call, true, part);
    for (int k = 0; expr->reduce && k < expr->names; k++) {
        if (expr->name[k].output) {
            *(double *)call->array[expr->name[k].array] = part[expr->name[k].array];
        }
    }
}

/* ---- one value of all elements ---------------------------------------------------------------- */

static void finish(const struct be_call *call) {
    const struct be_expr *expr = call->self;
    for (int k = 0; k < expr->computation.arrays; k++) {
        double whole = be_expr_reduce_nothing(expr->reduce);
        for (int t = 0; t < call->threads; t++) {
            whole = be_expr_reduce_join(expr->reduce, whole, part_of(call, t)[k]);
        }
        if (expr->array[k].role == BE_OWN_READ) {
            continue;
        }
        if (call->float64) {
            *(double *)call->array[k] = whole;
        } else {
            *(float *)call->array[k] = (float)whole;
        }
    }
}

static uint64_t one(const void *self, const uint64_t *value) {
    (void)self, (void)value;
    return 1;
}

static uint64_t parts(const void *self, const uint64_t *value, int threads) {
    (void)self, (void)value;
    return (uint64_t)threads * BE_OWN_ARRAYS_MAX;
}

static uint64_t groups(const void *self, const uint64_t *value) {
    (void)self;
    return be_expr_reduce_groups(value[0]);
}

static uint64_t parts_of_groups(const void *self, const uint64_t *value) {
    return groups(self, value) * BE_OWN_ARRAYS_MAX;
}

static void describe_reduction(struct be_expr *expr) {
    struct be_computation *c = &expr->computation;
    expr->launch[0] =
        (struct be_own_launch){.kernel = "k_parts", .lanes = BE_EXPR_LANES, .groups = groups};
    expr->launch[1] =
        (struct be_own_launch){.kernel = "k_whole", .lanes = BE_EXPR_LANES, .one_group = true};
    for (int k = 0; k < c->arrays; k++) {
        expr->array[k].count = expr->array[k].role == BE_OWN_READ ? NULL : one;
    }
    c->like = c->like ? "reduce" : NULL;
    c->elementwise = false;
    c->cpu_scratch = parts;
    c->cpu_finish = finish;
    c->device = (struct be_own_device){.source = expr->source.data,
                                       .launch = expr->launch,
                                       .launches = 2,
                                       .scratch = parts_of_groups};
}

/* ---- what it is ------------------------------------------------------------------------------- */

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
    for (int k = 0; expr->reduce && k < expr->names; k++) {
        count += expr->name[k].output; /* an addition, or a comparison that counts as one */
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
        arrays += expr->name[k].read + (expr->name[k].output && !expr->reduce);
    }
    return work <= a_byte * element * arrays;
}

void be_expr_label(struct be_expr *expr, const char *remark) {
    snprintf(expr->label, sizeof expr->label, "%s%s%s%s",
             expr->reduce ? be_expr_reduce_name(expr->reduce) : "", expr->reduce ? " of " : "",
             expr->text, remark);
}

static void describe(struct be_expr *expr) {
    const bool indexed = is_indexed(expr);
    int arrays = 0;
    expr->operations = count_operations(expr);
    be_expr_label(expr, "");
    expr->parameter = (struct be_own_parameter){.name = "size",
                                                .what = "elements",
                                                .preset = 1000000,
                                                .min = 1,
                                                .from = 1000,
                                                .to = 100000000};
    for (int k = 0; k < expr->names; k++) {
        const struct be_expr_name *name = &expr->name[k];
        if (name->array < 0) {
            continue;
        }
        expr->array[arrays++] = (struct be_own_array){.name = name->word,
                                                      .element = BE_OWN_REAL,
                                                      .role = !name->output ? BE_OWN_READ
                                                              : name->read  ? BE_OWN_UPDATED
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
        .arrays = arrays,
        .float32 = true,
        .float64 = true,
        .elementwise = !indexed, /* a piece does not know where it begins */
        .operations = operations,
        .cpu = compute,
        .device = {.source = expr->source.data, .kernel = "k_expr"},
        .reference = reference,
    };
    if (expr->reduce) {
        describe_reduction(expr);
    }
}

enum be_status be_expr_open(const char *text, enum be_expr_reduce reduce, struct be_expr **opened,
                            struct be_expr_fault *fault, struct be_error *error) {
    struct be_expr *expr = calloc(1, sizeof *expr);
    *opened = NULL;
    *fault = (struct be_expr_fault){0};
    if (!expr) {
        return be_fail(error, BE_NOMEM, "no host memory for a formula");
    }
    enum be_status status = BE_OK;
    expr->reduce = reduce;
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

/* ---- compiled --------------------------------------------------------------------------------- */

struct loops {
    be_expr_loop *float32, *float64;
};

enum be_status be_expr_compile(struct be_expr *expr, struct be_error *error) {
    static const struct be_symbol symbol[] = {
        {"be_expr_float32", offsetof(struct loops, float32), BE_NEED_must},
        {"be_expr_float64", offsetof(struct loops, float64), BE_NEED_must}};
    static const struct be_library library = {
        .what = "formula", .symbol = symbol, .symbols = BE_COUNT(symbol)};
    struct loops loops = {0};
    struct be_text code = {0};
    be_expr_emit_host(expr, &code);
    enum be_status status = be_compile(&code, true, &library, &loops, &expr->library, error);
    be_text_free(&code);
    if (status == BE_OK) {
        expr->loop[0] = loops.float32;
        expr->loop[1] = loops.float64;
    } else {
        be_expr_label(expr, " (interpreted on the CPU)");
    }
    return status;
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
