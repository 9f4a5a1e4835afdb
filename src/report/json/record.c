/* Records as JSON, by their tables of fields. */
#include "report/json/record.h"

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
};

/* A reader that keeps numbers as doubles would change a whole number of more digits. */
enum { EXACT_DIGITS = 15 };

static cJSON *field_node(const struct be_field *field, const void *record) {
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

cJSON *be_json_record(const struct be_fields *fields, const void *record) {
    cJSON *object = cJSON_CreateObject();
    bool whole = object != NULL;
    for (size_t i = 0; whole && i < fields->count; i++) {
        whole =
            be_json_attach(object, fields->field[i].name, field_node(&fields->field[i], record));
    }
    if (!whole) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

cJSON *be_json_machine(const struct be_machine *machine) {
    cJSON *object = be_json_record(&be_fields_machine, machine);
    cJSON *devices = object ? cJSON_AddArrayToObject(object, "devices") : NULL;
    cJSON *absent = object ? cJSON_AddArrayToObject(object, "absent") : NULL;
    bool whole = devices && absent;
    for (int i = 0; whole && i < machine->devices; i++) {
        cJSON *device = be_json_record(&be_fields_device, &machine->device[i]);
        whole = device && cJSON_AddItemToArray(devices, device);
    }
    for (int i = 0; whole && i < machine->absences; i++) {
        cJSON *absence = be_json_record(&be_fields_absence, &machine->absent[i]);
        whole = absence && cJSON_AddItemToArray(absent, absence);
    }
    if (!whole) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

void be_json_add(struct be_text *out, cJSON *node) {
    char *line = node ? cJSON_PrintUnformatted(node) : NULL;
    if (line) {
        be_text_add(out, "%s", line);
    }
    out->failed |= !line;
    cJSON_free(line);
    cJSON_Delete(node);
}

cJSON *be_json_text(const char *from) {
    struct be_text text = {0};
    be_text_add_utf8(&text, from);
    cJSON *node = text.failed ? NULL : cJSON_CreateString(text.length ? text.data : "");
    be_text_free(&text);
    return node;
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
