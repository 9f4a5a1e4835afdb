/*
 * Break-evens from what a session has measured: times over sizes, and where a device gets ahead. It measures nothing.
 */
#ifndef BE_BENCH_SERIES_H
#define BE_BENCH_SERIES_H

#include "bench/crossing.h"
#include "bench/session.h"

/* Which cases it takes the best of, on both sides and at each size. */
enum be_among {
    BE_AMONG_ALL,
    BE_AMONG_WRITTEN, /* those that do as published code does */
    BE_AMONG_CALLABLE /* those whose code anybody can call or write, less the former: theirs is often far
                         from what a good programmer writes, and has an answer of its own */
};

/* One curve over sizes: a device in one placement, beside the CPU. */
struct be_series {
    const struct be_problem *problem; /* at any size */
    const char *device;
    enum be_placement placement;
    enum be_cache cache;
    enum be_among among;
};

/* Is there a result in just this state of the caches? */
bool be_series_has(const struct be_session_record *kept, const struct be_series *series);
/* A series of small sizes in that state goes on with the sizes that fit no cache. Only where there are no small sizes do
 * the large ones stand as a series of their own. */
bool be_series_stands_alone(const struct be_session_record *kept, const struct be_series *series);

/* Device times over the best CPU's, ascending sizes; returns how many of at most `room`. */
int be_series_points(const struct be_session_record *kept, const struct be_series *series,
                     struct be_point *point, int capacity);

/* Fills everything of a break-even that follows from the session's records. */
void be_series_breakeven(const struct be_session_record *kept, const struct be_series *series,
                         struct be_breakeven *even);

/* Is it another answer than the best's: another status, or sizes outside of the best's interval? */
bool be_series_differs(const struct be_breakeven *even, const struct be_breakeven *best);

#endif
