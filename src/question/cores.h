/*
 * The CPU of a profile with more cores than it has: operations grow with the cores, and so does what caches deliver; the
 * bandwidth of memory stays. It measures nothing, so its figures are guesses.
 */
#ifndef BE_QUESTION_CORES_H
#define BE_QUESTION_CORES_H

#include "breakeven_profile.h"

/* "cpu-2:8" into "cpu-2" and 8 cores; 0: the name has no such end. `name` has room for `capacity`. */
int be_cores_named(const char *text, char *name, size_t capacity);

/* Adds the figures of so many threads. BE_USAGE: the profile has more; BE_ABSENT: it has no CPU. */
enum be_status be_cores_add(struct be_profile *profile, int cores, struct be_error *error);

#endif
