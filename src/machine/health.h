/*
 * The faults that a profile shows: a GPU slower than others of its model, a bus narrower than it could be, memory
 * that failed, clocks held down, cores that others use. It does not know devices: it is a pure function of profiles,
 * and it measures nothing.
 */
#ifndef BE_MACHINE_HEALTH_H
#define BE_MACHINE_HEALTH_H

#include "breakeven_profile.h"

/* Puts what holds now in place of the profile's findings of these rules; others stay. `reference`:
 * profiles of other machines, or of this one at another time, and data sheets; the profile itself
 * may be among them and changes nothing. A figure that was not measured, and a fact that is not
 * there, finds nothing. docs/profiles.md has the rules. */
enum be_status be_profile_check(struct be_profile *profile,
                                const struct be_profile *const *reference, size_t references,
                                struct be_error *error);

/* The finding of that name that one of these rules makes, as the rules have it; NULL: none does. */
const char *be_profile_finding_name(const char *name);

#endif
