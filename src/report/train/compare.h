/*
 * One net trained in several ways -> text, JSON, CSV. It knows its struct (train/compare.h), not how it comes about.
 */
#ifndef BE_REPORT_TRAIN_COMPARE_H
#define BE_REPORT_TRAIN_COMPARE_H

#include <stdio.h>

#include "base/text.h"
#include "breakeven.h"
#include "train/compare.h"

/* The fastest way, what images in memory change, and what is known of a GPU that is not here. */
void be_train_verdict(const struct be_train_comparison *comparison, struct be_text *out);

/* BE_TEXT, BE_JSON, BE_CSV: a row a way. */
enum be_status be_train_compare_write(const struct be_train_comparison *comparison,
                                      enum be_format format, FILE *out, struct be_error *error);

#endif
