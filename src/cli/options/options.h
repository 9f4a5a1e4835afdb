/*
 * The tables of options that commands give to argp, looked at before and beside argp: a name that is misspelt, and a list
 * for the completion of shells. It knows no command.
 */
#ifndef BE_CLI_OPTIONS_OPTIONS_H
#define BE_CLI_OPTIONS_OPTIONS_H

#include <argp.h>
#include <stdio.h>

/* The tables of a command: its own and those that all share. */
struct be_option_tables {
    const struct argp_option *const *table;
    int tables;
};

/* Ends the program with argp's words if a long option is none of these and has a near name. A name that is cut short is
 * left to argp, and so is everything behind `--`, or behind the first word that is no option where state->flags has
 * ARGP_IN_ORDER. */
void be_options_check(const struct be_option_tables *tables, const struct argp_state *state);

/* A line an option: "--size=" (a value must follow) or "--quiet", a tab, and its help. */
void be_options_list(const struct be_option_tables *tables, FILE *out);

#endif
