/* Findings -> JSON (docs/json.md), one line a record. */
#include <string.h>

#include "base/error.h"
#include "report/json/record.h"
#include "report/lint/lint.h"

/* Adds a string; false: no memory. */
static bool add_text(cJSON *object, const char *name, const char *text) {
    return be_json_attach(object, name, be_json_text(text));
}

static bool add_number(cJSON *object, const char *name, double number) {
    return cJSON_AddNumberToObject(object, name, number);
}

static cJSON *edit_record(const struct be_lint_edit *edit) {
    cJSON *object = cJSON_CreateObject();
    if (object && add_number(object, "at_bytes", (double)edit->at) &&
        add_number(object, "length_bytes", (double)edit->length) &&
        add_text(object, "with", edit->with)) {
        return object;
    }
    cJSON_Delete(object);
    return NULL;
}

static bool add_edits(cJSON *object, const struct be_lint_finding *finding) {
    cJSON *list = cJSON_AddArrayToObject(object, "edits");
    bool ok = list;
    for (size_t i = 0; ok && i < finding->edits; i++) {
        cJSON *edit = edit_record(&finding->edit[i]);
        ok = edit && cJSON_AddItemToArray(list, edit);
    }
    return ok;
}

static cJSON *finding_record(const char *file, const struct be_lint_finding *finding) {
    cJSON *object = cJSON_CreateObject();
    bool ok = object && add_text(object, "file", file) &&
              cJSON_AddBoolToObject(object, "with", finding->given) &&
              add_number(object, "line", finding->line) &&
              add_number(object, "column", finding->column) &&
              add_number(object, "end_line", finding->end_line) &&
              add_number(object, "end_column", finding->end_column) &&
              add_text(object, "severity", be_severity_word(finding->severity)) &&
              add_text(object, "rule", finding->rule->name) &&
              add_text(object, "text", finding->text) &&
              add_text(object, "advice", finding->advice) &&
              add_text(object, "why", finding->rule->why) &&
              cJSON_AddBoolToObject(object, "safe", finding->edits && finding->safe) &&
              add_edits(object, finding);
    if (!ok) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

static cJSON *file_at(const void *whole, size_t i) {
    const struct be_lint_run *run = whole;
    const struct be_lint_file *file = &run->file[i];
    cJSON *object = cJSON_CreateObject();
    bool ok = object && add_text(object, "file", file->name) &&
              add_number(object, "errors", (double)file->report.count[BE_ERROR]) &&
              add_number(object, "warnings", (double)file->report.count[BE_WARNING]) &&
              add_number(object, "advice", (double)file->report.count[BE_ADVICE]) &&
              add_number(object, "silenced", (double)file->report.silenced) &&
              add_number(object, "fixed", (double)file->fixed);
    if (!ok) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

/* Finding `i` of all files, one after the other. */
static cJSON *finding_at(const void *whole, size_t i) {
    const struct be_lint_run *run = whole;
    size_t file = 0;
    while (i >= run->file[file].report.findings) {
        i -= run->file[file++].report.findings;
    }
    return finding_record(run->file[file].name, &run->file[file].report.finding[i]);
}

void be_lint_json(const struct be_lint_run *run, struct be_text *out) {
    size_t findings = 0;
    for (size_t i = 0; i < run->files; i++) {
        findings += run->file[i].report.findings;
    }
    be_json_add_head(out, "lint");
    be_json_add_list(out, "files", run->files, file_at, run);
    be_json_add_list(out, "findings", findings, finding_at, run);
    be_text_add(out, "}\n");
}
