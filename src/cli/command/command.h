/* The commands, a file each. Their result is the exit code. */
#ifndef BE_CLI_COMMAND_COMMAND_H
#define BE_CLI_COMMAND_COMMAND_H

int be_cli_ask(int argc, char **argv);
int be_cli_clusters(int argc, char **argv);
int be_cli_compare(int argc, char **argv);
int be_cli_decide(int argc, char **argv);
int be_cli_job(int argc, char **argv);
int be_cli_lint(int argc, char **argv);
int be_cli_machines(int argc, char **argv);
int be_cli_predict(int argc, char **argv);
int be_cli_probe(int argc, char **argv);
int be_cli_queue(int argc, char **argv);
int be_cli_report(int argc, char **argv);
int be_cli_summary(int argc, char **argv);
int be_cli_train(int argc, char **argv);
int be_cli_run_command(int argc, char **argv);
int be_cli_watch(int argc, char **argv);

#endif
