/* `breakeven summary` of many jobs: which they are, and their table. */
#ifndef BE_CLI_SUMMARY_MANY_H
#define BE_CLI_SUMMARY_MANY_H

#include "cli/common/output.h"

struct be_cli_many {
    const char *jobs; /* "11,12_3": NULL: those of the time */
    const char *users, *accounts, *partitions;
    const char *since, *until, *last; /* last: "7d" */
    const char *by, *top;
    bool all_users;
    struct be_made made; /* of a page */
};

/* Was anything of it asked for? */
bool be_cli_many_asked(const struct be_cli_many *many);
/* Asks sacct and writes. BE_USAGE: a value that makes no sense. */
enum be_status be_cli_many_run(const struct be_cli_many *many, struct be_cli_outputs *outputs,
                               struct be_error *error);

#endif
