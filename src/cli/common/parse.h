/* The words of a command line, by argp. */
#ifndef BE_CLI_COMMON_PARSE_H
#define BE_CLI_COMMON_PARSE_H

#include <argp.h>

/* argp_parse, with -h as well as --help; what is misused ends the program with 2. */
error_t be_cli_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

#endif
