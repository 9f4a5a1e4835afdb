/*
 * Other machines beside the one here: which, when nobody names any, and times that are kept for them.
 */
#ifndef BE_CLI_COMPARE_ELSEWHERE_H
#define BE_CLI_COMPARE_ELSEWHERE_H

#include "breakeven_results.h"

/* As --elsewhere named them; none: those of be_cli_elsewhere_add. */
struct be_cli_elsewhere {
    const char *name[BE_LIST_MAX];
    int names;
};

/* Before anything is measured: is each of these machines known, and can results be kept under that name (NULL: they
 * are not to be)? */
enum be_status be_cli_elsewhere_check(const struct be_cli_elsewhere *asked,
                                      const char *save_results, struct be_error *error);

/* Adds the machines asked for. Where none is, no GPU is here, and no device was named: a large GPU, the usual one, and
 * a small one. "none": none. */
enum be_status be_cli_elsewhere_add(const struct be_cli_elsewhere *asked,
                                    const struct be_compare_options *options,
                                    struct be_comparison *comparison, struct be_error *error);

/* Keeps them among the user's own, and says where on standard error. */
enum be_status be_cli_save_results(const struct be_comparison *comparison, const char *name,
                                   struct be_error *error);

#endif
