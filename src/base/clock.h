/*
 * The host's monotonic clock, as a value that can be replaced: tests hand in a scripted one.
 */
#ifndef BE_BASE_CLOCK_H
#define BE_BASE_CLOCK_H

struct be_clock {
    double (*now)(void *context); /* seconds since some fixed moment; never goes back */
    void *context;
    double step_s; /* smallest difference it can show */
};

/* CLOCK_MONOTONIC, its step measured. */
struct be_clock be_clock_host(void);

/* CPU time of the calling thread, in seconds. */
double be_thread_time(void);

static inline double be_now(const struct be_clock *clock) {
    return clock->now(clock->context);
}

#endif
