/* CSV (RFC 4180), by tables of fields. */
#include "report/common/csv.h"

#include <string.h>

static void add_quoted(struct be_text *out, const char *value, size_t length) {
    if (!memchr(value, '"', length) && strcspn(value, ",\r\n") >= length) {
        be_text_add_bytes(out, value, length);
        return;
    }
    be_text_add(out, "\"");
    for (size_t i = 0; i < length; i++) {
        be_text_add_bytes(out, "\"\"", value[i] == '"' ? 1 : 0);
        be_text_add_bytes(out, value + i, 1);
    }
    be_text_add(out, "\"");
}

void be_csv_value(struct be_text *out, const struct be_field *field, const void *record) {
    struct be_text value = {0};
    be_field_print(field, record, &value);
    if (value.length) {
        add_quoted(out, value.data, value.length);
    }
    out->failed |= value.failed;
    be_text_free(&value);
}

void be_csv_records(const struct be_fields *fields, const void *records, size_t count, size_t size,
                    struct be_text *out) {
    for (size_t i = 0; i < fields->count; i++) {
        be_text_add(out, "%s%s", i ? "," : "", fields->field[i].name);
    }
    be_text_add(out, "\r\n");
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < fields->count; i++) {
            be_text_add(out, "%s", i ? "," : "");
            be_csv_value(out, &fields->field[i], (const char *)records + k * size);
        }
        be_text_add(out, "\r\n");
    }
}
