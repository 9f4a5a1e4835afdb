/*
 * Whether the dynamic linker loads a library of ours into a program (LD_PRELOAD). It looks at the program's file, and
 * starts nothing.
 */
#ifndef BE_OBSERVE_CALLS_PRELOAD_H
#define BE_OBSERVE_CALLS_PRELOAD_H

#include <stddef.h>

enum be_preload {
    BE_PRELOAD_YES,
    BE_PRELOAD_CHILDREN, /* not into the program itself, and maybe into programs that it starts */
    BE_PRELOAD_NEVER     /* it would be told so on its standard error, or would not start */
};

/* `command` is found as execvp does; a script is as good as its interpreter. `why`: the reason where it is not
 * BE_PRELOAD_YES ("is linked statically"); else empty. A file that cannot be read is BE_PRELOAD_YES: starting it will
 * say so. */
enum be_preload be_preload_reaches(const char *command, char *why, size_t capacity);

#endif
