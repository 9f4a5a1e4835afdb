/*
 * From a workload's shape to what one call demands: bytes by kind of traffic, distinct bytes, operations, bytes over the
 * bus. Pure functions; they know no place and no clock.
 */
#ifndef BE_MODEL_DEMAND_H
#define BE_MODEL_DEMAND_H

#include "model/limit.h"
#include "workload/workload.h"

/* One call of a variant. */
struct be_demand_call {
    const struct be_problem *problem;
    const struct be_shape *shape;
    const struct be_variant *variant;
    size_t items;       /* of the problem */
    bool in, work, out; /* inputs travel to the device; it computes; outputs travel back */
    bool made;          /* outputs are made on the host, and travel to the device with the inputs */
    size_t
        instances; /* copies of the problem that are walked through before a byte is touched again */
};

/* Distinct bytes of memory that a call touches: an array that is updated where it lies counts once. */
double be_demand_distinct(const struct be_problem *problem, const struct be_shape *shape,
                          const struct be_variant *variant);

/* `operations`: those of these very inputs, which may be more than the shape says. */
struct be_demand be_demand_of(const struct be_demand_call *call, double operations);

#endif
