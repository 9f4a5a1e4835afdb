/*
 * The optimisers' rules, number by number as PyTorch has them. It does not know what the numbers are weights of.
 *
 * SGD:      v = momentum v + g + decay w;  w -= rate v
 * Adadelta: s = rho s + (1 - rho) g^2;  d = g sqrt(u + e) / sqrt(s + e);  u = rho u + (1 - rho) d^2;  w -= rate d
 *           (Zeiler: ADADELTA: An Adaptive Learning Rate Method; 2012)
 * Adam:     m = b1 m + (1 - b1) g;  v = b2 v + (1 - b2) g^2;
 *           w -= rate / (1 - b1^t) m / (sqrt(v / (1 - b2^t)) + e)
 *           (Kingma, Ba: Adam: A Method for Stochastic Optimization; 2015)
 */
#ifndef BE_NN_UPDATE_H
#define BE_NN_UPDATE_H

#include "host/simd.h"
#include "nn/layers.h"

/* A multiple of these numbers is updated at once, so that no number's result depends on how many threads share. */
enum { BE_NN_UPDATE_GRAIN = 64, BE_NN_STATES = 2 };

struct be_nn_update {
    const struct be_nn_rule *rule;
    double rate;
    uint64_t step; /* t, 1 for the first */
    float *weights;
    const float *gradients;
    float *state[BE_NN_STATES]; /* those that the rule needs, in the order above: zeros at first */
};

/* Arrays of state that a rule needs: 1 to BE_NN_STATES. */
int be_nn_states(const struct be_nn_rule *rule);
/* "sgd", "adadelta", "adam". */
const char *be_nn_rule_name(const struct be_nn_rule *rule);
/* The name of one, as PyTorch's optimiser calls it. */
const char *be_nn_state_name(const struct be_nn_rule *rule, int state);

/* The numbers [first, first + count), both multiples of BE_NN_UPDATE_GRAIN. */
void be_nn_update(const struct be_nn_update *update, size_t first, size_t count);

/* update_simd.c, compiled once for each instruction set. */
typedef void be_nn_update_run(const struct be_nn_update *update, size_t first, size_t count);
BE_SIMD_DECLARE(be_nn_update_run, be_nn_update_sgd);
BE_SIMD_DECLARE(be_nn_update_run, be_nn_update_adadelta);
BE_SIMD_DECLARE(be_nn_update_run, be_nn_update_adam);

#endif
