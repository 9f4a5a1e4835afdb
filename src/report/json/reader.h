/*
 * Reads our JSON by tables of fields (report/common/fields.h). Whatever is in a file, the answer is a
 * record or a message that names the file and the field. Fields not known here are passed over: they
 * come from a later version. Knows no kind of file.
 */
#ifndef BE_REPORT_JSON_READER_H
#define BE_REPORT_JSON_READER_H

#include <cjson/cJSON.h>

#include "breakeven_error.h"
#include "report/common/fields.h"

enum {
    BE_JSON_QUOTED = 40, /* bytes of a foreign text in a message */
    BE_JSON_PATH = 128
};

struct be_json_reader {
    const char *name; /* of the file */
    struct be_error *error;
    char
        path[BE_JSON_PATH]; /* of the record at hand: "results[3].phases.total"; empty at the top */
};

/* One record with all that is in it. `object` NULL: every field takes its "not measured". On failure
 * what was read so far is left for the caller to free. */
enum be_status be_json_read_record(struct be_json_reader *reader, const struct be_fields *fields,
                                   const cJSON *object, void *record);

/* Each object of a list that has no place in a table, at most `most`; a list that is not there has none. */
typedef enum be_status be_json_item(struct be_json_reader *reader, const cJSON *item,
                                    void *context);
enum be_status be_json_each(struct be_json_reader *reader, const cJSON *object, const char *name,
                            size_t max, be_json_item *read, void *context);
/* BE_USAGE where `object` has no such list. */
enum be_status be_json_needs_list(const struct be_json_reader *reader, const cJSON *object,
                                  const char *name);

/* A table as be_json_add_rows writes one: *records, which is the caller's, of `size` bytes each. */
enum be_status be_json_read_rows(struct be_json_reader *reader, const struct be_fields *fields,
                                 const cJSON *object, size_t size, void **records, size_t *count);

/* BE_USAGE, with the file, the record at hand and `field` in front of `what`. */
enum be_status be_json_bad(const struct be_json_reader *reader, const char *field,
                           const char *what);
enum be_status be_json_wrong_kind(const struct be_json_reader *reader, const char *field,
                                  const char *want, const cJSON *node);
/* "a string", "missing". */
const char *be_json_kind_of(const cJSON *node);
/* A foreign text for a message: short, and without control characters. */
void be_json_quote(char to[BE_JSON_QUOTED + 4], const char *from);

#endif
