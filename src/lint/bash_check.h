/* Complaints of bash about a script that it only reads: `bash -n` runs nothing. */
#ifndef BE_LINT_BASH_CHECK_H
#define BE_LINT_BASH_CHECK_H

#include "base/text.h"

/* Its complaints, in the C locale; empty where it has none, where there is no bash, and for a script of another
 * interpreter. */
void be_lint_bash_check(const struct be_text *script, char *said, size_t capacity);

#endif
