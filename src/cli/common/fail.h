/* How a command ends: exit codes, and what is said of an error. */
#ifndef BE_CLI_COMMON_FAIL_H
#define BE_CLI_COMMON_FAIL_H

#include "breakeven.h"

enum be_exit {
    BE_EXIT_OK = 0,
    BE_EXIT_FINDINGS = 1, /* kept for commands that report findings */
    BE_EXIT_USAGE = 2,    /* also a file that cannot be read or written, and memory there is not */
    BE_EXIT_ABSENT = 3,
    BE_EXIT_WRONG = 4,
    BE_EXIT_INTERRUPTED = 130
};

/* Prints the error as "breakeven: text" and returns the exit code that its status has. */
int be_cli_fail(const struct be_error *error);

#endif
