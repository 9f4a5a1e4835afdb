/*
 * The CPU of a profile with another number of cores than it has. With more of them operations grow, and so does what caches
 * deliver; the bandwidth of memory stays. It measures nothing: figures of a number that was not measured are guesses.
 */
#ifndef BE_QUESTION_CORES_H
#define BE_QUESTION_CORES_H

#include "breakeven_profile.h"

/* "cpu-2:8" into "cpu-2" and 8 cores; 0: the name has no such end. `name` has room for `capacity`. */
int be_cores_named(const char *text, char *name, size_t capacity);

/* Figures of so many threads, and none of more. BE_ABSENT: the profile has no CPU. */
enum be_status be_cores_set(struct be_profile *profile, int cores, struct be_error *error);

#endif
