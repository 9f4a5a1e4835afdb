/*
 * The parts that the programs of this folder have in common: any bytes are read as one kind of file, and what must hold
 * whatever they are is checked. Each is built twice: seeded.c damages files that it is given as a seed says, guided.c
 * lets libFuzzer look for what reaches new code. The program decides what is read of the bytes.
 */
#ifndef BE_FUZZ_H
#define BE_FUZZ_H

#include <stdio.h>

#include "base/text.h"

struct be_fuzz {
    const char *name;        /* of the program */
    const char *const *word; /* that mean something in such files, and some that do not */
    size_t words;
    /* Says what is wrong with how the text was read, or NULL; counts what was accepted. */
    const char *(*check)(const struct be_text *text, long *accepted);
};

extern const struct be_fuzz be_fuzzed; /* each program has its own */

/* As a file to read; ends the program where that fails. */
FILE *be_fuzz_open(const struct be_text *text);

#endif
