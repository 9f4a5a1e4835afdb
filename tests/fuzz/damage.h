/*
 * Files damaged at random, for the programs of this folder: every change follows from a seed, so that
 * a round can be repeated. What is read of them is the program's affair.
 */
#ifndef BE_FUZZ_DAMAGE_H
#define BE_FUZZ_DAMAGE_H

#include "base/text.h"

struct be_fuzz {
    const char *name;        /* of the program */
    const char *const *word; /* that mean something in such files, and some that do not */
    size_t words;
    /* What is wrong with how the text was read, or NULL; counts what was accepted. */
    const char *(*check)(const struct be_text *text, long *accepted);
};

/* usage: NAME ROUNDS SEED FILE... */
int be_fuzz_main(const struct be_fuzz *fuzz, int argc, char **argv);

#endif
