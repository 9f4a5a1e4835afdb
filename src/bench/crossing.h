/*
 * A series of (size, ratio) -> the size from which one device stays ahead of another. A pure
 * function of numbers; the sweep asks it where to measure next.
 */
#ifndef BE_BENCH_CROSSING_H
#define BE_BENCH_CROSSING_H

#include "breakeven.h"
#include "stat/stat.h"

/* ratio: device time / CPU time at this size. */
struct be_point {
    uint64_t size;
    struct be_ratio ratio;
};

struct be_crossing {
    enum be_breakeven_status status;
    double from, lo, hi;              /* elements; NAN where the status has none */
    double until, until_lo, until_hi; /* of BE_EVEN_BETWEEN */
};

/* points: ascending sizes, at least one. `from` is where the ratio, interpolated in log size and
 * log ratio between the neighbours of the crossing, is 1. lo and hi are sizes that were measured: at
 * lo the device is not ahead (or it is the smallest size), from hi on it is. Where the verdict is
 * "same" the ratio counts as no less than 1. A point in doubt after one that is ahead: from = hi,
 * where the doubt ends. BE_EVEN_BETWEEN: of several stretches the last; at until_lo the device is
 * ahead, at until_hi no more. */
struct be_crossing be_crossing_find(const struct be_point *points, int count);

/* Size to measure next so that the crossing's bracket narrows, or 0 when it is narrow enough
 * (neighbours within `ratio`, say 1.1) or there is no crossing. Never a size already there. */
uint64_t be_crossing_next(const struct be_point *points, int count, double ratio);

/* Calls after which a one-time cost is won back; NAN when never. */
double be_calls_to_repay(double once_s, double call_s, double other_call_s);

/* A number and its interval; lo and hi NAN: it has none. */
struct be_span {
    double median, lo, hi;
};

/* The same with intervals, where a call takes `ratio` of `other_s`. The largest number comes of the
 * longest once, the largest ratio and the shortest other. NAN unless the ratio is "faster". */
struct be_span be_calls_span(const struct be_span *once_s, const struct be_ratio *ratio,
                             const struct be_span *other_s);

#endif
