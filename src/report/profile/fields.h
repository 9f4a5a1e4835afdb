/*
 * The fields of a profile, and of two side by side.
 */
#ifndef BE_REPORT_PROFILE_FIELDS_H
#define BE_REPORT_PROFILE_FIELDS_H

#include "report/common/fields.h"

extern const struct be_fields be_fields_profile;
extern const struct be_fields be_fields_figure;
extern const struct be_fields be_fields_diff;      /* struct be_diff_row */
extern const struct be_fields be_fields_diff_fact; /* struct be_diff_fact */

#endif
