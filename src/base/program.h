/*
 * Where the running program lies: what comes with it is looked for beside it.
 */
#ifndef BE_BASE_PROGRAM_H
#define BE_BASE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* The folder of the program, without a slash at the end; false: not known, or longer than room. */
bool be_program_folder(char *path, size_t capacity);

#endif
