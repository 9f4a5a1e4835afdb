/* Values of options, from text: each returns BE_USAGE with what is wrong and what is right. */
#ifndef BE_CLI_COMMON_VALUES_H
#define BE_CLI_COMMON_VALUES_H

#include "breakeven.h"

/* "1e6", "300000", a whole number of at least `least`. */
enum be_status be_cli_whole(const char *what, const char *text, uint64_t min, uint64_t *value,
                            struct be_error *error);
/* "1e3,1e6" into the list, or "1e3..1e6" into from and to; of the option --what. */
enum be_status be_cli_values(const char *what, const char *text, uint64_t min,
                             struct be_choice *choice, struct be_error *error);
enum be_status be_cli_sizes(const char *text, struct be_compare_options *options,
                            struct be_error *error);
enum be_status be_cli_threads(const char *text, struct be_compare_options *options,
                              struct be_error *error);
enum be_status be_cli_placements(const char *text, struct be_compare_options *options,
                                 struct be_error *error);
enum be_status be_cli_caches(const char *text, struct be_compare_options *options,
                             struct be_error *error);
enum be_status be_cli_seconds(const char *what, const char *text, double *seconds,
                              struct be_error *error);
/* Cuts `text` at its commas in place; the parts stay there. */
enum be_status be_cli_names(const char *what, char *text, const char **list, int *count,
                            struct be_error *error);
/* The place of `text` among words with a NULL behind; BE_USAGE names them. what: "by" of --by. */
enum be_status be_cli_choice(const char *what, const char *text, const char *const *word,
                             int *index, struct be_error *error);

/* Reads the value of --delimiter: one sign, or the word tab. */
enum be_status be_cli_delimiter(const char *text, char *mark, struct be_error *error);

#endif
