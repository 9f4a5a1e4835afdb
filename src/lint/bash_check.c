#include "lint/bash_check.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/command.h"
#include "base/error.h"

/* Is it for bash, or for sh, whose language bash reads? */
static bool is_for_bash(const struct be_text *script) {
    char first[128];
    const char *end = script->data ? memchr(script->data, '\n', script->length) : NULL;
    size_t length = end ? (size_t)(end - script->data) : script->length;
    if (!script->data || length < 3 || length >= sizeof first ||
        strncmp(script->data, "#!", 2) != 0) {
        return false;
    }
    memcpy(first, script->data, length);
    first[length] = '\0';
    first[strcspn(first, "\r")] = '\0';
    const char *sh = strstr(first, "/sh");
    return strstr(first, "bash") || (sh && strchr(" \t", sh[3]));
}

void be_lint_bash_check(const struct be_text *script, char *said, size_t capacity) {
    said[0] = '\0';
    if (!is_for_bash(script)) {
        return;
    }
    /* The program inherits it, so it is not closed on exec. */
    int file = memfd_create("script", 0);
    size_t written = 0;
    while (file >= 0 && written < script->length) {
        ssize_t some = write(file, script->data + written, script->length - written);
        if (some <= 0) {
            break;
        }
        written += (size_t)some;
    }
    if (file >= 0 && written == script->length) {
        char path[32];
        snprintf(path, sizeof path, "/dev/fd/%d", file);
        /* Whether patterns such as !(a|b) are read depends on an option that the script would set. */
        const bool patterns = memmem(script->data, script->length, "extglob", 7);
        /* Without the environment: BASH_ENV names a file that bash would run. */
        const char *const word[] = {"env",
                                    "-i",
                                    "LC_ALL=C",
                                    "bash",
                                    patterns ? "-O" : "-n",
                                    patterns ? "extglob" : path,
                                    patterns ? "-n" : NULL,
                                    path,
                                    NULL};
        struct be_error error = {0};
        const enum be_status status = be_command_text(word, said, capacity, &error);
        /* 1 and 2 are its own words about the script, and end with a failure. */
        if (status == BE_ABSENT) {
            said[0] = '\0';
        }
    }
    if (file >= 0) {
        close(file);
    }
}
