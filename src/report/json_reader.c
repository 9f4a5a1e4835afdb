#include "report/json_reader.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
    READ_MAX = 64 << 20, /* bytes; a run of a thousand cases has 2 MB */
    QUOTED = 40          /* bytes of a foreign text in a message */
};

enum be_status be_reader_bad(const struct be_reader *reader, const char *field, const char *what) {
    const char *dot = *reader->path && *field ? "." : "";
    return be_fail(reader->error, BE_USAGE, "%s: %s%s%s: %s", reader->name, reader->path, dot,
                   field, what);
}

static const char *kind_of(const cJSON *node) {
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

enum be_status be_reader_wrong_kind(const struct be_reader *reader, const char *field,
                                    const char *want, const cJSON *node) {
    char what[BE_NOTE];
    snprintf(what, sizeof what, node ? "%s is needed, not %s" : "is missing: %s is needed", want,
             kind_of(node));
    return be_reader_bad(reader, field, what);
}

/* A foreign text for a message: short, and without control characters. */
static void quote(char to[QUOTED + 4], const char *from) {
    size_t length = 0;
    for (; length < QUOTED && from[length]; length++) {
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

/* Cut to the room there is, between characters. */
static bool take_text(const struct be_field *field, const cJSON *node, void *place) {
    if (!cJSON_IsString(node)) {
        return false;
    }
    const char *from = node->valuestring;
    size_t used = 0;
    while (from[used]) {
        size_t length = be_utf8_length(from + used);
        length = length ? length : 1;
        if (used + length >= field->room) {
            break;
        }
        used += length;
    }
    memcpy(place, from, used);
    memset((char *)place + used, 0, field->room - used);
    return true;
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
};

static enum be_status unknown_word(const struct be_reader *reader, const struct be_field *field,
                                   const cJSON *node) {
    char value[QUOTED + 4];
    quote(value, node->valuestring);
    struct be_text what = {0};
    be_text_add(&what, "\"%s\" is not known here; known:", value);
    for (int i = 0; i < field->names->count; i++) {
        const char *word = be_names_word(field->names, i);
        be_text_add(&what, " %s", word ? word : "null");
    }
    enum be_status status =
        be_reader_bad(reader, field->name, what.data ? what.data : "unknown word");
    be_text_free(&what);
    return status;
}

static enum be_status bad_value(const struct be_reader *reader, const struct be_field *field,
                                const cJSON *node) {
    const char *want = kinds[field->kind].want;
    if (field->kind == BE_FIELD_WORD && cJSON_IsString(node)) {
        return unknown_word(reader, field, node);
    }
    if (node && cJSON_IsNumber(node) && field->kind >= BE_FIELD_REAL &&
        field->kind <= BE_FIELD_WHOLE) {
        char what[BE_NOTE], number[BE_WORD];
        be_format_exact(number, sizeof number, node->valuedouble, "one too large");
        snprintf(what, sizeof what, "%s is needed, not %s", want, number);
        return be_reader_bad(reader, field->name, what);
    }
    return be_reader_wrong_kind(reader, field->name, want ? want : "a string", node);
}

enum be_status be_reader_record(const struct be_reader *reader, const struct be_fields *fields,
                                const cJSON *object, void *record) {
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

/* ---- lists --------------------------------------------------------------------------------- */

static enum be_status read_device(struct be_reader *reader, const cJSON *object, void *record) {
    return be_reader_record(reader, &be_fields_device, object, record);
}

static enum be_status read_absence(struct be_reader *reader, const cJSON *object, void *record) {
    return be_reader_record(reader, &be_fields_absence, object, record);
}

enum be_status be_reader_remark(struct be_reader *reader, const cJSON *text, void *record) {
    const struct be_field field = {.room = BE_NOTE};
    return take_text(&field, text, record) ? BE_OK
                                           : be_reader_wrong_kind(reader, "", "a string", text);
}

static const struct be_reader_list devices = {"devices", sizeof(struct be_device_info),
                                              BE_DEVICES_MAX, read_device, true};
static const struct be_reader_list absences = {"absent", sizeof(struct be_absence), BE_DEVICES_MAX,
                                               read_absence, true};
const struct be_reader_list be_reader_remarks = {"remarks", BE_NOTE, BE_READER_LIST_MAX,
                                                 be_reader_remark, false};

/* How many records `object` has in this list; a list that is not there has none. */
static enum be_status count_list(const struct be_reader *reader, const struct be_reader_list *list,
                                 const cJSON *object, size_t *count) {
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, list->name);
    *count = 0;
    if (array && !cJSON_IsArray(array)) {
        return be_reader_wrong_kind(reader, list->name, "a list", array);
    }
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, array) {
        ++*count;
    }
    if (*count > list->most) {
        char what[BE_NOTE];
        snprintf(what, sizeof what, "%zu are too many: at most %zu", *count, list->most);
        return be_reader_bad(reader, list->name, what);
    }
    return BE_OK;
}

static enum be_status read_list(struct be_reader *reader, const struct be_reader_list *list,
                                const cJSON *object, void *records) {
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, list->name);
    char above[BE_READER_PATH];
    memcpy(above, reader->path, BE_READER_PATH);
    size_t i = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, array) {
        snprintf(reader->path, BE_READER_PATH, "%.40s%s%s[%zu]", above, *above ? "." : "",
                 list->name, i);
        if (list->of_objects && !cJSON_IsObject(item)) {
            return be_reader_wrong_kind(reader, "", "an object", item);
        }
        enum be_status status = list->read(reader, item, (char *)records + i * list->record);
        if (status) {
            return status;
        }
        i++;
    }
    memcpy(reader->path, above, BE_READER_PATH);
    return BE_OK;
}

enum be_status be_reader_owned(struct be_reader *reader, const struct be_reader_list *list,
                               const cJSON *object, void **records, size_t *count) {
    enum be_status status = count_list(reader, list, object, count);
    if (status || *count == 0) {
        return status;
    }
    *records = calloc(*count, list->record);
    if (!*records) {
        return be_fail(reader->error, BE_NOMEM, "%s: %s: no memory for %zu records", reader->name,
                       list->name, *count);
    }
    return read_list(reader, list, object, *records);
}

static enum be_status read_fixed(struct be_reader *reader, const struct be_reader_list *list,
                                 const cJSON *object, void *records, int *count) {
    size_t found = 0;
    enum be_status status = count_list(reader, list, object, &found);
    *count = status ? 0 : (int)found;
    return status ? status : read_list(reader, list, object, records);
}

/* ---- the whole ------------------------------------------------------------------------------ */

enum be_status be_reader_machine(struct be_reader *reader, const cJSON *root,
                                 struct be_machine *machine) {
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "machine");
    if (!cJSON_IsObject(object)) {
        return be_reader_wrong_kind(reader, "machine", "an object", object);
    }
    snprintf(reader->path, BE_READER_PATH, "machine");
    enum be_status status = be_reader_record(reader, &be_fields_machine, object, machine);
    if (!status) {
        status = read_fixed(reader, &devices, object, machine->device, &machine->devices);
    }
    if (!status) {
        status = read_fixed(reader, &absences, object, machine->absent, &machine->absences);
    }
    return status;
}

enum be_status be_reader_environment(struct be_reader *reader, const cJSON *root,
                                     struct be_environment *environment) {
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "environment");
    if (object && !cJSON_IsObject(object)) {
        return be_reader_wrong_kind(reader, "environment", "an object", object);
    }
    snprintf(reader->path, BE_READER_PATH, "environment");
    return be_reader_record(reader, &be_fields_environment, object, environment);
}

static enum be_status read_stream(FILE *in, const struct be_reader *reader, struct be_text *text) {
    char part[1 << 14];
    size_t count = 0;
    while ((count = fread(part, 1, sizeof part, in)) > 0) {
        be_text_add_bytes(text, part, count);
        if (text->length > READ_MAX) {
            return be_fail(reader->error, BE_USAGE,
                           "%s: has more than %d MiB: not a result of breakeven", reader->name,
                           READ_MAX >> 20);
        }
    }
    if (ferror(in)) {
        return be_fail(reader->error, BE_IO, "read %s: %s", reader->name, strerror(errno));
    }
    if (text->failed) {
        return be_fail(reader->error, BE_NOMEM, "read %s: out of memory", reader->name);
    }
    if (!text->length) {
        return be_fail(reader->error, BE_USAGE, "%s: is empty", reader->name);
    }
    return BE_OK;
}

static enum be_status parse(const struct be_reader *reader, const struct be_text *text,
                            cJSON **root) {
    const char *end = text->data;
    *root = cJSON_ParseWithLengthOpts(text->data, text->length, &end, false);
    const char *last = text->data + text->length;
    while (*root && end < last && strchr(" \t\r\n", *end) && *end) {
        end++;
    }
    if (*root && end == last) {
        return BE_OK;
    }
    int line = 1;
    for (const char *at = text->data; end && at < end && at < last; at++) {
        line += *at == '\n';
    }
    return be_fail(reader->error, BE_USAGE, "%s: line %d: %s", reader->name, line,
                   *root ? "more text after the end of the results"
                         : "not JSON: the file is damaged or cut short");
}

/* "breakeven/2" is said to be newer; anything else cannot be read. */
static enum be_status check_schema(const struct be_reader *reader, const cJSON *root) {
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(root, "schema");
    int version = 0;
    if (!cJSON_IsString(node)) {
        return be_reader_wrong_kind(reader, "schema", "a string", node);
    }
    if (strcmp(node->valuestring, BE_SCHEMA) == 0) {
        return BE_OK;
    }
    char found[QUOTED + 4], what[BE_NOTE];
    quote(found, node->valuestring);
    bool ours = sscanf(node->valuestring, "breakeven/%6d", &version) == 1;
    snprintf(what, sizeof what, "\"%s\" cannot be read by this version, only \"%s\"%s", found,
             BE_SCHEMA,
             ours && version > 1 ? ": a newer breakeven wrote it; update this one"
             : ours              ? ": it is older than any that was published; measure again"
                                 : "");
    return be_reader_bad(reader, "schema", what);
}

enum be_status be_reader_head(const struct be_reader *reader, const cJSON *root,
                              const char *command, bool *partial) {
    if (!cJSON_IsObject(root)) {
        return be_fail(reader->error, BE_USAGE, "%s: an object is needed, not %s", reader->name,
                       kind_of(root));
    }
    enum be_status status = check_schema(reader, root);
    const cJSON *word = cJSON_GetObjectItemCaseSensitive(root, "command");
    if (!status && !cJSON_IsString(word)) {
        status = be_reader_wrong_kind(reader, "command", "a string", word);
    }
    if (!status && strcmp(word->valuestring, command) != 0) {
        char found[QUOTED + 4], what[BE_NOTE];
        quote(found, word->valuestring);
        snprintf(what, sizeof what, "it is a result of \"%s\", where one of \"%s\" is needed",
                 found, command);
        status = be_reader_bad(reader, "command", what);
    }
    const cJSON *is = cJSON_GetObjectItemCaseSensitive(root, "partial");
    if (!status && is && !cJSON_IsBool(is)) {
        status = be_reader_wrong_kind(reader, "partial", "true or false", is);
    }
    *partial = cJSON_IsTrue(is);
    return status;
}

enum be_status be_reader_parse(FILE *in, const struct be_reader *reader, cJSON **root) {
    struct be_text text = {0};
    *root = NULL;
    enum be_status status = read_stream(in, reader, &text);
    if (!status) {
        status = parse(reader, &text, root);
    }
    if (status) {
        cJSON_Delete(*root);
        *root = NULL;
    }
    be_text_free(&text);
    return status;
}
