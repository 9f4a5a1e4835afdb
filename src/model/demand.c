#include "model/demand.h"

static const double mostly = 0.9; /* of a call's bytes: then memory is written, and hardly read */

/* Bytes of all arrays of an item, and of those that are updated where they lie, which are there as inputs and as
 * outputs. */
struct arrays {
    double all, updated, written;
};

static struct arrays arrays_of(const struct be_problem *problem, const struct be_shape *shape,
                               const struct be_variant *variant) {
    const struct be_workload *w = problem->workload;
    struct arrays a = {0};
    for (int i = 0; i < w->inputs + w->outputs; i++) {
        const double bytes = (double)shape->item_bytes[i];
        a.all += bytes;
        a.written += i >= w->inputs ? bytes : 0;
        a.updated += i < w->inputs && be_variant_updates(variant, i) ? 2 * bytes : 0;
    }
    return a;
}

/* A workload may move less than its arrays have, or more (gather): what is updated has its part of that. */
double be_demand_distinct(const struct be_problem *problem, const struct be_shape *shape,
                          const struct be_variant *variant) {
    const struct arrays a = arrays_of(problem, shape, variant);
    return a.updated > 0 ? shape->bytes * (a.all - a.updated / 2) / a.all : shape->bytes;
}

struct be_demand be_demand_of(const struct be_demand_call *call, double operations) {
    const struct be_workload *w = call->problem->workload;
    const bool wide = call->problem->real == BE_REAL64;
    const struct arrays a = arrays_of(call->problem, call->shape, call->variant);
    struct be_demand demand = {
        .working_set =
            be_demand_distinct(call->problem, call->shape, call->variant) * (double)call->instances,
        .bytes = call->work ? call->shape->bytes : 0,
        .again = call->work ? call->shape->again : 0,
        .again_set = be_demand_distinct(call->problem, call->shape, call->variant),
        .operations = call->work ? operations - call->shape->narrow : 0,
        .narrow = call->work ? call->shape->narrow : 0,
        .dependent = call->work ? call->shape->dependent : 0,
        .arithmetic = w->matrix ? (wide ? BE_MATRIX64 : BE_MATRIX32)
                      : wide    ? BE_PLAIN64
                                : BE_PLAIN32,
        .write = a.written * (double)call->items > mostly * call->shape->bytes,
    };
    demand.updated = a.updated > 0 ? demand.bytes * a.updated / a.all : 0;
    for (int i = 0; i < w->inputs + w->outputs; i++) {
        const double bytes = (double)call->shape->item_bytes[i] * (double)call->items;
        demand.bus_in += (i < w->inputs || call->made) && call->in ? bytes : 0;
        demand.bus_out += i >= w->inputs && call->out ? bytes : 0;
    }
    return demand;
}
