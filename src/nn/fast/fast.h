/*
 * A pass in vectors and threads. Images go in blocks through the convolutions, group after group with a lane an image
 * (trunk.h), then as one matrix through the dense layers, and back. Every sum has an order that depends on the batch
 * and the processor alone: each group has gradients of its own, which are added up in the groups' order.
 */
#ifndef BE_NN_FAST_H
#define BE_NN_FAST_H

#include "host/team.h"
#include "nn/pass.h"
#include "nn/fast/trunk.h"

struct be_nn_fast;

/* For batches of up to `batch` images. `shape` and `team` outlive it. BE_ABSENT: the net is not made of stages;
 * BE_NOMEM. */
enum be_status be_nn_fast_open(const struct be_nn_shape *shape, size_t batch, struct be_team *team,
                               const struct be_nn_trunk_code *code, struct be_nn_fast **fast,
                               struct be_error *error);
void be_nn_fast_close(struct be_nn_fast *fast); /* accepts NULL */

size_t be_nn_fast_bytes(const struct be_nn_fast *fast);

void be_nn_fast_pass(struct be_nn_fast *fast, const struct be_nn_pass *pass);

#endif
