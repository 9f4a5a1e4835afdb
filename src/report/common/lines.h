/*
 * Lines of at most 80 columns, from any text; in ASCII, but where it says otherwise.
 */
#ifndef BE_REPORT_COMMON_LINES_H
#define BE_REPORT_COMMON_LINES_H

#include "base/text.h"

enum { BE_COLUMNS = 80 };

/* Appends `from` in ASCII: signs with a usual spelling are spelled ("(R)", "us"), control
 * characters become blanks (they would steer the terminal), the rest '?'. */
void be_lines_ascii(struct be_text *out, const char *from);

/* Appends `from` in ASCII in exactly `width` columns: cut, or with blanks behind it. */
void be_lines_cell(struct be_text *out, const char *from, int width);

/* Appends `head` and then `words` (all of it in ASCII), broken at blanks; lines after the first
 * start with `indent` blanks. */
void be_lines_wrap(struct be_text *out, const char *head, const char *words, int indent);

/* The same of words whose signs matter as they are: as report/common/printable.h shows them. */
void be_lines_wrap_shown(struct be_text *out, const char *head, const char *words, int indent);

#endif
