/*
 * Findings of `breakeven lint` as text, JSON and SARIF.
 */
#ifndef BE_REPORT_LINT_LINT_H
#define BE_REPORT_LINT_LINT_H

#include "base/text.h"
#include "lint/lint.h"

/* A file that was looked at. */
struct be_lint_file {
    const char *name;          /* "-": standard input */
    struct be_text text, with; /* with: the options of --with; empty: there are none */
    struct be_lint_report report;
    size_t fixed; /* findings that were put right before */
};

struct be_lint_run {
    struct be_lint_file *file;
    size_t files;
    enum be_severity min; /* findings below are counted, not shown */
};

/* Findings as FILE:LINE:COLUMN: severity: text [rule], with the line and what to do. */
void be_lint_text(const struct be_lint_run *run, struct be_text *out);
/* docs/json.md */
void be_lint_json(const struct be_lint_run *run, struct be_text *out);
/* SARIF 2.1.0, with every rule and every fix. */
void be_lint_sarif(const struct be_lint_run *run, struct be_text *out);

/* The table of rules: as text, or as the Markdown of docs/lint.md. */
void be_lint_list(bool markdown, struct be_text *out);

#endif
