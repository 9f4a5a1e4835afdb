/*
 * The fields of every result struct, as data: name in JSON and CSV, where it lies, what it is. Writer
 * and reader share the tables, so a field added to one of them is written and read.
 */
#ifndef BE_REPORT_COMMON_FIELDS_H
#define BE_REPORT_COMMON_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "breakeven_error.h"
#include "report/common/names.h"

enum be_field_kind {
    BE_FIELD_TEXT,  /* char[room] */
    BE_FIELD_NOTE,  /* char[room], null when empty */
    BE_FIELD_REAL,  /* double, null when NAN */
    BE_FIELD_INT,   /* int >= 0 */
    BE_FIELD_GIVEN, /* int > 0, null when 0 */
    BE_FIELD_WHOLE, /* uint64_t */
    BE_FIELD_WORD,  /* an enum, by its name */
    BE_FIELD_TRUTH, /* bool; null is false */
    BE_FIELD_FLAG,  /* bool, and never null */
    /* These kinds are more than one value; CSV has none of them. */
    BE_FIELD_PART,  /* a record */
    BE_FIELD_FIXED, /* a list where it lies; its length is an int */
    BE_FIELD_OWNED, /* a list of any length in memory of its own, NULL when empty; its length is a size_t */
    /* Written and never read. */
    BE_FIELD_REALS, /* a list of doubles, as an owned one; null where NAN */
    BE_FIELD_CITED  /* const char *, NULL: empty */
};

struct be_field {
    const char *name;
    enum be_field_kind kind;
    bool needed; /* the reader insists on it; any other that is missing is "not measured" */
    size_t at, capacity;
    const struct be_names *names;
    /* of parts and lists */
    const struct be_fields *of; /* of each record; NULL: a list of texts */
    size_t record, max;         /* bytes of one; how many at most */
    size_t length_at;
    bool may_be_null;  /* a part: null is as good as missing */
    bool unless_empty; /* a list, or a value that may have none: not written when it is empty */
};

struct be_json_reader;
struct cJSON;

struct be_fields {
    const struct be_field *field;
    size_t count;
    /* The last step of reading a record: it fills in what older files do not say, and refuses what cannot be. NULL:
     * nothing. */
    enum be_status (*check)(struct be_json_reader *reader, const struct cJSON *object,
                            void *record);
};

/* Appends the value that `field` has in `record`, as plain text; nothing when it has none. */
void be_field_print(const struct be_field *field, const void *record, struct be_text *out);

/* The fields that results and profiles have in common. */
extern const struct be_fields be_fields_machine;
extern const struct be_fields be_fields_environment;

#endif
