/*
 * Where the running program and this library lie: what comes with them is looked for beside them.
 */
#ifndef BE_BASE_PROGRAM_H
#define BE_BASE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* The folder of the program, without a slash at the end; false: not known, or longer than room. */
bool be_program_folder(char *path, size_t capacity);

/* The folder of the file that this code was loaded from: the shared library, which may be in a program of another language,
 * or the program that it is linked into. */
bool be_library_folder(char *path, size_t capacity);

#endif
