/*
 * How the rows of a table of fields are written (fields.h).
 */
#ifndef BE_REPORT_COMMON_FIELD_ROWS_H
#define BE_REPORT_COMMON_FIELD_ROWS_H

#include "report/common/fields.h"

#define PLACE(type, member) offsetof(struct type, member), sizeof((struct type *)0)->member
#define FIELD(type, kind, member)                                                                  \
    { #member, BE_FIELD_##kind, false, PLACE(type, member), NULL }
#define NEED(type, kind, member)                                                                   \
    { #member, BE_FIELD_##kind, true, PLACE(type, member), NULL }
#define WORD(type, member, words)                                                                  \
    { #member, BE_FIELD_WORD, false, PLACE(type, member), &be_names_##words }
#define NEED_WORD(type, member, words)                                                             \
    { #member, BE_FIELD_WORD, true, PLACE(type, member), &be_names_##words }

/* Such rows as a struct be_fields. */
#define FIELDS(table)                                                                              \
    { (table), BE_COUNT(table) }

#endif
