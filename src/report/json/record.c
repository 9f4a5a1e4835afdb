/* Records as JSON, by their tables of fields. */
#include "report/json/record.h"

#include <string.h>

#include "base/error.h"

/* How a value stands in JSON. Numbers go in as text, because cJSON prints doubles to within one
 * unit in the last place only. */
static const struct {
    bool bare, never_null; /* bare: without quotes */
} shape[] = {
    [BE_FIELD_TEXT] = {false, true},  [BE_FIELD_NOTE] = {false, false},
    [BE_FIELD_REAL] = {true, false},  [BE_FIELD_INT] = {true, false},
    [BE_FIELD_GIVEN] = {true, false}, [BE_FIELD_WHOLE] = {true, false},
    [BE_FIELD_WORD] = {false, false}, [BE_FIELD_TRUTH] = {true, true},
    [BE_FIELD_FLAG] = {true, true},   [BE_FIELD_CITED] = {false, true},
};

/* A reader that keeps numbers as doubles would change a whole number of more digits. */
enum { EXACT_DIGITS = 15 };

static cJSON *value_node(const struct be_field *field, const void *record) {
    struct be_text text = {0};
    be_field_print(field, record, &text);
    bool bare =
        shape[field->kind].bare && (field->kind != BE_FIELD_WHOLE || text.length <= EXACT_DIGITS);
    cJSON *node = NULL;
    if (text.failed) {
        node = NULL;
    } else if (!text.length && !shape[field->kind].never_null) {
        node = cJSON_CreateNull();
    } else if (bare) {
        node = cJSON_CreateRaw(text.data);
    } else {
        node = cJSON_CreateString(text.length ? text.data : "");
    }
    be_text_free(&text);
    return node;
}

bool be_json_attach(cJSON *object, const char *name, cJSON *child) {
    if (child && cJSON_AddItemToObject(object, name, child)) {
        return true;
    }
    cJSON_Delete(child);
    return false;
}

cJSON *be_json_text(const char *from) {
    struct be_text text = {0};
    be_text_add_utf8(&text, from);
    cJSON *node = text.failed ? NULL : cJSON_CreateString(text.length ? text.data : "");
    be_text_free(&text);
    return node;
}

/* ---- lists and parts ------------------------------------------------------------------------ */

static size_t length_of(const struct be_field *list, const void *record) {
    const void *length = (const char *)record + list->length_at;
    return list->kind == BE_FIELD_FIXED ? (size_t) * (const int *)length : *(const size_t *)length;
}

static const void *first_of(const struct be_field *list, const void *record) {
    const void *place = (const char *)record + list->at;
    const void *first = place;
    if (list->kind == BE_FIELD_OWNED ||
        list->kind == BE_FIELD_REALS) { /* the list lies where this points */
        memcpy(&first, place, sizeof first);
    }
    return first;
}

static cJSON *item_node(const struct be_field *list, const void *record, size_t i) {
    const char *item = (const char *)first_of(list, record) + i * list->record;
    return list->of ? be_json_record(list->of, item) : be_json_text(item);
}

static cJSON *list_node(const struct be_field *list, const void *record) {
    cJSON *array = cJSON_CreateArray();
    bool whole = array != NULL;
    for (size_t i = 0; whole && i < length_of(list, record); i++) {
        cJSON *item = item_node(list, record, i);
        whole = item && cJSON_AddItemToArray(array, item);
    }
    if (!whole) {
        cJSON_Delete(array);
        array = NULL;
    }
    return array;
}

/* As text, like all numbers here. */
static cJSON *reals_node(const struct be_field *list, const void *record) {
    cJSON *array = cJSON_CreateArray();
    const double *first = first_of(list, record);
    for (size_t i = 0; array && i < length_of(list, record); i++) {
        char number[BE_WORD];
        cJSON *item = cJSON_CreateRaw(be_format_exact(number, sizeof number, first[i], "null"));
        if (!item || !cJSON_AddItemToArray(array, item)) {
            cJSON_Delete(item);
            cJSON_Delete(array);
            array = NULL;
        }
    }
    return array;
}

static cJSON *field_node(const struct be_field *field, const void *record) {
    switch (field->kind) {
    case BE_FIELD_PART:
        return be_json_record(field->of, (const char *)record + field->at);
    case BE_FIELD_FIXED:
    case BE_FIELD_OWNED:
        return list_node(field, record);
    case BE_FIELD_REALS:
        return reals_node(field, record);
    default:
        return value_node(field, record);
    }
}

/* A list without records, or a value that has no word. */
static bool is_empty(const struct be_field *field, const void *record) {
    if (field->kind == BE_FIELD_FIXED || field->kind == BE_FIELD_OWNED) {
        return length_of(field, record) == 0;
    }
    struct be_text text = {0};
    be_field_print(field, record, &text);
    const bool empty = !text.length && !text.failed;
    be_text_free(&text);
    return empty;
}

cJSON *be_json_record(const struct be_fields *fields, const void *record) {
    cJSON *object = cJSON_CreateObject();
    bool whole = object != NULL;
    for (size_t i = 0; whole && i < fields->count; i++) {
        const struct be_field *field = &fields->field[i];
        if (!field->unless_empty || !is_empty(field, record)) {
            whole = be_json_attach(object, field->name, field_node(field, record));
        }
    }
    if (!whole) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

/* ---- lines ---------------------------------------------------------------------------------- */

void be_json_add(struct be_text *out, cJSON *node) {
    char *line = node ? cJSON_PrintUnformatted(node) : NULL;
    if (line) {
        be_text_add(out, "%s", line);
    }
    out->failed |= !line;
    cJSON_free(line);
    cJSON_Delete(node);
}

void be_json_add_head(struct be_text *out, const char *command) {
    be_text_add(out, "{\"schema\":\"" BE_SCHEMA "\",\n\"command\":\"%s\",\n", command);
    be_text_add(out, "\"version\":\"" BE_VERSION "\"");
}

void be_json_add_member(struct be_text *out, const char *name, cJSON *node) {
    be_text_add(out, ",\n\"%s\":", name);
    be_json_add(out, node);
}

void be_json_add_list(struct be_text *out, const char *name, size_t count, be_json_at *at,
                      const void *whole) {
    be_text_add(out, ",\n\"%s\":[", name);
    for (size_t i = 0; i < count && !out->failed; i++) {
        be_text_add(out, i ? ",\n" : "\n");
        be_json_add(out, at(whole, i));
    }
    be_text_add(out, "%s]", count ? "\n" : "");
}

/* Records behind each other in memory, for be_json_add_list. */
struct records {
    const struct be_fields *fields;
    const char *first;
    size_t size;
};

static cJSON *record_at(const void *whole, size_t i) {
    const struct records *records = whole;
    return be_json_record(records->fields, records->first + i * records->size);
}

void be_json_add_records(struct be_text *out, const char *name, const struct be_fields *fields,
                         const void *records, size_t count, size_t size) {
    const struct records all = {fields, records, size};
    be_json_add_list(out, name, count, record_at, &all);
}

/* A list of a record, for the same. */
struct list_of {
    const struct be_field *list;
    const void *record;
};

static cJSON *list_item_at(const void *whole, size_t i) {
    const struct list_of *of = whole;
    return item_node(of->list, of->record, i);
}

void be_json_add_fields(struct be_text *out, const struct be_fields *fields, const void *record) {
    for (size_t i = 0; i < fields->count; i++) {
        const struct be_field *field = &fields->field[i];
        if (field->unless_empty && is_empty(field, record)) {
            continue;
        }
        if (field->kind == BE_FIELD_FIXED || field->kind == BE_FIELD_OWNED) {
            const struct list_of of = {field, record};
            be_json_add_list(out, field->name, length_of(field, record), list_item_at, &of);
        } else {
            be_json_add_member(out, field->name, field_node(field, record));
        }
    }
}

/* ---- tables --------------------------------------------------------------------------------- */

static cJSON *row_at(const void *whole, size_t i) {
    const struct records *records = whole;
    cJSON *row = cJSON_CreateArray();
    bool complete = row != NULL;
    for (size_t k = 0; complete && k < records->fields->count; k++) {
        const char *record = records->first + i * records->size;
        cJSON *value = value_node(&records->fields->field[k], record);
        complete = value && cJSON_AddItemToArray(row, value);
    }
    if (!complete) {
        cJSON_Delete(row);
        row = NULL;
    }
    return row;
}

void be_json_add_rows(struct be_text *out, const struct be_fields *fields, const void *records,
                      size_t count, size_t size) {
    const struct records all = {fields, records, size};
    cJSON *names = cJSON_CreateArray();
    for (size_t k = 0; k < fields->count; k++) {
        cJSON_AddItemToArray(names, be_json_text(fields->field[k].name));
    }
    be_json_add_member(out, "columns", names);
    be_json_add_list(out, "rows", count, row_at, &all);
}
