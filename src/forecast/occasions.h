/*
 * On how many occasions jobs waited so long. Jobs that wait side by side wait for the same event, be they a thousand: their
 * waits are one example. A forecast from few occasions is less sure than its odds say (docs/forecast.md). Pure.
 */
#ifndef BE_FORECAST_OCCASIONS_H
#define BE_FORECAST_OCCASIONS_H

#include <stddef.h>

#include "forecast/history.h"

/* The most waits of this partition, of the last 500 of `started` (jobs by their start) that took at least so long, of which no
 * two lie side by side in time. */
int be_occasions(const struct be_history *history, const size_t *started, size_t starts,
                 int partition, double least_s);

#endif
