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
