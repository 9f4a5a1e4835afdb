#include "question/formulas.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "predict/irregular.h"
#include "predict/usual.h"

static const struct {
    const char *name;
    size_t at;
    double least;
} kinds[BE_FORMULAS] = {
    [BE_FORMULA_FLOPS] = {"flops", offsetof(struct be_predict_work, flops), 0},
    [BE_FORMULA_BYTES] = {"bytes", offsetof(struct be_predict_work, bytes), 0},
    [BE_FORMULA_CHAIN] = {"sequential", offsetof(struct be_predict_work, chain_flops), 0},
    [BE_FORMULA_ONCE] = {"transfer", offsetof(struct be_predict_work, once_bytes), 0},
    [BE_FORMULA_EACH] = {"transfer-each", offsetof(struct be_predict_work, each_bytes), 0},
    [BE_FORMULA_MEMORY] = {"memory", offsetof(struct be_predict_work, memory_bytes), 0},
    [BE_FORMULA_CALLS] = {"calls", offsetof(struct be_predict_work, calls), 1},
    [BE_FORMULA_LAUNCHES] = {"launches", offsetof(struct be_predict_work, launches), 1},
    [BE_FORMULA_BATCH] = {"batch", offsetof(struct be_predict_work, batch), 1},
    [BE_FORMULA_M] = {"matmul", offsetof(struct be_predict_work, m), 1},
    [BE_FORMULA_N] = {"matmul", offsetof(struct be_predict_work, n), 1},
    [BE_FORMULA_K] = {"matmul", offsetof(struct be_predict_work, k), 1},
    [BE_FORMULA_FACTOR_M] = {"factor", offsetof(struct be_predict_work, factor_m), 1},
    [BE_FORMULA_FACTOR_N] = {"factor", offsetof(struct be_predict_work, factor_n), 1},
    [BE_FORMULA_ITEMS] = {"irregular", offsetof(struct be_predict_work, items), 1},
    [BE_FORMULA_WIDTH] = {"irregular", offsetof(struct be_predict_work, width), 1},
};

static const char *dashes(const struct be_formulas *formulas) {
    return formulas->typed ? "--" : "";
}

const char *be_formulas_name(int formula) {
    return kinds[formula].name;
}

/* Splits at the commas outside of brackets, in place; returns how many parts there are, of which `most` are kept. */
static int split(char *text, const char **part, int most) {
    int parts = 1, depth = 0;
    part[0] = text;
    for (char *at = text; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at == ',' && depth == 0) { /* those of a function are its own */
            part[parts < most ? parts : most - 1] = at + 1;
            parts++;
            *at = '\0';
        }
    }
    return parts;
}

enum be_status be_formulas_matmul(struct be_formulas *formulas, char *text,
                                  struct be_error *error) {
    return split(text, &formulas->text[BE_FORMULA_M], 3) == 3
               ? BE_OK
               : be_fail(error, BE_USAGE,
                         "%smatmul: three numbers or formulas with commas between them are "
                         "needed: rows and columns of the result and terms of a sum, as "
                         "n,n,64",
                         dashes(formulas));
}

enum be_status be_formulas_factor(struct be_formulas *formulas, char *text,
                                  struct be_error *error) {
    const char *part[3] = {0};
    const int parts = split(text, part, 3);
    formulas->flags.factor = (enum be_factor)be_usual_word(be_factor_word, BE_FACTORS, part[0]);
    formulas->text[BE_FORMULA_FACTOR_M] = part[1];
    formulas->text[BE_FORMULA_FACTOR_N] = parts == 3 ? part[2] : part[1];
    return formulas->flags.factor && (parts == 2 || parts == 3)
               ? BE_OK
               : be_fail(error, BE_USAGE,
                         "%sfactor: a factorisation and the sides of its matrix are needed, as "
                         "svd,1000,60 or lu,n; there are lu (also a solve, a determinant), "
                         "inverse, cholesky, qr, eigen (symmetric), svd",
                         dashes(formulas));
}

enum be_status be_formulas_irregular(struct be_formulas *formulas, char *text,
                                     struct be_error *error) {
    const char *part[3] = {0};
    const int parts = split(text, part, 3);
    formulas->flags.irregular =
        (enum be_irregular)be_usual_word(be_irregular_word, BE_IRREGULARS, part[0]);
    formulas->text[BE_FORMULA_ITEMS] = part[1];
    formulas->text[BE_FORMULA_WIDTH] = part[2];
    return formulas->flags.irregular && (parts == 2 || parts == 3)
               ? BE_OK
               : be_fail(
                     error, BE_USAGE,
                     "%sirregular: a kind of work and its items are needed, as hash,1e6 or "
                     "sort,n,10; there are hash (sums by a key, joins, unique values), sort, "
                     "scatter (histograms, sums by an index), trees (levels x features x rows of a "
                     "boosted tree)",
                     dashes(formulas));
}

bool be_formulas_say_work(const struct be_formulas *formulas) {
    const char *const *text = formulas->text;
    return text[BE_FORMULA_FLOPS] || text[BE_FORMULA_BYTES] || text[BE_FORMULA_M] ||
           text[BE_FORMULA_FACTOR_M] || text[BE_FORMULA_ITEMS];
}

enum be_status be_formulas_framework(struct be_formulas *formulas, const char *word,
                                     struct be_error *error) {
    formulas->flags.framework = be_usual_framework(word);
    return formulas->flags.framework
               ? BE_OK
               : be_fail(error, BE_USAGE,
                         "%sframework: there is no '%.40s': there are numpy (also CuPy), torch, "
                         "jax, pandas (also cuDF); leave it out for compiled code",
                         dashes(formulas), word);
}

enum be_status be_formulas_open(struct be_formulas *formulas, struct be_formulas_fault *fault,
                                struct be_error *error) {
    *fault = (struct be_formulas_fault){NULL, 0};
    for (int i = 0; i < BE_FORMULAS; i++) {
        struct be_expr_fault at;
        const char *text = formulas->text[i];
        if (text && be_scalar_open(text, &formulas->value[i], &at, error) != BE_OK) {
            *fault = (struct be_formulas_fault){text, at.at};
            return be_context(error, "%s%s", dashes(formulas), kinds[i].name);
        }
    }
    return BE_OK;
}

void be_formulas_close(struct be_formulas *formulas) {
    for (int i = 0; i < BE_FORMULAS; i++) {
        be_scalar_close(formulas->value[i]);
        formulas->value[i] = NULL;
    }
}

const char *be_formulas_of_n(const struct be_formulas *formulas) {
    for (int i = 0; i < BE_FORMULAS; i++) {
        if (formulas->value[i] && isnan(be_scalar_value(formulas->value[i], NAN))) {
            return kinds[i].name;
        }
    }
    return NULL;
}

enum be_status be_formulas_at(const struct be_formulas *formulas, double n,
                              struct be_predict_work *work, struct be_error *error) {
    *work = formulas->flags;
    for (int i = 0; i < BE_FORMULAS; i++) {
        if (!formulas->value[i]) {
            continue;
        }
        const double value = be_scalar_value(formulas->value[i], n);
        if (!isfinite(value)) {
            return be_fail(error, BE_USAGE,
                           "%s%s '%.120s' has no value at n = %g: it overflows or divides by zero "
                           "there; ask for other sizes, or change the formula",
                           dashes(formulas), kinds[i].name, formulas->text[i], n);
        }
        if (value < kinds[i].least) {
            return be_fail(
                error, BE_USAGE,
                "%s%s '%.120s' is %g at n = %g: at least %g is needed; ask for other sizes, or "
                "change the formula",
                dashes(formulas), kinds[i].name, formulas->text[i], value, n, kinds[i].least);
        }
        memcpy((char *)work + kinds[i].at, &value, sizeof value);
    }
    work->chain_flops = formulas->all_in_chain ? work->flops : work->chain_flops;
    return BE_OK;
}

void be_formulas_work(void *context, double n, struct be_predict_work *work) {
    if (be_formulas_at(context, n, work, NULL) != BE_OK) {
        *work = (struct be_predict_work){0};
    }
}

enum be_status be_formulas_check(const struct be_formulas *f, struct be_error *error) {
    const char *d = dashes(f);
    if (f->text[BE_FORMULA_M] &&
        (f->text[BE_FORMULA_FLOPS] || f->text[BE_FORMULA_BYTES] || f->flags.stream)) {
        return be_fail(error, BE_USAGE,
                       "%smatmul: says the operations and bytes itself; leave %sflops, %sbytes and "
                       "%selementwise out",
                       d, d, d, d);
    }
    if (f->text[BE_FORMULA_FACTOR_M] && (f->text[BE_FORMULA_M] || f->flags.stream)) {
        return be_fail(error, BE_USAGE,
                       "%sfactor: is neither a product nor elementwise; leave %smatmul and "
                       "%selementwise out",
                       d, d, d);
    }
    if (f->text[BE_FORMULA_ITEMS] &&
        (f->text[BE_FORMULA_M] || f->text[BE_FORMULA_FACTOR_M] || f->flags.stream)) {
        return be_fail(error, BE_USAGE,
                       "%sirregular: is no product, no factorisation and not elementwise; leave "
                       "%smatmul, %sfactor and %selementwise out, or ask for each part alone",
                       d, d, d, d);
    }
    return f->flags.stream && !f->text[BE_FORMULA_BYTES]
               ? be_fail(error, BE_USAGE,
                         "%selementwise: needs %sbytes, each array that is read or written once", d,
                         d)
               : BE_OK;
}
