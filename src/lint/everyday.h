/*
 * Rules about faults that people ask about every day: the job is taken, runs, and does something else than was meant.
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
be_lint_check be_check_one_thread, be_check_module_late, be_check_nothing_runs, be_check_conda_init;
be_lint_check be_check_bash_syntax, be_check_blank_assignment, be_check_bracket, be_check_array_id,
    be_check_output_is_folder, be_check_site_needs;
be_lint_check be_check_placeholder, be_check_java_heap;

#endif
