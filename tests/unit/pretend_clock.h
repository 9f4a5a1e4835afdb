/*
 * A host clock that goes only when a test says so, but for a tick at each look; and pretended ceilings,
 * since none can be measured with it. The linker is told to --wrap what they stand for
 * (tests/CMakeLists.txt). One source of a program includes this.
 */
#ifndef TESTS_UNIT_PRETEND_CLOCK_H
#define TESTS_UNIT_PRETEND_CLOCK_H

#include "base/clock.h"
#include "pretend_ceilings.h"

static double pretend_now_s = 1;

static double look(void *context) {
    (void)context;
    pretend_now_s += 2e-6;
    return pretend_now_s;
}

struct be_clock __wrap_be_clock_host(void);

struct be_clock __wrap_be_clock_host(void) {
    return (struct be_clock){.now = look, .step_s = 2e-6};
}

#endif
