/*
 * A comparison -> JSON (docs/json.md). One line a record, so that files can be searched and
 * compared by line.
 */
#include <cjson/cJSON.h>

#include "base/error.h"
#include "report/fields.h"
#include "report/report.h"

/* How a value stands in JSON. Numbers go in as text, because cJSON prints doubles to within one
 * unit in the last place only. */
static const struct {
    bool number, never_null;
} shape[] = {
    [BE_FIELD_TEXT] = {false, true},  [BE_FIELD_NOTE] = {false, false},
    [BE_FIELD_REAL] = {true, false},  [BE_FIELD_INT] = {true, false},
    [BE_FIELD_GIVEN] = {true, false}, [BE_FIELD_WHOLE] = {true, false},
    [BE_FIELD_WORD] = {false, false},
};

/* A reader that keeps numbers as doubles would change a whole number of more digits. */
enum { EXACT_DIGITS = 15 };

static cJSON *field_node(const struct be_field *field, const void *record) {
    struct be_text text = {0};
    be_field_print(field, record, &text);
    bool number =
        shape[field->kind].number && (field->kind != BE_FIELD_WHOLE || text.length <= EXACT_DIGITS);
    cJSON *node = NULL;
    if (text.failed) {
        node = NULL;
    } else if (!text.length && !shape[field->kind].never_null) {
        node = cJSON_CreateNull();
    } else if (number) {
        node = cJSON_CreateRaw(text.data);
    } else {
        node = cJSON_CreateString(text.length ? text.data : "");
    }
    be_text_free(&text);
    return node;
}

static cJSON *remark_at(const struct be_comparison *comparison, size_t i) {
    struct be_text text = {0};
    be_text_add_utf8(&text, comparison->remark[i]);
    cJSON *node = text.failed ? NULL : cJSON_CreateString(text.length ? text.data : "");
    be_text_free(&text);
    return node;
}

/* Takes `child`; false when it, or memory for its name, is missing. */
static bool attach(cJSON *object, const char *name, cJSON *child) {
    if (child && cJSON_AddItemToObject(object, name, child)) {
        return true;
    }
    cJSON_Delete(child);
    return false;
}

static cJSON *record_node(const struct be_fields *fields, const void *record) {
    cJSON *object = cJSON_CreateObject();
    bool whole = object != NULL;
    for (size_t i = 0; whole && i < fields->count; i++) {
        whole = attach(object, fields->field[i].name, field_node(&fields->field[i], record));
    }
    if (!whole) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

static cJSON *result_node(const struct be_result *result) {
    cJSON *phases = cJSON_CreateObject();
    bool whole = phases != NULL;
    for (int i = 0; whole && i < BE_PHASES; i++) {
        whole = attach(phases, be_names_word(&be_names_phase, i),
                       record_node(&be_fields_summary, &result->phase[i]));
    }
    cJSON *object = whole ? record_node(&be_fields_result, result) : NULL;
    if (!object) {
        cJSON_Delete(phases);
        return NULL;
    }
    if (!attach(object, "phases", phases)) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

static cJSON *machine_node(const struct be_machine *machine) {
    cJSON *object = record_node(&be_fields_machine, machine);
    cJSON *devices = object ? cJSON_AddArrayToObject(object, "devices") : NULL;
    cJSON *absent = object ? cJSON_AddArrayToObject(object, "absent") : NULL;
    bool whole = devices && absent;
    for (int i = 0; whole && i < machine->devices; i++) {
        cJSON *device = record_node(&be_fields_device, &machine->device[i]);
        whole = device && cJSON_AddItemToArray(devices, device);
    }
    for (int i = 0; whole && i < machine->absences; i++) {
        cJSON *absence = record_node(&be_fields_absence, &machine->absent[i]);
        whole = absence && cJSON_AddItemToArray(absent, absence);
    }
    if (!whole) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

/* Prints and frees. */
static void add(struct be_text *out, cJSON *node) {
    char *line = node ? cJSON_PrintUnformatted(node) : NULL;
    if (line) {
        be_text_add(out, "%s", line);
    }
    out->failed |= !line;
    cJSON_free(line);
    cJSON_Delete(node);
}

static cJSON *result_at(const struct be_comparison *comparison, size_t i) {
    return result_node(&comparison->result[i]);
}

static cJSON *breakeven_at(const struct be_comparison *comparison, size_t i) {
    return record_node(&be_fields_breakeven, &comparison->breakeven[i]);
}

static void add_list(struct be_text *out, const char *name, size_t count,
                     cJSON *(*at)(const struct be_comparison *, size_t),
                     const struct be_comparison *comparison) {
    be_text_add(out, ",\n\"%s\":[", name);
    for (size_t i = 0; i < count && !out->failed; i++) {
        be_text_add(out, i ? ",\n" : "\n");
        add(out, at(comparison, i));
    }
    be_text_add(out, "%s]", count ? "\n" : "");
}

void be_report_json(const struct be_comparison *comparison, struct be_text *out) {
    be_text_add(out, "{\"schema\":\"" BE_SCHEMA "\",\n\"command\":\"compare\",\n\"version\":\"");
    be_text_add(out, BE_VERSION "\",\n\"machine\":");
    add(out, machine_node(&comparison->machine));
    be_text_add(out, ",\n\"environment\":");
    add(out, record_node(&be_fields_environment, &comparison->environment));
    be_text_add(out, ",\n\"partial\":%s", comparison->partial ? "true" : "false");
    add_list(out, "results", comparison->results, result_at, comparison);
    add_list(out, "breakevens", comparison->breakevens, breakeven_at, comparison);
    add_list(out, "remarks", comparison->remarks, remark_at, comparison);
    be_text_add(out, "}\n");
}
