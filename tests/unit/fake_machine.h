/*
 * A made-up machine: who starts the watched command (50), who watches (51), and one that is neither (60).
 */
#ifndef TESTS_UNIT_FAKE_MACHINE_H
#define TESTS_UNIT_FAKE_MACHINE_H

#include "fake_files.h"

#include <math.h>

#include "observe/sources/source.h"

static inline void near(double value, double want) {
    if (isnan(want) ? !isnan(value) : !(fabs(value - want) <= 1e-6 * fmax(1, fabs(want)))) {
        fail_msg("%.9g, not %.9g", value, want);
    }
}

static inline int make_machine(void **state) {
    int failed = make_root(state);
    fake_file("/proc/uptime", "100.00 100.00\n");
    fake_process(&(struct fake_process){.pid = 1, .start = 1});
    fake_process(&(struct fake_process){.pid = 50, .parent = 1, .start = 100});   /* who waits */
    fake_process(&(struct fake_process){.pid = 51, .parent = 50, .start = 9999}); /* who watches */
    fake_process(&(struct fake_process){.pid = 60, .parent = 1, .user = 7700, .start = 200});
    return failed;
}

static inline struct be_watched run_of_50(void) {
    return (struct be_watched){.root = 50, .except = 51, .files = fake_root};
}

#endif
