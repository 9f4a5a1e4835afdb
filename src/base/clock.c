#include "base/clock.h"

#include <stddef.h>
#include <time.h>

static double read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double monotonic(void *context) {
    (void)context;
    return read_clock(CLOCK_MONOTONIC);
}

double be_thread_time(void) {
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* clock_getres says the kernel's unit. The step that a caller can tell apart includes the cost of
 * the call, so it is measured. */
static double measured_step(void) {
    double min = 1.0;
    for (int i = 0; i < 200; i++) {
        double start = monotonic(NULL);
        double end = start;
        while (end <= start) {
            end = monotonic(NULL);
        }
        min = end - start < min ? end - start : min;
    }
    return min;
}

struct be_clock be_clock_host(void) {
    return (struct be_clock){.now = monotonic, .context = NULL, .step_s = measured_step()};
}
