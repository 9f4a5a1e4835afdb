/*
 * The fields of a comparison.
 */
#ifndef BE_REPORT_COMPARISON_FIELDS_H
#define BE_REPORT_COMPARISON_FIELDS_H

#include "report/common/fields.h"

extern const struct be_fields be_fields_comparison;
extern const struct be_fields be_fields_result;     /* of one result */
extern const struct be_fields be_fields_result_row; /* of a result what is one value */
extern const struct be_fields be_fields_summary;

#endif
