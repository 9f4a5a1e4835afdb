/* The terminal while a run goes on: progress and Ctrl-C. */
#ifndef BE_CLI_COMMON_TERMINAL_H
#define BE_CLI_COMMON_TERMINAL_H

#include "breakeven.h"

/* One line on standard error when that is a terminal, a few times a second. */
void be_cli_progress(void *context, const struct be_progress *progress);
void be_cli_progress_clear(void);

/* From here on Ctrl-C, SIGTERM or SIGHUP asks the run to end; a second one, a tenth of a second later or
 * more, says so and ends the program with 130. */
void be_cli_catch_interrupt(void);
bool be_cli_interrupted(void *context);
/* Between these two, the second Ctrl-C also removes the file `path`. A program has at most so many;
 * more are left as they are. */
enum { BE_CLI_PARTS = 3 };
void be_cli_part_begins(const char *path);
void be_cli_part_ends(const char *path);

#endif
