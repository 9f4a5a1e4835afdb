/*
 * Faults in a job script: requests that sbatch would refuse (errors), requests that it would take but not do as
 * meant (warnings), and improvements (advice). Each rule is a line of one table.
 *
 * It does not know a running cluster. A site's offer comes from the catalogue, where a cluster is named.
 */
#ifndef BE_LINT_LINT_H
#define BE_LINT_LINT_H

#include "breakeven.h"
#include "cluster/cluster.h"

enum be_severity { BE_ADVICE, BE_WARNING, BE_ERROR, BE_SEVERITIES };
const char *be_severity_word(enum be_severity severity); /* "advice", "warning", "error" */

/* A fix is safe where the job stays the same, or a refused one is taken. */
enum be_lint_fixes { BE_FIXES_NONE, BE_FIXES_SAFELY, BE_FIXES_UNSAFELY };

struct be_lint_rule {
    const char *name;
    enum be_severity severity; /* the gravest it has */
    const char *title;         /* what it finds, in one clause */
    const char *why;           /* why that matters */
    const char *source;        /* where the fact comes from */
    enum be_lint_fixes fixes;  /* the best it has */
};
const struct be_lint_rule *be_lint_rule(size_t index); /* NULL past the last */

/* Are all words of such a list, "no-time,no-mail", names of rules? BE_USAGE: one is none; a near one is named. NULL and
 * empty lists are right. */
enum be_status be_lint_check_names(const char *list, struct be_error *error);

/* A rule that is a fact of some versions of Slurm; for others it is not asked. */
struct be_lint_versions {
    const char *rule;
    const char *since,
        *until; /* the first and the last that has it, "23.11"; NULL: no end is known */
};
/* NULL: the rule holds for every version that is known here. */
const struct be_lint_versions *be_lint_rule_versions(const struct be_lint_rule *rule);

/* `length` bytes from `at` on become `with`. */
struct be_lint_edit {
    size_t at, length;
    char *with;
};

struct be_lint_finding {
    const struct be_lint_rule *rule;
    enum be_severity severity;
    bool given; /* it is of be_lint_options.with, and so are the places, which are of no file */
    size_t at, length; /* bytes of the file */
    int line, column;  /* from 1; characters */
    int end_line, end_column;
    char text[BE_NOTE];
    char advice[BE_NOTE]; /* what to do; may be empty */
    struct be_lint_edit *edit;
    size_t edits;
    bool safe; /* with the edits it is the same job, or a refused one is taken */
};

/* A file that is no job script at all could have one a line. */
enum { BE_LINT_MAX = 10000 };

/* The findings of one file, in the order of its lines. */
struct be_lint_report {
    struct be_lint_finding *finding;
    size_t findings; /* at most BE_LINT_MAX; the first of each rule */
    size_t count[BE_SEVERITIES];
    size_t
        silenced; /* findings that comments of the script took away: "# breakeven: ignore RULE because .." */
    bool failed; /* memory ran out: not all is here */
};

/* Zero-initialise, then set what is known. */
struct be_lint_options {
    const char *select, *ignore; /* lists of rules: only these, and not these; NULL: all, none */
    const struct be_cluster *cluster; /* NULL: no cluster is asked about */
    const char *slurm; /* "22.05": the site's version; NULL: the cluster's, or not known */
    bool lsf;          /* it is for bsub: #BSUB lines are right as they are */
    bool unsafe;       /* fixes after which it may be another job are made, too */
    const char *with; /* what sbatch is given on its command line, "--mem=4G -c 8"; NULL: nothing */
    const char *bash; /* what `bash -n` says of it, in the C locale; NULL: it was not asked */
};

/* *report owns memory: be_lint_free. BE_USAGE: too large to be a job script. */
enum be_status be_lint(const char *text, size_t length, const struct be_lint_options *options,
                       struct be_lint_report *report, struct be_error *error);
void be_lint_free(struct be_lint_report *report); /* accepts a zeroed one */

/* The text with all fixes made that are asked for, those that they make possible too; *made counts them. Fixes that
 * together have more errors are tried one by one, and one that has more is not made. */
enum be_status be_lint_fix(const char *text, size_t length, const struct be_lint_options *options,
                           struct be_text *fixed, size_t *made, struct be_error *error);

/* How `from` becomes `to`, as `diff -u` shows it; nothing where they are the same. */
void be_lint_diff(const char *name, const struct be_text *from, const struct be_text *to,
                  struct be_text *out);

#endif
