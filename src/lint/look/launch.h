/* Does a script start several processes? By its words, since nothing is run. */
#ifndef BE_LINT_LAUNCH_H
#define BE_LINT_LAUNCH_H

#include "lint/look/record.h"

/* Does a command start several tasks: srun, mpirun, torchrun ..? */
bool be_lint_launches(const struct be_lint *lint);
/* Likewise, by anything but srun? */
bool be_lint_launches_besides_srun(const struct be_lint *lint);
/* May a command be a script whose own commands are not seen here: bash run.sh, $COMMAND? */
bool be_lint_calls_scripts(const struct be_lint *lint);
/* Is a command there to start others, which cannot be seen here: make, a workflow, a program that is known to start its
 * own processes, a file called after that (./run_all, python launch.py)? */
bool be_lint_starts_unseen(const struct be_script_command *command);
/* Does the script load a module of MPI? */
bool be_lint_loads_mpi(const struct be_lint *lint);
/* Does it only submit other jobs? */
bool be_lint_is_submission(const struct be_script_command *command);

#endif
