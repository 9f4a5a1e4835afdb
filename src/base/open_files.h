/*
 * How many files this process may have open (ulimit -n). Where that is few, what cannot be opened
 * looks as if it were not there.
 */
#ifndef BE_BASE_OPEN_FILES_H
#define BE_BASE_OPEN_FILES_H

#include <stddef.h>

/* As many as it may without asking anybody: of this process, and of those that it starts from now on. */
void be_files_allow(void);

/* Where they are few, that and what to do: "; at most 8 files may be open here: `ulimit -n 1024`
 * before it allows more"; else "". Returns `to`. */
const char *be_files_few(char *to, size_t capacity);

#endif
