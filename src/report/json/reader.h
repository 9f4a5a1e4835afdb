/*
 * What every reader of our JSON shares: values by their tables of fields, lists, the machine and
 * its surroundings, and the file around them. Whatever is in a file, the answer is a record or a
 * message that names the file and the field. Fields not known here are passed over: they come from
 * a later version.
 */
#ifndef BE_REPORT_JSON_READER_H
#define BE_REPORT_JSON_READER_H

#include <stdio.h>

#include <cjson/cJSON.h>

#include "breakeven_profile.h"
#include "report/common/fields.h"

enum {
    BE_JSON_LIST_MAX = 1000000, /* records in one list */
    BE_JSON_QUOTED = 40,        /* bytes of a foreign text in a message */
    BE_JSON_PATH = 128
};

struct be_json_reader {
    const char *name; /* of the file */
    struct be_error *error;
    char
        path[BE_JSON_PATH]; /* of the record at hand: "results[3].phases.total"; empty at the top */
};

/* ---- values: json_reader.c ------------------------------------------------------------------ */

/* BE_USAGE, with the file, the record at hand and `field` in front of `what`. */
enum be_status be_json_bad(const struct be_json_reader *reader, const char *field,
                           const char *what);
enum be_status be_json_wrong_kind(const struct be_json_reader *reader, const char *field,
                                  const char *want, const cJSON *node);
/* "a string", "missing". */
const char *be_json_kind_of(const cJSON *node);
/* A foreign text for a message: short, and without control characters. */
void be_json_quote(char to[BE_JSON_QUOTED + 4], const char *from);

/* All fields of one record. `object` NULL: every field takes its "not measured". */
enum be_status be_json_read_record(const struct be_json_reader *reader,
                                   const struct be_fields *fields, const cJSON *object,
                                   void *record);
/* A string into `place`, cut between characters to the room there is; '?' for each byte that is no
 * UTF-8, as it would be written. */
bool be_json_take_text(const cJSON *node, char *place, size_t room);

/* ---- lists and what every file has: json_lists.c -------------------------------------------- */

struct be_json_list {
    const char *name;
    size_t record, most; /* bytes of one record; records at most */
    enum be_status (*read)(struct be_json_reader *, const cJSON *, void *);
    bool of_objects;
};

extern const struct be_json_list be_json_remarks;

/* A list of any length, in memory of its own; NULL when it is empty or not there. */
enum be_status be_json_read_owned(struct be_json_reader *reader, const struct be_json_list *list,
                                  const cJSON *object, void **records, size_t *count);
/* A list of at most `list->most`, into memory that is there. */
enum be_status be_json_read_fixed(struct be_json_reader *reader, const struct be_json_list *list,
                                  const cJSON *object, void *records, int *count);
enum be_status be_json_read_machine(struct be_json_reader *reader, const cJSON *root,
                                    struct be_machine *machine);
enum be_status be_json_read_environment(struct be_json_reader *reader, const cJSON *root,
                                        struct be_environment *environment);

/* ---- a file as JSON, and its head: json_head.c ----------------------------------------------- */

/* Reads all of `in`; cJSON_Delete(*root), also after a failure. */
enum be_status be_json_parse(const struct be_json_reader *reader, FILE *in, cJSON **root);
/* Is it an object of our schema? */
enum be_status be_json_check_schema(const struct be_json_reader *reader, const cJSON *root);
/* Must it be read by `command`? The message says what the file holds instead. */
enum be_status be_json_check_command(const struct be_json_reader *reader, const cJSON *root,
                                     const char *command);
/* Missing: false. */
enum be_status be_json_read_truth(const struct be_json_reader *reader, const cJSON *root,
                                  const char *name, bool *value);

/* The whole file at hand, already found to be of our schema. On failure what was read so far is
 * left for the caller to free. */
enum be_status be_json_read_comparison(struct be_json_reader *reader, const cJSON *root,
                                       struct be_comparison *comparison);
enum be_status be_json_read_profile(struct be_json_reader *reader, const cJSON *root,
                                    struct be_profile *profile);
struct be_trace;
enum be_status be_json_read_trace(struct be_json_reader *reader, const cJSON *root,
                                  struct be_trace *trace);

#endif
