/* Lists, and what every saved result has: machine, environment, remarks. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/json/reader.h"

static enum be_status read_device(struct be_json_reader *reader, const cJSON *object,
                                  void *record) {
    return be_json_read_record(reader, &be_fields_device, object, record);
}

static enum be_status read_absence(struct be_json_reader *reader, const cJSON *object,
                                   void *record) {
    return be_json_read_record(reader, &be_fields_absence, object, record);
}

static enum be_status read_remark(struct be_json_reader *reader, const cJSON *text, void *record) {
    return be_json_take_text(text, record, BE_NOTE)
               ? BE_OK
               : be_json_wrong_kind(reader, "", "a string", text);
}

static const struct be_json_list devices = {"devices", sizeof(struct be_device_info),
                                            BE_DEVICES_MAX, read_device, true};
static const struct be_json_list absences = {"absent", sizeof(struct be_absence), BE_DEVICES_MAX,
                                             read_absence, true};
const struct be_json_list be_json_remarks = {"remarks", BE_NOTE, BE_JSON_LIST_MAX, read_remark,
                                             false};

/* How many records `object` has in this list; a list that is not there has none. */
static enum be_status count_list(const struct be_json_reader *reader,
                                 const struct be_json_list *list, const cJSON *object,
                                 size_t *count) {
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, list->name);
    *count = 0;
    if (array && !cJSON_IsArray(array)) {
        return be_json_wrong_kind(reader, list->name, "a list", array);
    }
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, array) {
        ++*count;
    }
    if (*count > list->most) {
        char what[BE_NOTE];
        snprintf(what, sizeof what, "%zu are too many: at most %zu", *count, list->most);
        return be_json_bad(reader, list->name, what);
    }
    return BE_OK;
}

static enum be_status read_list(struct be_json_reader *reader, const struct be_json_list *list,
                                const cJSON *object, void *records) {
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, list->name);
    char above[BE_JSON_PATH];
    memcpy(above, reader->path, BE_JSON_PATH);
    size_t i = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, array) {
        snprintf(reader->path, BE_JSON_PATH, "%.40s%s%s[%zu]", above, *above ? "." : "", list->name,
                 i);
        if (list->of_objects && !cJSON_IsObject(item)) {
            return be_json_wrong_kind(reader, "", "an object", item);
        }
        enum be_status status = list->read(reader, item, (char *)records + i * list->record);
        if (status) {
            return status;
        }
        i++;
    }
    memcpy(reader->path, above, BE_JSON_PATH);
    return BE_OK;
}

enum be_status be_json_read_owned(struct be_json_reader *reader, const struct be_json_list *list,
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

enum be_status be_json_read_fixed(struct be_json_reader *reader, const struct be_json_list *list,
                                  const cJSON *object, void *records, int *count) {
    size_t found = 0;
    enum be_status status = count_list(reader, list, object, &found);
    *count = status ? 0 : (int)found;
    return status ? status : read_list(reader, list, object, records);
}

enum be_status be_json_read_machine(struct be_json_reader *reader, const cJSON *root,
                                    struct be_machine *machine) {
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "machine");
    if (!cJSON_IsObject(object)) {
        return be_json_wrong_kind(reader, "machine", "an object", object);
    }
    snprintf(reader->path, BE_JSON_PATH, "machine");
    enum be_status status = be_json_read_record(reader, &be_fields_machine, object, machine);
    if (!status) {
        status = be_json_read_fixed(reader, &devices, object, machine->device, &machine->devices);
    }
    if (!status) {
        status = be_json_read_fixed(reader, &absences, object, machine->absent, &machine->absences);
    }
    return status;
}

enum be_status be_json_read_environment(struct be_json_reader *reader, const cJSON *root,
                                        struct be_environment *environment) {
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "environment");
    if (object && !cJSON_IsObject(object)) {
        return be_json_wrong_kind(reader, "environment", "an object", object);
    }
    snprintf(reader->path, BE_JSON_PATH, "environment");
    return be_json_read_record(reader, &be_fields_environment, object, environment);
}
