#include "cli/draw/png.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

extern char **environ;

static const char program[] = "rsvg-convert";

static bool is_here(void) {
    const char *at = getenv("PATH");
    bool found = false;
    for (size_t length; at && *at && !found; at += length + (at[length] == ':')) {
        char path[1024];
        length = strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)length, length ? at : ".", program);
        found = access(path, X_OK) == 0;
    }
    return found;
}

enum be_status be_cli_png_check(struct be_error *error) {
    return is_here() ? BE_OK
                     : be_fail(error, BE_ABSENT,
                               "--png: needs %s, which is not here: install librsvg2-bin (Debian, "
                               "Ubuntu), librsvg2-tools (Fedora, Red Hat) or librsvg (conda), or "
                               "take --svg=FILE",
                               program);
}

static int start(int from, int to, pid_t *pid) {
    char name[] = "rsvg-convert", format[] = "--format=png", zoom[] = "--zoom=2";
    char *const words[] = {name, format, zoom, NULL};
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) {
        return failed;
    }
    failed = posix_spawn_file_actions_adddup2(&actions, from, 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&actions, to, 1);
    failed = failed ? failed : posix_spawnp(pid, program, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

enum be_status be_cli_png_convert(FILE *svg, FILE *png, struct be_error *error) {
    pid_t pid = 0;
    int ended = 0;
    if (fflush(svg) != 0 || fflush(png) != 0 || lseek(fileno(svg), 0, SEEK_SET) != 0) {
        return be_fail(error, BE_IO, "--png: %s", strerror(errno));
    }
    const int failed = start(fileno(svg), fileno(png), &pid);
    if (failed) {
        return be_fail(error, BE_IO, "--png: %s: %s", program, strerror(failed));
    }
    while (waitpid(pid, &ended, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(ended) && WEXITSTATUS(ended) == 0
               ? BE_OK
               : be_fail(error, BE_IO,
                         "--png: %s failed; --svg=FILE writes the drawing that it was given",
                         program);
}
