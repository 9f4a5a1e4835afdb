/* The code of a formula: one loop in C for the CPU, one kernel for devices. */
#include "base/error.h"
#include "expr/tree.h"

static void emit_stores(const struct be_expr *expr, struct be_text *out) {
    for (int k = 0; k < expr->names; k++) {
        if (expr->name[k].output) {
            be_text_add(out, "        a_%s[at] = v_%s;\n", expr->name[k].word, expr->name[k].word);
        }
    }
}

static void emit_loop(const struct be_expr *expr, const char *suffix, struct be_text *out) {
    be_text_add(out, "    (void)n, (void)part;\n");
    be_expr_emit_pointers(expr, out);
    be_text_add(out, "#pragma omp simd\n"
                     "    for (size_t at = first; at < first + count; at++) {\n"
                     "        const double i = (double)at;\n        (void)i;\n");
    be_expr_emit_values(expr, suffix, out);
    emit_stores(expr, out);
    be_text_add(out, "    }\n");
}

void be_expr_emit_host(const struct be_expr *expr, struct be_text *out) {
    static const struct { const char *type, *suffix; } of[] = {{"float", "f"}, {"double", ""}};
    be_text_add(out, "#define _GNU_SOURCE\n#include <math.h>\n#include <stddef.h>\n");
    for (size_t t = 0; t < BE_COUNT(of); t++) {
        be_text_add(out,
                    "#undef REAL\n#define REAL %s\n"
                    "void be_expr_float%d(void *const *array, size_t first, size_t count, double n,"
                    " double *part) {\n",
                    of[t].type, t == 0 ? 32 : 64);
        (expr->reduce ? be_expr_reduce_host : emit_loop)(expr, of[t].suffix, out);
        be_text_add(out, "}\n");
    }
}

void be_expr_emit_device(const struct be_expr *expr, struct be_text *out) {
    if (expr->reduce) {
        be_expr_reduce_device(expr, out);
        return;
    }
    be_text_add(out, "KERNEL k_expr(");
    be_expr_emit_arguments(expr, out);
    be_text_add(out,
                "LONG count, LONG n) {\n"
                "    const LONG at = GROUP(0) * LANES(0) + LANE(0);\n"
                "    const LONG i = at;\n" /* no piece begins elsewhere where the index is read */
                "    (void)i;\n"
                "    if (at < count) {\n");
    be_expr_emit_values(expr, NULL, out);
    emit_stores(expr, out);
    be_text_add(out, "    }\n}\n");
}
