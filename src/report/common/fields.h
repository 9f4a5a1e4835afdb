/*
 * The fields of every result struct, as data: name in JSON and CSV, where it lies, what it is.
 * Writer and reader share the tables, so a field added to one of them is written and read.
 */
#ifndef BE_REPORT_COMMON_FIELDS_H
#define BE_REPORT_COMMON_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "report/common/names.h"

enum be_field_kind {
    BE_FIELD_TEXT,  /* char[room] */
    BE_FIELD_NOTE,  /* char[room], null when empty */
    BE_FIELD_REAL,  /* double, null when NAN */
    BE_FIELD_INT,   /* int >= 0 */
    BE_FIELD_GIVEN, /* int > 0, null when 0 */
    BE_FIELD_WHOLE, /* uint64_t */
    BE_FIELD_WORD,  /* an enum, by its name */
    BE_FIELD_TRUTH  /* bool */
};

struct be_field {
    const char *name;
    enum be_field_kind kind;
    bool needed; /* the reader insists on it; any other that is missing is "not measured" */
    size_t at, room;
    const struct be_names *names;
};

/* Appends the value that `field` has in `record`, as plain text; nothing when it has none. */
void be_field_print(const struct be_field *field, const void *record, struct be_text *out);

struct be_fields {
    const struct be_field *field;
    size_t count;
};

extern const struct be_fields be_fields_machine; /* without devices and absences */
extern const struct be_fields be_fields_device;
extern const struct be_fields be_fields_absence;
extern const struct be_fields be_fields_environment;
extern const struct be_fields be_fields_summary;
extern const struct be_fields be_fields_result; /* without phases */
extern const struct be_fields be_fields_breakeven;
extern const struct be_fields be_fields_profile; /* without machine, environment, partial, lists */
extern const struct be_fields be_fields_figure;
extern const struct be_fields be_fields_fit;
extern const struct be_fields be_fields_fact;
extern const struct be_fields be_fields_finding;
extern const struct be_fields be_fields_diff;      /* struct be_diff_row */
extern const struct be_fields be_fields_diff_fact; /* struct be_diff_fact */

/* A header row, then one row a record; in csv.c. */
void be_csv_records(const struct be_fields *fields, const void *records, size_t count, size_t size,
                    struct be_text *out);

#endif
