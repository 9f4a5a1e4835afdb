/* The effect of a script's command, by its words. */
#ifndef BE_LINT_COMMAND_H
#define BE_LINT_COMMAND_H

#include "lint/look/record.h"

/* Is a word one of these names, with a path before it or not? */
bool be_lint_is_one_of(const char *word, const char *const *words, size_t count);
/* Its word that says what runs: behind srun, and behind env with its settings. */
int be_lint_program(const struct be_script_command *command);
/* Is it a command that computes nothing: echo, cp, wait? */
bool be_lint_is_plain(const struct be_script_command *command);
/* Are the programs that a text runs on its way, $(..) and `..`, such ones? */
bool be_lint_runs_plain(const char *text);
/* Does the command say itself how many threads, workers or jobs it has? */
bool be_lint_says_threads(const struct be_script_command *command);
/* The word that srun starts, behind srun's own options; command->words: there is none. */
int be_lint_started(const struct be_script_command *command);
/* Likewise behind mpirun and mpiexec, and without one of the three: the first word. */
int be_lint_launched(const struct be_script_command *command);
bool be_lint_is_srun(const struct be_script_command *command);
/* The value of the first of these options among the words before `end`: "-n 4", "-n4", "--ntasks=4". NULL: it is not
 * there; the list of names ends with NULL. */
const char *be_lint_value(const struct be_script_command *command, int end,
                          const char *const *names);
/* Is one of these options among the words before `end`, with a value or without one? */
bool be_lint_has(const struct be_script_command *command, int end, const char *const *names);
/* A whole number above 0; 0: it is none, or in a variable. */
int64_t be_lint_number(const char *text);
/* Does a command only prepare: modules, environments, variables, files? */
bool be_lint_is_setup(const struct be_script_command *command);
/* Does a command run a program of a language that is interpreted? Such a one may call srun or mpirun by itself. */
bool be_lint_in_language(const struct be_script_command *command);
/* Does the script run anything beside what prepares, such commands left out that `but` says? */
bool be_lint_runs_else(const struct be_lint *lint,
                       bool (*but)(const struct be_script_command *command));
/* Is it an assignment before a command, and only for that: "X=1 prog"? */
bool be_lint_is_prefix(const struct be_lint *lint, const struct be_script_assignment *set);

#endif
