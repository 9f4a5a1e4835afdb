/*
 * Calls that were timed, until they are added up. The program's threads put them here as such a call ends,
 * so they wait for a lock that is held for moments, and not for the one under which thousands of records
 * are sorted.
 */
#ifndef INJECT_PENDING_H
#define INJECT_PENDING_H

#include "calls.h"

enum { PENDING_MAX = 1 << 14 };

/* False: there is no room until they are taken. */
bool pending_put(const struct call_time *time);
/* All there are, at most PENDING_MOST; their number. */
int pending_take(struct call_time *taken);

#endif
