/*
 * The fields of a net, for the files of this folder that look into it. It does not know how they change.
 */
#ifndef BE_NN_STATE_H
#define BE_NN_STATE_H

#include "base/clock.h"
#include "nn/layers.h"
#include "nn/update.h"

struct be_net {
    const struct be_net_kind *kind;
    struct be_nn_rule rule; /* with the plan's own figures */
    struct be_nn_shape shape;
    size_t batch;
    uint64_t seed;
    enum be_net_code code;
    struct be_clock clock;
    struct be_team *team;
    float *weights, *gradients; /* with zeros behind, to a whole number of grains */
    float *state[BE_NN_STATES]; /* likewise */
    float *scratch;             /* of the plain reference */
    struct be_nn_fast *fast;    /* of the code for this processor */
    uint64_t steps;
    int epochs;
    double rate; /* of the next step */
};

static inline size_t be_nn_padded(size_t count) {
    return (count + BE_NN_UPDATE_GRAIN - 1) / BE_NN_UPDATE_GRAIN * BE_NN_UPDATE_GRAIN;
}

#endif
