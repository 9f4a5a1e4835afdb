/* The word that was meant: options and values that are nearly right. */
#ifndef BE_LINT_SPELLING_H
#define BE_LINT_SPELLING_H

#include "lint/look/record.h"

/* Is it a long option behind one hyphen, "-ntasks=4", that is read as a letter and its value? */
bool be_lint_single_dash(const struct be_lint *lint, const struct be_script_option *option,
                         char *fixed, size_t capacity);
/* The same of a word: "-ntasks=4". */
bool be_lint_is_single_dash(const char *word, char *fixed, size_t capacity);
/* Bytes of the dashes and hyphens that a word begins with, one dash at least; 0: not so. */
size_t be_lint_dashes(const char *text);
/* Would sbatch take `word`, dashes left out, as a long option? */
bool be_lint_option_word(const char *word, char *fixed, size_t capacity);
/* Puts plain blanks in the place of no-break spaces; false: there is none. */
bool be_lint_plain_blanks(struct be_lint *lint, struct be_lint_finding *finding,
                          struct be_span span);
/* "2h", "1.5d", "90 min": a time with a unit behind it, as sbatch wants it. */
bool be_lint_duration(const char *text, char *to, size_t capacity);

#endif
