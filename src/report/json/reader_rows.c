/* A table of a file: "columns" and "rows", as record.h writes them. Each row is read like an object of its columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/common/field_rows.h"
#include "report/json/reader.h"

enum { COLUMNS_MAX = 64 };

static enum be_status read_columns(const struct be_json_reader *reader, const cJSON *object,
                                   const char *column[COLUMNS_MAX], int *columns) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "columns");
    enum be_status status = be_json_needs_list(reader, object, "columns");
    const cJSON *item = NULL;
    *columns = 0;
    if (status) {
        return status;
    }
    cJSON_ArrayForEach(item, list) {
        if (*columns == COLUMNS_MAX || !cJSON_IsString(item)) {
            return be_json_bad(reader, "columns", "at most 64 names are needed");
        }
        column[(*columns)++] = item->valuestring;
    }
    return BE_OK;
}

/* The row's values under the names of their columns; the values stay those of the row. */
static cJSON *object_of(const cJSON *row, const char *const *column, int columns) {
    cJSON *object = cJSON_CreateObject();
    cJSON *value = row->child;
    for (int i = 0; object && i < columns && value; i++, value = value->next) {
        if (!cJSON_AddItemReferenceToObject(object, column[i], value)) {
            cJSON_Delete(object);
            object = NULL;
        }
    }
    return object;
}

static enum be_status read_row(struct be_json_reader *reader, const struct be_fields *fields,
                               const cJSON *row, const char *const *column, int columns,
                               void *record) {
    if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != columns) {
        return be_json_bad(reader, "", "a list with a value for each column is needed");
    }
    cJSON *object = object_of(row, column, columns);
    enum be_status status = object
                                ? be_json_read_record(reader, fields, object, record)
                                : be_fail(reader->error, BE_NOMEM, "%s: no memory", reader->name);
    cJSON_Delete(object);
    return status;
}

enum be_status be_json_read_rows(struct be_json_reader *reader, const struct be_fields *fields,
                                 const cJSON *object, size_t size, void **records, size_t *count) {
    const char *column[COLUMNS_MAX];
    int columns = 0;
    *records = NULL;
    *count = 0;
    enum be_status status = read_columns(reader, object, column, &columns);
    status = status ? status : be_json_needs_list(reader, object, "rows");
    if (status) {
        return status;
    }
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(object, "rows");
    const int all = cJSON_GetArraySize(rows);
    char *memory = all <= BE_RECORDS_MAX ? calloc((size_t)all + 1, size) : NULL;
    if (!memory) {
        return be_fail(reader->error, BE_NOMEM, "%s: no memory for %d rows", reader->name, all);
    }
    const cJSON *row = NULL;
    cJSON_ArrayForEach(row, rows) {
        if (!status) {
            snprintf(reader->path, BE_JSON_PATH, "rows[%zu]", *count);
            status = read_row(reader, fields, row, column, columns, memory + *count * size);
            ++*count;
        }
    }
    reader->path[0] = '\0';
    *records = memory;
    return status;
}
