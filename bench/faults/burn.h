/* What the small C programs share: how long they run, and work that takes CPU time. */
#ifndef BURN_H
#define BURN_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline double seconds(void) {
    const char *text = getenv("FAULT_SECONDS");
    return text ? atof(text) : 4;
}

/* Keeps one core busy for so long. */
static inline void burn(double length_s) {
    volatile double x = 1;
    double end = now() + length_s;
    while (now() < end) {
        for (int i = 0; i < 10000; i++) {
            x = x * 1.0000001 + 1e-9;
        }
    }
}

/* How fast it was, for who follows an advice and wants to know what that brought. */
static inline void say(double pieces) {
    printf("%.4g pieces of work a second\n", pieces / seconds());
}

static inline void rest(double length_s) {
    struct timespec time = {(time_t)length_s, (long)(1e9 * (length_s - (double)(time_t)length_s))};
    nanosleep(&time, NULL);
}

#endif
