/*
 * The time that a comparison is still to take: by the seconds that are planned for each size, not by the number of its
 * cases, since a case of a large size takes many times as long. Sizes that are done say how far plans are off. It
 * does not know a clock: it is told the time, in seconds since any moment.
 */
#ifndef BE_BENCH_TIME_LEFT_H
#define BE_BENCH_TIME_LEFT_H

struct be_time_left {
    double took_s, planned_s; /* of the sizes that are done */
    double from_s, size_s;    /* the size that is being measured: since when, and its plan */
    double later_s;           /* the plan of all that comes behind it */
};

/* The plan of a size, in seconds: `usual_s` for the samples of each case, and `calls_s` (NAN: not known) for calls
 * that are so long that samples alone do not say it. */
double be_time_left_size(int cases, double usual_s, double calls_s);

/* A size begins, and `later_s` is planned behind it. */
void be_time_left_begin(struct be_time_left *left, double now_s, double size_s, double later_s);
/* It has ended. */
void be_time_left_end(struct be_time_left *left, double now_s);

/* Seconds that are left. NAN: no size was begun, or none that has a plan is left. */
double be_time_left_s(const struct be_time_left *left, double now_s);

#endif
