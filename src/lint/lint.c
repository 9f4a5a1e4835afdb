#include "lint/lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/parts.h"
#include "script/parts.h"

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

/* ---- findings --------------------------------------------------------------------------------- */

struct be_lint_finding *be_lint_add(struct be_lint *lint, enum be_severity severity,
                                    struct be_span span, const char *format, ...) {
    struct be_lint_report *report = lint->report;
    void *list = report->finding;
    bool wanted = report->findings < BE_LINT_MAX;
    bool room = wanted && be_script_room(&list, report->findings, sizeof *report->finding);
    report->finding = list;
    report->failed = report->failed || (wanted && !room);
    struct be_lint_finding *finding = room ? &report->finding[report->findings++] : &lint->lost;
    *finding = (struct be_lint_finding){
        .rule = lint->rule, .severity = severity, .at = span.at, .length = span.length};
    va_list words;
    va_start(words, format);
    vsnprintf(finding->text, sizeof finding->text, format, words);
    va_end(words);
    report->count[severity] += room;
    return finding;
}

void be_lint_advise(struct be_lint_finding *finding, const char *format, ...) {
    va_list words;
    va_start(words, format);
    vsnprintf(finding->advice, sizeof finding->advice, format, words);
    va_end(words);
}

void be_lint_replace(struct be_lint *lint, struct be_lint_finding *finding, struct be_span span,
                     bool safe, const char *with) {
    if (finding == &lint->lost) {
        return;
    }
    void *list = finding->edit;
    bool room = be_script_room(&list, finding->edits, sizeof *finding->edit);
    finding->edit = list;
    char *copy = room ? strdup(with) : NULL;
    if (copy) {
        finding->edit[finding->edits++] = (struct be_lint_edit){span.at, span.length, copy};
        finding->safe = safe;
    }
    lint->report->failed = lint->report->failed || !copy;
}

struct be_span be_lint_span(const struct be_script_option *option) {
    struct be_span span = option->name;
    if (option->value.length && option->value.at >= span.at) {
        span.length = option->value.at + option->value.length - span.at;
    }
    return span;
}

bool be_lint_of_sbatch(const struct be_script_option *option) {
    return option->origin == BE_LINE_SBATCH || option->origin == BE_LINE_GIVEN;
}

const char *be_lint_shown(const struct be_lint *lint, struct be_span span, char *to, size_t room) {
    size_t length = span.length < room - 1 ? span.length : room - 1;
    const char *from = lint->script->text + span.at;
    const char *end = memchr(from, '\n', length);
    length = end ? (size_t)(end - from) : length;
    while (length > 0 && length < span.length && ((unsigned char)from[length] & 0xC0u) == 0x80u) {
        length--; /* not within a character */
    }
    memcpy(to, from, length);
    to[length] = '\0';
    return to;
}

struct be_span be_lint_commands(const struct be_lint *lint) {
    const struct be_script *script = lint->script;
    if (script->commands > 0) {
        return script->command[0].span;
    }
    for (size_t i = 0; i < script->lines; i++) {
        if (script->line[i].kind == BE_LINE_COMMAND) {
            return script->line[i].span;
        }
    }
    return script->lines ? script->line[0].span : (struct be_span){0, 0};
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

static void drop_edits(struct be_lint_finding *finding) {
    for (size_t k = 0; k < finding->edits; k++) {
        free(finding->edit[k].with);
    }
    free(finding->edit);
    finding->edit = NULL;
    finding->edits = 0;
    finding->safe = false;
}

/* What sbatch is given is in no file: nothing there can be put right, and it has one line of its own. */
static void take_given(const struct be_script *script, struct be_lint_finding *finding) {
    bool edits = false;
    for (size_t k = 0; k < finding->edits; k++) {
        edits |= finding->edit[k].at + finding->edit[k].length > script->length;
    }
    if (edits) {
        drop_edits(finding);
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

/* ---- the whole --------------------------------------------------------------------------------- */

enum be_status be_lint(const char *text, size_t length, const struct be_lint_options *options,
                       struct be_lint_report *report, struct be_error *error) {
    struct be_script script = {0};
    *report = (struct be_lint_report){0};
    enum be_status status = be_script_parse(text, length, options->with, &script, error);
    if (status != BE_OK) {
        return status;
    }
    struct be_lint lint = {.script = &script, .options = options, .report = report};
    for (const struct be_lint_entry *at = be_lint_entries; at->rule.name; at++) {
        lint.rule = &at->rule;
        at->check(&lint);
    }
    place_all(&script, report);
    be_script_free(&script);
    if (report->failed) {
        be_lint_free(report);
        return be_fail(error, BE_NOMEM, "out of memory");
    }
    return BE_OK;
}

void be_lint_free(struct be_lint_report *report) {
    for (size_t i = 0; i < report->findings; i++) {
        drop_edits(&report->finding[i]);
    }
    free(report->finding);
    *report = (struct be_lint_report){0};
}
