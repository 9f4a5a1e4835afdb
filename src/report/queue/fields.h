/*
 * The fields of waits and forecasts as JSON has them: one description, from which the writer writes and a binding makes
 * its classes.
 */
#ifndef BE_REPORT_QUEUE_FIELDS_H
#define BE_REPORT_QUEUE_FIELDS_H

#include "base/text.h"
#include "report/common/fields.h"

extern const struct be_fields be_fields_waits, be_fields_forecast, be_fields_forecasts;

#endif
