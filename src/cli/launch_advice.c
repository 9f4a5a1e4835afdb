/* About a command that cannot be started. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/launch.h"

const char *be_launch_advice(const char *command, int cause) {
    if (access(command, F_OK) == 0) {
        return cause == ENOENT
                   ? "; a file of that name is here: ./FILE runs it, or its interpreter "
                     "does, as in `breakeven run -- python FILE`"
               : cause == EACCES
                   ? " (is it a program? A script may be run by its interpreter, as in "
                     "`breakeven run -- python FILE`)"
                   : "";
    }
    return strchr(command, ' ') ? "; the command and each of its arguments are words of their own: "
                                  "no quotes around all"
                                : "";
}
