/*
 * The tables of fields themselves as JSON, for bindings in other languages. It knows no result.
 */
#ifndef BE_REPORT_JSON_DESCRIBE_H
#define BE_REPORT_JSON_DESCRIBE_H

#include "base/text.h"
#include "report/common/fields.h"

/* A list of fields: {"name", "kind", "words" of a word, "of" of records}. */
void be_json_describe(const struct be_fields *fields, struct be_text *out);

#endif
