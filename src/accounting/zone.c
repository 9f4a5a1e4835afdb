#include "accounting/zone.h"

#include <time.h>

static int64_t asked(int64_t utc_s) {
    time_t at = (time_t)utc_s;
    struct tm local;
    return localtime_r(&at, &local) ? (int64_t)local.tm_gmtoff : 0;
}

void be_zone_here(struct be_zone *zone) {
    const int64_t begin_s = 631152000, end_s = 2208988800, day_s = 86400; /* 1990, 2040 */
    zone->changes = 1;
    zone->at_s[0] = begin_s;
    zone->offset_s[0] = asked(begin_s);
    for (int64_t at = begin_s; at < end_s && zone->changes < BE_ZONE_CHANGES; at += day_s) {
        int64_t before = zone->offset_s[zone->changes - 1];
        int64_t after = asked(at + day_s);
        if (after == before) {
            continue;
        }
        int64_t low = at, high = at + day_s;
        while (high - low > 1) {
            int64_t middle = low + (high - low) / 2;
            *(asked(middle) == before ? &low : &high) = middle;
        }
        zone->at_s[zone->changes] = high;
        zone->offset_s[zone->changes++] = after;
    }
}

/* The last change at or before the moment. */
static int current(const struct be_zone *zone, int64_t utc_s) {
    int low = 0, high = zone->changes;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(zone->at_s[middle] <= utc_s ? &low : &high) = middle;
    }
    return low;
}

int64_t be_zone_offset(const struct be_zone *zone, int64_t utc_s) {
    return zone->changes ? zone->offset_s[current(zone, utc_s)] : 0;
}

int64_t be_zone_utc(const struct be_zone *zone, int64_t local_s, int64_t min_s) {
    if (zone->changes == 0) {
        return local_s;
    }
    /* No clock is a day off, so the offsets a day before and after are those that can hold. */
    const int64_t day_s = 86400;
    int64_t earlier = zone->offset_s[current(zone, local_s - day_s)];
    int64_t later = zone->offset_s[current(zone, local_s + day_s)];
    int64_t first = local_s - earlier, second = local_s - later;
    bool first_holds = be_zone_offset(zone, first) == earlier;
    bool second_holds = be_zone_offset(zone, second) == later;
    if (first_holds && second_holds) {
        return first >= min_s ? first : second;
    }
    return first_holds || !second_holds ? first : second; /* a skipped hour: as if not skipped */
}
