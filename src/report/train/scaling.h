/*
 * A training step over the number of devices -> text, JSON, CSV. It knows its struct (train/scaling.h), not how it comes
 * about.
 */
#ifndef BE_REPORT_TRAIN_SCALING_H
#define BE_REPORT_TRAIN_SCALING_H

#include <stdio.h>

#include "base/text.h"
#include "breakeven.h"
#include "train/scaling.h"

/* How many times as fast all devices are as one, and which part of a step keeps them from more. */
void be_train_scaling_verdict(const struct be_train_scaling *scaling, struct be_text *out);

/* BE_TEXT, BE_JSON, BE_CSV: a row a number of devices. */
enum be_status be_train_scaling_write(const struct be_train_scaling *scaling, enum be_format format,
                                      FILE *out, struct be_error *error);

#endif
