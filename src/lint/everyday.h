/*
 * Rules about faults that people ask about every day: the job is taken, runs, and does something else than was meant.
 * Below them is what these rules share: the words of a command that starts others.
 *
 * They know what a script says, not what its modules, its site or its programs do. Where one of these may put it right,
 * a rule is silent.
 */
#ifndef BE_LINT_EVERYDAY_H
#define BE_LINT_EVERYDAY_H

#include "lint/rules.h"

be_lint_check be_check_container, be_check_visible_devices, be_check_mig_several,
    be_check_gpu_spelling;
be_lint_check be_check_torchrun_one_node, be_check_torchrun_tasks, be_check_steps_wait,
    be_check_loop_input, be_check_export_none, be_check_pty;
be_lint_check be_check_spool_path, be_check_conda_activate, be_check_not_exported,
    be_check_modules_purged;
be_lint_check be_check_bash_syntax, be_check_blank_assignment, be_check_bracket, be_check_array_id,
    be_check_output_is_folder;

/* ---- what they share ------------------------------------------------------------------------------ */

/* The word that srun starts, behind srun's own options; command->words: there is none. */
int be_everyday_started(const struct be_script_command *command);
bool be_everyday_is_srun(const struct be_script_command *command);
/* The value of the first of these options among the words before `end`: "-n 4", "-n4", "--ntasks=4". NULL: it is not
 * there; the list of names ends with NULL. */
const char *be_everyday_value(const struct be_script_command *command, int end,
                              const char *const *names);
/* Is one of these options among the words before `end`, with a value or without one? */
bool be_everyday_has(const struct be_script_command *command, int end, const char *const *names);
/* A whole number above 0; 0: it is none, or in a variable. */
int64_t be_everyday_number(const char *text);
/* Does a command only prepare: modules, environments, variables, files? */
bool be_everyday_is_setup(const struct be_script_command *command);
/* Does the script run anything beside what prepares, such commands left out that `but` says? */
bool be_everyday_runs_else(const struct be_lint *lint,
                           bool (*but)(const struct be_script_command *command));
/* Is it an assignment before a command, and only for that: "X=1 prog"? */
bool be_everyday_is_prefix(const struct be_lint *lint, const struct be_script_assignment *set);

#endif
