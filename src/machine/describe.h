/*
 * What goes with every number: the machine and its surroundings. Reads, never changes anything.
 */
#ifndef BE_MACHINE_DESCRIBE_H
#define BE_MACHINE_DESCRIBE_H

#include "base/cores.h"

/* Fills the machine; `cores` receives which cores may be used. */
enum be_status be_machine_find(struct be_machine *machine, struct be_cores *cores,
                               struct be_error *error);

/* All but seed, order and simd, which the run knows. */
void be_environment_find(const struct be_cores *cores, struct be_environment *environment);

#endif
