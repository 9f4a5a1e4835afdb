/* The machines that `breakeven ask` asks about: their names become what is known of their GPUs. */
#ifndef BE_CLI_ASK_MACHINES_H
#define BE_CLI_ASK_MACHINES_H

#include "ask/scale.h"

/* NULL: the usual ones; then `*made` has *count of them, to be freed. BE_USAGE: one is not known, and the text lists
 * those that are. */
enum be_status be_ask_machines_open(const char *const *name, int names, struct be_ask_scale **made,
                                    int *count, struct be_error *error);

#endif
