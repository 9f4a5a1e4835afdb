/*
 * Files that are whole or not there: written beside under a name of their own, then renamed. Each writer
 * has another name ("FILE.part-PID-N"), so that two with one FILE do not write into each other's.
 */
#ifndef BE_BASE_PART_FILE_H
#define BE_BASE_PART_FILE_H

#include <stdio.h>
#include <sys/types.h>

#include "breakeven_error.h"

/* A new file beside `file`, or beside what that links to, with this mode less the umask and less what `file`
 * lacks where it is there already. *path: its name, to be freed; on failure NULL, with *out NULL. BE_IO with
 * the cause. */
enum be_status be_part_open(const char *file, mode_t mode, FILE **out, char **path,
                            struct be_error *error);
/* Closes; where `status`, what came of the writing, is BE_OK, puts it in the place of `file`, else removes
 * it. Frees `path`. `status`, or BE_IO with the cause. */
enum be_status be_part_close(const char *file, FILE *out, char *path, enum be_status status,
                             struct be_error *error);

/* Puts what be_part_open made in its place; as rename(2). */
int be_part_rename(const char *path);

#endif
