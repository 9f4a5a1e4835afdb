/*
 * Results -> CSV (RFC 4180): a header row, then one row a result, with the phases side by side.
 */
#include <string.h>

#include "report/common/fields.h"
#include "report/profile/report.h"
#include "report/report.h"

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

static void add_value(struct be_text *out, const struct be_field *field, const void *record) {
    struct be_text value = {0};
    be_field_print(field, record, &value);
    if (value.length) {
        add_quoted(out, value.data, value.length);
    }
    out->failed |= value.failed;
    be_text_free(&value);
}

static void add_header(struct be_text *out) {
    for (size_t i = 0; i < be_fields_result.count; i++) {
        be_text_add(out, "%s%s", i ? "," : "", be_fields_result.field[i].name);
    }
    for (int phase = 0; phase < BE_PHASES; phase++) {
        for (size_t i = 0; i < be_fields_summary.count; i++) {
            be_text_add(out, ",%s_%s", be_names_word(&be_names_phase, phase),
                        be_fields_summary.field[i].name);
        }
    }
    be_text_add(out, "\r\n");
}

static void add_row(struct be_text *out, const struct be_result *result) {
    for (size_t i = 0; i < be_fields_result.count; i++) {
        be_text_add(out, "%s", i ? "," : "");
        add_value(out, &be_fields_result.field[i], result);
    }
    for (int phase = 0; phase < BE_PHASES; phase++) {
        for (size_t i = 0; i < be_fields_summary.count; i++) {
            be_text_add(out, ",");
            add_value(out, &be_fields_summary.field[i], &result->phase[phase]);
        }
    }
    be_text_add(out, "\r\n");
}

void be_report_csv(const struct be_comparison *comparison, struct be_text *out) {
    add_header(out);
    for (size_t i = 0; i < comparison->results; i++) {
        add_row(out, &comparison->result[i]);
    }
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
            add_value(out, &fields->field[i], (const char *)records + k * size);
        }
        be_text_add(out, "\r\n");
    }
}

void be_profile_csv(const struct be_profile *profile, struct be_text *out) {
    be_csv_records(&be_fields_figure, profile->figure, profile->figures, sizeof *profile->figure,
                   out);
}
