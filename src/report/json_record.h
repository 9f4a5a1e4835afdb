/* Records -> JSON by the tables of fields.h: what every writer of results shares. */
#ifndef BE_REPORT_JSON_RECORD_H
#define BE_REPORT_JSON_RECORD_H

#include <cjson/cJSON.h>

#include "base/text.h"
#include "breakeven.h"
#include "report/fields.h"

/* Takes `child`; false when it, or memory for its name, is missing. */
bool be_json_attach(cJSON *object, const char *name, cJSON *child);
/* NULL: no memory. */
cJSON *be_json_record(const struct be_fields *fields, const void *record);
cJSON *be_json_field(const struct be_field *field, const void *record);
cJSON *be_json_text(const char *text);

/* Prints the node into `out` and frees it; NULL is remembered as a failure. */
void be_json_add(struct be_text *out, cJSON *node);

/* ",\n"name":[...]", one line a record. */
void be_json_add_list(struct be_text *out, const char *name, size_t count,
                      cJSON *(*at)(const void *whole, size_t i), const void *whole);

/* {"schema":...,"command":...,"version":..., */
void be_json_add_head(struct be_text *out, const char *command);
/* "machine":...,\n"environment":...,\n"partial":... */
void be_json_add_place(struct be_text *out, const struct be_machine *machine,
                       const struct be_environment *environment, bool partial);

#endif
