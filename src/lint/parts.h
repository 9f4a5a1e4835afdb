/* What the files of rules share. Only for them. */
#ifndef BE_LINT_PARTS_H
#define BE_LINT_PARTS_H

#include "lint/lint.h"
#include "script/script.h"

struct be_lint {
    const struct be_script *script;
    const struct be_lint_options *options;
    struct be_lint_report *report;
    const struct be_lint_rule *rule; /* that is being looked at */
    int component;                   /* of a heterogeneous job, for rules that ask each */
    struct be_lint_finding lost;     /* where one goes that there is no room for */
};

/* A finding of the rule at hand; never NULL, kept only while there is memory. */
struct be_lint_finding *be_lint_add(struct be_lint *lint, enum be_severity severity,
                                    struct be_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void be_lint_advise(struct be_lint_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Puts `with` in the place of a span. */
void be_lint_replace(struct be_lint *lint, struct be_lint_finding *finding, struct be_span span,
                     bool safe, const char *with);

/* Where an option stands, value included. */
struct be_span be_lint_span(const struct be_script_option *option);
/* Does the job ask for it in sbatch's own words, in the script or on the command line? */
bool be_lint_of_sbatch(const struct be_script_option *option);
/* The text of a span, cut to fit a message. */
const char *be_lint_shown(const struct be_lint *lint, struct be_span span, char *to, size_t room);
/* Is it a long option behind one hyphen, "-ntasks=4", that is read as a letter and its value? */
bool be_lint_single_dash(const struct be_lint *lint, const struct be_script_option *option,
                         char *fixed, size_t room);
/* Fault `*index` or one after it that is of that kind; NULL: there is no more. */
const struct be_script_fault *be_lint_fault(const struct be_lint *lint, size_t *index,
                                            enum be_fault_kind kind);
/* Bytes of the dashes and hyphens that a word begins with, one dash at least; 0: not so. */
size_t be_lint_dashes(const char *text);
/* Would sbatch take `word`, dashes left out, as a long option? */
bool be_lint_option_word(const char *word, char *fixed, size_t room);
/* Puts plain blanks in the place of no-break spaces; false: there is none. */
bool be_lint_plain_blanks(struct be_lint *lint, struct be_lint_finding *finding,
                          struct be_span span);
/* "2h", "1.5d", "90 min": a time with a unit behind it, as sbatch wants it. */
bool be_lint_duration(const char *text, char *to, size_t room);
/* The first command; where there is none, the first line. */
struct be_span be_lint_commands(const struct be_lint *lint);

typedef void be_lint_check(struct be_lint *lint);
struct be_lint_entry {
    struct be_lint_rule rule;
    be_lint_check *check;
};
extern const struct be_lint_entry be_lint_entries[]; /* ends with a rule without a name */

/* ---- what the job asks for -------------------------------------------------------------------- */

/* Of a job with one component; numbers as sbatch counts them. */
struct be_lint_job {
    int64_t nodes, tasks, cpus; /* at least; cpus: of one task */
    int64_t gpus;               /* in all; 0: none */
    char gpu_type[64];          /* as asked for; empty: any */
    bool whole_gpu_node;        /* the site's GPU jobs get all GPUs of a node */
    const struct be_script_option *nodes_by, *tasks_by, *cpus_by, *gpus_by;
};
void be_lint_read_job(const struct be_lint *lint, struct be_lint_job *job);
/* Are all cores of its nodes the job's own? With --exclusive=user and =mcs it gets what it asks
 * for, and only certain others get the rest. */
bool be_lint_whole_node(const struct be_lint *lint);

/* Does a command start several tasks: srun, mpirun, torchrun ..? */
bool be_lint_launches(const struct be_lint *lint);
/* Is a word one of these names, with a path before it or not? */
bool be_lint_is_one_of(const char *word, const char *const *words, size_t count);
/* Does the job ask for GPUs in a way that counts none: a share, the partition? */
bool be_lint_asks_gpu(const struct be_lint *lint);
/* Does the command say itself how many threads, workers or jobs it has? */
bool be_lint_says_threads(const struct be_script_command *command);
/* Is it a command that computes nothing: echo, cp, wait? */
bool be_lint_is_plain(const struct be_script_command *command);

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
    be_check_step_above, be_check_launcher_twice, be_check_no_mail, be_check_other_system;
be_lint_check be_check_partition, be_check_specifier, be_check_gpu_count, be_check_limit,
    be_check_cores, be_check_host_memory, be_check_account, be_check_request_way;

#endif
