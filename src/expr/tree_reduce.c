/*
 * One value of all elements: their sum, the least or the greatest. Each thread of the CPU leaves a part, each group of a
 * device too, and parts are put together.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "expr/tree.h"

static const struct {
    const char *name;
    const char *clause; /* of OpenMP's reduction */
    const char *join;   /* of a and b, as code; comparisons pass NaN over, everywhere alike */
    const char *host, *device; /* the value of no elements */
} kinds[] = {
    [BE_EXPR_SUM] = {"sum", "+", "a += b", "0", "0"},
    [BE_EXPR_MIN] = {"min", "min", "a = (b) < a ? (b) : a", "INFINITY", "AS_FLOAT(0x7f800000)"},
    [BE_EXPR_MAX] = {"max", "max", "a = (b) > a ? (b) : a", "-INFINITY", "-AS_FLOAT(0x7f800000)"},
};

const char *be_expr_reduce_name(enum be_expr_reduce reduce) {
    return kinds[reduce].name;
}

bool be_expr_reduce_find(const char *name, enum be_expr_reduce *reduce) {
    for (int i = BE_EXPR_SUM; i < (int)BE_COUNT(kinds); i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            *reduce = (enum be_expr_reduce)i;
            return true;
        }
    }
    return false;
}

double be_expr_reduce_nothing(enum be_expr_reduce reduce) {
    return reduce == BE_EXPR_SUM ? 0 : reduce == BE_EXPR_MIN ? INFINITY : -INFINITY;
}

double be_expr_reduce_join(enum be_expr_reduce reduce, double a, double b) {
    const bool joined = reduce == BE_EXPR_MIN ? b < a : b > a;
    return reduce == BE_EXPR_SUM ? a + b : joined ? b : a;
}

uint64_t be_expr_reduce_groups(uint64_t n) {
    const uint64_t groups = (n + BE_EXPR_GROUP_ELEMENTS - 1) / BE_EXPR_GROUP_ELEMENTS;
    return groups < BE_EXPR_GROUPS ? groups : BE_EXPR_GROUPS;
}

/* ---- the CPU -------------------------------------------------------------------------------- */

/* Sums of few elements are taken in the comparison's type, as vectors, and added up as doubles: a sum of many floats one
 * by one would lose digits. */
void be_expr_reduce_host(const struct be_expr *expr, const char *suffix, struct be_text *out) {
    be_text_add(out, "#undef JOIN\n#define JOIN(a, b) %s\n    (void)n;\n",
                kinds[expr->reduce].join);
    be_expr_emit_pointers(expr, out);
    for (int k = 0; k < expr->names; k++) {
        if (expr->name[k].output) {
            be_text_add(out, "    double t_%s = %s;\n", expr->name[k].word,
                        kinds[expr->reduce].host);
        }
    }
    be_text_add(out,
                "    for (size_t from = first; from < first + count; from += %d) {\n"
                "        const size_t left = first + count - from;\n"
                "        const size_t end = from + (left < %d ? left : %d);\n",
                BE_EXPR_TOGETHER, BE_EXPR_TOGETHER, BE_EXPR_TOGETHER);
    for (int k = 0; k < expr->names; k++) {
        if (expr->name[k].output) {
            be_text_add(out, "        REAL s_%s = %s;\n", expr->name[k].word,
                        kinds[expr->reduce].host);
        }
    }
    be_text_add(out, "#pragma omp simd");
    for (int k = 0; k < expr->names; k++) {
        if (expr->name[k].output) {
            be_text_add(out, " reduction(%s : s_%s)", kinds[expr->reduce].clause,
                        expr->name[k].word);
        }
    }
    be_text_add(out, "\n        for (size_t at = from; at < end; at++) {\n"
                     "        const double i = (double)at;\n        (void)i;\n");
    be_expr_emit_values(expr, suffix, out);
    for (int k = 0; k < expr->names; k++) {
        if (expr->name[k].output) {
            be_text_add(out, "        JOIN(s_%s, v_%s);\n", expr->name[k].word, expr->name[k].word);
        }
    }
    be_text_add(out, "        }\n");
    for (int k = 0; k < expr->names; k++) {
        if (expr->name[k].output) {
            be_text_add(out, "        JOIN(t_%s, s_%s);\n", expr->name[k].word, expr->name[k].word);
        }
    }
    be_text_add(out, "    }\n");
    for (int k = 0; k < expr->names; k++) {
        if (expr->name[k].output) {
            be_text_add(out, "    part[%d] = t_%s;\n", expr->name[k].array, expr->name[k].word);
        }
    }
}

/* ---- devices -------------------------------------------------------------------------------- */

static void begin_kernel(const struct be_expr *expr, const char *name, struct be_text *out) {
    be_text_add(out, "KERNEL %s(", name);
    be_expr_emit_arguments(expr, out);
    be_text_add(out,
                "GLOBAL REAL *parts, LONG count, LONG n) {\n"
                "    SHARED REAL lanes[%d];\n"
                "    const LONG lane = LANE(0);\n"
                "    LONG groups = (n + %d - 1) / %d;\n"
                "    groups = groups < %d ? groups : %d;\n",
                BE_EXPR_LANES, BE_EXPR_GROUP_ELEMENTS, BE_EXPR_GROUP_ELEMENTS, BE_EXPR_GROUPS,
                BE_EXPR_GROUPS);
    for (int k = 0; k < expr->names; k++) {
        if (expr->name[k].output) {
            be_text_add(out, "    REAL s_%s = (REAL)(%s);\n", expr->name[k].word,
                        kinds[expr->reduce].device);
        }
    }
}

/* The values of a group's lanes become one, for each output; `to`: where it comes to. */
static void end_kernel(const struct be_expr *expr, bool whole, struct be_text *out) {
    for (int k = 0; k < expr->names; k++) {
        const struct be_expr_name *name = &expr->name[k];
        if (!name->output) {
            continue;
        }
        be_text_add(out,
                    "    lanes[lane] = s_%s;\n"
                    "    BARRIER();\n"
                    "    for (int step = %d; step > 0; step /= 2) {\n"
                    "        if (lane < step) {\n"
                    "            JOIN(lanes[lane], lanes[lane + step]);\n"
                    "        }\n"
                    "        BARRIER();\n"
                    "    }\n"
                    "    if (lane == 0) {\n",
                    name->word, BE_EXPR_LANES / 2);
        if (whole) {
            be_text_add(out, "        a_%s[0] = lanes[0];\n", name->word);
        } else {
            be_text_add(out, "        parts[GROUP(0) * %d + %d] = lanes[0];\n", BE_OWN_ARRAYS_MAX,
                        name->array);
        }
        be_text_add(out, "    }\n    BARRIER();\n");
    }
    be_text_add(out, "}\n");
}

void be_expr_reduce_device(const struct be_expr *expr, struct be_text *out) {
    be_text_add(out, "#define JOIN(a, b) %s\n", kinds[expr->reduce].join);
    begin_kernel(expr, "k_parts", out);
    be_text_add(out,
                "    for (LONG at = GROUP(0) * %d + lane; at < count; at += groups * %d) {\n"
                "        const LONG i = at;\n        (void)i;\n",
                BE_EXPR_LANES, BE_EXPR_LANES);
    be_expr_emit_values(expr, NULL, out);
    for (int k = 0; k < expr->names; k++) {
        if (expr->name[k].output) {
            be_text_add(out, "        JOIN(s_%s, v_%s);\n", expr->name[k].word, expr->name[k].word);
        }
    }
    be_text_add(out, "    }\n");
    end_kernel(expr, false, out);
    begin_kernel(expr, "k_whole", out);
    be_text_add(out, "    for (LONG group = lane; group < groups; group += %d) {\n", BE_EXPR_LANES);
    for (int k = 0; k < expr->names; k++) {
        if (expr->name[k].output) {
            be_text_add(out, "        JOIN(s_%s, parts[group * %d + %d]);\n", expr->name[k].word,
                        BE_OWN_ARRAYS_MAX, expr->name[k].array);
        }
    }
    be_text_add(out, "    }\n");
    end_kernel(expr, true, out);
}
