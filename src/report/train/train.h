/*
 * A training run -> text, JSON, CSV. It knows its struct (train/train.h), not how it comes about.
 */
#ifndef BE_REPORT_TRAIN_TRAIN_H
#define BE_REPORT_TRAIN_TRAIN_H

#include <stdio.h>

#include "base/text.h"
#include "breakeven.h"
#include "train/train.h"

/* The text in three parts, so that epochs can be printed when they are over. */
void be_train_text_head(const struct be_train_result *result, struct be_text *out);
void be_train_text_epoch(const struct be_train_epoch *epoch, struct be_text *out);
void be_train_text_end(const struct be_train_result *result, struct be_text *out);

/* One or two sentences: how long the net waited, and which number of workers would change that. */
void be_train_finding(const struct be_train_result *result, struct be_text *out);

void be_train_json(const struct be_train_result *result, struct be_text *out);

/* BE_TEXT: all three parts. BE_CSV: a row an epoch. */
enum be_status be_train_write(const struct be_train_result *result, enum be_format format,
                              FILE *out, struct be_error *error);

#endif
