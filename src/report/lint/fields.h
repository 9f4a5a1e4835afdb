/*
 * The fields of findings in job scripts.
 */
#ifndef BE_REPORT_LINT_FIELDS_H
#define BE_REPORT_LINT_FIELDS_H

#include "report/common/fields.h"
#include "report/lint/lint.h"

/* A finding with its file, its rule and its severity as words. */
struct be_lint_row {
    const char *file, *severity, *rule, *text, *advice, *why;
    bool with, safe;
    int line, column, end_line, end_column;
    const struct be_lint_edit *edit;
    size_t edits;
};

/* The files, and the findings of all, one after the other. */
struct be_lint_rows {
    const struct be_lint_file *file;
    size_t files;
    struct be_lint_row *row;
    size_t rows;
};

extern const struct be_fields be_fields_lint; /* of rows */

#endif
