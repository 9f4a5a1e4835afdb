/*
 * Rules that are not asked, or not heard: those that an option leaves out, and those that a comment of the script takes
 * away, "# breakeven: ignore RULE because ..". Such a comment counts for the whole script.
 */
#ifndef BE_LINT_SILENCE_H
#define BE_LINT_SILENCE_H

#include "lint/look/record.h"

/* Is the name among those of a list, "a,b c"? */
bool be_lint_listed(const char *list, const char *name);
/* A comment that asks for silence: its place, the names, and whether a reason follows. */
struct be_lint_plea {
    struct be_span span;
    char names[BE_NOTE];
    bool reason;
};
/* The next one from line *line on, which then is behind it. False: there is none. */
bool be_lint_plea(const struct be_script *script, size_t *line, struct be_lint_plea *plea);
/* Takes the findings away that such comments name, and counts them. */
void be_lint_silence(const struct be_script *script, struct be_lint_report *report);

#endif
