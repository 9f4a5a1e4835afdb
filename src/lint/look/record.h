/* A look at one script, and what rules find in it. */
#ifndef BE_LINT_RECORD_H
#define BE_LINT_RECORD_H

#include "lint/lint.h"
#include "script/script.h"

/* Options that hold in the components after theirs: --mem, --time, --time-min. */
enum { BE_LASTING = 3 };

struct be_lint {
    const struct be_script *script;
    const struct be_lint_options *options;
    struct be_lint_report *report;
    const struct be_lint_rule *rule; /* that is being looked at */
    enum be_status (*check_names)(const char *list, struct be_error *error); /* of rules */
    int component; /* of a heterogeneous job, for rules that ask each */
    const struct be_script_option
        *lasting[BE_LASTING];    /* of components before it, and still true */
    struct be_lint_finding lost; /* where one goes that there is no room for */
};

/* A finding of the rule at hand; never NULL, kept only while there is memory. */
struct be_lint_finding *be_lint_add(struct be_lint *lint, enum be_severity severity,
                                    struct be_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void be_lint_advise(struct be_lint_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Puts `with` in the place of a span. */
void be_lint_replace(struct be_lint *lint, struct be_lint_finding *finding, struct be_span span,
                     bool safe, const char *with);

/* Takes its edits away. */
void be_lint_drop_edits(struct be_lint_finding *finding);

/* Where an option stands, value included. */
struct be_span be_lint_span(const struct be_script_option *option);
/* Does the job ask for it in sbatch's own words, in the script or on the command line? */
bool be_lint_of_sbatch(const struct be_script_option *option);
/* The text of a span, cut to fit a message. */
const char *be_lint_shown(const struct be_lint *lint, struct be_span span, char *to,
                          size_t capacity);
/* Fault `*index` or one after it that is of that kind; NULL: there is no more. */
const struct be_script_fault *be_lint_fault(const struct be_lint *lint, size_t *index,
                                            enum be_fault_kind kind);
/* The first command; where there is none, the first line. */
struct be_span be_lint_commands(const struct be_lint *lint);

#endif
