/*
 * Results -> CSV (RFC 4180): a header row, then one row a result, with the phases side by side.
 */
#include "report/common/csv.h"
#include "report/comparison/comparison.h"
#include "report/comparison/fields.h"

static void add_header(struct be_text *out) {
    for (size_t i = 0; i < be_fields_result_row.count; i++) {
        be_text_add(out, "%s%s", i ? "," : "", be_fields_result_row.field[i].name);
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
    for (size_t i = 0; i < be_fields_result_row.count; i++) {
        be_text_add(out, "%s", i ? "," : "");
        be_csv_value(out, &be_fields_result_row.field[i], result);
    }
    for (int phase = 0; phase < BE_PHASES; phase++) {
        for (size_t i = 0; i < be_fields_summary.count; i++) {
            be_text_add(out, ",");
            be_csv_value(out, &be_fields_summary.field[i], &result->phase[phase]);
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
