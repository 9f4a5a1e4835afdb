/* The fields of a training run, for JSON and CSV. */
#ifndef BE_REPORT_TRAIN_FIELDS_H
#define BE_REPORT_TRAIN_FIELDS_H

#include "report/common/csv.h"

extern const struct be_fields be_train_fields, be_train_epoch_fields;

#endif
