/*
 * Rates from counters that a driver stamps with its own time, so that a late look does no harm.
 */
#ifndef BE_OBSERVE_SOURCES_COUNTER_H
#define BE_OBSERVE_SOURCES_COUNTER_H

#include <math.h>
#include <stdbool.h>

struct be_counter {
    double value, at_s;
    bool known;
};

/* Growth a second since the last look; NAN at the first, when no time has gone by, and when the
 * counter has begun anew. */
static inline double be_counter_rate(struct be_counter *counter, double value, double at_s) {
    double rate = counter->known && at_s > counter->at_s && value >= counter->value
                      ? (value - counter->value) / (at_s - counter->at_s)
                      : NAN;
    if (!counter->known || at_s > counter->at_s || value < counter->value) {
        *counter = (struct be_counter){value, at_s, true};
    }
    return rate;
}

#endif
