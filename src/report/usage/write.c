/* Usage -> JSON (docs/json.md), one line a row, and CSV. */
#include "report/common/csv.h"
#include "report/common/field_rows.h"
#include "report/json/record.h"
#include "report/usage/usage.h"

#define ROW(what, member) FIELD(be_usage, what, member)

static const struct be_field row_field[] = {
    ROW(TEXT, id),
    ROW(NOTE, name),
    ROW(NOTE, user),
    ROW(NOTE, account),
    ROW(NOTE, partition),
    ROW(NOTE, state),
    ROW(INT, jobs),
    ROW(INT, cpus),
    ROW(INT, nodes),
    ROW(REAL, gpus),
    ROW(REAL, elapsed_s),
    ROW(REAL, core_s),
    ROW(REAL, cpu_s),
    ROW(REAL, cpu_efficiency),
    ROW(REAL, memory_asked_byte_s),
    ROW(REAL, memory_used_byte_s),
    ROW(REAL, memory_efficiency),
    ROW(REAL, gpu_s),
    ROW(REAL, gpu_used_s),
    ROW(REAL, gpu_efficiency),
    ROW(REAL, billed_s),
    ROW(REAL, billed_known_s),
    ROW(REAL, unused_s),
    ROW(NOTE, kinds),
};
static const struct be_fields row_fields = FIELDS(row_field);

void be_usage_json(const struct be_usage_list *list, struct be_text *out) {
    be_json_add_head(out, "summary");
    be_json_add_member(out, "total", be_json_record(&row_fields, &list->total));
    be_json_add_records(out, "rows", &row_fields, list->row, list->rows, sizeof *list->row);
    be_text_add(out, "}\n");
}

void be_usage_csv(const struct be_usage_list *list, struct be_text *out) {
    be_csv_records(&row_fields, list->row, list->rows, sizeof *list->row, out);
}
