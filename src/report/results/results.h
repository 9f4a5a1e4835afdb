/*
 * Times of other machines as files (breakeven_results.h): their fields. It does not know what they are held
 * against.
 */
#ifndef BE_REPORT_RESULTS_RESULTS_H
#define BE_REPORT_RESULTS_RESULTS_H

#include "breakeven_results.h"
#include "report/common/fields.h"

extern const struct be_fields be_fields_results; /* of struct be_results, less its times */
extern const struct be_fields be_fields_timing;  /* of a time, a struct be_result: its columns */

#endif
