/*
 * Break-evens from what a session has measured: times over sizes, and where a device gets ahead. It measures nothing.
 */
#ifndef BE_BENCH_SERIES_H
#define BE_BENCH_SERIES_H

#include "bench/crossing.h"
#include "bench/session.h"

/* One curve over sizes: a device in one placement, beside the CPU. */
struct be_series {
    const struct be_problem *problem; /* at any size */
    const char *device;
    enum be_placement placement;
    enum be_cache cache;
    bool as_written; /* the variants that do as published code does; else the best of each size */
};

/* Is there a result in just this state of the caches? */
bool be_series_has(const struct be_session_record *kept, const struct be_series *series);

/* Device times over the best CPU's, ascending sizes; returns how many of at most `room`. */
int be_series_points(const struct be_session_record *kept, const struct be_series *series,
                     struct be_point *point, int room);

/* Fills everything of a break-even that follows from the session's records. */
void be_series_breakeven(const struct be_session_record *kept, const struct be_series *series,
                         struct be_breakeven *even);

#endif
