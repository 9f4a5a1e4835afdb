/*
 * A host clock that goes only when a test says so, but for a tick at each look; and ceilings that
 * nothing can reach, since none can be measured with it. The linker is told to --wrap what they
 * stand for (tests/CMakeLists.txt). One source of a program includes this.
 */
#ifndef TESTS_UNIT_PRETEND_CLOCK_H
#define TESTS_UNIT_PRETEND_CLOCK_H

#include "base/clock.h"
#include "machine/ceilings.h"

static double pretend_now_s = 1;

static double look(void *context) {
    (void)context;
    pretend_now_s += 2e-6;
    return pretend_now_s;
}

struct be_clock __wrap_be_clock_host(void);
enum be_status __wrap_be_ceilings_cpu(struct be_team *team, double cache_bytes,
                                      struct be_ceilings *ceilings, struct be_error *error);

struct be_clock __wrap_be_clock_host(void) {
    return (struct be_clock){.now = look, .step_s = 2e-6};
}

enum be_status __wrap_be_ceilings_cpu(struct be_team *team, double cache_bytes,
                                      struct be_ceilings *ceilings, struct be_error *error) {
    (void)team, (void)error;
    *ceilings = (struct be_ceilings){.memory = {{1e3, 1e30}},
                                     .points = 1,
                                     .cache_bytes = cache_bytes,
                                     .operations = {1e30, 1e30, 1e30, 1e30},
                                     .bus_in = 1e30,
                                     .bus_out = 1e30};
    return BE_OK;
}

#endif
