/*
 * Words as a shell reads them again: whatever is in an argument, it comes out of the script as it
 * went in, and nothing of it is run.
 */
#ifndef BE_SCRIPT_SHELL_QUOTE_H
#define BE_SCRIPT_SHELL_QUOTE_H

#include "base/text.h"

/* One word for bash; bare where that is safe. */
void be_shell_quote(const char *word, struct be_text *out);
/* The word that names the program: what the shell would take for an assignment, or for a word of
 * its own ("time", "!"), is quoted too. */
void be_shell_quote_program(const char *word, struct be_text *out);

#endif
