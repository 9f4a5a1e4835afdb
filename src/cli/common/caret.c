#include "cli/common/caret.h"

#include <stdio.h>

enum { INDENT = 2 };

/* Blanks as wide as the letters before; a tab stays one. */
void be_cli_caret(const char *text, size_t at) {
    fprintf(stderr, "%*s%s\n%*s", INDENT, "", text, INDENT, "");
    for (size_t i = 0; i < at && text[i]; i++) {
        fputc(text[i] == '\t' ? '\t' : ' ', stderr);
    }
    fputs("^\n", stderr);
}

enum be_status be_cli_formulas_open(struct be_formulas *formulas, struct be_error *error) {
    struct be_formulas_fault fault;
    formulas->typed = true;
    const enum be_status status = be_formulas_open(formulas, &fault, error);
    if (fault.text) {
        be_cli_caret(fault.text, fault.at);
    }
    return status;
}
