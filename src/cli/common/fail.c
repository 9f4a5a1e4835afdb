#include "cli/common/fail.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/common/lines.h"

/* Appends a text that begins in column `column`, broken at blanks for a terminal. Names in it stay as
 * they are, however long. */
static void wrap(const char *text, size_t column, struct be_text *out) {
    enum { INDENT = 2 };
    while (*text) {
        const size_t blanks = strspn(text, " ");
        const size_t whole = blanks + strcspn(text + blanks, " ");
        if (blanks > 0 && column > INDENT && column + whole > BE_COLUMNS) {
            be_text_add(out, "\n%*s", INDENT, "");
            text += blanks;
            column = INDENT;
            continue;
        }
        be_text_add_bytes(out, text, whole);
        text += whole;
        column += whole;
    }
}

/* Names in it may be from anywhere, and steer no terminal. */
static void make_plain(const char *text, struct be_text *out) {
    for (size_t length; *text; text += length ? length : 1) {
        length = be_utf8_length(text);
        unsigned first = (unsigned char)text[0], second = (unsigned char)text[1];
        bool control = first == 127 || (first < ' ' && first != '\n') ||
                       (length == 2 && first == 0xC2 && second < 0xA0);
        be_text_add_bytes(out, length && !control ? text : "?", length && !control ? length : 1);
    }
}

int be_cli_fail(const struct be_error *error) {
    static const char speaker[] = "breakeven: ";
    struct be_text plain = {0}, text = {0};
    make_plain(error->text, &plain);
    wrap(plain.data ? plain.data : "", strlen(speaker), &text);
    fprintf(stderr, "%s%s\n", speaker, text.data && !text.failed ? text.data : "out of memory");
    be_text_free(&plain);
    be_text_free(&text);
    return error->status == BE_ABSENT  ? BE_EXIT_ABSENT
           : error->status == BE_WRONG ? BE_EXIT_WRONG
                                       : BE_EXIT_USAGE;
}
