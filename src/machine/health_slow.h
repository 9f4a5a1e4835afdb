/*
 * Is a device slower than others of its model? Finds the figures of a profile that stand furthest
 * below the best of the references. Knows nothing of findings.
 */
#ifndef BE_MACHINE_HEALTH_SLOW_H
#define BE_MACHINE_HEALTH_SLOW_H

#include "breakeven_profile.h"

struct be_references {
    const struct be_profile *const *profile;
    size_t count;
};

/* Figures that one cause slows together. */
enum be_slow_group { BE_SLOW_ARITHMETIC, BE_SLOW_MEMORY, BE_SLOW_BUS };

struct be_slow {
    const struct be_figure *figure;     /* the one furthest below; NULL: none is */
    const struct be_figure *against;    /* of the reference */
    const struct be_profile *reference; /* where `against` stands */
    double expected;                    /* what `against` leads one to expect */
    int others;                         /* figures of the group that are below `share` as well */
};

/* The figures of a group below share x what the best reference of the same model gives: measured
 * where there is one, else a data sheet x what programs reach of it; or what another device of this
 * profile gives, where that leads one to expect more. `device` is one of profile->machine. */
struct be_slow be_slow_find(const struct be_profile *profile, const struct be_device_info *device,
                            const struct be_references *references, enum be_slow_group group,
                            double share);

/* Are these two names of one model? Upper and lower case, blanks, and the words NVIDIA, Tesla and
 * GPU make no difference. */
bool be_same_model(const char *a, const char *b);

#endif
