/* Profiles that a prediction needs, by the names that people type. */
#ifndef BE_CLI_PREDICT_PLACES_H
#define BE_CLI_PREDICT_PLACES_H

#include "breakeven_profile.h"

/* The machine here. Zero-initialise; be_profile_free when done. */
struct be_cli_here {
    struct be_profile profile;
    bool known;           /* it has been looked for */
    char remark[BE_NOTE]; /* where its figures come from; empty: not asked for */
};

/* The newest profile of this machine that is fresh, else a quick measurement, which takes seconds. */
enum be_status be_cli_here_open(struct be_cli_here *here, bool quiet, struct be_error *error);

/* The profile or the file of that name, or the data sheet of it ("a100-80"), or that of the GPU whose times are kept
 * under it ("h100"). */
enum be_status be_cli_profile_open(const char *name, struct be_profile *profile,
                                   struct be_error *error);

#endif
