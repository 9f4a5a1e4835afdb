/*
 * --explain and --fail-on: what commands that report findings have in common.
 */
#ifndef BE_CLI_COMMON_EXPLAIN_H
#define BE_CLI_COMMON_EXPLAIN_H

#include "breakeven_profile.h"
#include "observe/rules/finding.h"

/* Prints the rule of that name, or the list of all (NULL); returns the exit code. */
int be_cli_explain(const char *name);

/* The findings that make the exit code BE_EXIT_FINDINGS. */
struct be_fail_on {
    bool asked;
    enum be_weight weight;      /* this, and what weighs more ... */
    const struct be_rule *rule; /* ... or, where it is not NULL, this rule alone */
    const char *of_profile;     /* likewise, of findings in profiles: its name */
};
/* "cost", "note", "good", or the name of a finding of runs. */
enum be_status be_cli_fail_on(const char *text, struct be_fail_on *fail_on, struct be_error *error);
bool be_cli_fails(const struct be_fail_on *fail_on, const struct be_trace *trace);

/* Likewise of any saved file: also the name of a finding of profiles. Those have no weights, each is
 * something that should not be: with a weight any of them counts. */
enum be_status be_cli_fail_on_saved(const char *text, struct be_fail_on *fail_on,
                                    struct be_error *error);
/* BE_USAGE: what is saved there has no such findings. `name` is for messages. */
enum be_status be_cli_fails_saved(const struct be_fail_on *fail_on, const struct be_saved *saved,
                                  const char *name, bool *fails, struct be_error *error);

#endif
