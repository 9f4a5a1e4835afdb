/*
 * JSON (docs/json.md) -> records, by the tables of fields.h: what every reader of result files
 * shares. Whatever is in a file, the answer is records or a message that names file and field.
 * Fields not known here are passed over: they come from a later version.
 */
#ifndef BE_REPORT_JSON_READER_H
#define BE_REPORT_JSON_READER_H

#include <cjson/cJSON.h>

#include "base/text.h"
#include "breakeven.h"
#include "report/fields.h"

enum { BE_READER_PATH = 128, BE_READER_LIST_MAX = 1000000 /* records in one list */ };

struct be_reader {
    const char *name; /* of the file, for messages */
    struct be_error *error;
    char path[BE_READER_PATH]; /* of the record at hand: "results[3].phases.total"; empty at the
                                  top */
};

/* BE_USAGE: "file: path.field: what". */
enum be_status be_reader_bad(const struct be_reader *reader, const char *field, const char *what);
/* The same for a node that is not `want`, or is missing (NULL). */
enum be_status be_reader_wrong_kind(const struct be_reader *reader, const char *field,
                                    const char *want, const cJSON *node);

/* All fields of one record. `object` NULL: every field takes its "not measured". */
enum be_status be_reader_record(const struct be_reader *reader, const struct be_fields *fields,
                                const cJSON *object, void *record);
/* A text into room of BE_NOTE. */
enum be_status be_reader_remark(struct be_reader *reader, const cJSON *text, void *record);

struct be_reader_list {
    const char *name;
    size_t record, most; /* bytes of one record; records at most */
    enum be_status (*read)(struct be_reader *, const cJSON *, void *);
    bool of_objects;
};
extern const struct be_reader_list be_reader_remarks;

/* A list of any length, in memory of its own; NULL when it is empty or not there. */
enum be_status be_reader_owned(struct be_reader *reader, const struct be_reader_list *list,
                               const cJSON *object, void **records, size_t *count);

enum be_status be_reader_machine(struct be_reader *reader, const cJSON *root,
                                 struct be_machine *machine);
enum be_status be_reader_environment(struct be_reader *reader, const cJSON *root,
                                     struct be_environment *environment);

/* The head that every file has: schema, command and whether it is partial. A file of another
 * command is an error that says which one it is of. */
enum be_status be_reader_head(const struct be_reader *reader, const cJSON *root,
                              const char *command, bool *partial);

/* The whole of `in`, parsed: cJSON_Delete it. */
enum be_status be_reader_parse(FILE *in, const struct be_reader *reader, cJSON **root);

#endif
