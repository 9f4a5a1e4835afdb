/*
 * A pass of a net of residual blocks on the CPU, in vectors and threads, layer after layer over the whole batch: a
 * convolution is a product of its weights and its input's columns (columns.h). Numbers of a channel lie beside each
 * other, image after image, so that a batch norm is work on rows (rows.h). Every sum has an order that depends on the
 * batch and the processor alone.
 */
#ifndef BE_NN_DEEP_H
#define BE_NN_DEEP_H

#include "host/team.h"
#include "nn/deep/rows.h"
#include "nn/pass.h"

struct be_nn_deep;

/* For batches of up to `batch` images. `shape` and `team` outlive it. BE_NOMEM: the text says how much, and what to
 * do. */
enum be_status be_nn_deep_open(const struct be_nn_shape *shape, size_t batch, struct be_team *team,
                               const struct be_nn_row_code *code, struct be_nn_deep **deep,
                               struct be_error *error);
void be_nn_deep_close(struct be_nn_deep *deep); /* accepts NULL */

size_t be_nn_deep_bytes(const struct be_nn_deep *deep);

void be_nn_deep_pass(struct be_nn_deep *deep, const struct be_nn_pass *pass);

#endif
