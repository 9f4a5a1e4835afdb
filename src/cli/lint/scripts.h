/*
 * Job scripts to be looked at: those of a folder and its folders, and those that Slurm keeps of its jobs. It does not
 * know what is wrong with them.
 */
#ifndef BE_CLI_LINT_SCRIPTS_H
#define BE_CLI_LINT_SCRIPTS_H

#include "base/text.h"
#include "breakeven.h"

struct be_cli_names {
    char **name;
    size_t count;
    bool failed; /* memory ran out: some are not there */
};
void be_cli_names_add(struct be_cli_names *names, const char *name);
void be_cli_names_free(struct be_cli_names *names); /* accepts a zeroed one */

/* Is a text a job script: does it begin as a script, or with a directive, and has it directives? */
bool be_cli_script_is_job(const struct be_text *text);

/* Adds the job scripts below a folder, in the order of their names. Links to folders are not followed; what begins with
 * a dot is passed over, as is what cannot be read. BE_IO: the folder itself cannot be read. */
enum be_status be_cli_scripts_find(const char *folder, struct be_cli_names *names,
                                   struct be_error *error);

/* The script that Slurm keeps of a job, asked of scontrol and, where it has forgotten it, of sacct. BE_ABSENT: there is no
 * Slurm here. BE_IO: neither has it. */
enum be_status be_cli_script_of_job(const char *job, struct be_text *text, struct be_error *error);

#endif
