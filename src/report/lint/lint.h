/*
 * Findings of `breakeven lint` as text, as lines for programs, as counts, as JSON and SARIF.
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

enum be_lint_format { BE_LINT_FULL, BE_LINT_LINE, BE_LINT_GITHUB, BE_LINT_COUNTS };

struct be_lint_run {
    enum be_lint_format format; /* of the text */
    struct be_lint_file *file;
    size_t files;
    enum be_severity min; /* findings below are counted, not shown */
};

/* The word that stands for a finding's file: "stdin", "--with", or its name. */
const char *be_lint_place(const struct be_lint_file *file, const struct be_lint_finding *finding);

/* Findings as FILE:LINE:COLUMN: severity: text [rule], with the line and what to do. */
void be_lint_text(const struct be_lint_run *run, struct be_text *out);
/* One line a finding, with what to do behind it. */
void be_lint_lines(const struct be_lint_run *run, struct be_text *out);
/* The same as commands of GitHub's runners, which show them beside the lines of a change. */
void be_lint_github(const struct be_lint_run *run, struct be_text *out);
/* A line a rule that spoke, the most frequent first: findings, files, name, what it finds. */
void be_lint_statistics(const struct be_lint_run *run, struct be_text *out);
/* docs/json.md */
void be_lint_json(const struct be_lint_run *run, struct be_text *out);
/* SARIF 2.1.0, with every rule and every fix. */
void be_lint_sarif(const struct be_lint_run *run, struct be_text *out);

/* The table of rules: as text, or as the Markdown of docs/lint.md. */
void be_lint_list(bool markdown, struct be_text *out);

#endif
