/* The rules: a line each of the table in rules.c, and the file that the check stands in. */
#ifndef BE_LINT_RULES_H
#define BE_LINT_RULES_H

#include "lint/look/command.h"
#include "lint/look/facts.h"
#include "lint/look/launch.h"
#include "lint/look/record.h"
#include "lint/look/spelling.h"

typedef void be_lint_check(struct be_lint *lint);
struct be_lint_entry {
    struct be_lint_rule rule;
    be_lint_check *check;
};
extern const struct be_lint_entry be_lint_entries[]; /* ends with a rule without a name */

extern const struct be_lint_versions be_lint_versions[]; /* ends with a rule NULL */

/* ---- rules: each file has its own ---------------------------------------------------------------- */

be_lint_check be_check_empty, be_check_interpreter, be_check_carriage, be_check_null,
    be_check_quote, be_check_colon, be_check_bare, be_check_dashes, be_check_single_dash,
    be_check_unknown, be_check_several, be_check_no_value, be_check_unwanted_value,
    be_check_other_option, be_check_rest, be_check_cut, be_check_packjob, be_check_misspelt,
    be_check_slurm_word, be_check_blank_before, be_check_after_command, be_check_continued,
    be_check_broken_line;
be_lint_check be_check_value, be_check_variable, be_check_newer, be_check_newer_refusal,
    be_check_mail_word, be_check_array_large, be_check_prints, be_check_repeated,
    be_check_gres_help;
be_lint_check be_check_memory_twice, be_check_cpus_twice, be_check_gpus_twice, be_check_gpu_types,
    be_check_gpus_alone, be_check_gpu_memory_alone, be_check_tasks_per_gpu, be_check_gpus_order,
    be_check_spec_twice, be_check_time_min, be_check_arbitrary, be_check_array_hetjob,
    be_check_tasks_fit, be_check_no_nodes;
be_lint_check be_check_no_time, be_check_no_launcher, be_check_gpu_not_asked, be_check_gpu_not_used,
    be_check_gpu_one_cpu, be_check_gpu_no_memory, be_check_threads_above, be_check_no_threads,
    be_check_gpu_memory_word, be_check_array_unused, be_check_foreign_variable,
    be_check_whole_nodes, be_check_fewer_tasks, be_check_megabytes, be_check_no_wait,
    be_check_srun_cores, be_check_too_many_ranks, be_check_too_few_gpus, be_check_one_output,
    be_check_output_folder, be_check_unset_variable, be_check_minutes, be_check_curly,
    be_check_step_above, be_check_several_copies, be_check_launcher_twice, be_check_no_mail,
    be_check_other_system, be_check_array_name, be_check_remark_differs, be_check_ignore_comment,
    be_check_passed_resource;
be_lint_check be_check_partition, be_check_specifier, be_check_gpu_count, be_check_limit,
    be_check_cores, be_check_host_memory, be_check_account, be_check_request_way;

#endif
