/* Messages where a command cannot be started, and an end like the command's. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/open_files.h"
#include "cli/common/fail.h"
#include "cli/run/launch.h"

const char *be_launch_advice(const char *command, int cause) {
    if (!*command) {
        return ", the word is empty: is a variable not set?";
    }
    if (access(command, F_OK) == 0) {
        return cause == ENOENT && strchr(command, '/')
                   ? "; the file is here, but not what its first line names to run it (a line that "
                     "ends in CR LF names one with a CR)"
               : cause == ENOENT
                   ? "; a file of that name is here: ./FILE runs it, or its interpreter "
                     "does, as in `breakeven run -- python FILE`"
               : cause == EACCES
                   ? " (is it a program? A script may be run by its interpreter, as in "
                     "`breakeven run -- python FILE`)"
                   : "";
    }
    if (command[strcspn(command, "=/")] == '=') {
        return "; a variable is set before us: NAME=VALUE breakeven run -- COMMAND";
    }
    return strchr(command, ' ') ? "; the command and each of its arguments are words of their own: "
                                  "no quotes around all"
                                : "";
}

void be_launch_lacks(int cause) {
    struct be_error error;
    char few[BE_NOTE];
    (void)be_fail(&error, BE_ABSENT, "no report: there was no process to watch with: %s%s",
                  strerror(cause ? cause : EAGAIN),
                  cause == EMFILE ? be_files_few(few, sizeof few) : "");
    (void)be_cli_fail(&error);
}

void be_launch_interrupt(void) {
    sigset_t one;
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
    sigemptyset(&one);
    sigaddset(&one, SIGINT);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
}
