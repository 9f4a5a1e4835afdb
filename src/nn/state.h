/*
 * The fields of a net, for the files of this folder that look into it. It does not know how they change.
 */
#ifndef BE_NN_STATE_H
#define BE_NN_STATE_H

#include "base/clock.h"
#include "nn/layers.h"
#include "nn/update/update.h"

struct be_net {
    const struct be_net_kind *kind;
    struct be_nn_rule rule; /* with the plan's own figures */
    struct be_nn_shape shape;
    size_t batch;
    uint64_t seed;
    enum be_net_code code;
    struct be_clock clock;
    struct be_team *team;
    float *weights, *gradients;    /* with zeros behind, to a whole number of grains */
    float *state[BE_NN_STATES];    /* likewise */
    float *statistics;             /* running, of the batch norms; NULL: there are none */
    float *seen;                   /* likewise, of the last step's batch */
    float *scratch;                /* of the plain reference */
    struct be_nn_fast *fast;       /* of the code for this processor */
    struct be_nn_deep *deep;       /* likewise, of a net of residual blocks */
    struct be_nn_on_device *there; /* on a device, or the first of several */
    struct be_nn_group *group;     /* several; NULL: one, or none */
    bool stale;                    /* the device's arrays are newer than those here */
    bool changed;                  /* those here may be newer */
    uint64_t steps;
    int epochs;
    double rate; /* of the next step */
};

/* be_net_open of a net that has no name, as those of tests: `found` outlives it, and plan.name is for texts alone. */
enum be_status be_nn_open(const struct be_net_plan *plan, const struct be_nn_net *found,
                          struct be_net **net, struct be_error *error);

/* Brings the arrays here from the device, or there, where the other side's are newer. */
enum be_status be_nn_fetch(struct be_net *net, struct be_error *error);
enum be_status be_nn_send(struct be_net *net, struct be_error *error);

static inline size_t be_nn_padded(size_t count) {
    return (count + BE_NN_UPDATE_GRAIN - 1) / BE_NN_UPDATE_GRAIN * BE_NN_UPDATE_GRAIN;
}

#endif
