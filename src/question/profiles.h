/* Profiles that a prediction needs, by the names that people give them. */
#ifndef BE_QUESTION_PROFILES_H
#define BE_QUESTION_PROFILES_H

#include "breakeven_profile.h"

/* The machine here. Zero-initialise; be_profile_free when done. */
struct be_here {
    struct be_profile profile;
    bool known;           /* it has been looked for */
    char remark[BE_NOTE]; /* where its figures come from; empty: not asked for */
};

/* The newest profile of this machine that is fresh, else a quick measurement, which takes seconds. how: whom it tells and
 * asks meanwhile; NULL: nobody. */
enum be_status be_here_open(struct be_here *here, const struct be_probe_options *how,
                            struct be_error *error);

/* The profile or the file of that name, or the data sheet of it ("a100-80"), or that of the GPU whose times are kept
 * under it ("h100"). "cpu-2:8" is the CPU of cpu-2 with 8 cores. */
enum be_status be_profile_named(const char *name, struct be_profile *profile,
                                struct be_error *error);

#endif
