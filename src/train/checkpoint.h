/* Checkpoints of a training run: a net's file, with a note that says which steps an epoch has. It is for src/train
 * alone. */
#ifndef BE_TRAIN_CHECKPOINT_H
#define BE_TRAIN_CHECKPOINT_H

#include "train/run.h"

/* Where the run goes on: *epoch from 0, *batch in it. BE_USAGE: the checkpoint is of another net, or its epochs are
 * of other batches, or trained already. BE_IO. */
enum be_status be_train_resume(struct be_train_run *run, int *epoch, size_t *batch,
                               struct be_error *error);

/* Writes plan->save. A failure is told at once, and kept for the end: training goes on, and the old file is whole. */
void be_train_save(struct be_train_run *run);

#endif
