/*
 * How the rows of a table of fields are written (fields.h).
 */
#ifndef BE_REPORT_COMMON_FIELD_ROWS_H
#define BE_REPORT_COMMON_FIELD_ROWS_H

#include "base/error.h"
#include "report/common/fields.h"

#define PLACE(type, member)                                                                        \
    .at = offsetof(struct type, member), .capacity = sizeof((struct type *)0)->member
#define FIELD(type, what, member)                                                                  \
    { .name = #member, .kind = BE_FIELD_##what, PLACE(type, member) }
/* A field that keeps its name in files, whatever the member is called. */
#define FIELD_AS(type, what, key, member)                                                          \
    { .name = (key), .kind = BE_FIELD_##what, PLACE(type, member) }
#define NEED(type, what, member)                                                                   \
    { .name = #member, .kind = BE_FIELD_##what, .needed = true, PLACE(type, member) }
#define WORD(type, member, words)                                                                  \
    { .name = #member, .kind = BE_FIELD_WORD, PLACE(type, member), .names = &be_names_##words }
#define NEED_WORD(type, member, words)                                                             \
    {                                                                                              \
        .name = #member, .kind = BE_FIELD_WORD, .needed = true, PLACE(type, member),               \
        .names = &be_names_##words                                                                 \
    }

/* A record within. `members`: of it. */
#define PART(type, member, members)                                                                \
    { .name = #member, .kind = BE_FIELD_PART, PLACE(type, member), .of = &(members) }
#define NEED_PART(type, member, members)                                                           \
    {                                                                                              \
        .name = #member, .kind = BE_FIELD_PART, .needed = true, PLACE(type, member),               \
        .of = &(members)                                                                           \
    }

/* A list, at most as long as the array `first`. */
#define FIXED(type, called, first, length, members)                                                \
    {                                                                                              \
        .name = called, .kind = BE_FIELD_FIXED, PLACE(type, first), .of = &(members),              \
        .record = sizeof *((struct type *)0)->first, .max = BE_COUNT(((struct type *)0)->first),   \
        .length_at = offsetof(struct type, length)                                                 \
    }

/* A list of any length, called as its length is. `members`: NULL of texts. */
enum { BE_RECORDS_MAX = 1000000 };
#define OWNED_AS(type, first, length, members, need)                                               \
    {                                                                                              \
        .name = #length, .kind = BE_FIELD_OWNED, .needed = (need),                                 \
        .at = offsetof(struct type, first), .of = (members),                                       \
        .record = sizeof *((struct type *)0)->first, .max = BE_RECORDS_MAX,                        \
        .length_at = offsetof(struct type, length)                                                 \
    }
#define OWNED(type, first, length, members) OWNED_AS(type, first, length, members, false)
#define NEED_OWNED(type, first, length, members) OWNED_AS(type, first, length, members, true)

/* A list of numbers, which is written and never read. */
#define OWNED_REALS(type, first, length)                                                           \
    {                                                                                              \
        .name = #length, .kind = BE_FIELD_REALS, .at = offsetof(struct type, first),               \
        .record = sizeof(double), .max = BE_RECORDS_MAX,                                           \
        .length_at = offsetof(struct type, length)                                                 \
    }

/* Such rows as a struct be_fields. */
#define FIELDS(table)                                                                              \
    { .field = (table), .count = BE_COUNT(table) }
#define FIELDS_CHECKED(table, function)                                                            \
    { .field = (table), .count = BE_COUNT(table), .check = (function) }

#endif
