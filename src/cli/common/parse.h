/* The words of a command line, by argp. */
#ifndef BE_CLI_COMMON_PARSE_H
#define BE_CLI_COMMON_PARSE_H

#include <argp.h>

#include "base/text.h"
#include "breakeven.h"

/* argp_parse, with -h as well as --help; what is misused ends the program with 2. */
error_t be_cli_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

/* The command line as one types it, and the date: for a page. To be asked before argp puts words in another order. The
 * words behind `--` are another program's: the first alone is told, since arguments may hold secrets. The caller frees
 * *command, which the result points into. */
struct be_made be_cli_typed(int argc, char **argv, struct be_text *command);

#endif
