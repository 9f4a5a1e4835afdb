#include "cli/predict/formulas.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "cli/common/caret.h"

static const struct {
    const char *option;
    size_t at;
    double least;
} kinds[BE_CLI_FORMULAS] = {
    [BE_CLI_FLOPS] = {"--flops", offsetof(struct be_predict_work, flops), 0},
    [BE_CLI_BYTES] = {"--bytes", offsetof(struct be_predict_work, bytes), 0},
    [BE_CLI_CHAIN] = {"--sequential", offsetof(struct be_predict_work, chain_flops), 0},
    [BE_CLI_ONCE] = {"--transfer", offsetof(struct be_predict_work, once_bytes), 0},
    [BE_CLI_EACH] = {"--transfer-each", offsetof(struct be_predict_work, each_bytes), 0},
    [BE_CLI_MEMORY] = {"--memory", offsetof(struct be_predict_work, memory_bytes), 0},
    [BE_CLI_CALLS] = {"--calls", offsetof(struct be_predict_work, calls), 1},
    [BE_CLI_LAUNCHES] = {"--launches", offsetof(struct be_predict_work, launches), 1},
    [BE_CLI_BATCH] = {"--batch", offsetof(struct be_predict_work, batch), 1},
    [BE_CLI_M] = {"--matmul", offsetof(struct be_predict_work, m), 1},
    [BE_CLI_N] = {"--matmul", offsetof(struct be_predict_work, n), 1},
    [BE_CLI_K] = {"--matmul", offsetof(struct be_predict_work, k), 1},
};

const char *be_cli_formulas_option(int formula) {
    return kinds[formula].option;
}

enum be_status be_cli_formulas_matmul(struct be_cli_formulas *formulas, char *text,
                                      struct be_error *error) {
    const char **part = &formulas->text[BE_CLI_M];
    int parts = 1, depth = 0;
    part[0] = text;
    for (char *at = text; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at == ',' && depth == 0) { /* those of a function are its own */
            part[parts < 3 ? parts : 2] = at + 1;
            parts++;
            *at = '\0';
        }
    }
    return parts == 3 ? BE_OK
                      : be_fail(error, BE_USAGE,
                                "--matmul: three numbers or formulas with commas between them are "
                                "needed: rows and columns of the result and terms of a sum, as "
                                "n,n,64");
}

enum be_status be_cli_formulas_open(struct be_cli_formulas *formulas, struct be_error *error) {
    for (int i = 0; i < BE_CLI_FORMULAS; i++) {
        struct be_expr_fault fault;
        const char *text = formulas->text[i];
        if (text && be_scalar_open(text, &formulas->value[i], &fault, error) != BE_OK) {
            be_cli_caret(text, fault.at);
            return be_context(error, "%s", kinds[i].option);
        }
    }
    return BE_OK;
}

void be_cli_formulas_close(struct be_cli_formulas *formulas) {
    for (int i = 0; i < BE_CLI_FORMULAS; i++) {
        be_scalar_close(formulas->value[i]);
        formulas->value[i] = NULL;
    }
}

const char *be_cli_formulas_of_n(const struct be_cli_formulas *formulas) {
    for (int i = 0; i < BE_CLI_FORMULAS; i++) {
        if (formulas->value[i] && isnan(be_scalar_value(formulas->value[i], NAN))) {
            return kinds[i].option;
        }
    }
    return NULL;
}

enum be_status be_cli_formulas_at(const struct be_cli_formulas *formulas, double n,
                                  struct be_predict_work *work, struct be_error *error) {
    *work = formulas->flags;
    for (int i = 0; i < BE_CLI_FORMULAS; i++) {
        if (!formulas->value[i]) {
            continue;
        }
        const double value = be_scalar_value(formulas->value[i], n);
        if (!isfinite(value)) {
            return be_fail(error, BE_USAGE,
                           "%s '%.120s' has no value at n = %g: it overflows or divides by zero "
                           "there; ask for other sizes (--size), or change the formula",
                           kinds[i].option, formulas->text[i], n);
        }
        if (value < kinds[i].least) {
            return be_fail(
                error, BE_USAGE,
                "%s '%.120s' is %g at n = %g: at least %g is needed; ask for other sizes "
                "(--size), or change the formula",
                kinds[i].option, formulas->text[i], value, n, kinds[i].least);
        }
        memcpy((char *)work + kinds[i].at, &value, sizeof value);
    }
    work->chain_flops = formulas->all_in_chain ? work->flops : work->chain_flops;
    return BE_OK;
}

void be_cli_formulas_work(void *context, double n, struct be_predict_work *work) {
    if (be_cli_formulas_at(context, n, work, NULL) != BE_OK) {
        *work = (struct be_predict_work){0};
    }
}
