#include "cli/predict/numbers.h"

#include "base/error.h"
#include "cli/common/values.h"

enum key {
    TYPE = BE_CLI_NUMBERS + BE_FORMULAS,
    MATRIX,
    MATMUL,
    ELEMENTWISE,
    FIRST_CALL,
    FACTOR,
    IRREGULAR,
    FRAMEWORK
};

/* Those of one formula have its number as their key. */
static const struct argp_option option[] = {
    {"flops", BE_CLI_NUMBERS + BE_FORMULA_FLOPS, "F", 0,
     "Floating-point operations of one call, as 2e15 or '2*n^3'", 0},
    {"bytes", BE_CLI_NUMBERS + BE_FORMULA_BYTES, "F", 0,
     "Bytes that one call reads and writes in memory", 0},
    {"transfer", BE_CLI_NUMBERS + BE_FORMULA_ONCE, "F", 0,
     "Bytes that cross the bus once for all calls, both directions together", 0},
    {"transfer-each", BE_CLI_NUMBERS + BE_FORMULA_EACH, "F", 0,
     "Bytes that cross the bus with every call", 0},
    {"memory", BE_CLI_NUMBERS + BE_FORMULA_MEMORY, "F", 0,
     "Bytes that lie in memory at a time (default: as many as cross the bus)", 0},
    {"calls", BE_CLI_NUMBERS + BE_FORMULA_CALLS, "F", 0, "Calls (default: 1)", 0},
    {"launches", BE_CLI_NUMBERS + BE_FORMULA_LAUNCHES, "F", 0,
     "Kernels that one call starts (default: 1)", 0},
    {"sequential", BE_CLI_NUMBERS + BE_FORMULA_CHAIN, "F", OPTION_ARG_OPTIONAL,
     "Operations of a call that wait each for the one before (no F: all of --flops)", 0},
    {"batch", BE_CLI_NUMBERS + BE_FORMULA_BATCH, "F", 0,
     "Independent items that one call does side by side; --flops, --bytes and --transfer-each are "
     "then of one item (default: 1)",
     0},
    {"type", TYPE, "float32|float64", 0, "Type of the numbers (default: float32)", 0},
    {"matrix", MATRIX, NULL, 0, "Its operations are products of matrices", 0},
    {"matmul", MATMUL, "M,N,K", 0,
     "It is the product of an M x K by a K x N matrix, or --batch of them, in place of --flops and "
     "--bytes: then small, thin and odd shapes count",
     0},
    {"factor", FACTOR, "WHAT,M[,N]", 0,
     "It is the factorisation of an M x N matrix, or of --batch of them: lu (also a solve or a "
     "determinant), inverse, cholesky, qr, eigen (symmetric), svd, in place of --flops, --bytes "
     "and --launches",
     0},
    {"irregular", IRREGULAR, "WHAT,N[,WIDTH]", 0,
     "Its N items are looked up in a hash table (hash: sums by a key, joins, unique values), "
     "sorted "
     "(sort), added to sums that they choose (scatter: histograms) or to those of boosted trees "
     "(trees: levels x features x rows), in place of --flops, --bytes and --launches; WIDTH: keys, "
     "numbers or sums of an item",
     0},
    {"framework", FRAMEWORK, "NAME", 0,
     "It is written with numpy (or CuPy), torch, jax or pandas (or cuDF), whose calls take time on "
     "both sides (default: compiled code)",
     0},
    {"elementwise", ELEMENTWISE, NULL, 0,
     "It goes element by element over whole arrays, and --bytes has each array once", 0},
    {"first-call", FIRST_CALL, NULL, 0, "The GPU's start counts: context and code", 0},
};

void be_cli_numbers_options(struct argp_option *to, int capacity, int group) {
    int at = 0;
    while (to[at].name || to[at].doc) {
        at++;
    }
    for (size_t i = 0; i < BE_COUNT(option) && at < capacity - 1; i++) {
        to[at] = option[i];
        to[at++].group = group;
    }
}

static void set_type(struct be_formulas *formulas, const char *text, struct be_error *error) {
    static const char *const word[] = {"float32", "float64", NULL};
    int index = 0;
    be_cli_choice("type", text, word, &index, error);
    formulas->flags.float64 = index == 1;
    formulas->type = word[index];
}

bool be_cli_numbers_set(struct be_formulas *formulas, int key, char *text, struct be_error *error) {
    formulas->typed = true;
    switch (key) {
    case TYPE:
        set_type(formulas, text, error);
        return true;
    case MATRIX:
        return formulas->flags.matrix = true;
    case MATMUL:
        be_formulas_matmul(formulas, text, error);
        return true;
    case FACTOR:
        be_formulas_factor(formulas, text, error);
        return true;
    case IRREGULAR:
        be_formulas_irregular(formulas, text, error);
        return true;
    case FRAMEWORK:
        be_formulas_framework(formulas, text, error);
        return true;
    case ELEMENTWISE:
        return formulas->flags.stream = true;
    case FIRST_CALL:
        return formulas->flags.first_call = true;
    default:
        break;
    }
    const int formula = key - BE_CLI_NUMBERS;
    if (formula < 0 || formula >= BE_FORMULAS) {
        return false;
    }
    formulas->text[formula] = text;
    formulas->all_in_chain = formula == BE_FORMULA_CHAIN ? !text : formulas->all_in_chain;
    return true;
}
