/*
 * Code that every writer of our JSON shares. A node that is NULL stands for "out of memory", which the
 * text remembers.
 */
#ifndef BE_REPORT_JSON_RECORD_H
#define BE_REPORT_JSON_RECORD_H

#include <cjson/cJSON.h>

#include "base/text.h"
#include "breakeven.h"
#include "report/common/fields.h"

cJSON *be_json_record(const struct be_fields *fields, const void *record);
cJSON *be_json_text(const char *from);

/* Takes `child`; false when it, or memory for its name, is missing. */
bool be_json_attach(cJSON *object, const char *name, cJSON *child);

/* Prints and frees. */
void be_json_add(struct be_text *out, cJSON *node);

/* The brace and the first three members; the members after them begin with a comma. */
void be_json_add_head(struct be_text *out, const char *command);
void be_json_add_member(struct be_text *out, const char *name, cJSON *node);
/* Members by their table, lists one line a record. */
void be_json_add_fields(struct be_text *out, const struct be_fields *fields, const void *record);

/* One line a record: at(whole, 0 .. count - 1). */
typedef cJSON *be_json_at(const void *whole, size_t i);
void be_json_add_list(struct be_text *out, const char *name, size_t count, be_json_at *at,
                      const void *whole);
/* The same of `count` records, `size` bytes apart. */
void be_json_add_records(struct be_text *out, const char *name, const struct be_fields *fields,
                         const void *records, size_t count, size_t size);

/* The same as a table, for records of single values: "columns", their names; "rows", a list of values each. */
void be_json_add_rows(struct be_text *out, const struct be_fields *fields, const void *records,
                      size_t count, size_t size);

#endif
