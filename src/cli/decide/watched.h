/* A command is run now, under watch, for its trace. */
#ifndef BE_CLI_DECIDE_WATCHED_H
#define BE_CLI_DECIDE_WATCHED_H

#include "report/common/shelves.h"

/* Runs `breakeven run --quiet --json=FILE -- COMMAND` with this program; FILE is a new temporary one, whose name is
 * `path`: the caller removes it. The command's input and output are ours. BE_USAGE: it failed, or could not be started. */
enum be_status be_cli_watched(char *const *command, int words, char path[BE_PATH],
                              struct be_error *error);

#endif
