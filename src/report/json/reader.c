/*
 * Values and records of our JSON: each by its table of fields, with messages that name the file
 * and the field.
 */
#include "report/json/reader.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum be_status be_json_bad(const struct be_json_reader *reader, const char *field,
                           const char *what) {
    const char *dot = *reader->path && *field ? "." : "";
    return be_fail(reader->error, BE_USAGE, "%s: %s%s%s: %s", reader->name, reader->path, dot,
                   field, what);
}

const char *be_json_kind_of(const cJSON *node) {
    static const struct {
        cJSON_bool (*is)(const cJSON *);
        const char *word;
    } words[] = {
        {cJSON_IsString, "a string"},  {cJSON_IsNumber, "a number"},    {cJSON_IsArray, "a list"},
        {cJSON_IsObject, "an object"}, {cJSON_IsBool, "true or false"}, {cJSON_IsNull, "null"},
    };
    for (size_t i = 0; i < BE_COUNT(words); i++) {
        if (words[i].is(node)) {
            return words[i].word;
        }
    }
    return "missing";
}

enum be_status be_json_wrong_kind(const struct be_json_reader *reader, const char *field,
                                  const char *want, const cJSON *node) {
    char what[BE_NOTE];
    snprintf(what, sizeof what, node ? "%s is needed, not %s" : "is missing: %s is needed", want,
             be_json_kind_of(node));
    return be_json_bad(reader, field, what);
}

void be_json_quote(char to[BE_JSON_QUOTED + 4], const char *from) {
    size_t length = 0;
    for (; length < BE_JSON_QUOTED && from[length]; length++) {
        unsigned char byte = (unsigned char)from[length];
        bool control = byte < ' ' || byte == 0x7F;
        to[length] = from[length];
        if (control) {
            to[length] = '?';
        }
    }
    memcpy(to + length, from[length] ? "..." : "", from[length] ? 4 : 1);
}

/* ---- values --------------------------------------------------------------------------------- */

/* Each stores what `node` says in `place`; false when it is not of that kind. */
typedef bool take(const struct be_field *field, const cJSON *node, void *place);

bool be_json_take_text(const cJSON *node, char *place, size_t room) {
    if (!cJSON_IsString(node)) {
        return false;
    }
    const char *from = node->valuestring;
    size_t used = 0;
    while (from[used]) {
        size_t length = be_utf8_length(from + used);
        size_t count = length ? length : 1;
        if (used + count >= room) {
            break;
        }
        memcpy(place + used, length ? from + used : "?", count);
        used += count;
    }
    memset(place + used, 0, room - used);
    return true;
}

static bool take_text(const struct be_field *field, const cJSON *node, void *place) {
    return be_json_take_text(node, place, field->room);
}

static bool take_real(const struct be_field *field, const cJSON *node, void *place) {
    (void)field;
    if (!cJSON_IsNumber(node) || !isfinite(node->valuedouble)) {
        return false;
    }
    *(double *)place = node->valuedouble;
    return true;
}

static bool take_int(const struct be_field *field, const cJSON *node, void *place) {
    (void)field;
    double value = cJSON_IsNumber(node) ? node->valuedouble : -1;
    if (!(value >= 0 && value <= INT_MAX) || value != floor(value)) {
        return false;
    }
    *(int *)place = (int)value;
    return true;
}

/* A number, or digits in a string where a double would not hold them all. */
static bool take_whole(const struct be_field *field, const cJSON *node, void *place) {
    (void)field;
    if (cJSON_IsString(node)) {
        const char *digits = node->valuestring;
        errno = 0;
        unsigned long long value = strtoull(digits, NULL, 10);
        *(uint64_t *)place = value;
        return *digits && digits[strspn(digits, "0123456789")] == '\0' && errno == 0;
    }
    double value = cJSON_IsNumber(node) ? node->valuedouble : -1;
    if (!(value >= 0 && value < 0x1p64) || value != floor(value)) {
        return false;
    }
    *(uint64_t *)place = (uint64_t)value;
    return true;
}

static bool take_word(const struct be_field *field, const cJSON *node, void *place) {
    int value = cJSON_IsString(node) ? be_names_find(field->names, node->valuestring) : -1;
    memcpy(place, &value, sizeof value);
    return value >= 0;
}

static bool take_truth(const struct be_field *field, const cJSON *node, void *place) {
    (void)field;
    *(bool *)place = cJSON_IsTrue(node);
    return cJSON_IsBool(node);
}

static const struct {
    take *take;
    const char *want;
} kinds[] = {
    [BE_FIELD_TEXT] = {take_text, "a string"},
    [BE_FIELD_NOTE] = {take_text, "a string or null"},
    [BE_FIELD_REAL] = {take_real, "a number or null"},
    [BE_FIELD_INT] = {take_int, "a whole number from 0 to 2147483647"},
    [BE_FIELD_GIVEN] = {take_int, "a whole number up to 2147483647, or null,"},
    [BE_FIELD_WHOLE] = {take_whole, "a whole number of 0 or more"},
    [BE_FIELD_WORD] = {take_word, NULL},
    [BE_FIELD_TRUTH] = {take_truth, "true or false"},
};

static enum be_status unknown_word(const struct be_json_reader *reader,
                                   const struct be_field *field, const cJSON *node) {
    char value[BE_JSON_QUOTED + 4];
    be_json_quote(value, node->valuestring);
    struct be_text what = {0};
    be_text_add(&what, "\"%s\" is not known here; known:", value);
    for (int i = 0; i < field->names->count; i++) {
        const char *word = be_names_word(field->names, i);
        be_text_add(&what, " %s", word ? word : "null");
    }
    enum be_status status =
        be_json_bad(reader, field->name, what.data ? what.data : "unknown word");
    be_text_free(&what);
    return status;
}

static enum be_status bad_value(const struct be_json_reader *reader, const struct be_field *field,
                                const cJSON *node) {
    bool needed = field->kind == BE_FIELD_REAL && field->needed;
    const char *want = needed ? "a number" : kinds[field->kind].want;
    if (node && field->kind == BE_FIELD_WORD && cJSON_IsString(node)) {
        return unknown_word(reader, field, node);
    }
    if (node && cJSON_IsNumber(node) && field->kind >= BE_FIELD_REAL &&
        field->kind <= BE_FIELD_WHOLE) {
        char what[BE_NOTE], number[BE_WORD];
        be_format_exact(number, sizeof number, node->valuedouble, "one too large");
        snprintf(what, sizeof what, "%s is needed, not %s", want, number);
        return be_json_bad(reader, field->name, what);
    }
    return be_json_wrong_kind(reader, field->name, want ? want : "a string", node);
}

enum be_status be_json_read_record(const struct be_json_reader *reader,
                                   const struct be_fields *fields, const cJSON *object,
                                   void *record) {
    for (size_t i = 0; i < fields->count; i++) {
        const struct be_field *field = &fields->field[i];
        void *place = (char *)record + field->at;
        const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, field->name);
        if (node && !cJSON_IsNull(node)) {
            if (!kinds[field->kind].take(field, node, place)) {
                return bad_value(reader, field, node);
            }
        } else if (field->needed) {
            return bad_value(reader, field, node);
        } else if (field->kind == BE_FIELD_REAL) {
            *(double *)place = NAN;
        }
    }
    return BE_OK;
}
