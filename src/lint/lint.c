#include "lint/lint.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/look/silence.h"
#include "lint/rules.h"

const char *be_severity_word(enum be_severity severity) {
    static const char *const words[] = {
        [BE_ADVICE] = "advice", [BE_WARNING] = "warning", [BE_ERROR] = "error"};
    return (size_t)severity < BE_COUNT(words) ? words[severity] : "unknown";
}

const struct be_lint_rule *be_lint_rule(size_t index) {
    for (size_t i = 0; i <= index; i++) {
        if (!be_lint_entries[i].rule.name) {
            return NULL;
        }
    }
    return &be_lint_entries[index].rule;
}

const struct be_lint_versions *be_lint_rule_versions(const struct be_lint_rule *rule) {
    for (const struct be_lint_versions *at = be_lint_versions; at->rule; at++) {
        if (strcmp(at->rule, rule->name) == 0) {
            return at;
        }
    }
    return NULL;
}

/* ---- places ----------------------------------------------------------------------------------- */

/* Characters from `from` up to `to`: bytes that continue one do not count. */
static int characters(const char *text, size_t from, size_t to) {
    int count = 0;
    for (size_t at = from; at < to; at++) {
        count += ((unsigned char)text[at] & 0xC0u) != 0x80u;
    }
    return count;
}

static void place(const struct be_script *script, size_t at, int *line, int *column) {
    if (script->lines == 0) {
        *line = *column = 1;
        return;
    }
    size_t index = be_script_line_at(script, at);
    *line = (int)index + 1;
    *column = characters(script->text, script->line[index].span.at, at) + 1;
}

static int by_place(const void *a, const void *b) {
    const struct be_lint_finding *one = a, *other = b;
    if (one->given != other->given) {
        return one->given ? 1 : -1;
    }
    if (one->at != other->at) {
        return one->at < other->at ? -1 : 1;
    }
    return (int)other->severity - (int)one->severity;
}

/* An option given to sbatch itself is in no file: nothing there can be put right, and it has one line of its own. */
static void take_given(const struct be_script *script, struct be_lint_finding *finding) {
    bool edits = false;
    for (size_t k = 0; k < finding->edits; k++) {
        edits |= finding->edit[k].at + finding->edit[k].length > script->length;
    }
    if (edits) {
        be_lint_drop_edits(finding);
    }
    if (finding->given) {
        finding->line = finding->end_line = 1;
        finding->at -= script->length + 1;
    }
}

static void place_all(const struct be_script *script, struct be_lint_report *report) {
    for (size_t i = 0; i < report->findings; i++) {
        struct be_lint_finding *finding = &report->finding[i];
        finding->given = finding->at > script->length;
        place(script, finding->at, &finding->line, &finding->column);
        place(script, finding->at + finding->length, &finding->end_line, &finding->end_column);
        take_given(script, finding);
    }
    if (report->findings > 1) {
        qsort(report->finding, report->findings, sizeof *report->finding, by_place);
    }
}

enum be_status be_lint_check_names(const char *list, struct be_error *error) {
    char word[BE_NOTE];
    for (const char *at = list; at && *at; at += strcspn(at, ", ")) {
        const struct be_lint_rule *rule = NULL, *near = NULL;
        bool known = false;
        at += strspn(at, ", ");
        const size_t length = strcspn(at, ", ");
        be_copy_text(word, length < sizeof word ? length + 1 : sizeof word, at);
        for (size_t i = 0; (rule = be_lint_rule(i)); i++) {
            known |= strcmp(rule->name, word) == 0;
            near = !near && length > 3 && (strstr(rule->name, word) || strstr(word, rule->name))
                       ? rule
                       : near;
        }
        if (length > 0 && !known) {
            return be_fail(error, BE_USAGE, "%.40s: no rule has that name%s%s; --list has all",
                           word, near ? "; is it " : "", near ? near->name : "");
        }
    }
    return BE_OK;
}

/* Is a rule among those that the options leave? */
static bool is_chosen(const struct be_lint_rule *rule, const struct be_lint_options *options) {
    const bool selected = !options->select || !*options->select;
    return (selected || be_lint_listed(options->select, rule->name)) &&
           !be_lint_listed(options->ignore, rule->name);
}

/* A script for bsub is none for sbatch: only what no batch system changes is asked of it, and what knows LSF. */
static bool is_asked(const struct be_lint_rule *rule, const struct be_lint_options *options) {
    static const char *const of_lsf[] = {"broken-line", "no-time", "foreign-variable",
                                         "gpu-not-asked"};
    for (size_t i = 0; options->lsf && i < BE_COUNT(of_lsf); i++) {
        if (strcmp(rule->name, of_lsf[i]) == 0) {
            return true;
        }
    }
    return !options->lsf;
}

/* ---- the whole --------------------------------------------------------------------------------- */

enum be_status be_lint(const char *text, size_t length, const struct be_lint_options *options,
                       struct be_lint_report *report, struct be_error *error) {
    struct be_script script = {0};
    *report = (struct be_lint_report){0};
    const struct be_script_reader reader = {options->with, be_lint_slurm(options)};
    enum be_status status = be_script_parse(text, length, &reader, &script, error);
    if (status != BE_OK) {
        return status;
    }
    struct be_lint lint = {.script = &script,
                           .options = options,
                           .report = report,
                           .check_names = be_lint_check_names};
    for (const struct be_lint_entry *at = be_lint_entries; at->rule.name; at++) {
        const struct be_lint_versions *of = be_lint_rule_versions(&at->rule);
        lint.rule = &at->rule;
        if (!is_asked(&at->rule, options) || !is_chosen(&at->rule, options)) {
            continue;
        }
        if (!of || be_lint_holds(&lint, of->since, of->until) != BE_HOLDS_NOT) {
            at->check(&lint);
        }
    }
    place_all(&script, report);
    be_lint_silence(&script, report);
    be_script_free(&script);
    if (report->failed) {
        be_lint_free(report);
        return be_fail(error, BE_NOMEM, "out of memory");
    }
    return BE_OK;
}

void be_lint_free(struct be_lint_report *report) {
    for (size_t i = 0; i < report->findings; i++) {
        be_lint_drop_edits(&report->finding[i]);
    }
    free(report->finding);
    *report = (struct be_lint_report){0};
}
