/*
 * Input that is read as a whole: a stream to its end, and JSON that is all of a text. It does not know what the
 * text says.
 */
#ifndef BE_BASE_READ_ALL_H
#define BE_BASE_READ_ALL_H

#include <stdio.h>

#include <cjson/cJSON.h>

#include "base/text.h"
#include "breakeven_error.h"

/* Adds all that is left of `in`; `name` stands in messages. An input of more than `max_mib` MiB is an error, and the
 * failure says what that is: "not a catalogue file". */
enum be_status be_whole_read(FILE *in, const char *name, int max_mib, const char *beyond,
                             struct be_text *text, struct be_error *error);

/* One value, and nothing but blanks behind it. The caller's, unless that failed. */
enum be_status be_whole_json(const struct be_text *text, const char *name, cJSON **root,
                             struct be_error *error);

#endif
