/* Records, lists and values of our JSON by their tables, with messages that name the file and the field. */
#include "report/json/reader.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

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

/* Cut between characters to the room there is; '?' for each byte that is no UTF-8, as it would be written. */
static bool take_string(const cJSON *node, char *place, size_t capacity) {
    if (!cJSON_IsString(node)) {
        return false;
    }
    const char *from = node->valuestring;
    size_t used = 0;
    while (from[used]) {
        size_t length = be_utf8_length(from + used);
        size_t count = length ? length : 1;
        if (used + count >= capacity) {
            break;
        }
        memcpy(place + used, length ? from + used : "?", count);
        used += count;
    }
    memset(place + used, 0, capacity - used);
    return true;
}

static bool take_text(const struct be_field *field, const cJSON *node, void *place) {
    return take_string(node, place, field->capacity);
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
    [BE_FIELD_FLAG] = {take_truth, "true or false"},
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

static enum be_status read_value(struct be_json_reader *reader, const struct be_field *field,
                                 const cJSON *object, void *record) {
    void *place = (char *)record + field->at;
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, field->name);
    const bool given = node && (!cJSON_IsNull(node) || field->kind == BE_FIELD_FLAG);
    if (given ? !kinds[field->kind].take(field, node, place) : field->needed) {
        return bad_value(reader, field, node);
    }
    if (!given && field->kind == BE_FIELD_REAL) {
        *(double *)place = NAN;
    }
    return BE_OK;
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* How many records `object` has in this list; a list that is not there has none. */
static enum be_status count_list(const struct be_json_reader *reader, const cJSON *object,
                                 const char *name, size_t max, size_t *count) {
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, name);
    *count = 0;
    if (array && !cJSON_IsArray(array)) {
        return be_json_wrong_kind(reader, name, "a list", array);
    }
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, array) {
        ++*count;
    }
    if (*count > max) {
        char what[BE_NOTE];
        snprintf(what, sizeof what, "%zu are too many: at most %zu", *count, max);
        return be_json_bad(reader, name, what);
    }
    return BE_OK;
}

/* The path of item `i` of the list `name` below the record at `above`. */
static void enter_item(struct be_json_reader *reader, const char *above, const char *name,
                       size_t i) {
    snprintf(reader->path, BE_JSON_PATH, "%.40s%s%s[%zu]", above, *above ? "." : "", name, i);
}

static enum be_status each_object(struct be_json_reader *reader, const cJSON *object,
                                  const char *name, be_json_item *read, void *context) {
    char above[BE_JSON_PATH];
    memcpy(above, reader->path, BE_JSON_PATH);
    size_t i = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(object, name)) {
        enter_item(reader, above, name, i++);
        enum be_status status = cJSON_IsObject(item)
                                    ? read(reader, item, context)
                                    : be_json_wrong_kind(reader, "", "an object", item);
        if (status) {
            return status;
        }
    }
    memcpy(reader->path, above, BE_JSON_PATH);
    return BE_OK;
}

enum be_status be_json_each(struct be_json_reader *reader, const cJSON *object, const char *name,
                            size_t max, be_json_item *read, void *context) {
    size_t count = 0;
    enum be_status status = count_list(reader, object, name, max, &count);
    return status ? status : each_object(reader, object, name, read, context);
}

enum be_status be_json_needs_list(const struct be_json_reader *reader, const cJSON *object,
                                  const char *name) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsArray(list) ? BE_OK : be_json_wrong_kind(reader, name, "a list", list);
}

/* The records of a list, one after the other in memory. */
struct filled {
    const struct be_field *list;
    char *next;
};

static enum be_status fill_record(struct be_json_reader *reader, const cJSON *item, void *context) {
    struct filled *filled = context;
    enum be_status status = be_json_read_record(reader, filled->list->of, item, filled->next);
    filled->next += filled->list->record;
    return status;
}

static enum be_status read_texts(struct be_json_reader *reader, const struct be_field *list,
                                 const cJSON *object, char *text) {
    size_t i = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(object, list->name)) {
        if (!take_string(item, text + i * list->record, list->record)) {
            char above[BE_JSON_PATH];
            memcpy(above, reader->path, BE_JSON_PATH);
            enter_item(reader, above, list->name, i);
            return be_json_wrong_kind(reader, "", "a string", item);
        }
        i++;
    }
    return BE_OK;
}

static enum be_status read_list(struct be_json_reader *reader, const struct be_field *list,
                                const cJSON *object, void *record) {
    void *length = (char *)record + list->length_at;
    char *records = (char *)record + list->at;
    size_t count = 0;
    enum be_status status = count_list(reader, object, list->name, list->max, &count);
    count = status ? 0 : count;
    if (list->kind == BE_FIELD_FIXED) {
        *(int *)length = (int)count;
    } else {
        *(size_t *)length = count;
        records = count ? calloc(count, list->record) : NULL;
        memcpy((char *)record + list->at, &records, sizeof records);
        if (count && !records) {
            return be_fail(reader->error, BE_NOMEM, "%s: %s: no memory for %zu records",
                           reader->name, list->name, count);
        }
    }
    if (status || !count) {
        return status;
    }
    struct filled filled = {list, records};
    return list->of ? each_object(reader, object, list->name, fill_record, &filled)
                    : read_texts(reader, list, object, records);
}

/* ---- records -------------------------------------------------------------------------------- */

static enum be_status read_part(struct be_json_reader *reader, const struct be_field *part,
                                const cJSON *object, void *record) {
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, part->name);
    const size_t length = strlen(reader->path);
    const bool none = node ? part->may_be_null && cJSON_IsNull(node) : !part->needed;
    if (!none && !cJSON_IsObject(node)) {
        return be_json_wrong_kind(reader, part->name, "an object", node);
    }
    snprintf(reader->path + length, BE_JSON_PATH - length, "%s%s", length ? "." : "", part->name);
    enum be_status status = be_json_read_record(reader, part->of, node, (char *)record + part->at);
    reader->path[length] = '\0';
    return status;
}

/* A list that is needed: is it there? */
static enum be_status find_list(struct be_json_reader *reader, const struct be_field *list,
                                const cJSON *object, void *record) {
    (void)record;
    return list->needed && !cJSON_GetObjectItemCaseSensitive(object, list->name)
               ? be_json_wrong_kind(reader, list->name, "a list", NULL)
               : BE_OK;
}

enum be_status be_json_read_record(struct be_json_reader *reader, const struct be_fields *fields,
                                   const cJSON *object, void *record) {
    /* Short fields come first, whatever the order of the table: messages are about what a reader of the file sees
     * first. */
    static const struct {
        enum be_field_kind from, to;
        enum be_status (*read)(struct be_json_reader *, const struct be_field *, const cJSON *,
                               void *);
    } turns[] = {{BE_FIELD_TEXT, BE_FIELD_FLAG, read_value},
                 {BE_FIELD_FIXED, BE_FIELD_OWNED, find_list},
                 {BE_FIELD_PART, BE_FIELD_PART, read_part},
                 {BE_FIELD_FIXED, BE_FIELD_OWNED, read_list}};
    enum be_status status = BE_OK;
    for (size_t turn = 0; turn < BE_COUNT(turns); turn++) {
        for (size_t i = 0; !status && i < fields->count; i++) {
            const struct be_field *field = &fields->field[i];
            if (field->kind >= turns[turn].from && field->kind <= turns[turn].to) {
                status = turns[turn].read(reader, field, object, record);
            }
        }
    }
    return status || !fields->check ? status : fields->check(reader, object, record);
}
