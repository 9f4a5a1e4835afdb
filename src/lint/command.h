/* The effect of a script's command, by its words. */
#ifndef BE_LINT_COMMAND_H
#define BE_LINT_COMMAND_H

#include "lint/record.h"

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
/* Does a command start several tasks: srun, mpirun, torchrun ..? */
bool be_lint_launches(const struct be_lint *lint);
/* Likewise, by anything but srun? */
bool be_lint_launches_besides_srun(const struct be_lint *lint);

#endif
