/* Findings -> JSON (docs/json.md), one line a record. */
#include <stdlib.h>

#include "report/json/record.h"
#include "report/lint/fields.h"

static struct be_lint_row row_of(const char *file, const struct be_lint_finding *finding) {
    return (struct be_lint_row){
        .file = file,
        .with = finding->given,
        .line = finding->line,
        .column = finding->column,
        .end_line = finding->end_line,
        .end_column = finding->end_column,
        .severity = be_severity_word(finding->severity),
        .rule = finding->rule->name,
        .text = finding->text,
        .advice = finding->advice,
        .why = finding->rule->why,
        .safe = finding->edits && finding->safe,
        .edit = finding->edit,
        .edits = finding->edits,
    };
}

void be_lint_json(const struct be_lint_run *run, struct be_text *out) {
    struct be_lint_rows rows = {.file = run->file, .files = run->files};
    size_t findings = 0;
    for (size_t i = 0; i < run->files; i++) {
        findings += run->file[i].report.findings;
    }
    rows.row = calloc(findings + 1, sizeof *rows.row);
    if (!rows.row) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < run->files; i++) {
        const struct be_lint_report *report = &run->file[i].report;
        for (size_t k = 0; k < report->findings; k++) {
            rows.row[rows.rows++] = row_of(run->file[i].name, &report->finding[k]);
        }
    }
    be_json_add_head(out, "lint");
    be_json_add_fields(out, &be_fields_lint, &rows);
    be_text_add(out, "}\n");
    free(rows.row);
}
