/*
 * Records as CSV (RFC 4180), by their tables of fields.
 */
#ifndef BE_REPORT_COMMON_CSV_H
#define BE_REPORT_COMMON_CSV_H

#include "report/common/fields.h"

/* The value that `field` has in `record`, in quotes where it needs them. */
void be_csv_value(struct be_text *out, const struct be_field *field, const void *record);

/* A header row, then one row a record. */
void be_csv_records(const struct be_fields *fields, const void *records, size_t count, size_t size,
                    struct be_text *out);

#endif
