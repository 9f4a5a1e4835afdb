/*
 * Foreign text as a terminal can show it, sign by sign, with the columns that each takes: in a UTF-8
 * locale as it stands, elsewhere as an escape (\u2013). Escapes always have signs that would steer the
 * terminal, that turn the order of what follows (bidirectional ones), and those that nobody sees:
 * blanks but the plain one, signs without a width, bytes that are no UTF-8 (\x96).
 */
#ifndef BE_REPORT_COMMON_PRINTABLE_H
#define BE_REPORT_COMMON_PRINTABLE_H

#include "base/text.h"

enum { BE_SHOWN = 12 }; /* "\U0010ffff" */

struct be_shown {
    char text[BE_SHOWN];
    size_t bytes; /* of the foreign text that it stands for: 1 at least */
    int columns;
};

/* The sign that `from` begins with, which ends with a zero behind `left` bytes or later. Tabs and ends
 * of lines are shown as one blank. */
struct be_shown be_shown_next(const char *from, size_t left);

/* Columns of `bytes` of text that is shown already. */
int be_shown_columns(const char *text, size_t bytes);
/* Bytes of as much of it as has room in so many columns; 0: not even its first sign. */
size_t be_shown_fit(const char *text, size_t bytes, int columns);

/* Appends all of `from` so. */
void be_shown_add(struct be_text *out, const char *from);

#endif
