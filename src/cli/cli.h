/* The command line: finds the command, says what there is. */
#ifndef BE_CLI_CLI_H
#define BE_CLI_CLI_H

/* The exit code. */
int be_cli_run(int argc, char **argv);

#endif
