/*
 * The command line: finds the command in the table of commands, and says which there are. It does not know how results
 * are computed.
 */
#ifndef BE_CLI_CLI_H
#define BE_CLI_CLI_H

/* The exit code. */
int be_cli_run(int argc, char **argv);

#endif
