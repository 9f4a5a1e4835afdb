/*
 * Options of a command as a table: each has a key, a kind and the field of the command's `struct asked` that its value
 * goes to. It does not know what a command does with them.
 */
#ifndef BE_CLI_COMMON_SETTINGS_H
#define BE_CLI_COMMON_SETTINGS_H

#include <argp.h>
#include <stddef.h>
#include <stdint.h>

#include "breakeven.h"

enum be_setting_kind {
    BE_SETS_FLAG,    /* bool: the option has no value */
    BE_SETS_TEXT,    /* const char *: as it is; NULL: the option had no value */
    BE_SETS_CHECKED, /* likewise, where the setting's `check` takes it */
    BE_SETS_GIVEN,   /* const char *, likewise, and a bool: the option was given */
    BE_SETS_REST,    /* char **, and an int: the words that belong to no option */
    BE_SETS_OUTPUT,  /* struct be_cli_output */
    BE_SETS_DRAWING, /* the same, which goes to a file */
    BE_SETS_SECONDS, /* double */
    BE_SETS_WHOLE,   /* uint64_t: a whole number of at least `min` */
    BE_SETS_NAMES,   /* const char *[BE_LIST_MAX], and an int: how many */
    BE_SETS_OPTIONS, /* struct be_compare_options, which the setting's `read` fills */
    BE_SETS_OWN,     /* all of it, by the setting's `own` */
};

struct be_setting {
    int key;
    enum be_setting_kind kind;
    size_t at, other_at; /* bytes from the start of what is asked */
    const char *name;    /* "--budget": for messages */
    uint64_t min;
    enum be_status (*check)(const char *name, const char *text, struct be_error *error);
    enum be_status (*read)(const char *text, struct be_compare_options *options,
                           struct be_error *error);
    enum be_status (*own)(void *asked, char *text, struct be_error *error);
};

/* Where a field of struct asked lies. A field of another type does not compile. */
#define BE_ASKED_AT(field, type)                                                                   \
    (offsetof(struct asked, field) + 0 * _Generic(((struct asked *)NULL)->field, type : 1))

#define BE_FLAG(key, field)                                                                        \
    { (key), BE_SETS_FLAG, .at = BE_ASKED_AT(field, bool) }
#define BE_TEXT(key, field)                                                                        \
    { (key), BE_SETS_TEXT, .at = BE_ASKED_AT(field, const char *) }
#define BE_CHECKED(key, field, option_name, function)                                              \
    {                                                                                              \
        (key), BE_SETS_CHECKED, .at = BE_ASKED_AT(field, const char *), .name = (option_name),     \
                                .check = (function)                                                \
    }
#define BE_GIVEN(key, given, field)                                                                \
    {                                                                                              \
        (key), BE_SETS_GIVEN, .at = BE_ASKED_AT(field, const char *),                              \
                              .other_at = BE_ASKED_AT(given, bool)                                 \
    }
/* Options end at the first such word where the command is parsed with ARGP_IN_ORDER: then they are all that follows. */
#define BE_REST(field, count)                                                                      \
    {                                                                                              \
        ARGP_KEY_ARGS, BE_SETS_REST, .at = BE_ASKED_AT(field, char **),                            \
                                     .other_at = BE_ASKED_AT(count, int)                           \
    }
#define BE_OUTPUT(key, field)                                                                      \
    { (key), BE_SETS_OUTPUT, .at = BE_ASKED_AT(field, struct be_cli_output) }
#define BE_DRAWING(key, field)                                                                     \
    { (key), BE_SETS_DRAWING, .at = BE_ASKED_AT(field, struct be_cli_output) }
#define BE_SECONDS(key, field, option_name)                                                        \
    { (key), BE_SETS_SECONDS, .at = BE_ASKED_AT(field, double), .name = (option_name) }
#define BE_WHOLE(key, field, option_name, at_least)                                                \
    {                                                                                              \
        (key), BE_SETS_WHOLE, .at = BE_ASKED_AT(field, uint64_t), .name = (option_name),           \
                              .min = (at_least)                                                    \
    }
#define BE_NAMES(key, list, count, option_name)                                                    \
    {                                                                                              \
        (key), BE_SETS_NAMES, .at = BE_ASKED_AT(list, const char **),                              \
                              .other_at = BE_ASKED_AT(count, int), .name = (option_name)           \
    }
#define BE_OPTIONS(key, field, function)                                                           \
    {                                                                                              \
        (key), BE_SETS_OPTIONS, .at = BE_ASKED_AT(field, struct be_compare_options),               \
                                .read = (function)                                                 \
    }
#define BE_OWN(key, function)                                                                      \
    { (key), BE_SETS_OWN, .own = (function) }

/* Handles a key for a parser of argp. Returns 0; ARGP_ERR_UNKNOWN: the key is none of the list's; EINVAL, with the
 * error. state->input is the command's `struct asked`. error NULL: argp says what is wrong, and ends the program. */
error_t be_cli_set(const struct be_setting *list, size_t count, int key, char *text,
                   struct argp_state *state, struct be_error *error);

#endif
