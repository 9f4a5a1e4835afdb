/*
 * A time zone as the list of its changes, so that local times of a file can be told apart from
 * moments without asking the C library for each. Knows nothing of jobs.
 */
#ifndef BE_ACCOUNTING_ZONE_H
#define BE_ACCOUNTING_ZONE_H

#include "breakeven.h"

enum { BE_ZONE_CHANGES = 256 };

/* offset_s[i]: what local clocks were ahead of UTC from at_s[i] (UTC) on; offset_s[0] before
 * that. */
struct be_zone {
    int changes;
    int64_t at_s[BE_ZONE_CHANGES];
    int64_t offset_s[BE_ZONE_CHANGES];
};

/* The zone of this process (environment variable TZ, tzset called), from 1990 to 2040. */
void be_zone_here(struct be_zone *zone);
int64_t be_zone_offset(const struct be_zone *zone, int64_t utc_s);
/* The moment at which local clocks showed `local_s`. For an hour that came twice it is the first,
 * unless that is before `min_s` (a UTC moment, or BE_NO_TIME): then the second. */
int64_t be_zone_utc(const struct be_zone *zone, int64_t local_s, int64_t min_s);

#endif
