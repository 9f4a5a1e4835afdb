/*
 * A training step over its batch -> text, JSON, CSV. It knows its struct (train/crossing.h), not how it comes about.
 */
#ifndef BE_REPORT_TRAIN_CROSSING_H
#define BE_REPORT_TRAIN_CROSSING_H

#include <stdio.h>

#include "base/text.h"
#include "breakeven.h"
#include "train/crossing.h"

/* From which batch the device pays, with its images copied and with its images there. */
void be_train_crossing_verdict(const struct be_train_crossing *crossing, struct be_text *out);

/* BE_TEXT, BE_JSON, BE_CSV: a row a batch. */
enum be_status be_train_crossing_write(const struct be_train_crossing *crossing,
                                       enum be_format format, FILE *out, struct be_error *error);

#endif
