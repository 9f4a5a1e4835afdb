/*
 * Ceilings of the CPU that nothing can reach, at once: measured ones take seconds, and are as disturbed
 * as the machine is. The linker is told to --wrap what they stand for (tests/CMakeLists.txt). One source
 * of a program includes this.
 */
#ifndef TESTS_UNIT_PRETEND_CEILINGS_H
#define TESTS_UNIT_PRETEND_CEILINGS_H

#include "machine/ceilings.h"

static double pretended_limit_s; /* that the last was asked to keep */

enum be_status __wrap_be_ceilings_cpu(struct be_team *team, double cache_bytes, double limit_s,
                                      struct be_cancel cancel, struct be_ceilings *ceilings,
                                      struct be_error *error);

enum be_status __wrap_be_ceilings_cpu(struct be_team *team, double cache_bytes, double limit_s,
                                      struct be_cancel cancel, struct be_ceilings *ceilings,
                                      struct be_error *error) {
    (void)team, (void)cancel, (void)error;
    pretended_limit_s = limit_s;
    *ceilings = (struct be_ceilings){.memory = {{.bytes = 1e3, .rate = 1e30}},
                                     .points = 1,
                                     .cache_bytes = cache_bytes,
                                     .operations = {1e30, 1e30, 1e30, 1e30},
                                     .bus_in = 1e30,
                                     .bus_out = 1e30};
    return BE_OK;
}

#endif
