/*
 * Any bytes as a kernel file: what is wrong is said with its line; a description has arguments of arrays and parameters that
 * there are, and sizes.
 */
#include <stdlib.h>
#include <string.h>

#include "expr/code_file.h"
#include "fuzz.h"

static const char *const words[] = {"// breakeven: ",
                                    "\n// breakeven: ",
                                    "size ",
                                    "parameter ",
                                    "read ",
                                    "write ",
                                    "update ",
                                    "value ",
                                    "kernel ",
                                    "cpu ",
                                    "whole ",
                                    "items ",
                                    "groups ",
                                    "lanes ",
                                    "float ",
                                    "double ",
                                    "int ",
                                    "long ",
                                    "uchar ",
                                    "[n]",
                                    "[n*m]",
                                    " = 1..9 ",
                                    " = 2.5f",
                                    "*/",
                                    "\n",
                                    "tolerance ",
                                    "n",
                                    "m",
                                    "[",
                                    "]",
                                    "1e9",
                                    "operations "};

static const char *look(const struct be_computation *c) {
    const uint64_t value[BE_OWN_PARAMETERS_MAX] = {7, 3, 5, 2, 1, 9};
    for (int i = 0; i < c->device.arguments; i++) {
        const struct be_own_argument *a = &c->device.argument[i];
        const int most = a->kind == BE_OWN_ARRAY       ? c->arrays
                         : a->kind == BE_OWN_PARAMETER ? c->parameters
                                                       : 1;
        if (a->index < 0 || a->index >= most) {
            return "an argument of nothing";
        }
    }
    for (int k = 0; k < c->arrays; k++) {
        if (c->parameters == 0) {
            return "an array of a size that there is none";
        }
        if (c->array[k].count(c->self, value) > (uint64_t)1 << 50) {
            return "an array of a size that no memory has";
        }
    }
    return NULL;
}

static const char *check(const struct be_text *text, long *accepted) {
    struct be_code_file *file = NULL;
    struct be_error error = {0};
    const char *wrong = NULL;
    const enum be_status status =
        be_code_file_text("k.cl", text->data, text->length, &file, &error);
    if (status == BE_OK) {
        ++*accepted;
        wrong = look(be_code_file_computation(file));
    } else if (status != BE_USAGE || file || strncmp(error.text, "k.cl:", 5) != 0) {
        wrong = "a fault without the file's name";
    }
    be_code_file_close(file);
    return wrong;
}

const struct be_fuzz be_fuzzed = {
    .name = "fuzz_code_file", .word = words, .words = sizeof words / sizeof *words, .check = check};
