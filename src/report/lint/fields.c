#include "report/lint/fields.h"

#include "report/common/field_rows.h"

static const struct be_field edit[] = {
    FIELD_AS(be_lint_edit, WHOLE, "at_bytes", at),
    FIELD_AS(be_lint_edit, WHOLE, "length_bytes", length),
    FIELD(be_lint_edit, CITED, with),
};
static const struct be_fields edits = FIELDS(edit);

static const struct be_field finding[] = {
    FIELD(be_lint_row, CITED, file),         FIELD(be_lint_row, FLAG, with),
    FIELD(be_lint_row, INT, line),           FIELD(be_lint_row, INT, column),
    FIELD(be_lint_row, INT, end_line),       FIELD(be_lint_row, INT, end_column),
    FIELD(be_lint_row, CITED, severity),     FIELD(be_lint_row, CITED, rule),
    FIELD(be_lint_row, CITED, text),         FIELD(be_lint_row, CITED, advice),
    FIELD(be_lint_row, CITED, why),          FIELD(be_lint_row, FLAG, safe),
    OWNED(be_lint_row, edit, edits, &edits),
};
static const struct be_fields findings = FIELDS(finding);

#define COUNT(called, severity) FIELD_AS(be_lint_file, WHOLE, called, report.count[severity])
static const struct be_field file[] = {
    FIELD_AS(be_lint_file, CITED, "file", name),
    COUNT("errors", BE_ERROR),
    COUNT("warnings", BE_WARNING),
    COUNT("advice", BE_ADVICE),
    FIELD_AS(be_lint_file, WHOLE, "silenced", report.silenced),
    FIELD(be_lint_file, WHOLE, fixed),
};
static const struct be_fields files = FIELDS(file);

static const struct be_field whole[] = {
    OWNED(be_lint_rows, file, files, &files),
    {.name = "findings",
     .kind = BE_FIELD_OWNED,
     .at = offsetof(struct be_lint_rows, row),
     .of = &findings,
     .record = sizeof(struct be_lint_row),
     .length_at = offsetof(struct be_lint_rows, rows)},
};
const struct be_fields be_fields_lint = FIELDS(whole);
