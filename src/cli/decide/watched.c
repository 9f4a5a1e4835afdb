#include "cli/decide/watched.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

static void exchange(char *const *command, int words, const char *option) {
    const size_t before = 5;
    char **word = calloc(before + (size_t)words + 1, sizeof *word);
    char name[] = "breakeven", run[] = "run", quiet[] = "--quiet", end[] = "--";
    if (word) {
        char *json = strdup(option);
        char *const head[] = {name, run, quiet, json, end};
        memcpy(word, head, sizeof head);
        memcpy(word + before, command, (size_t)words * sizeof *word);
        execv("/proc/self/exe", word);
    }
    _exit(127);
}

enum be_status be_cli_watched(char *const *command, int words, char path[BE_PATH],
                              struct be_error *error) {
    const char *folder = getenv("TMPDIR");
    char option[BE_PATH + 8];
    int status = 0;
    snprintf(path, BE_PATH, "%.400s/breakeven-run-XXXXXX", folder && *folder ? folder : "/tmp");
    const int file = mkstemp(path);
    if (file < 0) {
        const int cause = errno;
        *path = '\0';
        return be_fail(error, BE_IO, "a temporary file for the run: %s (TMPDIR says where)",
                       strerror(cause));
    }
    close(file);
    snprintf(option, sizeof option, "--json=%s", path);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        exchange(command, words, option);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return be_fail(error, BE_USAGE,
                       "%.200s: it did not end well (exit %d), so its time says nothing; mend it, "
                       "or give a run that did with --from=FILE",
                       command[0], child < 0 ? -1 : WEXITSTATUS(status));
    }
    return BE_OK;
}
