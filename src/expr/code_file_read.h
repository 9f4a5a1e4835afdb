/*
 * The description of a kernel, from the comments of its file. Only files of this folder include this.
 */
#ifndef BE_EXPR_CODE_FILE_READ_H
#define BE_EXPR_CODE_FILE_READ_H

#include "base/text.h"
#include "expr/code_file.h"
#include "expr/expr.h"

/* A formula of parameters. */
struct be_code_number {
    struct be_expr *expr;             /* NULL: it was not given */
    int parameter[BE_OWN_ARRAYS_MAX]; /* of each of the formula's arrays; -1: the value */
};

typedef void be_code_adapter(void *function, void *const *array, const uint64_t *value,
                             uint64_t first, uint64_t end);

struct be_code_file {
    char name[BE_NAME]; /* of the file, without folders */
    char title[BE_NOTE];
    char kernel[BE_NAME], cpu[BE_NAME]; /* functions */
    char word[BE_OWN_ARRAYS_MAX][BE_NAME], parameter_word[BE_OWN_PARAMETERS_MAX][BE_NAME];
    struct be_own_array array[BE_OWN_ARRAYS_MAX];
    struct be_own_parameter parameter[BE_OWN_PARAMETERS_MAX];
    struct be_own_argument argument[BE_OWN_ARGUMENTS_MAX];
    struct be_code_number count[BE_OWN_ARRAYS_MAX];
    struct be_code_number items, groups, operations;
    struct be_computation computation;
    struct be_text source;

    be_code_adapter *adapter; /* calls the CPU's function with its own arguments */
    void *function;           /* of a library; NULL: the adapter has it */
    void *library, *users;    /* of be_dyn_look */
};

/* Fills all but the CPU's code from the lines of `source`. */
enum be_status be_code_file_read(struct be_code_file *file, struct be_error *error);

#endif
