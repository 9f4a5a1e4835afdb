/* Two whole programs of the command line as a comparison (bench/programs/programs.h). */
#ifndef BE_CLI_COMPARE_PROGRAMS_H
#define BE_CLI_COMPARE_PROGRAMS_H

#include "breakeven.h"

/* Zero-initialise. */
struct be_cli_programs {
    const char *command[2];
    int commands;     /* 0: no programs were asked for */
    bool same_output; /* --same-output */
    double tolerance; /* 0: the usual */
};

/* BE_USAGE: there are two already. */
enum be_status be_cli_programs_add(struct be_cli_programs *programs, const char *command,
                                   struct be_error *error);
/* --same-output[=TOLERANCE] */
enum be_status be_cli_programs_same(struct be_cli_programs *programs, const char *text,
                                    struct be_error *error);
/* Once all options are read. BE_USAGE: options of programs without a program, or such as are for workloads beside it. */
enum be_status be_cli_programs_check(const struct be_cli_programs *programs,
                                     const struct be_compare_options *options,
                                     struct be_error *error);
enum be_status be_cli_programs_compare(const struct be_cli_programs *programs,
                                       const struct be_compare_options *options,
                                       struct be_comparison *comparison, struct be_error *error);

#endif
